package procedure_test

import (
	"context"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/world"
)

// hesitant opens worlds in which the first reading before a trial takes its
// time: the deployment or the detector is being restarted.
type hesitant struct {
	world.Factory
	t       *testing.T
	applied *int
}

func (f hesitant) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &hesitantWorld{World: w, Offering: w.(world.Offering), f: f, trial: s.Phase == "trials"}, err
}

type hesitantWorld struct {
	world.World
	world.Offering
	f     hesitant
	trial bool
	n     int
	asked int64
}

func (w *hesitantWorld) ReadBack(ctx context.Context) (world.Readback, error) {
	if w.n++; w.trial && w.n == 2 {
		if err := w.Advance(ctx, w.Now()+37*int64(exact.Second)+1, nil); err != nil {
			return world.Readback{}, err
		}
	}
	return w.World.ReadBack(ctx)
}

func (w *hesitantWorld) Detector(ctx context.Context) (detector.State, error) {
	w.asked = w.Now()
	return w.World.Detector(ctx)
}

func (w *hesitantWorld) Apply(ctx context.Context, f world.Fault) (int64, error) {
	*w.f.applied++
	if now := w.Now(); w.asked != now || w.n != 3 {
		w.f.t.Errorf("%s is applied at %s, after %d readings; the detector was at rest at %s", f.Trial, exact.Duration(now), w.n, exact.Duration(w.asked))
	}
	return w.World.Apply(ctx, f)
}

// TestRestIsOfTheOnset: where a reading before a trial waits, the detector has
// to be at rest after it, and not before it alone (FD-4.3-4).
func TestRestIsOfTheOnset(t *testing.T) {
	p := observation()
	applied := 0
	f := hesitant{live{factory(t, p)}, t, &applied}
	if _, o := run(t, p, f); !o.Complete || applied == 0 {
		t.Errorf("%+v after %d faults", o, applied)
	}
}
