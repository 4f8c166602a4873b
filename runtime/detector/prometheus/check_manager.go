package prometheus

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/confine"
)

// alertmanager holds the running Alertmanager against the plan and against our
// receiver.
func (c *checker) alertmanager() {
	status, a, err := c.d.status(c.ctx)
	if err != nil {
		if absent(err) {
			if c.d.isPrometheus(c.ctx, c.d.manager) {
				c.add("FD-3.1-5", fmt.Sprintf("At %s there is a Prometheus, not an Alertmanager.", shown(c.d.manager)),
					"Write the address of Alertmanager in alertmanager.")
				return
			}
		}
		c.failed("Alertmanager", "alertmanager", err)
		return
	}
	c.clock("Alertmanager", a)
	config, err := parseManager(status.Config.Original)
	if err != nil {
		c.add("FD-3.2-2", sentence(err), "Report this with the version of Alertmanager.")
		return
	}
	if m := c.d.plan.Manager; m != nil {
		if k := cleanupOf(status.Version.Version); int64(m.Cleanup) < int64(k) {
			c.add("FD-4.3-4", fmt.Sprintf("Alertmanager %s keeps an emptied notification group for up to %v, and the plan reckons with %s.",
				status.Version.Version, k, words(int64(m.Cleanup))), fmt.Sprintf("Write cleanup = %q in the alertmanager block, or use Alertmanager 0.32 or newer.", k.String()))
		}
	}
	reached := config.reaching(c.d.receiverURL())
	c.routes(config, reached)
	c.receiver(config, reached)
	c.silenced()
}

// known are the labels that an alert has for certain.
func (w *wanted) known() map[string]string { return certain(w.name, w.labels) }

func certain(name string, labels map[string]string) map[string]string {
	known := map[string]string{"alertname": name}
	for k, v := range labels {
		if !strings.Contains(v, "{{") {
			known[k] = v
		}
	}
	return known
}

// alerts are the ones whose notifications matter.
func (d *Detector) alerts() []wanted {
	return slices.DeleteFunc(d.wanted(), func(w wanted) bool { return w.kind != "alerting" || !d.follow.in(w.name) || !d.counts(w.known()) })
}

// routes follows each alert of the plan through the routing tree.
func (c *checker) routes(config *managerConfig, reached []webhookConfig) {
	ours := map[string]bool{}
	for _, w := range reached {
		ours[w.receiver] = true
	}
	for _, w := range c.d.alerts() {
		possible, _ := config.Route.possible(w.known())
		taken := slices.DeleteFunc(slices.Clone(possible), func(r *route) bool { return !ours[r.Receiver] })
		if len(ours) > 0 && len(taken) == 0 {
			var others []string
			for _, r := range possible {
				others = append(others, r.Receiver)
			}
			c.add("FD-3.1-5", fmt.Sprintf("Alertmanager sends the alert %s to %s, and not to %s, which reaches our receiver.", w.name,
				strings.Join(others, " and "), strings.Join(slices.Sorted(maps.Keys(ours)), " or ")), "Add a route that matches the alert.")
			continue
		}
		if len(taken) == 0 {
			taken = possible
		}
		for _, r := range taken {
			if len(r.Muted)+len(r.Active) > 0 {
				c.add("FD-3.2-2", fmt.Sprintf("The route of the alert %s to %s is silent at certain times (%s).", w.name, r.Receiver,
					strings.Join(append(slices.Clone(r.Muted), r.Active...), ", ")), "Take mute_time_intervals and active_time_intervals out of the route: a detector is the same at all times of a series.")
			}
		}
		if m := c.d.plan.Manager; m != nil && len(taken) > 0 {
			c.times(w.name, taken, m)
		}
	}
}

