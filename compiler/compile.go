package compiler

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/ignore"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/stdlib"
	"github.com/hashicorp/hcl/v2"
)

// Options are what a compilation gets beside the scenario.
type Options struct {
	// Variables are the values that the command line gives, as text: an
	// expression, or for a string variable the string itself.
	Variables map[string]string
	// Env are environment entries "NAME=value", of which only those that
	// begin with EnvPrefix are looked at. The command line wins over them.
	Env []string
	// Series restricts the plans to one series or one reuse block. The two have
	// their names in common: a scenario has no series and reuse block of one
	// name.
	Series string
	// Files holds the files that the scenario names, where the document was
	// parsed in memory and has no folder.
	Files map[string][]byte
	// AllowTargets are the hosts outside of a test environment that the command
	// line lets through (FD-7-1). No plan depends on it.
	AllowTargets []string
	// Check asks for the diagnostics only: no plan is sealed, and Plans is
	// nil. That is what a lint of many series wants.
	Check bool
}

// Result is what a compilation gives.
type Result struct {
	// Plans are sealed, one for each series in the order of the scenario. A
	// series with errors has nil in its place.
	Plans []*plan.Plan
	// Reuses are sealed too, one for each reuse block in the order of the
	// scenario. A block with errors has nil in its place.
	Reuses   []*plan.Reuse
	Document *lang.Document
	// Data holds the scored responses of each series with a recorded
	// deployment, by series name. It is no part of a plan; a run that begins
	// with a plan file gets it from dataset.Load.
	Data map[string]*dataset.Dataset
	// Ignored is what comments in the scenario set aside, with their reasons.
	// None of it is among the diagnostics, and none of it is an error.
	Ignored []ignore.Ignored
}

// compilation is the state of one run of the compiler.
type compilation struct {
	reported map[badLine]bool // what was said of input files
	doc      *lang.Document
	options  Options
	diags    diag.List
	base     *hcl.EvalContext
	own      table
	settings map[string]setting

	variables map[string]*lang.Block
	locals    map[string]*lang.Attr
	nodes     map[string]*node
	stack     []string

	indicators   map[*symbol]*indicator
	classes      map[*symbol]*faultClass
	profiles     map[*symbol]plan.Profile
	populations  map[*symbol]*population
	servings     map[*symbol]*serving
	apparatuses  map[*symbol]*apparatus
	environments map[*symbol]*environment
	detectors    map[*symbol]*detector
	signals      map[*symbol]*signal
	gateBlocks   map[*symbol]*gateBlock
	files        map[string]*inputFile
	builder      dataset.Builder
	memo         map[memoKey]any
	forecasts    map[forecastKey]forecast
	values       map[string]string // see inputVariables

	counted, errorCount int // see errors
}

func newCompilation(doc *lang.Document, o Options) *compilation {
	c := &compilation{
		doc: doc, options: o,
		base:         &hcl.EvalContext{Functions: functions},
		own:          newTable(doc, false),
		variables:    map[string]*lang.Block{},
		locals:       map[string]*lang.Attr{},
		nodes:        map[string]*node{},
		indicators:   map[*symbol]*indicator{},
		classes:      map[*symbol]*faultClass{},
		profiles:     map[*symbol]plan.Profile{},
		populations:  map[*symbol]*population{},
		servings:     map[*symbol]*serving{},
		apparatuses:  map[*symbol]*apparatus{},
		environments: map[*symbol]*environment{},
		detectors:    map[*symbol]*detector{},
		signals:      map[*symbol]*signal{},
		gateBlocks:   map[*symbol]*gateBlock{},
		files:        map[string]*inputFile{},
		memo:         map[memoKey]any{},
		forecasts:    map[forecastKey]forecast{},
	}
	for _, b := range doc.Blocks {
		switch b.Type {
		case "variable":
			c.variables[b.Name()] = b
		case "locals":
			for name, a := range b.Attrs {
				c.locals[name] = a
			}
		}
	}
	c.readSettings(o)
	return c
}

// CompilePath loads the scenario at path, a file or a folder, and compiles it.
// A document whose shape is wrong is not compiled.
func CompilePath(path string, o Options) (*Result, diag.List) {
	doc, diags := lang.Load(path)
	return CompileLoaded(doc, diags, o)
}

