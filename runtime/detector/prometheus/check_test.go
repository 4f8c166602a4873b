package prometheus

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// fake answers for a Prometheus and an Alertmanager at one address.
type fake struct {
	mu      sync.Mutex
	answers map[string]string // by path
	ahead   time.Duration
	key     string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Date", time.Now().Add(f.ahead).UTC().Format(http.TimeFormat))
	if f.key != "" && r.Header.Get("Authorization") != "Bearer "+f.key {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	text, ok := f.answers[r.URL.Path]
	if q := r.URL.Query().Get("query"); q != "" {
		text, ok = f.answers[q]
		if !ok {
			text, ok = `{"status":"success","data":{"resultType":"vector","result":[]}}`, true
		}
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, text)
}

func (f *fake) set(path, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[path] = text
}

const fakeRules = `groups:
- name: llm
  rules:
  - record: llm:refusals
    expr: rate(llm_refusals_total[1m])
  - alert: RefusalsHigh
    expr: llm:refusals > 0.1
    for: 1m
    labels: {severity: page}
`

const twice = `- name: more
  rules:
  - {alert: RefusalsHigh, expr: llm:refusals > 0.1, for: 1m, labels: {severity: page}}
`

func found(n string) string {
	return `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1796062601.339,"` + n + `"]}]}}`
}

func rulesAnswer(groups ...ruleGroup) string {
	b, _ := json.Marshal(map[string]any{"status": "success", "data": map[string]any{"groups": groups}})
	return string(b)
}

func goodGroup() ruleGroup {
	now := time.Now()
	return ruleGroup{Name: "llm", File: "r.yml", Interval: "15", Rules: []rule{
		{Type: "recording", Name: "llm:refusals", Query: "rate(llm_refusals_total[1m])", Health: "ok", LastEvaluation: now, Duration: "0"},
		{Type: "alerting", Name: "RefusalsHigh", Query: "llm:refusals  >  0.10", Duration: "60", Labels: map[string]string{"severity": "page"}, Health: "ok", LastEvaluation: now},
	}}
}

func managerAnswer(version, config string) string {
	b, _ := json.Marshal(map[string]any{"config": map[string]string{"original": config}, "versionInfo": map[string]string{"version": version}})
	return string(b)
}

const fakeManager = `route: {receiver: hook, group_by: [alertname], group_wait: 5s, group_interval: 10s, repeat_interval: 1h}
receivers: [{name: hook, webhook_configs: [{url: "http://127.0.0.1:9464/hook"}]}]
`

func newFake(t *testing.T) (*fake, *plan.Detector) {
	f := &fake{answers: map[string]string{
		"/api/v1/rules":                           rulesAnswer(goodGroup()),
		"/api/v1/status/buildinfo":                `{"status":"success","data":{"version":"3.1.0"}}`,
		"/api/v1/alertmanagers":                   "", // below
		"/api/v1/targets":                         `{"status":"success","data":{"activeTargets":[{"health":"up","scrapeUrl":"http://127.0.0.1:1/metrics"}]}}`,
		"/api/v2/status":                          managerAnswer("0.32.1", fakeManager),
		"/api/v2/silences":                        `[]`,
		"/api/v2/alerts/groups":                   `[]`,
		`count({__name__="llm_refusals_total"})`:  found("2"),
		`count({__name__="llm_responses_total"})`: found("1"),
	}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	f.answers["/api/v1/alertmanagers"] = `{"status":"success","data":{"activeAlertmanagers":[{"url":"` + s.URL + `/api/v2/alerts"}]}}`
	return f, &plan.Detector{Name: "d", Kind: "prometheus",
		Indicators: []plan.DetectorIndicator{{Label: "r", Exports: "llm_refusals_total"}},
		Alerts:     []plan.Alert{{Name: "RefusalsHigh", Expr: "llm:refusals > 0.1", For: exact.Minute}},
		Prometheus: &plan.Prometheus{RulesFile: "r.yml", Rules: fakeRules, EvaluationInterval: 15 * exact.Second, Total: "llm_responses_total"},
		Manager: &plan.Alertmanager{GroupBy: []string{"alertname"}, GroupWait: 5 * exact.Second, GroupInterval: 10 * exact.Second,
			RepeatInterval: 3600 * exact.Second, SendResolved: true},
		Live: &plan.LiveDetector{Listen: "127.0.0.1:9464", Path: "/hook", URL: s.URL, Alertmanager: s.URL}}
}

func TestCheck(t *testing.T) {
	edit := func(change func(g *ruleGroup)) string {
		g := goodGroup()
		change(&g)
		return rulesAnswer(g)
	}
	replaced := func(old, new string) string {
		return managerAnswer("0.32.1", strings.Replace(fakeManager, old, new, 1))
	}
	for name, c := range map[string]struct {
		change func(f *fake, d *plan.Detector)
		want   []string // one of each problem, in order
	}{
		"all is well": {func(*fake, *plan.Detector) {}, nil},
		"rule missing, nearly there": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", edit(func(g *ruleGroup) { g.Rules[1].Name = "RefusalHigh" }))
		}, []string{`no alert RefusalsHigh. // Did you mean "RefusalHigh"`}},
		"no rules": {func(f *fake, _ *plan.Detector) { f.set("/api/v1/rules", rulesAnswer()) },
			[]string{"no alert RefusalsHigh. It has no rules at all", "no recording rule llm:refusals"}},
		"another rule": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", edit(func(g *ruleGroup) {
				g.Interval = "30"
				r := &g.Rules[1]
				r.Query, r.Duration, r.Keep, r.Labels = "llm:refusals > 0.2", "120", "5", nil
			}))
		}, []string{"expr is `llm:refusals > 0.2`, and in the plan `llm:refusals > 0.1`; for is", "recording rule llm:refusals is not what the plan has: the evaluation interval"}},
		"a rule that fails": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", edit(func(g *ruleGroup) { g.Rules[1].Health, g.Rules[1].LastError = "err", "many-to-many" }))
		}, []string{"cannot be evaluated: many-to-many"}},
		"one more of the name": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", edit(func(g *ruleGroup) {
				other := g.Rules[1]
				other.Query = "x"
				g.Rules = append([]rule{other}, g.Rules...)
			}))
		}, []string{"one alert RefusalsHigh more than the plan, in the group llm of r.yml: expr is `x`."}},
		"an alert of another name": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", edit(func(g *ruleGroup) {
				other := g.Rules[1]
				other.Name = "Other"
				g.Rules = append(g.Rules, other)
			}))
		}, nil},
		"the same twice": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/rules", rulesAnswer(goodGroup(), goodGroup()))
		}, []string{"one alert RefusalsHigh more than the plan"}},
		"the plan has it twice": {func(f *fake, d *plan.Detector) {
			d.Prometheus.Rules += twice
			second := goodGroup()
			second.Name, second.Rules = "more", second.Rules[1:]
			f.set("/api/v1/rules", rulesAnswer(goodGroup(), second))
		}, nil},
		"the plan alone has it twice": {func(f *fake, d *plan.Detector) {
			d.Prometheus.Rules += twice
		}, []string{"no alert RefusalsHigh"}},
		"no counters, a target down": {func(f *fake, _ *plan.Detector) {
			f.set(`count({__name__="llm_refusals_total"})`, `{"status":"success","data":{"result":[]}}`)
			f.set("/api/v1/targets", `{"status":"success","data":{"activeTargets":[{"health":"down","scrapeUrl":"http://u:geheim@127.0.0.1:1/m","lastError":"refused"}]}}`)
		}, []string{"no series llm_refusals_total, which the indicators are exported as. These targets are not up: http://127.0.0.1:1/m (refused)"}},
		"no targets": {func(f *fake, _ *plan.Detector) {
			f.set(`count({__name__="llm_responses_total"})`, `{"status":"success","data":{"result":[]}}`)
			f.set("/api/v1/targets", `{"status":"success","data":{"activeTargets":[]}}`)
		}, []string{"no series llm_responses_total, which the indicators are exported as. It has no targets at all"}},
		"another Alertmanager": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v1/alertmanagers", `{"status":"success","data":{"activeAlertmanagers":[{"url":"http://127.0.0.1:9/api/v2/alerts"}]}}`)
		}, []string{"but to 127.0.0.1:9"}},
		"no Alertmanager":  {func(f *fake, _ *plan.Detector) { f.set("/api/v1/alertmanagers", `{"status":"success","data":{}}`) }, []string{"sends no alerts to the Alertmanager"}},
		"credentials":      {func(f *fake, _ *plan.Detector) { f.key = "geheim" }, []string{"401 Unauthorized: no. // Prometheus asks for credentials", "// Alertmanager asks for credentials"}},
		"not a Prometheus": {func(f *fake, _ *plan.Detector) { f.set("/api/v1/rules", "<html>") }, []string{"There is no Prometheus at that address"}},
		"something else":   {func(f *fake, _ *plan.Detector) { f.set("/api/v1/rules", `{"a":1}`) }, []string{"There is no Prometheus at that address"}},
		"nothing there": {func(f *fake, d *plan.Detector) {
			d.Live.URL, d.Live.Alertmanager = "http://127.0.0.1:1", "http://8.8.8.8:9093"
		}, []string{"nothing listens there. // Start Prometheus", "FD-7-1 Alertmanager is not asked"}},
		"clocks":               {func(f *fake, _ *plan.Detector) { f.ahead = -5 * time.Second }, []string{"The clock of Prometheus is about", "The clock of Alertmanager is about"}},
		"an old Alertmanager":  {func(f *fake, _ *plan.Detector) { f.set("/api/v2/status", managerAnswer("0.25.0", fakeManager)) }, []string{"keeps an emptied notification group for up to 30s"}},
		"not an Alertmanager":  {func(f *fake, _ *plan.Detector) { f.set("/api/v2/status", `{}`) }, []string{"There is no Alertmanager at that address"}},
		"broken configuration": {func(f *fake, _ *plan.Detector) { f.set("/api/v2/status", managerAnswer("0.32.1", "a: [")) }, []string{"The configuration that Alertmanager shows cannot be read"}},
		"no receiver":          {func(f *fake, _ *plan.Detector) { f.set("/api/v2/status", replaced(":9464/", ":9465/")) }, []string{"No receiver of Alertmanager sends to http://127.0.0.1:9464/hook. // Add to Alertmanager's"}},
		"another path":         {func(f *fake, _ *plan.Detector) { f.set("/api/v2/status", replaced("/hook", "/other")) }, []string{"receiver hook (http://127.0.0.1:9464/other) has another path than ours, /hook"}},
		"resolved is not sent": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v2/status", replaced(`hook"}`, `hook", send_resolved: false, max_alerts: 5}`))
		}, []string{"send_resolved: false, so nobody", "cuts notifications off after 5", "and the plan true"}},
		"routed elsewhere": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v2/status", managerAnswer("0.32.1", strings.NewReplacer("repeat_interval: 1h", `repeat_interval: 1h, routes: [{receiver: pager, matchers: [severity="page"]}]`,
				"receivers: [", "receivers: [{name: pager}, ").Replace(fakeManager)))
		}, []string{"sends the alert RefusalsHigh to pager, and not to hook"}},
		"other times": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v2/status", replaced("group_by: [alertname], group_wait: 5s", "group_by: ['...'], group_wait: 6s"))
		}, []string{"group_wait is 6s, and in the plan 5s; group_by is [...], and in the plan [alertname]"}},
		"muted": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v2/status", replaced("repeat_interval: 1h", "repeat_interval: 1h, mute_time_intervals: [nights]"))
		}, []string{"silent at certain times (nights)"}},
		"silenced": {func(f *fake, _ *plan.Detector) {
			f.set("/api/v2/silences", `[{"id":"s1","status":{"state":"active"},"matchers":[{"name":"alertname","value":"Ref.*","isRegex":true,"isEqual":true}]},
				{"id":"s2","status":{"state":"expired"},"matchers":[{"name":"alertname","value":"RefusalsHigh"}]},
				{"id":"s3","status":{"state":"active"},"matchers":[{"name":"alertname","value":"RefusalsHigh","isEqual":false}]}]`)
		}, []string{"A silence of Alertmanager (s1) holds for the alert RefusalsHigh"}},
		"vmalert": {func(f *fake, _ *plan.Detector) { // it has neither a version nor series nor targets
			delete(f.answers, "/api/v1/status/buildinfo")
			delete(f.answers, "/api/v1/alertmanagers")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, p := newFake(t)
			c.change(f, p)
			d, err := New(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			var got []string
			for _, p := range d.Check(t.Context()) {
				if strings.Contains(p.What, "receiver of notifications cannot listen") {
					continue // another test's process may hold the port
				}
				if p.Part != "detector" || p.What == "" || p.Remedy == "" || !strings.HasSuffix(p.What, ".") || strings.Contains(p.What, "geheim") ||
					strings.HasPrefix(p.What, "Http") || strings.HasPrefix(p.Remedy, "Http") {
					t.Errorf("%+v", p)
				}
				got = append(got, p.Rule+" "+p.What+" // "+p.Remedy)
			}
			if len(got) != len(c.want) {
				t.Fatalf("%d problems, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("%s\nwant %s", got[i], want)
				}
			}
		})
	}
}

