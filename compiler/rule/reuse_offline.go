package rule

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/gate"
	"github.com/hashicorp/hcl/v2"
)

// Sections KV-1 to KV-3: what is counted offline.

var reuseDenominators = []Rule{
	row("KV-1-1", "a block holds a whole number of tokens, 1 or more",
		bad("blocks of no token", "reuse \"example\" {\n  block_size = 0\n}\n").reuse().edge(),
		good("blocks of one token", "reuse \"example\" {\n  block_size = 1\n}\n").reuse().edge(),
	),
	row("KV-1-2", "the language has no word for counting a partial block",
		bad("partial blocks counted", "reuse \"example\" {\n  partial_blocks = true\n}\n").reuse(),
		good("a block size", "reuse \"example\" {\n  block_size = 48\n}\n").reuse(),
	),
	row("KV-2-1", "the exact baseline has one of two scopes, and all donors of it",
		bad("another scope", "reuse \"example\" {\n  scope = \"nearest\"\n}\n").reuse().edge(),
		bad("a sample of the donors", "reuse \"example\" {\n  max_donors = 1\n}\n").reuse(),
		good("the whole manifest", "reuse \"example\" {\n  scope = \"corpus\"\n}\n").reuse().edge(),
	),
	row("KV-2-3", "the language has no word for a baseline of prefixes",
		bad("prefixes only", "reuse \"example\" {\n  prefix_only = true\n}\n").reuse(),
		good("a gate on the prefixes beside the baseline", gateOn("exact_prefix_block_hit_rate <= exact_block_hit_rate")).reuse(),
	),
}

var reusePlanned = []Rule{
	row("KV-3-1", "a gate on planned figures stands on a block with a planner or with plans",
		bad("no planner", "reuse \"example\" {\n  remove \"planner\" {}\n}\n"+withoutControls+gateOn("semantic_candidate_block_rate >= 0.1")).reuse().edge(),
		good("a planner", gateOn("semantic_candidate_block_rate >= 0.1")).reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		if !c.Knows(Planner) || c.planned() {
			return
		}
		c.eachFigure(func(u gate.Use, place *hcl.Range) {
			if u.Metric.Source == gate.Planned {
				l.err(place, "Figure without a planner", "%s, and no planner looks at the items of reuse.%s. Write planner \"span\" {} in it, or plans = \"...\" from a real planner.", meaning(u), c.Block.Name())
			}
		})
	}),
	row("KV-3-3", "the language has no word that turns candidates into confirmed reuse",
		bad("confirmed from a plan", "reuse \"example\" {\n  confirmed_from = \"candidates\"\n}\n").reuse(),
		good("both beside each other", gateOn("backend_confirmed_blocks >= 1 and semantic_candidate_blocks >= 1")).reuse(),
	),
}

// gateOn is a snippet with a gate on the example.
func gateOn(condition string) string {
	return "gate \"shown\" {\n  on        = reuse.example\n  condition = " + quote(condition) + "\n}\n"
}

// offline is what makes the example one without a live part, and without the
// gates that need it.
const offline = `remove "gate" "no more drop than between cold runs" {}

reuse "example" {
  remove "live" {}
  remove "calibration" {}
}
`

var reuseConfirmed = []Rule{
	row("KV-5-1", "a gate on figures of a live run stands on a block with a live part",
		bad("no live part", offline+gateOn("backend_confirmed_block_rate >= 0.3")).reuse().edge(),
		bad("pairs without a live part", offline+gateOn("blended_ttft_speedup_mean >= 1")).reuse(),
		bad("confirmed by declaration", "reuse \"example\" {\n  confirmed_rate = 0.5\n}\n").reuse(),
		good("a live part", gateOn("backend_confirmed_block_rate >= 0.3")).reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		if !c.Knows(LiveArms) || c.Live != nil {
			return
		}
		c.eachFigure(func(u gate.Use, place *hcl.Range) {
			switch {
			case placement(u.Metric):
			case slices.Contains([]gate.Source{gate.Measured, gate.Paired, gate.Judged}, u.Metric.Source):
				l.err(place, "Figure without a live run", "%s, which a live run alone tells, and reuse.%s is offline. Write a live block in it, or gate a figure of the manifest.", meaning(u), c.Block.Name())
			}
		})
	}),
	row("KV-5-10", "with SGLang hits are counted from the cached tokens",
		bad("hits from the log", "reuse \"example\" {\n  live \"openai\" {\n    engine = \"sglang\"\n    signal = \"evidence\"\n  }\n  evidence \"sglang\" {\n    log = \"sglang.log\"\n  }\n  remove \"calibration\" {}\n}\n"+withoutFloor).reuse().edge(),
		good("hits from the response", "reuse \"example\" {\n  live \"openai\" {\n    engine = \"sglang\"\n    signal = \"cached_tokens\"\n  }\n  remove \"calibration\" {}\n}\n"+withoutFloor).reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		v := c.Declaration.Live
		if v == nil || !c.Knows(LiveArms) || v.Signal != "evidence" || v.Engine != "sglang" && v.Driver != "sglang" {
			return
		}
		l.err(at(c.Live, "", "signal"), "Hits counted from a log of SGLang", "The log of SGLang shows that donors were registered and found. What was taken from the cache is told by the response: write signal = \"cached_tokens\".").set(c.Live, "signal", quote("cached_tokens"))
	}),
}

const withoutFloor = "remove \"gate\" \"no more drop than between cold runs\" {}\n"

var reusePlaced = []Rule{
	row("KV-6-1", "a gate on placements stands on a live block that names the headers which tell them",
		bad("no header", gateOn("semantic_placement_rate_by_request >= 0.5")).reuse().edge(),
		good("the usual headers", "reuse \"example\" {\n  live \"openai\" {\n    route {}\n  }\n}\n"+gateOn("semantic_placement_rate_by_request >= 0.5")).reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		if !c.Knows(LiveArms) || c.Declaration.Live != nil && len(c.Declaration.Live.Route) > 0 {
			return
		}
		c.eachFigure(func(u gate.Use, place *hcl.Range) {
			if placement(u.Metric) {
				l.err(place, "Placement that nobody tells", "%s, and reuse.%s names no header of an answer that tells a placement. Write route {} in its live block for the headers that are in use, or name your gateway's own.", meaning(u), c.Block.Name())
			}
		})
	}),
	row("KV-6-3", "hits are counted from the backend or from its log",
		bad("hits from the route", "reuse \"example\" {\n  live \"openai\" {\n    signal = \"route\"\n  }\n}\n").reuse().edge(),
		bad("a placement as a hit", "reuse \"example\" {\n  live \"openai\" {\n    route_as_hit = true\n  }\n}\n").reuse(),
		good("hits from the log of the engine", "reuse \"example\" {\n  live \"openai\" {\n    signal = \"evidence\"\n  }\n  evidence \"vllm\" {\n    log = \"vllm.log\"\n  }\n}\n").reuse().edge(),
	),
}

// placement tells whether a figure is one of placements.
func placement(m gate.Metric) bool {
	return strings.Contains(m.Name, "_placement")
}
