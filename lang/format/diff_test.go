package format

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	a := "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve"
	b := "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\nten and a half\neleven\ntwelve\n"
	want := `--- x
+++ x
@@ -1,5 +1,5 @@
 one
-two
+2
 three
 four
 five
@@ -8,5 +8,6 @@
 eight
 nine
 ten
+ten and a half
 eleven
-twelve
\ No newline at end of file
+twelve
`
	if d := cmp.Diff(want, Diff([]byte(a), []byte(b), "x")); d != "" {
		t.Error(d)
	}
	if d := Diff([]byte(a), []byte(a), "x"); d != "" {
		t.Error(d)
	}
	if d := Diff(nil, []byte("a\n"), "x"); d != "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n" {
		t.Error(d)
	}
	if d := Diff([]byte("a\n"), nil, "x"); d != "--- x\n+++ x\n@@ -1 +0,0 @@\n-a\n" {
		t.Error(d)
	}
}

// TestDiffLeadsFromOneToTheOther applies the differences of random texts.
func TestDiffLeadsFromOneToTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			fmt.Fprintf(&b, "line %d\n", r.IntN(12))
		}
		return b.String()
	}
	for range 500 {
		a, b := text(), text()
		if got := patch(t, a, Diff([]byte(a), []byte(b), "x")); got != b {
			t.Fatalf("%q becomes %q, want %q", a, got, b)
		}
	}
	// So many edits that the shortest script is not sought any more.
	var x, y strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&x, "a%d\n", i)
		fmt.Fprintf(&y, "b%d\n", i)
	}
	if got := patch(t, x.String(), Diff([]byte(x.String()), []byte(y.String()), "x")); got != y.String() {
		t.Error("a large difference does not lead to its end")
	}
}

// patch applies a unified difference and checks what it says about lines.
func patch(t *testing.T, a, diff string) string {
	t.Helper()
	if diff == "" {
		return a
	}
	lines := strings.SplitAfter(a, "\n")
	lines = lines[:len(lines)-1]
	var out strings.Builder
	at := 0
	for _, line := range strings.SplitAfter(diff, "\n")[2:] {
		if line == "" {
			break
		}
		switch line[0] {
		case '@':
			var start, n int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &n); err != nil {
				n = 1
				if _, err := fmt.Sscanf(line, "@@ -%d", &start); err != nil {
					t.Fatalf("%q", line)
				}
			}
			if n > 0 {
				start--
			}
			for ; at < start; at++ {
				out.WriteString(lines[at])
			}
		case '+':
			out.WriteString(line[1:])
		default:
			if lines[at] != line[1:] {
				t.Fatalf("line %d is %q, and the difference says %q", at+1, lines[at], line[1:])
			}
			if line[0] == ' ' {
				out.WriteString(lines[at])
			}
			at++
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String()
}
