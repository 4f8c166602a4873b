package view

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/measure"
)

func of[T any](v T) *T { return &v }

// comparison is a study with a row of each table.
func comparison() *compare.Comparison {
	row := measure.RowKey{Class: "refusal", Profile: "step", Magnitude: "0.1", Load: "10 req/s"}
	alone := measure.RowKey{Class: "refusal", Profile: "step", Magnitude: "0.2", Load: "10 req/s"}
	found := &measure.Threshold{Class: "refusal", Profile: "step", Load: "10 req/s", Status: measure.SearchFound, UpperBound: of("0.09375"),
		BaselineSD: of("0.0041"), Trace: []measure.TraceStep{{Magnitude: "0.09375", Detected: 19, Trials: 20, Met: true}}}
	return &compare.Comparison{
		Comparable: true, Heading: "Characterisation of a change in the detector configuration", Statement: "A statement.",
		Study: compare.DetectorConfiguration, Footer: "The footer.",
		A: compare.Side{Name: "out/a", Series: "s", Generation: 1, Status: "simulated", Verified: true, PlanDigest: "sha256:" + strings.Repeat("a", 64),
			Units:      map[string]string{"refusal": "share"},
			Reductions: []measure.Reduction{{What: "load_points", Required: "4", Planned: "1"}}},
		B: compare.Side{Name: "out/b.json", Series: "s", Generation: 2, Status: "simulated", PlanDigest: "sha256:" + strings.Repeat("b", 64),
			Deviations: []measure.Deviation{{Rule: "FD-3.3-5", Because: "so it is"}}},
		Remarks: []string{"A remark."},
		Keys: []compare.Key{
			{Name: compare.ObservationPoint, Same: true, SHA256A: "sha256:" + strings.Repeat("1", 64), SHA256B: "sha256:" + strings.Repeat("1", 64)},
			{Name: compare.DetectorConfiguration, SHA256A: "sha256:" + strings.Repeat("2", 64), SHA256B: "sha256:" + strings.Repeat("3", 64),
				Differences: []compare.Difference{{Path: "detector.alerts[High].threshold", A: of("0.1"), B: of("0.2")}, {Path: "detector.prometheus.rules", Line: 7, B: of("for: 1m")}}},
		},
		Conditions: []compare.Difference{{Path: "apparatus.sampling", A: of("quota"), B: of("bernoulli")}},
		Baseline: []compare.BaselineRow{{Load: "10 req/s", Indicator: "refusal_rate", Point: "observation",
			A: &measure.Baseline{Mean: of("0.0213"), SD: of("0.0041"), Windows: 60}, B: &measure.Baseline{Windows: 12}}},
		Latency: []compare.LatencyRow{
			{Row: row, A: &measure.Latency{Trials: 20, Detected: 20, MedianS: of(92.5), P95S: of(141.25)},
				B: &measure.Latency{Trials: 20, Detected: 19, MedianS: of(61.0), P95S: of(99.5), P95IsMax: true, Below2SD: true, ErrorBoundS: of(0.25)}},
			{Row: alone, B: &measure.Latency{Trials: 20}},
		},
		Coverage:       []compare.CoverageRow{{Row: row, A: coverage(row, 20), B: coverage(row, 19)}},
		Threshold:      []compare.ThresholdRow{{Class: "refusal", Profile: "step", Load: "10 req/s", Target: "18/20", Resolution: "0.01", A: found, B: &measure.Threshold{Status: measure.SearchBelowFloor}}},
		FalseDetection: []compare.FalseDetectionRow{{Load: "10 req/s", A: &measure.FalseDetection{Count: 2, PeriodS: 86400}, B: &measure.FalseDetection{PeriodS: 90000}}},
		Masking:        []compare.MaskingRow{{Class: "refusal", Magnitude: of("0.3"), Load: "10 req/s", A: &measure.Masking{Status: "value", Median: of(0.312), Trials: 20}, B: &measure.Masking{Status: "not_applicable"}}},
		Supplementary: compare.Supplementary{
			Latency:        []compare.LatencyIntervals{{Row: row, A: &measure.SuppLatency{Row: row, MedianLowS: of(80.0), MedianHighS: of(101.0), P95LowS: of(120.0)}}},
			Coverage:       []compare.CoverageIntervals{{Row: row, A: &measure.SuppCoverage{Low: of(0.8316), High: of(1.0)}, B: &measure.SuppCoverage{Low: of(0.7513), High: of(0.9987)}}},
			FalseDetection: []compare.FalseDetectionInterval{{Load: "10 req/s", A: &measure.SuppFalse{PerHour: of(0.0833), Low: of(0.0101), High: of(0.301)}}},
			Tests: &compare.Tests{Note: "A note.", Count: 3,
				Coverage:       []compare.CoverageTest{{Row: row, P: 1, Adjusted: 1}},
				Latency:        []compare.LatencyTest{{Row: row, NA: 20, NB: 19, ShiftS: -31.5, Exact: true, P: 0.00004, Adjusted: 0.00012}},
				FalseDetection: []compare.FalseDetectionTest{{Load: "10 req/s", EdgesA: 2, PeriodAS: 86400, PeriodBS: 90000, P: 0.4802, Adjusted: 0.9604}}},
		},
	}
}

