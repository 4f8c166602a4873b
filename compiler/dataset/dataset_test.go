package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/stdlib/corpus"
)

var refusals = plan.Indicator{Name: "refusals", Kind: "rate", Scorer: "refusal/1"}

func rowsOf(texts ...string) []corpus.Row {
	var rows []corpus.Row
	for i, t := range texts {
		rows = append(rows, corpus.Row{ID: fmt.Sprint("q", i), Prompt: fmt.Sprintf("How do I open valve %d?", i), Response: t, Line: i + 1})
	}
	return rows
}

func TestScorer(t *testing.T) {
	f, err := Scorer(plan.Indicator{Name: "short", Kind: "rate", Predicate: `response.words < 3 and response.prompt contains "valve"`})
	if err != nil {
		t.Fatal(err)
	}
	set, err := new(Builder).Build(&plan.Declaration{Indicators: []plan.Indicator{
		{Name: "short", Predicate: `response.words < 3`}, refusals,
	}}, rowsOf("Turn it.", "Turn the wheel to the left.", "I'm sorry, but I can't help with that."), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(set.Of("short"), set.Of("refusals")); got != "[1 0 0] [0 0 1]" {
		t.Errorf("scores %s", got)
	}
	_ = f
	for _, bad := range []plan.Indicator{{Name: "x", Scorer: "nothing/1"}, {Name: "x", Predicate: "("}} {
		if _, err := Scorer(bad); err == nil || !strings.Contains(err.Error(), "x") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestTwins(t *testing.T) {
	d := &plan.Declaration{
		Serving:      plan.Serving{Responses: "rows.jsonl"},
		Indicators:   []plan.Indicator{refusals},
		FaultClasses: []plan.FaultClass{{Name: "refuse", Indicator: "refusals", Transform: "refuse/1"}, {Name: "swap", Indicator: "refusals", Replace: "other.jsonl"}},
	}
	rows := rowsOf("Turn the wheel to the left.", "Open the cover first.", "I'm sorry, but I can't help with that.")
	other := rowsOf("I'm sorry, but I can't help with that.", "Open the cover first.", "Turn the wheel.")
	asked := ""
	b := new(Builder)
	set, err := b.Build(d, rows, "x", func(name string) ([]corpus.Row, string, error) { asked = name; return other, "y", nil })
	if err != nil {
		t.Fatal(err)
	}
	if asked != "other.jsonl" {
		t.Errorf("asked for %q", asked)
	}
	if got := fmt.Sprint(set.Twin("refuse", "refusals"), set.Twin("swap", "refusals")); got != "[1 1 1] [1 0 0]" {
		t.Errorf("twins %s", got)
	}
	if got := Shift(set.Of("refusals"), set.Twin("refuse", "refusals")); got.Cmp(exact.Frac(2, 3)) != 0 {
		t.Errorf("shift %s", got)
	}
	if got := Shift(set.Of("refusals"), set.Twin("swap", "refusals")); got.Sign() != 0 {
		t.Errorf("shift %s", got)
	}
	again, err := b.Build(d, rows, "x", func(string) ([]corpus.Row, string, error) { return other, "y", nil })
	if err != nil || &again.Scores[0][0] != &set.Scores[0][0] || &again.Twins[0][0][0] != &set.Twins[0][0][0] {
		t.Errorf("the work is not shared: %v", err)
	}
	missing := errors.New("missing")
	if _, err := b.Build(d, rows, "x", func(string) ([]corpus.Row, string, error) { return nil, "", missing }); !errors.Is(err, missing) {
		t.Errorf("a missing replacement: %v", err)
	}
	_, err = b.Build(d, rows, "x", func(string) ([]corpus.Row, string, error) { return other[:2], "z", nil })
	var p *ProblemError
	if !errors.As(err, &p) || p.File != "rows.jsonl" || p.Replace != "other.jsonl" || len(p.Problems) != 1 ||
		err.Error() != `rows.jsonl, line 3: other.jsonl has no response for id "q2" nor for the same prompt` {
		t.Errorf("a replacement without all answers: %v", err)
	}
}

func TestMeans(t *testing.T) {
	if Mean(nil).Sign() != 0 || Shift(nil, nil).Sign() != 0 {
		t.Error("nothing has a mean")
	}
	if got := Mean([]int32{1, 2, 2}); got.Cmp(exact.Frac(5, 3)) != 0 {
		t.Errorf("mean %s", got)
	}
	if got := Shift([]int32{5, 1}, []int32{2, 1}); got.Cmp(exact.Frac(-3, 2)) != 0 {
		t.Errorf("shift %s", got)
	}
}

func TestNormalize(t *testing.T) {
	a, da := Normalize([]byte("\xef\xbb\xbfa\r\nb\n"))
	b, db := Normalize([]byte("a\nb\n"))
	if string(a) != string(b) || da != db || !strings.HasPrefix(da, "sha256:") {
		t.Errorf("%q %s, %q %s", a, da, b, db)
	}
}

func TestLoadOfASimulatedDeployment(t *testing.T) {
	set, err := Load(&plan.Plan{Declaration: plan.Declaration{Serving: plan.Serving{Kind: "simulated"}}}, t.TempDir())
	if set != nil || err != nil {
		t.Errorf("%v, %v", set, err)
	}
}

func BenchmarkBuild(b *testing.B) {
	var texts []string
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("Turn the wheel %d times to the left, then press the button and wait for the light. %s", i, strings.Repeat("Repeat until it is green. ", i%9)))
	}
	rows := rowsOf(texts...)
	d := &plan.Declaration{Indicators: []plan.Indicator{refusals}, FaultClasses: []plan.FaultClass{{Name: "refuse", Indicator: "refusals", Transform: "refuse/1"}}}
	for b.Loop() {
		if _, err := new(Builder).Build(d, rows, "x", nil); err != nil {
			b.Fatal(err)
		}
	}
}
