package procedure_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/procedure"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

var small = setup{classes: 2, magnitudes: []string{"0.05", "0.3"}, profiles: []plan.Profile{step, ramp}, loads: []string{"10", "40"},
	trials: 5, attempts: 12, verify: 150 * exact.Second, search: true, masking: true}

func TestSeriesIsComplete(t *testing.T) {
	p := small.build()
	m, o := run(t, p, factory(t, p))
	if !o.Complete {
		t.Fatalf("incomplete: %s", o.Reason)
	}
	trials := records[journal.TrialRecord](t, m, journal.KindTrial)
	per := map[int]int{}
	for _, r := range kept(trials, journal.PurposeTrials) {
		per[r.Combination]++
	}
	for _, c := range p.Combinations.Trials {
		if per[c.ID] != c.Trials {
			t.Errorf("combination %d has %d kept trials, want %d", c.ID, per[c.ID], c.Trials)
		}
	}
	if n := len(kept(trials, journal.PurposeSham)); n != 2*5 {
		t.Errorf("%d sham trials, want 10", n)
	}
	if n := len(kept(trials, journal.PurposeMasking)); n != 2*5 {
		t.Errorf("%d masking trials, want 10", n)
	}
	if m.kinds[len(m.kinds)-1] != journal.KindClose || m.synced != len(m.kinds) {
		t.Error("the journal does not end with a synced close")
	}
}

// TestTrialRules holds every trial against sections 3.4, 4.3 and 5.1.
func TestTrialRules(t *testing.T) {
	p := small.build()
	m, _ := run(t, p, factory(t, p))
	detected := map[string]int{}
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		point := p.Declaration.Load.Points[r.Load]
		timeout := int64(point.Timeout)
		for _, c := range p.Combinations.Trials {
			if c.ID == r.Combination && r.Purpose == journal.PurposeTrials {
				timeout = int64(c.Timeout)
			}
		}
		if r.Purpose == journal.PurposeSham {
			continue
		}
		if keep := stats.KeepMagnitude(r.Magnitude, r.Verification.Achieved); keep != r.Kept {
			t.Errorf("%s: achieved %s of %s, kept: %t (%s)", r.Trial, r.Verification.Achieved, r.Magnitude, r.Kept, r.Discard)
		}
		if want := point.Rate.Mul(point.Verification.Seconds()); exact.Int(r.Verification.N).Sub(want).Abs().Cmp(exact.Int(1)) > 0 {
			t.Errorf("%s: verified over %d requests, want %s", r.Trial, r.Verification.N, want)
		}
		if r.Detected {
			event := r.Event.At - r.Onset
			if event <= 0 || event > timeout || r.Event.At < r.FirstAffected || int64(r.Latency) != event {
				t.Errorf("%s: event %d ns after onset, first change %d, timeout %d, latency %s", r.Trial, event, r.FirstAffected-r.Onset, timeout, r.Latency)
			}
			if r.Magnitude.Cmp(exact.MustParse("0.3")) == 0 {
				detected[r.Class]++
			}
			if r.Event.Labels["indicator"] != "indicator"+r.Class[len("class"):] {
				t.Errorf("%s: attributed to a signal of %s", r.Trial, r.Event.Labels["indicator"])
			}
		}
		if hold := r.RemovalAsked - r.Onset; hold > timeout || hold < min(timeout, r.Plateau-r.Onset+int64(point.Verification)) {
			t.Errorf("%s: held for %d ns with a timeout of %d", r.Trial, hold, timeout)
		}
		if r.Detected == false && r.RemovalAsked-r.Onset != timeout {
			t.Errorf("%s: undetected, but removed %d ns after onset", r.Trial, r.RemovalAsked-r.Onset)
		}
	}
	if detected["class0"] == 0 || detected["class1"] == 0 {
		t.Error("a rise of 0.3 over an alert at 0.08 was never detected")
	}
}

