package gate

import (
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// truth is what can be said of a condition without knowing the figures.
type truth int

const (
	open truth = iota
	always
	never
)

func truthOf(b bool) truth {
	if b {
		return always
	}
	return never
}

func (t truth) not() truth {
	switch t {
	case always:
		return never
	case never:
		return always
	}
	return open
}

// fold finds conditions that are true or false whatever is measured. It knows
// what values a figure can have (a count is not negative, a rate is at most 1)
// and that a thing equals itself; it is sound, not complete.
func fold(n node) truth {
	switch n := n.(type) {
	case *truthNode:
		return truthOf(n.v)
	case *unaryNode:
		return fold(n.x).not()
	case *quantifierNode:
		c := fold(n.cond)
		if n.name == "none" {
			return c.not()
		}
		return c
	case *binaryNode:
		switch n.op {
		case "and", "or":
			decisive := truthOf(n.op == "or")
			l, r := fold(n.l), fold(n.r)
			switch {
			case l == decisive || r == decisive || opposite(n.l, n.r):
				return decisive
			case l == r:
				return l
			}
			return open
		}
		return foldComparison(n)
	}
	return open
}

// opposite tells whether one side is the other with `not` before it.
func opposite(l, r node) bool {
	isNot := func(a, b node) bool {
		u, ok := a.(*unaryNode)
		return ok && u.op == "not" && text(u.x) == text(b)
	}
	return isNot(l, r) || isNot(r, l)
}

func foldComparison(n *binaryNode) truth {
	if text(n.l) == text(n.r) {
		return truthOf(n.op == "==" || n.op == "<=" || n.op == ">=")
	}
	l, ok := n.l.(*textNode)
	if r, both := n.r.(*textNode); ok && both {
		return truthOf((l.v == r.v) == (n.op == "=="))
	}
	if !numeric(n.l) {
		return foldTruths(n)
	}
	return compared(n.op, rangeOf(n.l, possible), rangeOf(n.r, possible))
}

// compared tells what holds of all values in two ranges.
func compared(op string, a, b span) truth {
	switch op {
	case "<":
		return ordered(a, b)
	case ">=":
		return ordered(a, b).not()
	case ">":
		return ordered(b, a)
	case "<=":
		return ordered(b, a).not()
	}
	equal := open
	if ordered(a, b) == always || ordered(b, a) == always {
		equal = never
	} else if a.point() && b.point() {
		equal = truthOf(a.lo.Cmp(*b.lo) == 0)
	}
	if op == "!=" {
		return equal.not()
	}
	return equal
}

func foldTruths(n *binaryNode) truth {
	l, r := fold(n.l), fold(n.r)
	if l == open || r == open {
		return open
	}
	return truthOf((l == r) == (n.op == "=="))
}

// ordered tells whether every value of a is below every value of b.
func ordered(a, b span) truth {
	switch {
	case a.hi != nil && b.lo != nil && a.hi.Cmp(*b.lo) < 0:
		return always
	case a.lo != nil && b.hi != nil && a.lo.Cmp(*b.hi) >= 0:
		return never
	}
	return open
}

func numeric(n node) bool {
	switch n := n.(type) {
	case *numberNode, *paramNode, *callNode:
		return true
	case *figureNode:
		return typeOf(n.metric.Kind).kind == kindNumber
	case *unaryNode:
		return n.op == "-"
	case *binaryNode:
		return !comparison(n.op) && n.op != "and" && n.op != "or"
	case *quantifierNode:
		return n.name == "count"
	}
	return false
}

// span is a closed range of values; a nil end is infinite.
type span struct{ lo, hi *exact.Number }

func (s span) point() bool { return s.lo != nil && s.hi != nil && s.lo.Cmp(*s.hi) == 0 }

func end(n exact.Number) *exact.Number { return &n }

// possible bounds a figure or a count before anything is measured.
func possible(n node) span {
	switch n := n.(type) {
	case *figureNode:
		return rangeOfFigure(n.metric)
	case *quantifierNode:
		return span{lo: end(exact.Number{})}
	}
	return span{}
}

// rangeOf bounds the values that a number can have, where it has one. leaf
// bounds figures, counts and parameters.
func rangeOf(n node, leaf func(node) span) span {
	switch n := n.(type) {
	case *numberNode:
		return span{end(n.v), end(n.v)}
	case *unaryNode:
		return rangeOf(n.x, leaf).neg()
	case *callNode:
		return rangeOfCall(n, leaf)
	case *binaryNode:
		l, r := rangeOf(n.l, leaf), rangeOf(n.r, leaf)
		switch n.op {
		case "+":
			return l.add(r)
		case "-":
			return l.add(r.neg())
		case "*":
			return l.mul(r)
		}
		switch {
		case r.point() && r.lo.Sign() == 0: // nothing is divided by 0
		case r.point():
			by := exact.Int(1).Div(*r.lo)
			return l.mul(span{end(by), end(by)})
		case l.lo != nil && l.lo.Sign() >= 0 && r.lo != nil && r.lo.Sign() >= 0:
			return span{lo: end(exact.Number{})}
		}
		return span{}
	}
	return leaf(n)
}

// rangeOfFigure leaves the upper end of what a backend reports open: a server
// that counts more reused tokens than the prompt has is what a gate may want to
// catch.
func rangeOfFigure(m *Metric) span {
	zero, one := end(exact.Number{}), end(exact.Int(1))
	signed := false
	for _, suffix := range []string{"_lift", "_drop", "_excess"} {
		signed = signed || strings.HasSuffix(m.Name, suffix)
	}
	switch {
	case signed && m.Source == Measured:
		return span{lo: end(exact.Int(-1))}
	case signed:
		return span{end(exact.Int(-1)), one}
	case m.Kind == Rate && m.Source == Measured, m.Kind == Count, m.Kind == Ratio, m.Kind == Time:
		return span{lo: zero}
	}
	return span{zero, one}
}

func rangeOfCall(n *callNode, leaf func(node) span) span {
	out := rangeOf(n.args[0], leaf)
	if n.name == "abs" {
		switch {
		case out.lo != nil && out.lo.Sign() >= 0:
			return out
		case out.lo == nil || out.hi == nil:
			return span{lo: end(exact.Number{})}
		}
		return span{end(exact.Number{}), larger(end(out.lo.Abs()), end(out.hi.Abs()))}
	}
	for _, a := range n.args[1:] {
		s := rangeOf(a, leaf)
		if n.name == "max" {
			out = out.max(s)
		} else {
			out = out.neg().max(s.neg()).neg()
		}
	}
	return out
}

// max is the range of the larger of two numbers.
func (s span) max(t span) span { return span{orLarger(s.lo, t.lo), larger(s.hi, t.hi)} }

// larger is nil where an end is infinite.
func larger(a, b *exact.Number) *exact.Number {
	switch {
	case a == nil || b == nil:
		return nil
	case a.Cmp(*b) >= 0:
		return a
	}
	return b
}

// orLarger passes over an end that is infinite.
func orLarger(a, b *exact.Number) *exact.Number {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return larger(a, b)
}

func (s span) neg() span {
	var out span
	if s.hi != nil {
		out.lo = end(s.hi.Neg())
	}
	if s.lo != nil {
		out.hi = end(s.lo.Neg())
	}
	return out
}

func (s span) add(t span) span {
	var out span
	if s.lo != nil && t.lo != nil {
		out.lo = end(s.lo.Add(*t.lo))
	}
	if s.hi != nil && t.hi != nil {
		out.hi = end(s.hi.Add(*t.hi))
	}
	return out
}

func (s span) mul(t span) span {
	if s.lo == nil || s.hi == nil || t.lo == nil || t.hi == nil {
		if s.lo != nil && t.lo != nil && s.lo.Sign() >= 0 && t.lo.Sign() >= 0 {
			return span{lo: end(s.lo.Mul(*t.lo))}
		}
		return span{}
	}
	var out span
	for i, p := range []exact.Number{s.lo.Mul(*t.lo), s.lo.Mul(*t.hi), s.hi.Mul(*t.lo), s.hi.Mul(*t.hi)} {
		if i == 0 || p.Cmp(*out.lo) < 0 {
			out.lo = end(p)
		}
		if i == 0 || p.Cmp(*out.hi) > 0 {
			out.hi = end(p)
		}
	}
	return out
}
