package prometheus

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/prometheus/promtest"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

const liveRules = `groups:
- name: llm
  rules:
  - record: llm:refusals
    expr: sum(llm_refusals_total)
  - alert: RefusalsHigh
    expr: llm_refusals_total > 5
    for: 400ms
    labels: {severity: page}
  - alert: Watchdog
    expr: vector(1)
`

// lab is a Prometheus and an Alertmanager with a receiver's port.
type lab struct {
	counters            *promtest.Counters
	prometheus, manager *promtest.Server
	receiver            string
	plan                *plan.Detector
}

func prometheusConfig(target, manager string) string {
	return fmt.Sprintf(`global: {scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms}
rule_files: [rules.yml]
alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}
scrape_configs: [{job_name: tap, static_configs: [{targets: [%q]}]}]
`, strings.TrimPrefix(manager, "http://"), target)
}

func managerConfigText(receiver, extra string) string {
	return fmt.Sprintf(`route: {receiver: fdbench, group_by: [alertname], group_wait: 100ms, group_interval: 1s, repeat_interval: 1h, routes: [{receiver: none, matchers: ['alertname="Watchdog"']}]}
receivers:
- name: none
- name: fdbench
  webhook_configs: [{url: "http://%s/alerts"%s}]
`, receiver, extra)
}

func newLab(t *testing.T, flags ...string) *lab {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Prometheus and Alertmanager")
	}
	t.Parallel()
	l := &lab{counters: promtest.Serve(t), receiver: fmt.Sprintf("127.0.0.1:%d", promtest.Port(t))}
	l.counters.Add("llm_refusals_total", 0)
	l.counters.Add("llm_responses_total", 1)
	l.manager = promtest.Alertmanager(t, managerConfigText(l.receiver, ""))
	l.prometheus = promtest.Prometheus(t, prometheusConfig(l.counters.Address, l.manager.URL), map[string]string{"rules.yml": liveRules}, flags...)
	l.plan = &plan.Detector{Name: "alerts", Kind: "prometheus",
		Indicators: []plan.DetectorIndicator{{Label: "refusal_rate", Exports: "llm_refusals_total"}},
		Alerts:     []plan.Alert{{Name: "RefusalsHigh", Expr: "llm_refusals_total > 5", For: 400 * exact.Millisecond}},
		Prometheus: &plan.Prometheus{RulesFile: "rules.yml", Rules: liveRules, Total: "llm_responses_total", EvaluationInterval: 200 * exact.Millisecond},
		Manager: &plan.Alertmanager{GroupBy: []string{"alertname"}, GroupWait: 100 * exact.Millisecond, GroupInterval: exact.Second,
			RepeatInterval: 3600 * exact.Second, SendResolved: true, Cleanup: 30 * exact.Second},
		Live: &plan.LiveDetector{Listen: l.receiver, Path: "/alerts", URL: l.prometheus.URL, Alertmanager: l.manager.URL, Interval: 100 * exact.Millisecond}}
	return l
}

// ears is a sink that can be waited at.
type ears struct {
	mu      sync.Mutex
	signals []detector.Signal
}

func (e *ears) sink(s detector.Signal) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.signals = append(e.signals, s)
}

func (e *ears) all() []detector.Signal {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]detector.Signal(nil), e.signals...)
}

func (e *ears) find(component, status string) (detector.Signal, bool) {
	for _, s := range e.all() {
		if s.Component == component && s.Status == status {
			return s, true
		}
	}
	return detector.Signal{}, false
}

func (e *ears) wait(t *testing.T, component, status string) detector.Signal {
	t.Helper()
	for until := time.Now().Add(15 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if s, ok := e.find(component, status); ok {
			return s
		}
	}
	t.Fatalf("no signal of %s that is %s; there are %+v", component, status, e.all())
	return detector.Signal{}
}

