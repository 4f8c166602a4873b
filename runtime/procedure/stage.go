package procedure

import (
	"context"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// stage is one segment at work: its world, its records, and who listens to
// the detector.
type stage struct {
	r       *run
	world   world.World
	load    int
	point   *plan.LoadPoint
	direct  bool
	id      int
	entries []entry
	outcome *segmentOutcome
	listen  func(detector.Signal)
}

// hear is the world's sink.
func (s *stage) hear(sig detector.Signal) {
	if s.listen != nil {
		s.listen(sig)
	}
}

// record writes an entry: at once where the world is real, so that it is
// written before the act that it announces, else with the segment.
func (s *stage) record(kind string, data any) error {
	switch d := data.(type) {
	case journal.TrialRecord:
		s.outcome.add(&d)
	case journal.BaselineRecord:
		s.outcome.add(&d)
	case journal.SearchStep:
		s.outcome.add(&d)
	case journal.QuietRecord:
		s.outcome.add(&d)
	}
	if s.direct {
		data = number(data, s.id)
		return s.r.journal.Append(kind, data)
	}
	s.entries = append(s.entries, entry{kind, data})
	return nil
}

func (s *stage) commit() error {
	s.outcome.length = s.world.Now()
	if err := s.record(journal.KindCommit, journal.Commit{At: s.world.Now()}); err != nil {
		return err
	}
	if s.direct {
		return s.r.journal.Sync()
	}
	return nil
}

// stream names random numbers of the procedure's own by the plan.
func (r *run) stream(parts ...string) *random.Stream {
	return random.New(append([]string{r.plan.Digest, r.plan.Declaration.Seed, "procedure"}, parts...)...)
}

// settle brings the world from its start to rest before the first use: it
// waits until nothing remembers the start, then for the gate.
func (s *stage) settle(ctx context.Context) error {
	if err := s.world.Advance(ctx, s.world.Settle(), nil); err != nil {
		return err
	}
	return s.quiet(ctx)
}

// affected are the indexes of the indicators that the series' faults shift.
func (s *stage) affected() []int {
	d := &s.r.plan.Declaration
	var out []int
	for i, ind := range d.Indicators {
		for _, c := range d.FaultClasses {
			if c.Indicator == ind.Name {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// quiet is the gate of methodology 4.3: it passes when at_least has gone by,
// every affected indicator is back and the detector retains no alert state.
// It begins with the world at rest as far as the apparatus is concerned. A gate
// that at_most does not see open ends the series.
func (s *stage) quiet(ctx context.Context) error {
	q := s.r.plan.Declaration.Quiet
	from, width := s.world.Now(), int64(s.point.Window)
	s.world.Watch(width)
	defer s.world.Watch(0)
	earliest := from + max(int64(q.AtLeast), int64(q.Windows)*width)
	deadline := max(earliest, from+int64(q.AtMost))
	if err := s.world.Advance(ctx, earliest, nil); err != nil {
		return err
	}
	rec := journal.QuietRecord{Load: s.load, From: from}
	for {
		waiting, state, err := s.waitingFor(ctx, q.Windows)
		if err != nil {
			return err
		}
		if len(rec.Waited) == 0 {
			rec.Waited = waiting
		}
		now := s.world.Now()
		if len(waiting) == 0 || now >= deadline {
			rec.To, rec.Reached, rec.State = now, len(waiting) == 0, state
			if rec.Waited == nil {
				rec.Waited = []string{}
			}
			if err := s.record(journal.KindQuiet, rec); err != nil {
				return err
			}
			return s.outcome.err()
		}
		next := now + width - (now-from)%width
		if waiting[0] == waitDetector {
			next = min(next, now+max(s.world.Cycle(), width/20))
		}
		if err := s.world.Advance(ctx, min(next, deadline), nil); err != nil {
			return err
		}
	}
}

const waitDetector = "detector"

func quietFailure(q *journal.QuietRecord) string {
	return fmt.Sprintf("FD-4.3-3: the quiet period did not end within %s: still waiting for %v, detector %+v",
		exact.Duration(q.To-q.From), q.Waited, q.State)
}

// waitingFor lists what is not back yet: indicators by name, then the detector.
// An indicator is back when the mean of its last k windows lies within one
// baseline standard deviation of the baseline mean (AMB-21). Before the
// baseline is known only the detector counts.
func (s *stage) waitingFor(ctx context.Context, k int) ([]string, detector.State, error) {
	var waiting []string
	for _, i := range s.affected() {
		base, ok := s.baseline(i, world.Observation)
		if ok && !back(s.world.Windows(world.Observation, i), k, base) {
			waiting = append(waiting, s.r.plan.Declaration.Indicators[i].Name)
		}
	}
	state, err := s.world.Detector(ctx)
	if err == nil && !state.Resting() {
		waiting = append(waiting, waitDetector)
	}
	return waiting, state, err
}

// back looks at the last k windows that hold a response: silence is not rest.
func back(windows []world.Window, k int, base stats.Baseline) bool {
	last := make([]stats.Window, 0, k)
	for i := len(windows) - 1; i >= 0 && len(last) < k; i-- {
		if w := windows[i]; w.N > 0 {
			last = append(last, stats.Window(w))
		}
	}
	mean, ok := stats.MeanOfWindows(last)
	return ok && len(last) == k && base.WithinOneSD(mean)
}

// baseline is the baseline of an indicator at a point and this load.
func (s *stage) baseline(indicator, point int) (stats.Baseline, bool) {
	b, ok := s.r.baselines[s.load][baselineKey(s.r.plan.Declaration.Indicators[indicator].Name, pointNames[point])]
	return b, ok
}

var pointNames = [2]string{world.Injection: "injection", world.Observation: "observation"}

func baselineKey(indicator, point string) string { return point + " " + indicator }
