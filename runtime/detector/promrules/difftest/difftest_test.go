package difftest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/rules"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
	"github.com/fdbench/fdbench/runtime/random"
)

var cases = flag.Int("cases", 200, "how many random experiments to compare")

func TestAgainstPrometheus(t *testing.T) {
	n, fired, failed, refused, evaluated := *cases, 0, 0, 0, 0
	if testing.Short() {
		n = 40
	}
	for seed := range uint64(n) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := compare(t, newExperiment(seed))
			evaluated += c.evaluations
			fired += min(c.fired, 1)
			failed += min(c.failures, 1)
			if c.evaluations == 0 {
				refused++
			}
		})
	}
	t.Logf("%d experiments, %d evaluations of groups; alerts fired in %d, rules failed in %d, both refused the file in %d", n, evaluated, fired, failed, refused)
	if fired < n/3 || refused > n/3 {
		t.Error("too few of the experiments show anything")
	}
}

func FuzzAgainstPrometheus(f *testing.F) {
	for seed := uint64(1000); seed < 1005; seed++ {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compare(t, newExperiment(seed)) })
}

type counted struct{ evaluations, fired, failures int }

// compare runs an experiment in Prometheus and in promrules.
func compare(t *testing.T, e experiment) counted {
	var c counted
	ref, errs := newReference(t, e)
	var signals []detector.Signal
	d, err := promrules.New(promrules.Config{
		FileName: "alerts.yml", Rules: []byte(e.rules),
		Counters:       counterConfigs(),
		Total:          promrules.Counter{Name: counters[3].name},
		ScrapeInterval: exact.Duration(e.scrape), EvaluationInterval: exact.Duration(e.evaluation), ScrapePhase: exact.Duration(e.phase),
		MissedScrapes: exact.MustParse(e.missed), Stream: random.New("missed"),
		ResetEvery: exact.Duration(e.resetEvery), Epoch: e.epoch, Annotations: true,
	}, func(s detector.Signal) { signals = append(signals, s) })
	if len(errs) > 0 {
		if err == nil {
			t.Fatalf("Prometheus refuses the file, promrules does not: %v\n%s", errs, e.rules)
		}
		return c
	}
	if err != nil {
		if u := (*promrules.RuleError)(nil); !asRuleError(err, &u) || !u.Unsupported {
			if strings.Contains(err.Error(), "no alerting rule") {
				return c
			}
			t.Fatalf("promrules refuses a file that Prometheus loads: %v\n%s", err, e.rules)
		}
		return c
	}
	defer func() {
		if t.Failed() {
			t.Logf("rules:\n%s\nscrape %v evaluation %v phase %v missed %s reset %v", e.rules, e.scrape, e.evaluation, e.phase, e.missed, e.resetEvery)
		}
	}()

	w := newWorld(e)
	scrapeAt := int64(e.phase)
	for {
		at := min(scrapeAt, slices.Min(ref.next)-e.epoch)
		if at > int64(e.span) {
			break
		}
		w.run(at, d.Observe)
		if d.Next() != at {
			t.Fatalf("promrules acts next at %d, Prometheus at %d", d.Next(), at)
		}
		before := len(signals)
		d.Tick(at)
		if at == scrapeAt {
			series, values := w.scrape()
			ref.scrape(e.epoch+at, series, values)
			scrapeAt += int64(e.scrape)
		}
		evaluated := slices.Contains(ref.next, e.epoch+at)
		sentBefore := len(ref.sent)
		ref.eval(e.epoch + at)
		if !evaluated {
			continue
		}
		c.evaluations++
		sameSends(t, ref.sent[sentBefore:], signals[before:], e.epoch)
		sameAlerts(t, ref, d, e.epoch)
		sameQuery(t, ref, d, `{__name__=~".+"}`, at, e.epoch)
		if c.evaluations%16 == 0 {
			for _, q := range []string{`count_over_time({__name__=~".+"}[5m])`, `last_over_time({__name__=~".+"}[3m])`, `timestamp({__name__=~".+"})`} {
				sameQuery(t, ref, d, q, at, e.epoch)
			}
		}
		mine := 0
		for _, f := range d.Failures() {
			mine += f.Count
		}
		if mine != ref.errs {
			t.Errorf("at %v: %d failed evaluations, Prometheus has %d: %v", time.Duration(at), mine, ref.errs, d.Failures())
		}
		c.failures = mine
		if t.Failed() {
			t.Logf("first difference at %v", time.Duration(at))
			return c
		}
	}
	for _, s := range signals {
		if s.Status == "firing" && !s.Repeat {
			c.fired++
		}
	}
	return c
}

