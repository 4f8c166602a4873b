package report

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/report/table"
)

func (m *markdown) baseline() {
	r := m.r
	m.section("8. Baseline")
	m.f("Each indicator over the Baseline Interval of its load, in its own unit: the mean over all responses, and the standard deviation (sd) over " +
		"those of the detector's own windows that hold responses, n−1. At the Observation Point only the responses count that the detector samples. Magnitudes are absolute changes from the mean at the injection point.\n\n")
	t := &table.Table{Head: []string{"load", "indicator", "point", ">mean", ">sd", "unit", ">window", ">windows (n)", ">empty windows", ">responses", ">interval"}}
	for _, x := range r.Baseline {
		t.Add(x.Load, x.Indicator, x.Point, figure.Decimal(x.Mean), figure.Decimal(x.SD), unitWords(indicator(r, x.Indicator)), figure.Span(x.WindowS), count(x.Windows), count(x.UndefinedWindows),
			grouped(x.Responses), figure.Span(x.IntervalS))
	}
	m.table("Baseline of each load", "", t)
}

func (m *markdown) quiet() {
	m.section("9. Quiet period")
	if len(m.r.Quiet) > 0 {
		m.f("Rule: %s.\n\n", table.Cell(m.r.Quiet[0].Rule))
	}
	t := &table.Table{Head: []string{"load", ">n", ">shortest", ">median", ">longest", ">not reached"}}
	for _, x := range m.r.Quiet {
		at := func(v *float64) string {
			if v == nil {
				return "none"
			}
			return figure.Span(*v)
		}
		t.Add(x.Load, count(x.Periods-x.Failed), at(x.MinS), at(x.MedianS), at(x.MaxS), count(x.Failed))
	}
	m.table("Quiet periods that were used", "Their lengths, n of them at each load.", t)
}

func (m *markdown) latency() {
	r := m.r
	m.section("10. Detection Latency")
	if len(r.Latency) == 0 {
		m.f("Not measured: the plan has no trials at a fixed magnitude.\n\n")
		return
	}
	m.f("Seconds from Fault Onset to Detection Event. Median and 95th percentile (p95) are over the detected trials only, by the estimator %s; "+
		"n is the number of trials, and nothing stands in for an undetected one.\n\n", r.Latency[0].Estimator)
	if r.Latency[0].ErrorBoundS != nil {
		what := "the clocks' offset"
		if r.Clocks.Poll != nil || r.Clocks.Span != nil {
			what = boundWords(&r.Clocks)
		}
		m.f("Every value carries %s as its error bound (±).\n\n", what)
	}
	for _, load := range loads(r) {
		t := &table.Table{Head: []string{"fault class", ">magnitude", "unit", "profile", ">median (s)", ">p95 (s)", ">mean (s)", ">n", ">detected", ">undetected", ">discarded", ">baseline sd", ">timeout", "read with it"}}
		for i := range r.Latency {
			x := &r.Latency[i]
			if x.Load != load {
				continue
			}
			no := "no detection"
			if withheldLatency(x) {
				no = withheldLatencyWords
			}
			t.Add(x.Class, figure.Signed(x.Magnitude), unitOf(r, x.Class), x.Profile, figure.Bounded(x.MedianS, x.ErrorBoundS, no), figure.Bounded(x.P95S, x.ErrorBoundS, no),
				figure.Bounded(x.MeanS, x.ErrorBoundS, no), count(x.Trials), count(x.Detected), count(x.Undetected), count(x.Discarded), figure.Decimal(x.BaselineSD), figure.Span(x.TimeoutS),
				strings.Join(notes(x, latencySupplement(r, keyOf(x))), "; "))
		}
		if len(t.Rows) == 0 {
			continue
		}
		f, s := falseOf(r, load)
		sentences := fmt.Sprintf("False detections at this load: %s.", falseWords(f, s, r.Supplementary.Confidence))
		if w := chanceWords(r, load); w != "" {
			sentences += " Supplementary: " + table.Cell(w) + "."
		}
		m.table("Detection Latency at "+load, sentences, t)
	}
}

