package tinylm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/stdlib/prompts"
)

type drawn struct {
	Prompt      string  `json:"prompt"`
	Temperature float64 `json:"temperature"`
	Seed        int     `json:"seed"`
}

type engineJob struct {
	Weights string   `json:"weights"`
	Most    int      `json:"most"`
	Greedy  []string `json:"greedy"`
	Drawn   []drawn  `json:"drawn"`
}

type engineAnswer struct {
	Greedy []struct {
		Tokens []int  `json:"tokens"`
		Text   string `json:"text"`
	} `json:"greedy"`
	Drawn []string `json:"drawn"`
}

const mostTokens = 80

// engine runs the engine of the folder engine, which .ci/engine installs.
func engine(t *testing.T, job engineJob) engineAnswer {
	t.Helper()
	modules := os.Getenv("FDBENCH_ENGINE")
	if modules == "" {
		t.Skip("FDBENCH_ENGINE does not name the folder with the independent engine: .ci/engine installs it")
	}
	var err error
	if job.Weights, err = filepath.Abs("weights.gguf"); err != nil {
		t.Fatal(err)
	}
	job.Most = mostTokens
	in, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(modules, "engine.js"))
	cmd.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		log := errs.String()
		t.Fatalf("%v\n%s", err, log[max(0, len(log)-1000):])
	}
	// The binding writes its log to standard output too.
	line := out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:]
	var a engineAnswer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("%v\n%s", err, line)
	}
	return a
}

func turn(prompt string) string { return TokenUser + prompt + TokenAssistant }

// An engine of other people's making reads the same file, cuts prompts into the
// same tokens, and writes the same text where nothing is drawn at random.
func TestEngineAgrees(t *testing.T) {
	g, ok := prompts.New(prompts.Template1, "engine", 0, true)
	if !ok {
		t.Fatal("no generator")
	}
	var list []string
	for _, x := range greedyTexts {
		list = append(list, x.prompt)
	}
	for n := range uint64(150) {
		list = append(list, g.Prompt(n*n*7))
	}
	job := engineJob{}
	for _, p := range list {
		job.Greedy = append(job.Greedy, turn(p))
	}
	got := engine(t, job)
	if len(got.Greedy) != len(list) {
		t.Fatalf("%d answers to %d prompts", len(got.Greedy), len(list))
	}
	m, alike, characters := Default(), 0, 0
	for i, p := range list {
		if tokens := Chat(m.Tokenizer, p); !slices.Equal(tokens, got.Greedy[i].Tokens) {
			t.Errorf("%q: tokens %v, the engine has %v", p, tokens, got.Greedy[i].Tokens)
		}
		ours, theirs := answerOf(t, m, p, Sampling{}, nil), got.Greedy[i].Text
		if ours == theirs {
			alike++
			characters += len(ours)
			continue
		}
		gap := lead(m, p, ours, theirs)
		t.Logf("%q: %q, the engine writes %q, where the logits differ by %.3f", p, ours, theirs, gap)
		if gap > nearTie {
			t.Errorf("%q: the engine does not take the likeliest token", p)
		}
	}
	t.Logf("%d of %d greedy texts are alike, %d characters", alike, len(list), characters)
	if alike < len(list)*19/20 {
		t.Error("too many texts differ")
	}
}

// nearTie is how far two logits may lie apart where the engine prefers the
// other: it rounds what goes into each product to 8 bits, which the decoder
// here does not.
const nearTie = 0.1

// lead is by how much the logit of the token where two answers part is above
// that of the one that the second answer goes on with.
func lead(m *Model, prompt, ours, theirs string) float32 {
	s := m.NewState()
	var logits []float32
	for _, t := range Chat(m.Tokenizer, prompt) {
		logits = s.Step(t)
	}
	end := m.Tokenizer.Special(TokenEnd)
	for {
		best := NewSampler(Sampling{}, nil).Next(logits)
		piece := string(m.Tokenizer.Bytes(best))
		if best != end && strings.HasPrefix(theirs, piece) && ours != theirs {
			ours, theirs = ours[len(piece):], theirs[len(piece):]
			logits = s.Step(best)
			continue
		}
		other := float32(math.Inf(-1))
		for id, l := range logits {
			b := m.Tokenizer.Bytes(id)
			if id == end && theirs == "" || len(b) > 0 && id != best && strings.HasPrefix(theirs, string(b)) {
				other = max(other, l)
			}
		}
		return logits[best] - other
	}
}

// Temperature breaks JSON as often in both.
func TestEngineTemperature(t *testing.T) {
	const n = 100
	const prompt = "Ticket %d. Give me a JSON record of Rome."
	temperatures := []float64{0.8, 1.2, 1.5, 2}
	job := engineJob{}
	for _, x := range temperatures {
		for i := range n {
			job.Drawn = append(job.Drawn, drawn{turn(fmt.Sprintf(prompt, i)), x, i + 1})
		}
	}
	got := engine(t, job)
	if len(got.Drawn) != len(job.Drawn) {
		t.Fatalf("%d answers, want %d", len(got.Drawn), len(job.Drawn))
	}
	for k, x := range temperatures {
		ours, theirs := 0, 0
		for i := range n {
			if json.Valid([]byte(answerOf(t, Default(), fmt.Sprintf(prompt, i), Sampling{Temperature: x}, random.New("engine", fmt.Sprint(x, i))))) {
				ours++
			}
			if json.Valid([]byte(got.Drawn[k*n+i])) {
				theirs++
			}
		}
		t.Logf("valid JSON at temperature %g: %d of %d here, %d there", x, ours, n, theirs)
		// Two shares of n are alike within four standard deviations of their
		// difference, whose variance is at most 2*n/4.
		if d := ours - theirs; float64(d*d) > 16*2*n/4 {
			t.Errorf("temperature %g: %d of %d here, %d there", x, ours, n, theirs)
		}
	}
}
