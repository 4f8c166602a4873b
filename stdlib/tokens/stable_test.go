package tokens

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/fdbench/fdbench/spec/refdata"
)

// words cuts a text as the tokenizer does, by the definition and without its
// short cuts.
func words(text string) []string {
	var ws []string
	inWord := false
	for _, r := range text {
		switch classOf(r) {
		case space:
			inWord = false
		case symbol:
			ws = append(ws, string(r))
			inWord = false
		case word:
			if inWord {
				ws[len(ws)-1] += string(r)
			} else {
				ws = append(ws, string(r))
			}
			inWord = true
		}
	}
	for i, w := range ws {
		ws[i] = string(appendLower(nil, w))
	}
	return ws
}

func naive(text string) []uint32 {
	var ids []uint32
	for _, w := range words(text) {
		ids = append(ids, lowerID(w))
	}
	return ids
}

func TestStableVectors(t *testing.T) {
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Tokenizer []struct {
			Text   string
			Tokens []string
			IDs    []uint32
		}
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Tokenizer) < 10 {
		t.Fatalf("%d vectors", len(v.Tokenizer))
	}
	for _, c := range v.Tokenizer {
		if got := (stable{}).Append(nil, c.Text); !slices.Equal(got, c.IDs) {
			t.Errorf("%q: ids %d, want %d", c.Text, got, c.IDs)
		}
		if got := words(c.Text); !slices.Equal(got, c.Tokens) {
			t.Errorf("%q: tokens %q, want %q", c.Text, got, c.Tokens)
		}
	}
}

func TestStableWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"One two-three", []string{"one", "two", "-", "three"}},
		{"a_b __ 1_000", []string{"a_b", "__", "1_000"}},
		{"x\u0301y", []string{"x", "\u0301", "y"}}, // a mark ends a word
		{"½ ² Ⅷ 五", []string{"½", "²", "ⅷ", "五"}},  // No, Nl and Lo are words
		{"a\u200bb", []string{"a", "\u200b", "b"}}, // a zero-width space is no white space
		{"a\u0085b\u2028c\u3000d", []string{"a", "b", "c", "d"}},
		{"a\x1fb\x1ec\x1dd\x1ce", []string{"a", "b", "c", "d", "e"}},
		{"ΣΑΣ Σ ΑΣ1 ΑΣʰ ΑΣʰα", []string{"σας", "σ", "ας1", "αςʰ", "ασʰα"}},
		{"Aʹ\u02b0Σ", []string{"aʹ\u02b0ς"}},
		{"İİ", []string{"i\u0307i\u0307"}},
		{"Ⓐ", []string{"ⓐ"}}, // a symbol with a case
		{"ſ K Å", []string{"ſ", "k", "å"}},
		{"ends\xff\xfe.", []string{"ends", "\ufffd", "\ufffd", "."}},
		{"\U0001F600ok", []string{"\U0001F600", "ok"}},
	} {
		var want []uint32
		for _, w := range c.want {
			want = append(want, lowerID(w))
		}
		if got := words(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: tokens %q, want %q", c.text, got, c.want)
		}
		if got := (stable{}).Append(nil, c.text); !slices.Equal(got, want) {
			t.Errorf("%q: ids %d, want %d", c.text, got, want)
		}
	}
}

// TestStableAppends tells that what dst holds stays, and that the cache does
// not change an id: the second pass is answered from it.
func TestStableAppends(t *testing.T) {
	long := strings.Repeat("w", 27) + " " + strings.Repeat("w", 28) + " " + strings.Repeat("w", 400)
	got := (stable{}).Append([]uint32{7}, long)
	got = (stable{}).Append(got, long)
	want := append([]uint32{7}, append(naive(long), naive(long)...)...)
	if !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

// TestStableManyWords fills the cache several times over.
func TestStableManyWords(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "Word%d ", i*i%40_009)
	}
	if got, want := (stable{}).Append(nil, b.String()), naive(b.String()); !slices.Equal(got, want) {
		t.Error("a word that left the cache changed its id")
	}
}