// TestNamesake has an alert of the plan's name that the attribution tells apart.
func TestNamesake(t *testing.T) {
	f, p := newFake(t)
	g := goodGroup()
	other := g.Rules[1]
	other.Query, other.Labels = "x", map[string]string{"severity": "info"}
	g.Rules = append(g.Rules, other)
	f.set("/api/v1/rules", rulesAnswer(g))
	for attribution, want := range map[string]int{
		`signal.labels.alertname == "RefusalsHigh"`:                                         1,
		`signal.labels.alertname == "RefusalsHigh" and signal.labels.severity == "page"`:    0,
		`signal.labels.alertname == "RefusalsHigh" and signal.labels["severity"] != "info"`: 0,
		`signal.labels.alertname == "RefusalsHigh" and signal.labels.team == "llm"`:         1,
	} {
		d, err := New(p, Options{Attribution: attribution})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range d.Check(t.Context()) {
			if strings.Contains(p.What, "more than the plan") {
				n++
			}
		}
		d.Close()
		if n != want {
			t.Errorf("%s: %d problems, want %d", attribution, n, want)
		}
	}
}

func TestNotes(t *testing.T) {
	f, p := newFake(t)
	d, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if n := d.Notes(t.Context()); n != nil {
		t.Errorf("%v", n)
	}
	f.set("/api/v2/status", managerAnswer("0.28.1", strings.Replace(fakeManager, "http://127.0.0.1:9464/hook", "<secret>", 1)))
	n := strings.Join(d.Notes(t.Context()), "\n")
	if !strings.Contains(n, "0.28.1 keeps an emptied") || !strings.Contains(n, "only a test alert can tell") {
		t.Errorf("%s", n)
	}
}

