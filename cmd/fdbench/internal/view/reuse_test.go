package view

import (
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
)

func TestReuse(t *testing.T) {
	for _, x := range []struct {
		run   *example.Run
		wants []string
	}{
		{example.Offline(), []string{"Reuse block \"rag\"\n", "manifest.jsonl: 4 items, of them 1 negative control", "of 16 tokens, tokenizer stable; donors of the same item",
			"span, runs of 16 tokens or more", "requests none: offline", "gate controls stay cold: negative_control_semantic_eligible_rate <= 0.01; needs negative_control_count of 1 or more",
			"lock x.fdb.lock, from the first row on"}},
		{example.Bare(), []string{"planner none: no candidate and no eligible block is counted", "gates none"}},
		{example.Live(), []string{"8 recipients to http://127.0.0.1:8000 (vllm, tiny): 4 pairs of a cold and a warm request, counterbalanced", "1 reset before each arm",
			"1 pair at a time", "evidence trtllm.jsonl, trtllm", "noise floor floor.json: ROUGE-L 0.98 over 20 pairs"}},
	} {
		var plain, colored strings.Builder
		Reuse(terminal.Stream{Writer: &plain}, x.run.Plan, "x.fdb.lock, from the first trial on")
		for _, want := range append(x.wants, x.run.Plan.Digest) {
			if !strings.Contains(strings.Join(strings.Fields(plain.String()), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("the summary lacks %q:\n%s", want, plain.String())
			}
		}
		for _, line := range strings.Split(plain.String(), "\n") {
			if len([]rune(line)) > width {
				t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
			}
		}
		Reuse(terminal.Stream{Writer: &colored, Color: true}, x.run.Plan, "")
		if !strings.HasPrefix(colored.String(), "\x1b[1m") {
			t.Errorf("no colour: %q", colored.String()[:20])
		}
	}
}

func TestReuseProgress(t *testing.T) {
	clock := time.Unix(0, 0)
	var b strings.Builder
	p := NewReuseProgress(terminal.Stream{Writer: &b, Terminal: true, Width: 120}, "rag", func() time.Time { return clock })
	at := func(d time.Duration, e execute.Event) string {
		b.Reset()
		clock = clock.Add(d)
		p.Event(e)
		return strings.TrimPrefix(b.String(), "\r\x1b[K")
	}
	for _, x := range []struct {
		after time.Duration
		e     execute.Event
		want  string
	}{
		{0, execute.Event{Phase: execute.PhaseCheck}, "rag: asking the endpoint"},
		{time.Second, execute.Event{Phase: execute.PhaseItems, Done: 0, Of: 4000}, "rag: rows of the manifest  0 of 4,000"},
		{10 * time.Second, execute.Event{Phase: execute.PhaseItems, Done: 1000, Of: 4000}, "rag: rows of the manifest  1,000 of 4,000, 100 a second, about 30 seconds left"},
		{time.Second, execute.Event{Phase: execute.PhasePairs, Done: 5, Of: 10, Kept: 5}, "rag: pairs  5 of 10 (5 kept from before)"},
		{20 * time.Second, execute.Event{Phase: execute.PhasePairs, Done: 6, Of: 10, Kept: 5}, "rag: pairs  6 of 10 (5 kept from before), 0.05 a second, about 1 minute 20 seconds left"},
		{time.Second, execute.Event{Phase: execute.PhaseEvidence, Done: 0, Of: 2}, "rag: logs  0 of 2"},
	} {
		if have := at(x.after, x.e); have != x.want {
			t.Errorf("%q, want %q", have, x.want)
		}
	}
	p.Clear()
}