var gaps = regexp.MustCompile(`\s+`)

func TestComparison(t *testing.T) {
	var b strings.Builder
	if err := Comparison(terminal.Stream{Writer: &b, Width: 170}, comparison()); err != nil {
		t.Fatal(err)
	}
	text := gaps.ReplaceAllString(b.String(), " ")
	for _, want := range []string{
		"Characterisation of a change in the detector configuration A statement. A out/a: series s, generation 1, simulated, reduced, recomputed",
		"B out/b.json: series s, generation 2, simulated, not verified; plan bbbbbbbbbbbbbbbb",
		"A remark. A is reduced: load points: 1 instead of 4. B deviates from FD-3.3-5 (so it is).",
		"detector.alerts[High].threshold 0.1 0.2", "detector.prometheus.rules line 7 absent for: 1m",
		"Declared differently, outside of the five keys what A B apparatus.sampling quota bernoulli",
		"refusal_rate observation 0.0213 none 0.0041 none 60 12",
		"refusal +0.1 share step 92.5 [80.0, 101.0]* 61.0 ± 0.25 141.2 [120.0, no limit]* 99.5 ± 0.25^ 20/20 19/20°",
		"refusal +0.2 share step not in A none none 0/20", "^ with fewer than 20", "° the magnitude is below",
		"20/20 [0.83, 1.00]* 19/20 [0.75, 1.00]*",
		"refusal step 18/20 0.01 +0.09375 share below the floor 19/20 none 0.0041 none",
		"10 req/s 2 0 1d 1d1h 0.0833 [0.0101, 0.301]",
		"refusal +0.3 share 0.312 not applicable 20 0",
		"refusal +0.1 share step 20 19 -31.5 <0.0001 0.0001", "10 req/s 2 1d 0 1d1h 0.4802 0.9604",
		"* A note. The footer.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// In a narrow terminal the intervals go first: they are supplementary.
func TestNarrowComparisonDropsTheIntervals(t *testing.T) {
	var b strings.Builder
	if err := Comparison(terminal.Stream{Writer: &b, Width: 80}, comparison()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "92.5") || strings.Contains(b.String(), "80.0, 101.0") {
		t.Errorf("the latencies are\n%s", b.String())
	}
}

// A comparison is in two colours: the terminal's own, and bold for headings.
func TestComparisonHasNoColourThatJudges(t *testing.T) {
	var b strings.Builder
	if err := Comparison(terminal.Stream{Writer: &b, Width: 100, Color: true}, comparison()); err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile("\x1b\\[[0-9;]*m").FindAllString(b.String(), -1)
	slices.Sort(codes)
	if got := slices.Compact(codes); !slices.Equal(got, []string{"\x1b[0m", "\x1b[1m"}) && !slices.Equal(got, []string{"\x1b[1m", "\x1b[22m"}) && !slices.Equal(got, []string{"\x1b[0;22m", "\x1b[1m"}) {
		t.Errorf("the codes are %q", got)
	}
}

func TestComparisonMarkdown(t *testing.T) {
	c := comparison()
	c.A.Name = "out/a|b<c>`*"
	page := string(ComparisonMarkdown(c))
	for _, want := range []string{
		"# Characterisation of a change in the detector configuration\n", `- A: out/a\|b&lt;c>` + "\\`\\*" + `: series s`,
		"| observation point | `1111111111111111` | `1111111111111111` |", "## What changed: the detector configuration",
		"| load | fault | magnitude | profile | A median s |", "| 10 req/s | refusal | +0.1 share | step | 92.5 [80.0, 101.0]\\* |",
		"## Outside the methodology *: coverage", "\\* A note.\n\nThe footer.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in\n%s", want, page)
		}
	}
	for _, block := range strings.Split(page, "\n\n") {
		if !strings.HasPrefix(block, "|") {
			continue
		}
		width := 0
		for i, line := range strings.Split(strings.TrimSpace(block), "\n") {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if i == 0 {
				width = n
			} else if n != width {
				t.Errorf("a row of %d cells in a table of %d: %s", n, width, line)
			}
		}
	}
}

