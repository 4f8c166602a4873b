package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/live/livetest"
	"github.com/fdbench/fdbench/runtime/procedure"
)

// memory is a journal that can be read again, and that can act on what is
// written into it.
type memory struct {
	kinds []string
	data  [][]byte
	hear  func(kind string, data any) error
}

func (m *memory) Append(kind string, data any) error {
	if m.hear != nil {
		if err := m.hear(kind, data); err != nil {
			return err
		}
	}
	b, err := json.Marshal(data)
	m.kinds, m.data = append(m.kinds, kind), append(m.data, b)
	return err
}

func (m *memory) Sync() error { return nil }

func records[T any](t testing.TB, m *memory, kind string) []T {
	t.Helper()
	var out []T
	for i, k := range m.kinds {
		if k == kind {
			var v T
			if err := json.Unmarshal(m.data[i], &v); err != nil {
				t.Fatal(err)
			}
			out = append(out, v)
		}
	}
	return out
}

// series runs a bench's plan with a journal, and closes what it started.
func series(t *testing.T, b *livetest.Bench, m *memory, options ...func(*live.Options)) (procedure.Outcome, error) {
	t.Helper()
	f := b.Factory(t, t.TempDir(), options...)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := procedure.Run(t.Context(), b.Plan, f, m, nil, nil)
	if cerr := f.Close(); cerr != nil {
		t.Error(cerr)
	}
	if t.Failed() || testing.Verbose() {
		for i, k := range m.kinds {
			t.Logf("%s %s", k, m.data[i])
		}
	}
	return o, err
}

// once calls a function the first time that an entry of a kind is written.
func once(kind string, f func()) func(string, any) error {
	var o sync.Once
	return func(k string, _ any) error {
		if k == kind {
			o.Do(f)
		}
		return nil
	}
}

// TestEngineDies lets the engine cut all connections in the middle of a trial
// and come back: the trial is discarded and repeated.
func TestEngineDies(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short)
	m := &memory{hear: once(journal.KindApply, func() {
		time.AfterFunc(300*time.Millisecond, func() { b.Dead.Store(true) })
		time.AfterFunc(2*time.Second, func() { b.Dead.Store(false) })
	})}
	o, err := series(t, b, m)
	if err != nil || !o.Complete {
		t.Fatal(o, err)
	}
	trials := records[journal.TrialRecord](t, m, journal.KindTrial)
	first := trials[0]
	if first.Kept || first.Discard != "observation_gap" || first.Verification.Lost == 0 {
		t.Errorf("%+v", first)
	}
	if first.Traffic == nil || len(first.Traffic.Failures) == 0 || first.Traffic.Sent == 0 {
		t.Errorf("%+v", first.Traffic)
	}
	kept := 0
	for _, r := range trials {
		if r.Kept {
			kept++
		}
	}
	if kept != 2 || len(trials) < 3 {
		t.Errorf("%d of %d trials were kept", kept, len(trials))
	}
}

// TestEngineStaysDead wants the series to stop, with the reason, when the
// longest quiet period is over.
func TestEngineStaysDead(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short, func(p *plan.Plan) { p.Declaration.Quiet.AtMost = 16 * livetest.Scale })
	m := &memory{hear: once(journal.KindApply, func() { b.Dead.Store(true) })}
	o, err := series(t, b, m)
	if err != nil || o.Complete || !strings.HasPrefix(o.Reason, "FD-4.3-3") {
		t.Fatal(o, err)
	}
	if r := records[journal.TrialRecord](t, m, journal.KindTrial); len(r) != 1 || r[0].Kept {
		t.Errorf("%+v", r)
	}
}

// TestDiskFull wants a run that cannot write to stop with the fault removed
// and nothing half written.
func TestDiskFull(t *testing.T) {
	for _, kind := range []string{journal.KindApply, journal.KindTrial, journal.KindCommit} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := livetest.New(t, 1, livetest.Short)
			dir, applied := t.TempDir(), false
			m := &memory{hear: func(k string, _ any) error {
				applied = applied || k == journal.KindApply
				if k == kind && applied {
					return syscall.ENOSPC
				}
				return nil
			}}
			d := b.Drivers(t)
			f := b.With(t, d, dir)
			if err := f.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			before, _ := d.Apparatus.Configuration(t.Context())
			if _, err := procedure.Run(t.Context(), b.Plan, f, m, nil, nil); !errors.Is(err, syscall.ENOSPC) {
				t.Error(err)
			}
			if after, _ := d.Apparatus.Configuration(t.Context()); after != before {
				t.Error("the fault is still applied")
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, live.RawDir, ".tmp-*")); len(left) > 0 {
				t.Errorf("%q", left)
			}
			if files, _ := os.ReadDir(filepath.Join(dir, live.RawDir)); kind != journal.KindCommit && len(files) != 1 {
				t.Errorf("%d files of raw stamps, and only the baseline was complete", len(files))
			}
		})
	}
}

