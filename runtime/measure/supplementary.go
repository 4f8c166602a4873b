package measure

// Supplementary holds what stands beside the methodology and is no part of it
// (methodology-wide: never a replacement for a required value).
type Supplementary struct {
	Note       string           `json:"note"`
	Confidence float64          `json:"confidence"`
	Latency    []SuppLatency    `json:"latency"`
	Coverage   []SuppCoverage   `json:"coverage"`
	Threshold  []SuppThreshold  `json:"threshold"`
	False      []SuppFalse      `json:"false_detection"`
	FalseClass []SuppFalseClass `json:"false_detection_by_class"`
	Sham       []Sham           `json:"sham"`
	Masking    []SuppMasking    `json:"masking"`
	Baseline   []SuppBaseline   `json:"baseline"`
	Discards   []SuppDiscards   `json:"discards"`
	Signals    []SuppSignals    `json:"signals"`
	Requests   int64            `json:"requests"`
	TestTimeS  float64          `json:"test_time_s"`
}

// SuppLatency are intervals and rank statements on one latency row.
type SuppLatency struct {
	Row                RowKey   `json:"row"`
	MedianLowS         *float64 `json:"median_low_s"`
	MedianHighS        *float64 `json:"median_high_s"`
	P95LowS            *float64 `json:"p95_low_s"`
	P95HighS           *float64 `json:"p95_high_s"`           // null: no finite limit at this n
	HalfOfAllS         *float64 `json:"half_of_all_trials_s"` // null: not reached by half
	MedianFromPlateauS *float64 `json:"median_from_plateau_s"`
	EvidenceMedian     *float64 `json:"median_requests"` // latency times load
	TrendP             *float64 `json:"trend_p"`
	MaxCoversP95       *float64 `json:"max_covers_p95"` // probability that the largest latency is at or above the true p95
	AchievedMean       *float64 `json:"achieved_mean"`  // mean achieved magnitude of the kept trials
	EvidenceFloorS     *float64 `json:"evidence_floor_s"`
	BelowGuard         bool     `json:"below_guard"` // magnitude below twice the guard sd of its baseline (AMB-04)
}

// RowKey names a row of a required table.
type RowKey struct {
	Class     string `json:"class"`
	Profile   string `json:"profile"`
	Magnitude string `json:"magnitude"`
	Load      string `json:"load"`
}

// SuppCoverage is the interval and the chance correction of one coverage.
type SuppCoverage struct {
	Row       RowKey   `json:"row"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	Chance    *float64 `json:"chance_probability"` // from the class's own new alerts without a fault, and the timeout
	Corrected *float64 `json:"chance_corrected"`
}

// SuppThreshold is the interval of coverage at the two final bounds, with the
// mean achieved magnitude of the trials there.
type SuppThreshold struct {
	Row           RowKey   `json:"row"`
	Lower         string   `json:"lower_bound"`
	UpperLow      *float64 `json:"coverage_at_upper_low"`
	UpperHigh     *float64 `json:"coverage_at_upper_high"`
	LowerLow      *float64 `json:"coverage_at_lower_low"`
	LowerHigh     *float64 `json:"coverage_at_lower_high"`
	UpperAchieved *float64 `json:"achieved_at_upper"`
	LowerAchieved *float64 `json:"achieved_at_lower"`
}

// SuppFalse is the interval of a false detection rate, per hour.
type SuppFalse struct {
	Load    string   `json:"load"`
	PerHour *float64 `json:"per_hour"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
}

// SuppFalseClass is the part of the false detections that the attribution
// would give to a fault class, with any profile of the plan. One emission may
// be of several classes.
type SuppFalseClass struct {
	Load    string   `json:"load"`
	Class   string   `json:"class"`
	Count   int      `json:"count"`
	Edges   int      `json:"edges"`    // of them, new alerts
	PerHour *float64 `json:"per_hour"` // of new alerts
}

// Sham is what trials of magnitude 0 detected: chance coverage.
type Sham struct {
	Load     string `json:"load"`
	Detected int    `json:"detected"`
	Trials   int    `json:"trials"`
}

// SuppMasking is the interval of a masking median.
type SuppMasking struct {
	Row  RowKey   `json:"row"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// SuppBaseline qualifies a baseline's standard deviation.
type SuppBaseline struct {
	Load           string   `json:"load"`
	Indicator      string   `json:"indicator"`
	Point          string   `json:"point"`
	SDLow          *float64 `json:"sd_low"`
	SDHigh         *float64 `json:"sd_high"`
	Overdispersion *float64 `json:"overdispersion"`
	GuardSD        *float64 `json:"guard_sd"`
	MeansDiffer    bool     `json:"means_differ"` // pooled mean and windows' mean lie more than 0.1 sd apart
}

// SuppDiscards counts discarded applications by cause.
type SuppDiscards struct {
	Load   string `json:"load"`
	Cause  string `json:"cause"`
	Trials int    `json:"trials"`
}

// SuppSignals counts the emissions during trials that were no Detection Event
// (AMB-12, AMB-16, AMB-30).
type SuppSignals struct {
	Load          string `json:"load"`
	Early         int    `json:"early"`          // before a changed response could have caused them
	Late          int    `json:"late"`           // after the timeout
	After         int    `json:"after_event"`    // further ones of a detected fault, after its Detection Event
	NotAttributed int    `json:"not_attributed"` // not the fault's, repeated, or raised by missing data (AMB-30)
}
