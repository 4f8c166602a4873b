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

// JournalName is the file name of a journal in an output folder.
const JournalName = "journal.jsonl"

// Compute measures. It reads the journal once and keeps, besides sums for each
// load point, combination and search, one number for each detected trial and
// each quiet period, from which the quantiles are made.
//
// A journal that ends early gives a result that says so. Errors are
// *[journal.ChainError] where the journal does not fit to itself or names what
// the plan does not have, *[journal.PlanError] where it belongs to another
// plan, [journal.ErrEmpty], and those of the reader.
func Compute(p *plan.Plan, r io.Reader) (*Result, error) {
	c := newComputer(p)
	tee := io.TeeReader(r, c.sum)
	err := journal.Read(tee, c.entry)
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
	p          *plan.Plan
	sum        hash.Hash
	open       journal.Open
	closing    *journal.Close
	loads      []loadState
	combos     []comboState
	comboByID  map[int]int
	searches   []searchState
	searchByID map[int]int
	masking    []maskState // by load, then target
	indicators map[string]plan.Indicator
	classes    map[string]plan.FaultClass
	breaches   breaches
	segment    *segmentState
	segments   int // committed
	applied    bool
	probes     int
	maxOffset  exact.Duration
	smallest   *exact.Duration // smallest kept latency of the series
	requests   int64
	testTime   int64
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
	quiet      []int64
	notReached int
	sham       outcome
	discards   map[string]int
	signals    SuppSignals
}

// baselineState gathers the windows of one indicator at one point.
type baselineState struct {
	indicator, point string
	windows          []stats.Window
	base             stats.Baseline
	ok, done         bool
}

// outcome counts trials.
type outcome struct {
	kept, detected, discarded int
	achieved                  float64 // sum, for an advisory mean
}

func (o outcome) attempts() int { return o.kept + o.discarded }

// comboState gathers the trials of one combination.
type comboState struct {
	outcome
	latencies []exact.Duration // in trial order
	plateau   []exact.Duration // latency from the plateau, for ramps
}

func newComputer(p *plan.Plan) *computer {
	c := &computer{
		p:          p,
		sum:        sha256.New(),
		loads:      make([]loadState, len(p.Declaration.Load.Points)),
		combos:     make([]comboState, len(p.Combinations.Trials)),
		comboByID:  make(map[int]int),
		searches:   make([]searchState, len(p.Combinations.Searches)),
		searchByID: make(map[int]int),
		indicators: make(map[string]plan.Indicator),
		classes:    make(map[string]plan.FaultClass),
	}
	for i := range c.loads {
		l := &c.loads[i]
		l.label = p.Declaration.Load.Points[i].Rate.String() + " req/s"
		l.discards = make(map[string]int)
		for _, ind := range p.Declaration.Indicators {
			l.baselines = append(l.baselines,
				baselineState{indicator: ind.Name, point: pointInjection},
				baselineState{indicator: ind.Name, point: pointObservation})
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
		c.searches[i].evaluations = make(map[int]*outcome)
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

func (c *computer) baseline(e journal.Entry, r *journal.BaselineRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if r.To < r.From {
		return reject(e, "an interval ends before it begins")
	}
	if c.applied {
		c.breach("FD-4.2-1", l.label, "a Baseline Interval was run after the first fault of the series", e.Line)
	}
	l.interval += r.To - r.From
	c.requests += r.Requests
	for _, ind := range r.Indicators {
		b := l.find(ind.Indicator, ind.Point)
		if b == nil {
			return reject(e, "it names indicator %q at point %q, which the plan does not have", ind.Indicator, ind.Point)
		}
		if b.done {
			return reject(e, "a baseline at %s goes on after trials that rest on it", l.label)
		}
		for _, w := range ind.Windows {
			if w[1] < 0 {
				return reject(e, "a window has %d responses", w[1])
			}
			b.windows = append(b.windows, stats.Window{Sum: w[0], N: w[1]})
		}
	}
	return nil
}

func (l *loadState) find(indicator, point string) *baselineState {
	for i := range l.baselines {
		if b := &l.baselines[i]; b.indicator == indicator && b.point == point {
			return b
		}
	}
	return nil
}

// base returns the baseline of a class's indicator at a point, and false where
// there is none.
func (c *computer) base(load int, class, point string) (stats.Baseline, bool) {
	b := c.loads[load].find(c.classes[class].Indicator, point)
	if b == nil {
		return stats.Baseline{}, false
	}
	b.finish()
	return b.base, b.ok
}

func (b *baselineState) finish() {
	if !b.done && len(b.windows) > 0 {
		b.base, b.ok = stats.BaselineOf(b.windows)
		b.done, b.windows = true, nil
	}
}

func (c *computer) falseDetection(e journal.Entry, r *journal.FalseDetectionRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if r.To < r.From || r.Count < 0 || r.Edges < 0 || r.Edges > r.Count {
		return reject(e, "a false-detection observation of %d emissions, %d edges, from %d to %d cannot be", r.Count, r.Edges, r.From, r.To)
	}
	l.falseSeen = true
	l.falseSpan += r.To - r.From
	l.falseCount += r.Count
	l.falseEdges += r.Edges
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
	c.maxOffset = max(c.maxOffset, exact.Duration(r.Bound))
	return nil
}

func (c *computer) journalSum() string { return "sha256:" + hex.EncodeToString(c.sum.Sum(nil)) }
