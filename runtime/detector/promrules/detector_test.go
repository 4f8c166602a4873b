package promrules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
	"github.com/fdbench/fdbench/runtime/random"
)

const second = int64(exact.Second)

// bench drives a Detector with constant traffic whose share of refusals is set.
type bench struct {
	*Detector
	t       testing.TB
	signals []detector.Signal
	at      int64 // of the next response
	gap     int64 // between responses; 0: none
	every   int   // each every-th response is refused; 0: none
	n       int
}

func newBench(t testing.TB, rules string, change func(*Config)) *bench {
	t.Helper()
	c := Config{
		FileName: "alerts.yml", Rules: []byte(rules),
		Counters:       []Counter{{Name: "llm_refusals_total"}},
		ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
	}
	if change != nil {
		change(&c)
	}
	b := &bench{t: t, gap: second, every: 50}
	d, err := New(c, func(s detector.Signal) { b.signals = append(b.signals, s) })
	if err != nil {
		t.Fatal(err)
	}
	b.Detector = d
	return b
}

// until runs responses, scrapes and evaluations up to an instant, that included.
func (b *bench) until(at int64) {
	for {
		next := b.Next()
		if b.gap > 0 && b.at <= min(next, at) {
			b.n++
			score := int32(0)
			if b.every > 0 && b.n%b.every == 0 {
				score = 1
			}
			b.Observe(b.at, []int32{score}, 1)
			b.at += b.gap
			continue
		}
		if next > at {
			break
		}
		b.Tick(next)
		if b.Next() < next {
			b.t.Fatalf("Next goes back from %d to %d", next, b.Next())
		}
	}
	b.at = max(b.at, at)
	for _, f := range b.Failures() {
		b.t.Fatalf("a rule failed: %+v", f)
	}
}

// value is an expression that gives one sample.
func (b *bench) value(expr string, at int64) float64 {
	b.t.Helper()
	v, err := b.Query(expr, at)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(v) != 1 {
		b.t.Fatalf("%s gives %v at %d", expr, v, at)
	}
	return v[0].F
}

func (b *bench) absent(expr string, at int64) {
	b.t.Helper()
	if v, err := b.Query(expr, at); err != nil || len(v) > 0 {
		b.t.Errorf("%s gives %v at %d, %v; want nothing", expr, v, at, err)
	}
}

// lines is the signals, shortened; instants are seconds after from.
func (b *bench) lines(from int64) []string {
	var list []string
	for _, s := range b.signals {
		line := fmt.Sprintf("%g %s %s since %g", float64(s.At-from)/1e9, s.Labels["alertname"], s.Status, float64(s.StartsAt-from)/1e9)
		if s.Repeat {
			line += " again"
		}
		list = append(list, line)
	}
	return list
}

func (b *bench) want(from int64, want ...string) {
	b.t.Helper()
	if d := cmp.Diff(want, b.lines(from)); d != "" {
		b.t.Errorf("signals (- want, + got)\n%s", d)
	}
}

// firstEval is the world instant of the first evaluation of a group.
func (b *bench) firstEval(group int) int64 { return b.groups[group].next - b.epoch }

func TestFires(t *testing.T) {
	b := newBench(t, `groups:
- name: llm
  rules:
  - alert: RefusalsHigh
    expr: sum(rate(llm_refusals_total[1m])) / sum(rate(llm_responses_total[1m])) > 0.1
    for: 20s
    keep_firing_for: 20s
    labels: {severity: page, share: '{{ printf "%.0f" $value }}'}
`, nil)
	phase := b.firstEval(0)
	b.until(600 * second)
	b.want(0)
	if s := b.State(); !s.Resting() {
		t.Errorf("state %+v before any fault", s)
	}
	b.every = 1 // all refused from here
	onset := b.at
	b.until(onset + 25*second)
	if s := b.State(); s.Pending != 1 || s.Firing != 0 {
		t.Errorf("state %+v while the hold time runs", s)
	}
	if names := b.Active(); !slices.Equal(names, []string{"RefusalsHigh"}) {
		t.Errorf("active: %q while the hold time runs", names)
	}
	b.until(onset + 200*second)
	if s := b.State(); s.Pending != 0 || s.Firing != 1 {
		t.Errorf("state %+v while the fault lasts", s)
	}
	first := b.signals[0]
	// An alert can begin only at the evaluation phase, and for: 20s takes two
	// more evaluations.
	if (first.At-phase)%(15*second) != 0 || first.At < onset+30*second || first.At > onset+60*second {
		t.Errorf("fires %g s after onset", float64(first.At-onset)/1e9)
	}
	want := detector.Signal{
		Type: "alert", Component: "rules", Status: "firing", Reason: "the rule fires",
		Labels:   map[string]string{"alertname": "RefusalsHigh", "severity": "page", "share": "1"},
		StartsAt: first.At, EmittedAt: first.At, At: first.At,
	}
	first.Value, first.Labels = "", map[string]string{"alertname": "RefusalsHigh", "severity": "page", "share": "1"}
	if d := cmp.Diff(want, first); d != "" {
		t.Errorf("signal (- want, + got)\n%s", d)
	}
	b.every = 0
	b.until(onset + 400*second)
	if last := b.signals[len(b.signals)-1]; last.Status != "resolved" {
		t.Errorf("last signal is %+v, want resolved", last)
	}
	if s := b.State(); !s.Resting() {
		t.Errorf("state %+v after the fault", s)
	}
	if names := b.Active(); len(names) > 0 {
		t.Errorf("active: %q after the fault", names)
	}
}

