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

// Roles of a step of a search.
const (
	roleUpper    = "upper"
	roleLower    = "lower"
	roleMidpoint = "midpoint"
)

// floorPlaces is the number of decimals at which twice the baseline standard
// deviation, an irrational number, becomes a magnitude; it is rounded up.
const floorPlaces = 6

// searchState derives one search again from the plan, the baseline and the
// counts of its trials alone.
type searchState struct {
	trace    []TraceStep
	recorded string // status that the journal gives it, "" without an end
	broken   bool   // the journal's course left the derived one

	index        int          // of the step that belongs next
	role         string       // its role; "" after the end
	magnitude    exact.Number // its magnitude
	untested     bool         // it ends the search without a trial
	tried        outcome      // its trials so far
	floor        exact.Number // twice the baseline sd, signed like the magnitudes
	lower, upper *exact.Number
	upperStep    int        // index in the trace of the step that gave upper
	lowerStep    int        // and of the one that gave lower
	achieved     []*float64 // mean achieved magnitude of each step of the trace
	status       string     // "" while it goes on
}

// begun tells whether anything of the search is on record.
func (s *searchState) begun() bool { return len(s.trace) > 0 || s.tried.attempts() > 0 }

// outcome is the status to report, with a magnitude only for found. A search
// whose course was not that of the plan has shown nothing.
func (s *searchState) outcome() string {
	if s.broken || s.status == "" || s.recorded == "" {
		return SearchIncomplete
	}
	return s.status
}

// searchTrial checks that a trial is of the step that belongs next.
func (c *computer) searchTrial(e journal.Entry, t *journal.TrialRecord, s *searchState, subject string) {
	rule, what := "", ""
	switch {
	case s.broken:
	case s.untested:
		rule, what = s.misplaced()
	case s.role == "":
		rule, what = "FD-5.3-8", "trials were run for a search that was at its end"
	case t.Evaluation != s.index:
		rule, what = "FD-5.3-6", "a trial was run for another step of the search than the next"
	case t.Magnitude.Cmp(s.magnitude) != 0:
		rule, what = s.misplaced()
	}
	if rule != "" {
		s.broken = true
		c.breach(rule, subject, what, e.Line)
	}
}

// misplaced is what a step breaks that is not at the magnitude that belongs
// next.
func (s *searchState) misplaced() (rule, what string) {
	switch {
	case s.untested && s.magnitude.Abs().Cmp(s.floor.Abs()) < 0:
		return "FD-5.3-5", "the search went on below two baseline standard deviations"
	case s.role == roleUpper:
		return "FD-5.3-3", "the search did not begin with trials at its declared upper bound"
	case s.role == roleLower:
		return "FD-5.3-4", "the lower bound of the search was not established by trials at its declared magnitude or at the floor"
	}
	return "FD-5.3-7", "a step of the search is not at the midpoint of its bounds"
}

// searchStep takes in one decision and derives it again from the trials of its
// evaluation (FD-5.3-2 to FD-5.3-8).
func (c *computer) searchStep(e journal.Entry, r *journal.SearchStep) error {
	i, ok := c.searchByID[r.Search]
	if !ok {
		return reject(e, "it names search %d, which the plan does not have", r.Search)
	}
	switch r.Status {
	case "", SearchFound, SearchBelowFloor, SearchAboveBound, SearchIncomplete:
	default:
		return reject(e, "search %d has the unknown status %q", r.Search, r.Status)
	}
	ps, s := &c.p.Combinations.Searches[i], &c.searches[i]
	if s.recorded != "" {
		return reject(e, "search %d goes on after it ended as %q", r.Search, s.recorded)
	}
	s.trace = append(s.trace, TraceStep{r.Role, r.Magnitude.String(), r.Detected, r.Trials, r.Met})
	s.achieved = append(s.achieved, s.tried.meanAchieved())
	s.recorded = r.Status
	if s.broken {
		s.tried = outcome{}
		return nil
	}
	want := s.decide(ps)
	if rule, what := s.differs(r, &want); rule != "" {
		s.broken, s.tried = true, outcome{}
		c.breach(rule, c.searchName(*ps), what, e.Line)
		return nil
	}
	if want.Upper != nil && (s.upper == nil || want.Upper.Cmp(*s.upper) != 0) {
		s.upperStep = len(s.trace) - 1
	}
	if want.Lower != nil && (s.lower == nil || want.Lower.Cmp(*s.lower) != 0) {
		s.lowerStep = len(s.trace) - 1
	}
	s.lower, s.upper, s.status = want.Lower, want.Upper, want.Status
	c.advance(ps, s)
	return nil
}

