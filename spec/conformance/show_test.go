package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	reuse "github.com/fdbench/fdbench/runtime/reuse/example"
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
		if ofReuse(x) {
			return showRun(x)
		}
		return showSeries(x)
	case spec.InResult:
		if ofReuse(x) {
			return showReuseResult(x)
		}
		return showResult(x)
	case spec.InComparison:
		return showComparison(x)
	}
	return nil, fmt.Errorf("no original of the kind %q", x.In)
}

// ofReuse tells whether an example changes what a reuse block left behind, and
// not what a series did.
func ofReuse(x spec.Example) bool {
	return x.Base == "reuse" || strings.HasPrefix(x.Base, "reuse ")
}

// showRun is showSeries for a run of a reuse block.
func showRun(x spec.Example) ([]finding, error) {
	r, err := reuse.Result(x)
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, v := range r.Conformance.Violations {
		found = append(found, finding{v.Rule, diag.Error, spec.Effect(v.Effect), v.Detail != ""})
	}
	return found, nil
}

// showReuseResult is showResult for the result of a reuse block.
func showReuseResult(x spec.Example) ([]finding, error) {
	list, err := reuse.Omissions(x)
	var found []finding
	for _, o := range list {
		found = append(found, finding{o.Rule, diag.Error, spec.NoReport, o.Where != ""})
	}
	return found, err
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
