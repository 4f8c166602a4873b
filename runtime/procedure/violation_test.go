package procedure_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/procedure"
	"github.com/fdbench/fdbench/runtime/world"
	"github.com/fdbench/fdbench/spec"
)

// tampered opens worlds that say something else of themselves than they are.
type tampered struct {
	world.Factory
	read    func(s world.Segment, n int, r *world.Readback) // the n-th reading of a segment, from 0
	applied func(s world.Segment, a *world.Applied)
	offered func(s world.Segment, n int, counts []int64) []int64 // of the n-th trial of a segment, from 0
}

func (f tampered) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &tamperedWorld{World: w, f: f, s: s}, err
}

type tamperedWorld struct {
	world.World
	f         tampered
	s         world.Segment
	n, counts int
}

func (w *tamperedWorld) ReadBack(ctx context.Context) (world.Readback, error) {
	r, err := w.World.ReadBack(ctx)
	if w.f.read != nil {
		w.f.read(w.s, w.n, &r)
	}
	w.n++
	return r, err
}

func (w *tamperedWorld) Applied() world.Applied {
	a := w.World.Applied()
	if w.f.applied != nil {
		w.f.applied(w.s, &a)
	}
	return a
}

func (w *tamperedWorld) Count(width int64) { w.World.(world.Offering).Count(width) }

func (w *tamperedWorld) Offered() []int64 {
	counts := w.World.(world.Offering).Offered()
	if w.f.offered != nil {
		counts = w.f.offered(w.s, w.counts, counts)
	}
	w.counts++
	return counts
}

var plain = setup{classes: 1, magnitudes: []string{"0.3"}, profiles: []plan.Profile{step}, loads: []string{"10", "40"}, trials: 4, attempts: 12,
	verify: 150 * exact.Second}

// from tampers with the readings of trial segments, from the n-th on.
func from(n int, change func(*world.Readback)) func(world.Segment, int, *world.Readback) {
	return func(s world.Segment, i int, r *world.Readback) {
		if s.Phase == "trials" && s.Load == 1 && i >= n {
			change(r)
		}
	}
}

