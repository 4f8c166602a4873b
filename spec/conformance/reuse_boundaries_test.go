package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	reuse "github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// ran is a run of a reuse block, changed, and what came of it.
func ran(t *testing.T, base, text string) *result.Result {
	t.Helper()
	r, err := reuse.Result(spec.Example{In: spec.InJournal, Base: base, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The pairs of values that the table names as boundaries, where they are
// decided from a journal or a scenario: one that is kept, and the one beside it
// that is not.
func TestReuseBoundaries(t *testing.T) {
	const (
		row     = `reuse_item {"item_id": "reorder"}` // 167 tokens, 10 blocks
		control = `reuse_item {"item_id": "control"}`
		warm    = `reuse_arm {"item_id": "reorder", "arm": "warm"}`
	)
	journal := func(base string, lines ...string) spec.Example {
		return spec.Example{In: spec.InJournal, Base: base, Text: strings.Join(lines, "\n  ")}
	}
	scenario := func(text string) spec.Example {
		return spec.Example{In: spec.InScenario, Base: rule.Reuse, Text: text}
	}
	gate := func(condition string) spec.Example {
		return scenario(fmt.Sprintf("gate \"shown\" {\n  on = reuse.example\n  condition = %q\n}\n", condition))
	}
	for _, b := range []struct {
		name, id  string
		good, bad spec.Example
	}{
		{"159 tokens have 9 blocks of 16, 160 have 10", "KV-1-1", journal("reuse", row, "put prompt_tokens 160"), journal("reuse", row, "put prompt_tokens 159")},
		{"176 tokens have 11", "KV-1-1", journal("reuse", row, "put prompt_tokens 175"), journal("reuse", row, "put prompt_tokens 176")},
		{"as many hits as blocks, one more", "KV-1-2", journal("reuse", row, "put exact_hit_blocks 10"), journal("reuse", row, "put exact_hit_blocks 11")},
		{"as many candidates as blocks, one more", "KV-1-2", journal("reuse", row, "put semantic_candidate_blocks 10"), journal("reuse", row, "put semantic_candidate_blocks 11")},
		{"one donor, none", "KV-2-1", journal("reuse", row, "put donor_count 1"), journal("reuse", row, "put donor_count 0")},
		{"all hits before the first miss, one more", "KV-2-3", journal("reuse", row, "put exact_prefix_hit_blocks 3"), journal("reuse", row, "put exact_prefix_hit_blocks 4")},
		{"as many eligible blocks as candidates, one more", "KV-4-1", journal("reuse", row, "put semantic_eligible_blocks 8"), journal("reuse", row, "put semantic_eligible_blocks 9")},
		{"all tokens of the prompt cached, one more", "KV-5-4", journal("reuse live", warm, "put cached_tokens 167"), journal("reuse live", warm, "put cached_tokens 168")},
		{"a control without a shared block, with one", "KV-7-1", journal("reuse", control, "put exact_hit_blocks 0"), journal("reuse", control, "put exact_hit_blocks 1")},
		{"blocks of 1 token, of 0", "KV-1-1", scenario("reuse \"example\" {\n  block_size = 1\n}\n"), scenario("reuse \"example\" {\n  block_size = 0\n}\n")},
		{"hits with their rate, without", "KV-8-3", gate("hit_only_ttft_speedup_mean >= 2 and hit_rate >= 0"), gate("hit_only_ttft_speedup_mean >= 2")},
		{"64 tokens as in the noise floor, 65", "KV-8-8", scenario("reuse \"example\" {\n  live \"openai\" {\n    max_tokens = 64\n  }\n}\n"), scenario("reuse \"example\" {\n  live \"openai\" {\n    max_tokens = 65\n  }\n}\n")},
		{"the temperature of the noise floor, the next one", "KV-8-8", scenario("reuse \"example\" {\n  live \"openai\" {\n    temperature = 0\n  }\n}\n"), scenario("reuse \"example\" {\n  live \"openai\" {\n    temperature = 0.000000001\n  }\n}\n")},
	} {
		for _, broken := range []bool{false, true} {
			x := b.good
			if broken {
				x = b.bad
			}
			found, err := show(x)
			if err != nil {
				t.Errorf("%s: %v", b.name, err)
				continue
			}
			if _, own := worst(found, b.id); broken != own || !broken && len(caught(found, "")) > 0 {
				t.Errorf("%s: found %v, and %s should be there: %t\n%s", b.name, found, b.id, broken, x.Text)
			}
		}
	}
}

// A cold arm with one cached token is contaminated under the rule "any", and
// under "block" one with a token more than a block.
func TestContaminationIsExact(t *testing.T) {
	cold := `reuse_arm {"item_id": "repeat", "arm": "cold"}`
	for _, x := range []struct {
		rule   string
		cached int
		want   int64
	}{{"any", 0, 0}, {"any", 1, 1}, {"block", 1, 0}, {"block", 16, 0}, {"block", 17, 1}} {
		r := ran(t, "reuse live", fmt.Sprintf("plan\n  put declaration.live.contamination %q\n%s\n  put cached_tokens %d\n", x.rule, cold, x.cached))
		if p := r.Paired; p.Contaminated != x.want || p.Used != 4-x.want || p.Blended.N != int(3-x.want) {
			t.Errorf("%s, %d cached tokens: %d contaminated, %d used, a mean over %d", x.rule, x.cached, p.Contaminated, p.Used, p.Blended.N)
		}
		for _, g := range r.Gates {
			if g.Name == "uncontaminated" && (g.Status == result.GatePassed) != (x.want == 0) {
				t.Errorf("%s, %d cached tokens: the gate on contamination %s", x.rule, x.cached, g.Status)
			}
		}
	}
}

// Null, 0 and one: what was not reported is not 0, and leaves both sides.
func TestReuseFiguresAtTheirBoundaries(t *testing.T) {
	const warm = `reuse_arm {"item_id": "repeat", "arm": "warm"}` // 47 tokens
	blocks := func(base, text string) int64 {
		r := ran(t, base, text)
		if r.Aggregate.ConfirmedBlocks == nil {
			t.Fatalf("%s: nothing is confirmed", text)
		}
		return *r.Aggregate.ConfirmedBlocks
	}
	one := blocks("reuse live", warm+"\n  put cached_tokens 31")
	if two := blocks("reuse live", warm+"\n  put cached_tokens 32"); two != one+1 {
		t.Errorf("31 cached tokens give %d confirmed blocks, and 32 give %d", one, two)
	}
	hits := func(cached int) int64 {
		return *ran(t, "reuse live", fmt.Sprintf("%s\n  put cached_tokens %d", warm, cached)).Paired.Hits
	}
	if below, at := hits(31), hits(32); at != below+1 {
		t.Errorf("of a threshold of 32 tokens: 31 give %d hits, and 32 give %d", below, at)
	}
	whole := ran(t, "reuse live", "")
	part := ran(t, "reuse live", warm+"\n  null cached_tokens")
	a, b := whole.Aggregate, part.Aggregate
	if b.ConfirmedRate.Denominator != a.ConfirmedRate.Denominator-2 || b.ConfirmedRate.Measured != 3 || b.ConfirmedRate.Of != 4 {
		t.Errorf("one of four requests was not measured, and the confirmed rate is %+v, of %+v", *b.ConfirmedRate, *a.ConfirmedRate)
	}
	if b.ConfirmedLift.Less.Denominator != b.ConfirmedRate.Denominator || b.ConfirmedLift.Less.Numerator != a.ExactBlocks-2 {
		t.Errorf("the lift is from the exact rate %+v, of other requests than %+v", b.ConfirmedLift.Less, *b.ConfirmedRate)
	}
	none := ran(t, "reuse live", "reuse_arm all\n  null cached_tokens").Aggregate
	if zero := ran(t, "reuse live", "reuse_arm all\n  put cached_tokens 0").Aggregate; zero.ConfirmedBlocks == nil || *zero.ConfirmedBlocks != 0 || *zero.ConfirmedRate.Value != 0 {
		t.Errorf("0 cached tokens: %+v", zero)
	}
	if none.ConfirmedBlocks != nil || none.ConfirmedRate.Value != nil || none.ConfirmedLift.Value != nil {
		t.Errorf("cached tokens that were not reported: %+v", none)
	}
	if r := ran(t, "reuse", `reuse_item {"item_id": "reorder"}`+"\n  set {\"semantic_eligible_blocks\": 0, \"semantic_candidate_blocks\": 0}\n"+
		`reuse_item {"item_id": "shift"}`+"\n  set {\"semantic_eligible_blocks\": 0, \"semantic_candidate_blocks\": 0}"); *r.Aggregate.EligibleLift.Value >= 0 {
		t.Errorf("a lift of 2 eligible and 5 exact blocks: %+v", r.Aggregate.EligibleLift)
	}
	bare := ran(t, "reuse bare", "").Aggregate
	if bare.CandidateBlocks != nil || bare.EligibleRate != nil || bare.EligibleLift != nil {
		t.Errorf("figures of a planner without one: %+v", bare)
	}
	if r := ran(t, "reuse", "plan\n  put declaration.manifest.controls 0\n  put gates []\n"+`reuse_item {"item_id": "control"}`+"\n  put negative_control false"); r.Controls.EligibleRate != nil || r.Controls.Count != 0 {
		t.Errorf("without a control: %+v", r.Controls)
	}
}

// One pair whose cold arm was not checked leaves a gate on contamination
// without data, and a plan without controls leaves theirs without.
func TestGatesOverNothingHaveNoData(t *testing.T) {
	status := func(r *result.Result, name string) string {
		for _, g := range r.Gates {
			if g.Name == name {
				return g.Status
			}
		}
		return "no such gate"
	}
	unchecked := ran(t, "reuse live", `reuse_arm {"item_id": "repeat", "arm": "cold"}`+"\n  null cached_tokens")
	if got := status(unchecked, "uncontaminated"); got != result.GateNoData || unchecked.Paired.Unchecked != 1 {
		t.Errorf("one of four pairs was not checked (%d): the gate %s", unchecked.Paired.Unchecked, got)
	}
	bare := ran(t, "reuse", "plan\n  put declaration.manifest.controls 0\n"+`reuse_item {"item_id": "control"}`+"\n  put negative_control false")
	if got := status(bare, "controls stay cold"); got != result.GateNoData {
		t.Errorf("without a control the gate on controls: %s", got)
	}
}

// A hit or a load of 0 tokens is no evidence, and 1 token of each is, of one
// request (KV-5-6, KV-5-7).
func TestEvidenceNeedsATokenOfEach(t *testing.T) {
	const (
		hit  = "SemBlend semantic lookup hit request_id=%s donor_id=d similarity=0.9 kind=span reusable_tokens=%d reason=ok\n"
		load = "SemBlend materialized request_id=%s donor_id=d tokens=%d\n"
	)
	for _, x := range []struct {
		name string
		log  string
		want int64
	}{
		{"a token of each", fmt.Sprintf(hit, "r", 1) + fmt.Sprintf(load, "r", 1), 1},
		{"a hit of nothing", fmt.Sprintf(hit, "r", 0) + fmt.Sprintf(load, "r", 1), 0},
		{"a load of nothing", fmt.Sprintf(hit, "r", 1) + fmt.Sprintf(load, "r", 0), 0},
		{"of two requests", fmt.Sprintf(hit, "r", 1) + fmt.Sprintf(load, "s", 1), 0},
	} {
		e, _, err := evidence.Read(evidence.VLLM, strings.NewReader(x.log), evidence.Options{Log: "engine.log"})
		if err != nil || e.MaterializedReuse != x.want || e.SemanticHits+e.Materializations == 0 {
			t.Errorf("%s: %d requests with reuse, want %d (%v) %+v", x.name, e.MaterializedReuse, x.want, err, e)
		}
	}
}

// Each member of the protocol alone makes a noise floor that of another one.
func TestNoiseFloorsMatchInEveryMember(t *testing.T) {
	files, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Reuse})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, diags := compiler.CompilePath(dir, compiler.Options{})
	if diags.HasErrors() || len(r.Reuses) != 1 {
		t.Fatal(diags)
	}
	d := r.Reuses[0].Declaration
	if m := floor.Mismatch(d.Calibration.Protocol, d.Live, d.Manifest.SHA256); len(m) > 0 {
		t.Fatalf("the example's own noise floor differs in %v", m)
	}
	for name, change := range map[string]func(*plan.FloorProtocol){
		"model":          func(p *plan.FloorProtocol) { p.Model += "x" },
		"engine":         func(p *plan.FloorProtocol) { p.Engine = "trtllm" },
		"engine_version": func(p *plan.FloorProtocol) { p.EngineVersion += ".1" },
		"max_tokens":     func(p *plan.FloorProtocol) { p.MaxTokens++ },
		"concurrency":    func(p *plan.FloorProtocol) { p.Concurrency++ },
		"manifest":       func(p *plan.FloorProtocol) { p.ManifestSHA256 = "sha256:0" },
	} {
		p := d.Calibration.Protocol
		change(&p)
		if m := floor.Mismatch(p, d.Live, d.Manifest.SHA256); len(m) != 1 {
			t.Errorf("another %s: %v", name, m)
		}
	}
}