// TestConfiguration changes one part at a time.
func TestConfiguration(t *testing.T) {
	f, p := newFake(t)
	f.set("/api/v1/status/config", `{"status":"success","data":{"yaml":"global: {}\nurl: http://u:geheim@h/\n"}}`)
	f.set("/api/v1/status/flags", `{"status":"success","data":{"query.lookback-delta":"5m","web.listen-address":"x"}}`)
	d, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	first, err := d.Configuration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stays := func(path, text string) {
		t.Helper()
		f.set(path, text)
		if got, err := d.Configuration(t.Context()); got != first || err != nil || d.Change() != "" {
			t.Errorf("%s: %v %s", path, err, d.Change())
		}
	}
	g := goodGroup()
	g.Rules[1].Alerts = []alert{{State: "firing", Labels: map[string]string{"alertname": "RefusalsHigh"}}}
	g.Rules[1].LastError = "x"
	stays("/api/v1/rules", rulesAnswer(g))
	stays("/api/v1/status/flags", `{"status":"success","data":{"query.lookback-delta":"5m","web.listen-address":"y"}}`)
	stays("/api/v2/silences", `[{"id":"s","status":{"state":"expired"},"matchers":[]}]`)
	for path, c := range map[string][2]string{
		"/api/v1/rules":            {strings.Replace(rulesAnswer(g), `"duration":60`, `"duration":61`, 1), "for 6"},
		"/api/v1/status/config":    {`{"status":"success","data":{"yaml":"global: {a: 1}\nurl: http://u:geheim@h/\n"}}`, "global: {a: 1}"},
		"/api/v1/status/flags":     {`{"status":"success","data":{"query.lookback-delta":"1m"}}`, "query.lookback-delta"},
		"/api/v1/status/buildinfo": {`{"status":"success","data":{"version":"3.2.0"}}`, "3.2.0"},
		"/api/v2/status":           {managerAnswer("0.32.1", strings.Replace(fakeManager, "5s", "6s", 1)), "group_wait: 6s"},
		"/api/v2/silences":         {`[{"id":"s","status":{"state":"active"},"matchers":[{"name":"a","value":"b","isRegex":true,"isEqual":false}]}]`, `a!~`},
	} {
		f.mu.Lock()
		old := f.answers[path]
		f.mu.Unlock()
		f.set(path, c[0])
		got, err := d.Configuration(t.Context())
		if err != nil || got == first || !strings.Contains(d.Change(), c[1]) || strings.Contains(d.Change(), "geheim") {
			t.Errorf("%s: %s, %v, %s", path, got, err, d.Change())
		}
		f.set(path, "<")
		if got, err := d.Configuration(t.Context()); err == nil {
			t.Errorf("%s: without an answer the configuration is %s", path, got)
		}
		stays(path, old)
	}
	// vmalert has flags of its own.
	for _, gone := range []string{"/api/v1/status/config", "/api/v1/status/buildinfo"} {
		f.mu.Lock()
		delete(f.answers, gone)
		f.mu.Unlock()
	}
	f.set("/flags", "-evaluationInterval=\"1s\"\n-notifier.url=\"http://u:geheim@h\"\n-httpListenAddr=\"x\"\n")
	vm, err := d.settings(t.Context())
	if err != nil || !strings.Contains(string(vm.Bytes()), "-evaluationInterval \"1s\"") || strings.Contains(string(vm.Bytes()), "geheim") || strings.Contains(string(vm.Bytes()), "httpListen") {
		t.Errorf("%v\n%s", err, vm.Bytes())
	}
}