// TestStopsTheSeries lets something change at a certain reading or response.
// A segment is read at its beginning (0), and for each trial before it (1),
// after it (2) and after its quiet period (3).
func TestStopsTheSeries(t *testing.T) {
	detectorChanges := func(r *world.Readback) { r.Detector = "sha256:other" }
	for _, c := range []struct {
		name     string
		f        tampered
		rule     string
		applied  int    // how many faults of the second load's trials were announced
		moment   string // of the reading on record, "" for none but those at the beginnings
		baseline int    // baselines on record
	}{
		{"another detector from the start", tampered{read: func(_ world.Segment, _ int, r *world.Readback) { r.Detector = "sha256:other" }},
			"FD-3.2-1", 0, "begin", 0},
		{"another population from the start", tampered{read: func(_ world.Segment, _ int, r *world.Readback) { r.Population = "sha256:other" }},
			"FD-3.3-2", 0, "begin", 0},
		{"another deployment from the start", tampered{read: func(_ world.Segment, _ int, r *world.Readback) { r.Serving = "sha256:other" }},
			"FD-3.4-3", 0, "begin", 0},
		{"the detector, between segments", tampered{read: from(0, detectorChanges)}, "FD-3.2-2", 0, "begin", 2},
		{"the detector, before a trial", tampered{read: from(1, detectorChanges)}, "FD-3.2-2", 0, "before", 2},
		{"the detector, during a trial", tampered{read: from(2, detectorChanges)}, "FD-3.2-2", 1, "after", 2},
		{"the detector, during a quiet period", tampered{read: from(3, detectorChanges)}, "FD-3.2-2", 1, "after", 2},
		{"the detector, before the second trial", tampered{read: from(4, detectorChanges)}, "FD-3.2-2", 1, "before", 2},
		{"the detector can no longer be read", tampered{read: from(4, func(r *world.Readback) { r.Detector = "" })}, "FD-3.2-2", 1, "before", 2},
		{"the population", tampered{read: from(2, func(r *world.Readback) { r.Population = "sha256:other" })}, "FD-3.3-2", 1, "after", 2},
		{"the fault stays", tampered{read: from(2, func(r *world.Readback) { r.Serving = "sha256:other" })}, "FD-3.4-3", 1, "after", 2},
		{"the deployment, before a trial", tampered{read: from(1, func(r *world.Readback) { r.Serving = "sha256:other" })}, "FD-3.4-3", 0, "before", 2},
		{"a marker", tampered{applied: func(s world.Segment, a *world.Applied) {
			if s.Phase == "trials" && s.Load == 1 {
				a.Markers = []string{"x-fault-id"}
			}
		}}, "FD-3.4-4", 1, "", 2},
		{"a cached response", tampered{applied: func(s world.Segment, a *world.Applied) {
			if s.Phase == "trials" && s.Load == 1 {
				a.Cached = 1
			}
		}}, "FD-3.3-7", 1, "", 2},
	} {
		p := plain.build()
		c.f.Factory = factory(t, p)
		m, o := run(t, p, c.f)
		if o.Complete || !strings.HasPrefix(o.Reason, c.rule+": ") {
			t.Errorf("%s: %+v", c.name, o)
		}
		broken := records[journal.Violation](t, m, journal.KindViolation)
		if len(broken) != 1 || broken[0].Rule != c.rule || broken[0].Effect != string(spec.Stops) || broken[0].Subject == "" ||
			o.Reason != broken[0].Rule+": "+broken[0].Detail {
			t.Errorf("%s: violations %+v, reason %s", c.name, broken, o.Reason)
		}
		n := 0
		for _, a := range applicationsAt(t, m, 1) {
			n += a
		}
		if n != c.applied {
			t.Errorf("%s: %d faults were announced at the second load, want %d", c.name, n, c.applied)
		}
		if n := len(records[journal.BaselineRecord](t, m, journal.KindBaseline)); n != c.baseline {
			t.Errorf("%s: %d baselines, want %d", c.name, n, c.baseline)
		}
		moment := ""
		for _, r := range records[journal.Readback](t, m, journal.KindReadback) {
			if r.Detector == "sha256:other" || r.Detector == "" || r.Serving == "sha256:other" || r.Population == "sha256:other" {
				moment = r.Moment
				if (r.Trial == "") != (r.Moment == journal.ReadAtBegin) {
					t.Errorf("%s: reading %+v", c.name, r)
				}
			}
		}
		if moment != c.moment {
			t.Errorf("%s: the other reading is on record %q, want %q", c.name, moment, c.moment)
		}
		one, oo := run(t, p, serial{c.f})
		if !bytes.Equal(one.bytes(), m.bytes()) || oo != o {
			t.Errorf("%s: one core gives another journal than many", c.name)
		}
		resumedAlike(t, c.name, p, c.f, m, o)
	}
}

// applicationsAt counts the announced faults of trials at a load, by segment.
func applicationsAt(t *testing.T, m *memory, load int) map[string]int {
	t.Helper()
	out := map[string]int{}
	segments, applied := records[journal.Segment](t, m, journal.KindSegment), 0
	at := -1
	for _, k := range m.kinds {
		switch k {
		case journal.KindSegment:
			at++
		case journal.KindApply:
			if s := segments[at]; s.Load == load && s.Phase == "trials" {
				out[s.Name]++
			}
			applied++
		}
	}
	return out
}