// TestDetectorDown lets the detector not tell its state for a while: that is no
// rest, and no end.
func TestDetectorDown(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short)
	var back time.Time
	m := &memory{hear: once(journal.KindTrial, func() {
		b.Detector.Down(errors.New("connection refused"))
		back = time.Now().Add(1500 * time.Millisecond)
		time.AfterFunc(1500*time.Millisecond, func() { b.Detector.Down(nil) })
	})}
	applied := 0
	hear := m.hear
	m.hear = func(k string, d any) error {
		if k == journal.KindApply && !back.IsZero() {
			if applied++; time.Now().Before(back) {
				t.Error("a fault was applied while the detector's state was not known")
			}
		}
		return hear(k, d)
	}
	if o, err := series(t, b, m); err != nil || !o.Complete || applied == 0 {
		t.Fatal(o, err, applied)
	}
	waited := false
	for _, q := range records[journal.QuietRecord](t, m, journal.KindQuiet) {
		waited = waited || len(q.Waited) > 0 && q.Waited[len(q.Waited)-1] == "detector"
	}
	if !waited {
		t.Error("no quiet period waited for the detector")
	}
}

func TestDetectorStaysDown(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short, func(p *plan.Plan) { p.Declaration.Quiet.AtMost = 6 * livetest.Scale })
	m := &memory{hear: once(journal.KindTrial, func() { b.Detector.Down(errors.New("connection refused")) })}
	o, err := series(t, b, m)
	// By chance the indicator is not back either at the very end.
	both := strings.HasPrefix(o.Reason, "FD-4.3-3") && strings.Contains(o.Reason, "refusal_rate, detector")
	if err != nil || o.Complete || !both && (!strings.HasPrefix(o.Reason, "FD-4.3-4") || !strings.Contains(o.Reason, "connection refused")) {
		t.Fatal(o, err)
	}
	if q := records[journal.QuietRecord](t, m, journal.KindQuiet); q[len(q)-1].Unknown == "" || q[len(q)-1].Reached {
		t.Errorf("%+v", q[len(q)-1])
	}
}

// TestStops lets something change that must not.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		change     func(*livetest.Bench)
	}{
		{"the detector is configured anew", "FD-3.2-2", func(b *livetest.Bench) { b.Detector.Reconfigure("2") }},
		{"a cache answers", "FD-3.3-7", func(b *livetest.Bench) { b.Cache.Store(true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := livetest.New(t, 2, livetest.Short)
			m := &memory{hear: once(journal.KindApply, func() { c.change(b) })}
			o, err := series(t, b, m)
			if err != nil || o.Complete || !strings.HasPrefix(o.Reason, c.rule) {
				t.Fatal(o, err)
			}
			if r := records[journal.TrialRecord](t, m, journal.KindTrial); len(r) != 1 {
				t.Errorf("%d trials", len(r))
			}
		})
	}
}

// TestOutOfReach plans a magnitude that no share of the responses gives: its
// combination is not run, the other one is.
func TestOutOfReach(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 1, livetest.Short, func(p *plan.Plan) {
		far := p.Combinations.Trials[0]
		far.ID, far.Magnitude = 1, exact.MustParse("1.5")
		p.Combinations.Trials = append(p.Combinations.Trials, far)
	})
	m := &memory{}
	o, err := series(t, b, m)
	if err != nil || o.Complete || !strings.HasPrefix(o.Reason, "FD-5.1-8") || !strings.Contains(o.Reason, "out of reach") {
		t.Fatal(o, err)
	}
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		if r.Combination != 0 {
			t.Errorf("%+v", r)
		}
	}
	if v := records[journal.Violation](t, m, journal.KindViolation); len(v) != 1 || v[0].Rule != "FD-5.1-8" {
		t.Errorf("%+v", v)
	}
}

// TestClockStepped steps the wall clock while a fault is applied, by which the
// detector stamps. Where the emitter's stamps decide, the trial is repeated;
// where the receiver's do, it is not, since they are monotonic. Either way no
// detection is lost, then or later, since the stamps are read by the clock as it
// is.
func TestClockStepped(t *testing.T) {
	for _, clock := range []string{"receiver", "emitter"} {
		for _, by := range []time.Duration{5 * time.Second, -5 * time.Second} {
			t.Run(clock+" "+by.String(), func(t *testing.T) {
				t.Parallel()
				b := livetest.New(t, 1, livetest.Short, func(p *plan.Plan) { p.Declaration.Signal.EventClock = clock })
				var shift atomic.Int64
				ahead := func() time.Duration { return time.Duration(shift.Load()) }
				b.Detector.Ahead = ahead
				m := &memory{hear: once(journal.KindApply, func() { shift.Store(int64(by)) })}
				o, err := series(t, b, m, func(o *live.Options) { o.Clock = driver.SteppedClock(ahead) })
				if err != nil || !o.Complete {
					t.Fatal(o, err)
				}
				for i, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
					if i == 0 != (len(r.Steps) == 1 && r.Steps[0].By == int64(by)) || i > 0 && len(r.Steps) > 0 {
						t.Errorf("%s: %+v", r.Trial, r.Steps)
					}
					if want := map[string]string{"emitter": "harness_failure"}[clock]; i == 0 && r.Discard != want && r.Discard != "load_violation" && r.Discard != "magnitude" {
						t.Errorf("discarded for %q, want %q", r.Discard, want)
					}
					if r.Purpose == "trials" && (!r.Detected || r.Early > 0 || r.Latency <= 0) {
						t.Errorf("%s: detected %t after %s, %d early", r.Trial, r.Detected, r.Latency, r.Early)
					}
				}
			})
		}
	}
}

