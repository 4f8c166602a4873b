package reuse

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// covers tells whether the true mean is in an interval, at least with what
// sending and waking up takes in every time. An interval that is as wide as the
// mean itself covers nothing. Controls are all alike, so that their interval is
// as narrow as the machine is quiet: room is added to its ends.
func covers(i *result.Interval, m means, room float64) bool {
	return i != nil && i.Low-room <= m.exact && m.late <= i.High+room && i.High-i.Low < m.exact
}

// What is set is what is measured: hits, confirmed blocks, the speed-up and,
// for controls, that there is none.
func TestRecovered(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	for _, x := range []struct {
		name, scenario string
		e              engine
		documents      int
		variables      []string
	}{
		{"openai", "openai.fdb.hcl", engine{blockSize: 16, flavour: deployment.VLLM, faults: deployment.Faults{Miss: 0.25},
			latency: deployment.Latency{First: 10 * time.Millisecond, Prefill: 200 * time.Microsecond}}, 14, nil},
		{"sglang, other blocks", "sglang.fdb.hcl", engine{blockSize: 11, flavour: deployment.SGLang,
			latency: deployment.Latency{First: 10 * time.Millisecond, Prefill: 200 * time.Microsecond}}, 8, nil},
		{"hits as the log has them", "openai.fdb.hcl", engine{blockSize: 16, flavour: deployment.VLLM, faults: deployment.Faults{Miss: 0.4},
			latency: deployment.Latency{First: 10 * time.Millisecond, Prefill: 200 * time.Microsecond}}, 10, []string{"signal=evidence"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := run(t, x.e, x.scenario, x.documents, x.variables...)
			if r.code != 0 {
				t.Fatalf("exit code %d:\n%s", r.code, r.output)
			}
			want := known(t, r, x.e)
			p, a := r.result.Paired, r.result.Aggregate
			if p.Total != want.items || p.Used != want.items || p.Contaminated+p.Errored+p.Unchecked+p.Untimed != 0 || p.Controls != want.controls {
				t.Errorf("pairs: %+v, want all %d", p, want.items)
			}
			if p.HitRate.Numerator != want.hits || p.HitRate.Denominator != want.blended {
				t.Errorf("hit rate %d of %d, truly %d of %d", p.HitRate.Numerator, p.HitRate.Denominator, want.hits, want.blended)
			}
			if *a.ConfirmedTokens != want.cached || *a.ConfirmedBlocks != want.blocks || *a.ConfirmedRequests != want.items {
				t.Errorf("confirmed %d tokens, %d blocks of %d requests; truly %d and %d", *a.ConfirmedTokens, *a.ConfirmedBlocks, *a.ConfirmedRequests, want.cached, want.blocks)
			}
			for _, y := range []struct {
				name string
				got  *result.Interval
				want means
				room float64
			}{{"speed-up", p.Blended, want.speedup, 0}, {"speed-up of hits", p.HitOnly, want.hitsOnly, 0}, {"speed-up of controls", p.Control, want.control, 0.05}} {
				if !covers(y.got, y.want, y.room) {
					t.Errorf("%s %+v, truly %+v", y.name, y.got, y.want)
				}
				t.Logf("%s %.3f [%.3f, %.3f], truly %.3f, with 3 ms more in every time %.3f", y.name, y.got.Value, y.got.Low, y.got.High, y.want.exact, y.want.late)
			}
			// An honest cache changes no answer.
			if q := r.result.Quality; q.Mean.Value != 1 || q.Pairs != want.items || *q.PassRate.Value != 1 {
				t.Errorf("answers: %+v", q)
			}
			if c := r.result.Confirmation; *c.MaterializedRequests != want.reusing || *c.MaterializedTokens != want.cached || *c.Errors != 0 || !*c.Reuse {
				t.Errorf("the engine's log has %d requests and %d tokens; truly %d and %d", *c.MaterializedRequests, *c.MaterializedTokens, want.reusing, want.cached)
			}
			// Where a request was placed does not tell what it reused.
			if p := r.result.Placement; x.e.flavour == deployment.VLLM && (p == nil || p.Told != want.items || p.Semantic.Numerator != want.found || p.Semantic.Denominator != want.items) {
				t.Errorf("placed: %+v; truly %d of %d, and %d reuse anything", p, want.found, want.items, want.reusing)
			}
			for name, status := range r.gates() {
				if status != result.GatePassed {
					t.Errorf("gate %q: %s", name, status)
				}
			}
			if code, out, errs := fdbench(t, "verify", r.dir); code != 0 {
				t.Errorf("verify ends with %d: %s%s", code, out, errs)
			}
			if _, out, _ := fdbench(t, "report", r.dir); !strings.Contains(out, "**Headline: blended speed-up") {
				t.Errorf("the report of %s has no headline:\n%s", filepath.Base(r.dir), out)
			}
		})
	}
}
