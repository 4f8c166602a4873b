package promrules

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/prometheus/promql"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
)

// Detector is a Prometheus with one rule file and one target, in virtual time.
// It implements detector.Virtual and detector.Named.
type Detector struct {
	sink     detector.Sink
	epoch    int64
	store    *store
	engine   *engine
	target   *target
	groups   []*group
	manager  *alertmanager.Model // nil where signals are the rules' own
	outgoing []alertmanager.Alert
	marks    uint64 // counts the evaluations of rules
	next     int64
}

var (
	_ detector.Virtual = (*Detector)(nil)
	_ detector.Named   = (*Detector)(nil)
)

// New returns a Prometheus that has just started. The error is the first mistake
// in the rule file, a *RuleError, or says which part of the Config is wrong.
// Signals go to sink from inside Tick; the labels of one alert are one map in all
// of its signals, so a sink must not change it.
func New(c Config, sink detector.Sink) (*Detector, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	file, errs := Parse(c.FileName, c.Rules)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	if len(file.Alerts) == 0 {
		return nil, errors.New(c.FileName + " holds no alerting rule, so it can never give a signal")
	}
	// A sample is needed as long as a range or the lookback reaches it, and the
	// evaluation that asks comes up to an interval later.
	margin := time.Duration(max(c.ScrapeInterval, c.EvaluationInterval)) + time.Minute
	for _, g := range file.Groups {
		margin = max(margin, time.Duration(g.Interval)+time.Minute)
	}
	d := &Detector{sink: sink, epoch: c.Epoch}
	d.store = newStore((file.retention + lookback + margin).Milliseconds())
	trees := newTreeCache()
	d.engine = newEngine(newQueryable(d.store), trees, time.Duration(c.EvaluationInterval))
	if d.target, err = newTarget(&c, d.store); err != nil {
		return nil, err
	}
	for i := range file.file {
		g, err := newGroup(c.FileName, &file.file[i], &c, trees)
		if err != nil {
			return nil, err
		}
		d.groups = append(d.groups, g)
	}
	if c.Alertmanager != nil {
		d.manager = alertmanager.New(*c.Alertmanager, sink)
	}
	d.plan()
	return d, nil
}

// Observe implements detector.Virtual. A negative score makes a counter fall,
// which Prometheus takes for a restart.
func (d *Detector) Observe(at int64, scores []int32, sampled uint64) {
	t := d.target
	if at >= t.nextReset {
		t.advance(at)
	}
	last := len(t.counts) - 1
	for i, s := range scores[:last] {
		if sampled>>i&1 != 0 {
			t.counts[i] += int64(s)
		}
	}
	t.counts[last]++
}

// Next implements detector.Virtual.
func (d *Detector) Next() int64 { return d.next }

// plan finds the next instant at which something is due.
func (d *Detector) plan() {
	d.next = d.target.next
	for _, g := range d.groups {
		d.next = min(d.next, g.next-d.epoch)
	}
	if d.manager != nil {
		d.next = min(d.next, d.manager.Next())
	}
}

// Tick implements detector.Virtual. At one instant an Alertmanager acts on what
// it knew before, then the target is scraped, then the groups are evaluated in
// the order of the file.
func (d *Detector) Tick(at int64) {
	d.store.sweep()
	if d.manager != nil && d.manager.Next() <= at {
		d.manager.Tick(at)
	}
	if d.target.next <= at {
		d.target.scrape(d.store, d.target.next, milliseconds(d.epoch+d.target.next))
	}
	for _, g := range d.groups {
		if g.next-d.epoch <= at {
			g.eval(d)
		}
	}
	if d.manager != nil && d.manager.Next() <= at {
		d.manager.Tick(at)
	}
	d.plan()
}