func TestComponents(t *testing.T) {
	for _, c := range []struct {
		attribution string
		receiver    bool
		want        string
	}{
		{"", true, "rules alertmanager"}, {"", false, "rules"},
		{`signal.labels.alertname == "A"`, true, "alertmanager"}, {`signal.labels.alertname == "A"`, false, "rules"},
		{`signal.component == "rules"`, true, "rules"}, {`signal.component == "alertmanager" and signal.status == "firing"`, true, "alertmanager"},
		{`signal.component == "alertmanager"`, false, "no receiver is declared"}, {`signal.component == "detector"`, true, "true of no component"},
		{`signal.component`, true, "cannot be read"},
	} {
		p := &plan.Detector{Name: "d", Live: &plan.LiveDetector{URL: "http://127.0.0.1:1"}}
		if c.receiver {
			p.Live.Listen, p.Live.Path = "127.0.0.1:0", "/h"
		}
		d, err := New(p, Options{Attribution: c.attribution})
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.attribution, err, c.want)
			}
			continue
		}
		var got []string
		for _, name := range []string{Rules, Alertmanager} {
			if d.sends[name] {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.attribution, got, c.want)
		}
		if bound := d.ErrorBound(); (bound > 0) != d.sends[Rules] {
			t.Errorf("%s: bound %d", c.attribution, bound)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, live := range []*plan.LiveDetector{nil, {}, {URL: "x"}, {URL: "http://h", Alertmanager: "x"}, {URL: "http://h", Listen: "127.0.0.1:0", Path: "x"},
		{URL: "http://h", Mapping: &plan.Mapping{}}, {URL: "http://h", KeyEnv: "NO_SUCH_KEY"}} {
		if _, err := New(&plan.Detector{Name: "d", Live: live}, Options{}); err == nil {
			t.Errorf("%+v is a detector", live)
		}
	}
}

