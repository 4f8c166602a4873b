package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Addresses are where the parts of a stack listen. The proxy and the receiver
// are the harness's own, and listen while a series runs.
type Addresses struct {
	Tap, Metrics, Proxy, Receiver, Engine, Prometheus, Alertmanager string
}

// stack is a deployment under observation: requests go to the tap, from there
// to the proxy and on to the engine; a detector scrapes the tap.
type stack struct {
	t *testing.T
	Addresses
	dir      string // of the scenario
	work     string // of what the programs write
	interval string // of scrapes and evaluations
	rules    string // what evaluates the rules, as the scenario declares it

	engine, tap, prometheus, alertmanager *program
}

// newStack chooses addresses and a folder for the scenario.
func newStack(t *testing.T) *stack {
	t.Helper()
	a := free(t, 7)
	return &stack{t: t, dir: t.TempDir(), work: t.TempDir(), interval: "100ms", rules: "Prometheus", Addresses: Addresses{a[0], a[1], a[2], a[3], a[4], a[5], a[6]}}
}

// rehearsed is a fault class as the scenario of all classes has it.
type rehearsed struct {
	class, indicator, magnitude string
	condition                   string // of the alert
}

// classes are the text fault classes of the standard library. Half of the
// answers in testdata are JSON, so no more of them can be broken.
func classes() []rehearsed {
	var list []rehearsed
	for _, c := range [][2]string{
		{"refusal", "refusal_rate"}, {"truncation", "truncation_rate"}, {"empty_response", "empty_response_rate"}, {"repetition", "repetition_rate"},
		{"wrong_language", "wrong_language_rate"}, {"garbled", "garbled_rate"}, {"special_token_leak", "special_token_leak_rate"},
		{"reasoning_leak", "reasoning_leak_rate"}, {"tool_call_broken", "tool_call_broken_rate"},
	} {
		list = append(list, rehearsed{c[0], c[1], "0.5", "> 0.25"})
	}
	return append(list,
		rehearsed{"json_invalid", "json_invalid_rate", "0.35", "> 0.7"},
		rehearsed{"schema_violation", "schema_violation_rate", "0.35", "> 0.18"},
		rehearsed{"verbosity_up", "response_words", "14", "> 24"},
		rehearsed{"verbosity_down", "response_words", "-7", "< 13.5"},
	)
}

// rules is a rule file with an alert for each class, which has its name.
func rules(list []rehearsed, window string) string {
	var b strings.Builder
	b.WriteString("groups:\n  - name: answers\n    rules:\n")
	for _, c := range list {
		fmt.Fprintf(&b, "      - alert: %s\n        expr: sum(rate(llm_%s_total[%s])) / sum(rate(llm_responses_total[%s])) %s\n", c.class, c.indicator, window, window, c.condition)
	}
	return b.String()
}

// scenario is what the stack is measured by; series is the body of its series.
func (s *stack) scenario(list []rehearsed, window string, stream bool, series string) string {
	var indicators strings.Builder
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.indicator] {
			seen[c.indicator] = true
			fmt.Fprintf(&indicators, "  indicator %q {\n    method  = indicator.%s\n    window  = %q\n    exports = \"llm_%s_total\"\n  }\n", c.indicator, c.indicator, window, c.indicator)
		}
	}
	return fmt.Sprintf(`fdbench { language = 1 }

population "questions" {
  generator  = "template/1"
  size       = 5000
  salt       = "nonce"
  provenance = "synthetic"
}

serving "openai" "demo" {
  base_url = "http://%s"
  model    = "m"
  stream   = %t

  timeouts {
    header = "5s"
    gap    = "5s"
    whole  = "30s"
  }
}

apparatus "proxy" "relay" {
  listen   = "%s"
  upstream = "http://%s"
  lease    = "5s"
}

detector "prometheus" "alerts" {
  version             = "%s"
  url                 = "http://%s"
  rules               = "alerts.yml"
  interval            = "200ms"
  scrape_interval     = "%s"
  evaluation_interval = "%s"

%s
  alertmanager {
    url             = "http://%s"
    group_by        = ["..."]
    group_wait      = "0s"
    group_interval  = "100ms"
    repeat_interval = "4h"
    cleanup         = "30s"
  }

  receiver {
    listen = "%s"
    path   = "/alerts"
  }
}

environment "loopback" {
  kind         = "ci"
  sut_boundary = "application_gateway"
  serving      = serving.demo
  apparatus    = apparatus.relay
  path         = ["deployment", "proxy", "tap"]
  inject_at    = "proxy"
  observe_at   = "tap"
  description  = "Programs on one machine, connected over loopback."

  caching {
    approach = "no_hit_population"
    proof    = "Every prompt has a ticket number of its own."
  }

  clocks {
    arrangement = "same_host"
  }
}

signal "page" {
  type        = "alert"
  component   = detector.alerts
  event_clock = "receiver"
  attribution = "signal.component == 'alertmanager' and signal.labels.alertname == fault.class and signal.status == 'firing'"
}

series "live" {
  environment = environment.loopback
  population  = population.questions
  detector    = detector.alerts
  signal      = signal.page

%s
%s}
`, s.Tap, stream, s.Proxy, s.Engine, s.rules, s.Prometheus, s.interval, s.interval, indicators.String(), s.Alertmanager, s.Receiver, series, attested())
}

