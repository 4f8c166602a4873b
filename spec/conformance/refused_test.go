package conformance

import (
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/spec"
)

func TestRefusedByName(t *testing.T) {
	for _, tt := range []struct {
		id, text string
		want     bool
	}{
		{"FD-1.1-1", "series \"example\" {\n  slo = \"5m\"\n}\n", true},
		{"FD-1.1-1", "series \"example\" {\n  gate {\n  }\n}\n", true},
		{"FD-1.1-2", "series \"example\" {\n  slo = \"5m\"\n}\n", false},
		{"FD-5.1-8", "series \"example\" {\n  trials { count = 19 }\n}\n", false},
		{"FD-3.4-4", "apparatus \"proxy\" \"relay\" {\n  webhook = \"x\"\n}\n", true},
		{"FD-3.3-1", "series \"example\" {\n  load { ramp = \"5m\" }\n}\n", true},
		{"FD-1.1-1", "series {", false},
	} {
		if got := RefusedByName(tt.id, spec.Example{In: spec.InScenario, Text: tt.text}); got != tt.want {
			t.Errorf("%s, %q: %v", tt.id, tt.text, got)
		}
	}
	if RefusedByName("FD-1.1-1", spec.Example{In: spec.InJournal, Text: "series \"example\" {\n  slo = 1\n}\n"}) {
		t.Error("a journal has no arguments")
	}
}

// The words that people use for one thing have one answer.
func TestSynonymsAreRefusedUnderTheirRow(t *testing.T) {
	const in, load, trials = "series \"example\" {\n  %\n}\n", "series \"example\" {\n  load {\n    %\n  }\n}\n", "series \"example\" {\n  trials {\n    %\n  }\n}\n"
	for _, tt := range []struct{ id, at, text string }{
		{"FD-1.1-1", in, "sla = \"x\""},
		{"FD-1.1-1", in, "objective = \"x\""},
		{"FD-1.1-1", in, "must_detect_within = \"5m\""},
		{"FD-1.1-1", in, "gate {\n  }"},
		{"FD-3.3-1", load, "bursts = true"},
		{"FD-3.1-2", load, "workers = 8"},
		{"FD-5.1-7", trials, "stop_early = true"},
		{"FD-5.1-17", trials, "imputed = \"20m\""},
	} {
		x := spec.Example{In: spec.InScenario, Text: replaced(tt.at, tt.text)}
		diags, err := compiler.CheckExample(x)
		if err != nil || len(diags) != 1 || diags[0].Rule != tt.id || !RefusedByName(tt.id, x) {
			t.Errorf("%s: %v, %v", tt.text, diags, err)
		}
	}
}

func replaced(at, text string) string {
	for i := range at {
		if at[i] == '%' {
			return at[:i] + text + at[i+1:]
		}
	}
	return at
}

// The count in the page is that of the violations that say so in their rows.
func TestRefusedNamesAreCountedApart(t *testing.T) {
	rule := spec.Rule{ID: "FD-1.1-1", Stage: spec.Lint}
	named := spec.Example{Name: "a limit", In: spec.InScenario, Text: "series \"example\" {\n  slo = 1\n}\n"}
	other := spec.Example{Name: "another", In: spec.InResult, Text: "footer\n  drop\n"}
	s := Summarise(nil, []Verdict{
		{Rule: rule, Example: named, Caught: []string{rule.ID}},
		{Rule: rule, Example: named, Good: true},
		{Rule: rule, Example: other, Caught: []string{rule.ID}},
	})
	if s.Bad != 2 || s.Named != 1 {
		t.Errorf("%d violations, %d by name", s.Bad, s.Named)
	}
}
