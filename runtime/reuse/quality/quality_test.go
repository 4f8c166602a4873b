package quality

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/refdata"
)

func TestReferenceVectors(t *testing.T) {
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	type score struct {
		Hyp    string  `json:"hyp"`
		Ref    string  `json:"ref"`
		Out    string  `json:"out"`
		Answer string  `json:"answer"`
		Value  float64 `json:"value"`
	}
	var v struct {
		RougeL []score `json:"rouge_l"`
		F1     []score `json:"token_f1"`
		Recall []score `json:"quality_recall"`
		KL     []struct {
			Cold  [][2]float64 `json:"cold"`
			Warm  [][2]float64 `json:"warm"`
			Value float64      `json:"value"`
		} `json:"kl_topk"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.RougeL) < 6 || len(v.F1) < 3 || len(v.Recall) < 3 || len(v.KL) < 3 {
		t.Fatal("the vectors are not there")
	}
	close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-15 }
	for _, x := range v.RougeL {
		if got := RougeL(x.Hyp, x.Ref); !close(got, x.Value) {
			t.Errorf("ROUGE-L of %q and %q is %v, want %v", x.Hyp, x.Ref, got, x.Value)
		}
	}
	for _, x := range v.F1 {
		if got := TokenF1(x.Hyp, x.Ref); !close(got, x.Value) {
			t.Errorf("F1 of %q and %q is %v, want %v", x.Hyp, x.Ref, got, x.Value)
		}
	}
	for _, x := range v.Recall {
		if got := Recall(x.Out, x.Answer); !close(got, x.Value) {
			t.Errorf("recall of %q in %q is %v, want %v", x.Answer, x.Out, got, x.Value)
		}
	}
	top := func(list [][2]float64) (out []Top) {
		for _, p := range list {
			out = append(out, Top{int64(p[0]), p[1]})
		}
		return out
	}
	for _, x := range v.KL {
		got, ok := KLTopK(top(x.Cold), top(x.Warm))
		if !ok || math.Abs(got-x.Value) > 1e-12 {
			t.Errorf("KL of %v and %v is %v, want %v", x.Cold, x.Warm, got, x.Value)
		}
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[string][]string{
		"":                       nil,
		" \n.,_-":                nil,
		"A-B_C 1.5":              {"a", "b", "c", "1", "5"},
		"Straße CAFÉ":            {"straße", "café"},
		"\u0130stanbul":          {"i\u0307stanbul"},
		"ΟΔΟΣ":                   {"οδοσ"}, // character by character: no final sigma
		"日本語 テスト":                {"日本語", "テスト"},
		"x² ½ Ⅷ":                 {"x²", "½", "ⅷ"},
		"e\u0301":                {"e"}, // a combining mark is no letter
		"\xffabc\xfe":            {"abc"},
		"don't":                  {"don", "t"},
		"a\u00a0b\u2003c\u001cd": {"a", "b", "c", "d"},
	} {
		if got := Words(s); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if Empty(s) != (len(want) == 0) {
			t.Errorf("%q is empty: %v", s, Empty(s))
		}
	}
}

func TestStems(t *testing.T) {
	for w, want := range map[string]string{
		"running": "run", "planned": "plan", "sessions": "session", "processes": "proces", "process": "proces",
		"added": "added", "sing": "sing", "goes": "goes", "as": "as", "cafés": "café", "ééés": "ééés", "restored": "restor", "delaying": "delay", "": "",
	} {
		if got := stem(w); got != want {
			t.Errorf("%q: %q, want %q", w, got, want)
		}
	}
}

func TestPairsOfOutputs(t *testing.T) {
	for _, x := range []struct {
		cold, warm string
		want       float64
	}{
		{"", "", 1}, {"...", "\n", 1}, {"a word", "", 0}, {"", "a word", 0}, {"a word", "!!", 0},
		{"a word", "a word", 1}, {"A word.", "a WORD", 1}, {"one two three four", "four three two one", 0.25},
	} {
		if got := RougeLPair(x.cold, x.warm); got != x.want {
			t.Errorf("%q and %q: %v, want %v", x.cold, x.warm, got, x.want)
		}
	}
	if RougeL("", "") != 0 {
		t.Error("without words there is no overlap to score")
	}
}

func TestJudge(t *testing.T) {
	half := exact.MustParse("0.5")
	for _, x := range []struct {
		output    string
		answers   []string
		threshold exact.Number
		want      *float64
		pass      bool
	}{
		{"whatever", nil, half, nil, false},
		{"whatever", []string{"", "?!"}, half, nil, false},
		{"", []string{"London"}, half, new(0.0), false},
		{"", []string{"London"}, exact.Int(0), new(0.0), true},
		{"It is London, I think.", []string{"Paris", "London"}, exact.Int(1), new(1.0), true},
		{"red green", []string{"red green blue yellow"}, half, new(0.5), true},
		{"red green", []string{"red green blue yellow"}, exact.MustParse("0.500000000001"), new(0.5), false},
		{"red", []string{"red green blue"}, exact.Frac(1, 3), new(1.0 / 3), true},
		{"The answer is A", []string{"A"}, exact.Int(1), new(1.0), true}, // a stop word, and all that there is
		{"The answer is B", []string{"A"}, half, new(0.0), false},
		{"the the the", []string{"The cat was here"}, half, new(0.0), false},
	} {
		q := Judge(x.output, x.answers, x.threshold)
		if (q == nil) != (x.want == nil) {
			t.Errorf("%q against %q: %+v", x.output, x.answers, q)
			continue
		}
		if q != nil && (q.Score != *x.want || q.Pass != x.pass) {
			t.Errorf("%q against %q: %+v, want %v and %v", x.output, x.answers, *q, *x.want, x.pass)
		}
		if q != nil {
			for name, pair := range map[string][2]float64{
				"recall": {q.Score, Best(x.output, x.answers, Recall)}, "F1": {q.F1, Best(x.output, x.answers, TokenF1)}, "ROUGE-L": {q.RougeL, Best(x.output, x.answers, RougeL)},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%q against %q: %s is %v, and the best is %v", x.output, x.answers, name, pair[0], pair[1])
				}
			}
		}
	}
}

// plainLCS is the textbook's table.
func plainLCS(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestLCSAgainstTheTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n, alphabet int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = string(rune('a' + r.IntN(alphabet)))
		}
		return out
	}
	for i := range 3000 {
		alphabet := 1 + r.IntN(1+i%40)
		a, b := text(r.IntN(300), alphabet), text(r.IntN(300), alphabet)
		if i%4 == 0 { // nearly equal texts
			b = slices.Clone(a)
			for range r.IntN(4) {
				if len(b) > 0 {
					at := r.IntN(len(b))
					b = slices.Delete(b, at, at+1)
				}
			}
		}
		want := plainLCS(a, b)
		if got := lcs(a, b); got != want {
			t.Fatalf("%d of %q and %q, want %d", got, a, b, want)
		}
		if got := lcs(b, a); got != want {
			t.Fatalf("%d the other way round, want %d", got, want)
		}
	}
	// Sparse matches, whose carries pass machine words without a piece of their
	// own.
	for range 2000 {
		a, b := make([]string, 200+r.IntN(100)), make([]string, 130+r.IntN(70))
		for i := range a {
			a[i] = "only in a"
		}
		for i := range b {
			b[i] = "only in b"
		}
		for range 1 + r.IntN(5) {
			a[r.IntN(len(a))], b[r.IntN(len(b))] = fmt.Sprint(r.IntN(3)), fmt.Sprint(r.IntN(3))
		}
		if got, want := lcs(a, b), plainLCS(a, b); got != want {
			t.Fatalf("%d of %d and %d words, want %d", got, len(a), len(b), want)
		}
	}
	for _, n := range []int{63, 64, 65, 128, 129} {
		a := slices.Repeat([]string{"x"}, n)
		if got := lcs(a, a); got != n {
			t.Errorf("%d of %d equal words", got, n)
		}
		// Different ends, so that all machine words are gone through.
		b := slices.Concat([]string{"y"}, a, []string{"z"})
		if got := lcs(slices.Concat([]string{"p"}, a, []string{"q"}), b); got != n {
			t.Errorf("%d of %d words between different ends", got, n)
		}
	}
}

func FuzzScores(f *testing.F) {
	f.Add("the cat sat on the mat", "the cat is on the mat")
	f.Add("", "")
	f.Add("a a a a", "a")
	f.Add("\u0130 \xff", "i\u0307")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 4000 || len(b) > 4000 {
			return
		}
		x, y := Words(a), Words(b)
		if got, want := lcs(x, y), plainLCS(x, y); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
		for name, v := range map[string]float64{"ROUGE-L": RougeL(a, b), "pair": RougeLPair(a, b), "F1": TokenF1(a, b), "recall": Recall(a, b)} {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%s is %v", name, v)
			}
		}
		if RougeL(a, b) != RougeL(b, a) || RougeLPair(a, b) != RougeLPair(b, a) || TokenF1(a, b) != TokenF1(b, a) {
			t.Fatal("the order matters")
		}
		if RougeL(a, b) > TokenF1(a, b) {
			t.Fatal("a subsequence is longer than the overlap")
		}
		if RougeLPair(a, a) != 1 || !Empty(a) && Recall(a, a) != 1 {
			t.Fatal("a text does not agree with itself")
		}
	})
}

func TestFirstDivergence(t *testing.T) {
	for _, x := range []struct {
		cold, warm []int64
		at         int
		differ     bool
	}{
		{nil, nil, 0, false}, {[]int64{1, 2}, []int64{1, 2}, 2, false}, {[]int64{1, 2}, []int64{1, 3}, 1, true},
		{[]int64{1, 2}, []int64{1}, 1, true}, {nil, []int64{1}, 0, true}, {[]int64{5, 2}, []int64{1, 2}, 0, true},
	} {
		if at, differ := FirstDivergence(x.cold, x.warm); at != x.at || differ != x.differ {
			t.Errorf("%v and %v: %d %v", x.cold, x.warm, at, differ)
		}
	}
}

func TestDivergenceOfDistributions(t *testing.T) {
	a := []Top{{1, -0.2}, {2, -1.8}, {3, -4}}
	same := []Top{{3, -4}, {1, -0.2}, {2, -1.8}}
	if got, ok := KLTopK(a, same); !ok || got != 0 {
		t.Errorf("%v in another order", got)
	}
	if got, ok := KLTopK(a, []Top{{1, -700}, {2, -800}, {3, -900}}); !ok || !(got > 0) || math.IsInf(got, 0) {
		t.Errorf("%v far away", got)
	}
	if got, ok := KLTopK([]Top{{1, -0.2}, {1, -5}}, []Top{{1, -0.2}}); !ok || got != 0 {
		t.Errorf("%v with a token twice", got)
	}
	// Of a token that stands twice the likelier entry counts, on either side.
	for _, twice := range [][]Top{{{1, -0.2}, {2, -1.8}, {1, -5}, {3, -4}}, {{1, -5}, {2, -1.8}, {3, -4}, {1, -0.2}}} {
		if got, ok := KLTopK(twice, a); !ok || got != 0 {
			t.Errorf("%v with a token twice", got)
		}
	}
	for _, bad := range [][]Top{nil, {{1, math.NaN()}}, {{1, math.Inf(-1)}}} {
		if _, ok := KLTopK(a, bad); ok {
			t.Errorf("%v is a distribution", bad)
		}
		if _, ok := KLTopK(bad, a); ok {
			t.Errorf("%v is a distribution", bad)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() (out []Top) {
		for range 1 + r.IntN(8) {
			out = append(out, Top{int64(r.IntN(10)), -10 * r.Float64()})
		}
		return out
	}
	for range 1000 {
		if got, ok := KLTopK(draw(), draw()); !ok || !(got >= 0) {
			t.Fatalf("%v", got)
		}
	}
}

// BenchmarkRougeL64K holds two outputs of 64 KB against each other: words of a
// large vocabulary, and the worst case of one-letter words.
func BenchmarkRougeL64K(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	prose := func(vocabulary, letters int) string {
		var s strings.Builder
		for s.Len() < 64<<10 {
			w := strings.Repeat(string(rune('a'+r.IntN(26))), letters)
			s.WriteString(w + string(rune('0'+r.IntN(vocabulary))) + " ")
		}
		return s.String()
	}
	for name, text := range map[string][2]string{
		"prose":  {prose(400, 4), prose(400, 4)},
		"worst":  {strings.Repeat("a b ", 16<<10), strings.Repeat("b a a ", 11<<10)},
		"equals": {strings.Repeat("a ", 32<<10), strings.Repeat("a ", 32<<10)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				RougeL(text[0], text[1])
			}
		})
	}
}
