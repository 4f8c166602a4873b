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
func (v *view) bounds(e parser.Expr) (interval, bool) {
	switch n := e.(type) {
	case *parser.NumberLiteral:
		return interval{n.Val, n.Val}, !math.IsNaN(n.Val)
	case *parser.ParenExpr:
		return v.bounds(n.Expr)
	case *parser.StepInvariantExpr:
		return v.bounds(n.Expr)
	case *parser.SubqueryExpr:
		return v.bounds(n.Expr)
	case *parser.MatrixSelector:
		return v.bounds(n.VectorSelector)
	case *parser.UnaryExpr:
		b, ok := v.bounds(n.Expr)
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
		case len(exported) == 0 && len(rules) == 1 && v.nodes[rules[0]].record != "":
			return v.recordBounds(rules[0])
		}
	case *parser.AggregateExpr:
		switch n.Op {
		case parser.AVG, parser.MIN, parser.MAX:
			return v.bounds(n.Expr)
		}
	case *parser.Call:
		switch n.Func.Name {
		case "avg_over_time", "min_over_time", "max_over_time", "last_over_time", "vector", "sort", "sort_desc", "label_replace", "label_join":
			return v.bounds(n.Args[0])
		}
	case *parser.BinaryExpr:
		return v.binary(n)
	}
	return interval{}, false
}

// recordBounds bounds what rule j records, unless it reads itself.
func (v *view) recordBounds(j int) (interval, bool) {
	f := &v.findings[j]
	if f.bounds == unseen {
		f.bounds = busy
		f.interval, f.bounded = v.bounds(v.nodes[j].tree)
		f.bounds = seen
	}
	return f.interval, f.bounds == seen && f.bounded
}

func (v *view) binary(n *parser.BinaryExpr) (interval, bool) {
	if n.Op == parser.DIV && v.share(n.LHS, n.RHS) {
		return interval{0, 1}, true
	}
	left, ok := v.bounds(n.LHS)
	right, both := v.bounds(n.RHS)
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
// counter of all responses, both taken in the same way. Where counters restart,
// a rate may miss that of one of them and exceed the other.
func (v *view) share(over, under parser.Expr) bool {
	a, how, ok := v.counter(over)
	b, same, both := v.counter(under)
	return !v.resets && ok && both && how == same && b == v.total && (a == b || a < len(v.shares) && v.shares[a])
}

// counter finds which counter an expression takes, and how it does that.
func (v *view) counter(e parser.Expr) (which int, how string, ok bool) {
	switch n := e.(type) {
	case *parser.ParenExpr:
		return v.counter(n.Expr)
	case *parser.BinaryExpr:
		// A filter such as "> 0" after a denominator.
		if n.Op.IsComparisonOperator() && !n.ReturnBool && n.RHS.Type() == parser.ValueTypeScalar {
			return v.counter(n.LHS)
		}
	case *parser.AggregateExpr:
		// Over one target, what labels are summed away does not change the sum.
		if n.Op == parser.SUM {
			return v.counter(n.Expr)
		}
	case *parser.Call:
		switch n.Func.Name {
		case "rate", "increase", "irate":
			if m, matrix := n.Args[0].(*parser.MatrixSelector); matrix {
				which, inner, ok := v.counter(m.VectorSelector)
				return which, n.Func.Name + " " + m.Range.String() + " " + inner, ok
			}
		}
	case *parser.VectorSelector:
		exported, rules := v.sources(n)
		plain := n.OriginalOffset == 0 && n.StartOrEnd == 0
		if plain && len(exported) == 1 && len(rules) == 0 && exported[0] <= v.total {
			return exported[0], "counter", true
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
