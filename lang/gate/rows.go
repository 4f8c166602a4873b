package gate

import "fmt"

// tally is what a look at rows found.
type tally struct {
	rows, holds, fails int64
	open               int64 // rows of which it cannot be told, or whether they belong
	null               bool  // a figure is absent in some row, or there are no rows
}

// look is a quantifier with what it found.
type look struct {
	at    *quantifierNode
	tally tally
}

// each calls f for every row that the quantifier may look at, with what the
// filter says of it, until f returns false.
func (e *evaluation) each(n *rowsNode, f func(kept decided) bool) {
	e.rows = n.of
	defer func() { e.row, e.rows = nil, "" }()
	e.at = -1
	for r := range e.env.rows(n.of) {
		e.row = r
		e.at++
		kept := decided{truth: always}
		if n.where != nil {
			kept = e.truth(n.where)
		}
		if !f(kept) {
			return
		}
	}
}

// tally goes through the rows once, however often it is asked for.
func (e *evaluation) tally(n *quantifierNode) tally {
	for _, l := range e.looks {
		if l.at == n {
			return l.tally
		}
	}
	var t tally
	e.each(n.rows, func(kept decided) bool {
		t.null = t.null || kept.null
		switch kept.truth {
		case never:
			return true
		case open:
			t.open++
			return true
		}
		t.rows++
		d := e.truth(n.cond)
		t.null = t.null || d.null
		switch d.truth {
		case always:
			t.holds++
		case never:
			t.fails++
		default:
			t.open++
		}
		return true
	})
	if t.rows == 0 && t.open == 0 {
		t.null = true
		what := "there are no " + n.rows.of
		if n.rows.where != nil {
			what += " that the filter keeps"
		}
		e.lacks(text(n), what)
	}
	e.looks = append(e.looks, look{n, t})
	return t
}

// quantifier decides all, any and none. A row that fails decides all, and one
// that holds decides any and none, whatever the others would say. Without a row
// nothing is decided.
func (e *evaluation) quantifier(n *quantifierNode) decided {
	t := e.tally(n)
	d := decided{open, t.null}
	deciding, result := t.holds, always
	if n.name == "all" {
		deciding, result = t.fails, never
	}
	switch {
	case deciding > 0:
		d.truth = result
	case t.rows > 0 && t.open == 0:
		d.truth = result.not()
	}
	if n.name == "none" {
		d.truth = d.truth.not()
	}
	return d
}

// explain tells why a part is true or false, as half a sentence. It is called
// only where the part is decided to be so.
func (e *evaluation) explain(n node, want bool) string {
	switch n := n.(type) {
	case *unaryNode:
		return e.explain(n.x, !want)
	case *quantifierNode:
		return e.explainRows(n, want)
	case *figureNode, *truthNode:
		return fmt.Sprintf("%s is %t", text(n), want)
	case *inNode:
		s, _ := e.text(n.x)
		if want {
			return fmt.Sprintf("%s holds: it is %q", text(n), s)
		}
		return fmt.Sprintf("%s does not hold: it is %q", text(n), s)
	case *binaryNode:
		if n.op == "and" || n.op == "or" {
			return e.explainSides(n, want)
		}
		return e.explainComparison(n, want)
	}
	return text(n)
}

// explainSides names the sides that decide.
func (e *evaluation) explainSides(n *binaryNode, want bool) string {
	said := ""
	for _, side := range []node{n.l, n.r} {
		if e.truth(side).truth != truthOf(want) {
			continue
		}
		if said != "" {
			said += "; "
		}
		said += e.explain(side, want)
	}
	return said
}

func (e *evaluation) explainComparison(n *binaryNode, want bool) string {
	said := text(n) + " does not hold"
	if want {
		said = text(n) + " holds"
	}
	l, r := e.show(n.l), e.show(n.r)
	switch {
	case l != "" && r != "":
		return fmt.Sprintf("%s: %s, %s", said, l, r)
	case l+r != "":
		return fmt.Sprintf("%s: %s", said, l+r)
	}
	return said
}

// show is a side of a comparison with its value; "" for a constant, which shows
// itself.
func (e *evaluation) show(n node) string {
	switch f := n.(type) {
	case *numberNode, *truthNode, *textNode:
		return ""
	case *figureNode:
		return fmt.Sprintf("%s is %s", text(n), e.figure(f))
	}
	if numeric(n) {
		if v, ok := e.number(n); ok {
			return fmt.Sprintf("%s is %s", text(n), v.Decimal(places))
		}
		return text(n) + e.showRange(n)
	}
	return fmt.Sprintf("%s is %t", text(n), e.truth(n).truth == always)
}

// showRange tells of a number without a value what can be said of it.
func (e *evaluation) showRange(n node) string {
	s := rangeOf(n, e.known)
	switch {
	case s.lo != nil && s.hi != nil:
		return fmt.Sprintf(" is from %s to %s", s.lo.Decimal(places), s.hi.Decimal(places))
	case s.lo != nil:
		return " is at least " + s.lo.Decimal(places)
	case s.hi != nil:
		return " is at most " + s.hi.Decimal(places)
	}
	return " is null"
}

// explainRows names the first row that decides, and how many there are.
func (e *evaluation) explainRows(n *quantifierNode, want bool) string {
	t := e.tally(n)
	said := fmt.Sprintf("%s does not hold: ", text(n))
	if want {
		said = fmt.Sprintf("%s holds: ", text(n))
	}
	said += fmt.Sprintf("the condition is true of %d and false of %d of %d %s", t.holds, t.fails, t.rows, n.rows.of)
	inner := n.name != "all" // what the condition says of a row that decides
	if inner == (n.name == "none") == want {
		return said
	}
	e.each(n.rows, func(kept decided) bool {
		if kept.truth != always || e.truth(n.cond).truth != truthOf(inner) {
			return true
		}
		said += fmt.Sprintf("; first of %s: %s", e.label(), e.explain(n.cond, inner))
		return false
	})
	return said
}
