package record

import "github.com/fdbench/fdbench/lang/exact"

// Kinds of the entries that a run of a reuse block adds to those that every
// journal has (open, segment, commit, resume, close).
const (
	KindItem     = "reuse_item"     // Item
	KindReset    = "reuse_reset"    // Reset, before the arm that it is for
	KindArm      = "reuse_arm"      // Arm
	KindCounters = "reuse_counters" // Counters
	KindEvidence = "reuse_evidence" // Evidence, after the last arm
	KindJoined   = "reuse_joined"   // Joined, one for each request that a log names
	KindAudit    = "reuse_audit"    // Audit: collisions of the manifest's blocks
)

// Phases of a segment of such a journal.
const (
	PhaseOffline  = "offline"  // a stretch of items
	PhasePair     = "pair"     // both arms of one item
	PhaseEvidence = "evidence" // logs, counters and the collision audit
)

// Arms of a pair.
const (
	Cold = "cold" // nothing of the item is in the cache
	Warm = "warm" // its donors are
)

// Item is what the manifest alone, and a plan for it, say of one item.
type Item struct {
	Index     int64  `json:"index"` // from 0, usable rows of the manifest
	ItemID    string `json:"item_id"`
	Dataset   string `json:"dataset"`
	SourceID  string `json:"source_id"`
	Transform string `json:"transform"`
	Control   bool   `json:"negative_control"`
	Donors    int    `json:"donor_count"`

	PromptTokens int64 `json:"prompt_tokens"` // of the recipient, by the declared tokenizer
	TotalBlocks  int64 `json:"total_blocks"`  // full blocks (KV-1-1)
	ExactBlocks  int64 `json:"exact_hit_blocks"`
	PrefixBlocks int64 `json:"exact_prefix_hit_blocks"`

	// Planned tells that a planner looked at the item. Without one the two
	// counts do not exist and are 0 here (KV-3-1, KV-4-1).
	Planned   bool  `json:"planned"`
	Candidate int64 `json:"semantic_candidate_blocks"`
	Eligible  int64 `json:"semantic_eligible_blocks"`
	// Invalid counts actions of the plan that no donor could serve, by reason.
	Invalid []Reason `json:"plan_invalid_actions,omitempty"`
}

// Reason counts what happened for one cause.
type Reason struct {
	Reason string `json:"reason"`
	N      int64  `json:"n"`
}

// Reset is what emptied a cache before an arm.
type Reset struct {
	ItemID string `json:"item_id"`
	Arm    string `json:"arm"`
	OK     bool   `json:"ok"` // every URL answered with 2xx
	Detail string `json:"detail,omitempty"`
}

// Arm is one measured request. Times are nanoseconds; what was not reported or
// did not happen is null.
type Arm struct {
	ItemID    string `json:"item_id"`
	Arm       string `json:"arm"`
	Position  int64  `json:"position"` // of the request in the run, from 0: the order in which they were sent
	First     bool   `json:"first"`    // of the two arms
	RequestID string `json:"request_id"`
	// EngineID is the id that the engine's answer carries.
	EngineID string `json:"engine_id"`
	Model    string `json:"model,omitempty"` // that was asked for
	Reset    string `json:"reset"`           // ok, failed, none

	Outcome string `json:"outcome"` // of package openai: "ok", or how it failed
	Detail  string `json:"detail,omitempty"`

	Donors       int `json:"donors_sent"`
	DonorsFailed int `json:"donors_failed"`

	PromptTokens *int64   `json:"prompt_tokens"` // as the server counts them
	CachedTokens *int64   `json:"cached_tokens"` // as the server reports them; null where it does not
	FuzzyTokens  *int64   `json:"fuzzy_tokens"`  // of them, those that the engine attributes to semantic reuse; null where it does not split them
	TTFT         *int64   `json:"ttft_ns"`       // from the send of the request to its first content
	Latency      *int64   `json:"latency_ns"`
	EngineTTFT   *float64 `json:"engine_ttft_ms"` // from scheduling, without the queue
	Queue        *float64 `json:"queue_time_ms"`

	Route *Route `json:"route"` // null: the gateway told nothing

	Output    string `json:"output"`
	Truncated bool   `json:"output_truncated,omitempty"` // longer than MaxOutput bytes
	// Quality are the scores of the output against the item's answers; null
	// without answers.
	Quality *Quality `json:"quality"`
	Finish  string   `json:"finish_reason"`
}