// resumedAlike cuts a journal after each commit and goes on to the same bytes.
func resumedAlike(t *testing.T, name string, p *plan.Plan, f world.Factory, whole *memory, want procedure.Outcome) {
	t.Helper()
	for i, k := range whole.kinds {
		if k != journal.KindCommit {
			continue
		}
		part := &memory{kinds: append([]string(nil), whole.kinds[:i+1]...), data: append([][]byte(nil), whole.data[:i+1]...)}
		h := procedure.NewHistory()
		for j := range part.kinds {
			if err := h.Add(part.kinds[j], part.data[j]); err != nil {
				t.Fatal(err)
			}
		}
		o, err := procedure.Run(context.Background(), p, f, part, h, nil)
		if err != nil || o != want || !bytes.Equal(part.bytes(), whole.bytes()) {
			t.Errorf("%s: resumed after entry %d of %d: %+v, %v", name, i, len(whole.kinds), o, err)
			return
		}
	}
}

// TestEveryTrialIsReadTwice wants each trial to stand between two readings, and
// no entry for readings that do not differ.
func TestEveryTrialIsReadTwice(t *testing.T) {
	p := plain.build()
	reads := map[string]int{}
	f := tampered{Factory: serial{factory(t, p)}, read: func(s world.Segment, n int, _ *world.Readback) { reads[s.Name] = n + 1 }}
	m, o := run(t, p, f)
	if !o.Complete {
		t.Fatal(o)
	}
	segments, trials := records[journal.Segment](t, m, journal.KindSegment), map[string]int{}
	at := -1
	for _, k := range m.kinds {
		switch k {
		case journal.KindSegment:
			at++
		case journal.KindTrial:
			trials[segments[at].Name]++
		}
	}
	for _, s := range segments {
		if want := 1 + 3*trials[s.Name]; reads[s.Name] != want {
			t.Errorf("%s: %d readings for %d trials", s.Name, reads[s.Name], trials[s.Name])
		}
	}
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		v := r.Verification
		if r.Readbacks != 2 || v.ObservedFrom != v.From || v.ObservedTo != v.To || v.ObservedN != v.N {
			t.Errorf("%s: %+v", r.Trial, r)
		}
	}
	want := f.Declared()
	readings := records[journal.Readback](t, m, journal.KindReadback)
	if len(readings) != len(segments) {
		t.Errorf("%d readings on record for %d segments", len(readings), len(segments))
	}
	for _, r := range readings {
		if r != (journal.Readback{Moment: journal.ReadAtBegin, Detector: want.Detector, Serving: want.Serving, Population: want.Population}) {
			t.Errorf("reading %+v", r)
		}
	}
	for _, b := range records[journal.BaselineRecord](t, m, journal.KindBaseline) {
		if b.Environment != plan.EnvironmentDigest(p) || b.Indicators[0].Method == "" || b.Indicators[0].Method != b.Indicators[1].Method {
			t.Errorf("baseline of %s, by %q and %q", b.Environment, b.Indicators[0].Method, b.Indicators[1].Method)
		}
	}
}

// unread cannot tell from a plan what to expect, as a live world cannot.
type unread struct{ world.Factory }

func (unread) Declared() world.Readback { return world.Readback{} }

// TestUnreadableParts lets a world that cannot be read run, and one that reads
// differently at its second load not.
func TestUnreadableParts(t *testing.T) {
	p := plain.build()
	silent := tampered{Factory: factory(t, p), read: func(_ world.Segment, _ int, r *world.Readback) { r.Detector, r.Serving = "", "" }}
	for _, f := range []world.Factory{silent, unread{silent}, unread{factory(t, p)}} {
		if _, o := run(t, p, f); !o.Complete {
			t.Errorf("%T: %+v", f, o)
		}
	}
	for rule, change := range map[string]func(*world.Readback){
		"FD-3.2-2": func(r *world.Readback) { r.Detector = "sha256:other" },
		"FD-3.3-2": func(r *world.Readback) { r.Population = "sha256:other" },
		"FD-3.4-3": func(r *world.Readback) { r.Serving = "sha256:other" },
	} {
		f := unread{tampered{Factory: factory(t, p), read: func(s world.Segment, _ int, r *world.Readback) {
			if s.Load == 1 {
				change(r)
			}
		}}}
		m, o := run(t, p, f)
		broken := records[journal.Violation](t, m, journal.KindViolation)
		if o.Complete || len(broken) != 1 || broken[0].Rule != rule || broken[0].Subject != "40 req/s" || len(records[journal.ApplyRecord](t, m, journal.KindApply)) > 0 {
			t.Errorf("%s: %+v, violations %+v", rule, o, broken)
		}
		resumedAlike(t, rule, p, f, m, o)
	}
}