func (m *markdown) coverage() {
	r := m.r
	m.section("11. Detection Coverage")
	m.f("Trials in which a Detection Event occurred, of trials run (detected/n), from the same trials as section 10. One table cell is one fault magnitude at one offered load.\n\n")
	all := loads(r)
	t := &table.Table{Head: append([]string{"fault class", ">magnitude", "unit", "profile"}, prefixed(">", all)...)}
	index := map[measure.RowKey]int{}
	for _, x := range r.Coverage {
		key := measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude}
		row, ok := index[key]
		if !ok {
			row = len(t.Rows)
			index[key] = row
			cells := []string{x.Class, figure.Signed(x.Magnitude), unitOf(r, x.Class), x.Profile}
			for range all {
				cells = append(cells, "not run")
			}
			t.Rows = append(t.Rows, cells)
		}
		for i, l := range all {
			if l == x.Load {
				t.Rows[row][4+i] = fmt.Sprintf("%d/%d", x.Detected(), x.Trials())
				if x.Below2SD {
					t.Rows[row][4+i] += " (below 2 sd; sd " + figure.Decimal(x.BaselineSD) + ")"
				}
			}
		}
	}
	m.table("Detection Coverage at "+strings.Join(all, ", "), "Each cell is detected/n.", t)
}

func prefixed(prefix string, s []string) []string {
	out := make([]string, len(s))
	for i := range s {
		out[i] = prefix + s[i]
	}
	return out
}

func (m *markdown) threshold() {
	r := m.r
	m.section("12. Detection Threshold Magnitude")
	if len(r.Threshold) == 0 {
		m.f("Not measured: the plan has no search.\n\n")
		return
	}
	m.f("The smallest magnitude at which coverage met the target in a binary search: its upper bound when the bounds were closer than the resolution, in the " +
		"indicator's unit, at one offered load. Each step of a search ran its own trials.\n\n")
	t := &table.Table{Head: []string{"fault class", "profile", "load", ">threshold", "unit", ">detected/n", ">target (detected/n)", ">resolution", ">baseline sd", ">steps", "false detections"}}
	for i := range r.Threshold {
		x := &r.Threshold[i]
		f, s := falseOf(r, x.Load)
		t.Add(x.Class, x.Profile, x.Load, thresholdWords(x), unitOf(r, x.Class), countsAt(x), x.Target, x.Resolution, figure.Decimal(x.BaselineSD), count(len(x.Trace)),
			falseWords(f, s, r.Supplementary.Confidence))
	}
	m.table("Detection Threshold Magnitude of each load", "Each step of a search ran the trials of section 10; its coverages stand below.", t)
	for i := range r.Threshold {
		x := &r.Threshold[i]
		if x.Status != measure.SearchFound || withheldThreshold(x) {
			continue
		}
		var steps []string
		for _, s := range x.Trace {
			steps = append(steps, fmt.Sprintf("%s %s: %d/%d", s.Role, figure.Signed(s.Magnitude), s.Detected, s.Trials))
		}
		m.f("- %s, %s, %s, for %s: %s\n", table.Cell(x.Class), table.Cell(x.Profile), x.Load, x.Target, strings.Join(steps, ", "))
	}
	m.f("\n")
}

func (m *markdown) falseDetection() {
	r := m.r
	m.section("13. False Detection Rate")
	m.f("Emissions of the declared signal while no fault was applied, and how long that was observed at each offered load. Time under fault sums every application " +
		"at the load, kept or discarded; the observation has to be at least as long.\n\n")
	t := &table.Table{Head: []string{"load", ">false detections", ">observed", ">required", ">time under fault", ">new alerts among them", ">time in alert"}}
	for _, x := range r.FalseDetection {
		t.Add(x.Load, count(x.Count), figure.Span(x.PeriodS), figure.Span(x.RequiredS), figure.Span(x.TimeUnderFaultS), count(x.Edges), figure.Span(x.ActiveS))
	}
	m.table("False Detection Rate of each load", "A count and the period in which it was observed.", t)
	m.observed()
}

