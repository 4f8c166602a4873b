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
	// LoadBecause is the reason beside the load points, "" where there is none.
	LoadBecause string
	// Reduced tells whether the series asks to be a reduced one.
	Reduced bool
	// CacheFree tells whether the population is made without end, so that no
	// prompt comes twice.
	CacheFree bool

	Unknown map[string]bool

	deviations []plan.Deviation
	reductions []plan.Reduction
}

// Fault is a fault block.
type Fault struct {
	Block      *lang.Block
	Label      string
	Class      string
	Magnitudes []exact.Number
	Profiles   []plan.Profile
	Because    string
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
	Because    string
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

// Windows returns W at the lowest and at the highest load: a window counted in
// requests is longest where the load is lowest (AMB-01).
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

func (l *list) add(s diag.Severity, place *hcl.Range, summary, format string, args ...any) {
	l.diags.Add(diag.Diagnostic{Severity: s, Rule: l.id, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: place})
}

func (l *list) err(place *hcl.Range, summary, format string, args ...any) {
	l.add(diag.Error, place, summary, format, args...)
}

func (l *list) warn(place *hcl.Range, summary, format string, args ...any) {
	l.add(diag.Warning, place, summary, format, args...)
}

func (l *list) note(place *hcl.Range, summary, format string, args ...any) {
	l.add(diag.Note, place, summary, format, args...)
}

// deviate records that a SHOULD was set aside: with a reason it is only
// recorded, without one the author is warned too.
func (c *Context) deviate(l *list, because string, place *hcl.Range, summary, format string, args ...any) {
	if because == "" {
		l.warn(place, summary, format+" Write because = \"...\" beside it to have the reason in the report.", args...)
		because = "no reason given"
	}
	c.deviations = append(c.deviations, plan.Deviation{Rule: l.id, Because: because})
}

// reduce records what section 1.2 lets a reduced series reduce, and refuses it
// in a series that does not ask to be one.
func (c *Context) reduce(l *list, what, required, planned string, place *hcl.Range, summary, format string, args ...any) {
	if !c.Reduced {
		l.err(place, summary, format+" A shorter series for screening is asked for with reduced { reason = \"...\" }; its result is then never one under the methodology.", args...)
		return
	}
	for _, r := range c.reductions {
		if r.What == what && r.Planned == planned {
			return
		}
	}
	c.reductions = append(c.reductions, plan.Reduction{What: what, Required: required, Planned: planned})
}