func TestTwoListsShareNoTable(t *testing.T) {
	c := comparison()
	c.TwoLists, c.Study, c.Supplementary.Tests = true, compare.OfferedLoad, nil
	c.Latency[0].B, c.Coverage[0].B = nil, nil
	var b strings.Builder
	if err := Comparison(terminal.Stream{Writer: &b, Width: 120}, c); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.Contains(line, "A median") && strings.Contains(line, "B median") {
			t.Errorf("a table of both: %s", line)
		}
	}
	for _, want := range []string{"Detection Latency, over detected trials of A\n", "Detection Latency, over detected trials of B\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

func TestRefusedComparison(t *testing.T) {
	var list []compare.Difference
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o") {
		list = append(list, compare.Difference{Path: "detector." + name, A: of("1"), B: of("2\x1b[31m")})
	}
	c := &compare.Comparison{Heading: "Not comparable", Statement: "Not these.", Refusals: []compare.Refusal{
		{Rule: "FD-1.2-4", Reason: compare.ReasonKeyDiffers, Key: compare.DetectorConfiguration, Summary: "the detector configuration differs", Why: "Why.", Remedy: "Remedy.", Differences: list},
		{Reason: compare.ReasonExploratory, Summary: "a is exploratory", Why: "Because.", Remedy: "Again."},
		{Rule: "FD-1.2-4", Key: compare.ObservationPoint, Summary: "the observation point differs", Differences: []compare.Difference{{A: of("gateway"), B: of("engine")}}},
	}}
	var b strings.Builder
	if err := Comparison(terminal.Stream{Writer: &b}, c); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{b.String(), string(ComparisonMarkdown(c))} {
		flat := gaps.ReplaceAllString(strings.ReplaceAll(text, "|", " "), " ")
		for _, want := range []string{"FD-1.2-4", "the detector configuration differs", "detector.l 1 2 [31m", "and 3 more", "Why.", "Remedy.", "exploratory", "a is exploratory",
			"observation point gateway engine"} {
			if !strings.Contains(flat, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		if strings.Contains(text, "detector.m") || strings.ContainsRune(text, 0x1b) {
			t.Errorf("more than is shown, or a control character, is in\n%q", text)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, x := range []struct{ got, want string }{
		{signedSecs(2), "+2.00"}, {signedSecs(-2), "-2.00"}, {span(nil, nil, signedSecs), ""},
		{probability(0.00009), "<0.0001"}, {probability(0.0001), "0.0001"}, {probability(1), "1.0000"},
	} {
		if x.got != x.want {
			t.Errorf("got %q, want %q", x.got, x.want)
		}
	}
}

// coverage is that of so many of twenty trials.
func coverage(row measure.RowKey, detected int) *measure.Coverage {
	c := measure.NewCoverage(row, detected, 20)
	return &c
}
