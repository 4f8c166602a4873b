package driver

import (
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/world"
)

// settable is a clock whose monotonic side is moved by hand too.
type settable struct {
	Clock
	now, ahead time.Duration
}

func newSettable() *settable {
	s := &settable{}
	s.Clock = newClock(time.Now(), func() time.Duration { return s.ahead })
	return s
}

// pass lets time pass, and looks at the clock afterwards.
func (s *settable) pass(d time.Duration) {
	s.now += d
	s.wall.mu.Lock()
	s.wall.look(int64(s.now))
	s.wall.mu.Unlock()
}

// stamp is what another process writes down now.
func (s *settable) stamp() time.Time { return s.start.Round(0).Add(s.now + s.ahead) }

func (s *settable) at(t time.Time) time.Duration {
	return time.Duration(s.wall.at(int64(t.Sub(s.start.Round(0))), int64(s.now)))
}

// TestForeignStamps follows the wall clock over steps: what another process of
// this host stamped is told as the instant at which it did so.
func TestForeignStamps(t *testing.T) {
	for _, steps := range [][]time.Duration{
		{}, {30 * time.Second}, {-20 * time.Second}, {time.Hour, -time.Hour}, {-20 * time.Second, -time.Minute, time.Hour, 200 * time.Millisecond},
		{-time.Minute, -time.Minute, -time.Minute}, {40 * time.Millisecond, 40 * time.Millisecond, 40 * time.Millisecond, 40 * time.Millisecond},
	} {
		s := newSettable()
		told, sum := 0, time.Duration(0)
		for _, by := range append(steps, 0) {
			s.pass(3 * time.Minute)
			before, was := s.stamp(), s.now
			s.pass(time.Second)
			s.ahead += by
			if sum += by; sum.Abs() > jump {
				told++
				sum = 0
			}
			// The step is not noticed yet.
			s.now += 300 * time.Millisecond
			if got, want := s.at(s.stamp()), s.now; got != want {
				t.Errorf("%v: a stamp just after the step of %s is told %s off", steps, by, got-want)
			}
			if by >= 0 && by.Abs() > jump || by < -2*time.Second {
				if got := s.at(before); got != was {
					t.Errorf("%v: a stamp before the step of %s is told %s off", steps, by, got-was)
				}
			}
			s.pass(10 * time.Second)
			late := s.stamp()
			s.pass(5 * time.Second)
			if got, want := s.at(late), s.now-5*time.Second; got != want {
				t.Errorf("%v: a stamp after the step of %s is told %s off", steps, by, got-want)
			}
			if got, want := s.at(s.stamp().Add(100*time.Millisecond)), s.now+100*time.Millisecond; got != want {
				t.Errorf("%v: a stamp that is a little ahead is told %s off", steps, got-want)
			}
			if got, want := s.at(s.stamp().Add(-500*time.Millisecond)), s.now-500*time.Millisecond; got != want {
				t.Errorf("%v: a stamp in whole seconds is told %s off", steps, got-want)
			}
		}
		if got, want := s.at(s.start.Round(0).Add(-5*time.Hour)), -5*time.Hour; got != want {
			t.Errorf("%v: a stamp of before the run is told %s off", steps, got-want)
		}
		if len(s.wall.steps) != told {
			t.Errorf("%v: told as %v", steps, s.wall.steps)
		}
	}
}

// TestSteps tells jumps, and no reading that was held up.
func TestSteps(t *testing.T) {
	s := newSettable()
	for _, x := range []struct {
		ahead time.Duration
		by    []int64
	}{{0, nil}, {50 * time.Millisecond, nil}, {101 * time.Millisecond, []int64{101e6}}, {101 * time.Millisecond, nil}, {-time.Hour, []int64{int64(-time.Hour) - 101e6}}} {
		s.ahead = x.ahead
		s.pass(time.Second)
		got := s.Steps()
		if len(got) != len(x.by) || len(got) == 1 && got[0].By != x.by[0] {
			t.Errorf("%s ahead: %+v, want %v", x.ahead, got, x.by)
		}
	}

	held := true
	c := newClock(time.Now(), func() time.Duration {
		held = !held
		return map[bool]time.Duration{true: time.Second}[held]
	})
	c.Look()
	if steps := c.Steps(); len(steps) > 0 {
		t.Errorf("a reading that was held up is told as %+v", steps)
	}

	system := NewClock()
	system.Look()
	if steps := system.Steps(); len(steps) > 0 {
		t.Errorf("the clock of this machine: %+v", steps)
	}
}

// TestManySteps bounds what is kept of a clock that never comes to rest.
func TestManySteps(t *testing.T) {
	s := newSettable()
	for i := range 3 * remembered {
		s.ahead += time.Duration(1+i) * time.Second
		s.pass(time.Second)
	}
	if n := len(s.wall.stretches); n > remembered {
		t.Errorf("%d stretches are kept", n)
	}
	if got := s.at(s.stamp()); got != s.now {
		t.Errorf("a stamp of now is told %s off", got-s.now)
	}
}

// TestClock has one clock for what this process read and, where it is anchored,
// for what another host did.
func TestClock(t *testing.T) {
	var mu sync.Mutex
	ahead := time.Duration(0)
	c := SteppedClock(func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return ahead
	})
	mu.Lock()
	ahead = time.Hour
	mu.Unlock()
	now := time.Now()
	if got, want := c.At(now), int64(now.Sub(c.Time(0))); got != want {
		t.Errorf("a reading of this process is told %d ns off", got-want)
	}
	foreign := now.Round(0)
	if got, want := c.Anchored().At(foreign), c.At(now); got < want-1e6 || got > want+1e6 {
		t.Errorf("another host's stamp is told %d ns off", got-want)
	}
	if got, want := c.At(foreign.Add(time.Hour)), c.At(now); got < want-1e6 || got > want+1e6 {
		t.Errorf("another process's stamp is told %d ns off", got-want)
	}
	if steps := c.Anchored().Steps(); len(steps) != 1 || steps[0] != (world.Step{At: steps[0].At, By: int64(time.Hour)}) {
		t.Errorf("%+v", steps)
	}
}

// TestSameStamp has one instant for one stamp, however often it is asked for.
func TestSameStamp(t *testing.T) {
	c := NewClock()
	foreign := time.Now().Round(0)
	for range 10000 {
		if a, b := c.At(foreign), c.At(foreign); a != b {
			t.Fatalf("told as %d and as %d", a, b)
		}
	}
}