// TestAlertmanagerDown has a fake whose Alertmanager does not answer: the state
// is not known, and the rules are followed all the same.
func TestAlertmanagerDown(t *testing.T) {
	f, p := newFake(t)
	p.Live.Listen, p.Live.Interval = "127.0.0.1:0", 3600*exact.Second
	f.set("/api/v2/alerts/groups", "<")
	d, err := New(p, Options{Options: webhook.Options{}, Attribution: `signal.component == "rules"`})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan detector.Signal, 10)
	if err := d.Start(t.Context(), driver.NewClock(), func(s detector.Signal) { got <- s }); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	g := goodGroup()
	g.Rules[1].Alerts = []alert{{State: "firing", Labels: map[string]string{"alertname": "RefusalsHigh"}, ActiveAt: time.Now().Add(-time.Minute)}}
	f.set("/api/v1/rules", rulesAnswer(g))
	if s, err := d.State(t.Context()); err == nil {
		t.Errorf("the state is %+v", s)
	}
	if s := <-got; s.Status != "firing" {
		t.Errorf("%+v", s)
	}
	f.set("/api/v2/alerts/groups", "[]")
	if s, err := d.State(t.Context()); err != nil || s.Firing != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if d.rest.cleanup != 0 || d.rest.flush != 10e9 {
		t.Errorf("%+v", d.rest)
	}
	f.set("/api/v1/rules", "<")
	if s, err := d.State(t.Context()); err == nil {
		t.Errorf("the state is %+v", s)
	}
	// Twice Alertmanager did not answer, at the start and after it, and once
	// Prometheus.
	d.rest.lost = 2
	if resp, err := http.Get(d.Receiver().URL()); err != nil || resp.StatusCode != http.StatusMethodNotAllowed {
		t.Fatal(resp, err)
	}
	if got, want := d.Missed(), (world.Missed{Unanswered: 3, Unresolved: 2, Refused: 1}); got != want {
		t.Errorf("missed %+v, want %+v", got, want)
	}
	if got := d.Missed(); got != (world.Missed{}) {
		t.Errorf("%+v is told twice", got)
	}
}

