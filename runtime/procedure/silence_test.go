package procedure_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// mute opens worlds whose deployment answers nothing between two instants of
// some segments, and whose detector notices nothing of it.
type mute struct {
	world.Factory
	when     func(segment string) bool
	from, to int64
	missed   *world.Missed // that the next commit tells
}

func (f mute) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &muteWorld{World: w, Offering: w.(world.Offering), f: f, on: f.when(s.Name)}, err
}

type muteWorld struct {
	world.World
	world.Offering
	f            mute
	on           bool
	began, width int64
}

func (w *muteWorld) Count(width int64) {
	w.began, w.width = w.Now(), width
	w.Offering.Count(width)
}

// Answered implements world.Answering: a window has answers where part of it
// lies outside of the silence.
func (w *muteWorld) Answered() []int64 {
	var out []int64
	for at := w.began; at+w.width <= w.Now(); at += w.width {
		n := int64(10)
		if w.on && at >= w.f.from && at+w.width <= w.f.to {
			n = 0
		}
		out = append(out, n)
	}
	return out
}

// Missed implements world.Missing.
func (w *muteWorld) Missed() world.Missed {
	if w.f.missed == nil {
		return world.Missed{}
	}
	m := *w.f.missed
	*w.f.missed = world.Missed{}
	return m
}

// TestSilentWindowsDoNotCount wants windows without an answer to be on record
// and to be made up for: the deployment was down, and a detector had nothing to
// speak falsely of.
func TestSilentWindowsDoNotCount(t *testing.T) {
	p := observation()
	minute, window := int64(exact.Minute), int64(p.Declaration.Load.Points[0].Window)
	f := mute{Factory: live{factory(t, p)}, when: func(name string) bool { return strings.HasSuffix(name, "false detection 2") }, from: 4 * minute, to: 8*minute + window/2}
	m, o := run(t, p, f)
	if !o.Complete {
		t.Fatal(o)
	}
	var sum int64
	records := records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)
	for i, r := range records {
		a := r.Answered
		if a == nil || a.Width != window || a.N != (r.To-r.From)/window || (r.To-r.From)%window != 0 {
			t.Fatalf("%d: %+v", i, a)
		}
		if r.Blind != a.Silence() || r.Unknown != "" {
			t.Errorf("%d: %+v, %+v", i, r, a)
		}
		// A window that the silence covers in part holds answers.
		if want := 4 * minute / window; i == 2 && (a.Silent < want-1 || a.Silent > want) || i != 2 && a.Silent != 0 {
			t.Errorf("%d: %d windows are silent", i, a.Silent)
		}
		sum += r.Observed()
	}
	if sum != 95*minute || len(records) != 10 {
		t.Errorf("%s were observed in %d stretches", exact.Duration(sum), len(records))
	}
	resumedAlike(t, "silence", p, f, m, o)
}

// TestBlindAndSilentOverlap wants time that is blind for two reasons to be
// subtracted once.
func TestBlindAndSilentOverlap(t *testing.T) {
	p := observation()
	minute := int64(exact.Minute)
	in := func(name string) bool { return strings.HasSuffix(name, "false detection 0") }
	// The detector cannot be asked from 3 to 6 minutes, and nothing is answered
	// from 4 to 8: together from 3 to 8.
	f := both{mute{Factory: live{factory(t, p)}, when: in, from: 4 * minute, to: 8 * minute}, 3 * minute, 6 * minute}
	m, _ := run(t, p, f)
	r := records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)[0]
	slack := int64(p.Declaration.Load.Points[0].Window) + 10*int64(exact.Second)
	if r.Blind < 5*minute-slack || r.Blind > 5*minute+slack || r.Answered.Silence() > 4*minute || r.Answered.Silence() < 4*minute-slack || r.Unknown == "" {
		t.Errorf("blind for %s, silent for %s", exact.Duration(r.Blind), exact.Duration(r.Answered.Silence()))
	}
}

// both is mute and deaf.
type both struct {
	mute
	from, to int64
}

func (f both) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.mute.Open(ctx, s, sink)
	m := w.(*muteWorld)
	return &bothWorld{muteWorld: m, deaf: deafWorld{World: m.World, f: deaf{from: f.from, to: f.to}, on: m.on}}, err
}

type bothWorld struct {
	*muteWorld
	deaf deafWorld
}

func (w *bothWorld) Detector(ctx context.Context) (detector.State, error) {
	return w.deaf.Detector(ctx)
}

// TestSilentForEver ends short of the period where the deployment is down for
// good, and says so.
func TestSilentForEver(t *testing.T) {
	p := observation()
	minute := int64(exact.Minute)
	m, o := run(t, p, mute{Factory: live{factory(t, p)}, when: func(name string) bool { return strings.Contains(name, "false detection") }, from: 0, to: 1000 * minute})
	if o.Complete || !strings.HasPrefix(o.Reason, "FD-5.4-4") || !strings.Contains(o.Reason, "no request was answered") || strings.Contains(o.Reason, "could not be read") {
		t.Error(o)
	}
	var counted int64
	for _, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
		counted += r.Observed()
	}
	if counted != 0 {
		t.Errorf("%s count", exact.Duration(counted))
	}
}

// TestMissedIsCommitted wants what was missed of the detector in the commit of
// its segment, and no member where nothing was.
func TestMissedIsCommitted(t *testing.T) {
	p := observation()
	missed := &world.Missed{Malformed: 3, Gap: 7}
	m, _ := run(t, p, mute{Factory: live{factory(t, p)}, when: func(string) bool { return false }, missed: missed})
	n := 0
	for i, k := range m.kinds {
		if k != journal.KindCommit {
			continue
		}
		if n++; strings.Contains(string(m.data[i]), "missed") != (n == 1) {
			t.Errorf("%s", m.data[i])
		}
	}
	if c := records[journal.Commit](t, m, journal.KindCommit)[0]; c.Missed == nil || *c.Missed != (journal.Missed{Malformed: 3, Gap: 7}) {
		t.Errorf("%+v", c)
	}
}

// TestStretchesAreThePlans counts the stretches and their gates, and holds them
// against what the plan's budget counts with.
func TestStretchesAreThePlans(t *testing.T) {
	for _, c := range []struct{ least, gate exact.Duration }{
		{95 * exact.Minute, 0},
		{100 * exact.Minute, 0},
		{100*exact.Minute + 1, 0},
		{3 * exact.Hour, 25 * exact.Minute}, // a gate longer than ten minutes, and no whole number of windows
	} {
		p := observation()
		p.Declaration.FalseDetection.AtLeast = c.least
		p.Declaration.Quiet.AtLeast = max(p.Declaration.Quiet.AtLeast, c.gate+exact.Second)
		m, o := run(t, p, live{factory(t, p)})
		if !o.Complete {
			t.Fatal(o)
		}
		stretches, gates, phase := 0, 0, ""
		var length exact.Duration
		for i, k := range m.kinds {
			switch k {
			case journal.KindSegment:
				phase = string(m.data[i])
			case journal.KindQuiet:
				if strings.Contains(phase, `"false_detection"`) {
					gates++
				}
			case journal.KindFalseDetection:
				stretches++
			}
		}
		for _, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
			length += exact.Duration(r.To - r.From)
		}
		n, want := p.Stretches(0, c.least)
		if got := fmt.Sprint(stretches, gates, length); got != fmt.Sprint(n, n, want) || n < 2 {
			t.Errorf("at least %s: %s, and the plan counts %d stretches and as many gates, %s", c.least, got, n, want)
		}
	}
}
