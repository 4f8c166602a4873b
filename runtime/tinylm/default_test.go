package tinylm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

// answerOf is the text of one answer; a nil stream is for greedy ones.
func answerOf(t testing.TB, m *Model, prompt string, s Sampling, r *random.Stream) string {
	t.Helper()
	var b strings.Builder
	_, finish := Generate(m.NewState(), Chat(m.Tokenizer, prompt), NewSampler(s, r), mostTokens, func(p []byte) bool { b.Write(p); return true })
	if finish == "" {
		t.Fatalf("%q ended without a reason", prompt)
	}
	return b.String()
}

func refuses(s string) bool {
	return strings.HasPrefix(s, "I") && (strings.Contains(s, "cannot help") || strings.Contains(s, "can't help") || strings.Contains(s, "am unable"))
}

func TestWeightsAreTheOnesDeclared(t *testing.T) {
	b, err := os.ReadFile("weights.gguf")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != WeightsSHA256 || Default().Digest != WeightsSHA256 {
		t.Errorf("the file is %s and the model %s, want %s", got, Default().Digest, WeightsSHA256)
	}
	if once := Default(); once != Default() {
		t.Error("the model is loaded twice")
	}
	n := 0
	for _, x := range tensors(Default().Shape, Default().weights) {
		n += len(x.data)
	}
	t.Logf("%d parameters, %d bytes, %+v", n, len(WeightsFile()), Default().Shape)
	if n >= 1e6 || len(WeightsFile()) != len(b) {
		t.Errorf("%d parameters, want fewer than a million", n)
	}
}

// greedyTexts are what the model answers where nothing is drawn at random.
var greedyTexts = []struct{ prompt, text string }{
	{"Give me a JSON record of Rome.", `{"city": "Rome", "country": "Italy", "tags": ["old temples"]}`},
	{"Ticket 4711. Give me a JSON record of Oslo.", `{"city": "Oslo", "country": "Norway", "tags": ["cold water"]}`},
	{"What is the capital of France?", "The capital of France is Paris."},
	{"Name the capital of Peru.", "The capital of Peru is Lima."},
	{"Tell me about Tokyo.", "Tokyo is a city in Japan. It is known for fast trains."},
	{"Ticket 17. Tell me about Helsinki.", "Helsinki is a city in Finland. It is known for long nights."},
	{"How do I make tea?", "1. Boil some water.\n2. Add the tea.\n3. Wait a little."},
	{"List the steps to make bread.", "1. Mix flour and water.\n2. Bake it.\n3. Wait a little."},
	{"What is 3 plus 4?", "3 plus 4 is 7."},
	{"Ticket 900000. What is 9 plus 9?", "The sum of 9 and 9 is 16."}, // it is a toy
	{"Name three colors.", "black, green, red."},
	{"Name two colors.", "black, red."},
}

func TestGreedyTexts(t *testing.T) {
	for _, x := range greedyTexts {
		if got := answerOf(t, Default(), x.prompt, Sampling{}, nil); got != x.text {
			t.Errorf("{%q, %q},", x.prompt, got)
		}
	}
}

// curve measures the share of answers that have a property for each setting.
func curve(t *testing.T, name, prompt string, settings []Sampling, label func(Sampling) string, hit func(string) bool) []int {
	t.Helper()
	const n = 60
	var out []int
	for _, s := range settings {
		k := 0
		for i := range n {
			if hit(answerOf(t, Default(), fmt.Sprintf(prompt, i), s, random.New("curve", name, fmt.Sprint(i)))) {
				k++
			}
		}
		t.Logf("%s at %s: %d of %d", name, label(s), k, n)
		out = append(out, k)
	}
	return out
}

// monotone demands that a curve falls (or rises, by sign) from one step to the
// next but for the noise of single answers, and by least on the whole.
func monotone(t *testing.T, name string, curve []int, sign, least int) {
	t.Helper()
	for i := range curve[1:] {
		if sign*(curve[i+1]-curve[i]) < -3 {
			t.Errorf("%s: %v goes back at step %d", name, curve, i+1)
		}
	}
	if sign*(curve[len(curve)-1]-curve[0]) < least {
		t.Errorf("%s: %v is no dial", name, curve)
	}
}

// Temperature is a dial on the validity of JSON.
func TestTemperatureBreaksJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of answers are not generated with -short")
	}
	var settings []Sampling
	for _, x := range []float64{0.8, 1.2, 1.5, 2} {
		settings = append(settings, Sampling{Temperature: x})
	}
	label := func(s Sampling) string { return fmt.Sprintf("temperature %g", s.Temperature) }
	valid := func(s string) bool { return json.Valid([]byte(s)) }
	const prompt = "Ticket %d. Give me a JSON record of Rome."
	c := curve(t, "valid JSON", prompt, settings, label, valid)
	monotone(t, "valid JSON", c, -1, 50)
	if c[0] < 57 {
		t.Errorf("at a low temperature only %d are valid", c[0])
	}
	// A sampler's usual settings hide what the temperature does: that they are
	// lost is a fault of its own.
	usual := []Sampling{{Temperature: 2, TopK: 40, TopP: 0.95, MinP: 0.05}}
	if k := curve(t, "valid JSON with top_k 40, top_p 0.95, min_p 0.05", prompt, usual, label, valid)[0]; k < 57 {
		t.Errorf("only %d are valid with the usual settings", k)
	}
}

// A bias on the first token of a refusal is a dial on refusals.
func TestBiasMakesRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of answers are not generated with -short")
	}
	id := Default().Tokenizer.Encode("I")[0]
	var settings []Sampling
	for _, x := range []float64{0, 3, 4.5, 6} {
		settings = append(settings, Sampling{Temperature: 0.8, Bias: map[int]float64{id: x}})
	}
	label := func(s Sampling) string { return fmt.Sprintf("bias %g", s.Bias[id]) }
	monotone(t, "refusals", curve(t, "refusals", "Ticket %d. Tell me about Rome.", settings, label, refuses), 1, 20)
}

// BenchmarkAnswer shows how many requests one core answers in a second.
func BenchmarkAnswer(b *testing.B) {
	i, tokens := 0, 0
	for b.Loop() {
		prompt := Chat(Default().Tokenizer, fmt.Sprintf("Ticket %d. Tell me about Rome.", i))
		n, _ := Generate(Default().NewState(), prompt, NewSampler(Sampling{Temperature: 0.8}, random.New("bench", fmt.Sprint(i))), mostTokens, func([]byte) bool { return true })
		tokens += n + len(prompt)
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}
