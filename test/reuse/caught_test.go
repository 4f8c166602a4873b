package reuse

import (
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// Each thing that a cache can do wrong fails the gates that are there for it,
// and a run of it ends with exit code 5.
func TestCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	latency := deployment.Latency{First: 5 * time.Millisecond, Prefill: 120 * time.Microsecond}
	for _, x := range []struct {
		name   string
		faults deployment.Faults
		gates  map[string]string // of those that do not pass
		more   func(*testing.T, *result.Result)
	}{
		{"none", deployment.Faults{}, map[string]string{}, nil},
		{"leak", deployment.Faults{Leak: 1}, map[string]string{
			"controls unconfirmed": result.GateFailed, // seven in eight blocks of them are taken for another document
			"controls unplaced":    result.GateFailed,
			"controls at 1":        result.GateFailed, // and they are faster
		}, func(t *testing.T, r *result.Result) {
			// Offline nothing is wrong, and the answers are.
			if v := r.Controls.EligibleRate.Value; *v != 0 {
				t.Errorf("of the controls %v is eligible", *v)
			}
			if q := r.Quality; q.Mean.Value > 0.95 || q.PassRate.Numerator != r.Paired.Total-r.Paired.Controls || q.ColdPass.Numerator != r.Paired.Total {
				t.Errorf("answers that are wrong agree by %v; %d are right warm, %d cold", q.Mean.Value, q.PassRate.Numerator, q.ColdPass.Numerator)
			}
			if c := r.Paired.Control; c.Value < 1.5 {
				t.Errorf("controls that leak have %+v", c)
			}
		}},
		{"sticky", deployment.Faults{Sticky: true}, map[string]string{
			"clean cold arms":      result.GateFailed,
			"controls unconfirmed": result.GateNoData,
			"controls at 1":        result.GateNoData,
			"faster":               result.GateNoData,
			"hits":                 result.GateNoData,
		}, func(t *testing.T, r *result.Result) {
			// Only the very first recipients can find nothing.
			if p := r.Paired; p.Contaminated < p.Total*2/3 || p.Used+p.Contaminated != p.Total {
				t.Errorf("%+v", p)
			}
		}},
		{"silent", deployment.Faults{Silent: true}, map[string]string{
			"clean cold arms":      result.GateFailed, // nobody could look
			"controls unconfirmed": result.GateNoData,
			"hits":                 result.GateNoData,
			"lift":                 result.GateNoData,
		}, func(t *testing.T, r *result.Result) {
			if r.Paired.Unchecked != r.Paired.Total || r.Aggregate.ConfirmedRate.Value != nil {
				t.Errorf("%+v, %+v", r.Paired, r.Aggregate.ConfirmedRate)
			}
		}},
		{"miss", deployment.Faults{Miss: 1}, map[string]string{
			"faster":                result.GateFailed,
			"hits":                  result.GateFailed,
			"lift":                  result.GateFailed,
			"materialized requests": result.GateFailed,
		}, func(t *testing.T, r *result.Result) {
			// The planner's figures say nothing of what the engine did.
			if e, c := r.Aggregate.EligibleRate.Value, r.Aggregate.ConfirmedRate.Value; *e < 0.3 || *c != 0 {
				t.Errorf("eligible %v, confirmed %v", *e, *c)
			}
			if r.Confirmation.SemanticHits == nil || *r.Confirmation.Reuse {
				t.Errorf("%+v", r.Confirmation)
			}
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := run(t, engine{blockSize: 16, latency: latency, faults: x.faults}, "openai.fdb.hcl", 10)
			want := 5
			if len(x.gates) == 0 {
				want = 0
			}
			if r.code != want {
				t.Errorf("exit code %d, want %d:\n%s", r.code, want, r.output)
			}
			for name, got := range r.gates() {
				status, listed := x.gates[name]
				if !listed {
					status = result.GatePassed
				}
				if got != status {
					t.Errorf("gate %q: %s, want %s", name, got, status)
				}
			}
			if x.more != nil {
				x.more(t, r.result)
			}
		})
	}
}
