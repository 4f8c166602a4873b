package procedure

import (
	"context"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// Statuses of a search.
const (
	searchFound      = "found"
	searchBelowFloor = "below_floor"
	searchAboveBound = "above_bound"
	searchIncomplete = "incomplete"
)

// floorPlaces is the resolution at which twice the baseline standard deviation,
// an irrational number, becomes a magnitude: rounded up, so that it is never
// below the floor.
const floorPlaces = 6

// search is a binary search at work (methodology 5.3).
type search struct {
	r            *run
	w            *worker
	plan         *plan.Search
	floor        exact.Number // twice the baseline sd, with the sign of the magnitudes
	lower, upper *exact.Number
	evaluations  int
}

// searchTask establishes both bounds by trials, the upper one first, and halves
// the interval until it is smaller than the resolution. Where the baseline did
// not vary its floor is 0, and the lower bound is established by trials without
// a fault. Bounds are compared by their size: a class
// that lowers its indicator has negative magnitudes.
func (r *run) searchTask(p *plan.Search, l *ledger) task {
	_, unreachable := r.share(p.Class, p.Load, p.Upper, p.Upper.Mul(p.PerUnit))
	return task{
		run: func(ctx context.Context, w *worker) error {
			if unreachable != nil {
				subject, detail := fmt.Sprintf("threshold %s at %s", p.Threshold, r.loadName(p.Load)), "no trial was run: "+unreachable.Error()
				l.failed = append(l.failed, shortfallOf("FD-5.3-3: "+subject+": "+detail, "FD-5.3-3", subject, detail))
				return nil
			}
			return (&search{r: r, w: w, plan: p}).run(ctx)
		},
		done: func(outcomes []*segmentOutcome) {
			l.add(outcomes)
			if len(outcomes) == 0 {
				return
			}
			if last := outcomes[len(outcomes)-1].step; last.Status == searchIncomplete {
				subject := fmt.Sprintf("threshold %s at %s", p.Threshold, r.loadName(p.Load))
				detail := fmt.Sprintf("%d of %d trials kept at magnitude %s", last.Trials, p.Trials, last.Magnitude)
				l.failed = append(l.failed, shortfallOf("FD-5.3-6: "+subject+": "+detail, "FD-5.3-6", subject, detail))
			}
		},
	}
}

func (q *search) run(ctx context.Context) error {
	b, ok := q.r.baselines[q.plan.Load][baselineKey(q.r.class(q.plan.Class).Indicator, pointNames[world.Observation])]
	if !ok {
		return q.r.stop("FD-4.2-5", q.r.loadName(q.plan.Load), fmt.Sprintf("the indicator of class %s has no baseline", q.plan.Class))
	}
	q.floor = b.Floor(floorPlaces)
	if q.plan.Upper.Sign() < 0 {
		q.floor = q.floor.Neg()
	}
	lower := q.plan.Lower
	if q.plan.Floor {
		lower = q.floor
	}
	status, err := q.evaluate(ctx, "upper", q.plan.Upper)
	for status == "" && err == nil && q.lower == nil {
		if lower.Abs().Cmp(q.upper.Abs()) >= 0 || lower.Abs().Cmp(q.floor.Abs()) < 0 {
			// The floor was reached (FD-5.3-5): no trial below it decides.
			return q.note(ctx, journal.SearchStep{Role: "lower", Magnitude: lower, Status: searchBelowFloor})
		}
		status, err = q.evaluate(ctx, "lower", lower)
		lower = q.floor
	}
	for status == "" && err == nil {
		mid := q.lower.Add(*q.upper).Div(exact.Int(2))
		status, err = q.evaluate(ctx, "midpoint", mid)
	}
	return err
}

// evaluate runs the trials of section 5.1 at a magnitude and decides. Its
// result is the search's status, "" while it goes on.
func (q *search) evaluate(ctx context.Context, role string, m exact.Number) (string, error) {
	p := q.plan
	name := fmt.Sprintf("load %d, search %d, evaluation %d", p.Load, p.ID, q.evaluations)
	fraction := m.Mul(p.PerUnit)
	if m.Sign() != 0 { // a floor of 0 is tried without a fault
		var err error
		if fraction, err = q.r.share(p.Class, p.Load, m, fraction); err != nil {
			return "", err
		}
	}
	o, err := q.w.repeat(ctx, world.Segment{Name: name, Phase: "search", Load: p.Load}, p.Trials, p.Attempts, application{
		name: name, purpose: journal.PurposeSearch, class: q.r.class(p.Class), profile: p.Profile, magnitude: m,
		fraction: fraction, combination: -1, search: p.ID, evaluation: q.evaluations, timeout: int64(p.Timeout),
		verify: int64(p.Verification),
	}, func(s *stage, kept, detected int) error {
		return s.record(journal.KindSearchStep, q.decide(role, m, detected, kept))
	})
	if err != nil {
		return "", err
	}
	q.evaluations++
	q.lower, q.upper = o.step.Lower, o.step.Upper
	return o.step.Status, nil
}

// decide is the rule of the search, from the counts alone.
func (q *search) decide(role string, m exact.Number, detected, trials int) journal.SearchStep {
	step := journal.SearchStep{Search: q.plan.ID, Evaluation: q.evaluations, Role: role, Magnitude: m, Detected: detected, Trials: trials,
		Met: stats.MeetsTarget(detected, trials, q.plan.Target), Lower: q.lower, Upper: q.upper}
	switch {
	case trials < q.plan.Trials:
		step.Status, step.Met = searchIncomplete, false
		return step
	case role == "upper" && !step.Met:
		step.Status = searchAboveBound
		return step
	case role == "lower" && step.Met && m.Abs().Cmp(q.floor.Abs()) <= 0:
		step.Status = searchBelowFloor
		return step
	case step.Met:
		// A declared lower bound that meets the target is an upper bound:
		// the search goes down to the floor.
		step.Upper = &m
	default:
		step.Lower = &m
	}
	if step.Lower != nil && step.Upper != nil && step.Upper.Sub(*step.Lower).Abs().Cmp(q.plan.Resolution) < 0 {
		step.Status = searchFound
	}
	return step
}

// note records a decision that needed no trials.
func (q *search) note(ctx context.Context, step journal.SearchStep) error {
	step.Search, step.Evaluation, step.Lower, step.Upper = q.plan.ID, q.evaluations, q.lower, q.upper
	name := fmt.Sprintf("load %d, search %d, evaluation %d", q.plan.Load, q.plan.ID, q.evaluations)
	_, err := q.w.segment(ctx, world.Segment{Name: name, Phase: "search", Load: q.plan.Load}, func(_ context.Context, s *stage) error {
		return s.record(journal.KindSearchStep, step)
	})
	return err
}
