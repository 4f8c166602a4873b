package compiler

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
)

// Definitions evaluate single definitions without a series around them, for an
// author who tries an indicator on responses of his own. A name is looked up
// in the scenario first and then in the standard library.
type Definitions struct{ c *compilation }

// Define returns the definitions of a document, which is nil for those of the
// standard library alone.
func Define(doc *lang.Document, o Options) *Definitions {
	if doc == nil {
		doc = &lang.Document{}
	}
	return &Definitions{newCompilation(doc, o)}
}

// Names lists what can be asked for of a kind, such as "indicator".
func (d *Definitions) Names(kind string) []string { return d.c.names(kind) }

// Indicator evaluates an indicator. It is false where there is none of that
// name, or where it has errors, which Diagnostics then holds.
func (d *Definitions) Indicator(name string) (plan.Indicator, bool) {
	s := d.c.lookup("indicator", name)
	if s == nil {
		return plan.Indicator{}, false
	}
	i := d.c.indicator(s)
	return i.plan, i.ok
}

// FaultClass evaluates a fault class, as Indicator does an indicator.
func (d *Definitions) FaultClass(name string) (plan.FaultClass, bool) {
	s := d.c.lookup("fault_class", name)
	if s == nil {
		return plan.FaultClass{}, false
	}
	f := d.c.faultClass(s)
	return f.plan, f.ok
}

// Diagnostics returns what was wrong with the definitions that were asked for.
func (d *Definitions) Diagnostics() diag.List {
	d.c.diags.Sort()
	return d.c.diags
}
