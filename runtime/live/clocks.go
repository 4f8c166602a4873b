package live

import (
	"context"
	"time"

	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Prober compares the clocks that stamp onset and event (FD-3.5-2).
type Prober interface {
	Probe(ctx context.Context) ([]world.Offset, error)
}

// stepped is the smallest jump of the wall clock that is told. A clock that is
// slewed moves by at most half a millisecond in a second.
const stepped = 50 * time.Millisecond

// wall watches the wall clock against the monotonic one, which the time of
// every reading holds both of.
type wall struct {
	clock driver.Clock
	ahead func() time.Duration // of the wall clock, against when the run began
	last  time.Duration
	steps []world.Step
}

func newWall(c driver.Clock, ahead func() time.Duration) *wall {
	if ahead == nil {
		ahead = func() time.Duration {
			now, start := time.Now(), c.Time(0)
			return now.Round(0).Sub(start.Round(0)) - now.Sub(start)
		}
	}
	return &wall{clock: c, ahead: ahead, last: ahead()}
}

func (w *wall) check() {
	ahead := w.ahead()
	if by := ahead - w.last; by > stepped || -by > stepped {
		w.steps = append(w.steps, world.Step{At: w.clock.Now(), By: int64(by)})
	}
	w.last = ahead
}