// Several alerts of one rule have one name, and labels of the Config are on
// every counter.
func TestActiveNamesAndConstantLabels(t *testing.T) {
	b := newBench(t, fileOf(
		"alert Zone", `llm_responses_total{model_name="m", region="eu"} >= 0 or llm_refusals_total{model_name="m"} >= 0`,
		"alert Area", `label_replace(llm_responses_total{model_name="m"}, "model_name", "n", "", "") >= 0 or llm_refusals_total >= 0`,
		"alert Other", `llm_responses_total{model_name="n"}`,
	), func(c *Config) {
		c.Labels = map[string]string{"model_name": "m", "region": "eu"}
		c.Counters = []Counter{{Name: "llm_refusals_total", Labels: map[string]string{"region": "us"}}}
	})
	b.until(120 * second)
	if names := b.Active(); !slices.Equal(names, []string{"Area", "Zone"}) {
		t.Errorf("active: %q", names)
	}
	regions := map[string]int{}
	for _, a := range b.Alerts() {
		regions[a.Labels["region"]+" "+a.Labels["model_name"]]++
	}
	if regions["eu m"] != 1 || regions["us m"] != 2 || regions["eu n"] != 1 || b.State().Firing != 4 {
		t.Errorf("%v, state %+v", regions, b.State())
	}
}

// clock is a rule that is true in the first two minutes of every ten.
const clock = `groups:
- name: clock
  rules:
  - alert: Clock
    expr: vector(time()) %% 600 < 120
    %s
`

// The default epoch is a whole number of 600 s, so the rule's instants can be
// told from the phase alone.
func TestHoldAndKeep(t *testing.T) {
	for _, tc := range []struct {
		fields string
		want   func(phase float64) []string
	}{
		{"", func(f float64) []string {
			return []string{
				fmt.Sprintf("%g Clock firing since %g", f, f), fmt.Sprintf("%g Clock firing since %g again", f+75, f),
				fmt.Sprintf("%g Clock resolved since %g", f+120, f),
			}
		}},
		{"for: 31s", func(f float64) []string { // three evaluations later
			return []string{fmt.Sprintf("%g Clock firing since %g", f+45, f+45), fmt.Sprintf("%g Clock resolved since %g", f+120, f+45)}
		}},
		{"for: 30s", func(f float64) []string {
			return []string{
				fmt.Sprintf("%g Clock firing since %g", f+30, f+30),
				fmt.Sprintf("%g Clock firing since %g again", f+105, f+30),
				fmt.Sprintf("%g Clock resolved since %g", f+120, f+30),
			}
		}},
		{"keep_firing_for: 40s", func(f float64) []string { // kept at 120, 135, 150
			return []string{
				fmt.Sprintf("%g Clock firing since %g", f, f), fmt.Sprintf("%g Clock firing since %g again", f+75, f),
				fmt.Sprintf("%g Clock firing since %g again", f+150, f), fmt.Sprintf("%g Clock resolved since %g", f+165, f),
			}
		}},
		{"for: 2m", func(float64) []string { return nil }},
	} {
		b := newBench(t, fmt.Sprintf(clock, tc.fields), nil)
		phase := float64(b.groups[0].next%(15*second)) / 1e9
		b.until(599 * second)
		want := tc.want(phase)
		if d := cmp.Diff(want, b.lines(0)); d != "" {
			t.Errorf("%s (- want, + got)\n%s", tc.fields, d)
		}
	}
}

