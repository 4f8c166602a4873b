package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Compute measures. It reads the journal once and keeps, besides sums for each
// load point, combination and search, one number for each detected trial and
// each quiet period, from which the quantiles are made.
//
// A journal that ends early gives a result that says so. Errors are
// *[journal.ChainError] where the journal does not fit to itself or names what
// the plan does not have, *[journal.PlanError] where it belongs to another
// plan, *[AttributionError], [journal.ErrEmpty], and those of the reader.
func Compute(p *plan.Plan, r io.Reader) (*Result, error) {
	a, err := newAttribution(p)
	if err != nil {
		return nil, err
	}
	c := newComputer(p, a)
	tee := io.TeeReader(r, c.sum)
	err = journal.Read(tee, c.entry)
	if errors.Is(err, journal.ErrTorn) {
		err = nil // no entry of kind close was reached: the run is incomplete
	}
	if err != nil {
		return nil, err
	}
	return c.result(), nil
}

// computer holds what has been read so far.
type computer struct {
	p            *plan.Plan
	sum          hash.Hash
	open         journal.Open
	closing      *journal.Close
	attribution  *attribution
	loads        []loadState
	combos       []comboState
	comboByID    map[int]int
	searches     []searchState
	searchByID   map[int]int
	masking      []maskState // by load, then target
	indicators   map[string]plan.Indicator
	classes      map[string]plan.FaultClass
	breaches     breaches
	taken        []taken
	lacking      map[string]bool // members of the entry at hand
	read         readState
	never        never
	segment      *segmentState
	segments     int    // committed
	unrested     string // real time: a segment that ended with a trial, "" once a quiet period followed
	unrestedLine int
	applied      bool
	seen         map[trialName]bool
	probes       probes
	span         exact.Duration // longest apply call of a kept trial whose onset is the call's end
	poll         exact.Duration // by how much the receipt of a signal may be late, as the trials say
	resumptions  []Resumption
	raw          []RawStamps // of committed segments
	hostless     bool        // the opening entry does not name both hosts
	reception    Reception
	smallest     *exact.Duration // smallest kept latency of the series
	requests     int64
	testTime     int64
}

// loadState is what is known about one load point.
type loadState struct {
	label      string
	baselines  []baselineState // by indicator of the plan, injection before observation
	interval   int64
	underFault int64
	falseSpan  int64
	falseCount int
	falseEdges int
	falseActiv int64
	falseSeen  bool
	observed   observedState        // without a fault, in real time
	falseClass []journal.ClassCount // by class that the plan applies
	trials     int                  // of any purpose, kept or not
	based      bool                 // a Baseline Interval is on record
	unclear    bool                 // and it does not say when it was
	probes     probed               // of the clocks around its trials
	twins      []journal.Twin       // of its Baseline Interval
	quiet      []int64
	notReached int
	sham       outcome
	discards   map[string]int
	signals    SuppSignals
	traffic    trafficState
}

// outcome counts trials.
type outcome struct {
	kept, detected, discarded int
	attempt                   int     // number of the last one
	achieved                  float64 // sum, for an advisory mean
}

func (o outcome) attempts() int { return o.kept + o.discarded }

// meanAchieved is the mean achieved magnitude of the kept trials, or nil.
func (o outcome) meanAchieved() *float64 {
	if o.kept == 0 {
		return nil
	}
	return float(o.achieved / float64(o.kept))
}

// comboState gathers the trials of one combination.
type comboState struct {
	outcome
	latencies []exact.Duration // in trial order
	plateau   []exact.Duration // latency from the plateau, for ramps
}

func newComputer(p *plan.Plan, a *attribution) *computer {
	c := &computer{
		p:           p,
		sum:         sha256.New(),
		attribution: a,
		loads:       make([]loadState, len(p.Declaration.Load.Points)),
		combos:      make([]comboState, len(p.Combinations.Trials)),
		comboByID:   make(map[int]int),
		searches:    make([]searchState, len(p.Combinations.Searches)),
		searchByID:  make(map[int]int),
		indicators:  make(map[string]plan.Indicator),
		classes:     make(map[string]plan.FaultClass),
		lacking:     make(map[string]bool),
		seen:        make(map[trialName]bool),
	}
	c.expect()
	for i := range c.loads {
		l := &c.loads[i]
		l.label = p.Declaration.Load.Points[i].Rate.String() + " req/s"
		l.discards = make(map[string]int)
		l.traffic = newTrafficState(l.label)
		l.falseClass = make([]journal.ClassCount, len(a.classes))
		for _, ind := range p.Declaration.Indicators {
			width := p.Declaration.WindowOf(ind.Name, p.Declaration.Load.Points[i])
			l.baselines = append(l.baselines,
				baselineState{indicator: ind.Name, point: pointInjection, width: width},
				baselineState{indicator: ind.Name, point: pointObservation, width: width})
		}
		if m := p.Declaration.Masking; m != nil && p.Declaration.Environment.Position != positionSame {
			for _, t := range m.Targets {
				c.masking = append(c.masking, maskState{load: i, target: t})
			}
		}
	}
	for i, t := range p.Combinations.Trials {
		c.comboByID[t.ID] = i
	}
	for i, s := range p.Combinations.Searches {
		c.searchByID[s.ID] = i
		c.searches[i].role, c.searches[i].magnitude = roleUpper, s.Upper
	}
	for _, ind := range p.Declaration.Indicators {
		c.indicators[ind.Name] = ind
	}
	for _, fc := range p.Declaration.FaultClasses {
		c.classes[fc.Name] = fc
	}
	return c
}

