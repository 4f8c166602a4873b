package promrules

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
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
	selector     *parser.VectorSelector
	window       time.Duration
	line, column int  // in the rule file; column 0 where only the rule's line is known
	aside        bool // in an annotation, which reaches nobody
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
		list = append(list, reach{selector: n, window: max(w, 0)})
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

	recorders map[string][]int // nodes by the name that they record
	alerts    []int
}

// readBy lists the nodes that write what a selector can select.
func (g *graph) readBy(r reach) []int {
	name := r.name()
	if name != "" && name != alertsSeries && name != forStateSeries {
		// The selector may still have a second matcher of the name.
		if list := g.recorders[name]; len(list) == 0 || r.names(name) {
			return list
		}
		return nil
	}
	var list []int
	if name == "" {
		for j := range g.nodes {
			if r.reads(&g.nodes[j]) {
				list = append(list, j)
			}
		}
		return list
	}
	for _, j := range g.alerts {
		if r.reads(&g.nodes[j]) {
			list = append(list, j)
		}
	}
	return append(list, g.recorders[name]...)
}

type node struct {
	name    string // of the alert or the recorded series
	record  string // empty for an alert
	alert   int    // index in RuleFile.Alerts; -1 for a recording rule
	line    int
	every   time.Duration     // the group's interval; zero: the global one
	limited bool              // whether the group has a limit
	labels  map[string]string // those of the group included
	tree    parser.Expr
	offset  time.Duration
	reaches []reach
}

// analyse finds what the rules of a file depend on.
func (f *RuleFile) analyse(c *checker) {
	p := c.parser
	g := &graph{}
	f.graph = g
	recorded, selected := map[string]bool{}, map[string]bool{}
	alert, record := 0, 0
	for i := range f.file {
		group := &f.file[i]
		for j, r := range group.Rules {
			// Prometheus's loader has parsed the expression already.
			tree, err := p.ParseExpr(r.Expr)
			if err != nil {
				panic("promrules: an accepted expression does not parse: " + err.Error())
			}
			n := node{name: r.Record, record: r.Record, alert: -1, tree: tree, every: time.Duration(group.Interval), limited: group.Limit > 0, offset: offset(group), reaches: reaches(tree)}
			c.locate(n.reaches, i, j)
			if r.Record != "" {
				recorded[r.Record] = true
				n.line, n.labels = f.Records[record].Line, f.Records[record].Labels
				record++
			} else {
				a := &f.Alerts[alert]
				a.Thresholds = thresholds(tree)
				n.name, n.alert, n.line, n.labels = a.Name, alert, a.Line, a.Labels
				alert++
				n.reaches = append(n.reaches, templateReaches(p, group.Labels, r.Labels)...)
				for _, reach := range templateReaches(p, r.Annotations) {
					reach.aside = true
					n.reaches = append(n.reaches, reach)
				}
			}
			for k := range n.reaches {
				if n.reaches[k].line == 0 {
					n.reaches[k].line = n.line
				}
			}
			g.nodes = append(g.nodes, n)
			for _, reach := range n.reaches {
				f.retention = max(f.retention, reach.window+n.offset)
				if name := reach.name(); name != "" && !own(name) && !reach.aside {
					selected[name] = true
				}
			}
		}
	}
	g.recorders = map[string][]int{}
	for i := range g.nodes {
		if n := &g.nodes[i]; n.record != "" {
			g.recorders[n.record] = append(g.recorders[n.record], i)
		} else {
			g.alerts = append(g.alerts, i)
		}
	}
	g.spans = make([]time.Duration, len(g.nodes))
	for i := range g.spans {
		g.spans[i] = -1
	}
	for i, n := range g.nodes {
		if n.record == "" {
			f.Alerts[n.alert].Range = exact.Duration(g.span(i, map[int]bool{}))
			f.MaxRange = max(f.MaxRange, f.Alerts[n.alert].Range)
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
		for _, j := range g.readBy(r) {
			if onPath[j] {
				continue
			}
			span = max(span, r.window+g.span(j, onPath))
		}
	}
	delete(onPath, i)
	g.spans[i] = span + g.nodes[i].offset
	return g.spans[i]
}

// reads tells whether a selector can select what a rule writes.
func (r reach) reads(n *node) bool {
	if n.record != "" {
		return r.names(n.record)
	}
	if !r.names(alertsSeries) && !r.names(forStateSeries) {
		return false
	}
	for _, m := range r.selector.LabelMatchers {
		if m.Name == labels.AlertName && !m.Matches(n.name) {
			return false
		}
	}
	return true
}

// locate finds the lines of the selectors of rule j of group i.
func (c *checker) locate(list []reach, i, j int) {
	if i >= len(c.exprs) || j >= len(c.exprs[i]) || c.exprs[i][j] == nil {
		return
	}
	for k := range list {
		list[k].line, list[k].column = c.place(c.exprs[i][j], int(list[k].selector.PosRange.Start))
	}
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
