package promrules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
)

type state uint8

const (
	pending state = iota
	firing
	inactive // was firing; kept so that it can be sent as resolved
)

func (s state) String() string { return [...]string{"pending", "firing", "inactive"}[s] }

// alertRule is an alerting rule with its instances: one for each set of labels
// that the expression has returned.
type alertRule struct {
	name        string
	expr        string
	hold, keep  int64 // for and keep_firing_for, ns
	labels      labels.Labels
	annotations []labelTemplate // those that Config.Annotations asks for
	templates   []labelTemplate
	prints      bool // whether a label may print the value
	volatile    bool // whether a label may change with labels and value equal

	active  map[uint64]*instance // by the hash of the labels
	order   []*instance          // in the order of their making
	memo    map[uint64]expansion // by the hash of the sample's labels
	round   uint64
	written []written
}

type labelTemplate struct {
	name, text string
	plain      bool // holds no action
}

// expansion is the labels that a sample's labels and value became last time.
type expansion struct {
	metric labels.Labels
	value  uint64
	labels labels.Labels
	hash   uint64
}

// instance is one alert. Instants are nanoseconds since 1970, 0 for none.
type instance struct {
	labels      labels.Labels
	hash        uint64
	annotations labels.Labels
	value       float64
	state       state
	round       uint64 // the evaluation that last returned it

	activeAt, firedAt, resolvedAt, keptSince, sentAt int64

	states   [2]*series // ALERTS while pending and while firing
	forState *series    // ALERTS_FOR_STATE
	pairs    map[string]string
}

// written is a sample that a rule asks to be stored.
type written struct {
	series *series
	value  float64
}

var errDuplicateAlert = errors.New("two series of the result become the same alert, because they differ only in labels that the rule replaces")

// evaluate runs the rule at ts, nanoseconds since 1970. The samples in r.written
// are to be stored once restored is true.
func (r *alertRule) evaluate(e *engine, st *store, ts int64, offset time.Duration, limit int, restored bool) error {
	at := time.Unix(0, ts).UTC()
	result, err := e.query(context.Background(), r.expr, at.Add(-offset))
	if err != nil {
		return err
	}
	if len(st.all)+2*len(result) > maxSeries {
		return errTooManySeries
	}
	r.round++
	if err := r.merge(e, result, ts); err != nil {
		return err
	}
	r.written = r.written[:0]
	alive := 0
	kept := r.order[:0]
	for _, a := range r.order {
		remove, stands := r.step(a, ts)
		if remove {
			delete(r.active, a.hash)
		} else {
			kept = append(kept, a)
		}
		if !stands {
			continue
		}
		alive++
		if restored {
			r.write(st, a)
		}
	}
	clear(r.order[len(kept):])
	r.order = kept
	if limit > 0 && alive > limit {
		clear(r.active)
		clear(r.order)
		r.order = r.order[:0]
		r.written = r.written[:0]
		return fmt.Errorf("the rule gives %d alerts, and its group has a limit of %d", alive, limit)
	}
	return nil
}

// merge takes the result of the expression into the instances.
func (r *alertRule) merge(e *engine, result promql.Vector, ts int64) error {
	if len(result) == 0 {
		return nil
	}
	found := make([]*instance, 0, len(result))
	seen := make(map[uint64]bool, len(result))
	for i := range result {
		s := &result[i]
		x := r.expand(e, s, ts)
		if seen[x.hash] {
			return errDuplicateAlert
		}
		seen[x.hash] = true
		a := r.active[x.hash]
		if a == nil || a.state == inactive {
			a = &instance{labels: x.labels, hash: x.hash, activeAt: ts}
		}
		found = append(found, a)
	}
	// Nothing may change before it is known that no two are the same.
	for i, a := range found {
		a.value = result[i].F
		a.round = r.round
		if len(r.annotations) > 0 {
			a.annotations = r.expandAnnotations(e, &result[i], ts)
		}
		old := r.active[a.hash]
		if old == a {
			continue
		}
		r.active[a.hash] = a
		if old == nil {
			r.order = append(r.order, a)
			continue
		}
		for j := range r.order {
			if r.order[j] == old {
				r.order[j] = a
			}
		}
	}
	return nil
}

