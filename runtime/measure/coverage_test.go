package measure_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/measure"
)

// A coverage without its magnitude cannot be made, held, written or read
// (FD-5.2-4).
func TestCoverageHasItsMagnitude(t *testing.T) {
	row := measure.RowKey{Class: "refusal", Profile: "step", Magnitude: "0.05", Load: "10 req/s"}
	c := measure.NewCoverage(row, 19, 20)
	b, err := json.Marshal(c)
	if err != nil || c.Detected() != 19 || c.Trials() != 20 {
		t.Fatalf("%+v: %v", c, err)
	}
	var again measure.Coverage
	if err := json.Unmarshal(b, &again); err != nil || again != c {
		t.Errorf("%s read as %+v: %v", b, again, err)
	}
	for _, text := range []string{strings.Replace(string(b), `"0.05"`, `""`, 1), strings.Replace(string(b), `"magnitude":"0.05",`, "", 1)} {
		if err := json.Unmarshal([]byte(text), &again); err != nil || again.Detected() != 0 || again.Trials() != 0 {
			t.Errorf("%s read as %+v: %v", text, again, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"share": 0.95}`), &again); err == nil {
		t.Error("a coverage of another form was read")
	}
	c.Magnitude = ""
	if _, err := json.Marshal(c); err == nil || c.Detected() != 0 || c.Trials() != 0 {
		t.Errorf("without its magnitude it is %d of %d, and %v", c.Detected(), c.Trials(), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a coverage was made without a magnitude")
		}
	}()
	row.Magnitude = ""
	measure.NewCoverage(row, 19, 20)
}

// A value whose False Detection Rate is missing is withheld, and its row stays
// (FD-5.4-6, FD-5.4-7).
func TestValuesAreWithheld(t *testing.T) {
	c := synthetic.New(synthetic.Options{})
	full := compute(t, c)
	dropFirst("false_detection")(c)
	r := compute(t, c)
	if len(r.Latency) != len(full.Latency) || len(r.Threshold) != len(full.Threshold) {
		t.Fatalf("%d latencies of %d, %d thresholds of %d", len(r.Latency), len(full.Latency), len(r.Threshold), len(full.Threshold))
	}
	for i, row := range r.Latency {
		here := row.Load == "10 req/s"
		if (row.Withheld == "FD-5.4-6") != here || (row.MedianS == nil && row.P95S == nil && row.MeanS == nil) != here || row.Detected != full.Latency[i].Detected {
			t.Errorf("%+v", row)
		}
	}
	for _, row := range r.Threshold {
		here := row.Load == "10 req/s"
		if (row.Withheld == "FD-5.4-7") != here || (row.UpperBound == nil) != here {
			t.Errorf("%+v", row)
		}
	}
	for _, row := range append(full.Threshold, measure.Threshold{}) {
		if row.Withheld != "" {
			t.Errorf("%+v", row)
		}
	}
}
