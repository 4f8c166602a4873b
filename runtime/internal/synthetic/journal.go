package synthetic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/readback"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Record is one entry before it is written.
type Record struct {
	Kind string
	Data any // a pointer to the kind's type in package journal
}

// Case is a plan with the records of a run.
type Case struct {
	Plan    *plan.Plan
	Open    journal.Open
	Records []Record // after the opening entry
}

// New makes a case.
func New(o Options) *Case {
	p := Plan(o)
	c := &Case{Plan: p, Open: open(p, o.Time)}
	g := &generator{c: c, p: p, r: random.New("synthetic"), silent: o.Silent}
	var err error
	if g.reading, err = readback.Expected(p); err != nil {
		panic("synthetic: " + err.Error())
	}
	g.run()
	return c
}

// open is the first entry: in virtual time there is one host and no address,
// in real time everything is on loopback, and the two hosts are one where the
// plan says so.
func open(p *plan.Plan, time string) journal.Open {
	o := journal.Open{PlanDigest: p.Digest, Series: p.Series, Generation: 1, Time: "virtual", Engine: "synthetic/1",
		Onset: journal.OnsetClock{Source: "apparatus", Resolution: 1}, Hosts: journal.Hosts{Apparatus: "virtual", Detector: "virtual"},
		Targets: []journal.Target{}}
	if time != "real" {
		return o
	}
	o.Time = time
	o.Onset.Resolution = 41
	o.Hosts = journal.Hosts{Apparatus: "boot 6f1c0a", Detector: "boot 6f1c0a"}
	if p.Declaration.Environment.Clocks != "same_host" {
		o.Hosts.Detector = "boot 93d2e7"
	}
	o.Targets = []journal.Target{{Name: "serving.mixtral", Address: "127.0.0.1:8000"}, {Name: "apparatus.injector", Address: "127.0.0.1:8001"},
		{Name: "detector.alerts", Address: "127.0.0.1:9090"}}
	return o
}

// Each calls f for every record of a kind; T is the record's type.
func Each[T any](c *Case, f func(*T)) {
	for _, r := range c.Records {
		if v, ok := r.Data.(*T); ok {
			f(v)
		}
	}
}

// Drop removes the records for which f is true.
func (c *Case) Drop(f func(Record) bool) {
	kept := c.Records[:0]
	for _, r := range c.Records {
		if !f(r) {
			kept = append(kept, r)
		}
	}
	c.Records = kept
}