// State implements detector.Virtual.
func (d *Detector) State() detector.State {
	var s detector.State
	for _, g := range d.groups {
		for i := range g.rules {
			if g.rules[i].alert == nil {
				continue
			}
			for _, a := range g.rules[i].alert.order {
				switch a.state {
				case pending:
					s.Pending++
				case firing:
					s.Firing++
				}
			}
		}
	}
	if d.manager != nil {
		s.Groups = d.manager.Groups()
	}
	return s
}

// Active implements detector.Named.
func (d *Detector) Active() []string {
	var names []string
	for _, g := range d.groups {
		for i := range g.rules {
			r := g.rules[i].alert
			if r == nil {
				continue
			}
			for _, a := range r.order {
				if a.state != inactive {
					names = append(names, r.name)
				}
			}
		}
	}
	return detector.Names(names)
}

// notify sends what is due of a rule's alerts.
func (d *Detector) notify(r *alertRule, ts, interval int64) {
	d.outgoing = d.outgoing[:0]
	for _, a := range r.order {
		if !a.due(ts) {
			continue
		}
		again := a.sentAt > 0
		told := a.resolvedAt > 0 && a.sentAt >= a.resolvedAt
		a.sentAt = ts
		if d.manager != nil {
			out := alertmanager.Alert{Labels: a.labelMap(), StartsAt: a.firedAt - d.epoch, Value: a.text()}
			if a.state == inactive {
				out.EndsAt = a.resolvedAt - d.epoch
			} else {
				// Long enough for two failures to evaluate or to send.
				out.EndsAt = ts + 4*max(interval, resendDelay) - d.epoch
			}
			d.outgoing = append(d.outgoing, out)
			continue
		}
		if told {
			continue // a resolved alert is one signal, however often it is sent
		}
		s := detector.Signal{
			Type: "alert", Component: "rules", Status: "firing", Reason: "the rule fires",
			Labels: a.labelMap(), Value: a.text(), Repeat: again,
			StartsAt: a.firedAt - d.epoch, EmittedAt: ts - d.epoch, At: ts - d.epoch,
		}
		switch {
		case a.state == inactive:
			s.Status, s.Reason, s.Repeat = "resolved", "the rule no longer fires", false
		case again:
			s.Reason = "the rule still fires"
		}
		d.sink(s)
	}
	if len(d.outgoing) > 0 {
		d.manager.Receive(ts-d.epoch, d.outgoing)
	}
}

// Failures lists the rules whose evaluation failed, in the order of the file.
func (d *Detector) Failures() []Failure {
	var list []Failure
	for _, g := range d.groups {
		for i := range g.rules {
			if f := g.rules[i].failure; f != nil {
				list = append(list, *f)
			}
		}
	}
	return list
}

// Alert is an alert that is pending or firing.
type Alert struct {
	Group, Rule         string
	State               string // "pending" or "firing"
	Labels, Annotations map[string]string
	Value               float64
	ActiveAt, FiredAt   int64 // world instants, ns; FiredAt is 0 while pending
}

// Alerts lists the alerts that are pending or firing, in the order of the file.
func (d *Detector) Alerts() []Alert {
	var list []Alert
	for _, g := range d.groups {
		for i := range g.rules {
			r := g.rules[i].alert
			if r == nil {
				continue
			}
			for _, a := range r.order {
				if a.state == inactive {
					continue
				}
				out := Alert{
					Group: g.name, Rule: r.name, State: a.state.String(),
					Labels: a.labels.Map(), Annotations: a.annotations.Map(),
					Value: a.value, ActiveAt: a.activeAt - d.epoch,
				}
				if a.state == firing {
					out.FiredAt = a.firedAt - d.epoch
				}
				list = append(list, out)
			}
		}
	}
	return list
}

// Query evaluates an expression at a world instant on the samples that the
// detector still holds, with Prometheus's own engine.
func (d *Detector) Query(expr string, at int64) (promql.Vector, error) {
	return d.engine.query(context.Background(), expr, time.Unix(0, d.epoch+at).UTC())
}
