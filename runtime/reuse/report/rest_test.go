package report_test

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// What a result says twice it says alike, and what it is called is what it is.
func TestContradictionsGetNoReport(t *testing.T) {
	for _, x := range []struct{ base, text, rule string }{
		{result.BaseOffline, "conformance\n  put status \"incomplete\"", "KV-4-4"},
		{result.BaseOffline, "conformance\n  put complete false", "KV-4-4"},
		{result.BaseOffline, "conformance\n  put reason \"none\"", "KV-4-4"},
		{result.BaseOffline, "conformance\n  put methodology \"another\"", "KV-4-4"},
		{result.BaseLive, "conformance\n  put mode \"life\"", "KV-4-4"},
		{result.BaseOffline, "run\n  put items_measured 3", "KV-0-1"},
		{result.BaseOffline, "run\n  put controls 2", "KV-7-2"},
		{result.BaseOffline, "run\n  put planned_items 3", "KV-3-2"},
		{result.BaseOffline, "aggregate\n  null plan_invalid_actions", "KV-3-2"},
		{result.BaseOffline, "aggregate\n  put plan_invalid_actions 2", "KV-3-2"},
		{result.BaseOffline, "by_transform\n  put figures.semantic_eligible_lift.less.value 0.5", "KV-4-3"},
		{result.BaseOffline, "aggregate\n  null semantic_eligible_lift.rate.value", "KV-4-3"},
		{result.BaseOffline, "negative_controls\n  null negative_control_exact_block_hit_rate", "KV-7-2"},
		{result.BaseOffline, "negative_controls\n  put negative_control_exact_block_hit_rate.value 0.1", "KV-7-2"},
		{result.BaseLive, "negative_controls\n  null negative_control_backend_confirmed_rate", "KV-5-1"},
		{result.BaseLive, "negative_controls\n  put negative_control_semantic_placement_rate.denominator 2", "KV-6-2"},
		{result.BaseLive, "aggregate\n  put backend_confirmed_tokens 1", "KV-5-2"},
		{result.BaseOffline, "collisions\n  put found.violations 1", "KV-7-2"},
		{result.BaseLive, "confirmation\n  put engine_semantic_hits 4", "KV-5-6"},
		{result.BaseLive, "confirmation\n  null materialized_tokens", "KV-5-6"},
		{result.BaseLive, "evidence\n  put summary.whole_log_reading false", "KV-5-6"},
		{result.BaseLive, "placement\n  put route_outcomes.0.n 3", "KV-6-2"},
		{result.BaseLive, "paired\n  null blended_ttft_speedup_median", "KV-8-2"},
		{result.BaseLive, "run\n  put live.warm_first 1", "KV-8-1"},
		{result.BaseLive, "run\n  put live.max_tokens 65", "KV-8-8"},
		{result.BaseLive, "quality\n  put noise_floor.protocol.concurrency 2", "KV-8-8"},
		{result.BaseLive, "quality\n  null quality_pass_rate", "KV-8-8"},
		{result.BaseLive, "quality\n  put cold_quality_pass_rate.value 0.5", "KV-8-8"},
		{result.BaseLive, "quality\n  null mean_quality_f1", "KV-8-8"},
		{result.BaseLive, "gates\n  put status \"skipped\"", "KV-8-7"},
		{result.BaseLive, "gates\n  put at_least.0.have 0", "KV-8-7"},
		{result.BaseLive, "gates\n  put condition \"hit_rate >= 0\"", "KV-8-7"},
		{result.BaseLive, "gates\n  put observed []", "KV-8-7"},
		{result.BaseLive, "gates\n  null observed.0.value", "KV-8-7"},
		{result.BaseLive, "gates\n  put observed.0.numerator 1", "KV-8-7"},
	} {
		ids, err := example.CheckResult(spec.Example{In: spec.InResult, Base: x.base, Text: x.text})
		if err != nil || !slices.Contains(ids, x.rule) {
			t.Errorf("%s\nis refused under %v (%v), want %s", x.text, ids, err, x.rule)
		}
	}
	// A list that is null was not written by a run.
	for _, text := range []string{"conformance\n  null violations", "run\n  null targets", "supplementary\n  null failures"} {
		if ids, err := example.CheckResult(spec.Example{In: spec.InResult, Base: result.BaseOffline, Text: text}); err == nil && len(ids) == 0 {
			t.Errorf("%s\nhas a report", text)
		}
	}
}
