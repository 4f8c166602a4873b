package procedure

import (
	"context"
	"fmt"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/share"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// Limits of a Baseline Interval: it is extended until so many windows hold a
// response (AMB-02), but not for ever.
const (
	definedWindows = 10
	maxExtensions  = 10
)

// baselineTask runs the Baseline Interval of a load point (methodology 4.2).
func (r *run) baselineTask(load int) task {
	name := fmt.Sprintf("load %d, baseline", load)
	return task{
		run: func(ctx context.Context, w *worker) error {
			_, err := w.segment(ctx, world.Segment{Name: name, Phase: "baseline", Load: load}, func(ctx context.Context, s *stage) error {
				if err := s.settle(ctx); err != nil {
					return err
				}
				return s.runBaseline(ctx)
			})
			return err
		},
		done: func(outcomes []*segmentOutcome) {
			r.readings[load] = outcomes[0].reading
			r.twins[load] = outcomes[0].twins
			r.baselines[load] = map[string]stats.Baseline{}
			for _, ind := range outcomes[0].baselines {
				windows := make([]stats.Window, len(ind.Windows))
				for i, w := range ind.Windows {
					windows[i] = stats.Window{Sum: w[0], N: w[1]}
				}
				if b, ok := stats.BaselineOf(windows); ok {
					r.baselines[load][baselineKey(ind.Indicator, ind.Point)] = b
				}
			}
		},
	}
}

func (s *stage) runBaseline(ctx context.Context) error {
	from, requests := s.world.Now(), s.world.Requests()
	widths := s.widths()
	s.world.Watch(widths)
	defer s.world.Watch(nil)
	twinning, _ := s.world.(world.Twinning)
	if twinning != nil && share.Twinned(s.r.plan) {
		twinning.CountTwins(true)
		defer twinning.CountTwins(false)
	}
	until := from + int64(s.point.Baseline)
	for range maxExtensions {
		if err := s.world.Advance(ctx, until, nil); err != nil {
			return err
		}
		if s.defined() >= definedWindows {
			break
		}
		until += int64(s.point.Baseline)
	}
	rec := journal.BaselineRecord{Load: s.load, From: from, To: s.world.Now(), Requests: s.world.Requests() - requests,
		Environment: s.r.environment}
	for i, ind := range s.r.plan.Declaration.Indicators {
		for point, name := range pointNames {
			windows := s.world.Windows(point, i)
			sums := make([]journal.WindowSum, len(windows))
			for k, w := range windows {
				sums[k] = journal.WindowSum{w.Sum, w.N}
			}
			rec.Indicators = append(rec.Indicators, journal.BaselineIndicator{Indicator: ind.Name, Point: name, Method: ind.Method(),
				Width: widths[i], Windows: sums})
		}
	}
	if twinning != nil && share.Twinned(s.r.plan) {
		for _, t := range twinning.Twins() {
			rec.Twins = append(rec.Twins, journal.Twin(t))
		}
	}
	if err := s.record(journal.KindBaseline, rec); err != nil {
		return err
	}
	if n := s.defined(); n < definedWindows {
		return s.stop("FD-4.2-2", fmt.Sprintf("only %d windows of the Baseline Interval at %s req/s held a response; %d are needed",
			n, s.point.Rate, definedWindows))
	}
	return nil
}

// defined is how many windows hold a response at the observation point, of the
// indicator with the fewest.
func (s *stage) defined() int {
	fewest := definedWindows
	for i := range s.r.plan.Declaration.Indicators {
		n := 0
		for _, w := range s.world.Windows(world.Observation, i) {
			if w.N > 0 {
				n++
			}
		}
		fewest = min(fewest, n)
	}
	return fewest
}
