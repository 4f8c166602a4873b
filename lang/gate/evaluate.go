package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// decided is a truth value in Kleene's logic, and whether any figure below it
// is absent.
type decided struct {
	truth truth // always: true; never: false; open: cannot be told
	null  bool
}

// evaluation is one walk over a condition.
type evaluation struct {
	env     Env
	row     map[string]Value // inside a quantifier
	rows    string
	at      int      // number of the row
	missing []string // what is absent, each reason once
	more    int      // reasons beyond maxMissing
	seen    map[string]bool
	// told are the rows, as bits, of which it is noted that something is absent:
	// a figure that is named twice is absent once.
	told  map[string][]uint64
	looks []look // each quantifier once, in the order of evaluation
}

// maxMissing bounds the reasons that an outcome spells out.
const maxMissing = 5

// Evaluate holds the condition against a result, by the three outcomes that the
// package comment describes. A condition with parameters that are not bound has
// no data.
func (c *Condition) Evaluate(env Env) Outcome {
	e := &evaluation{env: env, seen: map[string]bool{}, told: map[string][]uint64{}}
	d := e.truth(c.root)
	var out Outcome
	for _, u := range c.uses {
		if u.Rows == "" {
			out.Observed = append(out.Observed, Observation{u.Metric.Name, e.figure(&figureNode{metric: &u.Metric})})
		}
	}
	for _, l := range e.looks {
		o := Observation{text(l.at), Fraction(l.tally.holds, l.tally.rows, "there are no rows")}
		if !slices.ContainsFunc(out.Observed, func(p Observation) bool { return p.Name == o.Name }) {
			out.Observed = append(out.Observed, o)
		}
	}
	switch {
	case d.truth == never:
		out.Status, out.Why = Failed, sentence(e.explain(c.root, false))
	case d.truth == always && !d.null:
		out.Status = Passed
	default:
		out.Status, out.Why = NoData, e.absent()
	}
	return out
}

func (e *evaluation) absent() string {
	why := sentence(strings.Join(e.missing, "; "))
	if e.more > 0 {
		why += fmt.Sprintf(" And %d more of this kind.", e.more)
	}
	return why
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return s + "."
}

// lacks notes what is absent.
func (e *evaluation) lacks(what, why string) {
	if why == "" {
		why = "it was not measured"
	}
	if e.row != nil {
		if e.noted(what) {
			return
		}
		if len(e.missing) == maxMissing {
			e.more++
			return
		}
		what = fmt.Sprintf("%s of %s", what, e.label())
	}
	reason := fmt.Sprintf("%s is null: %s", what, why)
	if e.seen[reason] {
		return
	}
	e.seen[reason] = true
	if len(e.missing) == maxMissing {
		e.more++
		return
	}
	e.missing = append(e.missing, reason)
}

// noted tells whether it was noted before that something is absent in the row.
func (e *evaluation) noted(what string) bool {
	key := e.rows + " " + what
	bits := e.told[key]
	for len(bits) <= e.at/64 {
		bits = append(bits, 0)
	}
	e.told[key] = bits
	bit := uint64(1) << (e.at % 64)
	before := bits[e.at/64]&bit != 0
	bits[e.at/64] |= bit
	return before
}

// label names the row.
func (e *evaluation) label() string {
	if e.rows == "transforms" {
		return fmt.Sprintf("transform %q", e.row["transform"].Text)
	}
	return fmt.Sprintf("item %q", e.row["item_id"].Text)
}

func (e *evaluation) figure(n *figureNode) Value {
	from := e.env.Values
	if n.row {
		from = e.row
	}
	v, ok := from[n.metric.Name]
	if !ok {
		v = Absent(n.metric.Kind, "the result does not hold it")
	}
	v.Kind = n.metric.Kind
	return v
}

// value is that of a figure or a constant; false where it is absent.
func (e *evaluation) value(n *figureNode) (Value, bool) {
	v := e.figure(n)
	if v.Null && n.row {
		e.lacks(text(n), v.Why)
	} else if v.Null {
		row := e.row
		e.row = nil // one of the whole run is no row's, wherever it is named
		e.lacks(text(n), v.Why)
		e.row = row
	}
	return v, !v.Null
}

var unknown = decided{open, true}

