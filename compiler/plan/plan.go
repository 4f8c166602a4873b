package plan

import "github.com/fdbench/fdbench/lang/exact"

// Format names the encoding of a plan.
const Format = "fdbench.plan/1"

// Plan is one series, compiled. Its digest covers the digests of its sections,
// so a changed byte names the section that changed.
type Plan struct {
	Format       string         `json:"format"`
	Series       string         `json:"series"`
	Inputs       Inputs         `json:"inputs"`
	Declaration  Declaration    `json:"declaration"`
	Combinations Combinations   `json:"combinations"`
	Phases       []Phase        `json:"phases"`
	Estimators   Estimators     `json:"estimators"`
	Rules        []RuleOutcome  `json:"rules"`
	Budget       Budget         `json:"budget"`
	Digests      SectionDigests `json:"digests"`
	Digest       string         `json:"digest"`
}

// Inputs are the files and variables that the plan was made from.
type Inputs struct {
	Language  int               `json:"language"`
	Files     []InputFile       `json:"files"`     // by name
	Variables map[string]string `json:"variables"` // canonical JSON of each value
	Stdlib    string            `json:"stdlib"`    // digest of the standard library
}

// InputFile is a file of the scenario, named relative to its folder with
// slashes. Text files are digested with LF line ends.
type InputFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Role   string `json:"role"` // "scenario", "responses", "replacement", "rules", "population"
}

// Declaration is what section 4.1 and its neighbours freeze before the first
// trial. The lock keeps it.
type Declaration struct {
	Environment    Environment    `json:"environment"`
	Serving        Serving        `json:"serving"`
	Apparatus      Apparatus      `json:"apparatus"`
	Population     Population     `json:"population"`
	Indicators     []Indicator    `json:"indicators"` // every one that is faulted or that the detector computes
	FaultClasses   []FaultClass   `json:"fault_classes"`
	Detector       Detector       `json:"detector"`
	Signal         Signal         `json:"signal"`
	Load           Load           `json:"load"`
	Baseline       Baseline       `json:"baseline"`
	Quiet          Quiet          `json:"quiet"`
	Trials         Trials         `json:"trials"`
	FalseDetection FalseDetection `json:"false_detection"`
	Masking        *Masking       `json:"masking"` // null: no masking trials are run
	Sham           Sham           `json:"sham"`
	Seed           string         `json:"seed"`
	Window         exact.Duration `json:"window"` // W without count windows, see LoadPoint.Window
	Deviations     []Deviation    `json:"deviations"`
	Attestations   []Attestation  `json:"attestations"`
	Reductions     []Reduction    `json:"reductions"`
	ReducedReason  string         `json:"reduced_reason"`
}

// Environment is the declared environment (methodology 3.1, 3.3, 3.5).
type Environment struct {
	Name         string      `json:"name"`
	Kind         string      `json:"kind"`         // simulated, lab, ci
	SUTBoundary  string      `json:"sut_boundary"` // model_engine, application_gateway, ai_firewall, compound_system
	Description  string      `json:"description"`
	Organisation string      `json:"organisation"`
	Path         []string    `json:"path"`
	InjectAt     string      `json:"inject_at"`
	ObserveAt    string      `json:"observe_at"`
	Position     string      `json:"position"` // same, fip_upstream, fip_downstream (FD-3.1-6)
	Guardrails   []Guardrail `json:"guardrails"`
	Caching      string      `json:"caching"` // disabled, no_hit_population
	CachingProof string      `json:"caching_proof"`
	Clocks       string      `json:"clocks"`                    // same_host, probed, chrony
	Responder    string      `json:"clock_responder,omitempty"` // probed, live: HOST:PORT that answers probes at the detector's host
}

// Guardrail replaces a share of the affected responses that pass a place.
type Guardrail struct {
	Place string       `json:"place"`
	Masks exact.Number `json:"masks"` // share in [0, 1]
	Class string       `json:"class"` // "" for every class
	Acts  bool         `json:"acts"`  // it lies after the injection point and not after the observation point
}

