package promrules

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

// Outcome is what can be said of an expression before a run.
type Outcome uint8

// The outcomes. They hold once the counters have been scraped for as long as the
// rules look back; Always may ask for responses too.
const (
	Open   Outcome = iota
	Never          // gives no sample
	Always         // gives a sample at every evaluation
)

// judgement is an outcome with its reason.
type judgement struct {
	Outcome
	why string
}

// finding is what has been found of a rule so far. Rules may read each other in
// a circle: one that is still being looked at tells nothing, which is never
// wrong.
type finding struct {
	judged, bounds, counted progress

	judgement judgement
	interval  interval
	bounded   bool
	single    bool
}

type progress uint8

const (
	unseen progress = iota
	busy
	seen
)

// judgeRule judges the expression of rule j.
func (v *view) judgeRule(j int) judgement {
	f, n := &v.findings[j], &v.nodes[j]
	switch f.judged {
	case busy:
		return judgement{}
	case unseen:
		f.judged = busy
		out := v.judge(n.tree)
		if out.Outcome == Always && (n.limited || !v.single(j)) {
			out = judgement{} // an evaluation may fail
		}
		f.judgement, f.judged = out, seen
	}
	return f.judgement
}

func (v *view) judge(e parser.Expr) judgement {
	switch n := e.(type) {
	case *parser.NumberLiteral:
		return judgement{Always, "a number is always there"}
	case *parser.ParenExpr:
		return v.judge(n.Expr)
	case *parser.UnaryExpr:
		return v.judge(n.Expr)
	case *parser.StepInvariantExpr:
		return v.judge(n.Expr)
	case *parser.SubqueryExpr:
		step := n.Step
		if step == 0 {
			step = v.evaluate
		}
		j := v.judge(n.Expr)
		if j.Outcome == Always && (n.Range < 2*step || n.OriginalOffset < 0) {
			return judgement{}
		}
		return j
	case *parser.MatrixSelector:
		return v.judgeRange(n)
	case *parser.VectorSelector:
		j := v.judgeSelector(n)
		if j.Outcome == Always && v.step(n) > lookback {
			return judgement{}
		}
		return j
	case *parser.AggregateExpr:
		j := v.judge(n.Expr)
		switch n.Op {
		case parser.TOPK, parser.BOTTOMK, parser.LIMITK, parser.LIMIT_RATIO:
			if j.Outcome == Always {
				j = judgement{}
			}
		}
		return j
	case *parser.Call:
		return v.judgeCall(n)
	case *parser.BinaryExpr:
		return v.judgeBinary(n)
	}
	return judgement{}
}

// judgeRange says of a range that it is always there only where it always
// holds two samples.
func (v *view) judgeRange(m *parser.MatrixSelector) judgement {
	s := m.VectorSelector.(*parser.VectorSelector)
	j := v.judgeSelector(s)
	if j.Outcome == Always && m.Range < 2*v.step(s) {
		return judgement{}
	}
	return j
}

// step is the longest interval between the samples that a selector finds.
func (v *view) step(s *parser.VectorSelector) time.Duration {
	exported, rules := v.sources(s)
	var step time.Duration
	if len(exported) > 0 {
		step = v.scrape
	}
	for _, j := range rules {
		every := v.nodes[j].every
		if every == 0 {
			every = v.evaluate
		}
		step = max(step, every)
	}
	return step
}

// needTwo are the functions that give nothing for a single sample.
var needTwo = map[string]bool{
	"rate": true, "increase": true, "irate": true, "delta": true, "idelta": true, "deriv": true, "predict_linear": true,
}

func (v *view) judgeSelector(s *parser.VectorSelector) judgement {
	exported, rules := v.sources(s)
	all := judgement{Never, s.String() + " finds no sample"}
	if len(exported) > 0 {
		all = judgement{Always, s.String() + " is always there"}
		if s.OriginalOffset < 0 {
			all = judgement{} // it looks into the future
		}
		for _, i := range exported {
			// The series about the scrape are there even where it fails.
			if i <= v.total && v.missed {
				all = judgement{}
			}
		}
	}
	for _, j := range rules {
		n := &v.nodes[j]
		one := judgement{}
		if n.record != "" {
			one = v.judgeRule(j)
		}
		if one.Outcome == Always && (!certain(s, n) || s.OriginalOffset < 0) {
			one = judgement{}
		}
		switch {
		case len(rules) == 1 && len(exported) == 0:
			all = one
		case one.Outcome == Always || all.Outcome == Never && one.Outcome != Never:
			all = one
		}
	}
	return all
}

