package compare

import "github.com/fdbench/fdbench/runtime/measure"

// Supplementary holds what stands beside the methodology: the intervals of both
// results, and the tests of a study.
type Supplementary struct {
	Note           string                   `json:"note"`
	ConfidenceA    float64                  `json:"confidence_a"` // of the intervals
	ConfidenceB    float64                  `json:"confidence_b"`
	Latency        []LatencyIntervals       `json:"latency"`
	Coverage       []CoverageIntervals      `json:"coverage"`
	Threshold      []ThresholdIntervals     `json:"threshold"`
	FalseDetection []FalseDetectionInterval `json:"false_detection"`
	Masking        []MaskingIntervals       `json:"masking"`
	Tests          *Tests                   `json:"tests"` // null outside of a study
}

// LatencyIntervals are the intervals of a latency row.
type LatencyIntervals struct {
	Row measure.RowKey       `json:"row"`
	A   *measure.SuppLatency `json:"a"`
	B   *measure.SuppLatency `json:"b"`
}

// CoverageIntervals are the intervals of a coverage row.
type CoverageIntervals struct {
	Row measure.RowKey        `json:"row"`
	A   *measure.SuppCoverage `json:"a"`
	B   *measure.SuppCoverage `json:"b"`
}

// ThresholdIntervals are the intervals of coverage at the reported bounds.
type ThresholdIntervals struct {
	Row measure.RowKey         `json:"row"` // without a magnitude: the two differ in it
	A   *measure.SuppThreshold `json:"a"`
	B   *measure.SuppThreshold `json:"b"`
}

// FalseDetectionInterval are the rates with their intervals.
type FalseDetectionInterval struct {
	Load string             `json:"load"`
	A    *measure.SuppFalse `json:"a"`
	B    *measure.SuppFalse `json:"b"`
}

// MaskingIntervals are the intervals of a masking row.
type MaskingIntervals struct {
	Row measure.RowKey       `json:"row"`
	A   *measure.SuppMasking `json:"a"`
	B   *measure.SuppMasking `json:"b"`
}

// Tests are statistics on rows that both results of a study have
// (methodology-notes F12). A p-value is a number and no verdict.
type Tests struct {
	Note           string               `json:"note"`
	Count          int                  `json:"count"` // p-values that are adjusted together
	Coverage       []CoverageTest       `json:"coverage"`
	Latency        []LatencyTest        `json:"latency"`
	FalseDetection []FalseDetectionTest `json:"false_detection"`
	NoLatency      string               `json:"no_latency"` // why latencies are not tested; "" where they are
}

// CoverageTest is Fisher's exact test, two-sided.
type CoverageTest struct {
	Row      measure.RowKey `json:"row"`
	P        float64        `json:"p"`
	Adjusted float64        `json:"p_holm"`
}

// LatencyTest is the Mann-Whitney test on the latencies of detected trials,
// two-sided, with the Hodges-Lehmann estimate of the shift from A to B.
type LatencyTest struct {
	Row      measure.RowKey `json:"row"`
	NA       int            `json:"n_a"`
	NB       int            `json:"n_b"`
	U        float64        `json:"u"` // of A
	ShiftS   float64        `json:"shift_s"`
	Exact    bool           `json:"exact"` // the permutation distribution; false: the normal approximation
	P        float64        `json:"p"`
	Adjusted float64        `json:"p_holm"`
}

// FalseDetectionTest is the conditional binomial test on new alerts, two-sided.
type FalseDetectionTest struct {
	Load     string  `json:"load"`
	EdgesA   int     `json:"edges_a"`
	EdgesB   int     `json:"edges_b"`
	PeriodAS float64 `json:"period_a_s"`
	PeriodBS float64 `json:"period_b_s"`
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_holm"`
}