// A rule that fires after 1 s more of group_wait, with the flush of the group
// deciding when it is told: the pieces of package alertmanager and this one.
func TestWithAlertmanager(t *testing.T) {
	am := alertmanager.Config{GroupBy: []string{"alertname"}, GroupWait: 7 * exact.Second, GroupInterval: 40 * exact.Second, RepeatInterval: exact.Hour, SendResolved: true}
	b := newBench(t, fmt.Sprintf(clock, ""), func(c *Config) { c.Alertmanager = &am })
	f := float64(b.groups[0].next%int64(15*second)) / 1e9
	b.until(100 * second)
	if s := b.State(); s.Firing != 1 || s.Groups != 1 {
		t.Errorf("state %+v, want one alert in one group", s)
	}
	b.until(599 * second)
	// The rule resolves at f+120; the group flushes at f+7+40n.
	b.want(0, fmt.Sprintf("%g Clock firing since %g", f+7, f), fmt.Sprintf("%g Clock resolved since %g", f+127, f))
	for i, want := range []string{alertmanager.FirstNotification, alertmanager.AllResolved} {
		if s := b.signals[i]; s.Component != "alertmanager" || s.Reason != want {
			t.Errorf("signal %d is %+v, want %q", i, s, want)
		}
	}
	if s := b.State(); !s.Resting() {
		t.Errorf("state %+v at the end", s)
	}
}

// Prometheus sends a resolved alert again for 15 minutes, and before v0.32 each
// of them makes a group that lives to the next ticker.
func TestResolvedIsSentAgain(t *testing.T) {
	am := alertmanager.Default()
	am.GroupWait, am.Maintenance = 0, 30*exact.Second
	b := newBench(t, `groups: [{name: once, rules: [{alert: A, expr: "vector(time()) < 1767225700"}]}]`, func(c *Config) { c.Alertmanager = &am })
	groups := 0
	for at := int64(900); at < 1060; at++ {
		b.until(at * second)
		groups += b.State().Groups
	}
	if groups == 0 {
		t.Error("no group 13 to 16 minutes after the end")
	}
	for at := int64(1100); at < 1300; at++ {
		b.until(at * second)
		if b.State().Groups > 0 {
			t.Fatalf("a group %d s after the end", at-100)
		}
	}
}

func TestCountersAsPrometheusSeesThem(t *testing.T) {
	b := newBench(t, `groups: [{name: g, rules: [{alert: A, expr: vector(0) > 1}]}]`, func(c *Config) {
		c.ScrapePhase = 3 * exact.Second
		c.ResetEvery = 10 * exact.Minute
		c.Counters[0].Labels = map[string]string{"job": "theirs", "kind": "x"}
	})
	b.every = 4
	b.until(303*second - 1)
	const series = `llm_refusals_total{job="llm",instance="deployment:9090",exported_job="theirs",kind="x"}`
	// Scraped at 288 s, after responses 1 to 289.
	if v := b.value(series, 302*second); v != 72 {
		t.Errorf("the counter is %g, want 72", v)
	}
	if v := b.value("llm_responses_total", 302*second); v != 289 {
		t.Errorf("the total is %g, want 289", v)
	}
	if v := b.value("up", 302*second); v != 1 {
		t.Errorf("up is %g", v)
	}
	b.until(619 * second)
	if v := b.value("llm_responses_total", 619*second); v != 19 { // 600 to 618
		t.Errorf("the total is %g after the restart, want 19", v)
	}
	if v := b.value("resets(llm_responses_total[5m])", 619*second); v != 1 {
		t.Errorf("%g resets, want 1", v)
	}
	// Prometheus makes up for the restart: 288 s of the window lie between
	// samples, extrapolated to 300.
	if v := b.value("increase(llm_responses_total[5m])", 619*second); math.Abs(v-300) > 20 {
		t.Errorf("an increase of %g in 5 minutes of 1 a second", v)
	}
}

func TestQuietTraffic(t *testing.T) {
	b := newBench(t, `groups:
- name: g
  rules:
  - record: ratio
    expr: sum(rate(llm_refusals_total[1m])) / sum(rate(llm_responses_total[1m]))
  - {alert: Above, expr: ratio > 0.1}
  - {alert: Below, expr: ratio < 0.1}
  - {alert: Same, expr: ratio == ratio}
`, nil)
	b.gap = 0
	b.until(600 * second)
	b.want(0) // 0/0 is NaN, which is neither above nor below nor itself
	if v := b.value("ratio", 600*second); !math.IsNaN(v) {
		t.Errorf("0/0 is %g", v)
	}
}