func TestMaskingFindsTheGuardrail(t *testing.T) {
	p := small.build()
	m, _ := run(t, p, factory(t, p))
	for load := range p.Declaration.Load.Points {
		var values []exact.Number
		for _, r := range kept(records[journal.TrialRecord](t, m, journal.KindTrial), journal.PurposeMasking) {
			if v := r.Verification; r.Load == load {
				values = append(values, stats.Masking(exact.Frac(v.Injected-v.Before, v.N), exact.Frac(v.Observed-v.Before, v.N)))
			}
		}
		median, ok := stats.QuantileNumbers(values, 1, 2)
		if got := median.Float64(); !ok || got < 0.33 || got > 0.47 {
			t.Errorf("load %d: masking %.3f, the guardrail masks 0.4", load, got)
		}
	}
}

func TestFalseDetectionLastsAsLongAsFaults(t *testing.T) {
	p := small.build()
	m, _ := run(t, p, factory(t, p))
	for load := range p.Declaration.Load.Points {
		var under, observed int64
		for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
			if r.Load == load && r.Purpose != journal.PurposeSham {
				under += r.Removed - r.Requested
			}
		}
		for _, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
			if r.Load == load {
				observed += r.To - r.From
			}
		}
		if observed < under || observed > under+8 {
			t.Errorf("load %d: observed %d ns without a fault for %d ns with one", load, observed, under)
		}
	}
}

func TestSearchEndsAtItsResolution(t *testing.T) {
	p := small.build()
	m, _ := run(t, p, factory(t, p))
	last := map[int]journal.SearchStep{}
	for _, s := range records[journal.SearchStep](t, m, journal.KindSearchStep) {
		last[s.Search] = s
	}
	for _, q := range p.Combinations.Searches {
		s := last[q.ID]
		if s.Status != "found" || s.Upper.Sub(*s.Lower).Cmp(q.Resolution) >= 0 {
			t.Errorf("search %d ended as %+v", q.ID, s)
		}
		// The alert fires above 0.08 from a baseline of 0.02.
		if u := s.Upper.Float64(); u < 0.03 || u > 0.12 {
			t.Errorf("search %d: threshold magnitude %.4f", q.ID, u)
		}
	}
}

// TestEveryApplicationIsAnnounced wants an apply entry before each trial's own.
func TestEveryApplicationIsAnnounced(t *testing.T) {
	p := small.build()
	m, _ := run(t, p, factory(t, p))
	announced := ""
	for i, k := range m.kinds {
		switch k {
		case journal.KindApply:
			announced = records[journal.ApplyRecord](t, &memory{kinds: m.kinds[i : i+1], data: m.data[i : i+1]}, k)[0].Trial
		case journal.KindTrial:
			r := records[journal.TrialRecord](t, &memory{kinds: m.kinds[i : i+1], data: m.data[i : i+1]}, k)[0]
			if r.Purpose != journal.PurposeSham && r.Trial != announced {
				t.Fatalf("trial %q follows the announcement of %q", r.Trial, announced)
			}
		}
	}
}

// serial hides how many worlds may be open at once, and takes the path of a
// real world through the journal.
type serial struct{ world.Factory }

func (serial) Parallel() int { return 1 }

func TestSameBytesOnOneCoreAndMany(t *testing.T) {
	p := small.build()
	many, _ := run(t, p, factory(t, p))
	one, _ := run(t, p, serial{factory(t, p)})
	if !bytes.Equal(many.bytes(), one.bytes()) {
		t.Fatal("the journal depends on the number of worlds")
	}
}

// TestResumeGivesTheSameBytes cuts the journal after every commit and goes on.
func TestResumeGivesTheSameBytes(t *testing.T) {
	s := small
	s.magnitudes, s.profiles = s.magnitudes[1:], s.profiles[:1]
	p := s.build()
	whole, _ := run(t, p, factory(t, p))
	for i, k := range whole.kinds {
		if k != journal.KindCommit && k != journal.KindClose {
			continue
		}
		part := &memory{kinds: append([]string(nil), whole.kinds[:i+1]...), data: append([][]byte(nil), whole.data[:i+1]...)}
		h := procedure.NewHistory()
		for j := range part.kinds {
			if err := h.Add(part.kinds[j], part.data[j]); err != nil {
				t.Fatal(err)
			}
		}
		o, err := procedure.Run(context.Background(), p, factory(t, p), part, h, nil)
		if err != nil || !o.Complete {
			t.Fatalf("resumed after entry %d: %+v, %v", i, o, err)
		}
		if !bytes.Equal(part.bytes(), whole.bytes()) {
			t.Fatalf("resumed after entry %d, the journal differs", i)
		}
	}
}

