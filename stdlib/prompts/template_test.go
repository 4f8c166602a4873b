package prompts

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPromptsAreAFunctionOfTheirNumber(t *testing.T) {
	a, ok := New(Template1, "1", 50, false)
	b, _ := New(Template1, "1", 50, false)
	c, _ := New(Template1, "2", 50, false)
	if !ok {
		t.Fatal("no generator")
	}
	same := 0
	for n := range uint64(200) {
		p := a.Prompt(n)
		if p == "" || p != b.Prompt(n) || p != a.Prompt(n+50) {
			t.Fatalf("prompt %d: %q, %q, %q", n, p, b.Prompt(n), a.Prompt(n+50))
		}
		if p == c.Prompt(n) {
			same++
		}
	}
	if same > 40 {
		t.Errorf("%d of 200 prompts are the same with another seed", same)
	}
	if _, ok := New("template/2", "1", 0, false); ok {
		t.Error("an unknown generator was made")
	}
}

func TestSaltedPromptsNeverRepeat(t *testing.T) {
	g, _ := New(Template1, "1", 10, true)
	seen := map[string]bool{}
	for n := range uint64(1000) {
		p := g.Prompt(n)
		if seen[p] {
			t.Fatalf("prompt %d, %q, came before", n, p)
		}
		seen[p] = true
	}
}

func TestPairs(t *testing.T) {
	refused, records := 0, 0
	const n = 20000
	for i := range uint64(n) {
		prompt, answer := Pair(i)
		switch {
		case strings.Contains(answer, "help with that") || strings.Contains(answer, "unable"):
			refused++
		case strings.Contains(prompt, "JSON"):
			records++
			if !json.Valid([]byte(answer)) {
				t.Fatalf("%q is answered by %q", prompt, answer)
			}
		case answer == "" || prompt == "":
			t.Fatalf("pair %d is empty", i)
		}
	}
	// 0.02 of 20,000 is 400; four standard deviations are 79.
	if refused < 321 || refused > 479 {
		t.Errorf("%d of %d refused", refused, n)
	}
	if records < n/5 {
		t.Errorf("%d records of %d", records, n)
	}
}
