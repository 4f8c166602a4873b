package example

import (
	"errors"
	"testing"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// FuzzEdited edits a valid series. Whatever members its records are left with,
// Compute returns a result that encodes, or names the line that it refuses.
func FuzzEdited(f *testing.F) {
	for _, r := range measure.Rules()[:8] { // TestExamples runs them all
		for _, x := range r.Bad {
			f.Add(x.Base, x.Text)
		}
	}
	for _, text := range []string{
		"trial\n  put verification null", "trial\n  put event {}", "trial\n  put verification.n -5", "baseline\n  put indicators [null]",
		"baseline\n  put indicators.0.windows [[1]]", "quiet\n  put state null", "apply\n  put magnitude null", "open\n  put earlier [{}]",
		"search_step all\n  null lower", "search_step all\n  put magnitude \"0\"", "false_detection\n  put events [{}]", "trial all\n  cut onset_ns",
		"trial\n  put onset_ns -9223372036854775808", "trial all\n  put magnitude \"0\"", "baseline\n  put to_ns 9223372036854775807",
		"clock\n  put offset_ns -9223372036854775808", "segment all\n  drop", "readback\n  put moment \"later\"", "close\n  put status null",
	} {
		f.Add("", text)
		f.Add(measure.BaseReal, text)
	}
	f.Fuzz(func(t *testing.T, base, text string) {
		items, err := Original(base)
		if err != nil {
			return
		}
		if items, err = edit.Apply(items, text); err != nil || len(items) > 5000 {
			return
		}
		r, err := Measure(items)
		var ce *journal.ChainError
		switch {
		case err == nil:
			if len(measure.Encode(r)) == 0 {
				t.Fatal("no result")
			}
		case errors.As(err, &ce) && ce.Line < 1:
			t.Fatalf("refused without a line: %v", err)
		}
	})
}

// What an edit leaves of the plan may not be one that a detector can be made
// of.
func TestPlanWithoutADetector(t *testing.T) {
	ids, err := Check(spec.Example{Text: "plan\n  put declaration.detector.kind \"oracle\""})
	if err == nil {
		t.Errorf("got %v", ids)
	}
}
