package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
	"github.com/hashicorp/hcl/v2"
)

// The parts of a series that may be unknown because their text did not
// evaluate. A rule that needs one says so with Knows and stays silent
// otherwise: the mistake has been reported where it is.
const (
	Environment    = "environment"
	Population     = "population"
	Detector       = "detector"
	Signal         = "signal"
	Load           = "load"
	Baseline       = "baseline"
	Quiet          = "quiet"
	Count          = "trials.count"
	Attempts       = "trials.attempts"
	Timeout        = "trials.timeout"
	Verification   = "trials.verification"
	FalseDetection = "false_detection"
	Masking        = "masking"
	Matrix         = "matrix" // every combination and search could be worked out
)

// Context is a series as far as it could be worked out.
type Context struct {
	Declaration  *plan.Declaration
	Combinations *plan.Combinations

	// Blocks of the scenario that the series is made of, for places.
	Series, Environment, Serving, Apparatus, Population, Detector, Signal *lang.Block

	Faults      []Fault
	Thresholds  []Threshold
	Classes     map[string]Class // by name
	RuleFile    *promrules.RuleFile
	Attribution *predicate.Attribution

	// Representative tells whether the author named a representative load.
	Representative bool
	// LoadBecause are the reasons beside the load points.
	LoadBecause Reasons
	// Reduced tells whether the series asks to be a reduced one.
	Reduced bool
	// CacheFree tells whether the population is made without end, so that no
	// prompt comes twice.
	CacheFree bool

	Unknown map[string]bool
	// Unread are attest blocks whose text did not evaluate.
	Unread map[*lang.Block]bool

	departures
	reductions []reduction
}

// reduction is one line of the list in a plan, with the requirement that it
// sets aside.
type reduction struct {
	plan.Reduction
	rule string
}

// Fault is a fault block.
type Fault struct {
	Block      *lang.Block
	Label      string
	Class      string
	Magnitudes []exact.Number
	Profiles   []plan.Profile
	Because    Reasons
	// Places of the magnitudes, beside Magnitudes.
	Places []hcl.Range
}

// Threshold is a threshold block.
type Threshold struct {
	Block      *lang.Block
	Label      string
	Class      string
	Profile    plan.Profile
	Target     exact.Number
	TargetText string
	Resolution exact.Number
	Floor      bool
	Lower      exact.Number
	Upper      exact.Number
	Because    Reasons
}

// Class is a fault class in this series' environment.
type Class struct {
	Block     *lang.Block
	Indicator plan.Indicator
	Largest   exact.Number // the largest magnitude that can be reached, signed
	Baseline  exact.Number // the expected mean without a fault
}

// Knows tells whether all of the named parts are known.
func (c *Context) Knows(parts ...string) bool {
	for _, p := range parts {
		if c.Unknown[p] {
			return false
		}
	}
	return true
}

// LongestWindow is W at the lowest load: a window counted in requests is longest
// there (AMB-01).
func (c *Context) LongestWindow() exact.Duration {
	var w exact.Duration
	for _, p := range c.Declaration.Load.Points {
		w = max(w, p.Window)
	}
	return w
}

// at is the place of an argument of a nested block, or of the nearest block
// that exists.
func at(b *lang.Block, nested, attr string) *hcl.Range {
	if b == nil {
		return nil
	}
	if nested != "" {
		n := b.One(nested)
		if n == nil {
			return b.DefRange.Ptr()
		}
		b = n
	}
	if a := b.Attr(attr); a != nil {
		return a.Expr.Range().Ptr()
	}
	return b.DefRange.Ptr()
}

// list collects the diagnostics of one rule.
type list struct {
	id    string
	diags diag.List
}

func (l *list) add(s diag.Severity, place *hcl.Range, summary, format string, args ...any) *fixable {
	l.diags = append(l.diags, diag.Diagnostic{Severity: s, Rule: l.id, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: place})
	return &fixable{&l.diags[len(l.diags)-1]}
}

func (l *list) err(place *hcl.Range, summary, format string, args ...any) *fixable {
	return l.add(diag.Error, place, summary, format, args...)
}

func (l *list) warn(place *hcl.Range, summary, format string, args ...any) *fixable {
	return l.add(diag.Warning, place, summary, format, args...)
}

func (l *list) note(place *hcl.Range, summary, format string, args ...any) *fixable {
	return l.add(diag.Note, place, summary, format, args...)
}

// recommend is for a SHOULD about the load points: set aside with a reason it
// is a deviation, and without one a reduction (AMB-26), of which the author of
// a series that does not ask to be reduced is warned.
func (c *Context) recommend(l *list, required, planned string, place *hcl.Range, summary, format string, args ...any) {
	if c.deviate(l, c.Series.One("load"), c.LoadBecause) {
		return
	}
	c.list(l, "load_points", required, planned)
	if !c.Reduced {
		l.warn(place, summary, format+" As it is, the series counts as reduced; with because = { %q = \"...\" } beside the points the report gives the reason instead.", append(args, l.id)...)
	}
}

// reduce records what section 1.2 lets a reduced series reduce, and refuses it
// in a series that does not ask to be one.
func (c *Context) reduce(l *list, what, required, planned string, place *hcl.Range, summary, format string, args ...any) *fixable {
	if !c.Reduced {
		return l.err(place, summary, format+" A shorter series for screening is asked for with reduced { reason = \"...\" }; its result is then never one under the methodology.", args...)
	}
	c.list(l, what, required, planned)
	return nil
}

// list puts a reduction on the plan's list (FD-1.2-9).
func (c *Context) list(l *list, what, required, planned string) {
	c.reductions = append(c.reductions, reduction{plan.Reduction{What: what, Required: required, Planned: planned}, l.id})
}