// MaxOutput bounds the output that an entry keeps, in bytes.
const MaxOutput = 64 << 10

// Quality holds an output against the answers of its item.
type Quality struct {
	Score  float64 `json:"score"` // recall of the answer
	F1     float64 `json:"token_f1"`
	RougeL float64 `json:"rouge_l"`
	Pass   bool    `json:"pass"`
}

// Route is where a gateway or a router says that it placed a request. That is
// no materialisation (KV-6-2).
type Route struct {
	Outcome       string        `json:"outcome"` // semantic_placement, exact_route, cold_route, error_fallback, or as told
	Endpoint      string        `json:"endpoint"`
	SemanticScore *exact.Number `json:"semantic_score"`
	TotalScore    *exact.Number `json:"total_score"`
	Reason        string        `json:"reason"`
	Header        string        `json:"header"` // what was told, word for word
}

// Counters are an engine's own counters before and after the pairs.
type Counters struct {
	URL    string    `json:"url"`
	Moment string    `json:"moment"`           // before, after
	Values []Counter `json:"values"`           // by name; absent ones are left out
	Detail string    `json:"detail,omitempty"` // why they could not be read
}

// Counter is one of them, summed over its labels.
type Counter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Evidence is what one log says as a whole.
type Evidence struct {
	Engine string `json:"engine"`
	Log    string `json:"log"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Lines  int64  `json:"lines"`

	DonorRegistrations int64    `json:"donor_registrations"`
	SemanticHits       int64    `json:"semantic_hits"`
	LoadAdvertisements int64    `json:"load_advertisements"`
	Materializations   int64    `json:"materialization_events"`
	MaterializedTokens int64    `json:"materialized_tokens"`
	MaterializedUnits  int64    `json:"materialized_units"`
	RopeCorrections    int64    `json:"rope_corrections"`
	EngineBoundaries   int64    `json:"engine_boundaries"`
	Rejections         []Reason `json:"rejection_reasons"`
	Errors             int64    `json:"errors"`
	Warnings           int64    `json:"runtime_warnings"`
	Malformed          int64    `json:"malformed_lines"`
	Requests           int64    `json:"requests"`              // that the log names
	MaterializedReuse  int64    `json:"materialized_requests"` // of them, with both a hit and a materialisation of more than 0
	MaterializedAlone  int64    `json:"materialized_without_hit"`
	HitsAlone          int64    `json:"hits_without_materialization"`
	BoundariesProven   int64    `json:"suffix_execution_requests"` // with a boundary and a materialisation
	Ambiguous          int64    `json:"ambiguous_requests"`        // requests that two ids of the log stand for, and ids of it that several requests have
	WholeLog           bool     `json:"whole_log_reading"`         // a hit and a materialisation anywhere in the log (the contract's own reading)
	SemanticHitsWhole  int64    `json:"semantic_hits_whole_log"`   // hit lines, as that reading counts them

	DiscoveryOnly    int64           `json:"discovery_only_hits"` // of the semantic hits, those that offer no token
	Started          int64           `json:"materializations_started"`
	AdvertisedTokens int64           `json:"advertised_tokens"`
	ExactHits        int64           `json:"exact_hits"` // of an exact cache, which has no semantic ones
	ExactHitTokens   int64           `json:"exact_hit_tokens"`
	Unattributed     Unattributed    `json:"unattributed"`
	SimilarityMin    *float64        `json:"similarity_min"` // over the semantic hits; null where none tells one
	SimilarityMax    *float64        `json:"similarity_max"`
	TooLong          int64           `json:"too_long_lines"`                   // of the malformed ones, those of more than 1 MiB
	Unknown          []Reason        `json:"unknown_events"`                   // that carry the engine's mark and that no pattern reads, by name
	EventsWhole      int64           `json:"materialization_events_whole_log"` // as the contract's own reading counts them
	TokensWhole      int64           `json:"materialized_tokens_whole_log"`
	ErrorsWhole      int64           `json:"errors_whole_log"` // lines with those letters anywhere
	Connector        *ConnectorAudit `json:"connector_audit"`  // null for other logs
}

// Unattributed is evidence that names no request, and so proves nothing of one.
type Unattributed struct {
	Hits             int64 `json:"semantic_hits"`
	Materializations int64 `json:"materialization_events"`
}

// ConnectorAudit is what an audit of a KV connector has beside the events of
// other logs. A share with nothing to divide by has a denominator of 0.
type ConnectorAudit struct {
	RequestEvents int64 `json:"request_events"`
	EngineEvents  int64 `json:"engine_scope_events"`   // that name no request
	OtherVersions int64 `json:"other_schema_versions"` // lines of another version, which are not read
	Declined      int64 `json:"materializations_declined"`
	Allocated     int64 `json:"allocated_tokens"`
	Evicted       int64 `json:"evicted_blocks"`
	// Aligned are the requests whose boundary is the start of a span, of those
	// of which a boundary was seen.
	Aligned Share `json:"boundary_alignment"`
	// Reused are the requests that materialised more than 0 tokens, of those
	// to which a load of more than 0 was advertised; Tokens is the same in
	// tokens.
	Reused Share `json:"materialized_reuse"`
	Tokens Share `json:"materialized_reuse_tokens"`
}

// Share is a rate before it is divided.
type Share struct {
	Numerator   int64 `json:"numerator"`
	Denominator int64 `json:"denominator"`
}

// Joined is what a log says of one request.
type Joined struct {
	Log          string `json:"log"`
	RequestID    string `json:"request_id"` // as in the log
	ItemID       string `json:"item_id"`    // of the run's arm that it is; "" for none
	Arm          string `json:"arm"`
	Hits         int64  `json:"hits"` // that offer tokens, or do not say how many
	Advertised   int64  `json:"advertised_tokens"`
	Materialized int64  `json:"materializations"`
	Tokens       int64  `json:"materialized_tokens"`
	Units        int64  `json:"materialized_units"`
	Boundaries   int64  `json:"engine_boundaries"`

	Discovery  int64    `json:"discovery_only_hits"` // beside the hits: lookups that found a donor and offer no token
	Similarity *float64 `json:"similarity"`          // of the last hit that tells one; null for none
}

// Audit tells whether the manifest's controls are what they claim to be.
type Audit struct {
	Origins     int64       `json:"origins"` // documents that donors come from
	DonorBlocks int64       `json:"donor_blocks"`
	Distinct    int64       `json:"distinct"`
	Boilerplate int64       `json:"boilerplate_blocks"` // seen in many origins, and exempt
	Violations  int64       `json:"violations"`
	Listed      []Collision `json:"listed"` // the first of them, at most MaxCollisions
	// Exempt counts blocks that a control shares with its own donors and that
	// are exempt since many origins have them: text of a template, which the
	// rule on controls does not see.
	Exempt int64 `json:"exempt_control_overlaps"`
}

// MaxCollisions bounds the collisions that an audit spells out.
const MaxCollisions = 50

// Collision is a block of a recipient where it must not be.
type Collision struct {
	Kind   string `json:"kind"` // phantom_cross_source, negative_control_overlap
	ItemID string `json:"item_id"`
	Block  int64  `json:"block"`  // of the recipient, from 0
	Origin string `json:"origin"` // the document that holds it
}
