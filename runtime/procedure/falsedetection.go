package procedure

import (
	"context"
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// An observation is split so that its parts can run side by side, but into no
// more than these and none shorter than so many of the world's settling times.
const (
	maxStretches  = 8
	stretchSettle = 10
)

// falseDetectionTasks observe the deployment without a fault for at least the
// time that faults were applied at this load (FD-5.4-4), in stretches of equal
// length that each begin at rest. In real time they follow one another.
func (r *run) falseDetectionTasks(load int, underFault int64) []task {
	point := &r.plan.Declaration.Load.Points[load]
	period := int64(stats.FalseDetectionPeriod(r.plan.Declaration.FalseDetection.AtLeast, exact.Duration(underFault)))
	q := r.plan.Declaration.Quiet
	overhead := max(int64(q.AtLeast), int64(q.Windows)*int64(point.Window)) + int64(point.Window)
	if r.real() {
		return []task{r.stretchesTask(load, period)}
	}
	n := int(min(maxStretches, max(1, period/(stretchSettle*overhead))))
	length := (period + int64(n) - 1) / int64(n)
	tasks := make([]task, n)
	for i := range tasks {
		tasks[i].run = func(ctx context.Context, w *worker) error {
			_, err := w.stretch(ctx, load, i, length)
			return err
		}
	}
	return tasks
}

// stretchesTask observes stretch after stretch until the time that counts fills
// the period. That during which the detector could not have spoken, or nobody
// knows whether it could, has to be made up for; where it exceeds the period
// too, the observation ends short of it.
func (r *run) stretchesTask(load int, period int64) task {
	return task{run: func(ctx context.Context, w *worker) error {
		var counted, blind, silent int64
		for i := 0; counted < period; i++ {
			if blind > max(period, 3*int64(r.plan.Stretch(load))) {
				why := "the detector's state could not be read"
				switch {
				case silent == blind:
					why = "no request was answered"
				case silent > 0:
					why += " or no request was answered"
				}
				detail := fmt.Sprintf("for %s of the observation of false detections %s, and %s of %s are left to observe",
					exact.Duration(blind), why, exact.Duration(period-counted), exact.Duration(period))
				r.incomplete = append(r.incomplete, shortfallOf("FD-5.4-4: "+r.loadName(load)+": "+detail, "FD-5.4-4", r.loadName(load), detail))
				return nil
			}
			o, err := w.stretch(ctx, load, i, int64(r.plan.NextStretch(load, exact.Duration(period-counted))))
			if err != nil {
				return err
			}
			counted += o.observed
			blind += o.blind
			silent += o.silent
		}
		return nil
	}}
}

// stretch is one segment of the observation at a load.
func (w *worker) stretch(ctx context.Context, load, i int, length int64) (*segmentOutcome, error) {
	name := fmt.Sprintf("load %d, false detection %d", load, i)
	return w.segment(ctx, world.Segment{Name: name, Phase: "false_detection", Load: load}, func(ctx context.Context, s *stage) error {
		if err := s.settle(ctx); err != nil {
			return err
		}
		return s.observe(ctx, length)
	})
}

// observe records every emission of the declared signal, repetitions included
// (AMB-29): what the attribution would give to any fault of the plan.
func (s *stage) observe(ctx context.Context, length int64) error {
	rec := journal.FalseDetectionRecord{Load: s.load, From: s.world.Now(), Classes: []journal.ClassCount{}, Events: []detector.Signal{}}
	rec.To = rec.From + length
	requests := s.world.Requests()
	faults := map[string][]predicate.Fault{}
	for _, k := range s.r.kinds() {
		if faults[k.class.Name] == nil {
			rec.Classes = append(rec.Classes, journal.ClassCount{Class: k.class.Name})
		}
		faults[k.class.Name] = append(faults[k.class.Name], predicate.Fault{Class: k.class.Name, Indicator: k.class.Indicator, Profile: k.profile.Name})
	}
	active := map[string]int64{} // by alert, since when
	s.listen = func(sig detector.Signal) {
		if sig.At <= rec.From || sig.At > rec.To {
			return
		}
		key := fmt.Sprint(sig.Labels)
		since, on := active[key]
		switch {
		case sig.Status == "resolved" && on:
			rec.Active += sig.At - since
			delete(active, key)
		case sig.Status == "firing" && !on:
			active[key] = sig.At
		}
		edge := 1
		if sig.Repeat {
			edge = 0
		}
		declared := false
		for i := range rec.Classes {
			c := &rec.Classes[i]
			if slices.ContainsFunc(faults[c.Class], func(f predicate.Fault) bool { return s.matches(sig, f) }) {
				declared = true
				c.Count++
				c.Edges += edge
			}
		}
		if !declared {
			return
		}
		rec.Count++
		rec.Edges += edge
		if len(rec.Events) < journal.MaxEvents {
			rec.Events = append(rec.Events, sig)
		}
	}
	defer func() { s.listen = nil }()
	offering, _ := s.world.(world.Offering)
	if s.r.real() && offering != nil {
		offering.Count(int64(s.point.Window))
	}
	dark, err := s.watch(ctx, &rec)
	if err != nil {
		return err
	}
	for _, since := range active {
		rec.Active += rec.To - since
	}
	rec.Requests = s.world.Requests() - requests
	if s.r.real() {
		s.blind(&rec, dark)
	}
	if s.r.real() && offering != nil {
		rec.Traffic = s.traffic()
		offering.Count(0)
	}
	return s.record(journal.KindFalseDetection, rec)
}