func asRuleError(err error, target **promrules.RuleError) bool {
	e, ok := err.(*promrules.RuleError)
	*target = e
	return ok
}

func counterConfigs() []promrules.Counter {
	var list []promrules.Counter
	for _, k := range counters[:3] {
		list = append(list, promrules.Counter{Name: k.name, Labels: k.labels})
	}
	return list
}

// sameAlerts compares the pending and firing alerts.
func sameAlerts(t *testing.T, ref *reference, d *promrules.Detector, epoch int64) {
	t.Helper()
	var want, got []string
	for _, g := range ref.groups {
		for _, r := range g.AlertingRules() {
			for _, a := range r.ActiveAlerts() {
				fired := int64(0)
				if a.State == rules.StateFiring {
					fired = a.FiredAt.UnixNano() - epoch
				}
				want = append(want, fmt.Sprintf("%s/%s %s %v %v value %x active %d fired %d", g.Name(), r.Name(), a.State,
					a.Labels.Map(), a.Annotations.Map(), bits(a.Value), a.ActiveAt.UnixNano()-epoch, fired))
			}
		}
	}
	firing := 0
	for _, a := range d.Alerts() {
		if a.State == "firing" {
			firing++
		}
		got = append(got, fmt.Sprintf("%s/%s %s %v %v value %x active %d fired %d", a.Group, a.Rule, a.State,
			a.Labels, a.Annotations, bits(a.Value), a.ActiveAt, a.FiredAt))
	}
	same(t, "alerts", want, got)
	if s := d.State(); s.Firing != firing || s.Pending != len(got)-firing {
		t.Errorf("state %+v, want %d firing and %d pending", s, firing, len(got)-firing)
	}
}

// sameSends compares what goes to the notifier with the signals: resolved alerts
// are sent many times, and are one signal.
func sameSends(t *testing.T, sends []sent, signals []detector.Signal, epoch int64) {
	t.Helper()
	var want, got []string
	for _, s := range sends {
		if s.endsAt < s.at {
			continue // resolved before, and told then
		}
		status := "firing"
		if s.endsAt == s.at {
			status = "resolved"
		}
		repeat := status == "firing" && s.startsAt != s.at
		want = append(want, fmt.Sprintf("%s %s start %d at %d value %x repeat %t", status, s.labels, s.startsAt-epoch, s.at-epoch, bits(s.value), repeat))
	}
	for _, s := range signals {
		v := math.NaN()
		if s.Value != "NaN" {
			fmt.Sscan(s.Value, &v)
		}
		got = append(got, fmt.Sprintf("%s %s start %d at %d value %x repeat %t", s.Status, labels.FromMap(s.Labels).String(), s.StartsAt, s.At, bits(v), s.Repeat))
	}
	same(t, "signals", want, got)
}

// sameQuery compares what is stored, as the engine sees it.
func sameQuery(t *testing.T, ref *reference, d *promrules.Detector, q string, at, epoch int64) {
	t.Helper()
	a, errA := ref.query(context.Background(), q, time.Unix(0, epoch+at).UTC())
	b, errB := d.Query(q, at)
	if (errA == nil) != (errB == nil) {
		t.Fatalf("%s: error %v, Prometheus has %v", q, errB, errA)
	}
	same(t, q, samples(a), samples(b))
}