// TestQuietAndBaselineViolations wants what ends a series at its gates on
// record under its own rule.
func TestQuietAndBaselineViolations(t *testing.T) {
	for _, c := range []struct {
		rule string
		with func(*plan.Plan)
		f    func(world.Factory) world.Factory
	}{
		{"FD-4.3-4", func(p *plan.Plan) { p.Declaration.Detector.Alerts[0].KeepFiring = 100 * exact.Hour }, nil},
		{"FD-4.2-2", func(p *plan.Plan) {
			for i := range p.Declaration.Load.Points {
				p.Declaration.Load.Points[i].Rate = exact.MustParse("0.0001")
			}
		}, nil},
		{"FD-4.3-3", nil, func(f world.Factory) world.Factory { return drifting{f} }},
	} {
		s := plain
		if c.with != nil {
			s.options = []func(*plan.Plan){c.with}
		}
		p := s.build()
		f := factory(t, p)
		if c.f != nil {
			f = c.f(f)
		}
		m, o := run(t, p, f)
		broken := records[journal.Violation](t, m, journal.KindViolation)
		if len(broken) != 1 || broken[0].Rule != c.rule || broken[0].Effect != string(spec.Stops) || o.Reason != c.rule+": "+broken[0].Detail {
			t.Errorf("%s: violations %+v, %+v", c.rule, broken, o)
		}
		resumedAlike(t, c.rule, p, f, m, o)
	}
}

// drifting is a factory of worlds whose indicators do not come back after the
// baseline.
type drifting struct{ world.Factory }

func (f drifting) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	if s.Phase == "baseline" {
		return w, err
	}
	return &drifted{w}, err
}

type drifted struct{ world.World }

func (w *drifted) Windows(point, indicator int) []world.Window {
	windows := append([]world.Window(nil), w.World.Windows(point, indicator)...)
	for i := range windows {
		windows[i].Sum = windows[i].N / 2
	}
	return windows
}

// TestShortfalls wants what a series did not get within its attempts on record
// before it is closed, each under its own rule, and the rest of the series run.
func TestShortfalls(t *testing.T) {
	never := func(s world.Segment, a *world.Applied) { a.Injected = a.Before }
	only := func(phase string, f func(world.Segment, *world.Applied)) func(world.Segment, *world.Applied) {
		return func(s world.Segment, a *world.Applied) {
			if s.Phase == phase {
				f(s, a)
			}
		}
	}
	crowd := func(s world.Segment, n int, counts []int64) []int64 {
		if s.Phase != "trials" || len(counts) == 0 {
			return counts
		}
		return append([]int64{2 * counts[0]}, counts[1:]...)
	}
	for _, c := range []struct {
		name, rule, reason string
		f                  tampered
		search, masking    bool
	}{
		{"no fault lands", "FD-3.4-8", "FD-5.1-8", tampered{applied: only("trials", never)}, false, false},
		{"no load is held", "FD-3.3-1", "FD-5.1-8", tampered{offered: crowd}, false, false},
		{"no masking trial lands", "FD-5.5-5", "FD-5.5-5", tampered{applied: only("masking", never)}, false, true},
		{"no trial of a search lands", "FD-5.3-6", "FD-5.3-6", tampered{applied: only("search", never)}, true, false},
	} {
		s := plain
		s.search, s.masking = c.search, c.masking
		p := s.build()
		c.f.Factory = factory(t, p)
		m, o := run(t, p, c.f)
		if o.Complete || !strings.HasPrefix(o.Reason, c.reason+": ") {
			t.Errorf("%s: %+v", c.name, o)
		}
		broken := records[journal.Violation](t, m, journal.KindViolation)
		if len(broken) != 2 {
			t.Errorf("%s: violations %+v, want one for each load", c.name, broken)
		}
		for _, v := range broken {
			if v.Rule != c.rule || v.Effect != string(spec.Marks) || !strings.Contains(v.Subject, "req/s") || !strings.Contains(v.Detail, "0 of 4 trials kept") {
				t.Errorf("%s: violation %+v", c.name, v)
			}
		}
		if n := len(m.kinds); m.kinds[n-1] != journal.KindClose || m.kinds[n-2] != journal.KindViolation || m.kinds[n-3] != journal.KindViolation {
			t.Errorf("%s: the journal ends with %q", c.name, m.kinds[n-3:])
		}
		if len(records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection)) == 0 {
			t.Errorf("%s: the series did not go on", c.name)
		}
		resumedAlike(t, c.name, p, c.f, m, o)
	}
}

