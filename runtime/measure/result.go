package measure

import (
	"encoding/json"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
)

// Format names the encoding of a result.
const Format = "fdbench.result/1"

// Statuses of a result.
const (
	StatusConformant = "conformant"
	StatusErrorBound = "conformant_with_error_bound"
	StatusReduced    = "reduced"
	StatusNonconform = "nonconformant"
	StatusSimulated  = "simulated" // virtual time, however complete (AMB-41)
)

// Result is what a run measured. Durations are seconds with the suffix _s;
// magnitudes and standard deviations are exact decimal strings in the
// indicator's unit; a value that does not exist is null, never 0.
type Result struct {
	Format      string `json:"format"`
	PlanDigest  string `json:"plan_digest"`
	Series      string `json:"series"`
	Generation  int    `json:"generation"`
	Exploratory bool   `json:"exploratory"`

	Earlier []journal.Generation `json:"earlier_generations"` // declarations of this series that came before

	Conformance    Conformance       `json:"conformance"`
	Comparability  Comparability     `json:"comparability"`
	Topology       Topology          `json:"topology"`
	Apparatus      plan.Apparatus    `json:"apparatus"`
	FaultClasses   []plan.FaultClass `json:"fault_classes"`
	Indicators     []plan.Indicator  `json:"indicators"` // how each is computed
	Detector       plan.Detector     `json:"detector"`
	Signal         plan.Signal       `json:"signal"`
	Onset          Onset             `json:"onset"`
	Clocks         Clocks            `json:"clocks"`
	Readback       Readback          `json:"readback"`
	Reception      *Reception        `json:"reception"` // null in virtual time
	Traffic        Traffic           `json:"traffic"`
	Targets        []Target          `json:"targets"`
	Caching        Caching           `json:"caching"`
	Baseline       []Baseline        `json:"baseline"`
	Quiet          []Quiet           `json:"quiet"`
	Latency        []Latency         `json:"latency"`
	Coverage       []Coverage        `json:"coverage"`
	Threshold      []Threshold       `json:"threshold"`
	FalseDetection []FalseDetection  `json:"false_detection"`
	Masking        []Masking         `json:"masking"`
	Supplementary  Supplementary     `json:"supplementary"`
	Footer         Footer            `json:"footer"`
}

// Conformance says under which name the result may be passed on.
type Conformance struct {
	Status        string      `json:"status"`
	Methodology   string      `json:"methodology"` // fault-detection
	Time          string      `json:"time"`        // virtual, real
	Complete      bool        `json:"complete"`
	Reductions    []Reduction `json:"reductions"`
	ReducedReason string      `json:"reduced_reason"` // the author's own words; "" where nothing is reduced
	Deviations    []Deviation `json:"deviations"`
	Attested      []Attested  `json:"attestations"`
	Violations    []Violation `json:"violations"`
}

// Reduction mirrors plan.Reduction.
type Reduction struct {
	What     string `json:"what"`
	Required string `json:"required"`
	Planned  string `json:"planned"`
}

// Deviation mirrors plan.Deviation.
type Deviation struct {
	Rule    string `json:"rule"`
	Because string `json:"because"`
}

// Attested mirrors plan.Attestation: declared, never verified.
type Attested struct {
	Subject   string `json:"subject"`
	By        string `json:"by"`
	Statement string `json:"statement"`
}

// Violation is a rule that the run broke.
type Violation struct {
	Rule   string `json:"rule"`
	Effect string `json:"effect"` // stops the series, marks the series, discards the trial, withholds the value
	Detail string `json:"detail"`
}

// Key is one of the five comparability keys (methodology 1.2): what it stands
// for, in canonical JSON, and the SHA-256 of that.
type Key struct {
	Value  json.RawMessage `json:"value"`
	SHA256 string          `json:"sha256"`
}

// Comparability holds the five keys.
type Comparability struct {
	ObservationPoint      Key `json:"observation_point"`
	DetectorConfiguration Key `json:"detector_configuration"`
	ServingConfiguration  Key `json:"serving_configuration"`
	RequestPopulation     Key `json:"request_population"`
	OfferedLoad           Key `json:"offered_load"`
}