// decide is the rule of the search: what the step that belongs next comes to
// with the trials that it had.
func (s *searchState) decide(ps *plan.Search) journal.SearchStep {
	step := journal.SearchStep{Search: ps.ID, Evaluation: s.index, Role: s.role, Magnitude: s.magnitude,
		Detected: s.tried.detected, Trials: s.tried.kept, Lower: s.lower, Upper: s.upper}
	switch {
	case s.untested:
		step.Status = SearchBelowFloor
		return step
	case step.Trials < ps.Trials:
		step.Status = SearchIncomplete
		return step
	}
	m := s.magnitude
	step.Met = stats.MeetsTarget(step.Detected, step.Trials, ps.Target)
	switch {
	case !step.Met && s.role == roleUpper:
		step.Status = SearchAboveBound
		return step
	case step.Met && s.role == roleLower && m.Abs().Cmp(s.floor.Abs()) <= 0:
		step.Status = SearchBelowFloor
		return step
	case step.Met:
		step.Upper = &m
	default:
		step.Lower = &m
	}
	if step.Lower != nil && step.Upper != nil && step.Upper.Sub(*step.Lower).Abs().Cmp(ps.Resolution) < 0 {
		step.Status = SearchFound
	}
	return step
}

// differs compares a step on record with the derived one, and names the first
// requirement that the difference breaks, or "".
func (s *searchState) differs(r, want *journal.SearchStep) (rule, what string) {
	switch {
	case r.Role != want.Role || r.Magnitude.Cmp(want.Magnitude) != 0:
		return s.misplaced()
	case want.Trials == 0 && s.role == roleUpper && r.Status != SearchIncomplete:
		return "FD-5.3-3", "the upper bound of the search was assumed: no trial was run at it"
	case want.Trials == 0 && s.role == roleLower && !s.untested && r.Status != SearchIncomplete:
		return "FD-5.3-4", "the lower bound of the search was assumed: no trial was run at it"
	case r.Evaluation != want.Evaluation:
		return "FD-5.3-6", "a step of the search does not bear the number that belongs next"
	case r.Trials != want.Trials || r.Detected != want.Detected:
		return "FD-5.3-6", "a step of the search does not count the trials that were run for it"
	case want.Status == SearchIncomplete && r.Status != SearchIncomplete:
		return "FD-5.3-6", "a step of the search was decided on fewer trials than planned"
	case r.Met != want.Met:
		return "FD-5.3-7", "a step of the search took coverage for what it is not"
	case r.Status != want.Status:
		switch {
		case s.untested:
			return s.misplaced()
		case r.Status == SearchBelowFloor || want.Status == SearchBelowFloor:
			return "FD-5.3-5", "whether the floor of the search was reached is not what its trials give"
		case r.Status == SearchAboveBound || want.Status == SearchAboveBound:
			return "FD-5.3-3", "whether the upper bound of the search meets the target is not what its trials give"
		case r.Status == SearchIncomplete:
			return "FD-5.3-6", "the search was given up, and its step has all of its trials"
		case r.Status == SearchFound:
			return "FD-5.3-8", "the search stopped before its bounds were closer than the resolution"
		}
		return "FD-5.3-8", "the search went on after its bounds were closer than the resolution"
	case !equal(r.Lower, want.Lower) || !equal(r.Upper, want.Upper):
		return "FD-5.3-7", "the bounds after a step of the search are not what its trials give"
	}
	return "", ""
}

func equal(a, b *exact.Number) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(*b) == 0
}

// advance works out which step belongs next: the upper bound first; then the
// lower one, and where a declared lower bound met the target, so that it became
// an upper one, the floor; then midpoints. A lower bound that is not below the
// upper one, or is below the floor, ends the search without a trial (FD-5.3-5).
func (c *computer) advance(ps *plan.Search, s *searchState) {
	role := s.role
	s.index++
	s.tried = outcome{}
	switch {
	case s.status != "":
		s.role = ""
	case s.lower != nil:
		s.role, s.magnitude = roleMidpoint, s.lower.Add(*s.upper).Div(exact.Int(2))
	default:
		b, ok := c.base(ps.Load, ps.Class, sdPoint)
		if !ok {
			// The floor is not known. What the baseline lacks is a violation.
			s.broken = true
			return
		}
		s.floor = b.Floor(floorPlaces)
		if ps.Upper.Sign() < 0 {
			s.floor = s.floor.Neg()
		}
		s.role, s.magnitude = roleLower, s.floor
		if role == roleUpper && !ps.Floor {
			s.magnitude = ps.Lower
		}
		s.untested = s.magnitude.Abs().Cmp(s.upper.Abs()) >= 0 || s.magnitude.Abs().Cmp(s.floor.Abs()) < 0
	}
}

func (c *computer) searchName(ps plan.Search) string {
	return "threshold of " + ps.Class + ", " + ps.Profile.Name + ", " + c.loads[ps.Load].label
}
