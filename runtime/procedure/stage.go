package procedure

import (
	"context"
	"fmt"
	"strings"
	"time"

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
	read    world.Readback // the last reading
	took    int64          // real time: for how long the detector was asked last, while the world's instant stood still
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
	case journal.FalseDetectionRecord:
		s.outcome.add(&d)
	case journal.Readback:
		s.outcome.add(&d)
	case journal.Violation:
		s.outcome.add(&d)
	}
	if s.direct {
		if err := s.r.journal.Append(kind, number(data, s.id)); err != nil || !s.r.real() {
			return err
		}
		switch kind {
		case journal.KindApply, journal.KindTrial, journal.KindViolation:
			// What is about to act on a real deployment, and what it did,
			// has to outlive a crash of this process.
			return s.r.journal.Sync()
		}
		return nil
	}
	s.entries = append(s.entries, entry{kind, data})
	return nil
}

func (s *stage) commit() error {
	s.outcome.length = s.world.Now()
	c := journal.Commit{At: s.world.Now()}
	if k, ok := s.world.(world.Keeping); ok {
		f, err := k.Keep()
		if err != nil {
			return err
		}
		c.Raw = (*journal.RawFile)(f)
	}
	if m, ok := s.world.(world.Missing); ok {
		if missed := journal.Missed(m.Missed()); missed != (journal.Missed{}) {
			c.Missed = &missed
		}
	}
	if err := s.record(journal.KindCommit, c); err != nil {
		return err
	}
	if s.direct {
		return s.r.journal.Sync()
	}
	return nil
}

// stream names random numbers of the procedure's own by what the lock guards,
// so that a reworded comment does not draw other numbers.
func (r *run) stream(parts ...string) *random.Stream {
	return random.New(append([]string{r.key, r.plan.Declaration.Seed, "procedure"}, parts...)...)
}