// Lint returns everything that can be said of a scenario before a run. With
// variables it is CompilePath with Options.Check.
func Lint(path string) diag.List {
	_, diags := CompilePath(path, Options{Check: true})
	return diags
}

// Compile evaluates a document and plans each series. The diagnostics are in
// their fixed order; the plans depend on nothing but the document, its folder's
// files, the options and the standard library.
func Compile(doc *lang.Document, o Options) (*Result, diag.List) {
	c := newCompilation(doc, o)
	r := &Result{Document: doc, Data: map[string]*dataset.Dataset{}}
	c.everything()
	c.sharedNames()
	wanted := func(typ string) []*lang.Block {
		return slices.DeleteFunc(doc.All(typ), func(b *lang.Block) bool { return o.Series != "" && b.Name() != o.Series })
	}
	blocks, reuses := wanted("series"), wanted("reuse")
	if o.Series != "" && len(blocks)+len(reuses) == 0 {
		c.unknownSeries(o.Series)
	}
	for _, s := range c.planAll(blocks) {
		if o.Check {
			continue
		}
		r.Plans = append(r.Plans, s.plan)
		if s.data != nil {
			r.Data[s.name] = s.data
		}
	}
	for _, b := range reuses {
		p := c.planReuse(b)
		if !o.Check {
			r.Reuses = append(r.Reuses, p)
		}
	}
	c.idleGates()
	c.diags.Sort()
	return r, distinct(c.diags)
}

func (c *compilation) unknownSeries(name string) {
	names := append(sortedKeys(c.own["series"]), sortedKeys(c.own["reuse"])...)
	what := "series"
	if len(c.own["reuse"]) > 0 {
		what = "series or reuse block"
	}
	detail := fmt.Sprintf("The scenario has no %s %q.", what, name)
	if n := suggest.Nearest(name, names); n != "" {
		detail += fmt.Sprintf(" Did you mean %q?", n)
	} else if len(names) > 0 {
		detail += fmt.Sprintf(" It has: %s.", strings.Join(names, ", "))
	}
	c.diags.Add(diag.Diagnostic{Severity: diag.Error, Rule: "LANG-unknown-reference", Summary: "Unknown series", Detail: detail})
}

