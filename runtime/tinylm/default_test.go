package tinylm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

func answer(t testing.TB, prompt string, s Sampling, name string) string {
	t.Helper()
	m := Default()
	var b strings.Builder
	_, finish := Generate(m.NewState(), Chat(m.Tokenizer, prompt), NewSampler(s, random.New("test", name)), 120, func(p []byte) bool { b.Write(p); return true })
	if finish == "" {
		t.Fatalf("%q ended without a reason", prompt)
	}
	return b.String()
}

func TestBuiltIn(t *testing.T) {
	if Default().Digest != WeightsSHA256 {
		t.Errorf("digest %s", Default().Digest)
	}
	for prompt, want := range map[string]string{
		"Give me a JSON record of Rome.":              `{"city": "Rome", "country": "Italy", "tags": ["old temples"]}`,
		"Ticket 4711. Give me a JSON record of Oslo.": `{"city": "Oslo", "country": "Norway", "tags": ["cold water"]}`,
	} {
		if got := answer(t, prompt, Sampling{}, ""); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
	for _, p := range []string{"What is the capital of France?", "Tell me about Tokyo.", "How do I make tea?", "What is 3 plus 4?", "Name three colors."} {
		t.Logf("%s\n    %q", p, answer(t, p, Sampling{}, ""))
	}
}

// The dials are real mechanisms: temperature breaks JSON, a bias on the first
// token of a refusal makes refusals.
func TestDials(t *testing.T) {
	const n = 60
	valid := func(temperature float64) int {
		ok := 0
		for i := range n {
			if json.Valid([]byte(answer(t, fmt.Sprintf("Ticket %d. Give me a JSON record of Rome.", i), Sampling{Temperature: temperature}, fmt.Sprint("json", i)))) {
				ok++
			}
		}
		return ok
	}
	low, middle, high := valid(0.8), valid(1.5), valid(2)
	t.Logf("valid JSON of %d: %d at temperature 0.8, %d at 1.5, %d at 2", n, low, middle, high)
	if low < n*9/10 || middle > n*8/10 || high > middle {
		t.Error("temperature is no dial on JSON validity")
	}
	id := Default().Tokenizer.Encode("I")[0]
	last := -1
	for _, bias := range []float64{0, 2, 4, 6, 8} {
		refused := 0
		for i := range n {
			a := answer(t, fmt.Sprintf("Ticket %d. Tell me about Rome.", i), Sampling{Temperature: 0.8, Bias: map[int]float64{id: bias}}, fmt.Sprint("refuse", i))
			if strings.HasPrefix(a, "I") && (strings.Contains(a, "help") || strings.Contains(a, "unable")) {
				refused++
			}
		}
		t.Logf("bias %g: %d of %d refused", bias, refused, n)
		if refused < last {
			t.Errorf("fewer refusals with a bias of %g", bias)
		}
		last = refused
	}
	if last < n/3 {
		t.Error("a bias is no dial on refusals")
	}
}

func BenchmarkAnswer(b *testing.B) {
	i := 0
	for b.Loop() {
		answer(b, fmt.Sprintf("Ticket %d. Tell me about Rome.", i), Sampling{Temperature: 0.8}, fmt.Sprint(i))
		i++
	}
}