// TestQuietThatNeverComesEndsTheSeries uses a detector that never clears.
func TestQuietThatNeverComesEndsTheSeries(t *testing.T) {
	s := small
	s.options = []func(*plan.Plan){func(p *plan.Plan) {
		p.Declaration.Detector.Alerts[0].KeepFiring = 100 * exact.Hour
	}}
	p := s.build()
	for _, f := range []world.Factory{factory(t, p), serial{factory(t, p)}} {
		m, o := run(t, p, f)
		if o.Complete || !strings.HasPrefix(o.Reason, "FD-4.3-4") || !strings.Contains(o.Reason, "Highindicator0") {
			t.Errorf("outcome %+v", o)
		}
		closing := records[journal.Close](t, m, journal.KindClose)
		if len(closing) != 1 || closing[0].Status != "incomplete" {
			t.Errorf("closed as %+v", closing)
		}
	}
}

func TestInterruptedRunIsNotClosed(t *testing.T) {
	p := small.build()
	// On one core a factory is serial, and the segment that was interrupted
	// has entries behind the last commit; resuming cuts them off.
	for _, f := range []world.Factory{factory(t, p), serial{factory(t, p)}} {
		ctx, cancel := context.WithCancel(context.Background())
		m := &memory{}
		n := 0
		_, err := procedure.Run(ctx, p, f, m, nil, func(procedure.Event) {
			if n++; n == 5 {
				cancel()
			}
		})
		if err == nil {
			t.Fatal("no error")
		}
		if !slices.Contains(m.kinds, journal.KindCommit) || slices.Contains(m.kinds, journal.KindClose) {
			t.Errorf("the journal has %q", m.kinds)
		}
	}
}

// TestDiscardedTrialsAreRepeated makes the verification so short that most
// applications miss the magnitude, and gives few attempts.
func TestDiscardedTrialsAreRepeated(t *testing.T) {
	s := small
	s.search, s.masking, s.loads, s.magnitudes, s.verify = false, false, []string{"2"}, []string{"0.05"}, 60*exact.Second
	s.attempts = 40
	p := s.build()
	m, o := run(t, p, factory(t, p))
	trials := records[journal.TrialRecord](t, m, journal.KindTrial)
	discarded := 0
	for _, r := range trials {
		if r.Discard == "magnitude" {
			discarded++
		}
	}
	if discarded == 0 || !o.Complete {
		t.Errorf("%d discarded, outcome %+v", discarded, o)
	}
	s.attempts = 5
	if _, o := run(t, s.build(), factory(t, p)); o.Complete || o.Reason[:8] != "FD-5.1-8" {
		t.Errorf("with five attempts for five trials: %+v", o)
	}
}

func TestOnsetsAreSpreadOverTheCycle(t *testing.T) {
	s := small
	s.search, s.masking, s.trials, s.loads = false, false, 20, []string{"20"}
	s.attempts = 40
	s.options = []func(*plan.Plan){func(p *plan.Plan) { p.Declaration.Detector.Windows = "tumbling" }}
	p := s.build()
	m, _ := run(t, p, factory(t, p))
	strata := map[int]map[int64]bool{}
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		if r.Purpose == journal.PurposeTrials && r.Attempt <= 20 {
			if strata[r.Combination] == nil {
				strata[r.Combination] = map[int64]bool{}
			}
			strata[r.Combination][r.Phase*20/int64(15*exact.Second)] = true
		}
	}
	for c, seen := range strata {
		if len(seen) != 20 {
			t.Errorf("combination %d: onsets in %d of 20 strata", c, len(seen))
		}
	}
}

