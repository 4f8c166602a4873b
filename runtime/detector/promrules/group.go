package promrules

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
)

// group is a rule group. Instants are nanoseconds since 1970.
type group struct {
	name     string
	interval int64
	offset   time.Duration // query_offset
	limit    int
	rules    []rule
	next     int64 // the next evaluation
	rounds   int
}

// rule is a recording rule or an alerting rule of a group.
type rule struct {
	name     string
	alert    *alertRule // nil for a recording rule
	record   *recordRule
	previous []*series // written by the last evaluation that succeeded
	current  []*series
	failure  *Failure
}

// recordRule is a recording rule.
type recordRule struct {
	name   string
	expr   string
	labels labels.Labels

	made    map[uint64]recorded // by the hash of the sample's labels
	written []written
}

// recorded is the series that a sample's labels were recorded in.
type recorded struct {
	metric labels.Labels
	series *series
}

var errDuplicateSeries = errors.New("two series of the result become the same recorded series, because they differ only in labels that the rule replaces")

var errTooManySeries = fmt.Errorf("the rules have made %d series, which is as many as are kept; look for a rule that gives its results ever new labels", maxSeries)

// newGroup makes a group as Prometheus loads it from a file, at an instant just
// before its first evaluation.
func newGroup(file string, f *rulefmt.RuleGroup, c *Config, trees *treeCache) (*group, error) {
	g := &group{name: f.Name, interval: int64(f.Interval), offset: offset(f), limit: f.Limit}
	if g.interval == 0 {
		g.interval = int64(c.EvaluationInterval)
	}
	g.next = slot(g.phase(file), g.interval, c.Epoch) + g.interval
	for i := range f.Rules {
		r := &f.Rules[i]
		tree, err := trees.Parser.ParseExpr(r.Expr)
		if err != nil {
			return nil, err
		}
		// Prometheus evaluates an expression as it prints it.
		expr := tree.String()
		if err := trees.keep(expr); err != nil {
			return nil, err
		}
		all := map[string]string{}
		for name, v := range f.Labels {
			all[name] = v
		}
		for name, v := range r.Labels {
			all[name] = v
		}
		if r.Alert == "" {
			g.rules = append(g.rules, rule{name: r.Record, record: &recordRule{
				name: r.Record, expr: expr, labels: labels.FromMap(all), made: map[uint64]recorded{},
			}})
			continue
		}
		g.rules = append(g.rules, rule{name: r.Alert, alert: newAlertRule(r, expr, all, c.Annotations)})
	}
	return g, nil
}

func newAlertRule(r *rulefmt.Rule, expr string, all map[string]string, annotations bool) *alertRule {
	a := &alertRule{
		name: r.Alert, expr: expr,
		hold: int64(r.For), keep: int64(r.KeepFiringFor),
		labels: labels.FromMap(all),
		active: map[uint64]*instance{},
		memo:   map[uint64]expansion{},
	}
	for _, name := range sortedKeys(all) {
		t := inspect(all[name])
		a.prints = a.prints || t.value
		a.volatile = a.volatile || t.volatile
		a.templates = append(a.templates, labelTemplate{name, all[name], !hasAction(all[name])})
	}
	if annotations {
		for _, name := range sortedKeys(r.Annotations) {
			text := r.Annotations[name]
			a.annotations = append(a.annotations, labelTemplate{name, text, !hasAction(text)})
		}
	}
	return a
}

// phase is where in its interval a group is evaluated. It follows from the names
// of the group and its file, so that the groups of a server are spread out and
// each stays where it is.
func (g *group) phase(file string) int64 {
	h := labels.FromStrings("file", file, "name", g.name).Hash()
	return int64(h % uint64(g.interval))
}

// slot is the last evaluation instant of a phase that is not after start.
func slot(phase, interval, start int64) int64 {
	shifted := start - phase
	return shifted - shifted%interval + phase
}

// eval evaluates the rules of the group in order. What a rule writes, the next
// can read.
func (g *group) eval(d *Detector) {
	ts := g.next
	for i := range g.rules {
		g.evalRule(d, &g.rules[i], ts)
	}
	g.rounds++
	g.next += g.interval
}

func (g *group) evalRule(d *Detector, r *rule, ts int64) {
	var samples []written
	var err error
	if r.alert != nil {
		// A Prometheus that has just started first looks, in its second
		// evaluation, for the state that an earlier one left behind, and tells
		// of its alerts in ALERTS only from then on.
		err = r.alert.evaluate(d.engine, d.store, ts, g.offset, g.limit, g.rounds >= 2)
		samples = r.alert.written
	} else {
		err = r.record.evaluate(d.engine, d.store, ts, g.offset, g.limit)
		samples = r.record.written
	}
	if err != nil {
		r.fail(g, ts-d.epoch, err)
		return
	}
	if r.alert != nil {
		d.notify(r.alert, ts, g.interval)
	}
	t := milliseconds(ts - int64(g.offset))
	d.marks++
	r.current = r.current[:0]
	for _, w := range samples {
		if d.store.append(w.series, t, w.value) {
			w.series.mark = d.marks
			r.current = append(r.current, w.series)
		}
	}
	for _, s := range r.previous {
		if s.mark != d.marks && !s.gone {
			d.store.append(s, t, staleNaN)
		}
	}
	r.previous, r.current = r.current, r.previous
}

// milliseconds converts nanoseconds since 1970 as Prometheus does, downwards.
func milliseconds(ns int64) int64 { return ns / int64(time.Millisecond) }

// evaluate runs the rule at ts; r.written is to be stored.
func (r *recordRule) evaluate(e *engine, st *store, ts int64, offset time.Duration, limit int) error {
	result, err := e.query(context.Background(), r.expr, time.Unix(0, ts).UTC().Add(-offset))
	if err != nil {
		return err
	}
	r.written = r.written[:0]
	fresh := len(r.made)
	if len(st.all)+len(result) > maxSeries {
		return errTooManySeries
	}
	for i := range result {
		s := &result[i]
		key := s.Metric.Hash()
		m, ok := r.made[key]
		if !ok || m.series.gone || !labels.Equal(m.metric, s.Metric) {
			if len(r.made) >= 4096 {
				clear(r.made)
			}
			m = recorded{s.Metric, st.get(r.series(s))}
			r.made[key] = m
		}
		r.written = append(r.written, written{m.series, s.F})
	}
	if fresh != len(r.made) || len(result) > 1 {
		seen := make(map[*series]bool, len(result))
		for _, w := range r.written {
			if seen[w.series] {
				return errDuplicateSeries
			}
			seen[w.series] = true
		}
	}
	if limit > 0 && len(result) > limit {
		return fmt.Errorf("the rule gives %d series, and its group has a limit of %d", len(result), limit)
	}
	return nil
}

func (r *recordRule) series(s *promql.Sample) labels.Labels {
	b := labels.NewBuilder(s.Metric)
	b.Set(metricName, r.name)
	r.labels.Range(func(l labels.Label) { b.Set(l.Name, l.Value) })
	return b.Labels()
}

// Failure is a rule that could not be evaluated. Such a rule is silent, as it is
// in Prometheus, and its alerts stay as they are.
type Failure struct {
	Group, Rule string
	Count       int
	First, Last int64  // world instants, ns
	Message     string // of the last failure
}

func (r *rule) fail(g *group, at int64, err error) {
	if r.failure == nil {
		r.failure = &Failure{Group: g.name, Rule: r.name, First: at}
	}
	r.failure.Count++
	r.failure.Last = at
	r.failure.Message = err.Error()
}
