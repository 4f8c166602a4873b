package result

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Format names the encoding of a result.
const Format = "fdbench.reuse-result/1"

// Methodology names what the result is measured by.
const Methodology = "kv-reuse"

// Result is what a run of a reuse block came to. Durations are in
// milliseconds, as their names say. What does not exist is null, never 0.
type Result struct {
	Format      string               `json:"format"`
	PlanDigest  string               `json:"plan_digest"`
	Name        string               `json:"name"`
	Generation  int                  `json:"generation"`
	Exploratory bool                 `json:"exploratory"`
	Earlier     []journal.Generation `json:"earlier_generations"`

	Conformance  Conformance  `json:"conformance"`
	Claims       Claims       `json:"claims"`
	Run          Run          `json:"run"`
	Aggregate    Group        `json:"aggregate"`
	Transforms   []Transform  `json:"by_transform"` // by name, in byte order
	Controls     Controls     `json:"negative_controls"`
	Collisions   *Collisions  `json:"collisions"` // null: the manifest was not audited
	Placement    *Placement   `json:"placement"`  // null: no route is declared, or nothing was sent
	Paired       *Paired      `json:"paired"`     // null: nothing was sent (KV-8-1)
	Evidence     []Evidence   `json:"evidence"`   // one for each log
	Confirmation Confirmation `json:"confirmation"`
	Quality      *Quality     `json:"quality"` // null: nothing was sent
	Gates        []Gate       `json:"gates"`   // in the order of the plan

	Supplementary Supplementary `json:"supplementary"`
	Footer        Footer        `json:"footer"`

	gate env // what conditions are evaluated over; not encoded
}

// Statuses of a result.
const (
	StatusOffline      = "offline"       // from the manifest alone, whatever was planned (KV-4-4)
	StatusLive         = "live"          // with requests to a running endpoint
	StatusNonconform   = "nonconformant" // a row of the table is broken
	StatusIncomplete   = "incomplete"    // the run did not come to its end
	whyInterrupted     = "the run was interrupted before its end; the same command goes on with it"
	whyClosedWithout   = "the run was closed without all items of the manifest"
	statementFootnote  = "Figures hold for this manifest, this tokenizer and this block size. Rates of different manifests, tokenizers or block sizes are not comparable."
	supplementaryWords = "outside the metric contract"
)

// Conformance says what the figures may be called.
type Conformance struct {
	Status       string             `json:"status"`
	Methodology  string             `json:"methodology"`
	Mode         string             `json:"mode"` // offline, live
	Complete     bool               `json:"complete"`
	Reason       string             `json:"reason"` // why it is not complete; ""
	Violations   []Violation        `json:"violations"`
	Deviations   []plan.Deviation   `json:"deviations"`
	Attestations []plan.Attestation `json:"attestations"`
}

// Violation is a row of the table that the run breaks.
type Violation struct {
	Rule    string `json:"rule"`
	Subject string `json:"subject"` // an item, a log; "" for the run
	Detail  string `json:"detail"`  // of the first one
	Effect  string `json:"effect"`
	Count   int64  `json:"count"` // how often
}

// Claims say of each kind of figure what it may be taken for.
type Claims struct {
	Exact     string `json:"exact"`
	Candidate string `json:"candidate"`
	Eligible  string `json:"eligible"`
	Confirmed string `json:"confirmed"`
	Placement string `json:"placement"`
	Timing    string `json:"timing"`
}

// What figures may be taken for.
const (
	ClaimExact     = "counted in the manifest"
	ClaimCandidate = "discovery evidence, no confirmed reuse"            // KV-3-3
	ClaimEligible  = "offline proxy, no confirmed reuse"                 // KV-4-4
	ClaimCombined  = "confirmed reuse, exact and semantic in one figure" // KV-5-5
	ClaimSplit     = "confirmed reuse, split by the backend into prefix and semantic"
	ClaimPlacement = "placement, no materialisation" // KV-6-2
	ClaimTiming    = "paired requests"               // KV-8-1
	ClaimNothing   = "not measured"
)

// Run says what was measured with what.
type Run struct {
	Manifest         string             `json:"manifest"`
	ManifestSHA256   string             `json:"manifest_sha256"`
	Items            int64              `json:"items"` // that the plan asks for
	Measured         int64              `json:"items_measured"`
	Controls         int64              `json:"controls"` // among the items that the plan asks for
	Tokenizer        string             `json:"tokenizer"`
	TokenizerVersion string             `json:"tokenizer_version"`
	BlockSize        int                `json:"block_size"`
	Scope            string             `json:"scope"`   // item, corpus
	Planner          *string            `json:"planner"` // null: none
	PlannedItems     int64              `json:"planned_items"`
	Engine           string             `json:"engine"` // of fdbench
	Live             *Live              `json:"live"`   // null: offline
	Targets          []Target           `json:"targets"`
	Rules            []plan.RuleOutcome `json:"rules"`
}