// TestSilentDetector wants a trial that nobody signals to last until its
// timeout, and to be kept.
func TestSilentDetector(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 1, livetest.Short)
	b.Detector.Silence(true)
	m := &memory{}
	if o, err := series(t, b, m); err != nil || !o.Complete {
		t.Fatal(o, err)
	}
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		if r.Detected || r.RemovalAsked-r.Onset != int64(b.Plan.Combinations.Trials[0].Timeout) {
			t.Errorf("%+v", r)
		}
	}
}

// TestInterrupted cancels a run while a fault is applied.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 1, livetest.Short)
	ctx, cancel := context.WithCancel(t.Context())
	m := &memory{hear: once(journal.KindApply, func() { time.AfterFunc(200*time.Millisecond, cancel) })}
	d := b.Drivers(t)
	f := b.With(t, d, "")
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	before, _ := d.Apparatus.Configuration(t.Context())
	if _, err := procedure.Run(ctx, b.Plan, f, m, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if after, _ := d.Apparatus.Configuration(t.Context()); after != before {
		t.Error("the fault is still applied")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestDetectorDownWithoutAFault lets the detector not tell its state during the
// observation of false detections: that time does not count, and is made up for.
func TestDetectorDownWithoutAFault(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short, func(p *plan.Plan) { p.Phases = append(p.Phases, plan.Phase{Kind: "false_detection"}) })
	observing, down := false, false
	m := &memory{hear: func(kind string, data any) error {
		if s, ok := data.(journal.Segment); ok {
			observing = s.Phase == "false_detection"
		}
		if kind == journal.KindQuiet && observing && !down {
			down = true
			b.Detector.Down(errors.New("connection refused"))
			time.AfterFunc(time.Duration(livetest.Scale), func() { b.Detector.Down(nil) })
		}
		return nil
	}}
	if o, err := series(t, b, m); err != nil || !o.Complete || !down {
		t.Fatal(o, err, down)
	}
	var counted, blind, sent int64
	stretches := records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)
	for _, r := range stretches {
		counted, blind = counted+r.Observed(), blind+r.Blind
		if r.Traffic == nil || r.Traffic.Sent != r.Requests || r.Requests == 0 {
			t.Errorf("%d requests, traffic %+v", r.Requests, r.Traffic)
		} else {
			sent += r.Traffic.Sent
		}
	}
	if len(stretches) < 2 || blind < int64(livetest.Scale)/2 || counted < int64(b.Plan.Declaration.FalseDetection.AtLeast) || stretches[0].Unknown != "connection refused" {
		t.Errorf("%d stretches, %d ns count, %d do not, %d requests: %+v", len(stretches), counted, blind, sent, stretches)
	}
}

// TestEngineDownWithoutAFault lets the deployment answer nothing during the
// observation of false detections: the detector had nothing to speak of, so that
// the windows without an answer do not count, and are made up for.
func TestEngineDownWithoutAFault(t *testing.T) {
	t.Parallel()
	b := livetest.New(t, 2, livetest.Short, func(p *plan.Plan) {
		p.Phases = append(p.Phases, plan.Phase{Kind: "false_detection"})
		p.Declaration.FalseDetection.AtLeast = 8 * livetest.Scale
	})
	observing, down := false, false
	m := &memory{hear: func(kind string, data any) error {
		if s, ok := data.(journal.Segment); ok {
			observing = s.Phase == "false_detection"
		}
		if kind == journal.KindQuiet && observing && !down {
			down = true
			time.AfterFunc(time.Duration(livetest.Scale), func() { b.Dead.Store(true) })
			time.AfterFunc(4*time.Duration(livetest.Scale), func() { b.Dead.Store(false) })
		}
		return nil
	}}
	if o, err := series(t, b, m); err != nil || !o.Complete || !down {
		t.Fatal(o, err, down)
	}
	var counted int64
	stretches := records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)
	for _, r := range stretches {
		counted += r.Observed()
		if a := r.Answered; a == nil || a.Width != int64(livetest.Scale) || a.N != (r.To-r.From)/a.Width || r.Blind != a.Silence() || r.Unknown != "" {
			t.Errorf("%+v, %+v", r, r.Answered)
		}
	}
	first := stretches[0]
	if len(stretches) < 2 || first.Answered.Silent < 1 || first.Answered.Silent > 4 || counted < int64(b.Plan.Declaration.FalseDetection.AtLeast) ||
		len(first.Traffic.Failures) == 0 {
		t.Errorf("%d stretches, %d ns count: %+v, %+v", len(stretches), counted, first.Answered, first.Traffic)
	}
}