// certain tells whether a selector surely selects what a rule writes.
func certain(s *parser.VectorSelector, n *node) bool {
	for _, m := range s.LabelMatchers {
		if value, given := n.labels[m.Name]; m.Name != metricName && !(given && !hasAction(value) && m.Matches(value)) {
			return false
		}
	}
	return true
}

func (v *view) judgeCall(n *parser.Call) judgement {
	switch n.Func.Name {
	case "absent", "absent_over_time":
		j := v.judge(n.Args[0])
		switch j.Outcome {
		case Never:
			return judgement{Always, n.String() + " is always true, because nothing gives " + n.Args[0].String()}
		case Always:
			return judgement{Never, n.String() + " is never true, because " + n.Args[0].String() + " is always there"}
		}
		return judgement{}
	case "scalar":
		return judgement{Always, "a number is always there"}
	}
	for _, a := range n.Args {
		if m, ok := a.(*parser.MatrixSelector); ok && needTwo[n.Func.Name] {
			s := m.VectorSelector.(*parser.VectorSelector)
			// A range is open at its older end.
			if _, rules := v.sources(s); len(rules) == 0 && m.Range <= v.step(s) {
				return judgement{Never, fmt.Sprintf("%s needs two samples, and with a scrape every %s the range holds only one", n, model.Duration(v.scrape))}
			}
		}
		if t := a.Type(); t == parser.ValueTypeVector || t == parser.ValueTypeMatrix {
			j := v.judge(a)
			if j.Outcome == Always && doubtful(n.Func.Name) {
				return judgement{}
			}
			return j
		}
	}
	return judgement{Always, n.String() + " is always there"}
}

// doubtful names the functions that may give nothing or fail for samples that
// are there: a counter is no histogram, and a pattern may not be one.
func doubtful(name string) bool {
	return strings.HasPrefix(name, "histogram_") || strings.HasPrefix(name, "label_")
}

func (v *view) judgeBinary(n *parser.BinaryExpr) judgement {
	vectors := 0
	always := true
	var left, right judgement
	for i, side := range []parser.Expr{n.LHS, n.RHS} {
		if side.Type() == parser.ValueTypeScalar {
			continue
		}
		vectors++
		j := v.judge(side)
		always = always && j.Outcome == Always
		if i == 0 {
			left = j
		} else {
			right = j
		}
	}
	var apart, meet bool
	var a, b shape
	if vectors == 2 {
		apart, meet, a, b = v.meeting(n)
	}
	switch n.Op {
	case parser.LOR:
		switch {
		case left.Outcome == Always:
			return left
		case right.Outcome == Always:
			return right
		case left.Outcome == Never && right.Outcome == Never:
			return left
		}
		return judgement{}
	case parser.LUNLESS:
		switch {
		case left.Outcome == Never, right.Outcome == Never, apart:
			return left
		case right.Outcome == Always && meet:
			return judgement{Never, "what stands after unless is always there"}
		}
		return judgement{}
	}
	switch {
	case left.Outcome == Never:
		return left
	case right.Outcome == Never:
		return right
	case apart:
		return judgement{Never, fmt.Sprintf("no sample before %q meets one after it: the labels are %s and %s", n.Op, listed(a), listed(b))}
	case vectors == 2 && !meet:
		always = false
	}
	if n.Op.IsComparisonOperator() && !n.ReturnBool {
		x, ok := v.bounds(n.LHS)
		y, both := v.bounds(n.RHS)
		if !ok || !both {
			return judgement{}
		}
		never, holds := compare(n.Op, x, y)
		why := fmt.Sprintf("what stands before %q is %s, and what stands after it is %s", n.Op, x, y)
		switch {
		case never:
			return judgement{Never, why}
		case holds && always:
			return judgement{Always, why}
		}
		return judgement{}
	}
	if !always {
		return judgement{}
	}
	return judgement{Always, "without a comparison that filters, it gives a value at every evaluation"}
}

func listed(s shape) string { return "{" + strings.Join(sortedKeys(s.names), ", ") + "}" }
