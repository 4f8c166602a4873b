package procedure_test

import (
	"context"
	"testing"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// polled is a world whose detector gave no answer for long before each trial.
type polled struct{ world.Factory }

func (f polled) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &polledWorld{World: w, bound: 100}, err
}

type polledWorld struct {
	world.World
	bound int64
}

// Poll implements world.Polled.
func (w *polledWorld) Poll() int64 {
	b := w.bound
	w.bound = 7
	return b
}

func (w *polledWorld) Remove(ctx context.Context) (int64, error) {
	at, err := w.World.Remove(ctx)
	w.bound = 11 // during the trial
	return at, err
}

// TestPollIsTheTrials leaves out of a trial by how much signals were late before
// it.
func TestPollIsTheTrials(t *testing.T) {
	p := small.build()
	m, o := run(t, p, polled{factory(t, p)})
	trials := records[journal.TrialRecord](t, m, journal.KindTrial)
	if !o.Complete || len(trials) == 0 {
		t.Fatal(o)
	}
	for _, r := range trials {
		want := int64(11)
		if r.Magnitude.Sign() == 0 {
			want = 7 // a sham trial removes nothing
		}
		if r.Poll != want {
			t.Errorf("%s: signals may be %d late", r.Trial, r.Poll)
		}
	}
}