// settle brings the world from its start to rest before the first use: it
// waits until nothing remembers the start, then for the gate.
func (s *stage) settle(ctx context.Context) error {
	if err := s.world.Advance(ctx, s.world.Settle(), nil); err != nil {
		return err
	}
	if err := s.probe(ctx); err != nil {
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
	from, width, widths := s.world.Now(), int64(s.point.Window), s.widths()
	s.world.Watch(widths)
	defer s.world.Watch(nil)
	earliest := from + max(int64(q.AtLeast), int64(q.Windows)*width)
	deadline := max(earliest, from+int64(q.AtMost))
	if err := s.world.Advance(ctx, earliest, nil); err != nil {
		return err
	}
	rec := journal.QuietRecord{Load: s.load, From: from}
	for {
		waiting, state, unknown, err := s.waitingFor(ctx, q.Windows)
		if err != nil {
			return err
		}
		if rec.Waited == nil {
			rec.Waited = names(waiting, &s.r.plan.Declaration)
		}
		now := s.world.Now()
		if len(waiting) == 0 || now >= deadline {
			rec.To, rec.Reached, rec.State = now, len(waiting) == 0, state
			rec.Last = s.looked(q.Windows)
			if !rec.Reached {
				rec.Waited = names(waiting, &s.r.plan.Declaration)
				if unknown != nil {
					rec.Unknown = unknown.Error()
				}
				if n, ok := s.world.(detector.Named); ok {
					rec.Active = n.Active()
				}
			}
			if err := s.record(journal.KindQuiet, rec); err != nil || rec.Reached {
				return err
			}
			return s.stop(quietFailure(&rec))
		}
		next := deadline
		for _, i := range waiting {
			if i == waitDetector {
				next = min(next, now+max(s.world.Cycle(), width/20, s.took))
			} else {
				next = min(next, now+widths[i]-(now-from)%widths[i])
			}
		}
		if err := s.world.Advance(ctx, min(next, deadline), nil); err != nil {
			return err
		}
	}
}

// waitDetector stands among indicators for the detector's alert state.
const waitDetector = -1

// names are what a record says of a list of what was waited for.
func names(waiting []int, d *plan.Declaration) []string {
	out := []string{}
	for _, i := range waiting {
		if i == waitDetector {
			out = append(out, "detector")
		} else {
			out = append(out, d.Indicators[i].Name)
		}
	}
	return out
}

// quietFailure says which rule a gate that stayed shut breaks, and how. The
// detector's alert state has a requirement of its own.
func quietFailure(q *journal.QuietRecord) (rule, detail string) {
	period := exact.Duration(q.To - q.From)
	if len(q.Waited) == 1 && q.Waited[0] == "detector" {
		if q.Unknown != "" {
			return "FD-4.3-4", fmt.Sprintf("the detector's alert state could not be read at the end of a quiet period of %s: %s", period, q.Unknown)
		}
		who := ""
		if len(q.Active) > 0 {
			who = " of " + strings.Join(q.Active, ", ")
		}
		return "FD-4.3-4", fmt.Sprintf("the detector did not clear its alert state%s within a quiet period of %s: %d firing, %d pending, %d notification groups",
			who, period, q.State.Firing, q.State.Pending, q.State.Groups)
	}
	return "FD-4.3-3", fmt.Sprintf("a quiet period of %s did not bring back %s", period, strings.Join(q.Waited, ", "))
}

// widths are the windows that each indicator is measured over at this load.
func (s *stage) widths() []int64 {
	d := &s.r.plan.Declaration
	out := make([]int64, len(d.Indicators))
	for i, ind := range d.Indicators {
		out[i] = int64(d.WindowOf(ind.Name, *s.point))
	}
	return out
}

// waitingFor lists what is not back yet: indicators by index, then the
// detector.
// An indicator is back when the mean of its last k windows lies within one
// baseline standard deviation of the baseline mean (AMB-21). Before the
// baseline is known only the detector counts.
//
// A detector in real time that does not tell its state, since it is being
// restarted perhaps, is not known to be at rest: unknown says why.
func (s *stage) waitingFor(ctx context.Context, k int) (waiting []int, state detector.State, unknown, err error) {
	for _, i := range s.affected() {
		base, ok := s.baseline(i, world.Observation)
		if ok && !back(s.world.Windows(world.Observation, i), k, base) {
			waiting = append(waiting, i)
		}
	}
	state, unknown, err = s.state(ctx)
	if err == nil && (unknown != nil || !state.Resting()) {
		waiting = append(waiting, waitDetector)
	}
	return waiting, state, unknown, err
}

// state asks the detector. That one in real time does not answer is no reason
// to end a run.
func (s *stage) state(ctx context.Context) (state detector.State, unknown, err error) {
	asked := time.Now()
	state, err = s.world.Detector(ctx)
	if s.r.real() {
		s.took = int64(time.Since(asked))
	}
	if err != nil && s.r.real() && ctx.Err() == nil {
		return detector.State{}, err, nil
	}
	return state, nil, err
}

// looked are the windows that the gate decides on, for the record.
func (s *stage) looked(k int) []journal.QuietIndicator {
	out := []journal.QuietIndicator{}
	for _, i := range s.affected() {
		if _, ok := s.baseline(i, world.Observation); !ok {
			continue
		}
		q := journal.QuietIndicator{Indicator: s.r.plan.Declaration.Indicators[i].Name, Windows: []journal.WindowSum{}}
		for _, w := range lastWindows(s.world.Windows(world.Observation, i), k) {
			q.Windows = append(q.Windows, journal.WindowSum{w.Sum, w.N})
		}
		out = append(out, q)
	}
	return out
}

// back tells whether the last k windows are within one standard deviation.
func back(windows []world.Window, k int, base stats.Baseline) bool {
	last := lastWindows(windows, k)
	mean, ok := stats.MeanOfWindows(last)
	return ok && len(last) == k && base.WithinOneSD(mean)
}

// lastWindows are the last k that hold a response, the newest first: silence
// is not rest.
func lastWindows(windows []world.Window, k int) []stats.Window {
	last := make([]stats.Window, 0, k)
	for i := len(windows) - 1; i >= 0 && len(last) < k; i-- {
		if w := windows[i]; w.N > 0 {
			last = append(last, stats.Window(w))
		}
	}
	return last
}

// baseline is the baseline of an indicator at a point and this load.
func (s *stage) baseline(indicator, point int) (stats.Baseline, bool) {
	b, ok := s.r.baselines[s.load][baselineKey(s.r.plan.Declaration.Indicators[indicator].Name, pointNames[point])]
	return b, ok
}

var pointNames = [2]string{world.Injection: "injection", world.Observation: "observation"}

func baselineKey(indicator, point string) string { return point + " " + indicator }