// Write writes the journal into dir, with the files that its commits name, and
// returns its bytes.
func (c *Case) Write(dir string) ([]byte, error) {
	path := filepath.Join(dir, "journal.jsonl")
	for _, r := range c.Records {
		if x, ok := r.Data.(*journal.Commit); ok && x.Raw != nil {
			name := filepath.Join(dir, filepath.FromSlash(x.Raw.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return nil, err
			}
			if err := os.WriteFile(name, rawText(x.Raw.Name), 0o666); err != nil {
				return nil, err
			}
		}
	}
	w, err := journal.Create(path, c.Open)
	if err != nil {
		return nil, err
	}
	for _, r := range c.Records {
		if err := w.Append(r.Kind, r.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// generator makes a run up: it keeps the procedure's order and knows nothing
// of detectors but that a larger fault is noticed sooner and more surely.
type generator struct {
	c        *Case
	p        *plan.Plan
	r        *random.Stream
	now      int64
	load     int
	segments int
	trials   int
	fault    int64 // time under fault at the load
	probes   int   // clock measurements at the load
	silent   bool
	reading  readback.Reading
}

func (g *generator) add(kind string, data any) { g.c.Records = append(g.c.Records, Record{kind, data}) }

func (g *generator) segment(phase, name string, body func()) {
	g.now = 0
	g.add(journal.KindSegment, &journal.Segment{ID: g.segments, Phase: phase, Load: g.load, Name: name})
	g.add(journal.KindReadback, &journal.Readback{Moment: journal.ReadAtBegin, Detector: g.reading.Detector, Serving: g.reading.Serving,
		Population: g.reading.Population})
	g.quiet()
	g.probe(phase)
	body()
	g.add(journal.KindCommit, &journal.Commit{ID: g.segments, At: g.now, Raw: g.raw(name)})
	g.segments++
}

// raw is the file of a segment's raw stamps, in real time.
func (g *generator) raw(segment string) *journal.RawFile {
	if g.c.Open.Time != "real" {
		return nil
	}
	name := fmt.Sprintf("requests/segment-%d.jsonl", g.segments)
	text := rawText(name)
	sum := sha256.Sum256(text)
	return &journal.RawFile{Name: name, SHA256: "sha256:" + hex.EncodeToString(sum[:]), Rows: int64(bytes.Count(text, []byte{'\n'}))}
}

// rawText is what stands in a file of raw stamps.
func rawText(name string) []byte {
	return fmt.Appendf(nil, "{\"n\":0,\"key\":%q}\n{\"n\":1,\"key\":%q}\n", name+" 0", name+" 1")
}

// traffic is how the requests of a trial were sent, in real time: each a little
// late, and one in a while without an answer. It differs from trial to trial.
func (g *generator) traffic(requests int64) *journal.TrafficRecord {
	if g.c.Open.Time != "real" {
		return nil
	}
	n := int64(g.trials)
	r := &journal.TrafficRecord{Sent: requests, LateP50: 20_000 + n%7, LateP99: 180_000 + n%11, LateMax: 950_000 + n%13}
	if n%10 == 3 {
		r.Failures = []journal.Failure{{Outcome: "timeout", N: 1}}
	}
	return r
}

// probe measures the offset of the two clocks: before the first trials of a
// load, between them, and after the last.
func (g *generator) probe(phase string) {
	if g.c.Open.Hosts.Apparatus == g.c.Open.Hosts.Detector || phase == "baseline" {
		return
	}
	moment := "between"
	switch {
	case phase == "false_detection":
		moment = "after"
	case g.probes == 0:
		moment = "before"
	}
	g.probes++
	delay, offset := int64(90_000)+int64(g.r.Below(20_000)), int64(40_000)-int64(g.r.Below(80_000))
	g.add(journal.KindClock, &journal.ClockRecord{At: g.now, Offset: offset, Delay: delay, Bound: max(offset, -offset) + (delay+1)/2,
		Method: "four stamps", Moment: moment})
}

func (g *generator) quiet() {
	from := g.now
	g.now += int64(10*exact.Minute) + int64(g.r.Below(5))*int64(exact.Minute)
	g.add(journal.KindQuiet, &journal.QuietRecord{Load: g.load, From: from, To: g.now, Reached: true, Waited: []string{}, Last: g.back()})
}

// back are windows of every affected indicator that lie at its baseline mean.
func (g *generator) back() []journal.QuietIndicator {
	out := []journal.QuietIndicator{}
	pt := g.p.Declaration.Load.Points[g.load]
	n, _ := pt.Rate.Mul(pt.Window.Seconds()).Int64()
	seen := map[string]bool{}
	for _, fc := range g.p.Declaration.FaultClasses {
		base := g.baselineOf(fc.Name, "observation")
		if seen[fc.Indicator] || base.Windows == 0 {
			continue
		}
		seen[fc.Indicator] = true
		sum, _ := base.Mean.Mul(exact.Int(n)).Round(0).Int64()
		q := journal.QuietIndicator{Indicator: fc.Indicator}
		for range g.p.Declaration.Quiet.Windows {
			q.Windows = append(q.Windows, journal.WindowSum{sum, n})
		}
		out = append(out, q)
	}
	return out
}

func (g *generator) run() {
	points := g.p.Declaration.Load.Points
	for g.load = range points {
		g.segment("baseline", fmt.Sprintf("load %d, baseline", g.load), g.baseline)
	}
	for g.load = range points {
		g.fault, g.probes = 0, 0
		if n := g.p.Declaration.Sham.Trials; n > 0 {
			g.segment("sham", fmt.Sprintf("load %d, sham", g.load), func() {
				for i := range n {
					g.trial(journal.TrialRecord{Purpose: journal.PurposeSham, Combination: -1, Search: -1, Attempt: i + 1,
						Class: g.p.Combinations.Searches[0].Class, Profile: "step"}, 0.02)
				}
			})
		}
		for _, t := range g.p.Combinations.Trials {
			if t.Load != g.load {
				continue
			}
			g.segment("trials", fmt.Sprintf("load %d, combination %d", g.load, t.ID), func() {
				base := journal.TrialRecord{Purpose: journal.PurposeTrials, Combination: t.ID, Search: -1, Class: t.Class,
					Profile: t.Profile.Name, Magnitude: t.Magnitude}
				g.until(base, t.Trials, int64(t.Profile.Ramp))
			})
		}
		for _, s := range g.p.Combinations.Searches {
			if s.Load == g.load {
				g.search(s)
			}
		}
		if m := g.p.Declaration.Masking; m != nil && g.p.Declaration.Environment.Position != "same" {
			for _, t := range m.Targets {
				g.segment("masking", fmt.Sprintf("load %d, masking %s", g.load, t.Class), func() {
					g.until(journal.TrialRecord{Purpose: journal.PurposeMasking, Combination: -1, Search: -1, Class: t.Class,
						Profile: "step", Magnitude: t.Magnitude}, m.Trials, 0)
				})
			}
		}
		g.segment("false_detection", fmt.Sprintf("load %d, false detection", g.load), g.falseDetection)
	}
	g.add(journal.KindClose, &journal.Close{Status: "complete"})
}

func (g *generator) baseline() {
	pt := g.p.Declaration.Load.Points[g.load]
	rec := &journal.BaselineRecord{Load: g.load, From: g.now, To: g.now + int64(pt.Baseline), Environment: plan.EnvironmentDigest(g.p)}
	rate, _ := pt.Rate.Int64()
	n := rate * int64(pt.Window/exact.Second)
	windows := int(pt.Baseline / pt.Window)
	for _, ind := range g.p.Declaration.Indicators {
		for _, point := range []string{"injection", "observation"} {
			b := journal.BaselineIndicator{Indicator: ind.Name, Point: point, Method: ind.Method(), Width: int64(pt.Window)}
			for range windows {
				sum := n/50 + int64(g.r.Below(uint64(n/100+2)))
				switch {
				case ind.Kind == "mean":
					sum = 120*n + int64(g.r.Below(uint64(n*2)))
				case g.silent:
					sum = 0
				}
				b.Windows = append(b.Windows, journal.WindowSum{sum, n})
			}
			rec.Indicators = append(rec.Indicators, b)
		}
	}
	rec.Requests = n * int64(windows)
	g.now = rec.To
	g.add(journal.KindBaseline, rec)
}

// until repeats a trial until enough are kept, and returns how many of them
// were detected.
func (g *generator) until(base journal.TrialRecord, count int, ramp int64) (detected int) {
	for kept, attempt := 0, 1; kept < count; attempt++ {
		if attempt > 10*count {
			panic(fmt.Sprintf("synthetic: no trial of %s %s is kept", base.Class, base.Magnitude))
		}
		base.Attempt = attempt
		chance := min(1, 6*base.Magnitude.Abs().Float64())
		t := g.trialRamp(base, chance, ramp)
		if t.Kept {
			kept++
			if t.Detected {
				detected++
			}
		}
	}
	return detected
}

func (g *generator) trial(base journal.TrialRecord, chance float64) *journal.TrialRecord {
	return g.trialRamp(base, chance, 0)
}

func (g *generator) trialRamp(t journal.TrialRecord, chance float64, ramp int64) *journal.TrialRecord {
	pt := g.p.Declaration.Load.Points[g.load]
	sham := t.Magnitude.Sign() == 0
	g.trials++
	t.Trial = fmt.Sprintf("trial %d", g.trials)
	t.Load = g.load
	t.Readbacks = 2
	t.Requested = g.now
	t.Onset = g.now
	t.Plateau = t.Onset + ramp
	t.FirstAffected = t.Onset + int64(exact.Second)
	if sham {
		t.FirstAffected = -1
	} else {
		g.add(journal.KindApply, &journal.ApplyRecord{Trial: t.Trial, Class: t.Class, Magnitude: t.Magnitude, Fraction: g.fraction(&t), At: g.now})
	}
	end := t.Onset + int64(pt.Timeout) + ramp
	if g.r.Float64() < chance {
		t.Detected = true
		t.Latency = exact.Duration(ramp/2) + 20*exact.Second + exact.Duration(g.r.Below(200))*exact.Second/4*5
		end = t.Onset + int64(t.Latency)
		t.Event = alert(alerts[t.Class], end)
	}
	rate, _ := pt.Rate.Int64()
	if !sham {
		end = max(end, t.Plateau+int64(pt.Verification))
		n := rate * int64(pt.Verification/exact.Second)
		moved, _ := t.Magnitude.Mul(exact.Int(n)).Int64()
		span := moved / 8
		if span < 0 {
			span = -span
		}
		moved += int64(g.r.Below(uint64(span+1))) - span/2
		pooled := g.baselineOf(t.Class, "injection").Pooled
		before, _ := pooled.Mul(exact.Int(n)).Int64()
		v := journal.Verification{From: t.Plateau, To: t.Plateau + int64(pt.Verification), N: n, Before: before, Injected: before + moved,
			Observed: before + moved*3/4 + int64(g.r.Below(3)), Method: g.p.Declaration.Apparatus.Verify,
			ObservedFrom: t.Plateau, ObservedTo: t.Plateau + int64(pt.Verification), ObservedN: n}
		v.Achieved = exact.Frac(v.Injected-v.Before, n)
		if v.Method != "paired" {
			v.Achieved = exact.Frac(v.Injected, n).Sub(pooled)
		}
		if g.r.Float64() < 0.05 { // an injection that missed
			v.Injected = before + moved/2
			v.Achieved = v.Achieved.Sub(exact.Frac(moved-moved/2, n))
		}
		if g.p.Declaration.Environment.Position == "same" {
			v.Observed = v.Injected
		}
		t.Verification = v
		t.Kept = stats.KeepMagnitude(t.Magnitude, v.Achieved)
		if !t.Kept {
			t.Discard = "magnitude"
		}
	} else {
		t.Kept = true
	}
	t.RemovalAsked, t.Removed = end, end
	if !sham {
		g.fault += t.Removed - t.Requested
	}
	t.Requests, _ = pt.Rate.Mul(exact.Duration(end - t.Onset).Seconds()).Int64()
	t.Offered = journal.OfferedWindows{Width: int64(pt.Window), N: (end - t.Onset) / int64(pt.Window)}
	if t.Offered.N > 0 {
		t.Offered.Fewest = rate * int64(pt.Window/exact.Second)
		t.Offered.Most = t.Offered.Fewest
	}
	t.Traffic = g.traffic(t.Requests)
	g.now = end
	g.add(journal.KindTrial, &t)
	g.quiet()
	return &t
}

// fraction is the share of responses that the plan changes for a trial.
func (g *generator) fraction(t *journal.TrialRecord) exact.Number {
	switch t.Purpose {
	case journal.PurposeTrials:
		return g.p.Combinations.Trials[t.Combination].Fraction
	case journal.PurposeSearch:
		return t.Magnitude.Mul(g.p.Combinations.Searches[t.Search].PerUnit)
	}
	return g.p.Declaration.Masking.Targets[0].Fraction
}

// alerts are what the detector raises for each fault class.
var alerts = map[string]string{"refusal": "RefusalsHigh", "verbosity_down": "AnswersShort"}

func alert(name string, at int64) *detector.Signal {
	return &detector.Signal{Type: "alert", Component: "detector", Status: "firing", StartsAt: at, EmittedAt: at, At: at,
		Labels: map[string]string{"alertname": name}}
}

// baselineOf is the baseline of a class's indicator at a point and this load.
func (g *generator) baselineOf(class, point string) stats.Baseline {
	name := ""
	for _, fc := range g.p.Declaration.FaultClasses {
		if fc.Name == class {
			name = fc.Indicator
		}
	}
	var ws []stats.Window
	Each(g.c, func(b *journal.BaselineRecord) {
		for _, ind := range b.Indicators {
			if b.Load == g.load && ind.Indicator == name && ind.Point == point {
				for _, w := range ind.Windows {
					ws = append(ws, stats.Window{Sum: w[0], N: w[1]})
				}
			}
		}
	})
	b, _ := stats.BaselineOf(ws)
	return b
}

// search walks through a whole binary search. It states the rule of section
// 5.3 a second time, from the text.
func (g *generator) search(s plan.Search) {
	floor := g.baselineOf(s.Class, "observation").Floor(6)
	if s.Upper.Sign() < 0 {
		floor = floor.Neg()
	}
	less := func(a, b exact.Number) bool { return a.Abs().Cmp(b.Abs()) < 0 }
	var lower, upper *exact.Number
	declared := !s.Floor
	for evaluation, status := 0, ""; status == ""; evaluation++ {
		step := &journal.SearchStep{Search: s.ID, Evaluation: evaluation}
		tested := true
		switch {
		case upper == nil:
			step.Role, step.Magnitude = "upper", s.Upper
		case lower == nil && declared:
			step.Role, step.Magnitude, declared = "lower", s.Lower, false
			tested = less(s.Lower, *upper) && !less(s.Lower, floor)
		case lower == nil:
			step.Role, step.Magnitude = "lower", floor
			tested = less(floor, *upper)
		default:
			step.Role, step.Magnitude = "midpoint", lower.Add(*upper).Div(exact.Int(2))
		}
		g.segment("search", fmt.Sprintf("load %d, search %d, evaluation %d", g.load, s.ID, evaluation), func() {
			if tested {
				step.Trials = s.Trials
				step.Detected = g.until(journal.TrialRecord{Purpose: journal.PurposeSearch, Combination: -1, Search: s.ID, Evaluation: evaluation,
					Class: s.Class, Profile: s.Profile.Name, Magnitude: step.Magnitude}, s.Trials, 0)
				step.Met = stats.MeetsTarget(step.Detected, step.Trials, s.Target)
			}
			switch {
			case !tested || step.Met && step.Role == "lower" && step.Magnitude.Cmp(floor) == 0:
				step.Status = "below_floor"
			case step.Role == "upper" && !step.Met:
				step.Status = "above_bound"
			case step.Met:
				upper = &step.Magnitude
			default:
				lower = &step.Magnitude
			}
			if lower != nil && upper != nil && upper.Sub(*lower).Abs().Cmp(s.Resolution) < 0 {
				step.Status = "found"
			}
			step.Lower, step.Upper, status = lower, upper, step.Status
			g.add(journal.KindSearchStep, step)
		})
	}
}

// falseDetection observes a few alerts, every third of which is a repetition.
func (g *generator) falseDetection() {
	span := max(g.fault, int64(g.p.Declaration.FalseDetection.AtLeast))
	rec := &journal.FalseDetectionRecord{Load: g.load, From: g.now, To: g.now + span,
		Classes: []journal.ClassCount{}, Events: []detector.Signal{}}
	seen := map[string]bool{}
	add := func(class string) {
		if !seen[class] {
			seen[class] = true
			rec.Classes = append(rec.Classes, journal.ClassCount{Class: class})
		}
	}
	for _, t := range g.p.Combinations.Trials {
		add(t.Class)
	}
	for _, s := range g.p.Combinations.Searches {
		add(s.Class)
	}
	if g.p.Declaration.Masking != nil {
		add("refusal")
	}
	n := 2 + g.r.Below(4)
	for i := range int64(n) {
		class := &rec.Classes[g.r.Below(uint64(len(rec.Classes)))]
		s := alert(alerts[class.Class], rec.From+(i+1)*(span/int64(n+1)))
		s.Repeat = i%3 == 2
		rec.Events = append(rec.Events, *s)
		rec.Count++
		class.Count++
		if !s.Repeat {
			rec.Edges++
			class.Edges++
		}
	}
	rec.Active = int64(rec.Count) * int64(exact.Minute)
	rec.Requests, _ = g.p.Declaration.Load.Points[g.load].Rate.Mul(exact.Duration(span).Seconds()).Int64()
	g.now += span
	if rec.Traffic = g.traffic(rec.Requests); rec.Traffic != nil {
		w := int64(g.p.Declaration.Load.Points[g.load].Window)
		rec.Answered = &journal.AnsweredWindows{Width: w, N: span / w}
	}
	g.add(journal.KindFalseDetection, rec)
}