func (m *markdown) masking() {
	r := m.r
	m.section("14. Boundary Masking")
	if len(r.Masking) == 0 {
		if r.Topology.Position == positionSame {
			m.f("Not applicable: the two points are the same.\n\n")
			return
		}
		m.f("Not measured: the plan has no masking trials.\n\n")
		return
	}
	m.f("One minus the magnitude at the Observation Point over the magnitude at the Fault Injection Point, as the median of n trials at one offered load. " +
		"0 means that a fault arrives in full, 1 that nothing of it does; below 0 the path amplifies it.\n\n")
	t := &table.Table{Head: []string{"fault class", ">magnitude", "unit", "load", ">median", ">n", ">discarded", ">baseline sd", "measured by"}}
	for i := range r.Masking {
		x := &r.Masking[i]
		magnitude := "any"
		if x.Magnitude != nil {
			magnitude = figure.Signed(*x.Magnitude)
		}
		t.Add(x.Class, magnitude, unitOf(r, x.Class), x.Load, strings.TrimSuffix(maskingWords(x), ", the two points are the same"), count(x.Trials), count(x.Discarded), maskingSD(x), x.Method)
	}
	m.table("Boundary Masking of each load", "Medians of n trials.", t)
}

func (m *markdown) supplementary() {
	r := m.r
	s := &r.Supplementary
	confidence := figure.Significant(s.Confidence*100, 3) + "%"
	m.section("15. Supplementary figures")
	m.f("%s Intervals have a confidence of %s. A test time of %s and %s requests went into the run.\n\n", s.Note, confidence, figure.Span(s.TestTimeS), grouped(s.Requests))

	explained := "Intervals of quantiles rest on the n detected trials. " +
		"By chance: the probability that a false detection of the row's own class falls into a trial; without chance: the coverage that is left then. " +
		"Half of all trials: the rank among all trials, undetected ones last. Median in requests: latency times load. " +
		"Drift p: of a two-sided Mann-Kendall test of latency against the order of trials."
	t := &table.Table{Head: []string{"fault class", ">magnitude", "profile", "load", "coverage interval", ">by chance", ">without chance", "median interval (s)", "p95 interval (s)", ">half of all trials within (s)", ">median in requests", ">mean achieved magnitude", ">drift p"}}
	for _, x := range s.Coverage {
		l := latencySupplement(r, x.Row)
		row := []string{x.Row.Class, figure.Signed(x.Row.Magnitude), x.Row.Profile, x.Row.Load, interval(x.Low, x.High, figure.Two, "none"), orWord(x.Chance, figure.Two, "none"), orWord(x.Corrected, figure.Two, "none")}
		bound, published := boundOf(r, x.Row)
		if l == nil || !published {
			w := withheldLatencyWords
			t.Add(append(row, w, w, w, w, w, w)...)
			continue
		}
		detected := detectedOf(r, x.Row)
		t.Add(append(row, interval(l.MedianLowS, l.MedianHighS, bound, noUpper(detected)), interval(l.P95LowS, l.P95HighS, bound, noUpper(detected)),
			orWord(l.HalfOfAllS, bound, "not reached"), orWord(l.EvidenceMedian, figure.Three, "none"), orWord(l.AchievedMean, figure.Three, "none"), orWord(l.TrendP, figure.Two, "none"))...)
	}
	m.table("Supplementary: Detection Latency and Coverage by combination", explained, t)

	if len(s.FalseClass) > 0 {
		t = &table.Table{Head: []string{"load", "fault class", ">false detections", ">new alerts among them", ">new alerts an hour"}}
		for _, x := range s.FalseClass {
			t.Add(x.Load, x.Class, count(x.Count), count(x.Edges), orWord(x.PerHour, figure.Three, "none"))
		}
		m.table("Supplementary: false detections by fault class", "Those of section 13 that the attribution would give to a fault of the class. One may be given to several classes.", t)
	}
	if len(s.Sham) > 0 {
		t = &table.Table{Head: []string{"load", ">detected/n"}}
		for _, x := range s.Sham {
			t.Add(x.Load, fmt.Sprintf("%d/%d", x.Detected, x.Trials))
		}
		m.table("Supplementary: sham trials", "The same procedure with no fault applied. What they detect, chance detects (detected/n).", t)
	}
	if len(s.Threshold) > 0 {
		t = &table.Table{Head: []string{"fault class", "profile", "load", ">threshold", "coverage interval"}}
		for _, x := range s.Threshold {
			t.Add(x.Row.Class, x.Row.Profile, x.Row.Load, figure.Signed(x.Row.Magnitude), interval(x.UpperLow, x.UpperHigh, figure.Two, "none"))
		}
		m.table("Supplementary: coverage at the final upper bound of each search", "Of the trials of that step.", t)
	}
	if len(s.Masking) > 0 {
		t = &table.Table{Head: []string{"fault class", ">magnitude", "load", "interval"}}
		for _, x := range s.Masking {
			t.Add(x.Row.Class, figure.Signed(x.Row.Magnitude), x.Row.Load, interval(x.Low, x.High, figure.Three, "no upper limit"))
		}
		m.table("Supplementary: Boundary Masking", "Interval of the median.", t)
	}
	t = &table.Table{Head: []string{"load", "indicator", "point", "sd interval", ">overdispersion", ">guard sd", "pooled and window means differ"}}
	for _, x := range s.Baseline {
		t.Add(x.Load, x.Indicator, x.Point, interval(x.SDLow, x.SDHigh, figure.Three, "none"), orWord(x.Overdispersion, figure.Three, "none"), orWord(x.GuardSD, figure.Three, "none"),
			map[bool]string{true: "yes", false: "no"}[x.MeansDiffer])
	}
	m.table("Supplementary: baseline", "How uncertain each standard deviation is, and how it compares with independent responses (overdispersion 1).", t)
	if len(s.Discards) > 0 {
		t = &table.Table{Head: []string{"load", "cause", ">applications"}}
		for _, x := range s.Discards {
			t.Add(x.Load, x.Cause, count(x.Trials))
		}
		m.table("Supplementary: discarded applications by cause", "They are not among n, and their time counts as time under fault.", t)
	}
	t = &table.Table{Head: []string{"load", ">before a changed response", ">after the timeout", ">after the Detection Event", ">not the fault's"}}
	for _, x := range s.Signals {
		t.Add(x.Load, count(x.Early), count(x.Late), count(x.After), count(x.NotAttributed))
	}
	m.table("Supplementary: other emissions during trials", "None of them is a Detection Event. The first three kinds meet the criterion of attribution; those of the last are of another alert, repeat one, say that one is over, or were raised by missing data.", t)
}

