// Package share says which share of the responses a fault of a given magnitude
// changes, from the plan where it knows, and else from what the Baseline
// Interval saw of responses and of their changed twins (AMB-06).
//
// It imports compiler/plan, lang/exact and runtime/journal.
package share

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// Live tells whether a plan is for a deployment that runs by itself: what its
// responses are is not known before they come.
func Live(p *plan.Plan) bool { return p.Declaration.Serving.Endpoint != nil }

// Twinned tells whether shares follow from twins: in a live plan whose
// apparatus changes a share of the responses. An apparatus that sets a real
// mechanism changes all of them, by as much as its level does.
func Twinned(p *plan.Plan) bool { return Live(p) && p.Declaration.Apparatus.Kind == "proxy" }

// ReachError says that no share of the responses gives a magnitude.
type ReachError struct {
	Class     string
	Magnitude exact.Number
	Largest   *exact.Number // with every response changed; nil where no response was seen
}

func (e *ReachError) Error() string {
	if e.Largest == nil {
		return fmt.Sprintf("no response of the Baseline Interval shows what class %s changes", e.Class)
	}
	return fmt.Sprintf("a magnitude of %s is out of reach: with every response changed, class %s moves its indicator by %s", e.Magnitude, e.Class, e.Largest.Decimal(6))
}

// Of is the share for a magnitude of a class. planned is what the plan gives,
// which counts unless the plan is live. The error is a *ReachError.
func Of(p *plan.Plan, class string, magnitude, planned exact.Number, twins []journal.Twin) (exact.Number, error) {
	switch {
	case !Live(p):
		return planned, nil
	case !Twinned(p):
		if planned.Sign() > 0 {
			return planned, nil
		}
		return exact.Int(1), nil
	}
	for _, t := range twins {
		if t.Class != class || t.N == 0 {
			continue
		}
		largest := exact.Frac(t.Sum-t.Before, t.N)
		if largest.Sign() == 0 || magnitude.Sign() != largest.Sign() || magnitude.Abs().Cmp(largest.Abs()) > 0 {
			return exact.Number{}, &ReachError{class, magnitude, &largest}
		}
		return magnitude.Div(largest), nil
	}
	return exact.Number{}, &ReachError{Class: class, Magnitude: magnitude}
}
