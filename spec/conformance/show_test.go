package conformance

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	"github.com/fdbench/fdbench/spec"
)

// finding is a requirement that an example was found to break. Those of a
// scenario have a severity.
type finding struct {
	id       string
	severity diag.Severity
}

// show applies an example to its original and returns everything that is found
// then. The error is that of an example that cannot be applied.
func show(x spec.Example) ([]finding, error) {
	var ids []string
	var err error
	switch x.In {
	case spec.InScenario:
		return showScenario(x)
	case spec.InJournal, spec.InPlan:
		ids, err = example.Check(x)
	case spec.InResult:
		ids, err = reporttest.Check(x)
	case spec.InComparison:
		ids, err = comparetest.CheckExample(x)
	default:
		err = fmt.Errorf("no original of the kind %q", x.In)
	}
	var found []finding
	for _, id := range ids {
		found = append(found, finding{id, diag.Error})
	}
	return found, err
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
		found = append(found, finding{d.Rule, d.Severity})
	}
	return found, nil
}
