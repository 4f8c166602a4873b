package alertmanager

import (
	"maps"
	"slices"
	"sort"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

// Alert is what a Prometheus sends. Instants are nanoseconds on the world's
// clock. Two alerts with equal labels are the same alert.
type Alert struct {
	Labels   map[string]string
	StartsAt int64
	EndsAt   int64  // resolved once this has passed; while the alert fires, when it would be given up unless it is sent again
	Value    string // the value of the expression when the alert was sent; not a part of its identity
}

func (a *Alert) resolved(at int64) bool { return a.EndsAt <= at }

// Model is an Alertmanager in virtual time. It is used by one goroutine.
type Model struct {
	config      Config
	sink        detector.Sink
	alerts      map[string]Alert // the newest version of each alert, by labels
	groups      map[string]*group
	order       []*group          // groups in the order of their making
	log         map[string]*entry // the last notification of each group; it outlives the group
	maintenance int64             // the next tick that removes empty groups
	forget      int64             // the next tick that removes resolved alerts from alerts
	now         int64
}

type group struct {
	key     string
	members []member // in the order of arrival
	next    int64    // the next flush
	flushed bool
}

type member struct {
	key   string
	alert Alert
}

// entry is a line of Alertmanager's notification log.
type entry struct {
	firing, resolved map[string]bool
	at               int64
}

// New returns an Alertmanager without alerts. Config must be valid.
func New(c Config, sink detector.Sink) *Model {
	m := &Model{
		config:      c,
		sink:        sink,
		alerts:      map[string]Alert{},
		groups:      map[string]*group{},
		log:         map[string]*entry{},
		maintenance: detector.Never,
		forget:      forgetEvery,
	}
	if c.Maintenance > 0 {
		m.maintenance = int64(c.Maintenance)
	}
	return m
}

// Groups is the number of groups that are not gone, empty ones included.
func (m *Model) Groups() int { return len(m.order) }

// Next is the next instant at which a group flushes or empty groups are
// removed, or detector.Never. A model without groups has nothing to do.
func (m *Model) Next() int64 {
	if len(m.order) == 0 {
		return detector.Never
	}
	next := m.maintenance
	for _, g := range m.order {
		next = min(next, g.next)
	}
	return max(next, m.now)
}

// Tick does all that is due at instant at, which Next named, or earlier.
func (m *Model) Tick(at int64) {
	m.advance(at)
	m.now = max(m.now, at)
	// A flush may remove its group, so the list is copied first.
	for _, g := range slices.Clone(m.order) {
		if g.next <= at {
			m.flush(g, at)
		}
	}
	if m.maintenance <= at {
		m.order = slices.DeleteFunc(m.order, func(g *group) bool {
			if len(g.members) > 0 {
				return false
			}
			delete(m.groups, g.key)
			return true
		})
		m.maintenance += int64(m.config.Maintenance)
	}
}

// advance skips the removals that fell into a time without groups.
func (m *Model) advance(at int64) {
	if m.maintenance < at && len(m.order) == 0 {
		period := int64(m.config.Maintenance)
		m.maintenance += (at - m.maintenance + period - 1) / period * period
	}
}

// Receive takes the alerts that arrive at instant at. It sends nothing by
// itself: what they cause is due at Next, which may be at.
func (m *Model) Receive(at int64, alerts []Alert) {
	m.advance(at)
	m.now = max(m.now, at)
	if at >= m.forget {
		tick := at - at%forgetEvery
		maps.DeleteFunc(m.alerts, func(_ string, a Alert) bool { return a.resolved(tick) })
		m.forget = tick + forgetEvery
	}
	for _, a := range alerts {
		key := labelsKey(a.Labels)
		if old, ok := m.alerts[key]; ok && overlaps(&old, &a) {
			a = merge(&old, &a, at)
		}
		m.alerts[key] = a
		m.insert(key, a, at)
	}
}

// forgetEvery is Alertmanager's --alerts.gc-interval.
const forgetEvery = 30 * int64(exact.Minute)

// overlaps and merge are how Alertmanager treats a newer version of an alert
// that it knows: where the activity of the two overlaps, the earlier start
// stays, and a firing alert keeps the later end.
func overlaps(old, a *Alert) bool {
	return a.EndsAt > old.StartsAt && a.EndsAt < old.EndsAt ||
		a.StartsAt > old.StartsAt && a.StartsAt < old.EndsAt
}

func merge(old, a *Alert, at int64) Alert {
	r := *a
	r.StartsAt = min(old.StartsAt, a.StartsAt)
	if !a.resolved(at) || old.resolved(at) {
		r.EndsAt = max(old.EndsAt, a.EndsAt)
	}
	return r
}

func (m *Model) insert(key string, a Alert, at int64) {
	gk := m.groupKey(a.Labels)
	g := m.groups[gk]
	held := g == nil || !g.flushed && m.config.Maintenance > 0
	if g == nil {
		g = &group{key: gk, next: after(at, m.config.GroupWait)}
		m.groups[gk] = g
		m.order = append(m.order, g)
	}
	i := slices.IndexFunc(g.members, func(o member) bool { return o.key == key })
	if i < 0 {
		g.members = append(g.members, member{key, a})
	} else {
		g.members[i].alert = a
	}
	// An alert that has been firing for longer than the group would wait is
	// not held back any further. Since v0.32 only the alert that makes the
	// group can hurry it.
	if held && after(a.StartsAt, m.config.GroupWait) < at {
		g.next = at
	}
}

func (m *Model) flush(g *group, at int64) {
	g.flushed = true
	g.next = after(at, m.config.GroupInterval)
	if len(g.members) == 0 {
		return
	}
	now := &entry{firing: map[string]bool{}, resolved: map[string]bool{}, at: at}
	for i := range g.members {
		if g.members[i].alert.resolved(at) {
			now.resolved[g.members[i].key] = true
		} else {
			now.firing[g.members[i].key] = true
		}
	}
	last := m.log[g.key]
	if reason := m.reason(last, now); reason != "" {
		m.send(g, last, now, reason)
		m.log[g.key] = now
	}
	g.members = slices.DeleteFunc(g.members, func(o member) bool { return now.resolved[o.key] })
	if len(g.members) == 0 && m.config.Maintenance == 0 {
		delete(m.groups, g.key)
		m.order = slices.DeleteFunc(m.order, func(o *group) bool { return o == g })
	}
}

// The reasons of a notification, in Alertmanager's own words.
const (
	FirstNotification = "first notification"
	NewAlerts         = "new alerts added"
	SomeResolved      = "some alerts resolved"
	AllResolved       = "all alerts resolved"
	RepeatElapsed     = "repeat interval elapsed"
)

// reason decides whether the state of a group differs enough from the last
// notification to be told, and is empty where it does not.
func (m *Model) reason(last, now *entry) string {
	switch {
	case last == nil && len(now.firing) == 0:
		return ""
	case last == nil:
		return FirstNotification
	case !subset(now.firing, last.firing) && len(last.firing) == 0:
		return FirstNotification
	case !subset(now.firing, last.firing):
		return NewAlerts
	case len(now.firing) == 0 && len(last.firing) > 0:
		return AllResolved
	case len(now.firing) == 0:
		return ""
	case m.config.SendResolved && !subset(now.resolved, last.resolved):
		return SomeResolved
	case last.at < now.at-int64(m.config.RepeatInterval):
		return RepeatElapsed
	}
	return ""
}

func (m *Model) send(g *group, last, now *entry, reason string) {
	members := slices.Clone(g.members)
	sort.Slice(members, func(i, j int) bool { return members[i].key < members[j].key })
	for _, o := range members {
		s := detector.Signal{
			Type:      "alert",
			Component: "alertmanager",
			Status:    "firing",
			Labels:    o.alert.Labels,
			Value:     o.alert.Value,
			Reason:    reason,
			StartsAt:  o.alert.StartsAt,
			EmittedAt: now.at,
			At:        now.at,
			Repeat:    last != nil && last.firing[o.key],
		}
		if now.resolved[o.key] {
			if !m.config.SendResolved {
				continue
			}
			s.Status = "resolved"
			s.Repeat = last != nil && last.resolved[o.key]
		}
		m.sink(s)
	}
}

func (m *Model) groupKey(labels map[string]string) string {
	if slices.Equal(m.config.GroupBy, []string{allLabels}) {
		return labelsKey(labels)
	}
	var b []byte
	for _, name := range m.config.GroupBy {
		if v, ok := labels[name]; ok {
			b = appendLabel(b, name, v)
		}
	}
	return string(b)
}

// labelsKey is a text that differs for different labels, in the order of the
// names. The separator cannot occur in a valid label.
func labelsKey(labels map[string]string) string {
	names := make([]string, 0, len(labels))
	for name := range labels {
		names = append(names, name)
	}
	sort.Strings(names)
	var b []byte
	for _, name := range names {
		b = appendLabel(b, name, labels[name])
	}
	return string(b)
}

func appendLabel(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, 0xff)
	b = append(b, value...)
	return append(b, 0xff)
}

func subset(a, b map[string]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

// after is at plus d, or never where the sum does not fit.
func after(at int64, d exact.Duration) int64 {
	if at > detector.Never-int64(d) {
		return detector.Never
	}
	return at + int64(d)
}
