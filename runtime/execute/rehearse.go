package execute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/lease"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/share"
	"github.com/fdbench/fdbench/runtime/world"
)

// Rehearsing says how long a rehearsal waits.
type Rehearsing struct {
	Look  time.Duration // at the deployment without a fault; 0 for what 50 responses and one window take
	Wait  time.Duration // for a signal; 0 for what the declared windows and hold times add up to
	Clear time.Duration // for the detector to come back to rest; 0 for the plan's longest quiet period

	Tell func(Stage)      // hears what is done now; may be nil
	Keep func(dir string) // hears, before anything is applied, in which folder a fault that outlives this process has its record; may be nil
}

// Removing is what an interrupted rehearsal is at until the fault is gone.
const Removing = "removing the fault"

// LeftError says that a fault may still be applied after a rehearsal. The lease
// and its watchdog go on trying to end it.
type LeftError struct {
	Dir string // with the record of the fault
	Err error  // why it was not removed; nil where nobody says
}

func (e *LeftError) Error() string {
	var not *live.NotRemovedError
	text := "a fault may still be applied"
	switch {
	case errors.As(e.Err, &not):
		text += ", since " + not.Error()
	case e.Err != nil && !errors.Is(e.Err, context.Canceled):
		text += ", since the rehearsal ended with: " + e.Err.Error()
	}
	return fmt.Sprintf("%s. What watches its lease goes on trying to remove it; to remove it now, run \"fdbench recover %s\"", text, e.Dir)
}

// Unwrap returns what the rehearsal ended with.
func (e *LeftError) Unwrap() error { return e.Err }

// leave deletes the folder of a rehearsal, unless it is needed to remove the
// fault.
func leave(dir string, err error) error {
	if dir == "" {
		return err
	}
	if _, serr := os.Lstat(filepath.Join(dir, lease.RecordName)); !errors.Is(serr, fs.ErrNotExist) {
		return &LeftError{dir, err}
	}
	os.RemoveAll(dir)
	return err
}

// Stage is what a rehearsal is at.
type Stage struct {
	What  string // "looking", Trying, the fault class, or Removing
	Until time.Duration
}

// Rehearsal is what was found.
type Rehearsal struct {
	Load     string // "10 req/s"
	Problems []driver.Problem
	Faults   []Rehearsed
}

// OK tells whether nothing stands in the way of a run.
func (r *Rehearsal) OK() bool {
	for _, f := range r.Faults {
		if !f.OK() {
			return false
		}
	}
	return len(r.Problems) == 0
}

// Rehearsed is one fault class, applied once at its largest magnitude.
type Rehearsed struct {
	Class     string
	Magnitude exact.Number
	Fraction  exact.Number    // of responses that were to be changed
	Achieved  *exact.Number   // at the injection point; nil where no response shows it
	Responses int64           // that it was measured on
	Signal    *exact.Duration // from onset to the first attributable signal; nil for none
	Waited    exact.Duration
	Cleared   *exact.Duration // from removal until the detector was at rest; nil where it did not come
	Faulty    []string        // what is wrong, in sentences
}

// OK tells whether the fault landed, was signalled and cleared.
func (r *Rehearsed) OK() bool { return len(r.Faulty) == 0 }

