package measure_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
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

func TestGoldenResult(t *testing.T) {
	got := measure.Encode(compute(t, synthetic.New(synthetic.Options{})))
	path := filepath.Join("testdata", "result.json")
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
		t.Errorf("result differs from %s (-want +got):\n%s", path, diff)
	}
}

func TestCompleteRunBreaksNothing(t *testing.T) {
	for _, o := range []synthetic.Options{{}, {Verify: "observed"}, {Position: "same", NoMasking: true}, {Upper: "0.15"}, {Time: "real"},
		{Lower: "0.3"}, {Lower: "0.001"}, {Lower: "0.05"}, {Silent: true}, {NoTrials: true}} {
		r := compute(t, synthetic.New(o))
		if len(r.Conformance.Violations) > 0 || !r.Conformance.Complete {
			t.Errorf("%+v: complete %v, violations %v", o, r.Conformance.Complete, r.Conformance.Violations)
		}
	}
}

// The figures of a row are derived here a second time, by the plain sentence
// of the methodology instead of by runtime/stats.
func TestRowsAgainstASecondDerivation(t *testing.T) {
	c := synthetic.New(synthetic.Options{})
	r := compute(t, c)
	for i, comb := range c.Plan.Combinations.Trials {
		var latencies []float64
		kept, discarded := 0, 0
		synthetic.Each(c, func(rec *journal.TrialRecord) {
			if rec.Combination != comb.ID {
				return
			}
			if !rec.Kept {
				discarded++
				return
			}
			kept++
			if rec.Detected {
				latencies = append(latencies, float64(rec.Latency)/1e9)
			}
		})
		slices.Sort(latencies)
		row, cov := r.Latency[i], r.Coverage[i]
		k := len(latencies)
		if row.Trials != kept || row.Detected != k || row.Undetected != kept-k || row.Discarded != discarded || row.Attempts != kept+discarded ||
			cov.Detected() != k || cov.Trials() != kept {
			t.Errorf("%s: counts of %+v and %+v", comb.Class, row, cov)
		}
		median, p95 := latencies[k/2], latencies[min(95*k/100, k-1)]
		if k%2 == 0 {
			median = (latencies[k/2-1] + latencies[k/2]) / 2
		}
		if 95*k%100 == 0 {
			p95 = (latencies[95*k/100-1] + latencies[95*k/100]) / 2
		}
		sum := 0.0
		for _, l := range latencies {
			sum += l
		}
		if *row.MedianS != median || *row.P95S != p95 || math.Abs(*row.MeanS-sum/float64(k)) > 1e-9 {
			t.Errorf("%s %s: median %v, p95 %v, mean %v, want %v, %v, %v", comb.Class, comb.Profile.Name, *row.MedianS, *row.P95S, *row.MeanS,
				median, p95, sum/float64(k))
		}
		if row.P95IsMax != (p95 == latencies[k-1] && k < 20) {
			t.Errorf("%s: p95_is_max is %v with %d detected", comb.Class, row.P95IsMax, k)
		}
	}
	for i, f := range r.FalseDetection {
		var span, fault int64
		count := 0
		synthetic.Each(c, func(rec *journal.FalseDetectionRecord) {
			if rec.Load == i {
				span += rec.To - rec.From
				count += rec.Count
			}
		})
		synthetic.Each(c, func(rec *journal.TrialRecord) {
			if rec.Load == i && rec.Magnitude.Sign() != 0 {
				fault += rec.Removed - rec.Requested
			}
		})
		if f.Count != count || f.PeriodS != float64(span)/1e9 || f.TimeUnderFaultS != float64(fault)/1e9 {
			t.Errorf("false detection %+v: want count %d, period %d, time under fault %d", f, count, span, fault)
		}
	}
}

func TestNothingDetectedIsNullNotZero(t *testing.T) {
	c := synthetic.New(synthetic.Options{})
	synthetic.Each(c, func(rec *journal.TrialRecord) {
		if rec.Combination == 0 {
			rec.Detected, rec.Latency, rec.Event = false, 0, nil
		}
	})
	r := compute(t, c)
	row := r.Latency[0]
	if row.MedianS != nil || row.P95S != nil || row.MeanS != nil || row.P95IsMax || row.Undetected != 20 || row.Trials != 20 {
		t.Errorf("row without detections: %+v", row)
	}
	s := r.Supplementary.Latency[0]
	if s.HalfOfAllS != nil || s.EvidenceMedian != nil || s.TrendP != nil {
		t.Errorf("supplementary row without detections: %+v", s)
	}
	if !strings.Contains(string(measure.Encode(r)), `"median_s": null`) {
		t.Error("the encoded median is not null")
	}
}

