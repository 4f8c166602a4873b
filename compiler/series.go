package compiler

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/lang/reason"
)

// signal is a decoded signal block.
type signal struct {
	ok          bool
	block       *lang.Block
	plan        plan.Signal
	component   *symbol
	attribution *predicate.Attribution
}

func (c *compilation) signal(s *symbol) *signal {
	if v, ok := c.signals[s]; ok {
		return v
	}
	v := &signal{block: s.block}
	c.signals[s] = v
	d := c.decode(s.block)
	v.plan = plan.Signal{Name: s.name, Type: d.text("type"), EventClock: d.text("event_clock")}
	if v.component = d.ref("component"); v.component != nil {
		v.plan.Component = v.component.name
	}
	v.plan.Attribution, v.attribution = predicateText(d, "attribution", predicate.CompileAttribution)
	v.ok = !d.bad
	return v
}

// series is a series on its way to a plan.
type series struct {
	c     *compilation
	d     *decoder // of the series block itself
	block *lang.Block
	name  string

	environment *environment
	population  *population
	detector    *detector
	signal      *signal
	detectorSym *symbol

	classes    []*faultClass // in the order of use
	indicators []*indicator  // in the order of the plan

	baseline, timeout, verification quantity.Span
	maxCombinations                 int64
	fine                            diag.List // held back, see report
	masking                         *lang.Block
	maskClass                       *faultClass
	maskMagnitude                   *exact.Number

	plan *plan.Plan
	ctx  *rule.Context
	data *dataset.Dataset
}

func (s *series) unknown(part string) { s.ctx.Unknown[part] = true }

// read decodes the whole block, as far as it can be understood.
func (s *series) read() {
	d := s.d
	p := &s.plan.Declaration
	p.Seed = d.text("seed")
	d.text("description")
	s.maxCombinations = d.count("max_combinations", 1)
	s.references()
	s.readLoad()
	s.readTimes()
	s.readMasking()
	for _, b := range s.block.All("fault") {
		s.readFault(b)
	}
	s.refuseRepeated()
	for _, b := range s.block.All("threshold") {
		s.readThreshold(b)
	}
	for _, b := range s.block.All("attest") {
		n := s.c.decode(b)
		p.Attestations = append(p.Attestations, plan.Attestation{Subject: b.Labels[0], By: n.text("by"), Statement: n.text("statement")})
		if n.bad {
			d.bad = true
			s.ctx.Unread[b] = true
		}
	}
	if b := s.block.One("reduced"); b != nil {
		n := s.c.decode(b)
		p.ReducedReason = n.text("reason")
		s.ctx.Reduced = true
		if n.usable("reason") && !reason.Given(p.ReducedReason) {
			n.refuse("reason", "Reason without substance", fmt.Sprintf("The report gives this reason to a reader who was not there, and %q tells nothing. Say why the series is reduced.", p.ReducedReason))
		}
		d.bad = d.bad || n.bad
	}
}

func (s *series) references() {
	c, d, p := s.c, s.d, &s.plan.Declaration
	if e := d.ref("environment"); e != nil {
		s.environment = c.environment(e)
		p.Environment = s.environment.plan
		s.ctx.Environment = s.environment.block
		if v := s.environment.serving; v != nil {
			p.Serving, s.ctx.Serving = v.plan, v.block
		}
		if a := s.environment.apparatus; a != nil {
			p.Apparatus, s.ctx.Apparatus = a.plan, a.block
		}
	}
	if s.environment == nil || !s.environment.ok {
		s.unknown(rule.Environment)
	}
	if v := d.ref("population"); v != nil {
		s.population = c.population(v)
		p.Population, s.ctx.Population = s.population.plan, s.population.block
		s.ctx.CacheFree = s.population.plan.Generator != "" && s.population.plan.Size == 0
	}
	if s.population == nil || !s.population.ok {
		s.unknown(rule.Population)
	}
	if v := d.ref("detector"); v != nil {
		s.detectorSym, s.detector = v, c.detector(v)
		p.Detector, s.ctx.Detector, s.ctx.RuleFile = s.detector.plan, s.detector.block, s.detector.rules
	}
	if s.detector == nil || !s.detector.ok {
		s.unknown(rule.Detector)
	} else {
		for _, i := range s.detector.indicators {
			s.use(i)
		}
	}
	if v := d.ref("signal"); v != nil {
		s.signal = c.signal(v)
		p.Signal, s.ctx.Signal, s.ctx.Attribution = s.signal.plan, s.signal.block, s.signal.attribution
	}
	if s.signal == nil || !s.signal.ok {
		s.unknown(rule.Signal)
	}
}

// use adds an indicator to those of the plan.
func (s *series) use(i *indicator) {
	if !slices.Contains(s.indicators, i) {
		s.indicators = append(s.indicators, i)
	}
}

