package conformance

import (
	"bytes"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec/edit"
)

// ofReuseRun is the outcome of a run of a reuse block. A result says that
// something is wrong where it lists a violation, or is not complete.
func ofReuseRun(p *plan.Reuse) outcome {
	return func(entries []edit.Item) ([]byte, bool, error) {
		r, err := result.Compute(p, bytes.NewReader(example.Journal(entries)))
		if err != nil {
			return nil, false, err
		}
		return result.Encode(r), len(r.Conformance.Violations) > 0 || !r.Conformance.Complete, nil
	}
}

// Whoever changes one member of the journal of a reuse block is found out, as
// with that of a series.
func TestNoReuseJournalChangesUnseen(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes thousands of results")
	}
	used := map[string]bool{}
	for _, base := range example.Bases() {
		items, err := example.Original(base)
		if err != nil {
			t.Fatal(err)
		}
		p, entries, err := example.Follow(items)
		if err != nil {
			t.Fatal(err)
		}
		total, names := sweep(t, ofReuseRun(p), entries)
		judge(t, names, sparedOfReuseJournals, used)
		t.Logf("%s: %d mutants", base, total)
	}
	unused(t, sparedOfReuseJournals, used)
}

// Whoever changes a member of the result of a reuse block, or takes one out,
// gets no report of it, but where only the journal tells what is right: what
// verify computes again.
func TestNoReuseResultLosesAnything(t *testing.T) {
	used := map[string]bool{}
	for _, base := range example.Bases() {
		original, err := example.OriginalResult(base)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := report.Read(original); err != nil {
			t.Fatalf("the original %q has no report: %v", base, err)
		}
		n, names := 0, map[string]fate{}
		for _, m := range mutants(original) {
			n++
			if _, err := report.Read(m.data); err == nil {
				names[m.path+" "+m.how] = unseen
			}
		}
		judge(t, names, sparedOfReuseResults, used)
		t.Logf("%s: %d mutants", base, n)
	}
	unused(t, sparedOfReuseResults, used)
}
