package tokens

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBPE uses ids that every implementation of these encodings gives.
func TestBPE(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []uint32
	}{
		{"cl100k_base", "hello world", []uint32{15339, 1917}},
		{"o200k_base", "hello world", []uint32{24912, 2375}},
		{"p50k_base", "hello world", []uint32{31373, 995}},
		{"r50k_base", "hello world", []uint32{31373, 995}},
		{"cl100k_base", "", nil},
		{"cl100k_base", "hello\nworld", []uint32{15339, 198, 14957}},
		{"cl100k_base", "rer", []uint32{38149}},
		{"cl100k_base", "'rer", []uint32{2351, 81}},
		{"cl100k_base", "today\n ", []uint32{31213, 198, 220}},
		{"cl100k_base", "today\n \n", []uint32{31213, 27907}}, // a line with a space in it is no end of a piece
		{"cl100k_base", "today\n  \n", []uint32{31213, 14211}},
	} {
		tok, err := Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.Append(nil, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %d, want %d", c.name, c.text, got, c.want)
		}
	}
}

// TestBPESpecial tells that no text of a prompt becomes a special token.
func TestBPESpecial(t *testing.T) {
	special := map[string]uint32{"cl100k_base": 100257, "o200k_base": 199999, "p50k_base": 50256, "r50k_base": 50256}
	for name, end := range special {
		tok, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		got := tok.Append(nil, "a<|endoftext|>b")
		if slices.Contains(got, end) || len(got) < 5 {
			t.Errorf("%s: %d holds the special token %d", name, got, end)
		}
	}
}

func TestBPEInvalidUTF8(t *testing.T) {
	tok, err := Lookup("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tok.Append(nil, "a\xffb"), tok.Append(nil, "a\ufffdb"); !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestModule(t *testing.T) {
	b, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(module) + `( // indirect)?$`).Match(b) {
		t.Errorf("go.mod does not require %s: change the constant, so that plans of another vocabulary are told apart", module)
	}
}

var sample = strings.Repeat("The payment service saw elevated latency after a failover; 3 of 12 regions were affected. Größe und Café: naïve “quotes”.\n", 2000)

func BenchmarkAppend(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			tok, err := Lookup(name)
			if err != nil {
				b.Fatal(err)
			}
			ids := tok.Append(nil, sample)
			b.SetBytes(int64(len(sample)))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				ids = tok.Append(ids[:0], sample)
			}
			b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
