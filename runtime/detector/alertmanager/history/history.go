// Package history makes random histories of alerts, as Prometheus would send
// them, and holds the model of package alertmanager against releases of the
// original over them. Each release is a module of its own, which brings what
// runs that release and nothing else: a build has one version of a module.
//
// It imports runtime/detector, its folder alertmanager, runtime/random and
// lang/exact.
package history

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
	"github.com/fdbench/fdbench/runtime/random"
)

// Event is what arrives at one instant.
type Event struct {
	At     int64
	Alerts []alertmanager.Alert
}

// History is a configuration and what arrives under it.
type History struct {
	Config alertmanager.Config
	Events []Event
	End    int64 // when to stop looking
}

const second = int64(exact.Second)

// Random makes a history. Its instants are odd nanoseconds, so that no two
// things happen at once: what a real Alertmanager would do then is a race.
func Random(seed uint64, maintenance exact.Duration) History {
	r := rand.New(random.New("alertmanager history", fmt.Sprint(seed)))
	between := func(low, high int64) exact.Duration {
		return exact.Duration(low*second + r.Int64N((high-low)*second+1))
	}
	h := History{Config: alertmanager.Config{
		GroupBy:        [][]string{nil, {"alertname"}, {"..."}, {"team", "kind"}}[r.IntN(4)],
		GroupWait:      between(0, 60),
		GroupInterval:  between(1, 150),
		RepeatInterval: between(60, 2000),
		SendResolved:   r.IntN(4) > 0,
		Maintenance:    maintenance,
	}}
	if r.IntN(6) == 0 {
		h.Config.GroupWait = 0
	}
	type life struct{ starts, sent, ended int64 }
	alive := map[int]*life{}
	const kinds = 5
	at := int64(0)
	for range 50 + r.IntN(150) {
		at += r.Int64N([]int64{5, 30, 90}[r.IntN(3)]*second) + 1
		for i := range kinds {
			// Prometheus sends again after a minute, and forgets after 15.
			a := alive[i]
			if a == nil || at-a.sent < 60*second || r.IntN(8) == 0 {
				continue
			}
			if a.ended > 0 && at-a.ended > 900*second {
				delete(alive, i)
				continue
			}
			again := a.sent + 60*second + 1 + r.Int64N(second)
			a.sent = max(again, lastAt(h.Events)+1)
			h.add(a.sent, i, a.starts, a.ended)
		}
		at = max(at, lastAt(h.Events)+1)
		i := r.IntN(kinds)
		switch a := alive[i]; {
		case a == nil || a.ended > 0:
			starts := at
			if r.IntN(10) == 0 { // as after a restart of Alertmanager
				starts -= r.Int64N(120 * second)
			}
			alive[i] = &life{starts: starts, sent: at}
			h.add(at, i, starts, 0)
		case r.IntN(3) > 0:
			a.ended, a.sent = at, at
			h.add(at, i, a.starts, at)
		}
	}
	h.End = at + 1000*second
	return h
}

func lastAt(events []Event) int64 {
	if len(events) == 0 {
		return 0
	}
	return events[len(events)-1].At
}

func (h *History) add(at int64, kind int, starts, ended int64) {
	a := alertmanager.Alert{Labels: Labels(kind), StartsAt: starts, EndsAt: at + 240*second}
	if ended > 0 {
		a.EndsAt = ended
	}
	h.Events = append(h.Events, Event{at, []alertmanager.Alert{a}})
}

// Labels are the labels of the alerts in a history.
func Labels(kind int) map[string]string {
	l := map[string]string{"alertname": fmt.Sprint("A", kind/2), "kind": fmt.Sprint(kind % 2), "job": "llm"}
	if kind > 2 {
		l["team"] = "serving"
	}
	return l
}

// Line is one alert of a notification as a text that can be compared. reason is
// empty for releases that do not tell it.
func Line(at int64, status string, labels map[string]string, startsAt int64, reason string) string {
	var pairs []string
	for name, v := range labels {
		pairs = append(pairs, name+"="+v)
	}
	sort.Strings(pairs)
	return fmt.Sprintf("%15d %s {%s} since %d %s", at, status, strings.Join(pairs, ","), startsAt, reason)
}

// Run lets the model see the history, and gives the lines of its notifications
// in order, and the number of groups after each event.
func (h History) Run(reasons bool) (lines []string, groups []int) {
	m := alertmanager.New(h.Config, func(s detector.Signal) {
		if !reasons {
			s.Reason = ""
		}
		lines = append(lines, Line(s.At, s.Status, s.Labels, s.StartsAt, s.Reason))
	})
	until := func(at int64) {
		for n := m.Next(); n <= at; n = m.Next() {
			m.Tick(n)
		}
	}
	for _, e := range h.Events {
		until(e.At)
		m.Receive(e.At, e.Alerts)
		until(e.At)
		groups = append(groups, m.Groups())
	}
	until(h.End)
	sort.Strings(lines)
	return lines, groups
}
