package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// Reuse is the base of an example that measures KV reuse: a manifest of a few
// items, a planner, arms against a running endpoint, a noise floor and gates.
const Reuse = "reuse"

// exampleReuse is complete and breaks nothing.
const exampleReuse = `fdbench { language = 1 }

reuse "example" {
  manifest   = "manifest.jsonl"
  block_size = 16
  tokenizer  = "stable"

  planner "span" {
    min_run = 16
  }

  live "openai" {
    base_url       = "http://127.0.0.1:8000"
    model          = "tiny"
    engine         = "vllm"
    engine_version = "0.29.0"
    reset          = "http://127.0.0.1:8000/reset_prefix_cache"
    hit_threshold  = "64 tokens"
    max_tokens     = 64
  }

  calibration = "noise-floor.json"
}

gate "controls stay cold" {
  on        = reuse.example
  condition = "negative_control_semantic_eligible_rate <= 0.01"
  at_least  = { negative_control_count = 1 }
}

gate "no more drop than between cold runs" {
  on        = reuse.example
  condition = "warm_vs_cold_rouge_l_drop <= 0.02"
}
`

// The texts of the example's items: two documents that have nothing in common.
const (
	exampleMill   = "The water mill at the end of the valley was built by two brothers, who had seen a drawing of one in a printed book and who asked nobody for advice. It turned for ninety winters, ground rye and barley for four villages, and stopped on the day when the weir above it broke."
	exampleLedger = "Each branch sends its ledger to the head office before the tenth of a month. Entries without a receipt are marked in red ink, counted apart, and held back until the branch has explained them in writing; a second reminder goes to the auditor as well."
)

// exampleItems are a repeated prompt and a negative control.
var exampleItems = []*manifest.Item{
	{
		ItemID: "repeat", Dataset: "example", SourceID: "mill", Transform: "exact_repeat", Recipient: exampleMill, Input: "How long did the mill turn?", Answers: []string{"ninety winters"},
		Donors: []manifest.Donor{{DonorID: "repeat-donor", Text: exampleMill, Label: "base_prompt"}},
	},
	{
		ItemID: "control", Dataset: "example", SourceID: "mill", Transform: "negative_control", Recipient: exampleMill, Control: true,
		Donors:   []manifest.Donor{{DonorID: "control-donor", Text: exampleLedger, Label: "unrelated_base_prompt"}},
		Metadata: map[string]json.RawMessage{"negative_source_id": json.RawMessage(`"ledger"`)},
	},
}

// reuseFiles are what the example of KV reuse and its snippets name.
func reuseFiles() (map[string][]byte, error) {
	own, donorless := *exampleItems[1], *exampleItems[1]
	own.Metadata = map[string]json.RawMessage{"negative_source_id": json.RawMessage(`"mill"`)}
	donorless.Donors = nil
	files := map[string][]byte{}
	for name, items := range map[string][]*manifest.Item{
		"manifest.jsonl":    exampleItems,
		"no-controls.jsonl": exampleItems[:1],
		"own-source.jsonl":  {exampleItems[0], &own},
		"donorless.jsonl":   {exampleItems[0], &donorless},
	} {
		for _, it := range items {
			b, err := manifest.Append(files[name], it)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			files[name] = b
		}
	}
	sum := sha256.Sum256(files["manifest.jsonl"])
	b, err := floor.Encode(exampleFloor("sha256:" + hex.EncodeToString(sum[:])))
	if err != nil {
		return nil, fmt.Errorf("the noise floor: %w", err)
	}
	files["noise-floor.json"] = b
	return files, nil
}

// exampleFloor is a noise floor of the example's protocol.
func exampleFloor(manifest string) *floor.Artifact {
	return &floor.Artifact{
		Protocol: plan.FloorProtocol{
			Model: "tiny", Engine: "vllm", EngineVersion: "0.29.0", MaxTokens: 64, Concurrency: 1, ManifestSHA256: manifest,
		},
		Pairs: 2, Mean: exact.Frac(99, 100), P05: exact.Frac(97, 100), P50: exact.Frac(99, 100),
		Interval: floor.Interval{Low: exact.Frac(98, 100), High: exact.Int(1), Clusters: 1}, CreatedAt: "2026-08-01T12:00:00Z",
	}
}
