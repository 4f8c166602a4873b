// Package alerting is what the built-in detectors share: the state machine of
// an alert, and the way a change of state becomes a signal, either at once or
// through a model of Alertmanager.
//
// It imports compiler/plan, lang/exact, runtime/detector and
// runtime/detector/alertmanager.
package alerting

import (
	"iter"
	"math/big"
	"math/bits"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
)

// Notifier turns changes of alert state into signals.
type Notifier struct {
	sink    detector.Sink
	manager *alertmanager.Model
}

// NewNotifier makes a notifier; a nil manager reports each edge at once.
func NewNotifier(manager *plan.Alertmanager, sink detector.Sink) *Notifier {
	n := &Notifier{sink: sink}
	if manager != nil {
		n.manager = alertmanager.New(ManagerConfig(manager), sink)
	}
	return n
}

// ManagerConfig is the model's configuration as the plan declares it.
func ManagerConfig(m *plan.Alertmanager) alertmanager.Config {
	return alertmanager.Config{GroupBy: m.GroupBy, GroupWait: m.GroupWait, GroupInterval: m.GroupInterval,
		RepeatInterval: m.RepeatInterval, SendResolved: m.SendResolved, Maintenance: m.Maintenance}
}

// Next is the next instant at which a notification is due.
func (n *Notifier) Next() int64 {
	if n.manager == nil {
		return detector.Never
	}
	return n.manager.Next()
}

// Tick sends what is due at the instant that Next named.
func (n *Notifier) Tick(at int64) {
	if n.manager != nil {
		n.manager.Tick(at)
	}
}

// Groups counts the notification groups that are not gone.
func (n *Notifier) Groups() int {
	if n.manager == nil {
		return 0
	}
	return n.manager.Groups()
}

func (n *Notifier) edge(at, since int64, firing bool, labels map[string]string, value string) {
	if n.manager != nil {
		a := alertmanager.Alert{Labels: labels, StartsAt: since, EndsAt: detector.Never, Value: value}
		if !firing {
			a.EndsAt = at
		}
		n.manager.Receive(at, []alertmanager.Alert{a})
		return
	}
	status := "resolved"
	if firing {
		status = "firing"
	}
	n.sink(detector.Signal{Type: "alert", Component: "detector", Status: status, Labels: labels, Value: value,
		StartsAt: since, EmittedAt: at, At: at})
}

// Alert is one alerting rule's state: inactive, pending for its hold time,
// firing, and kept firing for a while after its condition has cleared.
type Alert struct {
	Hold, Keep int64
	Labels     map[string]string
	notifier   *Notifier

	active  bool
	firing  bool
	since   int64 // when the condition became true
	firedAt int64
	clear   int64 // since when the condition of a firing alert is false; -1: it is true
}

// NewAlert makes an alert of that name for one indicator.
func NewAlert(n *Notifier, a plan.Alert, indicator string) *Alert {
	return &Alert{Hold: int64(a.For), Keep: int64(a.KeepFiring), notifier: n,
		Labels: map[string]string{"alertname": a.Name, "indicator": indicator}}
}

// Evaluate takes the condition as it is found at an evaluation. value is
// called only where a signal is emitted.
func (a *Alert) Evaluate(at int64, condition bool, value func() string) {
	switch {
	case condition:
		a.clear = -1
		if !a.active {
			a.active, a.since = true, at
		}
		if !a.firing && at-a.since >= a.Hold {
			a.firing, a.firedAt = true, at
			a.notifier.edge(at, at, true, a.Labels, value())
		}
	case a.firing && a.kept(at):
	case a.firing:
		a.active, a.firing = false, false
		a.notifier.edge(at, a.firedAt, false, a.Labels, value())
	default:
		a.active = false
	}
}

// kept tells whether a firing alert whose condition is false stays: for a
// while, counted from the evaluation that first found it so, as Prometheus
// does.
func (a *Alert) kept(at int64) bool {
	if a.clear < 0 {
		a.clear = at
	}
	return at-a.clear < a.Keep
}

// Quiet tells that an evaluation without the condition would change nothing.
func (a *Alert) Quiet() bool { return !a.active && !a.firing }

// AddTo counts the alert in a state.
func (a *Alert) AddTo(s *detector.State) {
	switch {
	case a.firing:
		s.Firing++
	case a.active:
		s.Pending++
	}
}

// Active lists the alerts among these that are not quiet, as detector.Named
// has it.
func Active(alerts iter.Seq[*Alert]) []string {
	var names []string
	for a := range alerts {
		if !a.Quiet() {
			names = append(names, a.Labels["alertname"])
		}
	}
	return detector.Names(names)
}

// Threshold compares a mean of integers with an exact bound.
type Threshold struct {
	comparator string
	num        int64
	den        uint64
}

// NewThreshold prepares the comparison; the compiler has seen to it that the
// bound fits.
func NewThreshold(comparator string, bound exact.Number) Threshold {
	r := bound.Rat()
	if !r.Num().IsInt64() || !r.Denom().IsUint64() {
		f := new(big.Float).SetRat(r)
		scaled, _ := f.Mul(f, big.NewFloat(1e6)).Int64()
		return Threshold{comparator, scaled, 1e6}
	}
	return Threshold{comparator, r.Num().Int64(), r.Denom().Uint64()}
}

// Holds tells whether sum/n stands to the bound as declared. n is positive.
func (t Threshold) Holds(sum, n int64) bool {
	c := compare(sum, t.den, t.num, uint64(n))
	switch t.comparator {
	case "above":
		return c > 0
	case "at_least":
		return c >= 0
	}
	return c < 0
}

// compare is the sign of a*b - c*d in 128 bits.
func compare(a int64, b uint64, c int64, d uint64) int {
	switch {
	case a < 0 && c >= 0:
		return -1
	case a >= 0 && c < 0:
		return 1
	}
	swap := a < 0
	if swap {
		a, c = -a, -c
	}
	h1, l1 := bits.Mul64(uint64(a), b)
	h2, l2 := bits.Mul64(uint64(c), d)
	r := 0
	switch {
	case h1 > h2 || h1 == h2 && l1 > l2:
		r = 1
	case h1 < h2 || l1 < l2:
		r = -1
	}
	if swap {
		return -r
	}
	return r
}

// Ratio prints sum/n for a signal's value.
func Ratio(sum, n int64) string {
	if n == 0 {
		return "NaN"
	}
	return exact.Frac(sum, n).Decimal(9)
}