// Rehearse looks for everything that would spoil a series in real time, and
// then applies every fault class once, briefly, at its largest magnitude: does
// it land, does a signal come, does it clear. It measures nothing that a result
// could be made of, and writes nothing. Where a fault could not be removed again
// the error is a *LeftError or holds a *live.NotRemovedError, also after an
// interruption.
func Rehearse(ctx context.Context, p *plan.Plan, l Live, o Rehearsing) (r *Rehearsal, err error) {
	if o.Tell == nil {
		o.Tell = func(Stage) {}
	}
	attribution, perr := predicate.CompileAttribution(p.Declaration.Signal.Attribution)
	if perr != nil {
		return nil, fmt.Errorf("the plan's attribution does not compile: %s", perr.Message)
	}
	r = &Rehearsal{}
	dir := "" // for the record of a fault that outlives this process
	if k := p.Declaration.Apparatus.Kind; k == "http" || k == "command" {
		if dir, err = os.MkdirTemp("", lease.RehearsalPrefix); err != nil {
			return nil, err
		}
	}
	defer func() { err = leave(dir, err) }()
	f, found := l.look(ctx, p, r, dir)
	if len(r.Problems) > 0 || f == nil {
		if f != nil {
			f.Close() // it was not started
		}
		return r, ctx.Err()
	}
	if o.Keep != nil && dir != "" {
		o.Keep(dir)
	}
	if err := f.Start(ctx); err != nil {
		r.Problems = append(r.Problems, driver.Problem{Part: "apparatus", What: "it does not start: " + err.Error(), Remedy: "see above; \"fdbench recover\" removes what a killed run left behind"})
		return r, f.Close()
	}
	r.Problems = append(r.Problems, live.CheckServing(ctx, p, p.Declaration.Serving.Endpoint.BaseURL, found.target, found.key, found.prompts.Prompt(uint64(time.Now().UnixMilli())))...)
	if len(r.Problems) == 0 && ctx.Err() == nil {
		err = (&rehearsal{Rehearsal: r, p: p, f: f, o: o, attribution: attribution, trying: found.trying}).run(ctx)
	}
	// The end of the world has said already what cannot be removed.
	var not *live.NotRemovedError
	cerr := f.Close()
	switch {
	case cerr == nil || errors.As(err, &not):
	case ctx.Err() != nil && !errors.As(cerr, &not):
		// It is no mere interruption any more, so it does not count as one.
		err = fmt.Errorf("the rehearsal was interrupted, and what it started did not end as it should: %w", cerr)
	default:
		err = errors.Join(err, cerr)
	}
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// parts are what a rehearsal needs besides the world.
type parts struct {
	target  confine.Target
	key     string
	prompts live.Prompts
	trying  driver.Trying // nil for a detector whose notifications cannot be tried
}

// look makes the parts of a run one by one, so that all that is wrong is found
// and not only the first thing. The world is nil where it cannot be made.
func (l *Live) look(ctx context.Context, p *plan.Plan, r *Rehearsal, dir string) (*live.Factory, parts) {
	var found parts
	var err error
	bad := func(part, remedy string) {
		if err != nil {
			r.Problems = append(r.Problems, driver.Problem{Part: part, What: err.Error(), Remedy: remedy})
		}
	}
	e := p.Declaration.Serving.Endpoint
	found.target, err = l.pin(ctx, e.BaseURL)
	bad("serving", "correct base_url of the serving block")
	keyed := true
	if found.key, err = l.key(e); err != nil {
		keyed = false
		bad("serving", "export it in the shell that runs fdbench")
	}
	found.prompts, err = live.OpenPrompts(p, l.Scenario)
	bad("population", "correct the population, or name the scenario's folder with --scenario")
	d := l.Drivers
	if d == nil {
		d = &live.Drivers{}
		d.Apparatus, err = l.apparatus(ctx, p, dir)
		bad("apparatus", "correct the apparatus block")
		d.Detector, err = l.detector(p)
		var unset *fetch.SecretError
		if errors.As(err, &unset) {
			bad("detector", "export it in the shell that runs fdbench, or correct its name in the detector block")
		} else {
			bad("detector", "correct the detector block")
		}
	}
	if d.Apparatus != nil {
		r.Problems = append(r.Problems, d.Apparatus.Check(ctx)...)
	}
	if d.Detector != nil {
		r.Problems = append(r.Problems, d.Detector.Check(ctx)...)
	}
	if len(r.Problems) > 0 {
		// The way in is not open, so what stands behind it is asked directly,
		// though not without the key: it would only say once more that it is
		// missing.
		if a := p.Declaration.Apparatus.Proxy; a != nil && found.prompts != nil && keyed {
			if target, err := l.pin(ctx, a.Upstream); err == nil {
				r.Problems = append(r.Problems, live.CheckServing(ctx, p, a.Upstream, target, found.key, found.prompts.Prompt(0))...)
			}
		}
		return nil, found
	}
	found.trying, _ = d.Detector.(driver.Trying)
	with := *l
	with.Drivers, with.NoRaw = d, true
	f, err := LiveWorld(ctx, p, with, "")
	bad("plan", "correct the scenario")
	return f, found
}

// rehearsal is one at work.
type rehearsal struct {
	*Rehearsal
	p           *plan.Plan
	f           *live.Factory
	o           Rehearsing
	attribution *predicate.Attribution
	trying      driver.Trying
	world       world.World
	twins       []journal.Twin
	base        []world.Window // by indicator, at the injection point
	signals     []detector.Signal
}

// leastSeen is how many responses make twins that a share can be derived from.
const leastSeen = 50

func (r *rehearsal) run(ctx context.Context) (err error) {
	load := r.load()
	point := &r.p.Declaration.Load.Points[load]
	r.Load = point.Rate.String() + " req/s"
	r.world, err = r.f.Open(ctx, world.Segment{Name: "rehearsal", Phase: "rehearsal", Load: load}, func(s detector.Signal) { r.signals = append(r.signals, s) })
	if err != nil {
		return err
	}
	defer func() {
		if ctx.Err() != nil {
			r.o.Tell(Stage{What: Removing, Until: live.Closing})
		}
		if cerr := r.world.Close(); cerr != nil {
			err = errors.Join(err, cerr)
		}
	}()
	if err := r.lookAt(ctx, point); err != nil || len(r.Problems) > 0 {
		return err
	}
	if err := r.try(ctx); err != nil || len(r.Problems) > 0 {
		return err
	}
	for i := range r.p.Declaration.FaultClasses {
		c := &r.p.Declaration.FaultClasses[i]
		m, ok := r.largest(c.Name)
		if !ok {
			continue // no fault block uses it
		}
		one, err := r.fault(ctx, c, m, point)
		if err != nil {
			return err
		}
		r.Faults = append(r.Faults, *one)
	}
	return nil
}

// load is the representative load point, or the highest.
func (r *rehearsal) load() int {
	points := r.p.Declaration.Load.Points
	for i := range points {
		if points[i].Representative {
			return i
		}
	}
	return len(points) - 1
}

// lookAt watches the deployment without a fault.
func (r *rehearsal) lookAt(ctx context.Context, point *plan.LoadPoint) error {
	look := int64(r.o.Look)
	if look == 0 {
		fifty, _ := exact.Duration(exact.Second).Mul(exact.Int(leastSeen).Div(point.Rate))
		look = int64(max(fifty, point.Window))
	}
	r.o.Tell(Stage{What: "looking", Until: time.Duration(look)})
	tw, _ := r.world.(world.Twinning)
	from := r.world.Now()
	var widths []int64
	for range r.p.Declaration.Indicators {
		widths = append(widths, look)
	}
	r.world.Watch(widths)
	if tw != nil {
		tw.CountTwins(true)
	}
	if err := r.world.Advance(ctx, from+look, nil); err != nil {
		return err
	}
	if tw != nil {
		for _, t := range tw.Twins() {
			r.twins = append(r.twins, journal.Twin(t))
		}
		tw.CountTwins(false)
	}
	for i, ind := range r.p.Declaration.Indicators {
		var w [2]world.Window
		for p := range w {
			for _, x := range r.world.Windows(p, i) {
				w[p].Sum, w[p].N = w[p].Sum+x.Sum, w[p].N+x.N
			}
		}
		r.base = append(r.base, w[world.Injection])
		switch {
		case w[world.Observation].N == 0:
			r.Problems = append(r.Problems, driver.Problem{Part: "serving", What: fmt.Sprintf("no request of %s was answered", exact.Duration(look)), Remedy: "look at the deployment under this load"})
			return nil
		case w[world.Injection].N == 0:
			r.Problems = append(r.Problems, driver.Problem{Rule: "FD-3.1-4", Part: "apparatus", What: fmt.Sprintf("responses reach the observation point and none of them passes the apparatus (indicator %s)", ind.Name),
				Remedy: "lead the requests through the apparatus: its listen address is what stands before it sends to"})
			return nil
		}
	}
	r.world.Watch(nil)
	took, why, err := r.rest(ctx)
	if err == nil && took == nil {
		r.Problems = append(r.Problems, driver.Problem{Rule: "FD-4.3-4", Part: "detector", What: "before any fault was applied it was not at rest: " + why,
			Remedy: "let the detector come to rest first, or correct its rules"})
	}
	return err
}

// largest is the largest magnitude that the plan applies of a class.
func (r *rehearsal) largest(class string) (m exact.Number, ok bool) {
	take := func(name string, x exact.Number) {
		if name == class && (!ok || x.Abs().Cmp(m.Abs()) > 0) {
			m, ok = x, true
		}
	}
	for _, c := range r.p.Combinations.Trials {
		take(c.Class, c.Magnitude)
	}
	for _, s := range r.p.Combinations.Searches {
		take(s.Class, s.Upper)
	}
	if k := r.p.Declaration.Masking; k != nil {
		for _, t := range k.Targets {
			take(t.Class, t.Magnitude)
		}
	}
	return m, ok
}

// wait is how long a signal may take: two windows, the longest hold time, and
// what notifications are held back for.
func (r *rehearsal) wait(point *plan.LoadPoint) int64 {
	if r.o.Wait > 0 {
		return int64(r.o.Wait)
	}
	d := &r.p.Declaration.Detector
	hold := exact.Duration(0)
	for _, a := range d.Alerts {
		hold = max(hold, a.For)
	}
	wait := 2*point.Window + hold
	if m := d.Manager; m != nil {
		wait += m.GroupWait + m.GroupInterval
	}
	if p := d.Prometheus; p != nil {
		wait += p.ScrapeInterval + 2*p.EvaluationInterval
	}
	return int64(wait) + int64(5*exact.Second)
}

// fault applies one class.
func (r *rehearsal) fault(ctx context.Context, c *plan.FaultClass, m exact.Number, point *plan.LoadPoint) (*Rehearsed, error) {
	wait := r.wait(point)
	one := &Rehearsed{Class: c.Name, Magnitude: m, Waited: exact.Duration(wait)}
	fault := func(format string, args ...any) { one.Faulty = append(one.Faulty, fmt.Sprintf(format, args...)) }
	var err error
	if one.Fraction, err = share.Of(r.p, c.Name, m, exact.Number{}, r.twins); err != nil {
		fault("%v", err)
		one.Fraction = exact.Int(1)
	}
	r.o.Tell(Stage{What: c.Name, Until: time.Duration(wait)})
	r.signals = nil
	onset, err := r.world.Apply(ctx, world.Fault{Class: c.Name, Fraction: one.Fraction, Magnitude: m, Trial: "rehearsal of " + c.Name,
		Profile: plan.Profile{Name: "step", Shape: "step"}, Verify: wait, Longest: wait})
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		fault("it could not be applied: %v", err)
		if _, err := r.world.Remove(ctx); err != nil {
			return nil, err
		}
		return one, nil
	}
	// At least fifty responses show the magnitude, however soon a signal comes.
	fifty, _ := exact.Duration(exact.Second).Mul(exact.Int(leastSeen).Div(point.Rate))
	heard := func() bool { return r.heard(c, onset, one) }
	if err := r.world.Advance(ctx, onset+wait, heard); err != nil {
		return nil, err
	}
	if err := r.world.Advance(ctx, min(onset+wait, max(r.world.Now(), onset+int64(fifty))), nil); err != nil {
		return nil, err
	}
	var active []string
	if n, ok := r.world.(detector.Named); ok {
		active = n.Active()
	}
	removed, err := r.world.Remove(ctx)
	if err != nil {
		return nil, fmt.Errorf("the fault of class %s could not be removed: %w", c.Name, err)
	}
	why := ""
	if one.Cleared, why, err = r.rest(ctx); err != nil {
		return nil, err
	}
	if one.Cleared == nil {
		fault("the detector was not at rest %s after the removal: %s", exact.Duration(r.world.Now()-removed), why)
	}
	for i := 0; !r.world.Applied().Complete && i < 60; i++ {
		if err := r.world.Advance(ctx, r.world.Now()+int64(time.Second), nil); err != nil {
			return nil, err
		}
	}
	r.landed(c, one, fault)
	if !heard() {
		fault("no signal that the attribution gives to it came within %s; %s", exact.Duration(wait), r.others(onset, wait, active))
	}
	return one, nil
}

