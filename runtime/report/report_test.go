package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/prose"
)

var update = flag.Bool("update", false, "write golden files")

func compute(t testing.TB, c *synthetic.Case) *measure.Result {
	t.Helper()
	b, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure.Compute(c.Plan, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func build(t testing.TB, r *measure.Result) *report.Report {
	t.Helper()
	b, err := report.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// cases are results that a reader could misread in different ways. They are
// the caller's to change.
func cases(t testing.TB) map[string]*measure.Result {
	t.Helper()
	made.Do(func() {
		made.of = map[string][]byte{}
		for name, r := range makeCases(t) {
			made.of[name] = measure.Encode(r)
		}
	})
	m := map[string]*measure.Result{}
	for name, b := range made.of {
		r, err := measure.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		m[name] = r
	}
	return m
}

var made struct {
	sync.Once
	of map[string][]byte
}

func makeCases(t testing.TB) map[string]*measure.Result {
	full, two := []int64{1, 10, 30, 100}, []int64{10, 100}
	m := map[string]*measure.Result{
		"full":    compute(t, synthetic.New(synthetic.Options{Loads: two, Reduced: true})),
		"real":    compute(t, synthetic.New(synthetic.Options{Loads: full, Time: "real", Clocks: "same_host", Position: "same"})),
		"reduced": compute(t, synthetic.New(synthetic.Options{Loads: two, Reduced: true, Time: "real"})),
	}

	c := synthetic.New(synthetic.Options{Loads: full})
	c.Drop(func(r synthetic.Record) bool {
		f, ok := r.Data.(*journal.FalseDetectionRecord)
		return ok && f.Load == 1
	})
	m["no false detection rate"] = compute(t, c)

	c = synthetic.New(synthetic.Options{Loads: two, Reduced: true, Time: "real"})
	synthetic.Each(c, func(r *journal.TrialRecord) {
		if r.Combination == 1 {
			r.Detected, r.Event, r.Latency = false, nil, 0
		}
	})
	c.Records = c.Records[:len(c.Records)-1]
	c.Open.Generation = 3
	c.Open.Earlier = []journal.Generation{
		{Generation: 1, Changed: []journal.Change{{Path: "declaration.signal.attribution", Old: "signal.status == \"firing\"", New: "signal.status == \"firing\" and signal.labels.alertname == \"High\""},
			{Path: "declaration.detector.alertmanager", Old: "", New: "set"}}},
		{Generation: 2, Changed: []journal.Change{{Path: "declaration.detector.prometheus.rules", Old: "groups:\n- name: a", New: "groups:\n- name: b"}}},
	}
	m["interrupted"] = compute(t, c)

	c = synthetic.New(synthetic.Options{Loads: full, Time: "real"})
	synthetic.Each(c, func(r *journal.ClockRecord) { r.Offset, r.Bound = 1e9, 1e9+r.Delay })
	c.Open.Targets = append(c.Open.Targets, journal.Target{Name: "serving.mirror", Address: "203.0.113.7:443", Allowed: true})
	m["error bound"] = compute(t, c)

	c = synthetic.New(synthetic.Options{Loads: two, Reduced: true})
	c.Open.Exploratory = true
	m["exploratory"] = compute(t, c)
	return m
}

func TestGolden(t *testing.T) {
	for name, r := range cases(t) {
		file := strings.ReplaceAll(name, " ", "-")
		golden(t, file+".md", build(t, r).Markdown())
		var b bytes.Buffer
		if err := build(t, r).Text(&b, report.TextOptions{Width: 100}); err != nil {
			t.Fatal(err)
		}
		golden(t, file+".txt", b.Bytes())
	}
	for name, b := range build(t, cases(t)["full"]).CSV() {
		golden(t, name, b)
	}
}

// Only a result under the methodology may be called by its name (FD-1.2-10).
func TestTheWordConformant(t *testing.T) {
	for name, r := range cases(t) {
		all := [][]byte{build(t, r).Markdown()}
		var b bytes.Buffer
		build(t, r).Text(&b, report.TextOptions{})
		all = append(all, b.Bytes())
		for _, f := range build(t, r).CSV() {
			all = append(all, f)
		}
		for _, text := range all {
			if bytes.Contains(bytes.ToLower(text), []byte("conformant")) {
				t.Errorf("%s: the report uses the word", name)
			}
		}
		title, _, _ := strings.Cut(string(build(t, r).Markdown()), "\n")
		want := map[string]string{"full": "simulated, reduced series", "real": "result under the methodology", "reduced": "reduced series",
			"interrupted": "not a result under the methodology, reduced series", "no false detection rate": "simulated",
			"error bound": "result under the methodology, with an error bound on every latency", "exploratory": "simulated, reduced series, exploratory"}[name]
		if !strings.HasSuffix(title, ", "+want) {
			t.Errorf("%s: title %q, want %q at its end", name, title, want)
		}
	}
}

func TestSectionsStandInTheOrderOfTheResult(t *testing.T) {
	want := []string{"What this is", "Comparability", "Topology and faults", "Detector under test", "Detection signal", "Clocks", "Response caching", "Baseline",
		"Quiet period", "Detection Latency", "Detection Coverage", "Detection Threshold Magnitude", "False Detection Rate", "Boundary Masking",
		"Supplementary figures", "Traffic", "Raw data and use"}
	for name, r := range cases(t) {
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^## \d+\. (.*)$`).FindAllStringSubmatch(string(build(t, r).Markdown()), -1) {
			got = append(got, m[1])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Every row of a Markdown table has as many cells as its head.
func TestMarkdownTablesAreRectangular(t *testing.T) {
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	for name, r := range cases(t) {
		width := 0
		for i, line := range strings.Split(string(build(t, r).Markdown()), "\n") {
			if !strings.HasPrefix(line, "|") {
				width = 0
				continue
			}
			n := len(bars.FindAllString(line, -1))
			if width == 0 {
				width = n
			}
			if n != width {
				t.Errorf("%s, line %d: %d bars, the head has %d: %s", name, i+1, n, width, line)
			}
		}
	}
}

func TestHostileNames(t *testing.T) {
	r := compute(t, synthetic.New(synthetic.Options{Loads: []int64{10, 100}, Reduced: true}))
	r.Signal.Attribution = "labels.a == `x` || labels.b == \"|\"\n"
	var key map[string]any
	if err := json.Unmarshal(r.Comparability.DetectorConfiguration.Value, &key); err != nil {
		t.Fatal(err)
	}
	key["signal"].(map[string]any)["attribution"] = r.Signal.Attribution
	value, err := plan.Canonical(key)
	if err != nil {
		t.Fatal(err)
	}
	r.Comparability.DetectorConfiguration = measure.Key{Value: value, SHA256: fmt.Sprintf("sha256:%x", sha256.Sum256(value))}
	r.Conformance.Violations = append(r.Conformance.Violations, measure.Violation{Rule: "FD-1", Detail: "a | b <script> `c`\nd"})
	md := string(build(t, r).Markdown())
	for _, bad := range []string{"<script>", "a | b"} {
		if strings.Contains(md, bad) {
			t.Errorf("%q came through", bad)
		}
	}
	if !strings.Contains(md, "``labels.a == `x` || labels.b == \"|\" ``") {
		t.Error("the attribution is not one code span")
	}
}

func TestTextFitsItsWidth(t *testing.T) {
	for name, r := range cases(t) {
		for _, width := range []int{80, 100, 140} {
			var b bytes.Buffer
			build(t, r).Text(&b, report.TextOptions{Width: width})
			for _, line := range strings.Split(b.String(), "\n") {
				if n := len([]rune(line)); n > width {
					t.Errorf("%s at %d columns: %d in %q", name, width, n, line)
				}
			}
		}
	}
}

func TestColorChangesNoText(t *testing.T) {
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for name, r := range cases(t) {
		var plain, painted bytes.Buffer
		build(t, r).Text(&plain, report.TextOptions{})
		build(t, r).Text(&painted, report.TextOptions{Color: true})
		if !escapes.Match(painted.Bytes()) || escapes.Match(plain.Bytes()) {
			t.Errorf("%s: colour is on without being asked for, or off where it was", name)
		}
		// A painted cell that is empty but for padding cannot be trimmed.
		trim := regexp.MustCompile(`(?m) +$`)
		if got := trim.ReplaceAllString(escapes.ReplaceAllString(painted.String(), ""), ""); got != plain.String() {
			t.Errorf("%s: %s", name, cmp.Diff(plain.String(), got))
		}
	}
}

func TestCSVParsesAndNullIsEmpty(t *testing.T) {
	r := cases(t)["interrupted"]
	for name, b := range build(t, r).CSV() {
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		col := map[string]int{}
		for i, h := range rows[0] {
			col[h] = i
		}
		for _, row := range rows[1:] {
			if row[col["series"]] != "refusals" || row[col["reductions"]] != "load points: 2 instead of 4; reason: screening" || row[col["status"]] != "not a result under the methodology, reduced series" {
				t.Errorf("%s: a row does not say what it is: %v", name, row)
			}
		}
		if name != "latency.csv" {
			continue
		}
		found := false
		for _, row := range rows[1:] {
			if row[col["detected"]] == "0" {
				found = true
				if row[col["median_s"]] != "" || row[col["p95_s"]] != "" || row[col["undetected"]] != "20" {
					t.Errorf("nothing was detected, and the row has %v", row)
				}
			}
			if row[col["false_detection_period_s"]] == "" {
				t.Error("a latency without its False Detection Rate")
			}
		}
		if !found {
			t.Error("no row without detections")
		}
	}
}

// A result that went through its JSON form gives the same reports.
func TestReportOfADecodedResult(t *testing.T) {
	for name, r := range cases(t) {
		again, err := measure.Decode(measure.Encode(r))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(build(t, r).Markdown(), build(t, again).Markdown()) {
			t.Errorf("%s: the reports differ", name)
		}
	}
}

// A warning about chance names the classes that it concerns, and no other.
func TestChanceWarningNamesItsClass(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10, 100}, Reduced: true})
	synthetic.Each(c, func(r *journal.FalseDetectionRecord) {
		for len(r.Events) < journal.MaxEvents {
			r.Events = append(r.Events, r.Events[0])
		}
		for i := range r.Events {
			r.Events[i].Labels, r.Events[i].Repeat = map[string]string{"alertname": "AnswersShort"}, false
		}
		r.Count, r.Edges = len(r.Events), len(r.Events)
		r.Classes = []journal.ClassCount{{Class: "refusal"}, {Class: "verbosity_down", Count: r.Count, Edges: r.Edges}}
	})
	r := compute(t, c)
	if len(r.Conformance.Violations) > 0 {
		t.Fatal(r.Conformance.Violations)
	}
	var text bytes.Buffer
	if err := build(t, r).Text(&text, report.TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"text": text.String(), "markdown": string(build(t, r).Markdown())} {
		if !regexp.MustCompile(`its own false detections alone: verbosity_down 0\.\d\d[ .]`).MatchString(s) {
			t.Errorf("%s: no warning, or one of another class", name)
		}
	}
	if md := string(build(t, r).Markdown()); !strings.Contains(md, "| 10 req/s | verbosity_down | 100 | 100 | ") || !strings.Contains(md, "| 10 req/s | refusal | 0 | 0 | 0 |") {
		t.Error("the false detections are not listed by class")
	}
}

// A result that was made before results told of traffic and of polls is read
// like any other.
func TestOldResultIsRead(t *testing.T) {
	for _, time := range []string{"virtual", "real"} {
		var members map[string]any
		r := compute(t, synthetic.New(synthetic.Options{Time: time, Loads: []int64{10, 100}, Reduced: true}))
		if err := json.Unmarshal(measure.Encode(r), &members); err != nil {
			t.Fatal(err)
		}
		delete(members, "traffic")
		delete(members["clocks"].(map[string]any), "poll_period_s")
		old, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		p, err := report.Read(old)
		if err != nil {
			t.Fatalf("%s: %v", time, err)
		}
		if md := string(p.Markdown()); !strings.Contains(md, "## 16. Traffic\n\nNot on record.\n") {
			t.Errorf("%s: nothing says that its traffic is not on record", time)
		}
		if rows := strings.Count(string(p.CSV()["traffic.csv"]), "\n"); rows != 1 {
			t.Errorf("%s: %d lines of traffic", time, rows)
		}
	}
}

// What disturbs a run in real time stands in every form of its report.
func TestDisturbancesAreReported(t *testing.T) {
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10, 100}, Reduced: true})
	done := false
	synthetic.Each(c, func(r *journal.TrialRecord) {
		if r.Kept || done || r.Purpose != journal.PurposeTrials {
			return
		}
		done = true
		r.Broken, r.Discard, r.Verification = "the lease ran out", "apparatus_failure", journal.Verification{}
		r.Steps = []journal.ClockStep{{At: 1, By: -77e9}}
		r.Traffic.Failures = []journal.Failure{{Outcome: "stream_error", N: 7654}}
	})
	r := compute(t, c)
	if len(r.Conformance.Violations) > 0 || !done {
		t.Fatal(r.Conformance.Violations)
	}
	var text bytes.Buffer
	if err := build(t, r).Text(&text, report.TextOptions{Width: 300}); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"text": text.String(), "markdown": string(build(t, r).Markdown()), "csv": string(build(t, r).CSV()["traffic.csv"])} {
		for _, want := range []string{"7,654 stream error", "1 the lease ran out", "77"} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
}

// What a detector or an endpoint answered may stand in a violation, and must
// not steer the terminal or the viewer of who reads it.
func TestReportsSteerNothing(t *testing.T) {
	r := cases(t)["real"]
	r.Conformance.Violations = append(r.Conformance.Violations, measure.Violation{Rule: "FD-3.1-5", Detail: "it answers \x1b[2J\u202egone\r", Effect: "stops the series"})
	r.Conformance.Status = measure.StatusNonconform
	r.Conformance.Deviations = append(r.Conformance.Deviations, measure.Deviation{Rule: "FD-3.1-5", Because: "\x1b]0;title\a"})
	built, err := report.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := built.Text(&text, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"text": text.String(), "Markdown": string(built.Markdown())} {
		if i := strings.IndexFunc(strings.ReplaceAll(s, "\n", " "), prose.Steers); i >= 0 {
			t.Errorf("%s: %q", name, s[max(0, i-40):i+20])
		}
		if !strings.Contains(s, "gone") || !strings.Contains(s, "title") {
			t.Errorf("%s leaves out the rest", name)
		}
	}
}
