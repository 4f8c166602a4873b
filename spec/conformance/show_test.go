package conformance

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	"github.com/fdbench/fdbench/spec"
)

// finding is a requirement that an example was found to break.
type finding struct {
	id       string
	severity diag.Severity // of a scenario's; an error elsewhere
	effect   spec.Effect   // of a series', a report's or a comparison's
	placed   bool          // it says where
}

// show applies an example to its original and returns everything that is found
// then. The error is that of an example that cannot be applied.
func show(x spec.Example) ([]finding, error) {
	switch x.In {
	case spec.InScenario:
		return showScenario(x)
	case spec.InJournal, spec.InPlan:
		return showSeries(x)
	case spec.InResult:
		return showResult(x)
	case spec.InComparison:
		return showComparison(x)
	}
	return nil, fmt.Errorf("no original of the kind %q", x.In)
}

// showSeries says of each violation what is on record of it. A journal of
// another plan is not measured.
func showSeries(x spec.Example) ([]finding, error) {
	r, err := example.Result(x)
	var pe *journal.PlanError
	switch {
	case errors.As(err, &pe):
		return []finding{{"FD-4.1-6", diag.Error, spec.Refuses, true}}, nil
	case err != nil:
		return nil, err
	}
	var found []finding
	for _, v := range r.Conformance.Violations {
		found = append(found, finding{v.Rule, diag.Error, spec.Effect(v.Effect), v.Detail != ""})
	}
	return found, nil
}

func showResult(x spec.Example) ([]finding, error) {
	list, err := reporttest.Omissions(x)
	var found []finding
	for _, o := range list {
		found = append(found, finding{o.Rule, diag.Error, spec.NoReport, o.Where != ""})
	}
	return found, err
}

func showComparison(x spec.Example) ([]finding, error) {
	c, err := comparetest.Example(x)
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, r := range c.Refusals {
		id := r.Rule
		if id == "" {
			id = r.Reason
		}
		found = append(found, finding{id, diag.Error, spec.NoCompare, r.Summary != "" && r.Remedy != ""})
	}
	if c.Comparable != (len(found) == 0) {
		return nil, fmt.Errorf("comparable %t with %d refusals", c.Comparable, len(found))
	}
	return found, nil
}

// caught are the ids of what was found, sorted, each once. A note on another
// requirement tells what to expect and finds no fault.
func caught(found []finding, id string) []string {
	var ids []string
	for _, f := range found {
		if f.severity != diag.Note || f.id == id {
			ids = append(ids, f.id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// worst is the severity under which an id was found.
func worst(found []finding, id string) (diag.Severity, bool) {
	severity, ok := diag.Note, false
	for _, f := range found {
		if f.id == id {
			severity, ok = min(severity, f.severity), true
		}
	}
	return severity, ok
}

func showScenario(x spec.Example) ([]finding, error) {
	diags, err := compiler.CheckExample(x)
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, d := range diags {
		effect := spec.Refuses
		if d.Severity != diag.Error {
			effect = spec.Warns
		}
		found = append(found, finding{d.Rule, d.Severity, effect, d.Subject != nil && d.Subject.Start.Line > 0})
	}
	return found, nil
}
