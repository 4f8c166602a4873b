package result_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// compute carries out changes on a valid run.
func compute(t testing.TB, base string, lines ...string) *result.Result {
	t.Helper()
	r, err := example.Result(spec.Example{Base: base, Text: strings.Join(lines, "\n")})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func value(r *result.Rate) string {
	switch {
	case r == nil:
		return "absent"
	case r.Value == nil:
		return fmt.Sprintf("%d/%d null", r.Numerator, r.Denominator)
	}
	return fmt.Sprintf("%d/%d %d of %d", r.Numerator, r.Denominator, r.Measured, r.Of)
}

func TestFourFigures(t *testing.T) {
	r := compute(t, result.BaseLive)
	g := &r.Aggregate
	for _, x := range []struct{ name, have, want string }{
		{"exact", value(&g.ExactRate), "5/17 4 of 4"},
		{"prefix", value(&g.PrefixRate), "3/17 4 of 4"},
		{"exact tokens", value(&g.ExactTokenRate), "80/295 4 of 4"},
		{"candidate", value(g.CandidateRate), "13/17 4 of 4"},
		{"candidate tokens", value(g.CandidateTokenRate), "208/295 4 of 4"},
		{"eligible", value(g.EligibleRate), "12/17 4 of 4"},
		{"confirmed", value(g.ConfirmedRate), "11/17 4 of 4"},
		{"controls", value(r.Controls.EligibleRate), "0/2 1 of 1"},
		{"controls confirmed", value(r.Controls.ConfirmedRate), "0/2 1 of 1"},
		{"placement", value(&r.Placement.Semantic), "2/4 4 of 4"},
		{"hits", value(r.Paired.HitRate), "2/3 3 of 3"},
	} {
		if x.have != x.want {
			t.Errorf("%s: %s, want %s", x.name, x.have, x.want)
		}
	}
	if l := g.EligibleLift; *l.Value != 7.0/17 {
		t.Errorf("lift %v", *l.Value)
	}
	if p := r.Paired; p.Used != 4 || p.Controls != 1 || math.Abs(p.Blended.Value-(2+2.5+1)/3) > 1e-15 || p.HitOnly.Value != 2.25 || p.Control.Value != 1 || *p.ColdP50 != 110 || *p.WarmP50 != 85 {
		t.Errorf("%+v", p)
	}
	if r.Confirmation.Reuse == nil || !*r.Confirmation.Reuse || *r.Confirmation.MaterializedRequests != 2 || !*r.Confirmation.Suffix {
		t.Errorf("%+v", r.Confirmation)
	}
	if w := r.Supplementary.Counters; len(w) != 1 || *w[0].Delta != 250 {
		t.Errorf("%+v", w)
	}
}

// What was not measured is in neither side of a rate, and a rate over nothing
// has no value.
func TestNulls(t *testing.T) {
	const warm = `reuse_arm {"item_id": "reorder", "arm": "warm"}`
	for _, x := range []struct {
		name, base string
		lines      []string
		of         func(*result.Result) string
		want       string
	}{
		{"no planner", result.BaseBare, nil, func(r *result.Result) string { return value(r.Aggregate.CandidateRate) }, "absent"},
		{"no planner, controls", result.BaseBare, nil, func(r *result.Result) string { return value(r.Controls.EligibleRate) }, "absent"},
		{"not live", result.BaseOffline, nil, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "absent"},
		{"one not reported", result.BaseLive, []string{warm, "  null cached_tokens"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "2/7 3 of 4"},
		{"one reported as 0", result.BaseLive, []string{warm, "  put cached_tokens 0"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "2/17 4 of 4"},
		{"none reported", result.BaseLive, []string{"reuse_arm all", "  null cached_tokens"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "0/0 null"},
		{"none reported, hits", result.BaseLive, []string{"reuse_arm all", "  null cached_tokens"}, func(r *result.Result) string { return value(r.Paired.HitRate) }, "0/0 null"},
		{"31 cached tokens are one block", result.BaseLive, []string{warm, "  put cached_tokens 31"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "3/17 4 of 4"},
		{"the server counts other tokens", result.BaseLive, []string{warm, "  put prompt_tokens 200"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "11/19 4 of 4"},
		{"and that is told", result.BaseLive, []string{warm, "  put prompt_tokens 200"}, func(r *result.Result) string { return value(r.Supplementary.TokenSources) }, "1/4 4 of 4"},
		{"the server counts none", result.BaseLive, []string{warm, "  null prompt_tokens"}, func(r *result.Result) string { return value(r.Aggregate.ConfirmedRate) }, "11/17 4 of 4"},
		{"no placement told", result.BaseLive, []string{"reuse_arm all", "  null route"}, func(r *result.Result) string { return value(&r.Placement.Semantic) }, "0/0 null"},
		{"one placement with an endpoint and no outcome", result.BaseLive, []string{warm, `  put route.outcome ""`}, func(r *result.Result) string {
			return fmt.Sprint(value(&r.Placement.Semantic), ", ", len(r.Placement.Outcomes), " outcomes, ", len(r.Placement.Endpoints), " endpoints")
		}, "1/3 3 of 4, 2 outcomes, 2 endpoints"},
		{"a control's placement with no outcome", result.BaseLive, []string{`reuse_arm {"item_id": "control", "arm": "warm"}`, `  put route.outcome ""`}, func(r *result.Result) string { return value(r.Controls.PlacementRate) }, "0/0 null"},
		{"the server counts none, and more blocks cached than there are", result.BaseLive, []string{warm, "  null prompt_tokens", "  put cached_tokens 176"}, func(r *result.Result) string {
			return value(r.Aggregate.ConfirmedRate) + ", " + value(r.Supplementary.TokenSources)
		}, "2/7 3 of 4, 1/4 4 of 4"},
		{"the server counts none, and as many cached as there are", result.BaseLive, []string{warm, "  null prompt_tokens", "  put cached_tokens 175"}, func(r *result.Result) string {
			return value(r.Aggregate.ConfirmedRate) + ", " + value(r.Supplementary.TokenSources)
		}, "12/17 4 of 4, 0/3 3 of 4"},
		{"one placement not told", result.BaseLive, []string{warm, "  null route"}, func(r *result.Result) string { return value(&r.Placement.Semantic) }, "1/3 3 of 4"},
		{"no answers", result.BaseLive, []string{"reuse_arm all", "  null quality"}, func(r *result.Result) string { return value(r.Quality.PassRate) }, "0/0 null"},
		{"no full block", result.BaseOffline, []string{"reuse_item all", `  set {"prompt_tokens": 15, "total_blocks": 0, "exact_hit_blocks": 0, "exact_prefix_hit_blocks": 0, "semantic_candidate_blocks": 0, "semantic_eligible_blocks": 0}`},
			func(r *result.Result) string { return value(&r.Aggregate.ExactRate) }, "0/0 null"},
	} {
		r := compute(t, x.base, x.lines...)
		if have := x.of(r); have != x.want {
			t.Errorf("%s: %s, want %s", x.name, have, x.want)
		}
		if len(r.Conformance.Violations) > 0 {
			t.Errorf("%s: %+v", x.name, r.Conformance.Violations)
		}
	}
}

// The lift of confirmed blocks is over the measured requests on both sides.
func TestLiftOverTheSameRequests(t *testing.T) {
	r := compute(t, result.BaseLive, `reuse_arm {"item_id": "reorder", "arm": "warm"}`, "  null cached_tokens")
	if l := r.Aggregate.ConfirmedLift; value(&l.Rate) != "2/7 3 of 4" || value(&l.Less) != "2/7 3 of 4" || *l.Value != 0 {
		t.Errorf("%+v", l)
	}
}

func TestPairs(t *testing.T) {
	const (
		cold  = `reuse_arm {"item_id": "reorder", "arm": "cold"}`
		warm  = `reuse_arm {"item_id": "reorder", "arm": "warm"}`
		block = "plan\n  put declaration.live.contamination \"block\""
		log   = "plan\n  put declaration.live.signal \"evidence\""
	)
	for _, x := range []struct {
		name  string
		lines []string
		want  string // used contaminated errored untimed unchecked, hits
	}{
		{"as it is", nil, "4 0 0 0 0, 2/3 3 of 3"},
		{"one cached token, any", []string{cold, "  put cached_tokens 1"}, "3 1 0 0 0, 1/2 2 of 2"},
		{"a block of cached tokens, block", []string{block, cold, "  put cached_tokens 16"}, "4 0 0 0 0, 2/3 3 of 3"},
		{"a token more, block", []string{block, cold, "  put cached_tokens 17"}, "3 1 0 0 0, 1/2 2 of 2"},
		{"not reported", []string{cold, "  null cached_tokens"}, "4 0 0 0 1, 2/3 3 of 3"},
		{"a reset that failed", []string{`reuse_reset {"item_id": "reorder", "arm": "warm"}`, "  put ok false", warm, `  put reset "failed"`}, "3 1 0 0 0, 1/2 2 of 2"},
		{"a request that failed", []string{warm, `  put outcome "http_error"`}, "3 0 1 0 0, 1/2 2 of 2"},
		{"contaminated and failed", []string{cold, "  put cached_tokens 1", warm, `  put outcome "http_error"`}, "3 1 0 0 0, 1/2 2 of 2"},
		{"a donor that failed", []string{warm, "  put donors_failed 1"}, "3 0 1 0 0, 1/2 2 of 2"},
		{"no time", []string{warm, "  null ttft_ns"}, "3 0 0 1 0, 1/2 2 of 2"},
		{"a time of 0", []string{warm, "  put ttft_ns 0"}, "3 0 0 1 0, 1/2 2 of 2"},
		{"31 tokens, where 32 are a hit", []string{warm, "  put cached_tokens 31"}, "4 0 0 0 0, 1/3 3 of 3"},
		{"32 tokens", []string{warm, "  put cached_tokens 32"}, "4 0 0 0 0, 2/3 3 of 3"},
		{"by the log", []string{log}, "4 0 0 0 0, 2/3 3 of 3"},
		{"by the log, too few tokens", []string{log, "reuse_joined", "  put materialized_tokens 31"}, "4 0 0 0 0, 1/3 3 of 3"},
		{"by the log, without a hit", []string{log, "reuse_joined", "  put hits 0"}, "4 0 0 0 0, 1/3 3 of 3"},
		{"by the log, of the cold request", []string{log, "reuse_joined", `  put arm "cold"`}, "3 1 0 0 0, 1/2 2 of 2"},
		{"a cold request that reports nothing and materialised something", []string{cold, "  null cached_tokens", "reuse_joined", `  put arm "cold"`}, "3 1 0 0 0, 1/2 2 of 2"},
		{"a cold request that the log merely names", []string{"reuse_joined", "  put arm \"cold\"", "  put materialized_tokens 0", "  put materializations 0"}, "4 0 0 0 0, 2/3 3 of 3"},
	} {
		r := compute(t, result.BaseLive, x.lines...)
		p := r.Paired
		have := fmt.Sprintf("%d %d %d %d %d, %s", p.Used, p.Contaminated, p.Errored, p.Untimed, p.Unchecked, value(p.HitRate))
		if have != x.want || p.Total != 4 || len(r.Conformance.Violations) > 0 {
			t.Errorf("%s: %s, want %s; %v", x.name, have, x.want, r.Conformance.Violations)
		}
	}
}

// Two logs that tell of one warm request tell of the same load: its tokens are
// not added to pass the threshold of a hit. Each log keeps its own figures.
func TestTwoLogsOfOneRequest(t *testing.T) {
	const trt = `reuse_joined {"log": "trtllm.jsonl"}`
	for _, x := range []struct {
		name          string
		vllm, trtllm  int
		hits, trtHits int
		want          string
	}{
		{"each too few", 31, 31, 1, 1, "0/3 3 of 3"},
		{"16 and 16", 16, 16, 1, 1, "0/3 3 of 3"},
		{"one enough", 16, 32, 1, 1, "1/3 3 of 3"},
		{"the other", 32, 16, 1, 1, "1/3 3 of 3"},
		{"the hit in one and the load in the other", 0, 32, 1, 0, "1/3 3 of 3"},
	} {
		r := compute(t, result.BaseLive, "plan", `  put declaration.live.signal "evidence"`,
			`reuse_joined {"log": "vllm.log"}`, `  put item_id "reorder"`, fmt.Sprintf("  put materialized_tokens %d", x.vllm), fmt.Sprintf("  put hits %d", x.hits),
			trt, `  put item_id "reorder"`, fmt.Sprintf("  put materialized_tokens %d", x.trtllm), fmt.Sprintf("  put hits %d", x.trtHits))
		if have := value(r.Paired.HitRate); have != x.want {
			t.Errorf("%s: %s, want %s", x.name, have, x.want)
		}
		if r.Evidence[0].Joined != 1 || r.Evidence[1].Joined != 1 {
			t.Errorf("%s: %+v", x.name, r.Evidence)
		}
	}
}

// A server that reports more cached tokens than its prompt has makes the run
// nonconformant, and there is a report that says so.
func TestMoreCachedThanThereIs(t *testing.T) {
	r := compute(t, result.BaseLive, `reuse_arm {"item_id": "reorder", "arm": "warm"}`, "  put cached_tokens 500")
	if r.Conformance.Status != result.StatusNonconform || len(r.Conformance.Violations) != 1 || r.Conformance.Violations[0].Rule != "KV-5-4" {
		t.Errorf("%+v", r.Conformance)
	}
	if g := r.Aggregate.ConfirmedRate; value(g) != "2/7 3 of 4" {
		t.Errorf("the impossible request counts: %s", value(g))
	}
	if _, err := report.Build(r); err != nil {
		t.Error(err)
	}
}

// A run is of one model, and one that was not declared is named as it was asked
// for.
func TestModel(t *testing.T) {
	undeclared := []string{"plan", `  put declaration.live.model ""`, "reuse_arm all", `  set {"model": "found"}`}
	if r := compute(t, result.BaseLive, undeclared...); r.Run.Live.Model != "found" {
		t.Errorf("%q", r.Run.Live.Model)
	}
	if r := compute(t, result.BaseLive); r.Run.Live.Model != "tiny" {
		t.Errorf("%q", r.Run.Live.Model)
	}
	_, err := example.Result(spec.Example{Base: result.BaseLive, Text: strings.Join(append(undeclared, `reuse_arm {"item_id": "shift", "arm": "warm"}`, `  set {"model": "other"}`), "\n")})
	var chain *journal.ChainError
	if !errors.As(err, &chain) || !strings.Contains(chain.Reason, `a request to the model "other", behind those to the model "found"`) {
		t.Errorf("%v", err)
	}
}

// What a log says is confirmed of a live run where it says it of the run's own
// warm requests.
func TestEvidenceOfTheRunItself(t *testing.T) {
	const joined, trt = "reuse_joined", `reuse_joined {"log": "trtllm.jsonl"}`
	for _, x := range []struct {
		name  string
		lines []string
		want  string // requests with both, with a boundary; vllm, trtllm
	}{
		{"both logs", nil, "2 1 true true true false true"},
		{"another run's", []string{joined, "  drop"}, "1 1 true true false false true"},
		{"its cold request", []string{joined, `  put arm "cold"`}, "1 1 true true false false true"},
		{"no hit", []string{joined, "  put hits 0"}, "1 1 true true false false true"},
		{"nothing materialised", []string{joined, "  put materialized_tokens 0"}, "1 1 true true false false true"},
		{"no boundary", []string{trt, "  put engine_boundaries 0"}, "2 0 true false true false false"},
		{"both of one request", []string{trt, `  put item_id "reorder"`}, "1 1 true true true false true"},
		{"nobody's", []string{"reuse_joined all", "  drop"}, "0 0 false false false false false"},
	} {
		r := compute(t, result.BaseLive, x.lines...)
		c := &r.Confirmation
		have := fmt.Sprint(*c.MaterializedRequests, *c.SuffixRequests, *c.Reuse, *c.Suffix, r.Evidence[0].Reuse, r.Evidence[0].Suffix, r.Evidence[1].Suffix)
		if have != x.want {
			t.Errorf("%s: %s, want %s", x.name, have, x.want)
		}
		if _, err := report.Build(r); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// An output without a word is the worst damage, and no missing value.
func TestEmptyOutputs(t *testing.T) {
	r := compute(t, result.BaseLive, `reuse_arm {"item_id": "reorder", "arm": "warm"}`, `  put output ""`)
	if q := r.Quality; q.Pairs != 4 || q.Empty != 1 || q.Mean.Value != 0.75 {
		t.Errorf("%+v, %+v", q, q.Mean)
	}
	r = compute(t, result.BaseLive, `reuse_arm {"item_id": "reorder", "arm": "cold"}`, `  put output ""`, `reuse_arm {"item_id": "reorder", "arm": "warm"}`, `  put output "."`)
	if q := r.Quality; q.Pairs != 4 || q.Empty != 2 || q.Mean.Value != 1 {
		t.Errorf("both: %+v, %+v", q, q.Mean)
	}
}

func TestClaims(t *testing.T) {
	for _, x := range []struct{ name, base, text, want string }{
		{"one field", result.BaseLive, "", result.ClaimCombined},
		{"split", result.BaseSplit, "", result.ClaimSplit},
		{"one request not split", result.BaseSplit, "reuse_arm {\"item_id\": \"control\", \"arm\": \"warm\"}\n  null fuzzy_tokens", result.ClaimCombined},
		{"nothing reported", result.BaseLive, "reuse_arm all\n  null cached_tokens", result.ClaimNothing},
		{"offline", result.BaseOffline, "", result.ClaimNothing},
	} {
		if r := compute(t, x.base, x.text); r.Claims.Confirmed != x.want {
			t.Errorf("%s: %q", x.name, r.Claims.Confirmed)
		}
	}
	r := compute(t, result.BaseSplit)
	if want := []result.Count{{Name: "none", N: 0}}; slices.Equal(r.Supplementary.Mechanisms, want) || len(r.Supplementary.Mechanisms) != 3 {
		t.Errorf("%+v", r.Supplementary.Mechanisms)
	}
}

func TestGates(t *testing.T) {
	gate := func(condition string, least string) string {
		return fmt.Sprintf("plan\n  put gates [{\"name\": \"g\", \"condition\": %q, \"at_least\": [%s], \"from\": \"\"}]", condition, least)
	}
	unchecked := "reuse_arm {\"item_id\": \"shift\", \"arm\": \"cold\"}\n  null cached_tokens"
	for _, x := range []struct{ name, base, plan, text, want string }{
		{"passes", result.BaseOffline, gate("exact_block_hit_rate >= 5/17", ""), "", result.GatePassed},
		{"exactly, and not in binary64", result.BaseOffline, gate("exact_block_hit_rate > 5/17", ""), "", result.GateFailed},
		{"of a lift", result.BaseOffline, gate("semantic_eligible_lift == 7/17", ""), "", result.GatePassed},
		{"nothing was sent", result.BaseOffline, gate("backend_confirmed_block_rate >= 0.1", ""), "", result.GateNoData},
		{"no planner", result.BaseBare, gate("negative_control_semantic_eligible_rate <= 0.5", ""), "", result.GateNoData},
		{"too few", result.BaseOffline, gate("exact_block_hit_rate >= 0.1", `{"metric": "request_count", "n": 5}`), "", result.GateNoData},
		{"enough", result.BaseOffline, gate("exact_block_hit_rate >= 0.1", `{"metric": "request_count", "n": 4}`), "", result.GatePassed},
		{"a count that does not exist", result.BaseOffline, gate("exact_block_hit_rate >= 0.1", `{"metric": "pairs_used", "n": 0}`), "", result.GateNoData},
		{"failed, and too few", result.BaseOffline, gate("exact_block_hit_rate > 0.5", `{"metric": "request_count", "n": 5}`), "", result.GateNoData},
		{"uncontaminated", result.BaseLive, gate("pairs_contaminated == 0", ""), "", result.GatePassed},
		{"uncontaminated, unchecked", result.BaseLive, gate("pairs_contaminated == 0", ""), unchecked, result.GateNoData},
		{"unchecked", result.BaseLive, gate("pairs_unchecked == 0", ""), unchecked, result.GateFailed},
		{"all tell whether it was a hit", result.BaseLive, gate("hit_rate >= 0.5", `{"metric": "hit_measured_pairs", "n": 3}`), "", result.GatePassed},
		{"one does not tell", result.BaseLive, gate("hit_rate >= 0.5", `{"metric": "hit_measured_pairs", "n": 3}`), "reuse_arm {\"item_id\": \"shift\", \"arm\": \"warm\"}\n  null cached_tokens", result.GateNoData},
		{"none tells", result.BaseLive, gate("hit_measured_pairs == 0", ""), "reuse_arm all\n  null cached_tokens", result.GatePassed},
		{"a control is none of them", result.BaseLive, gate("hit_measured_pairs == 3", ""), "", result.GatePassed},
		{"nothing was sent, so nothing tells", result.BaseOffline, gate("hit_measured_pairs < 1", ""), "", result.GateNoData},
		{"enough pairs, of which one is a control", result.BaseLive, gate("blended_ttft_speedup_mean >= 1", `{"metric": "blended_pairs", "n": 3}`), "", result.GatePassed},
		{"too few pairs without it", result.BaseLive, gate("blended_ttft_speedup_mean >= 1", `{"metric": "blended_pairs", "n": 4}`), "", result.GateNoData},
		{"no error in a log", result.BaseLive, gate("engine_errors == 0", ""), "", result.GatePassed},
		{"no error in an empty log", result.BaseLive, gate("engine_errors == 0", ""), "reuse_evidence {\"engine\": \"vllm\"}\n  put lines 0", result.GateNoData},
		{"no collision", result.BaseOffline, gate("collision_violations == 0", ""), "", result.GatePassed},
		{"no collision of no block", result.BaseOffline, gate("collision_violations == 0", ""), "reuse_audit\n  put donor_blocks 0\n  put distinct 0", result.GateNoData},
		{"a materialisation of another run", result.BaseLive, gate("materialized_semantic_kv_reuse", ""), "reuse_joined all\n  drop", result.GateFailed},
		{"deviation", result.BaseLive, gate("negative_control_ttft_speedup_deviation == 0", ""), "", result.GatePassed},
		{"rows of transforms", result.BaseOffline, gate("all(transforms, .exact_block_hit_rate < 1)", ""), "", result.GateFailed},
		{"rows of requests", result.BaseLive, gate("count(requests, .ttft_speedup >= 2) == 2", ""), "", result.GatePassed},
		{"rows of requests, contaminated", result.BaseLive, gate("none(requests, .contaminated)", ""), "reuse_arm {\"item_id\": \"shift\", \"arm\": \"cold\"}\n  put cached_tokens 1", result.GateFailed},
		{"drop", result.BaseLive, gate("warm_vs_cold_rouge_l_drop == -0.02", ""), "", result.GatePassed},
	} {
		r := compute(t, x.base, x.plan, x.text)
		if g := r.Gates[0]; g.Status != x.want || (g.Status == result.GatePassed) != (g.Why == "") {
			t.Errorf("%s: %+v", x.name, g)
		}
		if failed := r.GatesFailed(); (len(failed) > 0) != (x.want != result.GatePassed) {
			t.Errorf("%s: %+v", x.name, failed)
		}
	}
	_, err := example.Result(spec.Example{Base: result.BaseOffline, Text: gate("mood == 0", "")})
	var c *result.ConditionError
	if !errors.As(err, &c) || c.Gate != "g" {
		t.Errorf("%v", err)
	}
}

// Rows of requests are the same, kept or read again.
func TestRowsReadAgain(t *testing.T) {
	items, err := example.Original(result.BaseLive)
	if err != nil {
		t.Fatal(err)
	}
	text := "plan\n  put gates [{\"name\": \"g\", \"condition\": \"all(requests, .exact_hit_blocks <= .total_blocks) and any(requests, .backend_confirmed_blocks == 9)\", \"at_least\": [], \"from\": \"\"}]"
	if items, err = edit.Apply(items, text); err != nil {
		t.Fatal(err)
	}
	p, entries, err := example.Follow(items)
	if err != nil {
		t.Fatal(err)
	}
	b := example.Journal(entries)
	again, err := result.Compute(p, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := result.Compute(p, io.MultiReader(bytes.NewReader(b)))
	if err != nil {
		t.Fatal(err)
	}
	if x, y := result.Encode(again), result.Encode(kept); !bytes.Equal(x, y) || again.Gates[0].Status != result.GatePassed {
		t.Errorf("%+v\n%+v", again.Gates, kept.Gates)
	}
}

func TestIncomplete(t *testing.T) {
	for _, x := range []struct{ name, base, text, says string }{
		{"no end", result.BaseOffline, "close\n  drop", "interrupted"},
		{"an item short", result.BaseOffline, "reuse_item last\n  drop", "3 of 4"},
		{"a pair short", result.BaseLive, "reuse_arm last\n  drop\nreuse_arm last\n  drop", "3 of 4 pairs"},
		{"a log short", result.BaseLive, "reuse_joined last\n  drop\nreuse_evidence last\n  drop", "1 of 2 logs"},
		{"closed early", result.BaseOffline, "close\n  set {\"status\": \"incomplete\", \"reason\": \"the disk was full\"}", "disk"},
	} {
		r := compute(t, x.base, x.text)
		if c := r.Conformance; c.Complete || c.Status != result.StatusIncomplete || !strings.Contains(c.Reason, x.says) {
			t.Errorf("%s: %+v", x.name, c)
		}
		if r.Interrupted() != (x.name == "no end") {
			t.Errorf("%s: interrupted %v", x.name, r.Interrupted())
		}
	}
}

// What cannot be in a journal is refused with its line.
func TestRefused(t *testing.T) {
	for _, x := range []struct{ name, base, text string }{
		{"a member that is not known", result.BaseOffline, "reuse_item\n  set {\"figure\": 1}"},
		{"a kind that has no place", result.BaseOffline, "reuse_item\n  after trial {}"},
		{"an item out of order", result.BaseOffline, "reuse_item\n  put index 7"},
		{"an item twice", result.BaseLive, "reuse_item {\"item_id\": \"shift\"}\n  put item_id \"repeat\""},
		{"a request of no item", result.BaseLive, "reuse_arm\n  put item_id \"other\""},
		{"a request twice", result.BaseLive, "reuse_arm\n  copy"},
		{"an arm that is none", result.BaseLive, "reuse_arm\n  put arm \"tepid\""},
		{"a reset for no arm", result.BaseLive, "reuse_reset\n  put arm \"tepid\""},
		{"no number", result.BaseOffline, "reuse_item\n  put total_blocks \"many\""},
	} {
		_, err := example.Result(spec.Example{Base: x.base, Text: x.text})
		var c *journal.ChainError
		if !errors.As(err, &c) || c.Line < 2 {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	items, _ := example.Original(result.BaseOffline)
	other, _ := example.Original(result.BaseBare)
	items[0] = other[0]
	_, err := example.Compute(items)
	var p *journal.PlanError
	if !errors.As(err, &p) || strings.Contains(err.Error(), "FD-") {
		t.Errorf("another plan: %v", err)
	}
}

// Equal runs give equal bytes, and a result is read back as it was.
func TestEncoding(t *testing.T) {
	for _, base := range example.Bases() {
		a, b := result.Encode(compute(t, base)), result.Encode(compute(t, base))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: two computations differ", base)
		}
		var r result.Result
		if err := plainjson.Decode(a, &r); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(result.Encode(&r), a) {
			t.Errorf("%s: it does not come back", base)
		}
	}
}

// Every violation counts how often, and spells out the first.
func TestViolations(t *testing.T) {
	r := compute(t, result.BaseOffline, "reuse_item all", "  shift {\"total_blocks\": 1}")
	v := r.Conformance.Violations
	if len(v) != 1 || v[0].Rule != "KV-1-1" || v[0].Count != 4 || v[0].Subject != "repeat" || r.Conformance.Status != result.StatusNonconform {
		t.Errorf("%+v", v)
	}
}

// FuzzEdited edits a valid run. Whatever members its entries are left with,
// Compute returns a result that encodes, or an error.
func FuzzEdited(f *testing.F) {
	for _, r := range result.Rules() {
		for _, x := range r.Bad {
			f.Add(x.Base, x.Text)
		}
	}
	f.Add(result.BaseLive, "reuse_arm all\n  put ttft_ns -5")
	f.Add(result.BaseLive, "plan\n  put declaration.block_size 1")
	f.Add(result.BaseLive, "plan\n  put declaration.block_size 0")
	f.Add(result.BaseLive, "plan\n  put estimators.confidence \"2\"")
	f.Add(result.BaseLive, "plan\n  null declaration.live")
	f.Fuzz(func(t *testing.T, base, text string) {
		items, err := example.Original(base)
		if err != nil {
			return
		}
		if items, err = edit.Apply(items, text); err != nil || len(items) > 5000 {
			return
		}
		r, err := example.Compute(items)
		if err == nil && !json.Valid(result.Encode(r)) {
			t.Fatal("no result")
		}
	})
}

// A condition can name every figure that the list of figures has, and nothing
// else is there; what does not exist says why.
func TestEveryFigureIsThere(t *testing.T) {
	check := func(base, rows string, list []gate.Metric, have map[string]gate.Value) {
		for _, m := range list {
			v, ok := have[m.Name]
			switch {
			case !ok:
				t.Errorf("%s: %s %s is missing", base, rows, m.Name)
			case v.Kind != m.Kind:
				t.Errorf("%s: %s %s is of kind %d, want %d", base, rows, m.Name, v.Kind, m.Kind)
			case v.Null && v.Why == "":
				t.Errorf("%s: %s %s is absent without a reason", base, rows, m.Name)
			case v.Null && base == result.BaseLive && m.Name != "engine_ttft_speedup_median" && rows == "":
				t.Errorf("%s: %s does not exist: %s", base, m.Name, v.Why)
			case !v.Null && base == result.BaseBare && m.Source == gate.Planned:
				t.Errorf("%s: %s exists without a planner", base, m.Name)
			case !v.Null && base == result.BaseOffline && m.Source > gate.Planned:
				t.Errorf("%s: %s exists without a request", base, m.Name)
			}
		}
		for name := range have {
			if !slices.ContainsFunc(list, func(m gate.Metric) bool { return m.Name == name }) {
				t.Errorf("%s: %s %s is no figure", base, rows, name)
			}
		}
	}
	rows := "plan\n  put gates [{\"name\": \"g\", \"condition\": \"all(requests, .total_blocks < 99)\", \"at_least\": [], \"from\": \"\"}]"
	for _, base := range example.Bases() {
		e := compute(t, base, rows).Env()
		check(base, "", gate.Metrics(), e.Values)
		if len(e.Transforms) != 3 {
			t.Errorf("%s: %d transforms", base, len(e.Transforms))
		}
		for _, r := range e.Transforms {
			check(base, "transforms", gate.GroupMetrics(), r)
		}
		n := 0
		for r := range e.Stream {
			check(base, "requests", gate.Fields(), r)
			n++
		}
		if n != 4 {
			t.Errorf("%s: %d requests", base, n)
		}
	}
}