// TestLoadOfWindows goes to the edges of the tolerances for one window: five
// percent of 10 req/s over 15 s are 7.5 requests.
func TestLoadOfWindows(t *testing.T) {
	for _, c := range []struct {
		count int64
		kept  bool
	}{{142, false}, {143, true}, {150, true}, {157, true}, {158, false}} {
		s := plain
		s.loads, s.trials, s.attempts = s.loads[:1], 1, 1
		p := s.build()
		f := tampered{Factory: factory(t, p), offered: func(s world.Segment, _ int, counts []int64) []int64 {
			if s.Phase == "trials" {
				counts = append([]int64(nil), counts...)
				counts[len(counts)-1] = c.count
			}
			return counts
		}}
		m, _ := run(t, p, f)
		for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
			if r.Purpose != journal.PurposeTrials {
				continue
			}
			w := r.Offered
			if r.Kept != c.kept || !c.kept && r.Discard != "load_violation" {
				t.Errorf("%d requests in a window: %+v, kept %t", c.count, w, r.Kept)
			}
			if w.N != (r.RemovalAsked-r.Onset)/w.Width || w.Width != int64(15*exact.Second) || w.Fewest > w.Most || c.count < 150 && w.Fewest != c.count || c.count > 150 && w.Most != c.count {
				t.Errorf("windows %+v", w)
			}
		}
	}
}

// onDisk is a journal that remembers how far it was synced.
type onDisk struct {
	memory
	behind func(kind string, unsynced int)
}

func (j *onDisk) Append(kind string, data any) error {
	j.behind(kind, len(j.kinds)-j.synced)
	return j.memory.Append(kind, data)
}

// live is a factory that says it is real.
type live struct{ world.Factory }

func (live) Virtual() bool { return false }
func (live) Parallel() int { return 1 }

// TestRealActsAreOnDisk wants an application, a trial and a violation of a real
// deployment synced before anything follows.
func TestRealActsAreOnDisk(t *testing.T) {
	p := plain.build()
	f := tampered{Factory: live{factory(t, p)}, read: from(2, func(r *world.Readback) { r.Detector = "sha256:other" })}
	j, last, checked := &onDisk{}, "", 0
	j.behind = func(kind string, unsynced int) {
		switch last {
		case journal.KindApply, journal.KindTrial, journal.KindViolation:
			if unsynced > 0 {
				t.Errorf("%q follows %q, and %d entries are not on disk", kind, last, unsynced)
			}
			checked++
		}
		last = kind
	}
	if o, err := procedure.Run(context.Background(), p, f, j, nil, nil); err != nil || !strings.HasPrefix(o.Reason, "FD-3.2-2") {
		t.Fatal(o, err)
	}
	if checked < 10 {
		t.Errorf("only %d entries were followed", checked)
	}
}
