package compare

import (
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/runtime/measure"
)

// Format names the encoding of a comparison.
const Format = "fdbench.comparison/1"

// Comparison is two results side by side, or the reasons why they are not
// compared. Durations are seconds with the suffix _s; a value that does not
// exist is null. Where Comparable is false the tables are empty.
type Comparison struct {
	Format     string `json:"format"`
	Comparable bool   `json:"comparable"`
	Heading    string `json:"heading"`
	Statement  string `json:"statement"`
	Study      string `json:"study"` // the factor that was allowed to differ; "" without one

	A        Side      `json:"a"`
	B        Side      `json:"b"`
	Refusals []Refusal `json:"refusals"`
	Keys     []Key     `json:"keys"` // all five, in the order of section 1.2

	Repetition bool         `json:"repetition"` // both have the same plan
	SameRun    bool         `json:"same_run"`   // both have, or name, the same journal, byte by byte
	Remarks    []string     `json:"remarks"`    // what the tables must not be read without
	Conditions []Difference `json:"conditions"` // declared values outside of the five keys that differ
	FromPlans  bool         `json:"from_plans"` // Conditions come from both plans; from the results alone otherwise
	TwoLists   bool         `json:"two_lists"`  // the loads differ, so no row has a value of both (AMB-36)
	Redefined  []string     `json:"redefined"`  // fault classes of one name that are defined differently: their rows are not matched

	Baseline       []BaselineRow       `json:"baseline"`
	Latency        []LatencyRow        `json:"latency"`
	Coverage       []CoverageRow       `json:"coverage"`
	Threshold      []ThresholdRow      `json:"threshold"`
	FalseDetection []FalseDetectionRow `json:"false_detection"`
	Masking        []MaskingRow        `json:"masking"`
	Supplementary  Supplementary       `json:"supplementary"`
	Footer         string              `json:"footer"`
}

// Side is one of the two results.
type Side struct {
	Name          string              `json:"name"`     // as the caller named it
	Verified      bool                `json:"verified"` // recomputed from its plan and journal; false: a bare result was believed
	Series        string              `json:"series"`
	Generation    int                 `json:"generation"`
	Status        string              `json:"status"`
	Time          string              `json:"time"` // virtual, real
	Environment   string              `json:"environment"`
	Organisation  string              `json:"organisation"`
	PlanDigest    string              `json:"plan_digest"`
	JournalSHA256 string              `json:"journal_sha256"`
	Reductions    []measure.Reduction `json:"reductions"`
	Deviations    []measure.Deviation `json:"deviations"`
	Attested      []measure.Attested  `json:"attestations"`
	Violations    []measure.Violation `json:"violations"`
	Units         map[string]string   `json:"units"` // of the magnitudes of each fault class
}

// Reasons of a refusal.
const (
	ReasonMethodology   = "methodology"   // they follow different methodologies
	ReasonExploratory   = "exploratory"   // one was run without a lock
	ReasonIncomplete    = "incomplete"    // one did not do all that its plan asks for
	ReasonNonconformant = "nonconformant" // one breaks a requirement
	ReasonUnreportable  = "unreportable"  // of one no report may be made
	ReasonContradiction = "contradiction" // both name one journal, and differ
	ReasonStatus        = "status"        // one is called what its time does not give
	ReasonReduced       = "reduced"       // a reduced series beside a full one
	ReasonTime          = "time"          // virtual time beside real time
	ReasonEnvironment   = "environment"   // another organisation or environment
	ReasonKeyMissing    = "key_missing"   // a key is absent, or its digest is not that of its value
	ReasonKeyDiffers    = "key_differs"   // a key differs that may not
	ReasonSeries        = "series"        // a changed detector makes another series
	ReasonNoChange      = "no_change"     // a study of a key that does not differ
)

// Refusal is one reason why two results are not compared.
type Refusal struct {
	Rule        string       `json:"rule"`   // the requirement that a comparison would break; "" where it is this program's own strictness
	Reason      string       `json:"reason"` // see the constants
	Key         string       `json:"key"`    // the key that it is about; "" for none
	Summary     string       `json:"summary"`
	Why         string       `json:"why"`
	Remedy      string       `json:"remedy"`
	Differences []Difference `json:"differences"`
}

// Key is the outcome of comparing one comparability key.
type Key struct {
	Name        string       `json:"name"`
	Same        bool         `json:"same"` // by digest
	SHA256A     string       `json:"sha256_a"`
	SHA256B     string       `json:"sha256_b"`
	Differences []Difference `json:"differences"`
}

// Difference is one declared value that differs.
type Difference struct {
	Path string  `json:"path"` // "detector.alerts[RefusalsHigh].threshold"
	Line int     `json:"line"` // in a text of several lines, such as a rule file; 0 for other values
	A    *string `json:"a"`    // null: absent
	B    *string `json:"b"`
}

// BaselineRow is a baseline of both results. Without its baseline a magnitude
// says nothing.
type BaselineRow struct {
	Load      string            `json:"load"`
	Indicator string            `json:"indicator"`
	Point     string            `json:"point"`
	A         *measure.Baseline `json:"a"` // null: only B has the row
	B         *measure.Baseline `json:"b"`
}

// LatencyRow is Detection Latency of one combination in both results.
type LatencyRow struct {
	Row measure.RowKey   `json:"row"`
	A   *measure.Latency `json:"a"`
	B   *measure.Latency `json:"b"`
}

// CoverageRow is Detection Coverage of one combination in both results.
type CoverageRow struct {
	Row measure.RowKey    `json:"row"`
	A   *measure.Coverage `json:"a"`
	B   *measure.Coverage `json:"b"`
}

// ThresholdRow is a Detection Threshold Magnitude of both results. Searches for
// other targets or to other resolutions are other rows.
type ThresholdRow struct {
	Class      string             `json:"class"`
	Profile    string             `json:"profile"`
	Load       string             `json:"load"`
	Target     string             `json:"target"`
	Resolution string             `json:"resolution"`
	A          *measure.Threshold `json:"a"`
	B          *measure.Threshold `json:"b"`
}

// FalseDetectionRow is the False Detection Rate of a load in both results.
type FalseDetectionRow struct {
	Load string                  `json:"load"`
	A    *measure.FalseDetection `json:"a"`
	B    *measure.FalseDetection `json:"b"`
}

// MaskingRow is Boundary Masking of one fault in both results.
type MaskingRow struct {
	Class     string           `json:"class"`
	Magnitude *string          `json:"magnitude"` // null where the two points are the same
	Load      string           `json:"load"`
	A         *measure.Masking `json:"a"`
	B         *measure.Masking `json:"b"`
}

// Encode returns the comparison as indented JSON with a line end. Equal
// comparisons have equal bytes.
func Encode(c *Comparison) []byte {
	return plainjson.MustIndent(c)
}
