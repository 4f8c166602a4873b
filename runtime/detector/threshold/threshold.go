// Package threshold is the built-in detector that compares an indicator's mean
// over a window with a bound: over a sliding or a tumbling window, of time or
// of requests, with a hold time and a minimum number of responses.
//
// It imports compiler/plan, lang/exact, runtime/detector and
// runtime/detector/alerting.
package threshold

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alerting"
)

// Detector implements detector.Virtual, detector.Named and detector.Configured.
type Detector struct {
	notifier *alerting.Notifier
	series   []series
	open     []sum // by indicator: of the step that runs
	counted  []int // indicators with a window of requests
	rules    []*rule
	every    int64 // interval of evaluation; 0: only count windows
	step     int64 // time windows are kept in steps of this length
	next     int64
	slot     int64 // steps that have ended
}

// series is one indicator's window.
type series struct {
	tumbling bool

	steps     []sum // sliding time window: one sum a step, a ring
	head      int
	total     sum // of the ring
	perWindow int64

	scores []int32 // count window: the last scores, a ring
	filled int
	at     int
	count  int64

	rules []*rule
}

type sum struct{ score, n int64 }

type rule struct {
	alert     *alerting.Alert
	threshold alerting.Threshold
	minimum   int64
	series    *series
}

// maxSteps bounds the memory of a window whose length and interval of
// evaluation have no large common step.
const maxSteps = 1 << 20

// New makes the detector that the plan declares.
func New(d *plan.Detector, sink detector.Sink) (*Detector, error) {
	det := &Detector{notifier: alerting.NewNotifier(d.Manager, sink), series: make([]series, len(d.Indicators)),
		open: make([]sum, len(d.Indicators))}
	byLabel := map[string]int{}
	for i, ind := range d.Indicators {
		byLabel[ind.Label] = i
		s := &det.series[i]
		s.tumbling = d.Windows == "tumbling"
		if ind.Window.Requests > 0 {
			s.scores = make([]int32, ind.Window.Requests)
			det.counted = append(det.counted, i)
			continue
		}
		det.every = int64(d.Evaluate)
		det.step = gcd(gcd(det.step, int64(ind.Window.Duration)), det.every)
	}
	for i, ind := range d.Indicators {
		if ind.Window.Requests > 0 {
			continue
		}
		n := int64(ind.Window.Duration) / det.step
		if n > maxSteps {
			return nil, fmt.Errorf("detector %q: window %s and evaluation every %s have no common step above %s; make one a multiple of the other",
				d.Name, ind.Window.Duration, d.Evaluate, exact.Duration(det.step))
		}
		det.series[i].steps = make([]sum, n)
		det.series[i].perWindow = n
	}
	for _, a := range d.Alerts {
		i, ok := byLabel[a.Indicator]
		if !ok {
			return nil, fmt.Errorf("detector %q: alert %q names the unknown indicator %q", d.Name, a.Name, a.Indicator)
		}
		r := &rule{alert: alerting.NewAlert(det.notifier, a, a.Indicator), threshold: alerting.NewThreshold(a.Comparator, *a.Threshold),
			minimum: max(1, a.MinResponses), series: &det.series[i]}
		det.rules = append(det.rules, r)
		det.series[i].rules = append(det.series[i].rules, r)
	}
	det.next = detector.Never
	if det.step > 0 {
		det.next = det.step
	}
	return det, nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Observe adds a response to the open step of each sampled indicator.
func (d *Detector) Observe(at int64, scores []int32, sampled uint64) {
	for i := range d.open {
		if sampled&(1<<i) != 0 {
			d.open[i].score += int64(scores[i])
			d.open[i].n++
		}
	}
	for _, i := range d.counted {
		if sampled&(1<<i) == 0 {
			continue
		}
		s := &d.series[i]
		s.push(scores[i])
		if s.filled < len(s.scores) || s.tumbling && s.count%int64(len(s.scores)) != 0 {
			continue
		}
		for _, r := range s.rules {
			r.evaluate(at)
		}
	}
}

func (s *series) push(score int32) {
	if s.filled == len(s.scores) {
		s.total.score -= int64(s.scores[s.at])
	} else {
		s.filled++
	}
	s.scores[s.at] = score
	s.total.score += int64(score)
	s.total.n = int64(s.filled)
	s.count++
	if s.at++; s.at == len(s.scores) {
		s.at = 0
	}
}

func (r *rule) evaluate(at int64) {
	t := &r.series.total
	condition := t.n >= r.minimum && r.threshold.Holds(t.score, t.n)
	if !condition && r.alert.Quiet() {
		return
	}
	r.alert.Evaluate(at, condition, func() string { return alerting.Ratio(t.score, t.n) })
}

// Next is the end of the open step, or an earlier notification.
func (d *Detector) Next() int64 { return min(d.next, d.notifier.Next()) }

// Tick ends a step and evaluates where one is due.
func (d *Detector) Tick(at int64) {
	if d.notifier.Next() <= at {
		d.notifier.Tick(at)
	}
	if at < d.next {
		return
	}
	d.slot++
	d.next += d.step
	for i := range d.series {
		s := &d.series[i]
		if s.steps == nil {
			continue
		}
		old := &s.steps[s.head]
		s.total.score += d.open[i].score - old.score
		s.total.n += d.open[i].n - old.n
		*old, d.open[i] = d.open[i], sum{}
		if s.head++; s.head == len(s.steps) {
			s.head = 0
		}
	}
	due := at%d.every == 0
	for _, r := range d.rules {
		s := r.series
		if s.steps == nil || s.tumbling && d.slot%s.perWindow != 0 || !s.tumbling && !due {
			continue
		}
		r.evaluate(at)
	}
}

// State counts the alerts and the notification groups.
func (d *Detector) State() detector.State {
	s := detector.State{Groups: d.notifier.Groups()}
	for _, r := range d.rules {
		r.alert.AddTo(&s)
	}
	return s
}

// Active implements detector.Named.
func (d *Detector) Active() []string {
	return alerting.Active(func(yield func(*alerting.Alert) bool) {
		for _, r := range d.rules {
			if !yield(r.alert) {
				return
			}
		}
	})
}