func (e *evaluation) truth(n node) decided {
	switch n := n.(type) {
	case *truthNode:
		return decided{truth: truthOf(n.v)}
	case *figureNode:
		v, ok := e.value(n)
		if !ok {
			return unknown
		}
		return decided{truth: truthOf(v.Bool)}
	case *unaryNode:
		d := e.truth(n.x)
		d.truth = d.truth.not()
		return d
	case *inNode:
		s, ok := e.text(n.x)
		if !ok {
			return unknown
		}
		return decided{truth: truthOf(slices.Contains(n.list, s) != n.not)}
	case *quantifierNode:
		return e.quantifier(n)
	case *binaryNode:
		if n.op == "and" || n.op == "or" {
			l, r := e.truth(n.l), e.truth(n.r)
			return join(l, r, truthOf(n.op == "or"))
		}
		return e.comparison(n)
	}
	panic(fmt.Sprintf("gate: %T is no truth value", n))
}

// join is Kleene's and, or his or: the decisive value of one side decides, and
// what is open stays open. That a figure is absent on either side is kept.
func join(l, r decided, decisive truth) decided {
	d := decided{truth: decisive.not(), null: l.null || r.null}
	switch {
	case l.truth == decisive || r.truth == decisive:
		d.truth = decisive
	case l.truth == open || r.truth == open:
		d.truth = open
	}
	return d
}

func (e *evaluation) comparison(n *binaryNode) decided {
	if numeric(n.l) {
		l, lok := e.number(n.l)
		r, rok := e.number(n.r)
		if !lok || !rok {
			return decided{compared(n.op, rangeOf(n.l, e.known), rangeOf(n.r, e.known)), true}
		}
		return decided{truth: truthOf(holds(n.op, l.Cmp(r)))}
	}
	if textual(n.l) {
		l, lok := e.text(n.l)
		r, rok := e.text(n.r)
		if !lok || !rok {
			return unknown
		}
		return decided{truth: truthOf((l == r) == (n.op == "=="))}
	}
	l, r := e.truth(n.l), e.truth(n.r)
	d := decided{open, l.null || r.null}
	if l.truth != open && r.truth != open {
		d.truth = truthOf((l.truth == r.truth) == (n.op == "=="))
	}
	return d
}

// known bounds a figure or a count by what exists: a count is at least the rows
// that the condition holds of, and at most those and the ones of which it
// cannot be told.
func (e *evaluation) known(n node) span {
	switch n := n.(type) {
	case *figureNode:
		if v := e.figure(n); !v.Null {
			return span{end(v.Number), end(v.Number)}
		}
	case *quantifierNode:
		if t := e.tally(n); t.rows+t.open > 0 {
			return span{end(exact.Int(t.holds)), end(exact.Int(t.holds + t.open))}
		}
	}
	return span{}
}

func holds(op string, cmp int) bool {
	switch op {
	case "==":
		return cmp == 0
	case "!=":
		return cmp != 0
	case "<":
		return cmp < 0
	case "<=":
		return cmp <= 0
	case ">":
		return cmp > 0
	}
	return cmp >= 0
}

func textual(n node) bool {
	switch n := n.(type) {
	case *textNode:
		return true
	case *figureNode:
		return n.metric.Kind == Text
	}
	return false
}

func (e *evaluation) text(n node) (string, bool) {
	if s, ok := n.(*textNode); ok {
		return s.v, true
	}
	v, ok := e.value(n.(*figureNode))
	return v.Text, ok
}

func (e *evaluation) number(n node) (exact.Number, bool) {
	switch n := n.(type) {
	case *numberNode:
		return n.v, true
	case *paramNode:
		e.lacks(n.name, "the parameter has no value yet")
		return exact.Number{}, false
	case *figureNode:
		v, ok := e.value(n)
		return v.Number, ok
	case *unaryNode:
		x, ok := e.number(n.x)
		return x.Neg(), ok
	case *quantifierNode:
		t := e.tally(n)
		return exact.Int(t.holds), !t.null
	case *callNode:
		return e.call(n)
	case *binaryNode:
		return e.arithmetic(n)
	}
	panic(fmt.Sprintf("gate: %T is no number", n))
}

func (e *evaluation) call(n *callNode) (exact.Number, bool) {
	out, all := e.number(n.args[0])
	if n.name == "abs" {
		return out.Abs(), all
	}
	for _, a := range n.args[1:] {
		v, ok := e.number(a)
		all = all && ok
		if (v.Cmp(out) > 0) == (n.name == "max") {
			out = v
		}
	}
	return out, all
}

func (e *evaluation) arithmetic(n *binaryNode) (exact.Number, bool) {
	l, lok := e.number(n.l)
	r, rok := e.number(n.r)
	if !lok || !rok {
		return exact.Number{}, false
	}
	switch n.op {
	case "+":
		return l.Add(r), true
	case "-":
		return l.Sub(r), true
	case "*":
		return l.Mul(r), true
	}
	if r.Sign() == 0 {
		e.lacks(text(n), fmt.Sprintf("%s is 0", text(n.r)))
		return exact.Number{}, false
	}
	return l.Div(r), true
}
