package promrules

import (
	"maps"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// view is the rules of a file together with the series that a scrape gives.
type view struct {
	*graph
	exported []labels.Labels // by counter, the total next, then those about the scrape itself
	total    int             // index of the total in exported
	shares   []bool          // by counter: whether its scores are 0 or 1
	missed   bool            // whether scrapes may fail
	resets   bool            // whether the counters may restart
	uniform  bool            // whether all counters have the same labels
	scrape   time.Duration   // the interval of scrapes
	evaluate time.Duration   // the global interval of evaluation
	shapes   []shape         // by node
	findings []finding       // by node

	// Once the shapes no longer change, what has been found is kept.
	settled bool
	found   map[*parser.VectorSelector]sourceLists
	shaped  map[parser.Expr]shape
}

// shape bounds the names of the labels that the samples of an expression have,
// the metric's name aside. Where it is exact, each sample has all of them.
type shape struct {
	names map[string]bool
	exact bool
}

func (s shape) with(names ...string) shape {
	out := shape{maps.Clone(s.names), s.exact}
	if out.names == nil {
		out.names = map[string]bool{}
	}
	for _, n := range names {
		out.names[n] = true
	}
	return out
}

// only keeps the listed names, or where drop is set the others.
func (s shape) only(list []string, drop bool) shape {
	listed := map[string]bool{}
	for _, n := range list {
		listed[n] = true
	}
	out := shape{map[string]bool{}, s.exact}
	for n := range s.names {
		if listed[n] != drop {
			out.names[n] = true
		}
	}
	return out
}

func (s shape) union(o shape) shape {
	out := s.with(sortedKeys(o.names)...)
	out.exact = s.exact && o.exact && maps.Equal(s.names, o.names)
	return out
}

// newView finds the shape of what each rule writes. Rules may read each other
// in a circle, so the shapes grow until nothing changes any more.
func newView(g *graph, c Config, shares []bool) (*view, error) {
	v := &view{graph: g, total: len(c.Counters), shares: shares, missed: c.MissedScrapes.Sign() > 0, resets: c.ResetEvery > 0, uniform: true,
		scrape: time.Duration(c.ScrapeInterval), evaluate: time.Duration(c.EvaluationInterval)}
	for _, k := range append(append([]Counter(nil), c.Counters...), c.Total) {
		l, err := c.series(k)
		if err != nil {
			return nil, err
		}
		v.exported = append(v.exported, l)
		first := labels.NewBuilder(v.exported[0]).Set(metricName, k.Name).Labels()
		v.uniform = v.uniform && labels.Equal(l, first)
	}
	for _, name := range scrapeSeries {
		v.exported = append(v.exported, labels.FromStrings(metricName, name, "job", c.Job, "instance", c.Instance))
	}
	v.shapes = make([]shape, len(g.nodes))
	for i := range v.shapes {
		v.shapes[i] = shape{map[string]bool{}, true}
	}
	for changed := true; changed; {
		changed = false
		for i := range g.nodes {
			n, old := &g.nodes[i], v.shapes[i]
			now := v.shape(n.tree).with()
			for name, value := range n.labels {
				// A label with a value of its own may keep two sides from meeting.
				now.exact = false
				if value == "" {
					delete(now.names, name)
				} else {
					now.names[name] = true
				}
			}
			now.exact = now.exact && old.exact
			if len(now.names) > len(old.names) || now.exact != old.exact {
				changed = true
				v.shapes[i] = now
			}
		}
	}
	v.settled = true
	v.findings = make([]finding, len(g.nodes))
	v.found, v.shaped = map[*parser.VectorSelector]sourceLists{}, map[parser.Expr]shape{}
	return v, nil
}

type sourceLists struct{ exported, rules []int }

// sources are what a selector can find samples in: exported series, and rules.
func (v *view) sources(s *parser.VectorSelector) (exported, rules []int) {
	if v.settled {
		if l, ok := v.found[s]; ok {
			return l.exported, l.rules
		}
		defer func() { v.found[s] = sourceLists{exported, rules} }()
	}
	r := reach{selector: s}
	for i, l := range v.exported {
		if r.matches(l) {
			exported = append(exported, i)
		}
	}
	for _, j := range v.readBy(r) {
		if n := &v.nodes[j]; v.admits(r, n, v.written(j)) {
			rules = append(rules, j)
		}
	}
	return exported, rules
}

// matches tells whether a selector selects a series.
func (r reach) matches(l labels.Labels) bool {
	for _, m := range r.selector.LabelMatchers {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

// admits tells whether a series that a rule writes can meet the matchers. Of
// the values of its labels only those that the rule itself gives are known.
func (v *view) admits(r reach, n *node, written shape) bool {
	for _, m := range r.selector.LabelMatchers {
		value, given := n.labels[m.Name]
		switch {
		case m.Name == metricName:
		case n.record == "" && (m.Name == labels.AlertName || m.Name == "alertstate"):
		case given && !hasAction(value):
			if !m.Matches(value) {
				return false
			}
		case !written.names[m.Name] && !m.Matches(""):
			return false
		}
	}
	return true
}

// written is the shape of the series that rule j writes.
func (v *view) written(j int) shape {
	if v.nodes[j].record != "" {
		return v.shapes[j]
	}
	s := v.shapes[j].with(labels.AlertName, "alertstate")
	s.exact = false // ALERTS_FOR_STATE has no alertstate
	return s
}

// shape bounds the labels of an expression's samples. The caller must not change
// it.
func (v *view) shape(e parser.Expr) shape {
	if !v.settled {
		return v.shapeOf(e)
	}
	s, ok := v.shaped[e]
	if !ok {
		s = v.shapeOf(e)
		v.shaped[e] = s
	}
	return s
}

func (v *view) shapeOf(e parser.Expr) shape {
	switch n := e.(type) {
	case *parser.VectorSelector:
		return v.selected(n)
	case *parser.MatrixSelector:
		return v.shape(n.VectorSelector)
	case *parser.SubqueryExpr:
		return v.shape(n.Expr)
	case *parser.ParenExpr:
		return v.shape(n.Expr)
	case *parser.UnaryExpr:
		return v.shape(n.Expr)
	case *parser.StepInvariantExpr:
		return v.shape(n.Expr)
	case *parser.AggregateExpr:
		inner := v.shape(n.Expr)
		switch n.Op {
		case parser.TOPK, parser.BOTTOMK, parser.LIMITK, parser.LIMIT_RATIO:
			return inner
		}
		out := inner.only(n.Grouping, n.Without)
		if name, ok := literal(n.Param); ok {
			out = out.with(name) // count_values
			out.exact = false
		}
		return out
	case *parser.Call:
		return v.called(n)
	case *parser.BinaryExpr:
		return v.joined(n)
	}
	return shape{map[string]bool{}, true}
}

func (v *view) selected(s *parser.VectorSelector) shape {
	out := shape{map[string]bool{}, false}
	exported, rules := v.sources(s)
	first := true
	add := func(o shape) {
		if first {
			out, first = o.with(), false
			return
		}
		out = out.union(o)
	}
	for _, i := range exported {
		one := shape{map[string]bool{}, true}
		v.exported[i].Range(func(l labels.Label) {
			if l.Name != metricName {
				one.names[l.Name] = true
			}
		})
		add(one)
	}
	for _, j := range rules {
		add(v.written(j))
	}
	return out
}

func (v *view) called(n *parser.Call) shape {
	switch n.Func.Name {
	case "label_replace", "label_join":
		out := v.shape(n.Args[0]).with()
		if name, ok := literal(n.Args[1]); ok {
			out = out.with(name)
		}
		out.exact = false
		return out
	case "absent", "absent_over_time":
		out := shape{map[string]bool{}, false}
		for _, r := range reaches(n.Args[0]) {
			for _, m := range r.selector.LabelMatchers {
				if m.Type == labels.MatchEqual && m.Name != metricName && m.Value != "" {
					out.names[m.Name] = true
				}
			}
		}
		return out
	case "scalar":
		return shape{map[string]bool{}, true}
	}
	out, vectors := shape{map[string]bool{}, true}, 0
	for _, a := range n.Args {
		if t := a.Type(); t != parser.ValueTypeVector && t != parser.ValueTypeMatrix {
			continue
		}
		if vectors++; vectors == 1 {
			out = v.shape(a).with()
			continue
		}
		out = out.union(v.shape(a))
	}
	if n.Func.Name == "histogram_quantile" {
		out.exact = false // the label le is taken away
	}
	return out
}

func (v *view) joined(n *parser.BinaryExpr) shape {
	left, right := v.shape(n.LHS), v.shape(n.RHS)
	switch {
	case n.LHS.Type() == parser.ValueTypeScalar:
		return right
	case n.RHS.Type() == parser.ValueTypeScalar || n.VectorMatching == nil:
		return left
	case n.Op == parser.LAND || n.Op == parser.LUNLESS:
		return left
	case n.Op == parser.LOR:
		return left.union(right)
	}
	m := n.VectorMatching
	if m.Card == parser.CardOneToOne {
		return left.only(m.MatchingLabels, !m.On)
	}
	many := left
	if m.Card == parser.CardOneToMany {
		many = right
	}
	out := many.with(m.Include...)
	out.exact = many.exact && len(m.Include) == 0
	return out
}

// single tells whether each selector of rule j, and of the rules that it reads,
// finds at most one series. No two samples can then get into each other's way,
// so that an evaluation cannot fail over them.
func (v *view) single(j int) bool {
	f := &v.findings[j]
	if f.counted != unseen {
		return f.counted == seen && f.single
	}
	f.counted = busy
	f.single = true
	for _, r := range reaches(v.nodes[j].tree) {
		exported, rules := v.sources(r.selector)
		f.single = f.single && len(exported)+len(rules) <= 1
		for _, k := range rules {
			f.single = f.single && v.nodes[k].record != "" && v.single(k)
		}
	}
	f.counted = seen
	return f.single
}

// meeting tells of two vectors whether no sample of one can meet one of the
// other, or whether each must, as far as their labels decide it.
func (v *view) meeting(n *parser.BinaryExpr) (never, always bool, left, right shape) {
	left, right = v.shape(n.LHS), v.shape(n.RHS)
	if !left.exact || !right.exact || n.VectorMatching == nil {
		return false, false, left, right
	}
	m := n.VectorMatching
	left, right = left.only(m.MatchingLabels, !m.On), right.only(m.MatchingLabels, !m.On)
	same := maps.Equal(left.names, right.names)
	return !same, same && v.uniform, left, right
}

// literal is the text of a string in an expression.
func literal(e parser.Expr) (string, bool) {
	for {
		p, ok := e.(*parser.ParenExpr)
		if !ok {
			break
		}
		e = p.Expr
	}
	if s, ok := e.(*parser.StringLiteral); ok {
		return s.Val, true
	}
	return "", false
}
