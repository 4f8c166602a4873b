package rule

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/gate"
)

// Sections KV-7 and KV-8: controls and pairs.

// controlled is the row that asks for negative controls.
const controlled = "KV-7-3"

var reuseControls = []Rule{
	row("KV-7-1", "the donor of every control comes from another document than its recipient",
		bad("a control of its own document", "reuse \"example\" {\n  manifest = \"own-source.jsonl\"\n  remove \"calibration\" {}\n}\n"+withoutFloor).reuse().edge(),
		bad("a control without a donor", "reuse \"example\" {\n  manifest = \"donorless.jsonl\"\n  remove \"calibration\" {}\n}\n"+withoutFloor).reuse(),
		good("a control of another document", "reuse \"example\" {\n  manifest = \"manifest.jsonl\"\n}\n").reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		s := c.Manifest
		if s == nil || !c.Knows(Manifest) {
			return
		}
		if s.OwnSource.N > 0 {
			l.err(c.at("manifest"), "Control that is none", "%s is a negative control, and its donor comes from its own document, so what is reused there is no mistake of the cache. Take a donor from another document, or say negative_control: false.", first(s.OwnSource))
		}
		if s.Donorless.N > 0 {
			l.err(c.at("manifest"), "Control that is none", "%s is a negative control without a donor, so nothing could be reused there. Give it a donor from another document.", first(s.Donorless))
		}
		if s.Unnamed.N > 0 && s.OwnSource.N == 0 {
			l.note(c.at("manifest"), "Control of unknown origin", "%s is a negative control, and nothing says which document its donor comes from. Write it as negative_source_id into the metadata; the collision audit of the run looks at the blocks in either case.", first(s.Unnamed))
		}
	}),
	row(controlled, "a manifest whose reuse is planned or measured has negative controls",
		bad("no control", "reuse \"example\" {\n  manifest = \"no-controls.jsonl\"\n  remove \"calibration\" {}\n}\n"+withoutFloor+withoutControls).reuse().edge(),
		good("no control, with a reason", "reuse \"example\" {\n  manifest = \"no-controls.jsonl\"\n  because  = { \"KV-7-3\" = \"the controls are in a manifest of their own\" }\n  remove \"calibration\" {}\n}\n"+withoutFloor+withoutControls).reuse(),
		good("one control", "reuse \"example\" {\n  manifest = \"manifest.jsonl\"\n}\n").reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		if c.Manifest == nil || !c.Knows(Manifest, Planner, LiveArms) || c.Manifest.Controls > 0 || !c.planned() && c.Live == nil {
			return
		}
		if c.deviate(l, c.Block, c.Because) {
			return
		}
		// A gate on controls is refused where there are none, which says the same.
		for _, g := range c.Gates {
			if slices.ContainsFunc(g.Condition.Metrics(), func(name string) bool { return strings.HasPrefix(name, "negative_control") }) {
				return
			}
		}
		what := "a lift"
		if c.Live != nil {
			what = "a speed-up"
		}
		l.warn(c.at("manifest"), "Nothing to compare with", "No item is a negative control, so nothing shows that %s comes from what prompts have in common. Add items whose donor comes from another document, with negative_control: true, or give the reason: because = { %q = \"...\" }.", what, controlled)
	}),
}

