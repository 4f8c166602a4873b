package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// Read makes the report of a result.json. Besides what [Build] checks, every
// member has to be there, since one that is left out must not be read as 0, and
// no other one may be: a result has no room for a figure that mixes two.
// Errors are *[omission.Error] and those of the encoding.
func Read(b []byte) (*Report, error) {
	var have, want any
	if err := decodeNumbers(b, &have); err != nil {
		return nil, fmt.Errorf("this is no result: %w", err)
	}
	var r result.Result
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("this is no result: %w", err)
	}
	if r.Format != result.Format {
		return nil, fmt.Errorf("this is no result of a reuse block: its format is %q, and that of one is %q", r.Format, result.Format)
	}
	if err := decodeNumbers(result.Encode(&r), &want); err != nil {
		return nil, err
	}
	d := differ{}
	d.compare("", have, want)
	nilLists(reflect.ValueOf(&r), "", d.missing)
	if d.err != nil {
		return nil, d.err
	}
	list := d.list
	if len(list) == 0 {
		// What is not there would be read as 0, and contradict its neighbours.
		list = omissions(&r)
	}
	if list = omission.Sort(list); len(list) > 0 {
		return nil, refusal(&r, list)
	}
	return &Report{&r}, nil
}

func decodeNumbers(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}

// differ finds members that are missing or too many.
type differ struct {
	list []omission.Omission
	err  error
}

func (d *differ) compare(path string, have, want any) {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok {
			d.missing(path)
			return
		}
		names := []string{}
		for name := range w {
			names = append(names, name)
		}
		for name := range h {
			if _, known := w[name]; !known {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			at := strings.TrimPrefix(path+"."+name, ".")
			x, there := h[name]
			y, known := w[name]
			switch {
			case !known:
				d.extra(at)
			case !there:
				d.missing(at)
			case x == nil && y != nil:
				d.missing(at)
			default:
				d.compare(at, x, y)
			}
		}
	case []any:
		h, _ := have.([]any)
		for i := range min(len(h), len(w)) {
			d.compare(fmt.Sprintf("%s[%d]", path, i), h[i], w[i])
		}
	}
}

// extra refuses a figure that the contract does not know among those that it
// keeps apart.
func (d *differ) extra(at string) {
	parts := strings.Split(at, ".")
	if p := strings.TrimRight(parts[0], "[]0123456789"); len(parts) > 1 && (p == "aggregate" || p == "by_transform" || p == "confirmation" || p == "claims") {
		d.list = append(d.list, omission.Omission{Rule: "KV-0-1", Where: at, Detail: "the result has a figure that is none of the four that are kept apart"})
	} else if d.err == nil {
		d.err = fmt.Errorf("a result has no member %q: it is of another version of fdbench, or edited", at)
	}
}

// missing names the row that wants a member.
func (d *differ) missing(at string) {
	name := at[strings.LastIndexByte(at, '.')+1:]
	rule := wanted[name]
	if strings.HasPrefix(at, "claims.") {
		rule = wantedClaims[name]
	}
	if name == "value" || name == "numerator" || name == "denominator" {
		parts := strings.Split(at, ".")
		rule = wanted[parts[len(parts)-2]]
	}
	switch {
	case rule != "":
		d.list = append(d.list, omission.Omission{Rule: rule, Where: at, Detail: "the member is missing, so its value is not reported"})
	case d.err == nil:
		d.err = fmt.Errorf("the result lacks the member %q: it is of another version of fdbench, or edited", at)
	}
}

var wantedClaims = map[string]string{"exact": "KV-0-1", "candidate": "KV-3-3", "eligible": "KV-4-4", "confirmed": "KV-5-5", "placement": "KV-6-2", "timing": "KV-8-1"}

// wanted is the row that wants each member.
var wanted = map[string]string{
	"claims": "KV-0-1", "aggregate": "KV-0-1", "status": "KV-4-4", "mode": "KV-4-4",
	"exact_hit_blocks": "KV-0-1", "semantic_candidate_blocks": "KV-0-1", "semantic_eligible_blocks": "KV-0-1", "backend_confirmed_blocks": "KV-0-1",
	"prompt_tokens": "KV-1-3", "exact_token_weighted_reuse_rate": "KV-1-3", "semantic_candidate_token_weighted_reuse_rate": "KV-1-3", "semantic_eligible_token_weighted_reuse_rate": "KV-1-3",
	"exact_block_hit_rate": "KV-2-2", "total_blocks": "KV-2-2",
	"semantic_candidate_block_rate": "KV-3-2", "semantic_eligible_block_rate": "KV-4-2", "semantic_eligible_lift": "KV-4-3",
	"backend_measured_requests": "KV-5-1", "backend_confirmed_block_rate": "KV-5-2", "backend_confirmed_lift": "KV-5-3",
	"split_requests": "KV-5-5", "measured_requests": "KV-5-5",
	"materialized_semantic_kv_reuse": "KV-5-6", "materialized_requests": "KV-5-6", "evidence": "KV-5-6", "confirmation": "KV-5-6",
	"suffix_execution_proven": "KV-5-9", "engine_boundaries": "KV-5-9", "suffix_execution_requests": "KV-5-9",
	"placement": "KV-6-2", "semantic_placement_rate_by_request": "KV-6-2",
	"negative_controls": "KV-7-2", "negative_control_count": "KV-7-2", "negative_control_semantic_eligible_rate": "KV-7-2",
	"paired": "KV-8-1", "pairs_total": "KV-8-1", "pairs_used": "KV-8-1", "blended_ttft_speedup_mean": "KV-8-2", "low": "KV-8-2", "high": "KV-8-2",
	"hit_rate": "KV-8-3", "hit_only_ttft_speedup_mean": "KV-8-3",
	"ttft_cold_p50_ms": "KV-8-4", "ttft_cold_p95_ms": "KV-8-4", "ttft_warm_p50_ms": "KV-8-4", "ttft_warm_p95_ms": "KV-8-4",
	"negative_control_ttft_speedup_mean": "KV-8-5", "negative_control_ttft_speedup_deviation": "KV-8-5",
	"pairs_contaminated": "KV-8-6", "pairs_unchecked": "KV-8-7", "gates": "KV-8-7",
	"warm_vs_cold_output_rouge_l_mean": "KV-8-8", "noise_floor": "KV-8-8", "warm_vs_cold_rouge_l_drop": "KV-8-8",
}
