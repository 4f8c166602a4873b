package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Causes for which a trial may be discarded and repeated (AMB-10). That a
// detector was slow, or silent, is none of them.
const (
	causeMagnitude = "magnitude"
	causeLoad      = "load_violation"
	causeGap       = "observation_gap"
	causeQuiet     = "quiet_not_reached"
	causeApparatus = "apparatus_failure"
	causeHarness   = "harness_failure"
)

// discarded checks the cause for which a trial was left out against what the
// journal says of the trial. It is called before the segment moves on.
func (c *computer) discarded(e journal.Entry, t *journal.TrialRecord, subject string) {
	switch t.Discard {
	case causeMagnitude:
		if t.Magnitude.Sign() == 0 {
			c.breach("FD-3.4-7", subject, "a trial without a fault was discarded for its magnitude", e.Line)
		} else if t.Verification.N > 0 && stats.KeepMagnitude(t.Magnitude, t.Verification.Achieved) {
			c.breach("FD-3.4-7", subject, "a trial was discarded whose achieved magnitude is within ten percent", e.Line)
		}
	case causeLoad:
		if c.loadHeld(t) {
			c.breach("FD-3.3-1", subject, "a trial was discarded for its load, which its requests show to have been held", e.Line)
		}
	case causeGap:
		if t.Magnitude.Sign() == 0 || t.Verification.N != 0 && !stats.GapTooWide(t.Verification.Lost, t.Verification.N) {
			c.breach("FD-3.4-6", subject, "a trial was discarded for want of responses to verify, and it has them", e.Line)
		}
	case causeQuiet:
		if c.segment.rest == restReached {
			c.breach("FD-4.3-2", subject, "a trial was discarded for a quiet period that did reach its end", e.Line)
		}
	case causeApparatus, causeHarness:
		if c.open.Time == timeVirtual {
			c.breach("FD-5.1-11", subject, fmt.Sprintf("a trial was discarded for the cause %q, which does not exist in virtual time", t.Discard), e.Line)
		}
	default:
		c.breach("FD-5.1-11", subject, fmt.Sprintf("a trial was discarded for the cause %q, for which none may be", t.Discard), e.Line)
	}
}

// loadHeld tells whether a trial's own number of requests is that of its load,
// and where the windows were counted, the number of each whole window too
// (AMB-24).
func (c *computer) loadHeld(t *journal.TrialRecord) bool {
	rate, poisson := c.p.Declaration.Load.Points[t.Load].Rate, c.p.Declaration.Load.Arrivals == "poisson"
	held := stats.LoadHeld(t.Requests, rate, exact.Duration(t.RemovalAsked-t.Onset), c.p.Estimators.LoadTolerance, poisson)
	if o := t.Offered; o.N > 0 {
		for _, n := range []int64{o.Fewest, o.Most} {
			held = held && stats.LoadHeld(n, rate, exact.Duration(o.Width), windowTolerance, poisson)
		}
	}
	return held
}

// windowsCounted checks that the windows of a trial are the detector's own, and
// all that lie in it. A world that cannot tell says 0, which a simulated one
// may not (FD-3.3-1, AMB-24).
func (c *computer) windowsCounted(e journal.Entry, t *journal.TrialRecord, subject string) {
	if c.lacks("offered_windows", "offered_windows.window_ns", "offered_windows.windows", "apply_requested_ns", "removal_requested_ns", "onset_ns") {
		return
	}
	o, w := t.Offered, int64(c.p.Declaration.Load.Points[t.Load].Window)
	if o == (journal.OfferedWindows{}) && c.open.Time != timeVirtual {
		return
	}
	if w <= 0 || o.Width != w || o.N != (t.RemovalAsked-t.Requested)/w && o.N != (t.RemovalAsked-t.Onset)/w {
		c.breach("FD-3.3-1", subject, "the requests of a trial were not counted over each of its aggregation windows", e.Line)
	}
}

// windowTolerance is how far the requests of one window may be from the load
// where arrivals are evenly spaced (AMB-24).
var windowTolerance = exact.Frac(5, 100)