// noUpper says why a rank interval has no upper limit: with so few values the
// data cannot give one.
func noUpper(n int) string { return fmt.Sprintf("no upper limit at n = %d", n) }

func orWord(v *float64, format func(float64) string, word string) string {
	if v == nil {
		return word
	}
	return format(*v)
}

// boundOf prints the latencies of a combination with the error bound that each
// has to carry (FD-3.5-5), and tells whether they may be published.
func boundOf(r *measure.Result, key measure.RowKey) (format func(float64) string, published bool) {
	for i := range r.Latency {
		if l := &r.Latency[i]; keyOf(l) == key {
			return func(v float64) string { return figure.Bounded(&v, l.ErrorBoundS, "") }, !withheldLatency(l)
		}
	}
	return nil, false
}

func keyOf(l *measure.Latency) measure.RowKey {
	return measure.RowKey{Class: l.Class, Profile: l.Profile, Magnitude: l.Magnitude, Load: l.Load}
}

func latencySupplement(r *measure.Result, key measure.RowKey) *measure.SuppLatency {
	for i := range r.Supplementary.Latency {
		if r.Supplementary.Latency[i].Row == key {
			return &r.Supplementary.Latency[i]
		}
	}
	return nil
}

func detectedOf(r *measure.Result, key measure.RowKey) int {
	for _, x := range r.Coverage {
		if x.Class == key.Class && x.Profile == key.Profile && x.Magnitude == key.Magnitude && x.Load == key.Load {
			return x.Detected()
		}
	}
	return 0
}

func (m *markdown) footer() {
	m.section("17. Raw data and use")
	m.item("journal", table.Code(m.r.Footer.Journal)+", "+table.Code(m.r.Footer.JournalSHA256))
	m.item("check", "`fdbench verify` recomputes every figure here from the plan and the journal")
	m.f("\n%s\n", m.r.Footer.Statement)
}