func samples(v promql.Vector) []string {
	list := make([]string, len(v))
	for i, s := range v {
		list[i] = fmt.Sprintf("%s %d %x %v", s.Metric, s.T, bits(s.F), s.F)
	}
	return list
}

// bits makes all values that are not numbers one.
func bits(f float64) uint64 {
	if math.IsNaN(f) {
		f = math.NaN()
	}
	return math.Float64bits(f)
}

func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	slices.Sort(want)
	slices.Sort(got)
	if slices.Equal(want, got) {
		return
	}
	var b bytes.Buffer
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintf(&b, "\n- %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintf(&b, "\n+ %s", g)
		}
	}
	t.Errorf("%s differ (- Prometheus, + promrules):%s", what, b.String())
}

// world makes the responses, and keeps the counters for Prometheus by itself.
type world struct {
	e       experiment
	rnd     *rand.Rand
	at      int64
	counts  [4]int64
	resets  int64
	missed  *random.Stream
	chance  random.Chance
	series  []labels.Labels
	present bool
	known   bool
}

func newWorld(e experiment) *world {
	w := &world{e: e, rnd: rand.New(random.New("traffic", fmt.Sprint(e.epoch))), missed: random.New("missed"),
		chance: random.ChanceOf(exact.MustParse(e.missed).Rat())}
	for _, k := range counters {
		l := map[string]string{}
		maps.Copy(l, k.labels)
		if job := l["job"]; job != "" {
			l["exported_job"] = job
		}
		l["__name__"], l["job"], l["instance"] = k.name, "llm", "deployment:9090"
		w.series = append(w.series, labels.FromMap(l))
	}
	for _, name := range []string{"up", "scrape_duration_seconds", "scrape_samples_scraped", "scrape_samples_post_metric_relabeling", "scrape_series_added"} {
		w.series = append(w.series, labels.FromStrings("__name__", name, "job", "llm", "instance", "deployment:9090"))
	}
	return w
}

// run lets the responses up to an instant pass.
func (w *world) run(until int64, observe func(int64, []int32, uint64)) {
	for _, s := range w.e.traffic {
		for w.at < int64(s.until) && w.at <= until {
			if s.gap == 0 {
				w.at = int64(s.until)
				break
			}
			w.reset(w.at)
			scores := make([]int32, 3)
			sampled := uint64(w.rnd.IntN(8)) | uint64(w.rnd.IntN(8))
			for i := range scores {
				if w.rnd.Float64() < s.bad[i] {
					scores[i] = 1 + int32(w.rnd.IntN(2))*int32(i)
				}
				if sampled>>i&1 == 1 {
					w.counts[i] += int64(scores[i])
				}
			}
			w.counts[3]++
			observe(w.at, scores, sampled)
			w.at += int64(s.gap)
		}
	}
	w.reset(until)
}

func (w *world) reset(at int64) {
	if w.e.resetEvery == 0 {
		return
	}
	if n := at / int64(w.e.resetEvery); n > w.resets {
		w.resets = n
		w.counts = [4]int64{}
	}
}

// scrape is what Prometheus stores of a scrape.
func (w *world) scrape() ([]labels.Labels, []float64) {
	if w.e.missed != "0" && w.missed.Hit(w.chance) {
		if !w.present {
			return w.series[4:], []float64{0, 0, 0, 0, 0}
		}
		w.present = false
		return w.series, []float64{stale, stale, stale, stale, 0, 0, 0, 0, 0}
	}
	v := make([]float64, 0, 9)
	for _, c := range w.counts {
		v = append(v, float64(c))
	}
	added := 4.0
	if w.known {
		added = 0
	}
	w.present, w.known = true, true
	return w.series, append(v, 1, 0, 4, 4, added)
}
