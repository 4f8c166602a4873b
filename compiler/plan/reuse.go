package plan

import "github.com/fdbench/fdbench/lang/exact"

// ReuseFormat names the encoding of a plan of a reuse block.
const ReuseFormat = "fdbench.reuse-plan/1"

// Reuse is one reuse block, compiled: what the metric contract for semantic
// KV-cache reuse is measured with (KV rows of package spec).
type Reuse struct {
	Format      string           `json:"format"`
	Name        string           `json:"name"`
	Inputs      Inputs           `json:"inputs"`
	Declaration ReuseDeclaration `json:"declaration"`
	Gates       []Gate           `json:"gates"` // in the order of the scenario
	Estimators  ReuseEstimators  `json:"estimators"`
	Rules       []RuleOutcome    `json:"rules"` // the KV rows that are decided before a run
	Digests     ReuseDigests     `json:"digests"`
	Digest      string           `json:"digest"`
}

// ReuseDigests are the SHA-256 of each section.
type ReuseDigests struct {
	Inputs      string `json:"inputs"`
	Declaration string `json:"declaration"`
	Gates       string `json:"gates"`
	Estimators  string `json:"estimators"`
	Rules       string `json:"rules"`
}

// ReuseDeclaration is what is frozen before the first request or row.
type ReuseDeclaration struct {
	Description  string          `json:"description"`
	Manifest     ReuseManifest   `json:"manifest"`
	BlockSize    int             `json:"block_size"` // tokens, at least 1
	Tokenizer    ReuseTokenizer  `json:"tokenizer"`
	Audit        string          `json:"audit"`   // of collisions: full, controls (a control against its own donors, in constant memory)
	Scope        string          `json:"scope"`   // item, corpus: whose donors the exact index holds
	Planner      *ReusePlanner   `json:"planner"` // built in; null where there is none
	Plans        *ReusePlans     `json:"plans"`   // from a real planner; null where there are none
	Live         *ReuseLive      `json:"live"`    // null: offline
	Evidence     []ReuseEvidence `json:"evidence"`
	Calibration  *ReuseFloor     `json:"calibration"`       // null: outputs are judged against nothing
	Quality      exact.Number    `json:"quality_threshold"` // a row passes with a score at least so high; in [0, 1]
	Seed         string          `json:"seed"`
	Deviations   []Deviation     `json:"deviations"`
	Attestations []Attestation   `json:"attestations"`
}

// ReuseManifest are the pairs of donors and recipients.
type ReuseManifest struct {
	File      string          `json:"file"`      // relative to the scenario; "" where it is made from documents
	SHA256    string          `json:"sha256"`    // of its bytes, "sha256:..."
	Items     int64           `json:"items"`     // usable rows
	Controls  int64           `json:"controls"`  // of them, negative controls
	Documents *ReuseDocuments `json:"documents"` // what it is made from; null for a file
}

// ReuseDocuments say how a manifest is made from the user's own documents.
type ReuseDocuments struct {
	File        string   `json:"file"`
	SHA256      string   `json:"sha256"`
	Dataset     string   `json:"dataset"`
	Transforms  []string `json:"transforms"` // in the order of the contract
	MaxSegments int      `json:"max_segments"`
	MinSegment  int      `json:"min_segment"` // characters
	Selection   string   `json:"selection"`   // of the negative controls' donors: cross_domain, adjacent
}

// ReuseTokenizer is what counts tokens offline.
type ReuseTokenizer struct {
	Name    string `json:"name"`    // stable, cl100k_base, ...
	Version string `json:"version"` // of the algorithm or of the vocabulary's module
}

// ReusePlanner is a built-in deterministic planner.
type ReusePlanner struct {
	Name   string `json:"name"`    // span, chunk
	MinRun int    `json:"min_run"` // span: the shortest run that is copied, in tokens
	Gated  bool   `json:"gated"`   // chunk: a match without a matched neighbour is dropped
}

// ReusePlans is a file with one plan an item.
type ReusePlans struct {
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Planner string `json:"planner"` // its name, for every result
}