func TestMissedScrapes(t *testing.T) {
	const rules = `groups: [{name: g, rules: [{alert: Down, expr: up == 0}, {alert: Gone, expr: absent(llm_responses_total)}]}]`
	b := newBench(t, rules, func(c *Config) {
		c.MissedScrapes = exact.Int(1)
		c.Stream = random.New("missed")
	})
	b.until(100 * second)
	if v := b.value("up", 100*second); v != 0 {
		t.Errorf("up is %g while each scrape fails", v)
	}
	b.absent("llm_responses_total", 100*second)
	if s := b.State(); s.Firing != 2 {
		t.Errorf("state %+v, want both alerts", s)
	}

	half := func() *bench {
		b := newBench(t, rules, func(c *Config) {
			c.MissedScrapes = exact.MustParse("0.5")
			c.Stream = random.New("missed")
		})
		b.until(4 * 3600 * second)
		return b
	}
	b = half()
	share := b.value("avg_over_time(up[5m])", 4*3600*second)
	if n := b.value("count_over_time(up[5m])", 4*3600*second); n != 20 {
		t.Errorf("%g reports in 5 minutes, want 20", n)
	}
	if share == 0 || share == 1 {
		t.Errorf("%g of 20 scrapes succeeded, want about half", share)
	}
	if d := cmp.Diff(b.signals, half().signals); d != "" || len(b.signals) < 100 {
		t.Errorf("%d signals; the same stream gives others:\n%s", len(b.signals), d)
	}
}

// A failed scrape ends a series at once; without the marker it would stand for
// five minutes.
func TestStaleAfterFailedScrape(t *testing.T) {
	b := newBench(t, `groups: [{name: g, rules: [{alert: A, expr: vector(0) > 1}]}]`, func(c *Config) {
		c.MissedScrapes = exact.MustParse("0.3")
		c.Stream = random.New("stale")
	})
	seen := [2]bool{}
	for at := int64(0); at < 900; at += 15 {
		b.until(at * second)
		v, err := b.Query("llm_responses_total", at*second)
		if err != nil {
			t.Fatal(err)
		}
		up := b.value("up", at*second)
		seen[int(up)] = true
		if len(v) != int(up) {
			t.Fatalf("at %d: up is %g and the counter has %d samples", at, up, len(v))
		}
	}
	if seen != [2]bool{true, true} {
		t.Errorf("scrapes failed and succeeded: %v", seen)
	}
}

func TestRecordingRulesFeedLaterRules(t *testing.T) {
	b := newBench(t, `groups:
- name: g
  rules:
  - {alert: Before, expr: r == 7}
  - {record: r, expr: vector(7)}
  - {alert: After, expr: r == 7}
`, nil)
	first := b.firstEval(0)
	b.until(first)
	if len(b.signals) != 1 || b.signals[0].Labels["alertname"] != "After" {
		t.Fatalf("signals %v in the first evaluation, want After alone", b.lines(0))
	}
	b.until(first + 15*second)
	if len(b.signals) != 2 || b.signals[1].Labels["alertname"] != "Before" {
		t.Errorf("signals %v after the second evaluation", b.lines(0))
	}
}

func TestAlertsSeries(t *testing.T) {
	b := newBench(t, fmt.Sprintf(clock, "for: 1m"), nil)
	f := b.groups[0].next % (15 * second)
	b.until(f + 15*second)
	b.absent("ALERTS", f+15*second) // a fresh Prometheus tells from its third evaluation on
	b.until(f + 45*second)
	if v := b.value(`ALERTS_FOR_STATE{alertname="Clock"}`, f+45*second); v != math.Floor(float64(b.epoch+f)/1e9) {
		t.Errorf("active since %f", v)
	}
	b.value(`ALERTS{alertname="Clock",alertstate="pending"}`, f+45*second)
	b.until(f + 60*second)
	b.absent(`ALERTS{alertstate="pending"}`, f+60*second)
	b.value(`ALERTS{alertstate="firing"}`, f+60*second)
	b.until(f + 120*second)
	b.absent("ALERTS", f+120*second)
}

