package prometheus

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// follower turns looks at the rules into signals. It is used by one goroutine
// at a time.
type follower struct {
	clock driver.Clock
	scope map[string]bool // alerts of the detector under test; nil for all

	firing map[string]*instance // alerts that fire, by rule and labels
	rules  map[string]time.Time // when each rule had been evaluated at the last look
	moved  map[string]int64     // the look at which that was first seen

	restarted map[string]bool // rules that have not been evaluated since their server started
}

func newFollower(scope map[string]bool) *follower {
	return &follower{scope: scope, firing: map[string]*instance{}, rules: map[string]time.Time{}, moved: map[string]int64{}, restarted: map[string]bool{}}
}

// instance is an alert that fires.
type instance struct {
	rule     string
	labels   map[string]string
	value    string
	activeAt time.Time
	startsAt int64
}

// seen is what one look at the rules told.
type seen struct {
	firing, pending int
	active          []string // names
	cycle           int64    // the longest interval of a group with an alert in scope
	unknown         error    // why the state cannot be told
}

// A rule whose last evaluation is the same for so long says nothing of now: its
// group is stuck, or its server does no more than answer. The harness's clock
// counts, from when the evaluation was first seen; the other may be any.
const (
	staleIntervals = 3               // of the group
	staleSlack     = 2 * time.Second // for looks that come late
)

func (f *follower) in(name string) bool { return f.scope == nil || f.scope[name] }

// restartSlack is how exactly Prometheus keeps the start of an alert over its
// own restart: it is stored in whole seconds.
const restartSlack = time.Second

// look follows the rules to a look that was received at an instant, and returns
// the signals of what changed in the alerts in scope.
//
// A rule that has not been evaluated since its server started says nothing: its
// alerts are what they were. Alerts that fire when a rule is first seen are
// taken as they are, without signals. A server that was restarted begins alerts
// without a hold time anew; where a look has failed since the last one, such an
// alert is taken for the one that it was.
func (f *follower) look(groups []ruleGroup, at int64, failed bool) ([]detector.Signal, seen) {
	var out []detector.Signal
	var s seen
	found := map[string]bool{}      // names of the alerts in scope
	present := map[string]bool{}    // instances that fire, or that cannot be told
	next := map[string]time.Time{}  // evaluation of each rule
	ended := map[string]time.Time{} // evaluation at which a rule was seen without an instance
	for gi := range groups {
		g := &groups[gi]
		interval := seconds(g.Interval)
		for ri := range g.Rules {
			r := &g.Rules[ri]
			if r.Type != "alerting" {
				continue
			}
			key := g.File + "\xff" + g.Name + "\xff" + r.Name + "\xff" + r.Query
			if !f.in(r.Name) {
				continue
			}
			found[r.Name] = true
			s.cycle = max(s.cycle, interval)
			switch {
			case !r.evaluated():
				s.unknown = fmt.Errorf("the rule %s has not been evaluated since the server started", r.Name)
				f.restarted[key] = true
			case r.Health != "ok":
				s.unknown = fmt.Errorf("the rule %s cannot be evaluated: %s", r.Name, r.LastError)
			}
			if !r.evaluated() {
				next[key] = f.rules[key]
				for id, i := range f.firing {
					if i.rule == key {
						present[id] = true
					}
				}
				continue
			}
			next[key], ended[key] = r.LastEvaluation, r.LastEvaluation
			if since, ok := f.moved[key]; !ok || !r.LastEvaluation.Equal(f.rules[key]) {
				f.moved[key] = at
			} else if stuck := at - since; stuck > staleIntervals*interval+int64(staleSlack) && s.unknown == nil {
				s.unknown = fmt.Errorf("the rule %s has not been evaluated for %s, and its interval is %s", r.Name,
					time.Duration(stuck).Round(time.Second), time.Duration(interval))
			}
			anew := failed || f.restarted[key]
			delete(f.restarted, key)
			for ai := range r.Alerts {
				a := &r.Alerts[ai]
				id := key + "\xff" + payload.LabelsText(a.Labels)
				known := f.firing[id]
				if known != nil && anew {
					known.activeAt = a.ActiveAt
				}
				if known != nil && a.ActiveAt.After(known.activeAt.Add(restartSlack)) {
					// It ended and began anew between two looks.
					out = append(out, f.resolved(known, f.clock.At(r.LastEvaluation)))
					delete(f.firing, id)
					known = nil
				}
				switch a.State {
				case "firing":
					s.firing++
					s.active = append(s.active, r.Name)
					present[id] = true
					if known == nil {
						starts := firedAt(a.ActiveAt, seconds(r.Duration), interval, f.rules[key], r.LastEvaluation)
						known = &instance{rule: key, labels: a.Labels, activeAt: a.ActiveAt, startsAt: f.clock.At(starts)}
						f.firing[id] = known
						if !f.rules[key].IsZero() {
							out = append(out, signal(known, a.Value, "firing", "the rule fires", known.startsAt))
						}
					}
					known.value = a.Value
				case "pending":
					// After a restart an alert that fired is pending until its
					// next evaluation.
					present[id] = present[id] || known != nil
					s.pending++
					s.active = append(s.active, r.Name)
				}
			}
		}
	}
	for id, i := range f.firing {
		if present[id] {
			continue
		}
		// A rule that is gone was last evaluated at nobody knows what instant.
		when := at
		if t, ok := ended[i.rule]; ok {
			when = f.clock.At(t)
		}
		out = append(out, f.resolved(i, when))
		delete(f.firing, id)
	}
	inOrder(out)
	f.rules = next
	for name := range f.scope {
		if !found[name] && s.unknown == nil {
			s.unknown = fmt.Errorf("no alert %s is loaded", name)
		}
	}
	s.active = detector.Names(s.active)
	return out, s
}

// firedAt is the instant of the evaluation at which an alert began to fire. Rules
// are evaluated at a fixed interval, so it follows from the start of the alert
// and the hold time, unless evaluations were missed.
func firedAt(activeAt time.Time, hold, interval int64, before, last time.Time) time.Time {
	t := activeAt
	if hold > 0 && interval > 0 {
		t = t.Add(time.Duration((hold + interval - 1) / interval * interval))
	}
	if !t.After(before) && !before.IsZero() || t.After(last) {
		return last
	}
	return t
}

func (f *follower) resolved(i *instance, when int64) detector.Signal {
	return signal(i, i.value, "resolved", "the rule no longer fires", when)
}

func signal(i *instance, value, status, reason string, emitted int64) detector.Signal {
	return detector.Signal{Type: "alert", Component: Rules, Status: status, Labels: i.labels, Value: value, Reason: reason,
		StartsAt: i.startsAt, EmittedAt: emitted}
}

// inOrder puts the signals of one look in the order of their emission.
func inOrder(signals []detector.Signal) {
	slices.SortStableFunc(signals, func(a, b detector.Signal) int {
		return cmp.Or(cmp.Compare(a.EmittedAt, b.EmittedAt), cmp.Compare(b.Status, a.Status),
			cmp.Compare(payload.LabelsText(a.Labels), payload.LabelsText(b.Labels)))
	})
}
