package promrules

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/fdbench/fdbench/lang/exact"
)

const (
	metricName     = model.MetricNameLabel
	alertsSeries   = "ALERTS"
	forStateSeries = "ALERTS_FOR_STATE"
	utf8Names      = model.UTF8Validation
)

// reach is one selector in a rule and how far back it looks from the instant of
// the evaluation.
type reach struct {
	selector *parser.VectorSelector
	window   time.Duration
}

// reaches lists the selectors of an expression.
func reaches(tree parser.Expr) []reach {
	var list []reach
	parser.Inspect(tree, func(node parser.Node, path []parser.Node) error {
		n, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		w := n.OriginalOffset
		for _, p := range path {
			switch p := p.(type) {
			case *parser.SubqueryExpr:
				w += p.Range + p.OriginalOffset
			case *parser.MatrixSelector:
				w += p.Range
			}
		}
		// A negative offset looks ahead; there is nothing to keep for it.
		list = append(list, reach{n, max(w, 0)})
		return nil
	})
	return list
}

// names tells whether a selector can select series of this name.
func (r reach) names(name string) bool {
	for _, m := range r.selector.LabelMatchers {
		if m.Name == metricName && !m.Matches(name) {
			return false
		}
	}
	return true
}

// name is the name that a selector gives, or empty.
func (r reach) name() string {
	for _, m := range r.selector.LabelMatchers {
		if m.Name == metricName && m.Type.String() == "=" {
			return m.Value
		}
	}
	return ""
}

// own tells whether Prometheus itself writes series of this name.
func own(name string) bool {
	return name == alertsSeries || name == forStateSeries || name == "up" || strings.HasPrefix(name, "scrape_")
}

// graph is the rules of a file as they read each other.
type graph struct {
	nodes []node
	spans []time.Duration // by node, -1 where not known yet
}

type node struct {
	record  string // empty for an alert
	offset  time.Duration
	reaches []reach
}

// analyse finds what the rules of a file depend on.
func (f *RuleFile) analyse(p parser.Parser) {
	g := &graph{}
	recorded, selected := map[string]bool{}, map[string]bool{}
	alert := 0
	for i := range f.file {
		group := &f.file[i]
		for _, r := range group.Rules {
			// Prometheus's loader has parsed the expression already.
			tree, err := p.ParseExpr(r.Expr)
			if err != nil {
				panic("promrules: an accepted expression does not parse: " + err.Error())
			}
			n := node{record: r.Record, offset: offset(group), reaches: reaches(tree)}
			if r.Record != "" {
				recorded[r.Record] = true
			} else {
				f.Alerts[alert].Thresholds = thresholds(tree)
				alert++
				n.reaches = append(n.reaches, templateReaches(p, group.Labels, r.Labels, r.Annotations)...)
			}
			g.nodes = append(g.nodes, n)
			for _, reach := range n.reaches {
				f.retention = max(f.retention, reach.window+n.offset)
				if name := reach.name(); name != "" && !own(name) {
					selected[name] = true
				}
			}
		}
	}
	g.spans = make([]time.Duration, len(g.nodes))
	for i := range g.spans {
		g.spans[i] = -1
	}
	for i, n := range g.nodes {
		if n.record == "" {
			f.MaxRange = max(f.MaxRange, exact.Duration(g.span(i, map[int]bool{})))
		}
	}
	for name := range selected {
		if !recorded[name] {
			f.Metrics = append(f.Metrics, name)
		}
	}
	sort.Strings(f.Metrics)
}

// span is how far back rule i depends on the past, through the rules that it
// reads. A rule that reads itself depends on all of it; such a circle counts
// once.
func (g *graph) span(i int, onPath map[int]bool) time.Duration {
	if g.spans[i] >= 0 {
		return g.spans[i]
	}
	onPath[i] = true
	var span time.Duration
	for _, r := range g.nodes[i].reaches {
		span = max(span, r.window)
		for j, n := range g.nodes {
			reads := n.record != "" && r.names(n.record) ||
				n.record == "" && (r.names(alertsSeries) || r.names(forStateSeries))
			if !reads || onPath[j] {
				continue
			}
			span = max(span, r.window+g.span(j, onPath))
		}
	}
	delete(onPath, i)
	g.spans[i] = span + g.nodes[i].offset
	return g.spans[i]
}

// templateReaches lists the selectors of the constant queries in templates.
func templateReaches(p parser.Parser, sets ...map[string]string) []reach {
	var list []reach
	for _, set := range sets {
		for _, key := range sortedKeys(set) {
			for _, q := range inspect(set[key]).queries {
				if tree, err := p.ParseExpr(q); err == nil {
					list = append(list, reaches(tree)...)
				}
			}
		}
	}
	return list
}

// thresholds lists the comparisons in an expression.
func thresholds(tree parser.Expr) []string {
	var list []string
	parser.Inspect(tree, func(n parser.Node, _ []parser.Node) error {
		b, ok := n.(*parser.BinaryExpr)
		if !ok || !b.Op.IsComparisonOperator() {
			return nil
		}
		op, bound := b.Op.String(), b.RHS
		if b.LHS.Type() == parser.ValueTypeScalar && b.RHS.Type() != parser.ValueTypeScalar {
			op, bound = mirrored(op), b.LHS
		}
		list = append(list, op+" "+boundText(bound))
		return nil
	})
	return list
}

func mirrored(op string) string {
	switch op[0] {
	case '<':
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	}
	return op
}

func boundText(e parser.Expr) string {
	for {
		paren, ok := e.(*parser.ParenExpr)
		if !ok {
			break
		}
		e = paren.Expr
	}
	if n, ok := e.(*parser.NumberLiteral); ok {
		return strconv.FormatFloat(n.Val, 'f', -1, 64)
	}
	return e.String()
}
