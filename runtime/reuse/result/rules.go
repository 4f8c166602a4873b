package result

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// Bases of examples: valid runs that their texts change (package
// runtime/reuse/example).
const (
	BaseOffline = "reuse"       // a planner and a control
	BaseBare    = "reuse bare"  // no planner
	BaseLive    = "reuse live"  // pairs, two logs, counters, placements, a noise floor; reuse in one field
	BaseSplit   = "reuse split" // as live, with the reuse split by mechanism
)

// Rules returns the rules that a run of a reuse block is held against. Each is
// broken and kept by examples that package runtime/reuse/example carries out.
// The caller owns the slice.
func Rules() []spec.Rule {
	return slices.Concat(rowRules(), requestRules(), logRules())
}

// example is an example with what it does to its rule.
type example struct {
	spec.Example
	breaks bool
}

func rule(id, how string, examples ...example) spec.Rule {
	r := spec.Rule{ID: id, Stage: spec.Run, How: how, Effect: spec.MarksRun}
	for _, x := range examples {
		if x.breaks {
			r.Bad = append(r.Bad, x.Example)
		} else {
			r.Good = append(r.Good, x.Example)
		}
	}
	return r
}

func breaks(base, name string, lines ...string) example {
	return example{spec.Example{Name: name, In: where(lines), Base: base, Text: text(lines)}, true}
}

func keeps(base, name string, lines ...string) example {
	return example{spec.Example{Name: name, In: where(lines), Base: base, Text: text(lines)}, false}
}

func (x example) edge() example {
	x.Edge = true
	return x
}

var verbs = []string{"set", "null", "put", "cut", "shift", "drop", "copy", "before", "after", "next", "previous"}

func first(line string) string {
	w, _, _ := strings.Cut(line, " ")
	return w
}

