package promrules

import (
	"math"
	"strconv"

	"github.com/prometheus/prometheus/promql/parser"
)

// interval holds every value that an expression's samples can take, not-a-number
// aside.
type interval struct{ low, high float64 }

func (i interval) String() string {
	text := func(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }
	if i.low == i.high {
		return text(i.low)
	}
	return "between " + text(i.low) + " and " + text(i.high)
}

// bounds finds the interval of an expression where that is easy: numbers, the
// share of a counter in the total, and arithmetic with them.
func (v *view) bounds(e parser.Expr, path map[int]bool) (interval, bool) {
	switch n := e.(type) {
	case *parser.NumberLiteral:
		return interval{n.Val, n.Val}, !math.IsNaN(n.Val)
	case *parser.ParenExpr:
		return v.bounds(n.Expr, path)
	case *parser.StepInvariantExpr:
		return v.bounds(n.Expr, path)
	case *parser.SubqueryExpr:
		return v.bounds(n.Expr, path)
	case *parser.MatrixSelector:
		return v.bounds(n.VectorSelector, path)
	case *parser.UnaryExpr:
		b, ok := v.bounds(n.Expr, path)
		if n.Op == parser.SUB {
			b = interval{-b.high, -b.low}
		}
		return b, ok
	case *parser.VectorSelector:
		exported, rules := v.sources(n)
		switch {
		case len(exported) == 1 && len(rules) == 0 && v.exported[exported[0]].Get(metricName) == "up":
			if v.missed {
				return interval{0, 1}, true
			}
			return interval{1, 1}, true
		case len(exported) == 0 && len(rules) == 1 && v.nodes[rules[0]].record != "" && !path[rules[0]]:
			path[rules[0]] = true
			defer delete(path, rules[0])
			return v.bounds(v.nodes[rules[0]].tree, path)
		}
	case *parser.AggregateExpr:
		switch n.Op {
		case parser.AVG, parser.MIN, parser.MAX:
			return v.bounds(n.Expr, path)
		}
	case *parser.Call:
		switch n.Func.Name {
		case "avg_over_time", "min_over_time", "max_over_time", "last_over_time", "vector", "sort", "sort_desc", "label_replace", "label_join":
			return v.bounds(n.Args[0], path)
		}
	case *parser.BinaryExpr:
		return v.binary(n, path)
	}
	return interval{}, false
}

func (v *view) binary(n *parser.BinaryExpr, path map[int]bool) (interval, bool) {
	if n.Op == parser.DIV && v.share(n.LHS, n.RHS) {
		return interval{0, 1}, true
	}
	left, ok := v.bounds(n.LHS, path)
	right, both := v.bounds(n.RHS, path)
	switch {
	case n.Op.IsComparisonOperator() && n.ReturnBool:
		return interval{0, 1}, true
	case n.Op.IsComparisonOperator() && n.LHS.Type() == parser.ValueTypeScalar:
		return right, both // a comparison without bool lets the vector's values through
	case n.Op.IsComparisonOperator(), n.Op == parser.LAND, n.Op == parser.LUNLESS:
		return left, ok
	case !ok || !both:
		return interval{}, false
	}
	var corners []float64
	switch n.Op {
	case parser.ADD:
		corners = []float64{left.low + right.low, left.high + right.high}
	case parser.SUB:
		corners = []float64{left.low - right.high, left.high - right.low}
	case parser.MUL:
		corners = []float64{left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high}
	case parser.DIV:
		if right.low <= 0 && right.high >= 0 {
			return interval{}, false
		}
		corners = []float64{left.low / right.low, left.low / right.high, left.high / right.low, left.high / right.high}
	case parser.LOR:
		corners = []float64{left.low, left.high, right.low, right.high}
	default:
		return interval{}, false
	}
	out := interval{corners[0], corners[0]}
	for _, c := range corners {
		if math.IsNaN(c) {
			return interval{}, false
		}
		out.low, out.high = min(out.low, c)+0, max(out.high, c)+0 // and no negative zero
	}
	return out, true
}

// share tells whether a quotient is that of a counter of zeros and ones to the
// counter of all responses, both taken in the same way.
func (v *view) share(over, under parser.Expr) bool {
	a, how, ok := v.counter(over, map[int]bool{})
	b, same, both := v.counter(under, map[int]bool{})
	return ok && both && how == same && b == v.total && (a == b || a < len(v.shares) && v.shares[a])
}

// counter finds which counter an expression takes, and how it does that.
func (v *view) counter(e parser.Expr, path map[int]bool) (which int, how string, ok bool) {
	switch n := e.(type) {
	case *parser.ParenExpr:
		return v.counter(n.Expr, path)
	case *parser.BinaryExpr:
		// A filter such as "> 0" after a denominator.
		if n.Op.IsComparisonOperator() && !n.ReturnBool && n.RHS.Type() == parser.ValueTypeScalar {
			return v.counter(n.LHS, path)
		}
	case *parser.AggregateExpr:
		// Over one target, what labels are summed away does not change the sum.
		if n.Op == parser.SUM {
			return v.counter(n.Expr, path)
		}
	case *parser.Call:
		m, matrix := n.Args[:min(1, len(n.Args))], false
		var r *parser.MatrixSelector
		if len(m) == 1 {
			r, matrix = m[0].(*parser.MatrixSelector)
		}
		switch n.Func.Name {
		case "rate", "increase", "irate":
			if !matrix {
				return 0, "", false
			}
			which, inner, ok := v.counter(r.VectorSelector, path)
			return which, n.Func.Name + " " + r.Range.String() + " " + inner, ok
		}
	case *parser.VectorSelector:
		exported, rules := v.sources(n)
		plain := n.OriginalOffset == 0 && n.StartOrEnd == 0
		switch {
		case !plain:
		case len(exported) == 1 && len(rules) == 0 && exported[0] <= v.total:
			return exported[0], "counter", true
		case len(exported) == 0 && len(rules) == 1 && v.nodes[rules[0]].record != "" && !path[rules[0]]:
			path[rules[0]] = true
			defer delete(path, rules[0])
			return v.counter(v.nodes[rules[0]].tree, path)
		}
	}
	return 0, "", false
}

// compare tells whether a comparison of values in two intervals holds never or
// always.
func compare(op parser.ItemType, a, b interval) (never, always bool) {
	switch op {
	case parser.GTR:
		return a.high <= b.low, a.low > b.high
	case parser.GTE:
		return a.high < b.low, a.low >= b.high
	case parser.LSS:
		return a.low >= b.high, a.high < b.low
	case parser.LTE:
		return a.low > b.high, a.high <= b.low
	}
	apart := a.high < b.low || a.low > b.high
	equal := a.low == a.high && a == b
	switch op {
	case parser.EQLC:
		return apart, equal
	case parser.NEQ:
		return equal, apart
	}
	return false, false
}
