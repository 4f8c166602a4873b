package driver

import (
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/world"
)

// Clock is the time of a live run: nanoseconds on the monotonic clock since it
// was made, with the wall clock beside it. Copies agree. A step of the wall
// clock changes no instant of this process, and is followed where instants of
// others are told from what their clocks say.
type Clock struct {
	start    time.Time
	wall     *wall
	anchored bool
}

// NewClock makes a clock that begins now.
func NewClock() Clock {
	start := time.Now()
	return newClock(start, func() time.Duration {
		now := time.Now()
		return now.Round(0).Sub(start.Round(0)) - now.Sub(start)
	})
}

// SteppedClock is one for tests, whose wall clock is ahead of the monotonic one
// by what the function says.
func SteppedClock(ahead func() time.Duration) Clock { return newClock(time.Now(), ahead) }

func newClock(start time.Time, ahead func() time.Duration) Clock {
	w := &wall{ahead: ahead, told: ahead()}
	w.stretches = []stretch{{ahead: w.told}}
	return Clock{start: start, wall: w}
}

// Anchored is the same clock for stamps of a host that is compared with this
// one by probes: they begin at the wall time of its start and go by the
// monotonic clock, so that a step here is none of theirs.
func (c Clock) Anchored() Clock {
	c.anchored = true
	return c
}

// Now is the current instant.
func (c Clock) Now() int64 { return int64(time.Since(c.start)) }

// At is the instant of a time. Of one that this process read it is exact. Of
// one that another wrote, it is by the wall clock of this host as it was then;
// where that clock was set back, so that it told a time twice, the later
// instant is meant.
func (c Clock) At(t time.Time) int64 {
	if c.anchored || t != t.Round(0) {
		return int64(t.Sub(c.start))
	}
	return c.wall.at(int64(t.Sub(c.start.Round(0))), c.Now())
}

// Time is the time of an instant.
func (c Clock) Time(at int64) time.Time { return c.start.Add(time.Duration(at)) }

// Steps are the jumps of the wall clock since they were last asked for.
func (c Clock) Steps() []world.Step {
	c.wall.mu.Lock()
	defer c.wall.mu.Unlock()
	c.wall.look(c.Now())
	out := c.wall.steps
	c.wall.steps = nil
	return out
}

// Look notices a jump of the wall clock. The oftener it is called, the nearer
// is the instant that is told of it.
func (c Clock) Look() {
	c.wall.mu.Lock()
	defer c.wall.mu.Unlock()
	c.wall.look(c.Now())
}

const (
	// jump is the smallest step that is told. Slewing is none: the monotonic
	// clock goes along with it.
	jump = 50 * time.Millisecond
	// noise is how far readings of both clocks may differ with no step between
	// them.
	noise = 5 * time.Millisecond
	// coarse is how far a stamp may be from its instant: some programs write
	// whole seconds, and other hosts' clocks may be ahead.
	coarse = int64(time.Second)
	// remembered bounds the memory of a clock that never comes to rest.
	remembered = 1024
)

// wall watches the wall clock against the monotonic one.
type wall struct {
	mu        sync.Mutex
	ahead     func() time.Duration // of the wall clock, against when the run began
	seen      int64                // when it was looked at last
	stretches []stretch            // never empty; the last one is now
	told      time.Duration        // ahead when a step was told last
	steps     []world.Step
}

// stretch is a time in which the wall clock was not stepped. Where it ends and
// the next one begins is known no better than it was looked at, so they overlap.
type stretch struct {
	from, until int64
	ahead       time.Duration
}

func (w *wall) look(now int64) {
	last := &w.stretches[len(w.stretches)-1]
	ahead := w.ahead()
	if (ahead - last.ahead).Abs() > noise {
		ahead = w.ahead() // between its two halves the first reading may have been held up
	}
	if (ahead - last.ahead).Abs() > noise {
		last.until = now
		w.stretches = append(w.stretches, stretch{from: w.seen, ahead: ahead})
		if n := len(w.stretches); n > remembered {
			w.stretches = append(w.stretches[:0], w.stretches[n-remembered:]...)
		}
		if by := ahead - w.told; by.Abs() > jump {
			w.steps = append(w.steps, world.Step{At: now, By: int64(by)})
			w.told = ahead
		}
	}
	w.seen = now
}

// at is the instant of a wall time: the one that lies in the stretch by whose
// clock it was read. Of several the latest is meant, and of none the nearest.
func (w *wall) at(wall, now int64) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look(now)
	w.stretches[len(w.stretches)-1].until = now
	var at, far int64
	for i := len(w.stretches) - 1; i >= 0; i-- {
		s := w.stretches[i]
		here := wall - int64(s.ahead)
		off := max(s.from-coarse-here, here-s.until-coarse, 0)
		if i == len(w.stretches)-1 || off < far {
			at, far = here, off
		}
		if far == 0 {
			break
		}
	}
	return at
}