// TestTry has an Alertmanager that takes the test alert and sends nothing, then
// one that sends it, and one that takes none.
func TestTry(t *testing.T) {
	f, p := newFake(t)
	p.Live.Listen, p.Live.Interval = "127.0.0.1:0", 3600*exact.Second
	f.set("/api/v2/status", managerAnswer("0.32.1", strings.NewReplacer("5s", "1ms", "10s", "1ms").Replace(fakeManager)))
	f.set("/api/v2/alerts", `[{"receivers":[{"name":"pager"}]}]`)
	d, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Try(t.Context()); err == nil {
		t.Error("a test alert before Start")
	}
	heard := make(chan detector.Signal, 10)
	if err := d.Start(t.Context(), driver.NewClock(), func(s detector.Signal) { heard <- s }); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var lost *TryError
	if err := d.Try(t.Context()); !errors.As(err, &lost) || !strings.Contains(err.Error(), "Alertmanager sends it to pager") || !strings.Contains(err.Error(), d.Receiver().URL()) {
		t.Errorf("%v", err)
	}
	result := make(chan error)
	go func() { result <- d.Try(t.Context()) }()
	var id string
	for id == "" {
		d.mu.Lock()
		for k := range d.tries {
			id = k
		}
		d.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	for _, label := range []string{"another", id} {
		body := fmt.Sprintf(`{"version":"4","groupKey":"g","alerts":[{"status":"firing","labels":{"alertname":"RefusalsHigh",%q:%q}}]}`, TryLabel, label)
		resp, err := http.Post(d.Receiver().URL(), "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
	f.mu.Lock()
	delete(f.answers, "/api/v2/alerts")
	f.mu.Unlock()
	if err := d.Try(t.Context()); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("%v", err)
	}
	if len(heard) != 0 {
		t.Errorf("test alerts became signals: %+v", <-heard)
	}
}
