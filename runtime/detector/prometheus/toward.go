package prometheus

import (
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/predicate"
)

// takes are the routes that an alert with exactly these labels takes.
func (r *route) takes(labels map[string]string) []*route {
	for i := range r.matchers {
		m := &r.matchers[i]
		if m.matches(map[string]string{m.name: labels[m.name]}) != predicate.True {
			return nil
		}
	}
	var out []*route
	for _, child := range r.Routes {
		more := child.takes(labels)
		out = append(out, more...)
		if more != nil && !child.Continue {
			break
		}
	}
	if out == nil {
		out = []*route{r}
	}
	return out
}

// toward completes labels so that an alert with them takes a route to a receiver
// that may lead to our address. ok tells whether there is such a route.
func (c *managerConfig) toward(ours string, known map[string]string) (labels map[string]string, ok bool) {
	leads := map[string]bool{}
	for _, w := range c.reaching(ours) {
		leads[w.receiver] = true
	}
	if len(leads) == 0 {
		for _, w := range c.webhooks() {
			leads[w.receiver] = leads[w.receiver] || w.hidden()
		}
	}
	var try func(r *route, labels map[string]string) bool
	try = func(r *route, have map[string]string) bool {
		have = maps.Clone(have)
		for i := range r.matchers {
			m := &r.matchers[i]
			if value, some := m.example(); some && m.matches(have) == predicate.Unknown {
				have[m.name] = value
			}
		}
		if slices.ContainsFunc(c.Route.takes(have), func(r *route) bool { return leads[r.Receiver] }) {
			labels = have
			return true
		}
		return slices.ContainsFunc(r.Routes, func(child *route) bool { return try(child, have) })
	}
	ok = try(&c.Route, known)
	return labels, ok
}

// example is a value that a matcher is true of; some is false where it is true
// of a label that is absent, and where none is at hand.
func (m *matcher) example() (value string, some bool) {
	switch m.op {
	case "=":
		return m.value, m.value != ""
	case "=~":
		for _, part := range strings.Split(strings.Trim(m.value, "^$()"), "|") {
			for _, value := range []string{part, strings.NewReplacer(".*", "", ".+", "x").Replace(part)} {
				if value != "" && m.matches(map[string]string{m.name: value}) == predicate.True {
					return value, true
				}
			}
		}
	}
	return "", false
}