func TestGroupPhase(t *testing.T) {
	var phases []int64
	for _, file := range []string{"alerts.yml", "/etc/prometheus/alerts.yml"} {
		for _, epoch := range []int64{0, DefaultEpoch + 1234567890} {
			b := newBench(t, fmt.Sprintf(clock, ""), func(c *Config) { c.FileName, c.Epoch = file, epoch })
			if b.firstEval(0) <= 0 || b.firstEval(0) > 15*second {
				t.Errorf("the first evaluation is at %d", b.firstEval(0))
			}
			phases = append(phases, b.groups[0].next%(15*second))
		}
	}
	if phases[0] != phases[1] || phases[2] != phases[3] || phases[0] == phases[2] {
		t.Errorf("phases %v: must follow from the file's name and the absolute time", phases)
	}
}

func TestFailures(t *testing.T) {
	c := Config{FileName: "f", Rules: []byte(`groups: [{name: g, rules: [{record: dup, expr: 'label_replace({__name__=~"llm_.*"}, "__name__", "", "", "")'},
  {alert: Many, expr: '{__name__=~"llm_.*"} * on () up'}]}]`), Counters: []Counter{{Name: "llm_bad_total"}}}
	d, err := New(c, func(detector.Signal) { t.Error("a signal of a rule that fails") })
	if err != nil {
		t.Fatal(err)
	}
	for d.Next() < 300*second {
		d.Tick(d.Next())
	}
	f := d.Failures()
	if len(f) != 2 || f[0].Rule != "dup" || f[1].Rule != "Many" || f[0].Count < 4 || f[0].First >= f[0].Last ||
		!strings.Contains(f[1].Message, "many-to-") && !strings.Contains(f[1].Message, "multiple matches") {
		t.Errorf("failures %+v", f)
	}
}

func TestNewRefuses(t *testing.T) {
	good := func() Config {
		return Config{FileName: "f.yml", Rules: []byte(twoRules), Counters: []Counter{{Name: "llm_refusals_total"}}}
	}
	if _, err := New(good(), nil); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		"f.yml:1:1: unknown field":            func(c *Config) { c.Rules = []byte("rules: []") },
		"no alerting rule":                    func(c *Config) { c.Rules = []byte("groups: []") },
		"the scrape interval is -1s":          func(c *Config) { c.ScrapeInterval = -exact.Second },
		"no instants between milliseconds":    func(c *Config) { c.EvaluationInterval = exact.Second + 1 },
		"the scrape phase is 1m":              func(c *Config) { c.ScrapePhase = exact.Minute },
		"from 0 to 1":                         func(c *Config) { c.MissedScrapes = exact.MustParse("1.5") },
		"no stream of random numbers":         func(c *Config) { c.MissedScrapes = exact.MustParse("0.5") },
		"before 1970":                         func(c *Config) { c.Epoch = -1 },
		"cannot be below 0s":                  func(c *Config) { c.ResetEvery = -exact.Second },
		"group_interval is 0s":                func(c *Config) { c.Alertmanager = &alertmanager.Config{RepeatInterval: 1} },
		`"" is not a name for a counter`:      func(c *Config) { c.Counters[0].Name = "" },
		"is exported twice":                   func(c *Config) { c.Counters = append(c.Counters, c.Counters[0]) },
		"Prometheus itself writes":            func(c *Config) { c.Counters[0].Name = "ALERTS" },
		`"__name__" is not a name for a`:      func(c *Config) { c.Counters[0].Labels = map[string]string{"__name__": "x"} },
		"the value of label \"a\" is not UTF": func(c *Config) { c.Counters[0].Labels = map[string]string{"a": "\xff"} },
		"at most 64":                          func(c *Config) { c.Counters = make([]Counter, 65) },
	} {
		c := good()
		change(&c)
		_, err := New(c, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Memory must not grow with time, whatever the labels do.
func TestMemoryStaysBounded(t *testing.T) {
	b := newBench(t, `groups:
- name: g
  rules:
  - record: churn
    expr: count_values("v", vector(time()))
  - alert: Churn
    expr: vector(time())
    labels: {now: '{{ $value }}'}
`, nil)
	b.gap = 0
	var sizes []int
	for hour := int64(1); hour <= 12; hour++ {
		b.until(hour * 3600 * second)
		n := 0
		for _, s := range b.store.all {
			n += cap(s.times)
		}
		sizes = append(sizes, n+len(b.store.byHash)+len(b.engine.queryable.selections)+len(b.groups[0].rules[1].alert.active))
	}
	if last := sizes[len(sizes)-1]; last > 2*sizes[1] {
		t.Errorf("the store holds %v samples and series hour by hour", sizes)
	}
}