// Topology is section 3.1.
type Topology struct {
	Environment      string   `json:"environment"`
	Kind             string   `json:"kind"`
	SUTBoundary      string   `json:"sut_boundary"`
	Path             []string `json:"path"`
	InjectionPoint   string   `json:"injection_point"`
	ObservationPoint string   `json:"observation_point"`
	Position         string   `json:"relative_position"`
}

// Onset is how Fault Onset is stamped (FD-3.4-1, FD-3.4-2).
type Onset struct {
	Source      string  `json:"source"`
	ResolutionS float64 `json:"resolution_s"`
}

// Readback is what was read back of the environment before and after every
// trial (FD-3.2-2, FD-3.3-2, FD-3.4-3). A digest is null where the part cannot
// be read back, and attested instead.
type Readback struct {
	Detector   *string `json:"detector_sha256"`
	Serving    *string `json:"serving_sha256"`
	Population *string `json:"population_sha256"`
	Readings   int     `json:"readings"`
	Changes    int     `json:"changes"`
}

// Reception is what a run in real time could not take in of what the detector
// said, or may have said: any of it may have been a detection, or the end of
// one. Nothing stands in for it.
type Reception struct {
	Segments   int      `json:"segments"` // that tell of something
	Malformed  int64    `json:"malformed"`
	Truncated  int64    `json:"truncated"`
	Refused    int64    `json:"refused"`
	Unresolved int64    `json:"unresolved"`
	Unanswered int64    `json:"unanswered"`
	Restarts   int64    `json:"restarts"`
	GapS       *float64 `json:"longest_gap_s"` // between two looks with an answer; null where none was longer than twice the interval
}

// Target is an address that the harness talked to (FD-7-1).
type Target struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	OptedIn bool   `json:"opted_in"` // outside the confined ranges, and let through by the command line
}

// Clocks is section 3.5.
type Clocks struct {
	Arrangement string   `json:"arrangement"`
	Apparatus   string   `json:"apparatus_host"`
	Detector    string   `json:"detector_host"`
	Method      string   `json:"method"` // of measuring the offset; "" where it was not
	Probes      int      `json:"probes"`
	MaxOffset   *float64 `json:"max_offset_s"`
	Poll        *float64 `json:"poll_period_s"` // by how much a signal may be received late; null where signals are delivered (AMB-14)
	Span        *float64 `json:"apply_span_s"`  // longest call that applied a fault: it came into force within it; null where the apparatus stamps the onset itself
	OnePercent  *bool    `json:"one_percent_ok"`
	Note        string   `json:"note"`
}

// Caching is section 3.3.
type Caching struct {
	Approach string `json:"approach"`
	Proof    string `json:"proof"`
}

// Baseline is one indicator at one point and load (methodology 4.2).
type Baseline struct {
	Load             string  `json:"load"`
	Indicator        string  `json:"indicator"`
	Unit             string  `json:"unit"`
	Point            string  `json:"point"` // injection, observation
	Mean             *string `json:"mean"`  // pooled over the interval (AMB-03)
	SD               *string `json:"sd"`    // over windows, n-1 (AMB-02)
	WindowsMean      *string `json:"windows_mean"`
	Windows          int     `json:"windows"`
	UndefinedWindows int     `json:"undefined_windows"`
	WindowS          float64 `json:"window_s"` // the detector's own window of the indicator at this load (AMB-02)
	Responses        int64   `json:"responses"`
	IntervalS        float64 `json:"interval_s"`
}

// Quiet is the quiet period used at a load (FD-4.3-5).
type Quiet struct {
	Load     string   `json:"load"`
	Rule     string   `json:"rule"`
	Periods  int      `json:"periods"`
	Failed   int      `json:"not_reached"`
	MinS     *float64 `json:"min_s"`
	MedianS  *float64 `json:"median_s"`
	MaxS     *float64 `json:"max_s"`
	AtLeastS float64  `json:"at_least_s"`
	AtMostS  float64  `json:"at_most_s"`
}