func TestMasking(t *testing.T) {
	r := compute(t, synthetic.New(synthetic.Options{}))
	if len(r.Masking) != 2 {
		t.Fatalf("%d masking rows", len(r.Masking))
	}
	for _, row := range r.Masking {
		if row.Status != "value" || math.Abs(*row.Median-0.25) > 0.02 || row.Trials != 20 || !strings.Contains(row.Method, "refusal/1") {
			t.Errorf("masking %+v of a guardrail that masks a quarter", row)
		}
	}
	r = compute(t, synthetic.New(synthetic.Options{Position: "same", NoMasking: true}))
	for _, row := range r.Masking {
		if row.Status != "not_applicable" || row.Median != nil || row.Magnitude != nil {
			t.Errorf("masking at one point: %+v", row)
		}
	}
	if len(r.Masking) != 4 {
		t.Errorf("%d masking rows where the points are the same, want one for each class and load", len(r.Masking))
	}
	// A series that only searches applies faults as well (FD-5.5-8).
	r = compute(t, synthetic.New(synthetic.Options{Position: "same", NoMasking: true, NoTrials: true}))
	if len(r.Masking) != 2 || r.Masking[0].Status != "not_applicable" || r.Masking[0].Class != "refusal" || len(r.Conformance.Violations) > 0 {
		t.Errorf("searches alone, at one point: %+v, %v", r.Masking, r.Conformance.Violations)
	}
}

// Amplification is kept as it is: no clamp at 0 (AMB-37).
func TestMaskingIsNotClamped(t *testing.T) {
	c := synthetic.New(synthetic.Options{})
	synthetic.Each(c, func(rec *journal.TrialRecord) {
		if rec.Purpose == journal.PurposeMasking {
			v := &rec.Verification
			v.Observed = v.Before + (v.Injected-v.Before)*2
		}
	})
	if m := compute(t, c).Masking[0]; *m.Median != -1 {
		t.Errorf("median %v, want -1", *m.Median)
	}
}

func TestStatuses(t *testing.T) {
	for _, x := range []struct {
		name string
		o    synthetic.Options
		edit func(*synthetic.Case)
		want string
	}{
		{"virtual", synthetic.Options{}, nil, measure.StatusSimulated},
		{"virtual, reduced", synthetic.Options{Reduced: true}, nil, measure.StatusSimulated},
		{"real", synthetic.Options{Time: "real"}, nil, measure.StatusConformant},
		{"real, reduced", synthetic.Options{Time: "real", Reduced: true}, nil, measure.StatusReduced},
		{"real, exploratory", synthetic.Options{Time: "real"}, func(c *synthetic.Case) { c.Open.Exploratory = true }, measure.StatusNonconform},
		{"real, unfinished", synthetic.Options{Time: "real"}, func(c *synthetic.Case) { c.Records = c.Records[:len(c.Records)-1] }, measure.StatusNonconform},
		{"real, clocks not probed", synthetic.Options{Time: "real", Clocks: "probed"},
			func(c *synthetic.Case) { c.Drop(func(r synthetic.Record) bool { return r.Kind == journal.KindClock }) }, measure.StatusNonconform},
		{"real, clocks good", synthetic.Options{Time: "real", Clocks: "probed"}, probe(199 * exact.Millisecond), measure.StatusConformant},
		{"real, clocks at the limit", synthetic.Options{Time: "real", Clocks: "probed"}, probe(200 * exact.Millisecond), measure.StatusErrorBound},
	} {
		c := synthetic.New(x.o)
		if x.edit != nil {
			x.edit(c)
		}
		r := compute(t, c)
		if r.Conformance.Status != x.want {
			t.Errorf("%s: status %q, want %q; %v", x.name, r.Conformance.Status, x.want, r.Conformance.Violations)
		}
		for _, row := range r.Latency {
			if (row.ErrorBoundS != nil) != (x.want == measure.StatusErrorBound) {
				t.Errorf("%s: error bound %v", x.name, row.ErrorBoundS)
			}
		}
	}
}