var reusePairs = []Rule{
	row("KV-8-1", "the language has no word for a comparison of single arms",
		bad("one arm", "reuse \"example\" {\n  live \"openai\" {\n    arm = \"warm\"\n  }\n}\n").reuse(),
		good("pairs", "reuse \"example\" {\n  live \"openai\" {\n    order = \"cold_first\"\n  }\n}\n").reuse(),
	),
	row("KV-8-2", "the language has no word for another headline",
		bad("another headline", "reuse \"example\" {\n  headline = \"hit_only_ttft_speedup_mean\"\n}\n").reuse(),
		good("a gate on the headline", gateOn("blended_ttft_speedup_mean >= 1.2")).reuse(),
	),
	row("KV-8-3", "a gate on the speed-up of hits names the hit rate too",
		bad("hits alone", gateOn("hit_only_ttft_speedup_mean >= 2")).reuse().edge(),
		good("hits and how many there are", gateOn("hit_only_ttft_speedup_mean >= 2 and hit_rate >= 0.3")).reuse().edge(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		for _, g := range c.Gates {
			for _, u := range g.Condition.Uses() {
				if u.Metric.Name != hitOnly || slices.Contains(g.Condition.Metrics(), "hit_rate") {
					continue
				}
				l.err(g.Place(u), "Speed-up of hits alone", "A speed-up over hits says nothing without the share of requests that were hits. Add it to the condition, such as \"... and hit_rate >= 0.3\", or gate blended_ttft_speedup_mean, in which misses count.")
			}
		}
	}),
	row("KV-8-6", "the language has no word for keeping a contaminated pair, and a live block says what empties the cache between the arms",
		bad("contaminated pairs kept", "reuse \"example\" {\n  live \"openai\" {\n    skip_reset = true\n  }\n}\n").reuse(),
		bad("nothing empties the cache", "reuse \"example\" {\n  live \"openai\" {\n    remove \"reset\" {}\n  }\n}\n").reuse().warned(),
		good("a reset of each engine", "reuse \"example\" {\n  live \"openai\" {\n    reset = [\"http://127.0.0.1:8001/flush\", \"http://127.0.0.1:8002/flush\"]\n  }\n}\n").reuse(),
		good("a gate on contamination", gateOn("pairs_contaminated == 0 and pairs_unchecked == 0")).reuse(),
	).reuseCheck(func(c *ReuseContext, l *list) {
		if v := c.Declaration.Live; v != nil && c.Knows(LiveArms) && len(v.Reset) == 0 {
			l.warn(c.Live.DefRange.Ptr(), "Arms in one cache", "Nothing empties the cache between the arms, and both send the same prompt: the second finds what the first left behind. A cold arm that is second is contaminated, and a warm one reuses the cold one's prompt instead of a donor's. Write reset with the address that empties the cache, such as \"http://127.0.0.1:8000/reset_prefix_cache\" of vLLM or \"http://127.0.0.1:30000/flush_cache\" of SGLang.")
		}
	}),
	row("KV-8-7", "the language has no word for a gate that passes without data",
		bad("a gate that may lack its figures", "gate \"shown\" {\n  on            = reuse.example\n  condition     = \"pairs_contaminated == 0\"\n  allow_missing = true\n}\n").reuse(),
		good("a gate with a least number of pairs", "gate \"shown\" {\n  on        = reuse.example\n  condition = \"pairs_contaminated == 0\"\n  at_least  = { pairs_total = 1 }\n}\n").reuse(),
	),
	row("KV-8-8", "the agreement of outputs is gated against a noise floor of the live block's protocol, and against nothing else",
		bad("a constant", gateOn("warm_vs_cold_output_rouge_l_mean >= 0.95")).reuse(),
		bad("a constant for each request", gateOn("all(requests, .warm_vs_cold_rouge_l >= 0.5)")).reuse(),
		bad("no floor", "reuse \"example\" {\n  remove \"calibration\" {}\n}\n").reuse(),
		bad("a floor of another length", "reuse \"example\" {\n  live \"openai\" {\n    max_tokens = 65\n  }\n}\n").reuse().edge(),
		good("a floor of the same protocol", gateOn("warm_vs_cold_rouge_l_drop <= 0.02")).reuse().edge(),
	).reuseCheck(floored),
}

const withoutControls = "remove \"gate\" \"controls stay cold\" {}\n"

const (
	hitOnly   = "hit_only_ttft_speedup_mean"
	agreement = "warm_vs_cold_output_rouge_l_mean"
	rowWise   = "warm_vs_cold_rouge_l"
)

func floored(c *ReuseContext, l *list) {
	if c.Knows(Calibration, LiveArms, Manifest) && c.Declaration.Calibration != nil {
		switch {
		case c.Live == nil:
			l.err(c.at("calibration"), "Noise floor without a run", "A noise floor judges the outputs of a live run, and reuse.%s is offline. Write a live block, or take the line out.", c.Block.Name()).remove(c.Block, "calibration")
		case len(c.Mismatch) > 0:
			l.err(c.at("calibration"), "Noise floor of another protocol", "%s was measured with another protocol, under which two cold answers differ in another way: %s. Measure one with this block: fdbench calibrate SCENARIO --reuse %s --out %s.", c.Declaration.Calibration.File, strings.Join(c.Mismatch, "; "), c.Block.Name(), c.Declaration.Calibration.File)
		}
	}
	for _, g := range c.Gates {
		for _, u := range g.Condition.Uses() {
			switch constant := u.Metric.Name == rowWise || u.Metric.Name == agreement && alone(g.Condition); {
			case constant:
				l.err(g.Place(u), "Agreement held against a constant", "How far warm answers differ from cold ones says nothing without how far two cold ones do. Gate warm_vs_cold_rouge_l_drop and warm_vs_cold_rouge_l_excess, which are measured from the noise floor.")
			case u.Metric.Source == gate.Floored && c.Knows(Calibration, LiveArms) && c.Declaration.Calibration == nil:
				l.err(g.Place(u), "Figure without a noise floor", "%s, and reuse.%s has no noise floor. Measure one with fdbench calibrate, and write calibration = \"noise-floor.json\".", meaning(u), c.Block.Name())
			}
		}
	}
}

// alone tells whether a condition compares the agreement of outputs with
// something else than the noise floor.
func alone(c *gate.Condition) bool {
	return slices.ContainsFunc(c.HeldAgainst(agreement), func(others []string) bool { return !slices.Contains(others, "noise_floor_rouge_l_mean") })
}
