package measure

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Statuses of a threshold search.
const (
	SearchFound      = "found"
	SearchBelowFloor = "below_floor"
	SearchAboveBound = "above_bound"
	SearchIncomplete = "incomplete"
)

// searchState gathers one search.
type searchState struct {
	evaluations map[int]*outcome
	trace       []TraceStep
	lower       *exact.Number // largest magnitude shown to miss the target, by the trace
	upper       *exact.Number // smallest magnitude shown to meet it
	upperStep   int           // its index in the trace
	status      string
}

func (s *searchState) evaluation(n int) *outcome {
	o := s.evaluations[n]
	if o == nil {
		o = new(outcome)
		s.evaluations[n] = o
	}
	return o
}

// searchStep takes in one decision and derives it again from the trials of its
// evaluation (FD-5.3-2 to FD-5.3-8).
func (c *computer) searchStep(e journal.Entry, r *journal.SearchStep) error {
	i, ok := c.searchByID[r.Search]
	if !ok {
		return reject(e, "it names search %d, which the plan does not have", r.Search)
	}
	ps, s := c.p.Combinations.Searches[i], &c.searches[i]
	subject := c.searchName(ps)
	if s.status != "" {
		return reject(e, "search %d goes on after it ended as %q", r.Search, s.status)
	}
	done := s.evaluation(r.Evaluation)
	if done.kept != r.Trials || done.detected != r.Detected {
		c.breach("FD-5.3-6", subject, "a step of the search does not count the trials that were run for it", e.Line)
	}
	met := r.Trials > 0 && stats.MeetsTarget(r.Detected, r.Trials, ps.Target)
	if met != r.Met {
		c.breach("FD-5.3-7", subject, "a step of the search took coverage for what it is not", e.Line)
	}
	s.trace = append(s.trace, TraceStep{r.Role, r.Magnitude.String(), r.Detected, r.Trials, r.Met})
	s.status = r.Status
	decisive := r.Status == "" || r.Status == SearchFound
	if decisive && r.Trials < ps.Trials {
		c.breach("FD-5.3-6", subject, "a step of the search was decided on fewer trials than planned", e.Line)
	}
	switch {
	case r.Trials == 0:
	case met:
		s.upper, s.upperStep = &r.Magnitude, len(s.trace)-1
	default:
		s.lower = &r.Magnitude
	}
	switch r.Status {
	case SearchFound:
		c.foundThreshold(e, ps, s, r, subject)
	case "", SearchBelowFloor, SearchAboveBound, SearchIncomplete:
	default:
		return reject(e, "search %d has the unknown status %q", r.Search, r.Status)
	}
	return nil
}

func (c *computer) foundThreshold(e journal.Entry, ps plan.Search, s *searchState, r *journal.SearchStep, subject string) {
	switch {
	case s.lower == nil:
		c.breach("FD-5.3-4", subject, "a threshold was taken without a magnitude shown to miss the target", e.Line)
	case s.upper == nil || r.Upper == nil || r.Upper.Cmp(*s.upper) != 0:
		c.breach("FD-5.3-3", subject, "a threshold was taken that the trials did not show to meet the target", e.Line)
	case s.upper.Abs().Cmp(s.lower.Abs()) <= 0:
		c.breach("FD-5.3-7", subject, "the upper bound of the search does not lie above the lower one", e.Line)
	case s.upper.Sub(*s.lower).Abs().Cmp(ps.Resolution) >= 0:
		c.breach("FD-5.3-8", subject, "the search stopped before its bounds were closer than the resolution", e.Line)
	}
	if b, ok := c.base(ps.Load, ps.Class, sdPoint); ok && s.lower != nil && stats.BelowTwoSD(*s.lower, b.Variance) {
		c.breach("FD-5.3-5", subject, "the lower bound lies below two baseline standard deviations, and the search went on", e.Line)
	}
}

func (c *computer) searchName(ps plan.Search) string {
	return "threshold of " + ps.Class + ", " + ps.Profile.Name + ", " + c.loads[ps.Load].label
}