// text indents the lines below a pick.
func text(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if slices.Contains(verbs, first(l)) {
			b.WriteString("  ")
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

// where tells whether an example changes the plan alone, which the journal then
// follows, or the journal.
func where(lines []string) string {
	for _, l := range lines {
		if !slices.Contains(verbs, first(l)) && first(l) != "plan" {
			return spec.InJournal
		}
	}
	return spec.InPlan
}

// Picks of the originals.
const (
	aRow     = `reuse_item {"item_id": "reorder"}`
	aControl = `reuse_item {"item_id": "control"}`
	aWarm    = `reuse_arm {"item_id": "reorder", "arm": "warm"}`
	aCold    = `reuse_arm {"item_id": "reorder", "arm": "cold"}`
	vllm     = `reuse_evidence {"engine": "vllm"}`
	trtllm   = `reuse_evidence {"engine": "trtllm"}`
)

// rowRules are those of the rows of the manifest.
func rowRules() []spec.Rule {
	return []spec.Rule{
		rule("KV-1-1", "the full blocks of every row are its tokens divided by the block size, rounded down",
			breaks(BaseOffline, "47 tokens with 3 blocks of 16", "reuse_item", "put total_blocks 3").edge(),
			breaks(BaseOffline, "48 tokens with 2 blocks of 16", `reuse_item {"item_id": "shift"}`, "put total_blocks 2", "put semantic_candidate_blocks 2", "put semantic_eligible_blocks 2"),
			keeps(BaseOffline, "47 tokens with 2 blocks of 16", "reuse_item", "put prompt_tokens 47").edge(),
			keeps(BaseOffline, "46 tokens with 2 blocks of 16", "reuse_item", "put prompt_tokens 46")),
		rule("KV-1-2", "no row has more hits or candidates than full blocks",
			breaks(BaseOffline, "11 hits of 10 blocks", aRow, "put exact_hit_blocks 11").edge(),
			breaks(BaseOffline, "11 candidates of 10 blocks", aRow, "put semantic_candidate_blocks 11"),
			keeps(BaseOffline, "10 hits of 10 blocks", aRow, "put exact_hit_blocks 10").edge()),
		rule("KV-2-1", "no row without a donor has an exact hit, where the donors of the item are the scope",
			breaks(BaseOffline, "3 hits of no donor", aRow, "put donor_count 0").edge(),
			breaks(BaseOffline, "hits below 0", aRow, "put exact_hit_blocks -1", "put exact_prefix_hit_blocks 0"),
			keeps(BaseOffline, "3 hits of one donor", aRow, "put donor_count 1").edge(),
			keeps(BaseOffline, "3 hits of other items' donors", "plan", `put declaration.scope "corpus"`, aRow, "put donor_count 0")),
		rule("KV-2-3", "the hits before the first miss are among the exact hits",
			breaks(BaseOffline, "4 hits before the first miss, of 3", aRow, "put exact_prefix_hit_blocks 4").edge(),
			keeps(BaseOffline, "all 3 hits before the first miss", aRow, "put exact_prefix_hit_blocks 3").edge(),
			keeps(BaseOffline, "3 hits behind a miss", aRow, "put exact_prefix_hit_blocks 0")),
		rule("KV-3-1", "candidates come from a plan: of the declared planner for every row, and nowhere else",
			breaks(BaseBare, "a candidate without a plan", aRow, "put semantic_candidate_blocks 1").edge(),
			breaks(BaseBare, "a row with a plan where no planner is declared", aRow, "put planned true"),
			breaks(BaseOffline, "a row that the planner left out", aRow, "put planned false", "put semantic_candidate_blocks 0", "put semantic_eligible_blocks 0"),
			keeps(BaseBare, "no candidate without a plan", aRow, "put semantic_candidate_blocks 0").edge(),
			keeps(BaseOffline, "a row in which the planner found nothing", aRow, "put semantic_candidate_blocks 0", "put semantic_eligible_blocks 0")),
		rule("KV-4-1", "no row has more eligible blocks than candidates",
			breaks(BaseOffline, "9 eligible blocks of 8 candidates", aRow, "put semantic_eligible_blocks 9").edge(),
			keeps(BaseOffline, "8 eligible blocks of 8 candidates", aRow, "put semantic_eligible_blocks 8").edge()),
		rule("KV-7-1", "no control shares a full block with its own donors, and as many controls are on record as the manifest has",
			breaks(BaseOffline, "a control with one exact hit", aControl, "put exact_hit_blocks 1").edge(),
			breaks(BaseOffline, "a control that is on record as another item", aControl, "put negative_control false"),
			keeps(BaseOffline, "a control without an exact hit", aControl, "put exact_hit_blocks 0").edge(),
			keeps(BaseOffline, "a control with a hit in another item's donors", "plan", `put declaration.scope "corpus"`, aControl, "put exact_hit_blocks 1")),
	}
}

// requestRules are those of requests.
func requestRules() []spec.Rule {
	request := `after reuse_arm {"item_id": "reorder", "arm": "warm", "position": 0, "first": true, "request_id": "r", "engine_id": "", "reset": "none", "outcome": "ok", ` +
		`"donors_sent": 1, "donors_failed": 0, "prompt_tokens": 167, "cached_tokens": 16, "fuzzy_tokens": null, "ttft_ns": 1, "latency_ns": 1, "engine_ttft_ms": null, ` +
		`"queue_time_ms": null, "route": null, "output": "", "quality": null, "finish_reason": ""}`
	return []spec.Rule{
		rule("KV-5-1", "no request is on record of a run without a live part",
			breaks(BaseOffline, "a request of an offline run", aRow, request).edge(),
			keeps(BaseLive, "a request whose backend reports 0 cached tokens", aWarm, "put cached_tokens 0").edge(),
			keeps(BaseLive, "a request whose backend reports nothing", aWarm, "null cached_tokens")),
		rule("KV-5-4", "cached tokens are at most those of the prompt, and those of semantic reuse at most the cached ones",
			breaks(BaseLive, "168 cached tokens of 167", aWarm, "put cached_tokens 168").edge(),
			breaks(BaseSplit, "145 tokens of semantic reuse of 144 cached ones", aWarm, "put fuzzy_tokens 145"),
			breaks(BaseLive, "cached tokens below 0", aWarm, "put cached_tokens -1"),
			keeps(BaseLive, "167 cached tokens of 167", aWarm, "put cached_tokens 167").edge(),
			keeps(BaseSplit, "144 tokens of semantic reuse of 144 cached ones", aWarm, "put fuzzy_tokens 144"),
			keeps(BaseLive, "31 cached tokens, which confirm one block", aWarm, "put cached_tokens 31")),
		rule("KV-6-1", "a placement is on record with the header that tells it, where a header is declared",
			breaks(BaseLive, "a placement without its header", aWarm, `put route.header ""`).edge(),
			breaks(BaseLive, "a placement where no header is declared", "plan", "put declaration.live.route []", "reuse_arm all", "null route", aWarm, `put route {"outcome": "semantic_placement", "endpoint": "", "semantic_score": null, "total_score": null, "reason": "", "header": "semantic"}`),
			keeps(BaseLive, "a placement with a header of one letter", aWarm, `put route.header "s"`).edge(),
			keeps(BaseLive, "a gateway that told nothing", aWarm, "null route")),
		rule("KV-8-6", "each request says of its reset what is on record before it",
			breaks(BaseLive, "a request without the reset that is declared", `reuse_reset {"item_id": "reorder", "arm": "cold"}`, "drop").edge(),
			breaks(BaseLive, "a reset that failed, and a request that calls it good", `reuse_reset {"item_id": "reorder", "arm": "cold"}`, "put ok false"),
			keeps(BaseLive, "a request behind its reset", `reuse_reset {"item_id": "reorder", "arm": "cold"}`, "put ok true").edge(),
			keeps(BaseLive, "a cold request with one cached token, which is counted", aCold, "put cached_tokens 1"),
			keeps(BaseLive, "a reset that failed, and a request that says so", `reuse_reset {"item_id": "reorder", "arm": "cold"}`, "put ok false", aCold, `put reset "failed"`)),
	}
}

// logRules are those of what engines' logs say.
func logRules() []spec.Rule {
	return []spec.Rule{
		rule("KV-5-6", "requests with both a hit and a materialisation are among those that the log names, apart from those with one of the two",
			breaks(BaseLive, "4 requests with evidence of 3", vllm, "put materialized_without_hit 2").edge(),
			breaks(BaseLive, "requests with reuse below 0", vllm, "put materialized_requests -1"),
			keeps(BaseLive, "3 requests with evidence of 3", vllm, "put materialized_without_hit 1").edge()),
		rule("KV-5-7", "in the log of vLLM no more requests have reuse than there are hits, and than there are loads and materialisations",
			breaks(BaseLive, "3 requests with reuse of 2 hits", vllm, `set {"materialized_requests": 3, "materialized_without_hit": 0, "hits_without_materialization": 0, "materialization_events": 3}`).edge(),
			breaks(BaseLive, "1 request with reuse of no load", vllm, "put materialization_events 0"),
			keeps(BaseLive, "2 requests with reuse of 2 hits", vllm, `set {"materialized_requests": 2, "materialized_without_hit": 0}`).edge()),
		rule("KV-5-8", "in the audit of TensorRT-LLM no more requests have reuse than lookups found something, and no tokens are counted",
			breaks(BaseLive, "2 requests with reuse of 1 lookup", trtllm, `set {"materialized_requests": 2, "materialized_without_hit": 0}`).edge(),
			breaks(BaseLive, "a token of an engine that counts units", trtllm, "put materialized_tokens 1"),
			keeps(BaseLive, "1 request with reuse of 1 lookup", trtllm, "put semantic_hits 1").edge()),
		rule("KV-5-9", "no more requests have suffix-only execution than there are boundaries, and than there are materialisations",
			breaks(BaseLive, "suffix-only execution without a boundary", trtllm, "put engine_boundaries 0").edge(),
			keeps(BaseLive, "suffix-only execution with a boundary and a materialisation", trtllm, "put engine_boundaries 1").edge(),
			keeps(BaseLive, "a boundary, and no suffix-only execution", trtllm, "put suffix_execution_requests 0")),
	}
}
