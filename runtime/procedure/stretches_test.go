package procedure_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// deaf opens worlds whose detector does not tell its state between two instants
// of some segments.
type deaf struct {
	world.Factory
	when     func(segment string) bool
	from, to int64
}

func (f deaf) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &deafWorld{World: w, Offering: w.(world.Offering), f: f, on: f.when(s.Name)}, err
}

type deafWorld struct {
	world.World
	world.Offering
	f  deaf
	on bool
}

func (w *deafWorld) Detector(ctx context.Context) (detector.State, error) {
	if now := w.Now(); w.on && now >= w.f.from && now < w.f.to {
		return detector.State{}, errors.New("connection refused")
	}
	return w.World.Detector(ctx)
}

// Traffic implements world.Reporting.
func (w *deafWorld) Traffic() world.Traffic {
	return world.Traffic{Sent: 7, Outcomes: []world.Outcome{{Name: "timeout", N: 3}}}
}

func observation() *plan.Plan {
	s := plain
	s.loads, s.trials = []string{"10"}, 2
	s.options = []func(*plan.Plan){func(p *plan.Plan) { p.Declaration.FalseDetection.AtLeast = 95 * exact.Minute }}
	return s.build()
}

// TestStretchesAreCommitted wants false detections of a real deployment to be
// observed in stretches of which each is kept, however the run goes on.
func TestStretchesAreCommitted(t *testing.T) {
	p := observation()
	f := live{factory(t, p)}
	m, o := run(t, p, f)
	if !o.Complete {
		t.Fatal(o)
	}
	var sum int64
	stretches := records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)
	for _, r := range stretches {
		if r.To-r.From > int64(10*exact.Minute) || r.Blind != 0 || r.Unknown != "" {
			t.Errorf("%+v", r)
		}
		sum += r.Observed()
	}
	if len(stretches) != 10 || sum != int64(95*exact.Minute) {
		t.Errorf("%d stretches of %s in all", len(stretches), exact.Duration(sum))
	}
	commits, last := 0, ""
	for _, k := range m.kinds {
		if k == journal.KindCommit && last == journal.KindFalseDetection {
			commits++
		}
		last = k
	}
	if commits != len(stretches) {
		t.Errorf("%d of %d stretches are committed by themselves", commits, len(stretches))
	}
	resumedAlike(t, "stretches", p, f, m, o)
}

// TestBlindTimeDoesNotCount wants what passes while the detector cannot be asked
// to be on record, with how the requests ended, and to be made up for.
func TestBlindTimeDoesNotCount(t *testing.T) {
	p := observation()
	minute := int64(exact.Minute)
	f := deaf{live{factory(t, p)}, func(name string) bool { return strings.HasSuffix(name, "false detection 1") }, 4 * minute, 7 * minute}
	m, o := run(t, p, f)
	if !o.Complete {
		t.Fatal(o)
	}
	var sum int64
	for i, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
		if i == 1 {
			// Between the last answer before and the first one after.
			if r.Blind < 3*minute || r.Blind > 3*minute+10*int64(exact.Second) || r.Unknown != "connection refused" {
				t.Errorf("%+v", r)
			}
		} else if r.Blind != 0 {
			t.Errorf("%+v", r)
		}
		if r.Traffic == nil || r.Traffic.Sent != 7 || len(r.Traffic.Failures) != 1 || r.Traffic.Failures[0] != (journal.Failure{Outcome: "timeout", N: 3}) {
			t.Errorf("%+v", r.Traffic)
		}
		sum += r.Observed()
	}
	if over := sum - 95*minute; over < 0 || over >= int64(p.Declaration.Load.Points[0].Window) {
		t.Errorf("%s were observed", exact.Duration(sum))
	}
	resumedAlike(t, "blind", p, f, m, o)
}

// TestBlindForEver ends short of the period where the detector hardly ever
// tells its state.
func TestBlindForEver(t *testing.T) {
	p := observation()
	minute := int64(exact.Minute)
	m, o := run(t, p, deaf{live{factory(t, p)}, func(name string) bool { return strings.Contains(name, "false detection") }, 3 * minute, 1000 * minute})
	if o.Complete || !strings.HasPrefix(o.Reason, "FD-5.4-4") || !strings.Contains(o.Reason, "could not be read") {
		t.Error(o)
	}
	var counted, blind int64
	for _, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
		counted, blind = counted+r.Observed(), blind+r.Blind
	}
	if counted >= 95*minute || blind < 95*minute || blind > 110*minute {
		t.Errorf("%s observed, %s blind", exact.Duration(counted), exact.Duration(blind))
	}
}