// useClass adds a fault class, and its indicator.
func (s *series) useClass(d *decoder, sym *symbol) *faultClass {
	f := s.c.faultClass(sym)
	if !f.ok {
		d.bad = true
		s.unknown(rule.Matrix)
		return f
	}
	if !slices.Contains(s.classes, f) {
		s.classes = append(s.classes, f)
		s.use(f.indicator)
	}
	return f
}

func (s *series) readLoad() {
	b := s.block.One("load")
	if b == nil {
		s.unknown(rule.Load)
		return
	}
	d := s.c.decode(b)
	defer func() {
		s.d.bad = s.d.bad || d.bad
		if d.bad {
			s.unknown(rule.Load)
		}
	}()
	s.ctx.LoadBecause = d.because()
	s.plan.Declaration.Load.Arrivals = d.text("arrivals")
	rates := s.rates(d)
	var representative *exact.Number
	if d.given("representative") {
		if r, ok := parsed(d, "representative", `a rate such as "10 req/s"`, quantity.ParseRate); ok {
			representative = &r
			s.ctx.Representative = true
		}
	}
	for i, r := range rates {
		if r.Sign() <= 0 || r.Cmp(exact.Int(maxRate)) > 0 {
			s.c.errorAt(d.itemAt("points", i), "FD-3.1-2", "Load out of range", fmt.Sprintf("An offered load is above 0 and at most %d req/s; this one is %s req/s.", maxRate, r))
			d.fail("points")
			return
		}
	}
	rates = slices.Clone(rates) // the parsed list is shared
	slices.SortFunc(rates, exact.Number.Cmp)
	for i, r := range rates {
		if i > 0 && r.Cmp(rates[i-1]) == 0 {
			d.refuse("points", "Load point given twice", fmt.Sprintf("%s req/s is there twice. Keep one.", r))
			return
		}
		s.plan.Declaration.Load.Points = append(s.plan.Declaration.Load.Points, plan.LoadPoint{
			Rate: r, Representative: representative != nil && r.Cmp(*representative) == 0,
		})
	}
	if representative != nil && d.usable("points") && !slices.ContainsFunc(rates, func(r exact.Number) bool { return r.Cmp(*representative) == 0 }) {
		d.refuse("representative", "No such load point", fmt.Sprintf("%s req/s is not among the load points, which are %s req/s.", representative, numbers(rates)))
	}
}

// maxRate bounds an offered load, in requests per second.
const maxRate = 1_000_000

func numbers(list []exact.Number) string {
	text := ""
	for i, n := range list {
		if i > 0 {
			text += ", "
		}
		text += n.String()
	}
	return text
}

// rates reads the load points: a sweep, or a list of rates.
func (s *series) rates(d *decoder) []exact.Number {
	v, set := d.raw("points")
	if !set {
		return nil
	}
	if t := v.Type(); t.IsTupleType() || t.IsListType() || t.IsSetType() {
		var list []exact.Number
		for i, text := range d.texts("points") {
			if r, ok := s.item(d, "points", i, text); ok {
				list = append(list, r)
			}
		}
		if len(list) == 0 && d.usable("points") {
			d.refuse("points", "No load point", "Name at least one load, such as \"10 req/s\".")
		}
		return list
	}
	list, _ := parsed(d, "points", `a sweep such as "1..100 req/s in 4 log steps", or a list of rates`, func(t string) ([]exact.Number, *quantity.Error) {
		return quantity.ParseSweep(t, quantity.Rate)
	})
	return list
}

// item parses a member of a list as a rate, and points into it where it is a
// literal.
func (s *series) item(d *decoder, name string, i int, text string) (exact.Number, bool) {
	r, err := quantity.ParseRate(text)
	if err == nil {
		return r, true
	}
	s.c.errorAt(s.inItem(d, name, i, err), d.rule(name, "LANG-quantity"), "Value cannot be read", sentence(err.Message)+" "+sentence(err.Remedy))
	d.fail(name)
	return exact.Number{}, false
}

func (s *series) inItem(d *decoder, name string, i int, err *quantity.Error) hcl.Range {
	if a := d.b.Attr(name); a != nil {
		if e := itemExpr(a, i); e != nil {
			if _, pos, ok := a.LiteralAt(e); ok {
				return pos(err.Offset, err.End)
			}
		}
	}
	return d.itemAt(name, i)
}