func (l *lab) start(t *testing.T, o Options) (*Detector, *ears, driver.Clock) {
	t.Helper()
	d, err := New(l.plan, o)
	if err != nil {
		t.Fatal(err)
	}
	e, c := &ears{}, driver.NewClock()
	if err := d.Start(t.Context(), c, e.sink); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, e, c
}

// settle waits for a state that can be told.
func settle(t *testing.T, d *Detector) detector.State {
	t.Helper()
	var s detector.State
	var err error
	for until := time.Now().Add(15 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if s, err = d.State(t.Context()); err == nil {
			return s
		}
	}
	t.Fatal(err)
	return s
}

// TestLive follows one alert through a real Prometheus and a real Alertmanager.
func TestLive(t *testing.T) {
	l := newLab(t)
	d, e, c := l.start(t, Options{})
	if s := settle(t, d); !s.Resting() {
		t.Fatalf("before the alert: %+v, %v", s, d.Active())
	}
	if d.Cycle() != 200e6 {
		t.Errorf("the cycle is %d ns", d.Cycle())
	}
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		problems := d.Check(t.Context())
		if len(problems) == 0 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("%+v", problems)
		}
	}
	if n := d.Notes(t.Context()); len(n) == 0 && d.rest.cleanup > 0 {
		t.Error("an old Alertmanager is not noted")
	}
	if err := d.Try(t.Context()); err != nil {
		t.Error(err)
	}
	if got := e.all(); len(got) != 0 {
		t.Errorf("the test alert became a signal: %+v", got)
	}

	onset := c.Now()
	l.counters.Add("llm_refusals_total", 10)
	rule := e.wait(t, Rules, "firing")
	told := e.wait(t, Alertmanager, "firing")
	if s := settle(t, d); s.Firing != 1 || s.Groups == 0 || strings.Join(d.Active(), " ") != "RefusalsHigh" {
		t.Errorf("while it fires: %+v, %v", s, d.Active())
	}
	for _, s := range []detector.Signal{rule, told} {
		if s.Labels["alertname"] != "RefusalsHigh" || s.Labels["severity"] != "page" || s.Repeat || s.At <= onset || s.At > c.Now() {
			t.Errorf("%+v", s)
		}
		// Both tell the same evaluation: Prometheus's own stamp, once by way of
		// Alertmanager, and once as it follows from the rule.
		if s.StartsAt < onset+400e6 || s.StartsAt > s.At || (s.StartsAt-told.StartsAt) > 50e6 || (told.StartsAt-s.StartsAt) > 50e6 {
			t.Errorf("%s: it starts at %v and arrives at %v; onset %v, Alertmanager's start %v", s.Component, time.Duration(s.StartsAt),
				time.Duration(s.At), time.Duration(onset), time.Duration(told.StartsAt))
		}
	}
	t.Logf("onset to evaluation %v, to the look %v, to the webhook %v", time.Duration(told.StartsAt-onset), time.Duration(rule.At-onset), time.Duration(told.At-onset))

	l.counters.Add("llm_refusals_total", -10)
	over := e.wait(t, Rules, "resolved")
	if over.EmittedAt <= rule.At || over.EmittedAt > over.At {
		t.Errorf("%+v", over)
	}
	if s, _ := d.State(t.Context()); s.Resting() {
		t.Error("at rest before Alertmanager said that it is over")
	}
	last := e.wait(t, Alertmanager, "resolved")
	// The group of an old Alertmanager is not gone yet.
	s := settle(t, d)
	if d.rest.cleanup > 0 && s.Groups == 0 {
		t.Errorf("right after the end: %+v", s)
	}
	if s.Firing+s.Pending > 0 {
		t.Errorf("after the end: %+v", s)
	}
	d.mu.Lock()
	d.rest.cleanup = int64(time.Second)
	d.mu.Unlock()
	for s = settle(t, d); !s.Resting(); s = settle(t, d) {
		if c.Now() > last.At+10e9 {
			t.Fatalf("no rest: %+v, %v", s, d.Active())
		}
		time.Sleep(50 * time.Millisecond)
	}
	if c.Now() < last.At+1e9 {
		t.Error("the group was gone too early")
	}
	if n := len(e.all()); n != 4 {
		t.Errorf("%d signals: %+v", n, e.all())
	}
	if d.Lost() != 0 || d.Receiver().Stats().Malformed != 0 {
		t.Errorf("lost %d, %+v", d.Lost(), d.Receiver().Stats())
	}
}