// landed says what the apparatus achieved.
func (r *rehearsal) landed(c *plan.FaultClass, one *Rehearsed, fault func(string, ...any)) {
	a := r.world.Applied()
	one.Responses = a.N
	if a.Broken != "" {
		fault("%s", a.Broken)
	}
	if len(a.Markers) > 0 {
		fault("its responses carry %v, by which the detector could know of it (FD-3.4-4)", a.Markers)
	}
	if a.Cached > 0 {
		fault("a cache gave %d of the responses (FD-3.3-7)", a.Cached)
	}
	if a.N == 0 {
		fault("no response shows it: %d requests were lost", a.Lost)
		return
	}
	achieved := exact.Frac(a.Injected-a.Before, a.N)
	if r.p.Declaration.Apparatus.Verify != "paired" {
		achieved = exact.Frac(a.Injected, a.N)
		for i, ind := range r.p.Declaration.Indicators {
			if w := r.base[i]; ind.Name == c.Indicator && w.N > 0 {
				achieved = achieved.Sub(exact.Frac(w.Sum, w.N))
			}
		}
	}
	one.Achieved = &achieved
	// A rehearsal is too short for the ten percent of a trial: half is enough
	// to see that the fault lands.
	if achieved.Sign() != one.Magnitude.Sign() || achieved.Abs().Mul(exact.Int(2)).Cmp(one.Magnitude.Abs()) < 0 {
		fault("it moved the indicator by %s, and %s was asked for", achieved.Decimal(4), one.Magnitude)
	}
}