// TestSearchDownward looks for the smallest fall of a rate that an alert on
// low values notices.
func TestSearchDownward(t *testing.T) {
	s := small
	s.masking, s.classes, s.magnitudes, s.loads = false, 1, []string{"0.3"}, []string{"20"}
	s.options = []func(*plan.Plan){func(p *plan.Plan) {
		valid, bound := exact.MustParse("0.95"), exact.MustParse("0.8")
		d := &p.Declaration
		d.Serving.Behaviours[0].Rate = &valid
		d.FaultClasses[0].Direction = "down"
		d.Detector.Alerts[0].Comparator, d.Detector.Alerts[0].Threshold = "below", &bound
		for i := range p.Combinations.Trials {
			c := &p.Combinations.Trials[i]
			c.Magnitude, c.Fraction = c.Magnitude.Neg(), c.Magnitude.Div(valid)
		}
		q := &p.Combinations.Searches[0]
		q.Upper, q.Largest, q.PerUnit = exact.MustParse("-0.4"), valid.Neg(), exact.Int(-1).Div(valid)
	}}
	p := s.build()
	m, o := run(t, p, factory(t, p))
	steps := records[journal.SearchStep](t, m, journal.KindSearchStep)
	last := steps[len(steps)-1]
	if !o.Complete || last.Status != "found" {
		t.Fatalf("%+v, search %+v", o, last)
	}
	if u := last.Upper.Float64(); u > -0.1 || u < -0.25 {
		t.Errorf("threshold magnitude %.4f for an alert 0.15 below the baseline", u)
	}
	if last.Upper.Cmp(*last.Lower) >= 0 || last.Lower.Sub(*last.Upper).Cmp(exact.MustParse("0.01")) >= 0 {
		t.Errorf("bounds %s and %s", last.Lower, last.Upper)
	}
}

// searchOnly is a series with one search and its own detector and bounds.
func searchOnly(change func(*plan.Plan, *plan.Search)) *plan.Plan {
	s := small
	s.masking, s.classes, s.magnitudes, s.profiles, s.loads = false, 1, []string{"0.3"}, []plan.Profile{step}, []string{"20"}
	s.options = []func(*plan.Plan){func(p *plan.Plan) { change(p, &p.Combinations.Searches[0]) }}
	return s.build()
}

// TestSearchBounds walks through the ways in which a search can end. The alert
// fires above 0.08 from a baseline of 0.02.
func TestSearchBounds(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*plan.Plan, *plan.Search)
		status string
		roles  []string // of the first steps
		tested bool     // the last step rests on trials
	}{
		{"literal lower that meets the target", func(_ *plan.Plan, q *plan.Search) {
			q.Floor, q.Lower = false, exact.MustParse("0.2")
		}, "found", []string{"upper", "lower", "lower", "midpoint"}, true},
		{"literal lower below two deviations", func(_ *plan.Plan, q *plan.Search) {
			q.Floor, q.Lower = false, exact.MustParse("0.0001")
		}, "below_floor", []string{"upper", "lower"}, false},
		{"upper not met", func(_ *plan.Plan, q *plan.Search) {
			q.Upper = exact.MustParse("0.03")
		}, "above_bound", []string{"upper"}, true},
		{"silent baseline", func(p *plan.Plan, q *plan.Search) {
			zero, bound := exact.Number{}, exact.MustParse("0.05")
			p.Declaration.Serving.Behaviours[0].Rate = &zero
			p.Declaration.Detector.Alerts[0].Threshold = &bound
			q.PerUnit, q.Largest = exact.Int(1), exact.Int(1)
		}, "found", []string{"upper", "lower", "midpoint"}, true},
	} {
		p := searchOnly(c.change)
		m, o := run(t, p, factory(t, p))
		steps := records[journal.SearchStep](t, m, journal.KindSearchStep)
		if !o.Complete || len(steps) < len(c.roles) {
			t.Errorf("%s: %+v after %d steps", c.name, o, len(steps))
			continue
		}
		last := steps[len(steps)-1]
		if last.Status != c.status || (last.Trials > 0) != c.tested {
			t.Errorf("%s: ended as %+v", c.name, last)
		}
		for i, role := range c.roles {
			if steps[i].Role != role {
				t.Errorf("%s: step %d is %q, want %q", c.name, i, steps[i].Role, role)
			}
		}
		if c.status == "found" && (last.Upper.Float64() < 0.01 || last.Upper.Float64() > 0.12) {
			t.Errorf("%s: threshold magnitude %s", c.name, last.Upper)
		}
	}
}

