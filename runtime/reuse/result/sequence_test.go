package result_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// An entry that lacks a member, or that stands where no run writes it, makes a
// journal that is refused: a zero in the place of what is missing must not pass
// for a figure.
func TestRefusedJournals(t *testing.T) {
	const (
		row  = "reuse_item {\"item_id\": \"reorder\"}\n  "
		warm = "reuse_arm {\"item_id\": \"reorder\", \"arm\": \"warm\"}\n  "
		cold = "reuse_arm {\"item_id\": \"repeat\", \"arm\": \"cold\"}\n  "
		vllm = "reuse_evidence {\"engine\": \"vllm\"}\n  "
	)
	for _, x := range []struct{ base, text, says string }{
		{result.BaseOffline, row + "cut prompt_tokens", "lacks prompt_tokens"},
		{result.BaseOffline, row + "null exact_hit_blocks", "lacks exact_hit_blocks"},
		{result.BaseOffline, row + "null plan_invalid_actions", "lacks plan_invalid_actions"},
		{result.BaseOffline, row + "cut plan_invalid_actions.0.n", "lacks plan_invalid_actions[0].n"},
		{result.BaseLive, warm + "cut cached_tokens", "lacks cached_tokens"},
		{result.BaseLive, warm + "cut route.header", "lacks route.header"},
		{result.BaseLive, vllm + "null unattributed", "lacks unattributed"},
		{result.BaseLive, "open\n  cut targets", "lacks targets"},
		{result.BaseOffline, "open\n  put series \"another\"", "the plan is of \"rag\""},
		{result.BaseOffline, "open\n  put engine \"another\"", "the plan is for"},
		{result.BaseOffline, "open\n  put time \"real\"", "\"offline\""},
		{result.BaseOffline, "open\n  put generation 0", "generation 0"},
		{result.BaseOffline, "open\n  put generation 2", "0 earlier ones"},
		{result.BaseLive, "open\n  put targets []", "0 addresses"},
		{result.BaseLive, "open\n  put targets.0.address \"\"", "no address"},
		{result.BaseOffline, "segment\n  put id 1", "segment 1 stands where segment 0 belongs"},
		{result.BaseOffline, "segment\n  put phase \"trials\"", "nothing that a run does"},
		{result.BaseOffline, "segment\n  put load 1", "at a load"},
		{result.BaseOffline, "segment\n  put phase \"pair\"", "belongs into one of offline"},
		{result.BaseOffline, "commit\n  put id 1", "segment 1 is committed"},
		{result.BaseOffline, "commit\n  drop", "inside a segment"},
		{result.BaseOffline, "segment\n  drop", "outside of a segment"},
		{result.BaseOffline, "commit\n  copy", "was not begun"},
		{result.BaseLive, cold + "put position 1", "position 1 stands where the one at 0 belongs"},
		{result.BaseLive, cold + "put first false", "is not which of the two it says"},
		{result.BaseLive, "plan\n  put declaration.live.order \"cold_first\"", "has the cold one first"},
		{result.BaseLive, warm + "put donors_sent 1", "there are 2 to send"},
		{result.BaseLive, cold + "put donors_sent 1", "there are 0 to send"},
		{result.BaseLive, warm + "put donors_failed 3", "3 failed"},
		{result.BaseLive, warm + "put request_id \"\"", "without its id"},
		{result.BaseLive, warm + "null latency_ns", "cannot be"},
		{result.BaseLive, warm + "put ttft_ns 900000000000", "cannot be"},
		{result.BaseLive, warm + "put quality.pass false", "passes: false"},
		{result.BaseLive, warm + "put quality.rouge_l 1.5", "not in [0, 1]"},
		{result.BaseLive, "reuse_counters\n  put url \"http://127.0.0.1:9/metrics\"", "the plan does not name it"},
		{result.BaseLive, "reuse_counters\n  put moment \"after\"", "stand elsewhere"},
		{result.BaseLive, "reuse_counters\n  put moment \"while\"", "read \"while\""},
		{result.BaseLive, "reuse_counters\n  copy", "a second reading"},
		{result.BaseLive, vllm + "put log \"another.log\"", "is on record where"},
		{result.BaseLive, vllm + "put engine \"sglang\"", "is on record where"},
		{result.BaseLive, "plan\n  put declaration.evidence.0.sha256 \"sha256:1\"", "another one than the plan's"},
		{result.BaseLive, "reuse_joined\n  put item_id \"another\"", "not on record: item \"another\""},
		{result.BaseLive, "reuse_joined\n  put arm \"hot\"", "arm \"hot\""},
		{result.BaseLive, "reuse_joined\n  put log \"another.log\"", "does not stand behind"},
		{result.BaseLive, "reuse_joined\n  put hits -1", "negative count"},
		{result.BaseOffline, "reuse_audit\n  put violations 1", "1 violations and lists 0"},
		{result.BaseOffline, "reuse_audit\n  put distinct 18", "cannot be"},
	} {
		_, err := example.Result(spec.Example{In: spec.InJournal, Base: x.base, Text: x.text})
		var chain *journal.ChainError
		if !errors.As(err, &chain) || chain.Line < 1 || !strings.Contains(chain.Reason, x.says) {
			t.Errorf("%s\nis refused as %v, want %q in it", x.text, err, x.says)
		}
	}
}

// What two readings of one log cannot both be breaks the row on evidence, and a
// run without its audit is not complete.
func TestLogsAndAuditsHold(t *testing.T) {
	for _, text := range []string{
		"reuse_evidence {\"engine\": \"vllm\"}\n  put whole_log_reading false",
		"reuse_evidence {\"engine\": \"vllm\"}\n  put semantic_hits_whole_log 0",
		"reuse_joined\n  copy\n  copy",
	} {
		if ids, err := example.Check(spec.Example{In: spec.InJournal, Base: result.BaseLive, Text: text}); err != nil || len(ids) != 1 || ids[0] != "KV-5-6" {
			t.Errorf("%s\nbreaks %v (%v)", text, ids, err)
		}
	}
	r := compute(t, result.BaseOffline, "reuse_audit\n  drop")
	if c := r.Conformance; c.Complete || !strings.Contains(c.Reason, "audit") {
		t.Errorf("without the audit: %+v", c)
	}
}