// distinct drops a message that says the same of the same place again, as two
// series over one detector would.
func distinct(list diag.List) diag.List {
	out := list[:0]
	for i, d := range list {
		if i > 0 {
			last := out[len(out)-1]
			if last.Rule == d.Rule && last.Detail == d.Detail && last.Severity == d.Severity &&
				(last.Subject == nil) == (d.Subject == nil) && (d.Subject == nil || *last.Subject == *d.Subject) {
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

// everything evaluates all blocks, used or not: a mistake in a detector shows
// before a series names it.
func (c *compilation) everything() {
	for _, b := range c.doc.Blocks {
		switch b.Type {
		case "variable":
			c.named("var", b.Name())
			continue
		case "locals":
			for _, name := range b.AttrOrder {
				c.named("local", name)
			}
			continue
		}
		if len(b.Labels) == 0 {
			continue
		}
		s := c.own[b.Type][b.Name()]
		if s == nil || s.block != b {
			continue
		}
		switch b.Type {
		case "indicator":
			c.indicator(s)
		case "fault_class":
			c.faultClass(s)
		case "profile":
			c.profile(s)
		case "population":
			c.population(s)
		case "serving":
			c.serving(s)
		case "apparatus":
			c.apparatus(s)
		case "detector":
			c.detector(s)
		case "environment":
			c.environment(s)
		case "signal":
			c.signal(s)
		case "gate":
			c.gate(s)
		}
	}
}

// few is how many series are compiled without a second processor.
const few = 8

// planAll compiles series, on all processors where there are many. Each worker
// has a copy of what is known so far, and the results are in slots of their
// own, so nothing depends on who was first.
func (c *compilation) planAll(blocks []*lang.Block) []*series {
	out := make([]*series, len(blocks))
	workers := min(runtime.GOMAXPROCS(0), len(blocks))
	if len(blocks) < few || workers < 2 {
		for i, b := range blocks {
			out[i] = c.planSeries(b)
		}
		return out
	}
	found := make([]diag.List, len(blocks))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		worker := c.clone()
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(blocks); i = int(next.Add(1)) - 1 {
				worker.diags, worker.counted, worker.errorCount = nil, 0, 0
				out[i] = worker.planSeries(blocks[i])
				found[i] = worker.diags
			}
		})
	}
	wg.Wait()
	for _, l := range found {
		c.diags.Extend(l)
	}
	return out
}

// clone copies what grows while series are compiled. What it holds so far, the
// decoded blocks and files, is not changed any more and is shared.
func (c *compilation) clone() *compilation {
	d := *c
	d.diags, d.stack, d.builder = nil, nil, dataset.Builder{}
	d.nodes, d.memo, d.forecasts = maps.Clone(c.nodes), maps.Clone(c.memo), maps.Clone(c.forecasts)
	d.indicators, d.classes, d.profiles = maps.Clone(c.indicators), maps.Clone(c.classes), maps.Clone(c.profiles)
	d.populations, d.servings, d.apparatuses = maps.Clone(c.populations), maps.Clone(c.servings), maps.Clone(c.apparatuses)
	d.environments, d.detectors, d.signals = maps.Clone(c.environments), maps.Clone(c.detectors), maps.Clone(c.signals)
	d.files = maps.Clone(c.files)
	return &d
}

// planSeries compiles one series. Its plan is nil where anything that it needs
// has an error.
func (c *compilation) planSeries(b *lang.Block) *series {
	before := c.errors()
	s := &series{
		c: c, d: c.decode(b), block: b, name: b.Name(),
		plan: &plan.Plan{
			Format: plan.Format, Series: b.Name(),
			Declaration: plan.Declaration{
				Deviations: []plan.Deviation{}, Attestations: []plan.Attestation{}, Reductions: []plan.Reduction{},
				FaultClasses: []plan.FaultClass{},
			},
			Combinations: plan.Combinations{Trials: []plan.Combination{}, Searches: []plan.Search{}},
			Phases:       []plan.Phase{},
		},
	}
	s.ctx = &rule.Context{
		Declaration: &s.plan.Declaration, Combinations: &s.plan.Combinations, Series: b,
		Classes: map[string]rule.Class{}, Unknown: map[string]bool{}, Unread: map[*lang.Block]bool{},
	}
	s.read()
	s.maskedClass()
	s.declare()
	s.wire()
	if s.ctx.Knows(rule.Detector, rule.Load) {
		s.resolve()
	}
	if !s.ctx.Knows(rule.Baseline, rule.Timeout, rule.Verification) {
		s.unknown(rule.Matrix)
	}
	if s.d.usable("max_combinations") && s.ctx.Knows(rule.Matrix, rule.Detector, rule.Environment, rule.Load, rule.Count, rule.Attempts) && s.reach() {
		s.expand()
	} else {
		s.unknown(rule.Matrix)
	}
	found := rule.Apply(s.ctx, !c.options.Check)
	s.report(found.Diagnostics)
	good := !s.d.bad && !anyOf(s.ctx.Unknown) && c.errors() == before
	if good {
		s.forecast()
		s.budget()
		s.realTime()
	}
	c.diags.Extend(s.fine)
	if !good || c.errors() > before {
		s.plan, s.data = nil, nil
		return s
	}
	if c.options.Check {
		return s
	}
	d := &s.plan.Declaration
	d.Deviations, d.Reductions, s.plan.Rules = found.Deviations, found.Reductions, found.Outcomes
	s.phases()
	s.estimators()
	s.inputs()
	plan.Seal(s.plan)
	return s
}

// report passes on what the rules found, except for warnings about the size of
// a magnitude: the forecast may have more to say of the same number, and one
// mistake gives one diagnostic.
func (s *series) report(found diag.List) {
	for _, d := range found {
		if d.Rule == granularityRule && d.Severity == diag.Warning {
			s.fine.Add(d)
		} else {
			s.c.diags.Add(d)
		}
	}
}

const granularityRule = "FD-4.2-7"

func anyOf(m map[string]bool) bool {
	for _, v := range m {
		if v {
			return true
		}
	}
	return false
}

// maskedClass reads the class of the masking block, after those of the faults
// so that the order of classes is that of their use.
func (s *series) maskedClass() {
	if s.masking == nil || s.masking.Attr("class") == nil {
		return
	}
	d := s.c.decode(s.masking)
	if sym := d.ref("class"); sym != nil {
		s.maskClass = s.useClass(d, sym)
	}
	if d.bad {
		s.unknown(rule.Masking)
		s.d.bad = true
	}
}

func hasTrials(p *plan.Plan) bool {
	return len(p.Combinations.Trials)+len(p.Combinations.Searches) > 0
}

// phases lists the steps: every Baseline Interval before the first fault
// (FD-4.2-1), and at each load the false detection observation last, when the
// time under fault is known (AMB-28).
func (s *series) phases() {
	p := s.plan
	for l := range p.Declaration.Load.Points {
		p.Phases = append(p.Phases, plan.Phase{Kind: "baseline", Load: l})
	}
	for l := range p.Declaration.Load.Points {
		add := func(kind string, wanted bool) {
			if wanted {
				p.Phases = append(p.Phases, plan.Phase{Kind: kind, Load: l})
			}
		}
		add("sham", hasTrials(p) && p.Declaration.Sham.Trials > 0)
		add("trials", len(p.Combinations.Trials) > 0)
		add("search", len(p.Combinations.Searches) > 0)
		add("masking", p.Declaration.Masking != nil)
		add("false_detection", true)
	}
}

// Engine names what runs a plan in virtual time. A change of what it computes
// changes the name.
const Engine = "fdbench.virtual/2"

// LiveEngine names what runs a plan of a running deployment.
const LiveEngine = "fdbench.live/2"

func (s *series) estimators() {
	engine := Engine
	if s.live() {
		engine = LiveEngine
	}
	s.plan.Estimators = plan.Estimators{
		Quantile:           "hyndman-fan-2",
		SD:                 "non-overlapping windows, n-1",
		Confidence:         exact.Frac(95, 100),
		MagnitudeTolerance: exact.Frac(1, 10),
		LoadTolerance:      exact.Frac(1, 100),
		Engine:             engine,
	}
}

// inputs lists what the plan was made from: all files of the scenario, and of
// the others those that this series uses.
func (s *series) inputs() {
	c, in := s.c, &s.plan.Inputs
	in.Language = schema.Version
	roles := map[string]plan.InputFile{}
	for _, f := range c.doc.Files {
		roles[f.Name] = plan.InputFile{Name: f.Name, SHA256: "sha256:" + f.SHA256, Role: "scenario"}
	}
	use := func(name, role string) {
		if name != "" {
			roles[name] = plan.InputFile{Name: name, SHA256: c.files[name].sha256, Role: role}
		}
	}
	d := &s.plan.Declaration
	use(d.Population.Source, "population")
	if d.Serving.Kind == "recorded" {
		use(d.Serving.Responses, "responses")
		for _, f := range d.FaultClasses {
			use(f.Replace, "replacement")
		}
	}
	if d.Detector.Prometheus != nil {
		use(d.Detector.Prometheus.RulesFile, "rules")
	}
	for _, name := range sortedKeys(roles) {
		in.Files = append(in.Files, roles[name])
	}
	in.Variables = c.inputVariables()
	in.Stdlib = stdlibDigest()
}

// inputVariables are the values of all variables, worked out once. Plans share
// the map and do not change it.
func (c *compilation) inputVariables() map[string]string {
	if c.values == nil {
		c.values = make(map[string]string, len(c.variables))
		for name := range c.variables {
			if v, ok := c.named("var", name); ok {
				if text, err := canonicalValue(v); err == nil {
					c.values[name] = text
				}
			}
		}
	}
	return c.values
}

var stdlibDigest = sync.OnceValue(func() string {
	var parts [][]byte
	for _, f := range stdlib.Files() {
		parts = append(parts, []byte(f.Name), f.Data)
	}
	return plan.Digest("fdbench.stdlib/1", parts...)
})
