package tinylm

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

var small = Shape{Dim: 32, Layers: 2, Heads: 2, FFN: 64, Vocab: 285, Context: 64}

func fresh(t testing.TB) *Model {
	t.Helper()
	tok, err := TrainTokenizer([]string{"the cat sat on the mat and the dog sat on the log, then they all ran to the hill"}, Specials(), small.Vocab)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWeights(small)
	r := random.New("test")
	for _, x := range tensors(small, w) {
		for i := range x.data {
			x.data[i] = float32(r.Float64()-0.5) / 2
			if x.rows == 0 {
				x.data[i]++
			}
		}
	}
	var b bytes.Buffer
	if err := Write(&b, "test", small, tok, w); err != nil {
		t.Fatal(err)
	}
	m, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTokenizerRoundTrip(t *testing.T) {
	tok := fresh(t).Tokenizer
	for _, s := range []string{"", "the cat", " the  cat\n\n sat", "don't", "wörld 中 \U0001F600", "a\x00b\xff", "  ", "\n", "12 34!?", "<|end|>", "x  "} {
		var b []byte
		for _, id := range tok.Encode(s) {
			b = append(b, tok.Bytes(id)...)
		}
		if string(b) != s {
			t.Errorf("%q came back as %q", s, b)
		}
	}
	if n := len(tok.Encode(" the the")); n != 2 {
		t.Errorf("%d tokens for two frequent words", n)
	}
	for _, id := range tok.Encode("<|end|>") {
		if id == tok.Special(TokenEnd) {
			t.Error("a user's text ends the turn")
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"Hello world":   "Hello| world",
		"it's 42!?":     "it|'s| 42|!?",
		"a  b":          "a| | b",
		"a\n\nb":        "a|\n|\n|b",
		"a   ":          "a|   ",
		"x1y":           "x|1|y",
		" {\"a\": 1}\n": " {\"|a|\":| 1|}|\n",
	} {
		if got := strings.Join(words(in), "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Reusing a prefix gives what computing it gives.
func TestCache(t *testing.T) {
	m := fresh(t)
	c := m.NewCache(2)
	a := []int{1, 50, 60, 70, 80}
	b := []int{1, 50, 60, 90}
	s, cached := c.Begin(a)
	if cached != 0 {
		t.Errorf("cached %d of nothing", cached)
	}
	for _, x := range a {
		s.Step(x)
	}
	c.Keep(s)
	for _, prompt := range [][]int{b, a} {
		s, cached = c.Begin(prompt)
		if want := map[int]int{4: 3, 5: 4}[len(prompt)]; cached != want {
			t.Errorf("cached %d, want %d", cached, want)
		}
		var got []float32
		for _, x := range prompt[cached:] {
			got = s.Step(x)
		}
		var want []float32
		plain := m.NewState()
		for _, x := range prompt {
			want = plain.Step(x)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("logit %d is %v, want %v", i, got[i], want[i])
			}
		}
	}
	c.Reset()
	if _, cached := c.Begin(a); cached != 0 {
		t.Errorf("cached %d after a reset", cached)
	}
}

func TestSampler(t *testing.T) {
	logits := []float32{0, 1, 2, 3, float32(math.Log(1e-3))}
	count := func(s Sampling) (n [5]int) {
		x := NewSampler(s, random.New("sampler"))
		for range 20000 {
			n[x.Next(logits)]++
		}
		return n
	}
	if n := count(Sampling{}); n[3] != 20000 {
		t.Errorf("greedy %v", n)
	}
	sum := 1 + math.E + math.Exp(2) + math.Exp(3) + 1e-3
	n := count(Sampling{Temperature: 1})
	for i, l := range logits {
		p := math.Exp(float64(l)) / sum
		if d := math.Abs(float64(n[i]) - 20000*p); d > 4*math.Sqrt(20000*p*(1-p))+1 {
			t.Errorf("token %d drawn %d times, want about %.0f", i, n[i], 20000*p)
		}
	}
	if n := count(Sampling{Temperature: 1, TopK: 2}); n[0]+n[1]+n[4] != 0 || n[2] == 0 {
		t.Errorf("top_k %v", n)
	}
	if n := count(Sampling{Temperature: 1, TopP: 0.6}); n[3] != 20000 { // e^3 alone has 0.64
		t.Errorf("top_p %v", n)
	}
	if n := count(Sampling{Temperature: 5, MinP: 0.3}); n[0]+n[1]+n[4] != 0 || n[2] == 0 { // e^-1 is 0.37, e^-2 0.14
		t.Errorf("min_p %v", n)
	}
	if n := count(Sampling{Bias: map[int]float64{0: 10}}); n[0] != 20000 {
		t.Errorf("bias %v", n)
	}
}

func TestWholeCharacters(t *testing.T) {
	for in, want := range map[string]int{"": 0, "ab": 2, "a\xc3": 1, "\xc3\xb6": 2, "x\xe4\xb8": 1, "\xe4\xb8\xad": 3, "\xf0\x9f\x98": 0, "\xf0\x9f\x98\x80": 4, "\x80\x80\x80\x80": 4} {
		if got := whole([]byte(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		v := halfValue(uint16(h))
		if v != v || math.IsInf(float64(v), 0) {
			continue
		}
		if got := halfBits(v); got != uint16(h) {
			t.Fatalf("%#04x is %v, which is %#04x", h, v, got)
		}
	}
	for f, want := range map[float32]uint16{1: 0x3c00, 65504: 0x7bff, 65520: 0x7c00, 1 + 1.0/2048: 0x3c00, 1 + 3.0/2048: 0x3c02, 1e-9: 0} {
		if got := halfBits(f); got != want {
			t.Errorf("%v: %#04x, want %#04x", f, got, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	m := fresh(t)
	var b bytes.Buffer
	Write(&b, "x", m.Shape, m.Tokenizer, m.weights)
	file := b.Bytes()
	for _, n := range []int{0, 3, 4, 20, 100, len(file) / 2, len(file) - 40} {
		if _, err := Read(file[:n]); err == nil || !strings.HasPrefix(err.Error(), "the weights cannot be read") {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	m := fresh(f)
	var b bytes.Buffer
	Write(&b, "x", m.Shape, m.Tokenizer, m.weights)
	f.Add(b.Bytes()[:4000])
	f.Fuzz(func(t *testing.T, in []byte) { Read(in) })
}
