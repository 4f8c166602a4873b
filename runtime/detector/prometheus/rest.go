package prometheus

import (
	"time"

	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

// rest follows the notification groups of an Alertmanager until they are gone
// (runtime rule AMB-22). It is used by one goroutine at a time.
//
// Alertmanager's interface shows a group only while an alert in it is active.
// From then on a group still has its resolved alerts until the next flush, and
// an Alertmanager before 0.32 keeps the emptied group until its next cleanup.
// A new alert that comes in that time is treated otherwise than one that makes
// a group, so a detector is not at rest before both have passed.
//
// Nor is that all: Prometheus and vmalert send an alert that has ended again and
// again for 15 minutes, and each time an Alertmanager before 0.32 has the group
// back until its next cleanup. Where a group in that state would make an alert
// wait noticeably longer than a new one, rest comes after those 15 minutes.
type rest struct {
	cleanup  int64           // how long an emptied group may live on
	linger   int64           // how long it is kept alive by what the rules send again
	flush    int64           // longest time to the next flush of a group
	resolves bool            // resolved alerts are notified to our receiver
	ours     map[string]bool // Alertmanager's receivers that lead to ours; nil where nobody knows
	groups   map[string]*groupState
	lost     int // groups whose end was never notified
}

type groupState struct {
	names    []string
	present  bool  // Alertmanager shows it
	foreign  bool  // it is of a receiver that does not lead to ours
	gone     int64 // since when it does not
	open     bool  // our receiver was told that it fires, and not yet that all is resolved
	told     bool  // our receiver was told that all is resolved
	resolved int64 // when
}

// resentFor is for how long Prometheus and vmalert send an alert that has ended.
const resentFor = 15 * time.Minute

// lingerOf is for how long the groups of some routes are kept alive after the end of an alert, where that matters: an alert that joins a group waits for up
// to group_interval, one that makes a group waits for group_wait. A difference
// of a second or less is within what notification itself takes.
func lingerOf(cleanup time.Duration, routes []*route) int64 {
	var extra int64
	for _, r := range routes {
		extra = max(extra, r.interval-r.wait)
	}
	if cleanup == 0 || extra <= int64(time.Second) {
		return 0
	}
	return int64(resentFor)
}

func groupKey(receiver string, labels map[string]string) string {
	return receiver + "\xff" + payload.LabelsText(labels)
}

// shown takes the groups that Alertmanager shows at an instant.
func (r *rest) shown(groups []managerGroup, in func(string) bool, at int64) {
	present := map[string]bool{}
	for i := range groups {
		g := &groups[i]
		names := map[string]bool{}
		for _, a := range g.Alerts {
			if name := a.Labels["alertname"]; in(name) {
				names[name] = true
			}
		}
		if len(names) == 0 {
			continue
		}
		key := groupKey(g.Receiver.Name, g.Labels)
		present[key] = true
		s := r.groups[key]
		if s == nil {
			s = &groupState{}
			r.groups[key] = s
		}
		s.present, s.told, s.names = true, false, keys(names)
		s.foreign = r.ours != nil && !r.ours[g.Receiver.Name]
	}
	for key, s := range r.groups {
		if s.present && !present[key] {
			s.present, s.gone = false, at
		}
	}
}

// notified takes a notification of our receiver.
func (r *rest) notified(n *payload.Notification, in func(string) bool, at int64) {
	if n.GroupLabels == nil {
		return
	}
	names, firing := map[string]bool{}, false
	for i := range n.Alerts {
		if name := n.Alerts[i].Labels["alertname"]; in(name) {
			names[name] = true
			firing = firing || n.Alerts[i].Status == payload.Firing
		}
	}
	if len(names) == 0 {
		return
	}
	key := groupKey(n.Receiver, n.GroupLabels)
	s := r.groups[key]
	if s == nil {
		s = &groupState{gone: at}
		r.groups[key] = s
	}
	s.names = keys(names)
	if firing {
		s.open, s.told = true, false
		return
	}
	s.open, s.told, s.resolved = false, true, at
}

// left counts the groups that are not gone at an instant, and names their
// alerts.
func (r *rest) left(at int64) (n int, names []string) {
	for key, s := range r.groups {
		if s.over(r, at) {
			if s.open && r.resolves {
				r.lost++
			}
			delete(r.groups, key)
			continue
		}
		n++
		names = append(names, s.names...)
	}
	return n, names
}

func (s *groupState) over(r *rest, at int64) bool {
	switch {
	case s.present:
		return false
	case s.foreign:
		return true // what is left of it delays no notification of ours
	case s.told:
		return at > s.resolved+r.cleanup+r.linger
	case s.open && r.resolves:
		// An Alertmanager that was restarted may have forgotten what it had
		// told. Three flushes without a word are enough to know.
		return at > s.gone+3*r.flush+r.cleanup+r.linger+int64(10*time.Second)
	}
	return at > s.gone+r.flush+r.cleanup+r.linger
}

func keys(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	return out
}
