package live

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/stats"
)

// refusals is the class of the series.
func refusals() []rehearsed { return []rehearsed{{"refusal", "refusal_rate", "0.4", "> 0.25"}} }

const seriesWindow = "500ms"

// fullSeries is the body of a series that lacks nothing but load points.
const fullSeries = `  load {
    points         = ["50 req/s"]
    representative = "50 req/s"
    because        = { "FD-3.3-4" = "One machine, and a quarter of an hour.", "FD-3.3-5" = "One machine, and a quarter of an hour." }
  }

  baseline { interval = "300s" }

  quiet {
    at_least = "2s"
    at_most  = "3m"
  }

  trials {
    count        = 20
    attempts     = 30
    timeout      = "60 windows"
    verification = "4s"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.4]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.2
    lower      = 0.08
    upper      = 0.4
  }

  false_detection { at_least = "2m" }

  sham { trials = 5 }

`

// virtual is the same scenario for a simulated world, with the rates that the
// live one showed.
func (s *stack) virtual(rate string) string {
	text := s.scenario(refusals(), seriesWindow, true, fullSeries)
	cut := func(begin, end, with string) {
		i := strings.Index(text, begin)
		j := strings.Index(text[i:], end)
		text = text[:i] + with + text[i+j:]
	}
	cut("serving \"openai\"", "apparatus", fmt.Sprintf("serving \"simulated\" \"demo\" {\n  latency = \"lognormal 40ms, 0.2\"\n\n  behaviour {\n    indicator = indicator.refusal_rate\n    rate      = %s\n  }\n}\n\n", rate))
	cut("apparatus \"proxy\"", "detector", "apparatus \"simulated\" \"relay\" {}\n\n")
	cut("detector \"prometheus\"", "  indicator", fmt.Sprintf("detector \"prometheus_rules\" \"alerts\" {\n  rules               = \"alerts.yml\"\n  scrape_interval     = %q\n  evaluation_interval = %q\n\n", s.interval, s.interval))
	cut("  alertmanager {\n", "environment", "  alertmanager {\n    group_by        = [\"...\"]\n    group_wait      = \"0s\"\n    group_interval  = \"100ms\"\n    repeat_interval = \"4h\"\n  }\n}\n\n")
	text = text[:strings.Index(text, "  attest \"")] + "}\n"
	return strings.Replace(text, `kind         = "ci"`, `kind         = "simulated"`, 1)
}

// rounded has four decimals: the bank of a simulated deployment holds as many
// responses as the denominator of its rate.
func rounded(t *testing.T, mean string) string {
	t.Helper()
	v, err := strconv.ParseFloat(mean, 64)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// victoria starts VictoriaMetrics and vmalert where Prometheus was.
func (s *stack) victoria() {
	s.t.Helper()
	store := free(s.t, 1)[0]
	conf := file(s.t, s.work, "scrape.yml", strings.Replace(s.scrapes(), "  evaluation_interval: "+s.interval+"\n", "", 1))
	db := start(s.t, nil, need(s.t, "victoria-metrics", "victoria-metrics"), "-storageDataPath="+filepath.Join(s.work, "vm"), "-httpListenAddr="+store,
		"-promscrape.config="+conf, "-search.latencyOffset=0s", "-search.maxStalenessInterval=5s", "-search.disableCache")
	until(s.t, db, "http://"+store+"/health")
	s.prometheus = start(s.t, nil, need(s.t, "vmalert", "victoria-metrics"), "-rule="+filepath.Join(s.dir, "alerts.yml"), "-datasource.url=http://"+store,
		"-remoteWrite.url=http://"+store, "-remoteRead.url=http://"+store, "-notifier.url=http://"+s.Alertmanager, "-httpListenAddr="+s.Prometheus,
		"-evaluationInterval="+s.interval, "-rule.resendDelay=1s")
	until(s.t, s.prometheus, "http://"+s.Prometheus+"/health")
}

// result reads result.json.
func result(t *testing.T, dir string) measure.Result {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r measure.Result
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// latencies are those of the kept, detected trials of a run, in seconds.
func latencies(t *testing.T, dir string) []float64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := compare.Latencies(p, f)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d combinations, %v", len(rows), err)
	}
	for _, v := range rows {
		return v
	}
	return nil
}

// resumed tells that the series of an earlier call are to be gone on with:
// together they take two hours.
func resumed() bool { return os.Getenv("FDBENCH_LIVE_RESUME") != "" }

// again gives the stack the addresses of an earlier call, since a series is of
// one deployment.
func (s *stack) again() {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "out", "live-prometheus", "plan.json"))
	if err != nil {
		s.t.Fatalf("there is no series to go on with: %v", err)
	}
	p, err := plan.Decode(b)
	if err != nil {
		s.t.Fatal(err)
	}
	d := &p.Declaration
	at := func(url string) string { return strings.TrimPrefix(url, "http://") }
	s.Tap, s.Engine, s.Proxy = at(d.Serving.Endpoint.BaseURL), at(d.Apparatus.Proxy.Upstream), d.Apparatus.Proxy.Listen
	s.Receiver, s.Prometheus, s.Alertmanager = d.Detector.Live.Listen, at(d.Detector.Live.URL), at(d.Detector.Live.Alertmanager)
}