// readTimes reads the blocks that hold durations and counts.
func (s *series) readTimes() {
	p := &s.plan.Declaration
	s.nested("baseline", rule.Baseline, func(d *decoder) {
		s.baseline = s.span(d, "interval")
		p.Baseline.Interval = plan.Span(s.baseline)
	})
	s.nested("quiet", rule.Quiet, func(d *decoder) {
		p.Quiet = plan.Quiet{AtLeast: d.span("at_least"), AtMost: d.span("at_most"), Windows: int(d.count("windows", 1))}
	})
	s.nested("false_detection", rule.FalseDetection, func(d *decoder) {
		p.FalseDetection.AtLeast = d.span("at_least")
	})
	p.Sham.Trials = 20
	if s.block.One("sham") != nil {
		s.nested("sham", "sham", func(d *decoder) { p.Sham.Trials = int(d.count("trials", 0)) })
	}
	b := s.block.One("trials")
	if b == nil {
		for _, part := range []string{rule.Count, rule.Attempts, rule.Timeout, rule.Verification} {
			s.unknown(part)
		}
		return
	}
	d := s.c.decode(b)
	p.Trials.Count = int(d.count("count", 1))
	s.timeout, s.verification = s.span(d, "timeout"), s.span(d, "verification")
	p.Trials.Timeout, p.Trials.Verification = plan.Span(s.timeout), plan.Span(s.verification)
	p.Trials.Attempts = (3*p.Trials.Count + 1) / 2
	if d.given("attempts") {
		p.Trials.Attempts = int(d.count("attempts", 1))
	}
	for name, part := range map[string]string{"count": rule.Count, "attempts": rule.Attempts, "timeout": rule.Timeout, "verification": rule.Verification} {
		if !d.usable(name) {
			s.unknown(part)
		}
	}
	s.d.bad = s.d.bad || d.bad
}

func (s *series) nested(typ, part string, read func(*decoder)) {
	b := s.block.One(typ)
	if b == nil {
		s.unknown(part)
		return
	}
	d := s.c.decode(b)
	read(d)
	if d.bad {
		s.unknown(part)
		s.d.bad = true
	}
}

func (s *series) span(d *decoder, name string) quantity.Span {
	v, ok := parsed(d, name, `a duration such as "50m", or "20 windows"`, quantity.ParseSpan)
	if ok && (v.Duration > maxSpan || v.Windows.Cmp(exact.Int(maxCount)) > 0) {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q is at most 10 years, or 1000000000 windows.", name))
	} else if ok && v.Duration <= 0 && v.Windows.Sign() <= 0 {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q has to be longer than 0s.", name))
	}
	return v
}

func (s *series) readMasking() {
	b := s.block.One("masking")
	if b == nil {
		return
	}
	s.masking = b
	s.nested("masking", rule.Masking, func(d *decoder) {
		s.plan.Declaration.Masking = &plan.Masking{Trials: int(d.count("trials", 1)), Targets: []plan.MaskingTarget{}}
		s.maskMagnitude = d.number("magnitude")
	})
}

// resolve gives every load point the times that follow from its windows. What
// is not known stays 0; the rules ask before they look at it.
func (s *series) resolve() {
	p := &s.plan.Declaration
	for i := range p.Load.Points {
		l := &p.Load.Points[i]
		ok := true
		l.Window, ok = windowAt(p.Detector.Indicators, l.Rate)
		length := func(part string, span quantity.Span) exact.Duration {
			if !s.ctx.Knows(part) {
				return 0
			}
			d, fits := span.Length(l.Window)
			ok = ok && fits
			return d
		}
		l.Baseline = length(rule.Baseline, s.baseline)
		l.Timeout = length(rule.Timeout, s.timeout)
		l.Verification = length(rule.Verification, s.verification)
		if !ok || l.Window > maxSpan || max(l.Baseline, l.Timeout, l.Verification) > 10*maxSpan {
			s.c.errorAt(s.block.One("load").DefRange, "LANG-range", "Duration out of range",
				fmt.Sprintf("At %s req/s the windows, counted in requests, make the baseline or a trial longer than a hundred years.", l.Rate))
			s.unknown(rule.Load)
			s.d.bad = true
			return
		}
		p.Window = max(p.Window, shortWindow(p.Detector.Indicators))
	}
}

// windowAt is W at a load: the largest window of all indicators (AMB-01).
func windowAt(list []plan.DetectorIndicator, rate exact.Number) (exact.Duration, bool) {
	var w exact.Duration
	for _, i := range list {
		d, ok := i.Window.Lasts(rate)
		if !ok {
			return 0, false
		}
		w = max(w, d)
	}
	return w, true
}

// shortWindow is the largest window that is declared in time.
func shortWindow(list []plan.DetectorIndicator) exact.Duration {
	var w exact.Duration
	for _, i := range list {
		w = max(w, i.Window.Duration)
	}
	return w
}

// declare fills in the indicators and the fault classes in their order.
func (s *series) declare() {
	p := &s.plan.Declaration
	for _, i := range s.indicators {
		p.Indicators = append(p.Indicators, i.plan)
	}
	for _, f := range s.classes {
		p.FaultClasses = append(p.FaultClasses, f.plan)
	}
}