// ReuseLive are the cold and warm arms against a running endpoint.
type ReuseLive struct {
	Driver        string         `json:"driver"` // openai, sglang
	Endpoint      Endpoint       `json:"endpoint"`
	Model         string         `json:"model"`
	Engine        string         `json:"engine"`         // vllm, sglang, trtllm, other
	EngineVersion string         `json:"engine_version"` // as declared; "" where it is not
	Donors        []string       `json:"donors"`         // base URLs that donors are sent to; empty: where recipients go
	Reset         []string       `json:"reset"`          // URLs, POSTed before each arm
	ResetTokenEnv string         `json:"reset_token_env"`
	Order         string         `json:"order"`         // cold_first, counterbalanced (seeded)
	HitThreshold  int64          `json:"hit_threshold"` // confirmed tokens from which a warm request is a hit
	Contamination string         `json:"contamination"` // any: a cold arm with a cached token; block: with more than a block
	Signal        string         `json:"signal"`        // what a hit is counted from: cached_tokens, evidence
	MaxTokens     int            `json:"max_tokens"`    // of a recipient's answer
	DonorTokens   int            `json:"donor_max_tokens"`
	Temperature   exact.Number   `json:"temperature"`
	Warmup        int            `json:"warmup"`      // requests before the first item
	Cooldown      exact.Duration `json:"cooldown"`    // between the arms of a pair
	DonorDelay    exact.Duration `json:"donor_delay"` // after the donors
	Concurrency   int            `json:"concurrency"` // pairs at a time; 1 where a reset is declared
	Route         []RouteHeader  `json:"route"`       // response headers that tell a placement
	Metrics       []string       `json:"metrics"`     // URLs of Prometheus expositions, read before and after
}

// RouteHeader says which response header of a gateway tells what of a
// placement. A placement is no materialisation (KV-6-2).
type RouteHeader struct {
	Header string `json:"header"` // lower case
	Tells  string `json:"tells"`  // outcome, endpoint, semantic_score, total_score, reason
}

// ReuseEvidence is a log in which an engine tells what it materialised.
type ReuseEvidence struct {
	Engine string `json:"engine"` // vllm, sglang, trtllm, audit
	Log    string `json:"log"`    // relative to the scenario
	// SHA256 is that of the file where it is there before the run, which then
	// is offline; "" where a live run's engine writes it.
	SHA256 string `json:"sha256"`
}

// ReuseFloor is a noise floor, taken over whole from a calibration artifact
// (KV-8-8).
type ReuseFloor struct {
	File     string        `json:"file"`
	SHA256   string        `json:"sha256"`
	Protocol FloorProtocol `json:"protocol"`
	Pairs    int64         `json:"pairs"`
	Mean     exact.Number  `json:"rouge_l_mean"`
	P05      exact.Number  `json:"rouge_l_p05"`
	P50      exact.Number  `json:"rouge_l_p50"`
	Low      exact.Number  `json:"rouge_l_ci_low"`
	High     exact.Number  `json:"rouge_l_ci_high"`
}

// FloorProtocol is what a noise floor and the run that is judged by it have in
// common.
type FloorProtocol struct {
	Model          string       `json:"model"`
	Engine         string       `json:"engine"`
	EngineVersion  string       `json:"engine_version"`
	MaxTokens      int          `json:"max_tokens"`
	Temperature    exact.Number `json:"temperature"`
	Concurrency    int          `json:"concurrency"`
	ManifestSHA256 string       `json:"manifest_sha256"`
}

// Gate is a condition on the result, with the least counts that it needs.
type Gate struct {
	Name      string    `json:"name"`
	Condition string    `json:"condition"` // canonical text (package lang/gate), limits filled in
	AtLeast   []Minimum `json:"at_least"`  // by metric
	From      string    `json:"from"`      // the standard library's gate that it is; "" for one of the scenario's own
}

// Minimum is the least value of a count below which a gate has no data.
type Minimum struct {
	Metric string `json:"metric"`
	N      int64  `json:"n"`
}

// ReuseEstimators name how figures are computed.
type ReuseEstimators struct {
	Aggregate  string       `json:"aggregate"`  // "micro average: sums, then one division"
	Percentile string       `json:"percentile"` // "linear at p(n-1)"
	Interval   string       `json:"interval"`   // "percentile bootstrap, 2000 resamples of source documents"
	Resamples  int          `json:"resamples"`
	Confidence exact.Number `json:"confidence"`
	Engine     string       `json:"engine"` // what executes the plan, with its version
}