// Latency is Detection Latency for one combination (methodology 5.1).
type Latency struct {
	Class       string   `json:"class"`
	Profile     string   `json:"profile"`
	Magnitude   string   `json:"magnitude"`
	Load        string   `json:"load"`
	Trials      int      `json:"trials"` // kept
	Detected    int      `json:"detected"`
	Undetected  int      `json:"undetected"`
	Discarded   int      `json:"discarded"`
	Attempts    int      `json:"attempts"`
	Required    int      `json:"required"`
	TimeoutS    float64  `json:"timeout_s"` // declared, from onset (FD-5.1-9)
	MedianS     *float64 `json:"median_s"`
	P95S        *float64 `json:"p95_s"`
	MeanS       *float64 `json:"mean_s"`
	Estimator   string   `json:"estimator"`
	P95IsMax    bool     `json:"p95_is_max"`
	ErrorBoundS *float64 `json:"error_bound_s"`
	Below2SD    bool     `json:"below_2sd"`
	BaselineSD  *string  `json:"baseline_sd"`
	Withheld    string   `json:"withheld"` // "FD-5.4-6": the three times are, for want of a False Detection Rate; "" else
}

// Threshold is the Detection Threshold Magnitude (methodology 5.3).
type Threshold struct {
	Class      string      `json:"class"`
	Profile    string      `json:"profile"`
	Load       string      `json:"load"`
	Status     string      `json:"status"`      // found, below_floor, above_bound, incomplete
	UpperBound *string     `json:"upper_bound"` // null unless found
	Target     string      `json:"target"`
	Resolution string      `json:"resolution"`
	BaselineSD *string     `json:"baseline_sd"`
	Trace      []TraceStep `json:"trace"`    // empty where the bound is withheld, which its steps would give away
	Withheld   string      `json:"withheld"` // "FD-5.4-7": the bound is, for want of a False Detection Rate; "" else
}

// TraceStep is one evaluation of a search.
type TraceStep struct {
	Role      string `json:"role"`
	Magnitude string `json:"magnitude"`
	Detected  int    `json:"detected"`
	Trials    int    `json:"trials"`
	Met       bool   `json:"met"`
}

// FalseDetection is the False Detection Rate at a load (methodology 5.4).
type FalseDetection struct {
	Load            string  `json:"load"`
	Count           int     `json:"count"`
	Edges           int     `json:"edges"`
	PeriodS         float64 `json:"period_s"`
	RequiredS       float64 `json:"required_s"`
	TimeUnderFaultS float64 `json:"time_under_fault_s"`
	ActiveS         float64 `json:"active_s"`

	BlindS  *float64      `json:"blind_s"`  // beside the period: time in which the detector could not have spoken falsely, or nobody knows whether it could; null in virtual time
	SilentS *float64      `json:"silent_s"` // of it, windows in which not one request was answered; null where that is not on record
	Traffic *FalseTraffic `json:"traffic"`  // null in virtual time, and where it is not on record
}

// FalseTraffic is how the requests were sent while false detections were
// observed, over all of the time, blind or not (FD-5.4-1).
type FalseTraffic struct {
	Offered   int64    `json:"offered"` // requests whose time had come: sent and dropped
	Sent      int64    `json:"sent"`
	Dropped   int64    `json:"dropped"`
	LateP50S  *float64 `json:"late_p50_s"` // sent later than scheduled: the largest of the stretches' medians,
	LateP99S  *float64 `json:"late_p99_s"` // of their 99th percentiles,
	LateMaxS  *float64 `json:"late_max_s"` // and of all requests
	Unmatched int64    `json:"unmatched"`  // seen at one of the two points only
	Failures  []Tally  `json:"failures"`   // requests without an answer, by how they ended
}

// Masking is Boundary Masking (methodology 5.5).
type Masking struct {
	Class      string   `json:"class"`
	Magnitude  *string  `json:"magnitude"` // null where the two points are the same
	Load       string   `json:"load"`
	Status     string   `json:"status"` // value, not_applicable, incomplete
	Median     *float64 `json:"median"`
	Trials     int      `json:"trials"`
	Required   int      `json:"required"`
	Discarded  int      `json:"discarded"`
	Method     string   `json:"method"`
	Below2SD   bool     `json:"below_2sd"`
	BaselineSD *string  `json:"baseline_sd"` // FD-4.2-9; null where the two points are the same
}

// Footer limits what the values may be used for (FD-1.1-1, FD-1.2-6).
type Footer struct {
	Statement     string `json:"statement"`
	JournalSHA256 string `json:"journal_sha256"`
	Journal       string `json:"journal"`
}