// Serving is the deployment under observation.
type Serving struct {
	Name          string       `json:"name"`
	Kind          string       `json:"kind"` // simulated, recorded, openai
	Model         string       `json:"model"`
	Configuration string       `json:"configuration"` // canonical JSON
	Latency       Distribution `json:"latency"`       // seconds
	Responses     string       `json:"responses"`     // recorded: input file
	Rows          int          `json:"rows"`          // recorded: usable rows
	Behaviours    []Behaviour  `json:"behaviours"`    // simulated

	Endpoint *Endpoint `json:"endpoint,omitempty"` // openai
}

// Behaviour is how a simulated deployment scores on one indicator.
type Behaviour struct {
	Indicator    string        `json:"indicator"`
	Rate         *exact.Number `json:"rate"`
	Distribution *Distribution `json:"distribution"`
}

// Distribution is a named law. Its parameters are in the unit of what it
// describes; a lognormal has its median and the sigma of the logarithm.
type Distribution struct {
	Kind string       `json:"kind"` // constant, uniform, exponential, lognormal, normal
	A    exact.Number `json:"a"`
	B    exact.Number `json:"b"`
}

// Apparatus is what applies faults (methodology 3.4).
type Apparatus struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`     // simulated, proxy, http, command
	Sampling string `json:"sampling"` // quota, bernoulli (AMB-06)
	Block    int    `json:"block"`    // requests in one permuted block of the quota; 0: as many as the verification window holds
	Verify   string `json:"verify"`   // paired, observed

	Lease   exact.Duration    `json:"lease,omitempty"` // live: a fault ends by itself when it is not renewed for so long
	Proxy   *ProxyApparatus   `json:"proxy,omitempty"`
	HTTP    *HTTPApparatus    `json:"http,omitempty"`
	Command *CommandApparatus `json:"command,omitempty"`
	Levels  []Level           `json:"levels,omitempty"` // http, command
}

// Population is the request population.
type Population struct {
	Name       string `json:"name"`
	Source     string `json:"source"`
	Generator  string `json:"generator"`
	Salt       string `json:"salt"` // nonce, none
	Provenance string `json:"provenance"`
	Size       int    `json:"size"` // distinct prompts before salting; 0 where they are generated without end
	Digest     string `json:"digest"`
}

// Indicator is a number computed from one response.
type Indicator struct {
	Name      string            `json:"name"`
	Kind      string            `json:"kind"` // rate, mean
	Unit      string            `json:"unit"`
	Scorer    string            `json:"scorer"`    // "refusal/1", or ""
	Predicate string            `json:"predicate"` // canonical expr text, or ""
	Params    map[string]string `json:"params"`
}

// FaultClass binds a change of responses to the indicator that it shifts.
type FaultClass struct {
	Name      string            `json:"name"`
	Indicator string            `json:"indicator"`
	Direction string            `json:"direction"` // up, down
	Transform string            `json:"transform"` // "refuse/1", or ""
	Replace   string            `json:"replace"`   // input file, or ""
	Params    map[string]string `json:"params"`
	Scale     exact.Number      `json:"scale"` // simulated mean indicators: score times this
}

// Detector is the frozen configuration of the detector under test
// (methodology 3.2).
type Detector struct {
	Name       string              `json:"name"`
	Kind       string              `json:"kind"` // threshold, ewma, cusum, prometheus_rules; live: prometheus, webhook, poll, command
	Version    string              `json:"version"`
	Adaptive   bool                `json:"adaptive"`
	Indicators []DetectorIndicator `json:"indicators"`
	Alerts     []Alert             `json:"alerts"`     // built-in kinds, and as read from a rule file
	Evaluate   exact.Duration      `json:"evaluate"`   // threshold: interval of evaluation
	Windows    string              `json:"windows"`    // threshold: sliding, tumbling
	Prometheus *Prometheus         `json:"prometheus"` // prometheus_rules, prometheus
	Manager    *Alertmanager       `json:"alertmanager"`

	Live *LiveDetector `json:"live,omitempty"` // prometheus, webhook, poll, command
}

// DetectorIndicator is one indicator that the detector computes.
type DetectorIndicator struct {
	Label        string       `json:"label"`
	Indicator    string       `json:"indicator"` // name in Declaration.Indicators
	Window       Window       `json:"window"`
	Sampling     exact.Number `json:"sampling"` // (0, 1]
	Exports      string       `json:"exports"`
	JudgeModel   string       `json:"judge_model"`
	JudgeVersion string       `json:"judge_version"`
}

// Window is a span of time or of requests; exactly one is not zero.
type Window struct {
	Duration exact.Duration `json:"duration"`
	Requests int64          `json:"requests"`
}

// Alert is one alerting rule with its threshold (FD-3.2-8). For a rule file
// the expression stands in place of the settings.
type Alert struct {
	Name         string         `json:"name"`
	Indicator    string         `json:"indicator"`  // label of the detector's indicator
	Comparator   string         `json:"comparator"` // above (>), at_least (>=), below (<)
	Threshold    *exact.Number  `json:"threshold"`
	For          exact.Duration `json:"for"`
	KeepFiring   exact.Duration `json:"keep_firing_for"`
	MinResponses int64          `json:"min_responses"`
	Expr         string         `json:"expr"`

	Lambda    *exact.Number `json:"lambda"`    // ewma
	Limit     *exact.Number `json:"limit"`     // ewma, in sd
	Reference *exact.Number `json:"reference"` // cusum k, in sd
	Decision  *exact.Number `json:"decision"`  // cusum h, in sd; per response: in steps
	Up        int64         `json:"up"`        // per-response cusum
	Down      int64         `json:"down"`
	Center    *exact.Number `json:"center"`
	SD        *exact.Number `json:"sd"`
	Learn     int64         `json:"learn"` // windows that center and sd are learned from
	Sides     string        `json:"sides"`
	Reset     bool          `json:"reset_on_alarm"`
}

// Prometheus is how a rule file is run in virtual time.
type Prometheus struct {
	RulesFile          string            `json:"rules_file"`
	Rules              string            `json:"rules"` // the file's own text, LF line ends
	ScrapeInterval     exact.Duration    `json:"scrape_interval"`
	EvaluationInterval exact.Duration    `json:"evaluation_interval"`
	ScrapeFailures     exact.Number      `json:"scrape_failures"`
	CounterResets      exact.Duration    `json:"counter_resets"` // 0: never
	Total              string            `json:"total"`
	Job                string            `json:"job"`
	Instance           string            `json:"instance"`
	Labels             map[string]string `json:"labels"`    // on every exported counter, besides job and instance
	MaxRange           exact.Duration    `json:"max_range"` // largest window that an alert depends on
}

// Alertmanager is the notification stage behind the rules.
type Alertmanager struct {
	GroupBy        []string       `json:"group_by"`
	GroupWait      exact.Duration `json:"group_wait"`
	GroupInterval  exact.Duration `json:"group_interval"`
	RepeatInterval exact.Duration `json:"repeat_interval"`
	SendResolved   bool           `json:"send_resolved"`
	Maintenance    exact.Duration `json:"maintenance"`
	Cleanup        exact.Duration `json:"cleanup,omitempty"` // live: how long an emptied group lives on
}

// Signal is the declared detection signal (methodology 4.1).
type Signal struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Component   string `json:"component"`
	EventClock  string `json:"event_clock"` // receiver, emitter (AMB-13)
	Attribution string `json:"attribution"` // canonical expr text
}

// Load is the offered load (methodology 3.3).
type Load struct {
	Points   []LoadPoint `json:"points"`   // ascending
	Arrivals string      `json:"arrivals"` // constant, poisson
}

// LoadPoint is one offered load with the minima that follow from it: a window
// counted in requests lasts longer at a lower load (AMB-01).
type LoadPoint struct {
	Rate           exact.Number   `json:"rate"` // requests per second
	Representative bool           `json:"representative"`
	Window         exact.Duration `json:"window"`       // W, the largest aggregation window at this load
	Baseline       exact.Duration `json:"baseline"`     // Baseline Interval
	Timeout        exact.Duration `json:"timeout"`      // from onset
	Verification   exact.Duration `json:"verification"` // span V from the plateau's start (AMB-07)
}

// Baseline is the declared Baseline Interval, before it is resolved per load.
type Baseline struct {
	Interval Span `json:"interval"`
}

// Span is a duration, or a number of windows that each load point resolves.
type Span struct {
	Duration exact.Duration `json:"duration"`
	Windows  exact.Number   `json:"windows"`
}

// Quiet is the gate between trials (methodology 4.3, AMB-21).
type Quiet struct {
	AtLeast exact.Duration `json:"at_least"`
	AtMost  exact.Duration `json:"at_most"`
	Windows int            `json:"windows"` // K: the mean of the last K windows lies within one sd
}

// Trials are the settings of section 5.1.
type Trials struct {
	Count        int  `json:"count"`
	Attempts     int  `json:"attempts"` // largest number of applications per combination
	Timeout      Span `json:"timeout"`
	Verification Span `json:"verification"`
}

// FalseDetection is the rule max(declared, time under fault) (AMB-28).
type FalseDetection struct {
	AtLeast exact.Duration `json:"at_least"`
}

// Masking are the trials of section 5.5, run at each load point with a step.
type Masking struct {
	Trials  int             `json:"trials"`
	Targets []MaskingTarget `json:"targets"`
}

// MaskingTarget is a fault of known magnitude that masking is measured with.
type MaskingTarget struct {
	Class     string       `json:"class"`
	Magnitude exact.Number `json:"magnitude"`
	Fraction  exact.Number `json:"fraction"`
}

// Sham are the trials of magnitude 0 that show what chance detects.
type Sham struct {
	Trials int `json:"trials"`
}

// Deviation is a SHOULD that the author set aside, with the reason.
type Deviation struct {
	Rule    string `json:"rule"`
	Because string `json:"because"`
}

// Attestation is a statement that no machine can decide.
type Attestation struct {
	Subject   string `json:"subject"`
	By        string `json:"by"`
	Statement string `json:"statement"`
}

// Reduction is one respect in which a series is less than a full one of section
// 1.2. The compiler lists them; an author cannot.
type Reduction struct {
	What     string `json:"what"` // trials, load_points, search
	Required string `json:"required"`
	Planned  string `json:"planned"`
}

// Combinations is the expanded matrix.
type Combinations struct {
	Trials   []Combination `json:"trials"`   // by load, fault block, class, magnitude, profile
	Searches []Search      `json:"searches"` // by load, threshold block
}

// Profile is the time course of the intended magnitude after onset.
type Profile struct {
	Name  string         `json:"name"`  // canonical text: "ramp 2m"
	Shape string         `json:"shape"` // step, ramp, pulse, intermittent, drift
	Ramp  exact.Duration `json:"ramp"`  // ramp, drift: until the plateau
	On    exact.Duration `json:"on"`    // pulse, intermittent
	Off   exact.Duration `json:"off"`   // intermittent
}

// Combination is one cell: fault class, magnitude, profile and load.
type Combination struct {
	ID           int            `json:"id"`
	Fault        string         `json:"fault"` // label of the fault block
	Class        string         `json:"class"`
	Magnitude    exact.Number   `json:"magnitude"` // signed absolute change in the indicator's unit
	Profile      Profile        `json:"profile"`
	Load         int            `json:"load"`     // index in Load.Points
	Fraction     exact.Number   `json:"fraction"` // share of responses to change, in (0, 1]
	Trials       int            `json:"trials"`
	Attempts     int            `json:"attempts"`
	Timeout      exact.Duration `json:"timeout"`          // from onset; a ramp's own length is added (AMB-16)
	Verification exact.Duration `json:"verification"`     // time under full magnitude that is verified; a pulse bounds it
	Discard      string         `json:"expected_discard"` // forecast probability, advisory
	Floor        string         `json:"evidence_floor_s"` // advisory, "" where it has no meaning
}

// Search is one binary search of section 5.3.
type Search struct {
	ID           int            `json:"id"`
	Threshold    string         `json:"threshold"` // label of the block
	Class        string         `json:"class"`
	Profile      Profile        `json:"profile"`
	Load         int            `json:"load"`
	Target       exact.Number   `json:"target"`
	TargetText   string         `json:"target_text"` // as declared: "18/20"
	Resolution   exact.Number   `json:"resolution"`
	Floor        bool           `json:"floor"` // lower = "floor"
	Lower        exact.Number   `json:"lower"` // where Floor is false
	Upper        exact.Number   `json:"upper"`
	PerUnit      exact.Number   `json:"per_unit"` // fraction of responses per unit of magnitude
	Largest      exact.Number   `json:"largest"`  // largest magnitude that can be reached
	Trials       int            `json:"trials"`
	Attempts     int            `json:"attempts"`
	Timeout      exact.Duration `json:"timeout"`
	Verification exact.Duration `json:"verification"` // as in Combination
	Steps        int            `json:"steps"`        // bisections when the lower bound is 0: an upper limit
}

// Phase is a step of the series in its order.
type Phase struct {
	Kind string `json:"kind"` // baseline, sham, trials, search, masking, false_detection
	Load int    `json:"load"`
}

// Estimators are the choices that a number depends on.
type Estimators struct {
	Quantile           string       `json:"quantile"`            // hyndman-fan-2 (AMB-17)
	SD                 string       `json:"sd"`                  // non-overlapping windows, n-1 (AMB-02)
	Confidence         exact.Number `json:"confidence"`          // of supplementary intervals
	MagnitudeTolerance exact.Number `json:"magnitude_tolerance"` // 1/10 (FD-3.4-7)
	LoadTolerance      exact.Number `json:"load_tolerance"`      // 1/100 per trial (AMB-24)
	Engine             string       `json:"engine"`              // virtual engine and version
}

// RuleOutcome says what a rule found in this plan.
type RuleOutcome struct {
	ID     string `json:"id"`
	Status string `json:"status"` // met, deviation, attested, unattested, reduced, run (decided at run time)
	Note   string `json:"note"`
}

// Budget is the test time (methodology-wide, not wall time of a simulation).
type Budget struct {
	Best       exact.Duration `json:"best"`     // every fault detected at once, every search ended by its upper bound
	Expected   exact.Duration `json:"expected"` // one trial in eight times out, the others are detected within one window, with expected discards
	Worst      exact.Duration `json:"worst"`    // nothing detected, every attempt used
	Trials     int            `json:"trials"`   // kept trials that the matrix asks for
	MaxTrials  int            `json:"max_trials"`
	LoadBudget []LoadBudget   `json:"loads"`
}

// LoadBudget is Budget for one load point.
type LoadBudget struct {
	Load     int            `json:"load"`
	Best     exact.Duration `json:"best"`
	Expected exact.Duration `json:"expected"`
	Worst    exact.Duration `json:"worst"`
}

// SectionDigests are the SHA-256 of each section's canonical bytes, as
// "sha256:" and hex.
type SectionDigests struct {
	Inputs       string `json:"inputs"`
	Declaration  string `json:"declaration"`
	Combinations string `json:"combinations"`
	Phases       string `json:"phases"`
	Estimators   string `json:"estimators"`
	Rules        string `json:"rules"`
	Budget       string `json:"budget"`
}
