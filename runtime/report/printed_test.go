package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/measure"
)

// What a result has to hold is also printed: a value that stands nowhere else,
// put into the member that a row is about, is found in the section of it.
func TestWhatHasToBeReportedIsPrinted(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10, 100}, Reduced: true, Time: "real"})
	b, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made, err := measure.Compute(c.Plan, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	encoded := measure.Encode(made)
	text := func(s string) *string { return &s }
	value := func(v float64) *float64 { return &v }
	raw := func(from json.RawMessage, old, new string) json.RawMessage {
		if !strings.Contains(string(from), old) {
			t.Fatalf("%q is not in %s", old, from)
		}
		return json.RawMessage(strings.Replace(string(from), old, new, 1))
	}
	for _, x := range []struct {
		row, section string
		set          func(r *measure.Result)
		want         string
	}{
		{"FD-1.2-6", "## 17.", func(r *measure.Result) { r.Footer.Statement = "zzz" }, "zzz"},
		{"FD-1.2-9", "# ", func(r *measure.Result) { r.Conformance.Reductions[0].Planned = "zzz" }, "zzz"},
		{"FD-3.1-7", "## 3.", func(r *measure.Result) { r.Topology.Position = "fip_downstream" }, positions["fip_downstream"]},
		{"FD-3.3-8", "## 7.", func(r *measure.Result) { r.Caching.Approach = "zzz" }, "approach: zzz"},
		{"FD-3.5-3", "## 6.", func(r *measure.Result) { r.Clocks.MaxOffset = value(0.0625) }, "largest offset: 0.0625 s"},
		{"FD-3.5-3", "## 6.", func(r *measure.Result) { r.Clocks.Method, r.Clocks.Probes = "zzz", 777 }, "zzz, 777 probes"},
		{"FD-3.3-1", "## 16.", func(r *measure.Result) { r.Traffic.Loads[0].LateP99S = value(0.0777) }, "| 77.7 ms |"},
		{"FD-3.3-1", "## 16.", func(r *measure.Result) { r.Traffic.Loads[0].Failures = []measure.Tally{{What: "stream_error", N: 777}} }, "| 777 stream error |"},
		{"FD-3.3-1", "## 16.", func(r *measure.Result) { r.Traffic.Loads[0].Broken = []measure.Tally{{What: "zzz", N: 1}} }, "| 1 zzz |"},
		{"FD-3.5-4", "## 6.", func(r *measure.Result) { r.Clocks.Poll = value(7.77) }, "7.77 s"},
		{"FD-5.4-4", "## 16.", func(r *measure.Result) {
			r.Traffic.Resumptions = []measure.Resumption{{Segment: "zzz", Trial: "a", Class: "b", UnderFaultS: value(777), Bound: measure.BoundWall}}
		}, "| zzz | 0 | b, a |  | 12m57s | wall clock |"},
		{"FD-3.5-5", "## 10.", func(r *measure.Result) { r.Latency[0].ErrorBoundS = value(7.5) }, " ± 7.5 |"},
		{"FD-3.5-5", "## 15.", func(r *measure.Result) { r.Latency[0].ErrorBoundS = value(7.5) }, " ± 7.5 "},
		{"FD-3.5-7", "## 6.", func(r *measure.Result) { r.Clocks.Arrangement = "same_host" }, "arrangement: same_host"},
		{"FD-4.2-6", "## 8.", func(r *measure.Result) { r.Baseline[0].Mean = text("0.0777") }, "| 0.0777 |"},
		{"FD-4.2-7", "## 10.", func(r *measure.Result) { r.Latency[0].Below2SD = true }, "below 2 sd of the baseline"},
		{"FD-4.2-9", "## 10.", func(r *measure.Result) { r.Latency[0].BaselineSD = text("0.0777") }, "| 0.0777 |"},
		{"FD-4.2-9", "## 11.", func(r *measure.Result) { r.Coverage[0].Below2SD, r.Coverage[0].BaselineSD = true, text("0.0777") }, "sd 0.0777"},
		{"FD-4.3-5", "## 9.", func(r *measure.Result) { r.Quiet[0].Rule = "zzz" }, "Rule: zzz."},
		{"FD-4.3-5", "## 9.", func(r *measure.Result) { r.Quiet[0].MedianS = value(777) }, "| 12m57s |"},
		{"FD-4.4-2", "## 5.", func(r *measure.Result) { r.Signal.Attribution = "zzz" }, "`zzz`"},
		{"FD-5.1-1", "## 10.", func(r *measure.Result) { r.Latency[0].Magnitude = "0.777" }, "| +0.777 |"},
		{"FD-5.1-12", "## 10.", func(r *measure.Result) { r.Latency[0].MedianS = value(777.7) }, "| 777.7 |"},
		{"FD-5.1-13", "## 10.", func(r *measure.Result) { r.Latency[0].P95S = value(777.7) }, "| 777.7 |"},
		{"FD-5.1-14", "## 10.", func(r *measure.Result) { r.Latency[0].Trials = 777 }, "| 777 |"},
		{"FD-5.1-15", "## 10.", func(r *measure.Result) { r.Latency[0].Undetected = 777 }, "| 777 |"},
		{"FD-5.1-16", "## 10.", func(r *measure.Result) { r.Latency[0].MeanS = value(777.7) }, "| 777.7 |"},
		{"FD-5.2-3", "## 11.", func(r *measure.Result) {
			x := r.Coverage[0]
			r.Coverage[0] = measure.NewCoverage(measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude, Load: x.Load}, 777, 888)
		}, "| 777/888 |"},
		{"FD-5.2-4", "## 11.", func(r *measure.Result) { r.Coverage[0].Magnitude = "0.777" }, "| +0.777 |"},
		{"FD-5.3-9", "## 12.", func(r *measure.Result) { r.Threshold[0].UpperBound = text("0.777") }, "| +0.777 |"},
		{"FD-5.3-10", "## 12.", func(r *measure.Result) { r.Threshold[0].Target = "77/78" }, "| 77/78 |"},
		{"FD-5.3-11", "## 12.", func(r *measure.Result) { r.Threshold[0].Resolution = "0.777" }, "| 0.777 |"},
		{"FD-5.3-12", "## 12.", func(r *measure.Result) { r.Threshold[0].BaselineSD = text("0.0777") }, "| 0.0777 |"},
		{"FD-5.3-13", "## 12.", func(r *measure.Result) {
			r.Threshold[0].Status, r.Threshold[0].UpperBound = measure.SearchBelowFloor, nil
		}, "| below the floor |"},
		{"FD-5.4-5", "## 13.", func(r *measure.Result) { r.FalseDetection[0].Count, r.FalseDetection[0].PeriodS = 777, 777 }, "| 777 | 12m57s |"},
		{"FD-5.4-6", "## 10.", func(r *measure.Result) { r.FalseDetection[0].Count = 777 }, "False detections at this load: 777 in "},
		{"FD-5.4-7", "## 12.", func(r *measure.Result) { r.FalseDetection[0].Count = 777 }, "| 777 in "},
		{"FD-5.5-6", "## 14.", func(r *measure.Result) { r.Masking[0].Median = value(-0.777) }, "| -0.777 |"},
		{"FD-5.5-7", "## 14.", func(r *measure.Result) { r.Masking[0].Method = "zzz" }, "| zzz |"},
		{"FD-5.5-8", "## 14.", func(r *measure.Result) { r.Masking[0].Status, r.Masking[0].Median = "not_applicable", nil }, "| not applicable |"},
		{"FD-6-1", "## 3.", func(r *measure.Result) { r.Topology.ObservationPoint = "zzz" }, "Observation Point: zzz"},
		{"FD-6-2", "## 4.", func(r *measure.Result) { r.Detector.Alerts[0].Name = "zzz" }, "alert zzz"},
		{"FD-6-3", "## 2.", func(r *measure.Result) {
			k := &r.Comparability.ServingConfiguration
			k.Value = raw(k.Value, `"configuration": "{}"`, `"configuration": "zzz"`)
		}, "configured as zzz"},
		{"FD-6-4", "## 2.", func(r *measure.Result) {
			k := &r.Comparability.RequestPopulation
			k.Value = raw(k.Value, `"provenance": "synthetic"`, `"provenance": "zzz"`)
		}, "zzz"},
		{"FD-6-5", "## 2.", func(r *measure.Result) {
			k := &r.Comparability.OfferedLoad
			k.Value = raw(k.Value, `"100 req/s"`, `"777 req/s"`)
		}, "777 req/s"},
		{"FD-7-1", "## 3.", func(r *measure.Result) { r.Targets[0].Address = "zzz" }, "| zzz |"},
		{"FD-7-1", "## 1.", func(r *measure.Result) { r.Conformance.Attested[0].By = "zzz" }, "| zzz |"},
	} {
		r, err := measure.Decode(encoded)
		if err != nil {
			t.Fatal(err)
		}
		x.set(r)
		md := "\n" + string((&Report{r}).Markdown())
		_, section, _ := strings.Cut(md, "\n"+x.section)
		section, _, _ = strings.Cut(section, "\n## ")
		if !strings.Contains(section, x.want) {
			t.Errorf("%s: section %q does not say %q:\n%s", x.row, x.section, x.want, section)
		}
	}
}
