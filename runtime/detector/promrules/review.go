package promrules

import (
	"strconv"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/fdbench/fdbench/runtime/random"
)

// scrapeSeries are the series that Prometheus writes about each scrape.
var scrapeSeries = []string{
	"up", "scrape_duration_seconds", "scrape_samples_scraped",
	"scrape_samples_post_metric_relabeling", "scrape_series_added",
}

// Review is a rule file held against what a target exports.
type Review struct {
	Rules []ReviewedRule // in the order of evaluation within each group
	view  *view
}

// ReviewedRule is what can be said of one rule before a run.
type ReviewedRule struct {
	Name  string // of the alert or the recorded series
	Alert int    // index in RuleFile.Alerts; -1 for a recording rule
	Line  int
	// Empty lists the selectors that can find no sample.
	Empty []EmptySelector
	// Groupings lists the labels that the expression groups by though no
	// sample below has them.
	Groupings []Grouping
	// Outcome says whether the expression gives a sample never or always, and
	// Why is the reason in words.
	Outcome Outcome
	Why     string
	// Labels bounds the names of the labels of the result, those of the rule
	// included, sorted.
	Labels []string
}

// EmptySelector is a selector that can find no sample.
type EmptySelector struct {
	Text         string
	Name         string // of the metric; empty where the selector gives only a pattern
	Line, Column int    // column 0 where only the rule's line is known
	// Unknown tells that nothing of this name is exported, recorded or written
	// by Prometheus itself. Otherwise Has says which labels the samples of this
	// name have, and Asked which the selector asks for by value in vain.
	Unknown bool
	Has     string
	Asked   map[string]string
}

// Grouping is a label that an aggregation groups by in vain.
type Grouping struct {
	Label string
	Has   string // the labels that the samples have
	Line  int
}

// Review holds the rules against what the Config's target exports; the other
// settings count only as far as they decide which samples there are. shares
// tells of each counter whether its scores are only 0 and 1. What it says of a
// rule holds in every run, or is not said.
func (f *RuleFile) Review(c Config, shares []bool) (*Review, error) {
	if c.Stream == nil {
		c.Stream = random.New("review") // nothing is drawn from it
	}
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	v, err := newView(f.graph, c, shares)
	if err != nil {
		return nil, err
	}
	r := &Review{view: v}
	for i := range v.nodes {
		n := &v.nodes[i]
		out := ReviewedRule{Name: n.name, Alert: n.alert, Line: n.line, Labels: sortedKeys(v.shapes[i].names)}
		for _, reach := range n.reaches {
			if e, ok := v.empty(reach); ok && !reach.aside {
				out.Empty = append(out.Empty, e)
			}
		}
		out.Groupings = v.groupings(n)
		j := v.judgeRule(i)
		out.Outcome, out.Why = j.Outcome, j.why
		r.Rules = append(r.Rules, out)
	}
	return r, nil
}

// Needs tells, beside Rules, which rules the chosen alerts depend on: the
// alerts themselves and all that they read. The argument of alert is an index
// in RuleFile.Alerts.
func (r *Review) Needs(alert func(i int) bool) []bool {
	needed := make([]bool, len(r.Rules))
	var mark func(i int)
	mark = func(i int) {
		if needed[i] {
			return
		}
		needed[i] = true
		for _, reach := range r.view.nodes[i].reaches {
			if reach.aside {
				continue
			}
			for _, j := range r.view.readBy(reach) {
				mark(j)
			}
		}
	}
	for i, rule := range r.Rules {
		if rule.Alert >= 0 && alert(rule.Alert) {
			mark(i)
		}
	}
	return needed
}

// empty tells whether a selector can find no sample, and why.
func (v *view) empty(r reach) (EmptySelector, bool) {
	exported, rules := v.sources(r.selector)
	if len(exported)+len(rules) > 0 {
		return EmptySelector{}, false
	}
	plain := *r.selector
	plain.OriginalOffset = 0
	e := EmptySelector{Text: plain.String(), Name: r.name(), Line: r.line, Column: r.column, Unknown: true}
	var has []string
	asked := map[string]string{}
	note := func(text string) {
		e.Unknown = false
		for _, h := range has {
			if h == text {
				return
			}
		}
		has = append(has, text)
	}
	for _, l := range v.exported {
		if !r.names(l.Get(metricName)) {
			continue
		}
		note(labels.NewBuilder(l).Del(metricName).Labels().String())
		for _, m := range r.selector.LabelMatchers {
			if wanted := wantedValue(m); wanted != "" && m.Name != metricName && !m.Matches(l.Get(m.Name)) {
				asked[m.Name] = wanted
			}
		}
	}
	if r.names(alertsSeries) || r.names(forStateSeries) {
		for _, j := range v.alerts {
			note(v.writtenText(j))
		}
	}
	for j := range v.nodes {
		if n := &v.nodes[j]; n.record != "" && r.names(n.record) {
			note(v.writtenText(j))
		}
	}
	if most := 6; len(has) > most {
		has = append(has[:most], strconv.Itoa(len(has)-most)+" more")
	}
	e.Has = strings.Join(has, " or ")
	if len(asked) > 0 {
		e.Asked = asked
	}
	return e, true
}

// wantedValue is a value that a matcher asks for, where it names one.
func wantedValue(m *labels.Matcher) string {
	switch m.Type {
	case labels.MatchEqual:
		return m.Value
	case labels.MatchRegexp:
		if set := m.SetMatches(); len(set) > 0 {
			return set[0]
		}
	}
	return ""
}

// writtenText shows the labels that a rule writes: the values where it gives
// them, and otherwise the names.
func (v *view) writtenText(j int) string {
	n := &v.nodes[j]
	var parts []string
	for _, name := range sortedKeys(v.written(j).names) {
		value, given := n.labels[name]
		switch {
		case given && !hasAction(value):
			parts = append(parts, name+`="`+value+`"`)
		case name == labels.AlertName && n.record == "":
			parts = append(parts, name+`="`+n.name+`"`)
		default:
			parts = append(parts, name)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// groupings lists the labels that aggregations of a rule group by in vain.
func (v *view) groupings(n *node) []Grouping {
	var list []Grouping
	parser.Inspect(n.tree, func(node parser.Node, _ []parser.Node) error {
		a, ok := node.(*parser.AggregateExpr)
		if !ok || a.Without || len(a.Grouping) == 0 {
			return nil
		}
		line := n.line
		below := reaches(a.Expr)
		for _, r := range below {
			if _, empty := v.empty(r); empty {
				return nil
			}
			for _, known := range n.reaches {
				if known.selector == r.selector && line == n.line {
					line = known.line
				}
			}
		}
		if len(below) == 0 {
			return nil
		}
		s := v.shape(a.Expr)
		for _, g := range a.Grouping {
			if g != metricName && !s.names[g] {
				list = append(list, Grouping{g, listed(s), line})
			}
		}
		return nil
	})
	return list
}