// probe adds a clock measurement and makes 20 s the smallest latency.
func probe(bound exact.Duration) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		done := false
		synthetic.Each(c, func(rec *journal.TrialRecord) {
			if !done && rec.Kept && rec.Detected && rec.Purpose == journal.PurposeTrials && rec.Profile == "step" {
				rec.Latency = 20 * exact.Second
				rec.Event.At = rec.Onset + int64(rec.Latency)
				rec.Event.EmittedAt = rec.Event.At
				done = true
			}
		})
		c.Records = slices.Insert(c.Records, 0, synthetic.Record{Kind: journal.KindClock, Data: &journal.ClockRecord{Bound: int64(bound), Method: "four stamps", Moment: "before"}},
			synthetic.Record{Kind: journal.KindClock, Data: &journal.ClockRecord{Bound: 1, Method: "four stamps", Moment: "before"}})
	}
}

func TestKeysFollowWhatTheyName(t *testing.T) {
	base := compute(t, synthetic.New(synthetic.Options{})).Comparability
	keys := func(c measure.Comparability) map[string]string {
		m := map[string]string{}
		v := reflect.ValueOf(c)
		for i := range v.NumField() {
			m[v.Type().Field(i).Name] = v.Field(i).Interface().(measure.Key).SHA256
		}
		return m
	}
	for _, x := range []struct {
		o       synthetic.Options
		changed string
	}{
		{synthetic.Options{Loads: []int64{10, 200}}, "OfferedLoad"},
		{synthetic.Options{Position: "same", NoMasking: true}, "ObservationPoint"},
		{synthetic.Options{Reduced: true}, ""},
	} {
		got := keys(compute(t, synthetic.New(x.o)).Comparability)
		for name, sum := range keys(base) {
			if (got[name] != sum) != (name == x.changed) {
				t.Errorf("%+v: key %s changed: %v", x.o, name, got[name] != sum)
			}
		}
	}
}

func TestJournalOfAnotherPlan(t *testing.T) {
	b, err := synthetic.New(synthetic.Options{}).Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = measure.Compute(synthetic.Plan(synthetic.Options{Reduced: true}), bytes.NewReader(b))
	var pe *journal.PlanError
	if !errors.As(err, &pe) {
		t.Errorf("got %v", err)
	}
}

// A run that was cut anywhere still measures, says that it is incomplete, and
// never shows a latency of a load that has no False Detection Rate.
func TestInterruptedAnywhere(t *testing.T) {
	c := synthetic.New(synthetic.Options{Trials: 4, Loads: []int64{10}})
	b, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	step := len(b)/150 + 1
	for cut := bytes.IndexByte(b, '\n') + 1; cut < len(b); cut += step {
		r, err := measure.Compute(c.Plan, bytes.NewReader(b[:cut]))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if r.Conformance.Complete || len(r.Conformance.Violations) == 0 {
			t.Fatalf("cut at %d: the result claims to be complete", cut)
		}
		if len(r.FalseDetection) > 0 {
			continue
		}
		for _, row := range r.Latency {
			if row.MedianS != nil || row.P95S != nil || row.MeanS != nil || row.Withheld != "FD-5.4-6" {
				t.Fatalf("cut at %d: a latency without a False Detection Rate: %+v", cut, row)
			}
		}
		for _, row := range r.Threshold {
			if row.UpperBound != nil || row.Withheld != "FD-5.4-7" {
				t.Fatalf("cut at %d: a threshold without a False Detection Rate: %+v", cut, row)
			}
		}
	}
}

func TestNoNullLists(t *testing.T) {
	for _, o := range []synthetic.Options{{}, {NoMasking: true}} {
		r := compute(t, synthetic.New(o))
		walk(t, reflect.ValueOf(*r), "result")
	}
	c := synthetic.New(synthetic.Options{})
	c.Records = nil
	walk(t, reflect.ValueOf(*compute(t, c)), "empty result")
}

func walk(t *testing.T, v reflect.Value, path string) {
	if strings.HasSuffix(v.Type().PkgPath(), "compiler/plan") {
		return // as it stands in the plan
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			t.Errorf("%s is null instead of empty", path)
		}
		for i := range v.Len() {
			walk(t, v.Index(i), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	}
}

func TestDecodeReturnsWhatWasEncoded(t *testing.T) {
	b := measure.Encode(compute(t, synthetic.New(synthetic.Options{})))
	r, err := measure.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if again := measure.Encode(r); !bytes.Equal(again, b) {
		t.Error(cmp.Diff(string(b), string(again)))
	}
}

func BenchmarkCompute(b *testing.B) {
	c := synthetic.New(synthetic.Options{})
	data, err := c.Write(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := measure.Compute(c.Plan, bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(c.Records))*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