// times holds a route against the plan's copy of its settings.
func (c *checker) times(name string, taken []*route, m *plan.Alertmanager) {
	var best []string
	for i, r := range taken {
		var diff []string
		for _, t := range []struct {
			what           string
			loaded, listed int64
		}{{"group_wait", r.wait, int64(m.GroupWait)}, {"group_interval", r.interval, int64(m.GroupInterval)}, {"repeat_interval", r.repeat, int64(m.RepeatInterval)}} {
			if t.loaded != t.listed {
				diff = append(diff, fmt.Sprintf("%s is %s, and in the plan %s", t.what, words(t.loaded), words(t.listed)))
			}
		}
		a, b := slices.Sorted(slices.Values(r.GroupBy)), slices.Sorted(slices.Values(m.GroupBy))
		if !slices.Equal(a, b) {
			diff = append(diff, fmt.Sprintf("group_by is %s, and in the plan %s", listed(a), listed(b)))
		}
		if i == 0 || len(diff) < len(best) {
			best = diff
		}
	}
	if len(best) > 0 {
		c.add("FD-3.2-8", fmt.Sprintf("Alertmanager's route of the alert %s is not what the plan has: %s.", name, strings.Join(best, "; ")),
			"Bring the alertmanager block of the scenario up to date and plan anew, or change Alertmanager's configuration.")
	}
}

func listed(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

// receiver looks for the webhook that leads to our receiver.
func (c *checker) receiver(config *managerConfig, reached []webhookConfig) {
	ours := c.d.receiverURL()
	if ours == "" {
		return
	}
	hidden := false
	var near []string
	us, _ := url.Parse(ours)
	for _, w := range config.webhooks() {
		hidden = hidden || w.hidden()
		if u, err := url.Parse(w.URL); err == nil && !w.hidden() && confine.Port(u) == confine.Port(us) && u.Path != us.Path {
			near = append(near, fmt.Sprintf("%s (%s)", w.receiver, shown(w.URL)))
		}
	}
	switch {
	case len(reached) > 0 || hidden && near == nil:
	case near != nil:
		c.add("FD-3.1-5", fmt.Sprintf("Alertmanager's receiver %s has another path than ours, %s.", strings.Join(near, " and "), us.Path),
			fmt.Sprintf("Write url: %q into Alertmanager's webhook_configs, or correct path in the detector block.", ours))
	default:
		c.add("FD-3.1-5", fmt.Sprintf("No receiver of Alertmanager sends to %s.", ours),
			fmt.Sprintf("Add to Alertmanager's configuration a receiver with webhook_configs: [{url: %q, send_resolved: true}], and a route to it.", ours))
	}
	for _, w := range reached {
		if !w.resolves() {
			c.add("FD-4.3-4", fmt.Sprintf("Alertmanager's receiver %s has send_resolved: false, so nobody hears that an alert is over.", w.receiver),
				"Set send_resolved: true in its webhook_configs.")
		}
		if w.MaxAlerts > 0 {
			c.add("FD-3.1-5", fmt.Sprintf("Alertmanager's receiver %s cuts notifications off after %d alerts.", w.receiver, w.MaxAlerts),
				"Set max_alerts: 0 in its webhook_configs.")
		}
		if m := c.d.plan.Manager; m != nil && m.SendResolved != w.resolves() {
			c.add("FD-3.2-8", fmt.Sprintf("Alertmanager's receiver %s has send_resolved: %t, and the plan %t.", w.receiver, w.resolves(), m.SendResolved),
				"Bring the alertmanager block of the scenario up to date and plan anew.")
		}
	}
}

// silenced looks for silences of the plan's alerts.
func (c *checker) silenced() {
	silences, err := c.d.silences(c.ctx)
	if err != nil {
		c.failed("Alertmanager", "alertmanager", err)
		return
	}
	for _, w := range c.d.alerts() {
		known := w.known()
		for i := range silences {
			m := silences[i].matchers()
			certain := slices.ContainsFunc(m, func(one matcher) bool { return one.matches(known) == predicate.True })
			if certain && matchAll(m, known) != predicate.False {
				c.add("FD-3.1-5", fmt.Sprintf("A silence of Alertmanager (%s) holds for the alert %s.", silences[i].ID, w.name), "Expire the silence before the series begins.")
			}
		}
	}
}