// step moves one instance on. It tells whether the instance is to be forgotten,
// and whether it is pending or firing.
func (r *alertRule) step(a *instance, ts int64) (remove, stands bool) {
	if a.round == r.round {
		a.keptSince = 0
	} else {
		keep := false
		if a.state == firing && r.keep > 0 {
			if a.keptSince == 0 {
				a.keptSince = ts
			}
			keep = ts-a.keptSince < r.keep
		}
		if !keep {
			switch {
			case a.state == pending:
				return true, false
			case a.state == firing:
				a.state = inactive
				a.resolvedAt = ts
				return false, false
			}
			return ts-a.resolvedAt > resolvedKept, false
		}
	}
	if a.state == pending && ts-a.activeAt >= r.hold {
		a.state = firing
		a.firedAt = ts
	}
	return false, true
}

// write asks for the samples that tell of the instance in the storage.
func (r *alertRule) write(st *store, a *instance) {
	if a.states[a.state] == nil || a.states[a.state].gone {
		a.states[a.state] = st.get(r.series(a, alertsSeries, a.state.String()))
	}
	if a.forState == nil || a.forState.gone {
		a.forState = st.get(r.series(a, forStateSeries, ""))
	}
	r.written = append(r.written,
		written{a.states[a.state], 1},
		written{a.forState, float64(a.activeAt / int64(time.Second))})
}

func (r *alertRule) series(a *instance, name, state string) labels.Labels {
	b := labels.NewBuilder(r.labels)
	a.labels.Range(func(l labels.Label) { b.Set(l.Name, l.Value) })
	b.Set(metricName, name)
	b.Set(labels.AlertName, r.name)
	if state != "" {
		b.Set("alertstate", state)
	}
	return b.Labels()
}

// expand gives the labels of the alert that a sample raises.
func (r *alertRule) expand(e *engine, s *promql.Sample, ts int64) expansion {
	key, value := s.Metric.Hash(), uint64(0)
	if r.prints {
		value = math.Float64bits(s.F)
	}
	if !r.volatile {
		if x, ok := r.memo[key]; ok && x.value == value && labels.Equal(x.metric, s.Metric) {
			return x
		}
	}
	x := expansion{metric: s.Metric, value: value, labels: r.expandLabels(e, s, ts)}
	x.hash = x.labels.Hash()
	if len(r.memo) >= 4096 {
		clear(r.memo)
	}
	r.memo[key] = x
	return x
}

// expandLabels gives the labels of the alert: those of the sample, without its
// name, and over them those of the rule.
func (r *alertRule) expandLabels(e *engine, s *promql.Sample, ts int64) labels.Labels {
	b := labels.NewBuilder(s.Metric)
	b.Del(metricName)
	r.each(e, r.templates, s, ts, func(name, text string) { b.Set(name, text) })
	b.Set(labels.AlertName, r.name)
	return b.Labels()
}

func (r *alertRule) expandAnnotations(e *engine, s *promql.Sample, ts int64) labels.Labels {
	var b labels.ScratchBuilder
	r.each(e, r.annotations, s, ts, b.Add)
	return b.Labels()
}

func (r *alertRule) each(e *engine, templates []labelTemplate, s *promql.Sample, ts int64, do func(name, text string)) {
	var data any
	for _, t := range templates {
		text := t.text
		if !t.plain {
			if data == nil {
				data = template.AlertTemplateData(s.Metric.Map(), nil, "", *s)
			}
			text = r.expandText(e, t.text, data, ts)
		}
		do(t.name, text)
	}
}

func (r *alertRule) expandText(e *engine, text string, data any, ts int64) string {
	x := template.NewTemplateExpander(context.Background(), definitions+text, "__alert_"+r.name, data,
		model.Time(ts/int64(time.Millisecond)), e.query, &url.URL{}, nil)
	s, err := x.Expand()
	if err != nil {
		return fmt.Sprintf("<error expanding template: %s>", err)
	}
	return s
}

// due tells whether the instance is to be sent now.
func (a *instance) due(ts int64) bool {
	return a.state != pending && (a.resolvedAt > a.sentAt || a.sentAt+resendDelay < ts)
}

// text is the value as Prometheus's query API prints it.
func (a *instance) text() string { return strconv.FormatFloat(a.value, 'f', -1, 64) }

// labelMap is the labels as a map that must not be changed.
func (a *instance) labelMap() map[string]string {
	if a.pairs == nil {
		a.pairs = a.labels.Map()
	}
	return a.pairs
}
