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
)

// JournalName is the file name of a journal in an output folder.
const JournalName = "journal.jsonl"

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
	p           *plan.Plan
	sum         hash.Hash
	open        journal.Open
	closing     *journal.Close
	attribution *attribution
	loads       []loadState
	combos      []comboState
	comboByID   map[int]int
	searches    []searchState
	searchByID  map[int]int
	masking     []maskState // by load, then target
	indicators  map[string]plan.Indicator
	classes     map[string]plan.FaultClass
	breaches    breaches
	never       never
	segment     *segmentState
	segments    int // committed
	applied     bool
	probes      int
	maxOffset   exact.Duration
	smallest    *exact.Duration // smallest kept latency of the series
	requests    int64
	testTime    int64
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
	falseClass []journal.ClassCount // by class that the plan applies
	trials     int                  // of any purpose, kept or not
	quiet      []int64
	notReached int
	sham       outcome
	discards   map[string]int
	signals    SuppSignals
}

// outcome counts trials.
type outcome struct {
	kept, detected, discarded int
	attempt                   int     // number of the last one
	achieved                  float64 // sum, for an advisory mean
}

func (o outcome) attempts() int { return o.kept + o.discarded }

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
	}
	for i := range c.loads {
		l := &c.loads[i]
		l.label = p.Declaration.Load.Points[i].Rate.String() + " req/s"
		l.discards = make(map[string]int)
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
		case journal.KindOpen, journal.KindSegment, journal.KindClock, journal.KindClose:
		default:
			return reject(e, "an entry of kind %q stands outside a segment", e.Kind)
		}
	}
	switch e.Kind {
	case journal.KindOpen:
		if err := decode(e, &c.open); err != nil {
			return err
		}
		if c.open.PlanDigest != c.p.Digest {
			return &journal.PlanError{Want: c.p.Digest, Got: c.open.PlanDigest}
		}
		return nil
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

// load returns the state of load point i.
func (c *computer) load(e journal.Entry, i int) (*loadState, error) {
	if i < 0 || i >= len(c.loads) {
		return nil, reject(e, "it names load point %d, and the plan has %d", i, len(c.loads))
	}
	return &c.loads[i], nil
}

func (c *computer) falseDetection(e journal.Entry, r *journal.FalseDetectionRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if !c.attribution.plausible(r) {
		return reject(e, "a false-detection observation of %d emissions, %d edges, from %d to %d, with these classes and events, cannot be",
			r.Count, r.Edges, r.From, r.To)
	}
	count, edges, classes := c.emissions(e, r, l.label)
	l.falseSeen = true
	l.falseSpan += r.To - r.From
	l.falseCount += count
	l.falseEdges += edges
	for i, x := range classes {
		l.falseClass[i].Count += x.Count
		l.falseClass[i].Edges += x.Edges
	}
	l.falseActiv += r.Active
	c.requests += r.Requests
	if !c.segment.rested || r.From < c.segment.removed {
		c.breach("FD-5.4-1", l.label, "the observation of false detections did not begin after a quiet period without a fault", e.Line)
	}
	c.segment.watched = r.To
	return nil
}

func (c *computer) clock(_ journal.Entry, r *journal.ClockRecord) error {
	c.probes++
	// |offset| + delay/2, as the record's own stamps give it (AMB-15).
	derived := max(r.Offset, -r.Offset) + r.Delay/2
	if r.Bound < derived {
		c.breach("FD-3.5-2", "", "the bound of a clock measurement is smaller than its offset and delay give", 0)
	}
	c.maxOffset = max(c.maxOffset, exact.Duration(r.Bound), exact.Duration(derived))
	return nil
}

func (c *computer) journalSum() string { return "sha256:" + hex.EncodeToString(c.sum.Sum(nil)) }