// TestRestart stops each server while the alert fires. What is not known is an
// error, and nothing is reported twice.
func TestRestart(t *testing.T) {
	l := newLab(t)
	d, e, _ := l.start(t, Options{})
	settle(t, d)
	l.counters.Add("llm_refusals_total", 10)
	e.wait(t, Alertmanager, "firing")
	e.wait(t, Rules, "firing")

	l.prometheus.Stop()
	if s, err := d.State(t.Context()); err == nil {
		t.Errorf("without Prometheus the state is %+v", s)
	}
	l.prometheus.Start()
	for range 20 { // never at rest, from the first answer on
		if s, err := d.State(t.Context()); err == nil && s.Firing+s.Pending == 0 {
			t.Fatalf("after the restart the state is %+v", s)
		}
		time.Sleep(50 * time.Millisecond)
	}
	l.manager.Stop()
	if s, err := d.State(t.Context()); err == nil {
		t.Errorf("without Alertmanager the state is %+v", s)
	}
	l.manager.Start()
	if s := settle(t, d); s.Firing != 1 {
		t.Errorf("after the restart: %+v", s)
	}
	firing := 0
	for _, s := range e.all() {
		if s.Status == "firing" && !s.Repeat {
			firing++
		}
	}
	if firing != 2 {
		t.Errorf("%d signals that are no repetition: %+v", firing, e.all())
	}
	l.counters.Add("llm_refusals_total", -10)
	e.wait(t, Rules, "resolved")
	e.wait(t, Alertmanager, "resolved")
	if d.Looks().Failed == 0 || d.ErrorBound() <= 100e6 {
		t.Errorf("%+v, bound %v", d.Looks(), time.Duration(d.ErrorBound()))
	}
}

// TestConfigurationChanges reads the configuration before and after each part
// of it changes.
func TestConfigurationChanges(t *testing.T) {
	l := newLab(t)
	d, err := New(l.plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	read := func() string {
		t.Helper()
		s, err := d.Configuration(t.Context())
		if err != nil || !strings.HasPrefix(s, "sha256:") {
			t.Fatalf("%s, %v", s, err)
		}
		return s
	}
	first := read()
	l.counters.Add("llm_refusals_total", 10)
	time.Sleep(time.Second)
	if read() != first || d.Change() != "" {
		t.Errorf("an alert changes the configuration: %s", d.Change())
	}
	changes := func(what string, change func()) {
		t.Helper()
		change()
		for until := time.Now().Add(10 * time.Second); read() == first; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%s is not noticed", what)
			}
		}
		if !strings.Contains(d.Change(), what) {
			t.Errorf("the change is told as %s, not as %s", d.Change(), what)
		}
	}
	changes("> 6", func() {
		l.prometheus.Write("rules.yml", strings.Replace(liveRules, "> 5", "> 6", 1))
		l.prometheus.Reload()
	})
	problems := fmt.Sprint(d.Check(t.Context()))
	if !strings.Contains(problems, "`llm_refusals_total > 6`, and in the plan `llm_refusals_total > 5`") {
		t.Errorf("%s", problems)
	}
	l.prometheus.Write("rules.yml", liveRules)
	l.prometheus.Reload()
	for until := time.Now().Add(10 * time.Second); read() != first; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the configuration does not come back: %s", d.Change())
		}
	}
	changes("group_wait", func() {
		l.manager.Write("alertmanager.yml", strings.Replace(managerConfigText(l.receiver, ""), "group_wait: 100ms", "group_wait: 300ms", 1))
		l.manager.Reload()
	})
	if p := fmt.Sprint(d.Check(t.Context())); !strings.Contains(p, "group_wait is 0.3s, and in the plan 0.1s") && !strings.Contains(p, "group_wait is 300ms, and in the plan 100ms") {
		t.Errorf("%s", p)
	}
}

