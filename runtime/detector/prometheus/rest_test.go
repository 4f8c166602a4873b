package prometheus

import (
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

// TestRest follows one group by the second.
func TestRest(t *testing.T) {
	labels := map[string]string{"alertname": "A"}
	group := managerGroup{Labels: labels, Alerts: []managerAlert{{Labels: labels}}}
	group.Receiver.Name = "r"
	told := func(status string) *payload.Notification {
		return &payload.Notification{Receiver: "r", GroupLabels: labels, Alerts: []payload.Alert{{Status: status, Labels: labels}}}
	}
	in := func(name string) bool { return name == "A" }
	for name, c := range map[string]struct {
		cleanup  int64
		resolves bool
		shown    func(s int64) bool // Alertmanager shows the group
		events   map[int64]string   // notifications
		rest     int64              // from this second on
		lost     int
	}{
		// The group vanishes at 20, and the flush at 25 tells that it is over.
		"resolved, old":               {30, true, func(s int64) bool { return s >= 5 && s < 20 }, map[int64]string{6: "firing", 25: "resolved"}, 56, 0},
		"resolved, new":               {0, true, func(s int64) bool { return s >= 5 && s < 20 }, map[int64]string{6: "firing", 25: "resolved"}, 26, 0},
		"never notified":              {30, true, func(s int64) bool { return s >= 5 && s < 7 }, nil, 7 + 10 + 30 + 1, 0},
		"never notified, new":         {0, true, func(s int64) bool { return s >= 5 && s < 7 }, nil, 7 + 10 + 1, 0},
		"resolved is not sent":        {30, false, func(s int64) bool { return s >= 5 && s < 20 }, map[int64]string{6: "firing"}, 20 + 10 + 30 + 1, 0},
		"resolved is lost":            {0, true, func(s int64) bool { return s >= 5 && s < 20 }, map[int64]string{6: "firing"}, 20 + 30 + 10 + 1, 1},
		"it fires again":              {30, true, func(s int64) bool { return s >= 5 && s < 20 || s >= 30 && s < 40 }, map[int64]string{6: "firing", 25: "resolved", 31: "firing", 45: "resolved"}, 76, 0},
		"the notification is first":   {0, true, func(s int64) bool { return s >= 5 && s < 9 }, map[int64]string{4: "firing", 9: "resolved"}, 10, 0},
		"seen between two looks only": {0, true, func(int64) bool { return false }, map[int64]string{4: "firing", 6: "resolved"}, 7, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rest{cleanup: c.cleanup * 1e9, flush: 10e9, resolves: c.resolves, groups: map[string]*groupState{}}
			began := false
			for s := int64(0); s < 120; s++ {
				at := s * 1e9
				var groups []managerGroup
				if c.shown(s) {
					groups = append(groups, group)
				}
				r.shown(groups, in, at)
				if status := c.events[s]; status != "" {
					r.notified(told(status), in, at)
				}
				n, names := r.left(at)
				began = began || n > 0
				if n > 1 || n == 1 && strings.Join(names, " ") != "A" {
					t.Fatalf("second %d: %d groups of %v", s, n, names)
				}
				if began && (n == 0) != (s >= c.rest) {
					t.Fatalf("second %d: %d groups, and rest is due at %d", s, n, c.rest)
				}
			}
			if !began || r.lost != c.lost || len(r.groups) != 0 {
				t.Errorf("begun %t, lost %d, left %d", began, r.lost, len(r.groups))
			}
		})
	}
	r := &rest{groups: map[string]*groupState{}}
	r.shown([]managerGroup{{Alerts: []managerAlert{{Labels: map[string]string{"alertname": "B"}}}}}, in, 0)
	r.notified(&payload.Notification{GroupLabels: labels, Alerts: []payload.Alert{{Labels: map[string]string{"alertname": "B"}}}}, in, 0)
	r.notified(&payload.Notification{Alerts: []payload.Alert{{Labels: labels}}}, in, 0)
	if n, _ := r.left(0); n != 0 {
		t.Errorf("%d groups of others", n)
	}
}

const managerYAML = `
route:
  receiver: default
  group_by: [alertname]
  group_wait: 10s
  routes:
  - receiver: page
    matchers: ['severity="page"', 'team!~"a|b"']
    group_interval: 1m
    repeat_interval: 2h
    continue: true
    routes:
    - {receiver: night, match_re: {model: "gpt.*"}}
  - receiver: hook
    match: {severity: page}
  - receiver: "quoted"
    matchers: [alertname = Refusals]
receivers:
- name: default
- name: page
  webhook_configs: [{url: "http://10.0.0.1:9000/alerts", send_resolved: false, max_alerts: 3}, {url: <secret>}]
- name: hook
  webhook_configs: [{url: "http://127.0.0.1:9000/alerts"}, {url: "http://127.0.0.1/alerts"}]
`