// attested vouches for what cannot be measured from here, all of which the test
// sees to itself.
func attested() string {
	var b strings.Builder
	for _, x := range [][2]string{
		{"fd_1_1_3", "The programs serve nobody but the test, on loopback."},
		{"fd_1_2_6", "The values show that the harness works, and rank nothing."},
		{"fd_3_1_5", "Prometheus scrapes the tap and nothing else, and Alertmanager notifies of its rules only."},
		{"fd_3_2_1", "The test wrote every configuration before it started the programs."},
		{"fd_3_2_2", "The test changes no configuration while a series runs."},
		{"fd_3_3_6", "There is one load, which is typical of the test alone."},
		{"fd_3_3_7", "Nothing on the path keeps answers, and every prompt has a number of its own."},
		{"fd_3_4_2", "Nothing leads from Prometheus to the process that stamps the onset, except notifications."},
		{"fd_3_4_4", "The proxy is known to the tap alone, and Prometheus does not scrape it."},
		{"fd_3_5_6", "All programs run on one machine, under one kernel."},
		{"fd_4_3_4", "Rules and Alertmanager are asked for their state, and hold no other."},
		{"fd_4_4_1", "One fault is applied at a time, and its alert has its name."},
		{"fd_6_3", "The engine is fdbench serve with the answers that lie beside the test."},
		{"fd_7_1", "All addresses are loopback, and the prompts are made from templates."},
	} {
		fmt.Fprintf(&b, "  attest %q {\n    by        = \"the test that starts the programs\"\n    statement = %q\n  }\n\n", x[0], x[1])
	}
	return b.String()
}

// write writes the scenario and the rules into the stack's folder.
func (s *stack) write(list []rehearsed, window string, stream bool, series string) {
	s.t.Helper()
	file(s.t, s.dir, "alerts.yml", rules(list, window))
	file(s.t, s.dir, "live.fdb.hcl", s.scenario(list, window, stream, series))
}

// serve starts the engine with the answers of testdata.
func (s *stack) serve(more ...string) {
	s.t.Helper()
	args := append([]string{fdbench(s.t), "serve", "--listen", s.Engine, "--answers", "testdata/answers.jsonl", "--model", "m", "--latency", "first=10ms,token=300us"}, more...)
	s.engine = ready(s.t, nil, args...)
}

// observe starts the tap with what the scenario declares.
func (s *stack) observe() {
	s.t.Helper()
	s.tap = ready(s.t, nil, fdbench(s.t), "tap", s.dir, "--upstream", "http://"+s.Proxy, "--listen", s.Tap, "--metrics", s.Metrics)
}

