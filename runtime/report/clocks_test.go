package report_test

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report"
)

// A series is reported under every arrangement of clocks that a scenario can
// declare, and says how they were compared.
func TestArrangements(t *testing.T) {
	for arrangement, says := range map[string]string{"same_host": "does not apply", "probed": "|offset| + delay/2", "chrony": "root dispersion"} {
		r := compute(t, synthetic.New(synthetic.Options{Time: "real", Clocks: arrangement, Loads: []int64{1, 10, 50, 100}}))
		if len(r.Conformance.Violations) > 0 {
			t.Errorf("%s: %+v", arrangement, r.Conformance.Violations)
		}
		built, err := report.Build(r)
		if err != nil {
			t.Errorf("%s: %v", arrangement, err)
			continue
		}
		if text := string(built.Markdown()); !strings.Contains(text, says) || r.Clocks.Arrangement != arrangement {
			t.Errorf("%s: the report does not say %q", arrangement, says)
		}
	}
}

// Two hosts are compared before, between and after the trials, however that is
// done (FD-3.5-2).
func TestArrangementsAreMeasuredThroughout(t *testing.T) {
	for _, arrangement := range []string{"probed", "chrony"} {
		c := synthetic.New(synthetic.Options{Time: "real", Clocks: arrangement, Loads: []int64{1, 10, 50, 100}})
		c.Drop(func(r synthetic.Record) bool {
			d, ok := r.Data.(*journal.ClockRecord)
			return ok && d.Moment == "between"
		})
		r := compute(t, c)
		if len(r.Conformance.Violations) == 0 || r.Conformance.Violations[0].Rule != "FD-3.5-2" {
			t.Errorf("%s: %+v", arrangement, r.Conformance.Violations)
		}
	}
}