// TestLinger has an old Alertmanager whose groups the rules keep alive.
func TestLinger(t *testing.T) {
	for _, c := range []struct {
		version, wait, interval string
		want                    int64
	}{{"0.25.0", "5s", "10s", int64(resentFor)}, {"0.32.0", "5s", "10s", 0}, {"0.25.0", "1s", "2s", 0}, {"0.25.0", "0s", "100ms", 0}, {"0.25.0", "30s", "10s", 0}} {
		config, err := parseManager("route: {receiver: r, group_wait: " + c.wait + ", group_interval: " + c.interval + "}\nreceivers: [{name: r}]\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := lingerOf(cleanupOf(c.version), config.all()); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	r := &rest{cleanup: 30e9, linger: int64(resentFor), flush: 10e9, resolves: true,
		groups: map[string]*groupState{"g": {told: true, resolved: 5e9}, "h": {gone: 5e9}}}
	for _, at := range []int64{40e9, 935e9} {
		if n, _ := r.left(at); n != 2 {
			t.Errorf("at %d: %d groups, want 2", at, n)
		}
	}
	if n, _ := r.left(936e9); n != 1 { // the one of which nobody was told may have been flushed later
		t.Errorf("%d groups", n)
	}
	if n, _ := r.left(946e9); n != 0 {
		t.Errorf("%d groups", n)
	}
}

// TestRoutesOfOthers has a route of ours in an Alertmanager that serves a pager
// with Alertmanager's usual times, which are no concern of ours.
func TestRoutesOfOthers(t *testing.T) {
	const receiver = "http://127.0.0.1:9000/alerts"
	page := []wanted{{kind: "alerting", name: "RefusalsHigh"}}
	for name, c := range map[string]struct {
		routes, hook string
		linger       int64
		flush        int64
	}{
		"ours only":              {`[{receiver: hook, matchers: [alertname="RefusalsHigh"], group_wait: 0s, group_interval: 100ms}]`, receiver, 0, 1e8},
		"ours and then theirs":   {`[{receiver: hook, group_wait: 0s, group_interval: 100ms, continue: true}, {receiver: pager}]`, receiver, 0, 1e8},
		"ours is slow":           {`[{receiver: hook, group_wait: 5s, group_interval: 1m}]`, receiver, int64(resentFor), 60e9},
		"nobody knows":           {`[{receiver: hook, group_wait: 0s, group_interval: 100ms, continue: true}, {receiver: pager}]`, "<secret>", int64(resentFor), 300e9},
		"hidden, and of one way": {`[{receiver: hook, matchers: [alertname="RefusalsHigh"], group_wait: 0s, group_interval: 100ms}]`, "<secret>", 0, 1e8},
		"no way to ours":         {`[{receiver: pager, group_interval: 2m}]`, receiver, int64(resentFor), 300e9},
	} {
		config, err := parseManager("route:\n  receiver: pager\n  routes: " + c.routes + "\nreceivers: [{name: pager}, {name: hook, webhook_configs: [{url: \"" + c.hook + "\"}]}]\n")
		if err != nil {
			t.Fatal(err)
		}
		routes := config.leading(page, config.ours(receiver))
		if linger, flush := lingerOf(cleanupOf("0.25.0"), routes), slowest(routes); linger != c.linger || flush != c.flush {
			t.Errorf("%s: linger %d, want %d; flush %d, want %d", name, linger, c.linger, flush, c.flush)
		}
	}
	r := &rest{cleanup: 30e9, flush: 1e8, resolves: true, ours: map[string]bool{"hook": true}, groups: map[string]*groupState{}}
	groups := make([]managerGroup, 2)
	for i, name := range []string{"hook", "pager"} {
		groups[i].Receiver.Name = name
		groups[i].Alerts = []managerAlert{{Labels: map[string]string{"alertname": "RefusalsHigh"}}}
	}
	in := func(string) bool { return true }
	r.shown(groups, in, 1e9)
	if n, _ := r.left(1e9); n != 2 {
		t.Errorf("%d groups while the alert is active", n)
	}
	r.shown(nil, in, 2e9)
	if n, _ := r.left(3e9); n != 1 {
		t.Errorf("%d groups after the alert, want ours", n)
	}
	if n, _ := r.left(40e9); n != 0 {
		t.Errorf("%d groups at rest", n)
	}
}

func TestManagerConfig(t *testing.T) {
	c, err := parseManager(managerYAML)
	if err != nil {
		t.Fatal(err)
	}
	if slowest(c.all()) != 300e9 || c.shortestRepeat() != 2*3600e9 {
		t.Errorf("slowest %d, shortest repeat %d", slowest(c.all()), c.shortestRepeat())
	}
	night := c.Route.Routes[0].Routes[0]
	if night.wait != 10e9 || night.interval != 60e9 || !slices.Equal(night.GroupBy, []string{"alertname"}) {
		t.Errorf("%+v", night)
	}
	for _, x := range []struct {
		labels map[string]string
		want   string
		sure   bool
	}{
		{map[string]string{"alertname": "X", "severity": "page", "team": "c", "model": "gpt-x"}, "night hook", true},
		{map[string]string{"alertname": "X", "severity": "page", "team": "c", "model": "llama"}, "page hook", true},
		{map[string]string{"alertname": "X", "severity": "page", "team": "a"}, "hook", true},
		{map[string]string{"alertname": "X", "severity": "info"}, "default", true},
		{map[string]string{"alertname": "Refusals", "severity": "info"}, "quoted", true},
		// What the series' own labels are is not known.
		{map[string]string{"alertname": "Refusals"}, "night page hook quoted", true},
		{map[string]string{"alertname": "X"}, "night page hook default", true},
	} {
		routes, sure := c.Route.possible(x.labels)
		var got []string
		for _, r := range routes {
			got = append(got, r.Receiver)
		}
		if strings.Join(got, " ") != x.want || sure != x.sure {
			t.Errorf("%v: %v, %t, want %s", x.labels, got, sure, x.want)
		}
	}
	var to []string
	for _, w := range c.reaching("http://127.0.0.1:9000/alerts") {
		to = append(to, w.receiver)
	}
	if strings.Join(to, " ") != "page hook" || len(c.reaching("http://127.0.0.1:80/alerts")) != 1 || len(c.reaching("http://127.0.0.1:9000/other")) != 0 {
		t.Errorf("%v", to)
	}
	for _, bad := range []string{"a: [", "route: {group_wait: soon}", "route: {routes: [{matchers: ['x']}]}"} {
		if _, err := parseManager(bad); err == nil {
			t.Errorf("%s is a configuration", bad)
		}
	}
}

func TestParseMatcher(t *testing.T) {
	for text, want := range map[string]matcher{
		`a="b"`: {"a", "=", "b"}, ` a =~ "b|c" `: {"a", "=~", "b|c"}, `a!=b c`: {"a", "!=", "b c"}, `"a b"!~""`: {"a b", "!~", ""},
		`a="x=\"y\""`: {"a", "=", `x="y"`}, `a=`: {"a", "=", ""},
	} {
		if got, err := parseMatcher(text); got != want || err != nil {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for m, want := range map[matcher]predicate.Truth{
		{"a", "=", "1"}: predicate.True, {"a", "!=", "1"}: predicate.False, {"a", "=~", "1|2"}: predicate.True, {"a", "=~", ""}: predicate.False,
		{"a", "!~", "."}: predicate.False, {"a", "=~", "("}: predicate.Unknown, {"b", "=", ""}: predicate.Unknown,
	} {
		if got := m.matches(map[string]string{"a": "1"}); got != want {
			t.Errorf("%+v: %v", m, got)
		}
	}
}

func TestCleanupOf(t *testing.T) {
	for v, want := range map[string]bool{"0.25.0": true, "0.31.1": true, "0.32.0": false, "0.32.0-rc.1": false, "1.0": false, "": true, "main": true} {
		if got := cleanupOf(v) > 0; got != want {
			t.Errorf("%s: %t", v, got)
		}
	}
}

func FuzzManager(f *testing.F) {
	f.Add(managerYAML)
	f.Add("route:\n  routes:\n  -")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseManager(text)
		if err != nil {
			return
		}
		routes, _ := c.Route.possible(map[string]string{"alertname": "A"})
		if len(routes) == 0 && len(c.Route.matchers) == 0 {
			t.Error("an alert takes no route")
		}
		c.reaching("http://127.0.0.1:9000/alerts")
	})
}