// Target is an address that requests went to.
type Target struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	OptedIn bool   `json:"opted_in"`
}

// Live is what a live run was declared with.
type Live struct {
	Driver        string       `json:"driver"`
	Model         string       `json:"model"` // declared, or else the only one of the endpoint, which was asked for; "" where no request was sent
	Engine        string       `json:"engine"`
	EngineVersion string       `json:"engine_version"`
	Order         string       `json:"order"`
	ColdFirst     int64        `json:"cold_first"` // pairs
	WarmFirst     int64        `json:"warm_first"`
	Resets        int          `json:"resets"` // URLs; 0: nothing empties the cache between the arms
	HitThreshold  int64        `json:"hit_threshold_tokens"`
	Contamination string       `json:"contamination"`
	Signal        string       `json:"signal"`
	MaxTokens     int          `json:"max_tokens"`
	Temperature   exact.Number `json:"temperature"`
	Concurrency   int          `json:"concurrency"`
}

// Rate is a share of a whole. Its value is null where the denominator is 0.
type Rate struct {
	Numerator   int64    `json:"numerator"`
	Denominator int64    `json:"denominator"`
	Value       *float64 `json:"value"`
	Measured    int64    `json:"measured"` // requests (pairs, outputs) that it is over
	Of          int64    `json:"of"`       // and how many there are
}

// Lift is the difference of two rates over the same requests. It may be
// negative.
type Lift struct {
	Value *float64 `json:"value"`
	Rate  Rate     `json:"rate"`
	Less  Rate     `json:"less"`
}

// Group sums up requests: micro averages, sums first and then one division.
type Group struct {
	Requests     int64 `json:"request_count"`
	PromptTokens int64 `json:"prompt_tokens"`
	TotalBlocks  int64 `json:"total_blocks"`

	ExactBlocks    int64 `json:"exact_hit_blocks"`
	ExactRate      Rate  `json:"exact_block_hit_rate"`
	ExactTokenRate Rate  `json:"exact_token_weighted_reuse_rate"`
	PrefixBlocks   int64 `json:"exact_prefix_hit_blocks"`
	PrefixRate     Rate  `json:"exact_prefix_block_hit_rate"`

	CandidateBlocks    *int64 `json:"semantic_candidate_blocks"` // null with what follows: no planner
	CandidateRate      *Rate  `json:"semantic_candidate_block_rate"`
	CandidateTokenRate *Rate  `json:"semantic_candidate_token_weighted_reuse_rate"`
	EligibleBlocks     *int64 `json:"semantic_eligible_blocks"`
	EligibleRate       *Rate  `json:"semantic_eligible_block_rate"`
	EligibleTokenRate  *Rate  `json:"semantic_eligible_token_weighted_reuse_rate"`
	EligibleLift       *Lift  `json:"semantic_eligible_lift"`
	InvalidActions     *int64 `json:"plan_invalid_actions"`

	ConfirmedRequests *int64 `json:"backend_measured_requests"` // null with what follows: nothing was sent
	ConfirmedBlocks   *int64 `json:"backend_confirmed_blocks"`  // null where no backend reported
	ConfirmedTokens   *int64 `json:"backend_confirmed_tokens"`
	ConfirmedRate     *Rate  `json:"backend_confirmed_block_rate"`
	ConfirmedLift     *Lift  `json:"backend_confirmed_lift"`
}

// Transform is the group of one transform.
type Transform struct {
	Name     string   `json:"transform"`
	Figures  Group    `json:"figures"`
	Controls Controls `json:"negative_controls"`
}

// Controls sum up negative controls (KV-7-1, KV-7-2).
type Controls struct {
	Count         int64 `json:"negative_control_count"`
	Blocks        int64 `json:"negative_control_blocks"`
	ExactRate     *Rate `json:"negative_control_exact_block_hit_rate"` // null with what follows: no control
	EligibleRate  *Rate `json:"negative_control_semantic_eligible_rate"`
	ConfirmedRate *Rate `json:"negative_control_backend_confirmed_rate"`
	PlacementRate *Rate `json:"negative_control_semantic_placement_rate"`
}

// Collisions is the audit of the manifest's blocks.
type Collisions struct {
	Mode  string       `json:"mode"` // full, controls
	Found record.Audit `json:"found"`
}