// sdPoint is where the standard deviation is taken that a magnitude is
// compared with (FD-4.2-7, FD-5.3-5): it is that of the indicator as the
// detector sees it (AMB-02), as in the search itself.
const sdPoint = pointObservation

const (
	pointInjection   = "injection"
	pointObservation = "observation"
	positionSame     = "same"
	methodPaired     = "paired"
	methodObserved   = "observed"
)

// entry takes in one entry.
func (c *computer) entry(e journal.Entry) error {
	if c.segment == nil {
		switch e.Kind {
		case journal.KindOpen, journal.KindSegment, journal.KindClock, journal.KindViolation, journal.KindResume, journal.KindClose:
		default:
			return reject(e, "an entry of kind %q stands outside a segment", e.Kind)
		}
	}
	c.members(e)
	switch e.Kind {
	case journal.KindOpen:
		return take(c, e, c.opening)
	case journal.KindSegment:
		return take(c, e, c.begin)
	case journal.KindCommit:
		return take(c, e, c.commit)
	case journal.KindBaseline:
		return take(c, e, c.baseline)
	case journal.KindQuiet:
		return take(c, e, c.quiet)
	case journal.KindApply:
		return take(c, e, c.apply)
	case journal.KindTrial:
		return take(c, e, c.trial)
	case journal.KindSearchStep:
		return take(c, e, c.searchStep)
	case journal.KindFalseDetection:
		return take(c, e, c.falseDetection)
	case journal.KindClock:
		return take(c, e, c.clock)
	case journal.KindReadback:
		return take(c, e, c.readback)
	case journal.KindViolation:
		return take(c, e, c.violation)
	case journal.KindResume:
		return take(c, e, c.resumed)
	case journal.KindClose:
		c.closing = new(journal.Close)
		return decode(e, c.closing)
	}
	return reject(e, "this program knows no entry of kind %q", e.Kind)
}

func take[T any](c *computer, e journal.Entry, f func(journal.Entry, *T) error) error {
	v := new(T)
	if err := decode(e, v); err != nil {
		return err
	}
	return f(e, v)
}

func decode(e journal.Entry, v any) error {
	if err := json.Unmarshal(e.Data, v); err != nil {
		return reject(e, "its data is not that of kind %q: %v", e.Kind, err)
	}
	return nil
}

func reject(e journal.Entry, format string, args ...any) error {
	return &journal.ChainError{Line: e.Line, Reason: fmt.Sprintf(format, args...)}
}

// load returns the state of load point i. All records of a segment are of its
// load.
func (c *computer) load(e journal.Entry, i int) (*loadState, error) {
	if i < 0 || i >= len(c.loads) {
		return nil, reject(e, "it names load point %d, and the plan has %d", i, len(c.loads))
	}
	if c.segment != nil && i != c.segment.Load {
		return nil, reject(e, "it is of load point %d inside a segment of load point %d", i, c.segment.Load)
	}
	return &c.loads[i], nil
}

// trafficHeld tells whether requests were offered at a load for a span in which
// no trial was run. Such a span cannot be repeated as a trial can, so where
// arrivals are Poisson the wider of both tolerances counts (AMB-24).
func (c *computer) trafficHeld(load int, requests, span int64) bool {
	rate, tolerance := c.p.Declaration.Load.Points[load].Rate, c.p.Estimators.LoadTolerance
	return stats.LoadHeld(requests, rate, exact.Duration(span), tolerance, false) ||
		c.p.Declaration.Load.Arrivals == "poisson" && stats.LoadHeld(requests, rate, exact.Duration(span), tolerance, true)
}

func (c *computer) falseDetection(e journal.Entry, r *journal.FalseDetectionRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if c.lacks("to_ns") {
		r.To, r.Blind, r.Answered = r.From, 0, nil
	}
	if c.lacks("count") {
		r.Count = len(r.Events)
	}
	bounded := !c.lacks("from_ns", "to_ns")
	if !c.attribution.plausible(r, bounded) || bounded && !whole(r) {
		return reject(e, "a false-detection observation of %d emissions, %d edges, from %d to %d, in alert for %d, with these classes and events, cannot be",
			r.Count, r.Edges, r.From, r.To, r.Active)
	}
	if c.segment.Phase != "false_detection" {
		return reject(e, "an observation of false detections in a segment of %q", c.segment.Phase)
	}
	c.segment.reached(r.To)
	count, edges, classes := c.emissions(e, r, l.label)
	l.falseSeen = true
	l.falseSpan += r.Observed()
	l.falseCount += count
	l.falseEdges += edges
	for i, x := range classes {
		l.falseClass[i].Count += x.Count
		l.falseClass[i].Edges += x.Edges
	}
	l.falseActiv += min(r.Active, r.Observed())
	c.requests += r.Requests
	c.conditions(e, r, l)
	if !c.lacks("requests", "from_ns", "to_ns") && !c.trafficHeld(r.Load, r.Requests, r.To-r.From) {
		c.breach("FD-5.4-1", l.label, "the load was not offered throughout the observation of false detections", e.Line)
	}
	if s := c.segment; s.rest == restNone || len(s.applied) > 0 || !c.lacks("from_ns") && (r.From < s.removed || r.From < s.rested) {
		c.breach("FD-5.4-1", l.label, "the observation of false detections did not begin after a quiet period without a fault", e.Line)
		for i := range s.applied {
			s.applied[i].overlap = true // its removal is not what is missing
		}
	}
	c.segment.watched = r.To
	return nil
}

func (c *computer) journalSum() string { return "sha256:" + hex.EncodeToString(c.sum.Sum(nil)) }