// series runs the scenario of the stack and checks that it came to its end.
func (s *stack) series(name string, most time.Duration, more ...string) string {
	s.t.Helper()
	out, err := filepath.Abs(filepath.Join("..", "..", "out", "live-"+name))
	if err != nil {
		s.t.Fatal(err)
	}
	if resumed() {
		if _, err := os.Stat(filepath.Join(out, "result.json")); err == nil {
			s.t.Logf("%s is complete", name)
			return out
		}
	} else if err := os.RemoveAll(out); err != nil {
		s.t.Fatal(err)
	}
	begin := time.Now()
	text, errs, code := run(s.t, most, nil, append([]string{fdbench(s.t), "run", s.dir, "--out", out}, more...)...)
	s.t.Logf("%s ran for %s", name, sec(time.Since(begin)))
	publish(s.t, "live-"+name+".txt", text)
	if code != 0 {
		s.t.Errorf("%s: exit code %d\n%s", name, code, errs)
	}
	if _, errs, code := run(s.t, time.Minute, nil, fdbench(s.t), "verify", out); code != 0 {
		s.t.Errorf("%s does not verify: %s", name, errs)
	}
	return out
}

// TestVictoriaRehearsal shows in a minute that VictoriaMetrics and vmalert can
// stand where Prometheus does.
func TestVictoriaRehearsal(t *testing.T) {
	wanted(t, "series")
	s := newStack(t)
	s.write(refusals(), seriesWindow, true, fullSeries)
	s.serve()
	s.observe()
	s.notify()
	s.victoria()
	out, errs, code := run(t, 3*time.Minute, nil, fdbench(t), "rehearse", "--wait", "30s", s.dir)
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	publish(t, "live-rehearse-victoria.md", "`fdbench rehearse` through VictoriaMetrics, vmalert and Alertmanager.\n\n```\n"+out+"```\n")
}

// TestSeries runs one series live with Prometheus, again with VictoriaMetrics
// in its place, compares the two, and runs the first in virtual time too.
func TestSeries(t *testing.T) {
	wanted(t, "series")
	s := newStack(t)
	if resumed() {
		s.again()
	}
	s.write(refusals(), seriesWindow, true, fullSeries)
	s.engine = ready(t, nil, fdbench(t), "serve", "--listen", s.Engine, "--answers", "template", "--model", "m", "--latency", "first=10ms,token=300us,sigma=0.2")
	s.observe()
	s.notify()
	s.watch()
	first := s.series("prometheus", 2*time.Hour)
	r := result(t, first)
	if r.Conformance.Status != measure.StatusReduced {
		t.Errorf("the status is %s", r.Conformance.Status)
	}
	s.prometheus.stop()

	// Another detector under the same name is the next generation of the series.
	s.rules = "VictoriaMetrics with vmalert"
	s.write(refusals(), seriesWindow, true, fullSeries)
	s.victoria()
	second := s.series("victoria", 2*time.Hour, "--new-series")
	text, errs, code := run(t, time.Minute, nil, fdbench(t), "compare", first, second, "--study", "detector_configuration", "--format", "md")
	if code != 0 {
		t.Errorf("compare: exit code %d\n%s", code, errs)
	}
	publish(t, "live-compare.md", text)

	rate := "0.02"
	if len(r.Baseline) > 0 && r.Baseline[0].Mean != nil {
		rate = rounded(t, *r.Baseline[0].Mean)
	}
	twin := *s
	twin.dir = t.TempDir()
	file(t, twin.dir, "alerts.yml", rules(refusals(), seriesWindow))
	file(t, twin.dir, "live.fdb.hcl", s.virtual(rate))
	third := twin.series("virtual", 10*time.Minute)

	x := table{head: []string{"world", "trials", "min", "quartile", "median", "quartile", "max"}}
	live, simulated := latencies(t, first), latencies(t, third)
	for _, w := range []struct {
		name   string
		values []float64
	}{{"live, Prometheus", live}, {"live, VictoriaMetrics", latencies(t, second)}, {"virtual, prometheus_rules", simulated}} {
		row := []any{w.name, len(w.values)}
		for _, q := range []float64{0, 0.25, 0.5, 0.75, 1} {
			row = append(row, fmt.Sprintf("%.3f s", quantile(w.values, q)))
		}
		x.add(row...)
	}
	test, ok := stats.MannWhitneyExact(live, simulated)
	if !ok {
		t.Fatal("no latencies to compare")
	}
	publish(t, "live-virtual.md", fmt.Sprintf("Detection latencies of one scenario, live and in virtual time.\n\n%s\nMann-Whitney, live Prometheus against virtual: p = %.3g, shift %.3f s.\n", x.String(), test.P, test.Shift))
}