// TestWrongPlaces gives each address to the other server, and a receiver that
// Alertmanager does not know.
func TestWrongPlaces(t *testing.T) {
	l := newLab(t)
	live := *l.plan.Live
	live.URL, live.Alertmanager = live.Alertmanager, live.URL
	l.plan.Live = &live
	d, err := New(l.plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(d.Check(t.Context()))
	d.Close()
	for _, want := range []string{"there is an Alertmanager, not a Prometheus", "there is a Prometheus, not an Alertmanager"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwithout: %s", got, want)
		}
	}
	live.URL, live.Alertmanager = live.Alertmanager, live.URL
	live.Listen = fmt.Sprintf("127.0.0.1:%d", promtest.Port(t))
	d, _, _ = l.start(t, Options{Options: webhook.Options{}})
	if got := fmt.Sprint(d.Check(t.Context())); !strings.Contains(got, "No receiver of Alertmanager sends to") {
		t.Error(got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if err := d.Try(ctx); err == nil {
		t.Error("the test alert arrived")
	}
}

// TestVmalert has vmalert in the place of Prometheus.
func TestVmalert(t *testing.T) {
	if testing.Short() {
		t.Skip("starts VictoriaMetrics, vmalert and Alertmanager")
	}
	t.Parallel()
	counters := promtest.Serve(t)
	counters.Add("llm_refusals_total", 0)
	receiver := fmt.Sprintf("127.0.0.1:%d", promtest.Port(t))
	vm := promtest.VictoriaMetrics(t, fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs: [{job_name: tap, static_configs: [{targets: [%q]}]}]\n", counters.Address))
	manager := promtest.Alertmanager(t, managerConfigText(receiver, ""))
	rules := strings.Replace(liveRules, "for: 400ms", "for: 1s", 1)
	alerts := promtest.Vmalert(t, rules, vm.URL, manager.URL)
	l := &lab{counters: counters, plan: &plan.Detector{Name: "alerts", Kind: "prometheus",
		Alerts:     []plan.Alert{{Name: "RefusalsHigh", Expr: "llm_refusals_total > 5", For: exact.Second}},
		Prometheus: &plan.Prometheus{RulesFile: "rules.yml", Rules: rules, Total: "llm_responses_total", EvaluationInterval: exact.Second},
		Live:       &plan.LiveDetector{Listen: receiver, Path: "/alerts", URL: alerts.URL, Alertmanager: manager.URL, Interval: 100 * exact.Millisecond}}}
	d, e, c := l.start(t, Options{})
	if s := settle(t, d); !s.Resting() {
		t.Fatalf("%+v", s)
	}
	if p := d.Check(t.Context()); len(p) != 0 {
		t.Errorf("%+v", p)
	}
	before, err := d.Configuration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	onset := c.Now()
	counters.Add("llm_refusals_total", 10)
	rule := e.wait(t, Rules, "firing")
	told := e.wait(t, Alertmanager, "firing")
	if rule.Labels["alertname"] != "RefusalsHigh" || rule.StartsAt < onset || rule.StartsAt > rule.At || told.At < onset || d.Cycle() != 1e9 {
		t.Errorf("%+v, %+v, cycle %d", rule, told, d.Cycle())
	}
	if s := settle(t, d); s.Firing != 1 {
		t.Errorf("%+v", s)
	}
	if after, err := d.Configuration(t.Context()); after != before || err != nil {
		t.Errorf("the configuration changed: %s, %v", d.Change(), err)
	}
}