// notify starts Alertmanager.
func (s *stack) notify() {
	s.t.Helper()
	conf := file(s.t, s.work, "alertmanager.yml", fmt.Sprintf(`route:
  receiver: harness
  group_by: ['...']
  group_wait: 0s
  group_interval: 100ms
  repeat_interval: 4h
receivers:
  - name: harness
    webhook_configs:
      - url: http://%s/alerts
        send_resolved: true
`, s.Receiver))
	s.alertmanager = start(s.t, nil, need(s.t, "prometheus-alertmanager", "prometheus-alertmanager"), "--config.file="+conf,
		"--storage.path="+filepath.Join(s.work, "alertmanager"), "--web.listen-address="+s.Alertmanager, "--cluster.listen-address=")
	until(s.t, s.alertmanager, "http://"+s.Alertmanager+"/-/ready")
}

// scrapes is the configuration that scrapes the tap.
func (s *stack) scrapes() string {
	return fmt.Sprintf(`global:
  scrape_interval: %[1]s
  scrape_timeout: %[1]s
  evaluation_interval: %[1]s
scrape_configs:
  - job_name: tap
    static_configs:
      - targets: ['%[2]s']
`, s.interval, s.Metrics)
}

// watch starts Prometheus.
func (s *stack) watch() {
	s.t.Helper()
	conf := file(s.t, s.work, "prometheus.yml", s.scrapes()+fmt.Sprintf(`rule_files: ['%s']
alerting:
  alertmanagers:
    - static_configs:
        - targets: ['%s']
`, filepath.Join(s.dir, "alerts.yml"), s.Alertmanager))
	s.prometheus = start(s.t, nil, need(s.t, "prometheus", "prometheus"), "--config.file="+conf, "--storage.tsdb.path="+filepath.Join(s.work, "tsdb"),
		"--web.listen-address="+s.Prometheus, "--rules.alert.resend-delay=1s")
	until(s.t, s.prometheus, "http://"+s.Prometheus+"/-/ready")
	s.found()
}

// found waits until Prometheus has scraped the tap once and knows its
// Alertmanager, which it looks for every five seconds only.
func (s *stack) found() {
	s.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		var targets struct {
			Data struct{ ActiveTargets []struct{ Health string } }
		}
		var managers struct {
			Data struct{ ActiveAlertmanagers []struct{ URL string } }
		}
		get(s.t, "http://"+s.Prometheus+"/api/v1/targets", &targets)
		get(s.t, "http://"+s.Prometheus+"/api/v1/alertmanagers", &managers)
		if len(targets.Data.ActiveTargets) == 1 && targets.Data.ActiveTargets[0].Health == "up" && len(managers.Data.ActiveAlertmanagers) == 1 {
			return
		}
	}
	s.t.Fatal("Prometheus did not find the tap and Alertmanager within 30 s")
}

// all starts everything that is not the harness's own.
func (s *stack) all() {
	s.t.Helper()
	s.serve()
	s.observe()
	s.notify()
	s.watch()
}

// get reads JSON.
func get(t *testing.T, u string, v any) {
	t.Helper()
	resp, err := http.Get(u)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%.500s", u, err, b)
	}
}

// fired asks Prometheus itself which alerts fired in the last while.
func (s *stack) fired(while time.Duration) map[string]bool {
	s.t.Helper()
	var answer struct {
		Data struct {
			Result []struct{ Metric map[string]string }
		}
	}
	q := "count by (alertname) (max_over_time(ALERTS{alertstate=\"firing\"}[" + strconv.Itoa(int(while.Seconds())+1) + "s]))"
	get(s.t, "http://"+s.Prometheus+"/api/v1/query?query="+url.QueryEscape(q), &answer)
	out := map[string]bool{}
	for _, r := range answer.Data.Result {
		out[r.Metric["alertname"]] = true
	}
	return out
}

// firing counts the alerts that fire now, in Prometheus and in Alertmanager.
func (s *stack) firing() int {
	s.t.Helper()
	var rules struct {
		Data struct {
			Alerts []struct{ State string }
		}
	}
	get(s.t, "http://"+s.Prometheus+"/api/v1/alerts", &rules)
	n := 0
	for _, a := range rules.Data.Alerts {
		if a.State == "firing" {
			n++
		}
	}
	var alerts []struct{}
	get(s.t, "http://"+s.Alertmanager+"/api/v2/alerts?active=true", &alerts)
	return n + len(alerts)
}