func TestConcurrent(t *testing.T) {
	text := strings.Repeat("Der Fluß fließt, said İlker: ΟΔΟΣ 42% ", 50)
	for _, name := range []string{"stable", "r50k_base"} {
		tok, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		want := tok.Append(nil, text)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					if !slices.Equal(tok.Append(nil, text), want) {
						t.Errorf("%s: ids differ between goroutines", name)
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestStableAgainstPython holds every code point that the installed Python
// knows against its \w, \s and lower case, and every word character against
// its rule for a final sigma.
func TestStableAgainstPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	cmd := exec.Command(python, "-c", `
import re, sys, unicodedata
out = sys.stdout
print("unicode", unicodedata.unidata_version)
for c in range(0x110000):
    ch = chr(c)
    if 0xD800 <= c < 0xE000 or unicodedata.category(ch) == "Cn": continue
    k = "word" if re.match(r"\w", ch) else "space" if re.match(r"\s", ch) else "symbol"
    sig = ""
    if k == "word":
        sig = "".join("1" if s.lower().find("\u03c2") >= 0 else "0" for s in (ch + "\u03a3", "a" + ch + "\u03a3", "a\u03a3" + ch, "a\u03a3" + ch + "a"))
    print(c, k, ch.lower().encode().hex(), sig)
`)
	cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("python3 does not start: %v", err)
	}
	classes := map[string]uint8{"word": word, "space": space, "symbol": symbol}
	in := bufio.NewScanner(out)
	in.Scan()
	version := in.Text()
	n, differ := 0, 0
	complain := func(format string, a ...any) {
		if differ++; differ <= 10 {
			t.Errorf(format, a...)
		}
	}
	for in.Scan() {
		f := strings.Fields(in.Text())
		c, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatal(err)
		}
		r := rune(c)
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C) {
			continue // newer than Go's tables
		}
		n++
		if classOf(r) != classes[f[1]] {
			complain("%U is a %s for Python", r, f[1])
		}
		if got := fmt.Sprintf("%x", appendLower(nil, string(r))); got != f[2] {
			complain("%U: lower case %s, want %s", r, got, f[2])
		}
		if len(f) < 4 {
			continue
		}
		var sig strings.Builder
		for _, s := range []string{string(r) + "Σ", "a" + string(r) + "Σ", "aΣ" + string(r), "aΣ" + string(r) + "a"} {
			if strings.Contains(string(appendLower(nil, s)), "ς") {
				sig.WriteByte('1')
			} else {
				sig.WriteByte('0')
			}
		}
		if sig.String() != f[3] && !strings.ContainsRune("ςΣ", r) {
			complain("%U: final sigma %s, want %s", r, sig.String(), f[3])
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Skipf("python3 fails: %v", err)
	}
	if n < 140_000 {
		t.Errorf("only %d code points were compared", n)
	}
	t.Logf("%d code points, Go's Unicode %s against Python's %s: %d differ", n, unicode.Version, version, differ)
}

func FuzzStable(f *testing.F) {
	for _, s := range []string{"", "Hello, world!", "ΑΣ ΑΣʰ", "x\x1cy", "\xff", "İstanbul", strings.Repeat("a", 100) + "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := (stable{}).Append(nil, text)
		if want := naive(text); !slices.Equal(got, want) {
			t.Fatalf("%q: ids %d, want %d", text, got, want)
		}
		for _, id := range got {
			if id > 0x7FFFFFFF {
				t.Fatalf("%q: id %d", text, id)
			}
		}
		if utf8.ValidString(text) {
			if twice := (stable{}).Append(nil, text+"\n"+text); !slices.Equal(twice, append(got, got...)) {
				t.Fatalf("%q: a line end changes a token", text)
			}
		}
	})
}

func TestLookup(t *testing.T) {
	want := []string{"stable", "cl100k_base", "o200k_base", "p50k_base", "r50k_base"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	for _, name := range want {
		tok, err := Lookup(name)
		if err != nil || tok.Name() != name || tok.Version() == "" {
			t.Errorf("%s: %v, %v", name, tok, err)
		}
	}
	_, err := Lookup("Stable")
	if want := `there is no tokenizer "Stable"; write one of stable, cl100k_base, o200k_base, p50k_base, r50k_base`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestStableVersion(t *testing.T) {
	if v := (stable{}).Version(); !regexp.MustCompile(`^stable-regex-sha256, Unicode \d+\.\d+\.\d+$`).MatchString(v) {
		t.Errorf("version %q", v)
	}
}