// TestZeroMagnitudeAppliesNothing holds the trials of a search's zero bound to
// be without a fault.
func TestZeroMagnitudeAppliesNothing(t *testing.T) {
	p := searchOnly(func(p *plan.Plan, q *plan.Search) {
		zero := exact.Number{}
		p.Declaration.Serving.Behaviours[0].Rate = &zero
		q.PerUnit, q.Largest = exact.Int(1), exact.Int(1)
	})
	m, _ := run(t, p, factory(t, p))
	zeros := 0
	for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
		if r.Purpose == journal.PurposeSearch && r.Magnitude.Sign() == 0 {
			zeros++
			if r.FirstAffected != -1 || r.Verification.N != 0 || r.Detected || !r.Kept {
				t.Errorf("%s: %+v", r.Trial, r)
			}
		}
	}
	if zeros != 5 {
		t.Errorf("%d trials at magnitude 0, want 5", zeros)
	}
}

// TestFalseDetectionsOfEveryDeclaredFault counts what an attribution that reads
// the profile would give to some fault of the plan, and to which class.
func TestFalseDetectionsOfEveryDeclaredFault(t *testing.T) {
	counts := map[string]int{}
	for _, condition := range []string{"", " and fault.profile == \"step\"", " and fault.profile == \"pulse 1m\""} {
		s := small
		s.search, s.masking, s.loads, s.trials, s.profiles = false, false, []string{"2"}, 3, s.profiles[:1]
		s.attempts = 60
		s.options = []func(*plan.Plan){func(p *plan.Plan) {
			p.Declaration.Signal.Attribution += condition
			p.Declaration.FalseDetection.AtLeast = 24 * exact.Hour
		}}
		p := s.build()
		m, _ := run(t, p, factory(t, p))
		for _, r := range records[journal.FalseDetectionRecord](t, m, journal.KindFalseDetection) {
			counts[condition] += r.Count
			by := 0
			for _, c := range r.Classes {
				by += c.Count
			}
			if by != r.Count || len(r.Classes) != 2 {
				t.Errorf("%q: %d emissions, by class %+v", condition, r.Count, r.Classes)
			}
		}
	}
	plain, own, other := counts[""], counts[" and fault.profile == \"step\""], counts[" and fault.profile == \"pulse 1m\""]
	if plain == 0 || own == 0 || other != 0 {
		t.Errorf("%d false detections, %d with the plan's profile, %d with another", plain, own, other)
	}
}

// TestBaselineOverOwnWindows wants a second indicator's long window not to
// change how the first one varies.
func TestBaselineOverOwnWindows(t *testing.T) {
	s := small
	s.search, s.masking, s.loads = false, false, []string{"10"}
	s.options = []func(*plan.Plan){func(p *plan.Plan) {
		d := &p.Declaration
		d.Detector.Indicators[1].Window.Duration = 5 * exact.Minute
		d.Detector.Indicators[0].Sampling = exact.MustParse("0.1")
		d.Load.Points[0].Window, d.Load.Points[0].Baseline = 5*exact.Minute, exact.Hour
		d.Quiet.AtLeast = 20 * exact.Minute
	}}
	p := s.build()
	m, _ := run(t, p, factory(t, p))
	for _, b := range records[journal.BaselineRecord](t, m, journal.KindBaseline)[0].Indicators {
		width, n := int64(15*exact.Second), 240
		if b.Indicator == "indicator1" {
			width, n = int64(5*exact.Minute), 12
		}
		if b.Width != width || len(b.Windows) != n {
			t.Errorf("%s at the %s point: %d windows of %d ns, want %d of %d", b.Indicator, b.Point, len(b.Windows), b.Width, n, width)
		}
		var responses int64
		for _, w := range b.Windows {
			responses += w[1]
		}
		want := int64(36000)
		if b.Indicator == "indicator0" && b.Point == "observation" {
			want = 3600
		}
		if responses < want-300 || responses > want+300 {
			t.Errorf("%s at the %s point: %d responses, want about %d", b.Indicator, b.Point, responses, want)
		}
	}
}
