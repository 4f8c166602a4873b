package prometheus

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

// TestTryRoute has a rule file whose first alert goes elsewhere, and routes that
// ask for labels which only the series have.
func TestTryRoute(t *testing.T) {
	l := newLab(t)
	l.manager.Write("alertmanager.yml", fmt.Sprintf(`route:
  receiver: none
  group_by: [alertname]
  group_wait: 100ms
  group_interval: 1s
  repeat_interval: 1h
  routes:
  - receiver: none
    matchers: ['alertname="Watchdog"']
  - receiver: none
    matchers: ['team=~"web|shop"']
    routes:
    - receiver: fdbench
      matchers: ['alertname="Nothing"']
  - receiver: none
    matchers: ['team="llm"']
    routes:
    - receiver: fdbench
      matchers: ['model=~"mixtral.*"', 'severity!="info"']
receivers:
- name: none
- name: fdbench
  webhook_configs: [{url: "http://%s/alerts"}]
inhibit_rules:
- source_matchers: ['alertname="Maintenance"']
  target_matchers: ['severity="page"']
`, l.receiver))
	l.manager.Stop()
	l.manager.Start()
	l.plan.Prometheus.Rules = strings.Replace(liveRules, "  - alert: RefusalsHigh", "  - alert: Watchdog\n    expr: vector(1)\n  - alert: RefusalsHigh", 1)
	l.plan.Alerts = append([]plan.Alert{{Name: "Watchdog", Expr: "vector(1)"}}, l.plan.Alerts...)
	d, e, _ := l.start(t, Options{Attribution: `signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'`})
	if err := d.Try(t.Context()); err != nil {
		t.Error(err)
	}

	send := func(path, body string) {
		t.Helper()
		resp, err := http.Post(l.manager.URL+path, "application/json", strings.NewReader(body))
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		resp.Body.Close()
	}
	kept := func(want string) {
		t.Helper()
		d.mu.Lock()
		d.rest.flush, d.rest.cleanup = 1, 1 // nothing is to be waited for
		d.mu.Unlock()
		var lost *TryError
		if err := d.Try(t.Context()); !errors.As(err, &lost) || !strings.Contains(err.Error(), "suppressed by "+want) || strings.Contains(lost.Remedy(), "http_config") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	send("/api/v2/alerts", `[{"labels": {"alertname": "Maintenance", "site": "a"}}]`)
	kept(`inhibition, since this alert is active: "alertname"="Maintenance","site"="a"`)
	send("/api/v2/alerts", `[{"labels": {"alertname": "Maintenance", "site": "a"}, "endsAt": "2020-01-01T00:00:00Z", "startsAt": "2019-01-01T00:00:00Z"}]`)
	send("/api/v2/silences", `{"matchers": [{"name": "team", "value": "llm", "isRegex": false}], "startsAt": "2020-01-01T00:00:00Z", "endsAt": "2040-01-01T00:00:00Z", "createdBy": "x", "comment": "x"}`)
	kept("the silence ")
	if got := e.all(); len(got) != 0 {
		t.Errorf("test alerts became signals: %+v", got)
	}
}

// TestToward completes labels up to a route that leads to the receiver.
func TestToward(t *testing.T) {
	const ours = "http://127.0.0.1:18200/alerts"
	for _, x := range []struct{ name, routes, url, want string }{
		{"the top", `[]`, ours, `"alertname"="A",`},
		{"hidden", `[{receiver: none, matchers: [x="1"]}]`, "<secret>", `"alertname"="A",`},
		{"an alternative", `[{receiver: none}, {receiver: hook}]`, ours, ""},
		{"before it", `[{receiver: hook, match_re: {team: "^(llm|web)$"}}, {receiver: none}]`, ours, `"alertname"="A","team"="llm",`},
		{"a known label", `[{receiver: hook, match: {alertname: B}}, {receiver: none}]`, ours, ""},
		{"an absent one", `[{receiver: hook, matchers: ['team=""', 'site!~"a.*"']}, {receiver: none}]`, ours, `"alertname"="A",`},
		{"an earlier route takes it", `[{receiver: none, matchers: [team=~".+"]}, {receiver: hook, match: {team: llm}}, {receiver: none}]`, ours, ""},
		{"and goes on", `[{receiver: none, matchers: [team=~".+"], continue: true}, {receiver: hook, match: {team: llm}}, {receiver: none}]`, ours, `"alertname"="A","team"="llm",`},
	} {
		c, err := parseManager(fmt.Sprintf("route: {receiver: hook, routes: %s}\nreceivers: [{name: none}, {name: hook, webhook_configs: [{url: %q}]}]\n", x.routes, x.url))
		if err != nil {
			t.Fatal(x.name, err)
		}
		labels, ok := c.toward(ours, map[string]string{"alertname": "A"})
		got := ""
		if ok {
			got = payload.LabelsText(labels)
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}