// Placement is what a gateway told of where it sent warm requests. It is no
// materialisation (KV-6-2), and no figure of it is among the confirmed ones.
type Placement struct {
	Requests  int64   `json:"requests"`
	Told      int64   `json:"told"` // of which the gateway told an outcome
	Outcomes  []Count `json:"route_outcomes"`
	Endpoints []Count `json:"route_endpoints"`
	Semantic  Rate    `json:"semantic_placement_rate_by_request"`
}

// Count is how often something was seen.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// Interval is a statistic with its bootstrap interval over source documents.
type Interval struct {
	Value    float64 `json:"value"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	N        int     `json:"n"`            // pairs
	Clusters int     `json:"clusters"`     // documents that they come from
	Few      bool    `json:"few_clusters"` // so few that the interval says little
}

// Paired compares the cold and the warm arm of each item (KV-8-1).
type Paired struct {
	Total        int64 `json:"pairs_total"`
	Used         int64 `json:"pairs_used"` // clean pairs with two times, controls included
	Contaminated int64 `json:"pairs_contaminated"`
	Errored      int64 `json:"pairs_errored"`
	Untimed      int64 `json:"pairs_untimed"` // clean, and an arm has no time
	Unchecked    int64 `json:"pairs_unchecked"`
	Controls     int64 `json:"negative_control_pairs"` // of the used ones

	Blended       *Interval `json:"blended_ttft_speedup_mean"` // the headline (KV-8-2)
	BlendedMedian *Interval `json:"blended_ttft_speedup_median"`
	Hits          *int64    `json:"hit_pairs"` // null: no warm request could be judged
	HitRate       *Rate     `json:"hit_rate"`
	HitOnly       *Interval `json:"hit_only_ttft_speedup_mean"` // never without the rate (KV-8-3)

	Control          *Interval `json:"negative_control_ttft_speedup_mean"`
	ControlDeviation *float64  `json:"negative_control_ttft_speedup_deviation"`

	ColdP50 *float64 `json:"ttft_cold_p50_ms"`
	ColdP95 *float64 `json:"ttft_cold_p95_ms"`
	WarmP50 *float64 `json:"ttft_warm_p50_ms"`
	WarmP95 *float64 `json:"ttft_warm_p95_ms"`
	// Percentiles are over so many pairs.
	Percentiles int64 `json:"percentile_pairs"`
}

// Evidence is what one log says.
type Evidence struct {
	Summary record.Evidence `json:"summary"`
	// Reuse tells whether one request has both a hit and a materialisation of
	// more than 0 (KV-5-6): of a live run a warm request of its own, since a log
	// may hold other runs, donors and warm-ups; offline any that the log names.
	// WholeLog of the summary is the contract's own reading.
	Reuse  bool  `json:"materialized_semantic_kv_reuse"`
	Suffix bool  `json:"suffix_execution_proven"` // of the same requests, a boundary and a materialisation (KV-5-9)
	Joined int64 `json:"joined_requests"`         // of the run's own
	// Own are the warm ones of the joined requests with both a hit and a
	// materialisation, and OwnSuffix those with a boundary and one.
	Own       int64 `json:"own_materialized_requests"`
	OwnSuffix int64 `json:"own_suffix_execution_requests"`
}

// Materialized is how many requests have both a hit and a materialisation:
// those of the log, or of a live run its own.
func (e *Evidence) Materialized(live bool) int64 {
	if live {
		return e.Own
	}
	return e.Summary.MaterializedReuse
}

// SuffixOnly is how many of the same requests have both a boundary and a
// materialisation.
func (e *Evidence) SuffixOnly(live bool) int64 {
	if live {
		return e.OwnSuffix
	}
	return e.Summary.BoundariesProven
}

// Confirmation sums the logs up, for what an engine itself says that it did.
// Hits, events, tokens, units and errors are those of the whole logs; requests
// are those of [Evidence.Materialized].
type Confirmation struct {
	Measured int64 `json:"measured_requests"` // warm requests of clean pairs whose cached tokens were reported
	Split    int64 `json:"split_requests"`    // of them, those of which the backend says how much is semantic reuse (KV-5-5)

	Logs                 int    `json:"logs"`
	SemanticHits         *int64 `json:"engine_semantic_hits"` // null with what follows: no log
	Materializations     *int64 `json:"materialization_events"`
	MaterializedTokens   *int64 `json:"materialized_tokens"`
	MaterializedUnits    *int64 `json:"materialized_units"`
	MaterializedRequests *int64 `json:"materialized_requests"`
	Reuse                *bool  `json:"materialized_semantic_kv_reuse"`
	Suffix               *bool  `json:"suffix_execution_proven"`
	SuffixRequests       *int64 `json:"suffix_execution_requests"`
	Errors               *int64 `json:"engine_errors"`
}

// Quality holds outputs against answers, and warm ones against cold ones.
type Quality struct {
	Threshold exact.Number `json:"threshold"`
	Measured  int64        `json:"quality_measured"` // warm outputs of clean pairs
	PassRate  *Rate        `json:"quality_pass_rate"`
	Score     *float64     `json:"mean_quality_score"`
	F1        *float64     `json:"mean_quality_f1"`
	RougeL    *float64     `json:"mean_quality_rouge_l"`
	ColdPass  *Rate        `json:"cold_quality_pass_rate"`
	Empty     int64        `json:"empty_outputs"`     // of both arms
	Truncated int64        `json:"truncated_outputs"` // compared as far as they were kept

	Pairs  int64     `json:"warm_vs_cold_pairs"`
	Mean   *Interval `json:"warm_vs_cold_output_rouge_l_mean"`
	Floor  *Floor    `json:"noise_floor"` // null: nothing to judge the mean by (KV-8-8)
	Drop   *float64  `json:"warm_vs_cold_rouge_l_drop"`
	Excess *float64  `json:"warm_vs_cold_rouge_l_excess"`
}

// Floor is what two cold runs of one prompt give.
type Floor struct {
	File     string             `json:"file"`
	SHA256   string             `json:"sha256"`
	Protocol plan.FloorProtocol `json:"protocol"`
	Pairs    int64              `json:"pairs"`
	Mean     exact.Number       `json:"noise_floor_rouge_l_mean"`
	Low      exact.Number       `json:"low"`
	High     exact.Number       `json:"high"`
}

// Gate is a condition and what became of it.
type Gate struct {
	Name      string        `json:"name"`
	Condition string        `json:"condition"`
	From      string        `json:"from"`
	Status    string        `json:"status"` // passed, failed, no_data
	Why       string        `json:"why"`
	AtLeast   []Minimum     `json:"at_least"`
	Observed  []Observation `json:"observed"`
}

// Statuses of a gate.
const (
	GatePassed = "passed"
	GateFailed = "failed"
	GateNoData = "no_data"
)

// Minimum is the least count that a gate needs, and the count that there is.
type Minimum struct {
	Metric string `json:"metric"`
	N      int64  `json:"n"`
	Have   *int64 `json:"have"`
}

// Observation is a figure that a condition names.
type Observation struct {
	Metric      string   `json:"metric"` // for a look at rows its text
	Text        string   `json:"text"`   // for people: "0.485477 (351/723)"
	Value       *float64 `json:"value"`  // of a number
	Numerator   *int64   `json:"numerator"`
	Denominator *int64   `json:"denominator"`
	Why         string   `json:"why"` // why there is no value
}

// Supplementary is outside the metric contract.
type Supplementary struct {
	Note       string          `json:"note"`
	Estimators Estimators      `json:"estimators"`
	Invalid    []record.Reason `json:"plan_invalid_actions"`

	// TokenSources counts warm requests whose full blocks, as the server counts
	// its tokens, are others than the declared tokenizer's, or fewer than those
	// that it says were cached. The confirmed rate is over the server's.
	TokenSources *Rate     `json:"token_source_mismatch"`
	Mechanisms   []Count   `json:"reuse_mechanisms"` // of clean warm requests: prefix, semantic, prefix and semantic, combined, none, unreported
	EngineTTFT   *Interval `json:"engine_ttft_speedup_median"`
	EnginePairs  int64     `json:"engine_ttft_pairs"`
	QueueCold    *float64  `json:"queue_time_cold_p50_ms"`
	QueueWarm    *float64  `json:"queue_time_warm_p50_ms"`
	ResetsFailed int64     `json:"resets_failed"`
	DonorsFailed int64     `json:"donors_failed"`
	Failures     []Count   `json:"failures"` // outcomes of requests that were not answered
	Counters     []Window  `json:"engine_counters"`
}

// Estimators name how figures are computed.
type Estimators struct {
	Aggregate  string       `json:"aggregate"`
	Percentile string       `json:"percentile"`
	Interval   string       `json:"interval"`
	Confidence exact.Number `json:"confidence"`
}

// Window is what one of an engine's own counters did while the pairs ran. It
// counts every request that the engine answered meanwhile, warm-up and donors
// included.
type Window struct {
	URL   string   `json:"url"`
	Name  string   `json:"name"` // "" where the counters could not be read
	Delta *float64 `json:"delta"`
	Reset bool     `json:"counter_reset"`
	Why   string   `json:"why"` // why there is no difference
}

// Footer stands under every report.
type Footer struct {
	Statement string `json:"statement"`
}
