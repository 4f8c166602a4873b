package report

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"github.com/fdbench/fdbench/runtime/measure"
)

// CSV returns one file for each table of a result, by name. Every row carries
// the series, what it may be called and what was reduced, so that a table that
// travels alone still says what it is, and each row of latencies and thresholds
// carries the False Detection Rate without which it must not be published
// (FD-5.4-6, FD-5.4-7). Durations are seconds; error_bound_s is of every latency
// of its row (FD-3.5-5). A value that does not exist is an empty cell, and one
// that is withheld says so.
func (p *Report) CSV() map[string][]byte {
	r := p.r
	w := csvWriter{r: r, files: map[string][]byte{}}

	w.begin("load", "indicator", "unit", "point", "mean", "sd", "windows_mean", "windows", "undefined_windows", "responses", "window_s", "interval_s")
	for _, x := range r.Baseline {
		w.row(x.Load, x.Indicator, unitWords(indicator(r, x.Indicator)), x.Point, text(x.Mean), text(x.SD), text(x.WindowsMean), count(x.Windows), count(x.UndefinedWindows),
			strconv.FormatInt(x.Responses, 10), number(&x.WindowS), number(&x.IntervalS))
	}
	w.end("baseline.csv")

	w.begin("load", "periods", "not_reached", "min_s", "median_s", "max_s", "at_least_s", "at_most_s", "rule")
	for _, x := range r.Quiet {
		w.row(x.Load, count(x.Periods), count(x.Failed), number(x.MinS), number(x.MedianS), number(x.MaxS), number(&x.AtLeastS), number(&x.AtMostS), x.Rule)
	}
	w.end("quiet.csv")

	w.begin("class", "profile", "magnitude", "unit", "load", "trials", "detected", "undetected", "discarded", "attempts", "required", "timeout_s",
		"median_s", "p95_s", "mean_s", "estimator", "p95_is_max", "error_bound_s", "below_2sd", "baseline_sd",
		"false_detections", "false_detection_period_s")
	for _, x := range r.Latency {
		f, period := w.accompanying(x.Load)
		w.row(x.Class, x.Profile, x.Magnitude, unitOf(r, x.Class), x.Load, count(x.Trials), count(x.Detected), count(x.Undetected), count(x.Discarded),
			count(x.Attempts), count(x.Required), number(&x.TimeoutS), w.figure(&x, x.MedianS), w.figure(&x, x.P95S), w.figure(&x, x.MeanS), x.Estimator, strconv.FormatBool(x.P95IsMax),
			number(x.ErrorBoundS), strconv.FormatBool(x.Below2SD), text(x.BaselineSD), f, period)
	}
	w.end("latency.csv")

	w.begin("class", "profile", "magnitude", "unit", "load", "detected", "trials", "below_2sd", "baseline_sd")
	for _, x := range r.Coverage {
		w.row(x.Class, x.Profile, x.Magnitude, unitOf(r, x.Class), x.Load, count(x.Detected()), count(x.Trials()), strconv.FormatBool(x.Below2SD), text(x.BaselineSD))
	}
	w.end("coverage.csv")

	w.begin("search", "class", "profile", "load", "outcome", "upper_bound", "unit", "detected", "trials", "target", "resolution", "baseline_sd",
		"false_detections", "false_detection_period_s")
	for n, x := range r.Threshold {
		f, period := w.accompanying(x.Load)
		outcome, upper := x.Status, text(x.UpperBound)
		if withheldThreshold(&x) {
			outcome, upper = "withheld", withheldThresholdWords
		}
		detected, trials := "", ""
		if s := stepAt(&x); s != nil {
			detected, trials = count(s.Detected), count(s.Trials)
		}
		w.row(count(n+1), x.Class, x.Profile, x.Load, outcome, upper, unitOf(r, x.Class), detected, trials, x.Target, x.Resolution, text(x.BaselineSD), f, period)
	}
	w.end("threshold.csv")

	// The number of a search is that of threshold.csv: two may differ in their
	// targets alone.
	w.begin("search", "class", "profile", "load", "target", "step", "role", "magnitude", "unit", "detected", "trials", "met")
	for n, x := range r.Threshold {
		if withheldThreshold(&x) {
			continue // the steps would give the value away
		}
		for i, s := range x.Trace {
			w.row(count(n+1), x.Class, x.Profile, x.Load, x.Target, count(i+1), s.Role, s.Magnitude, unitOf(r, x.Class), count(s.Detected), count(s.Trials), strconv.FormatBool(s.Met))
		}
	}
	w.end("threshold_trace.csv")

	w.falseDetection()

	w.begin("class", "magnitude", "unit", "load", "outcome", "median", "trials", "required", "discarded", "below_2sd", "baseline_sd", "method")
	for _, x := range r.Masking {
		w.row(x.Class, text(x.Magnitude), unitOf(r, x.Class), x.Load, x.Status, number(x.Median), count(x.Trials), count(x.Required), count(x.Discarded), strconv.FormatBool(x.Below2SD), text(x.BaselineSD), x.Method)
	}
	w.end("masking.csv")

	w.traffic()
	return w.files
}

type csvWriter struct {
	r     *measure.Result
	files map[string][]byte
	buf   bytes.Buffer
	csv   *csv.Writer
}

func (w *csvWriter) begin(names ...string) {
	w.buf.Reset()
	w.csv = csv.NewWriter(&w.buf)
	w.write("series", "status", "reductions", names)
}

func (w *csvWriter) row(cells ...string) { w.write(w.r.Series, heading(w.r), reductions(w.r), cells) }

// write adds a record. A bytes.Buffer takes everything, so there is no error.
func (w *csvWriter) write(series, status, reductions string, cells []string) {
	_ = w.csv.Write(append([]string{series, status, reductions}, cells...))
}

// figure is a latency of a row, or why it is withheld.
func (w *csvWriter) figure(l *measure.Latency, v *float64) string {
	if withheldLatency(l) {
		return withheldLatencyWords
	}
	return number(v)
}

func (w *csvWriter) end(name string) {
	w.csv.Flush()
	w.files[name] = bytes.Clone(w.buf.Bytes())
}

func (w *csvWriter) accompanying(load string) (events, period string) {
	f, _ := falseOf(w.r, load)
	if f == nil {
		return "", ""
	}
	return count(f.Count), number(&f.PeriodS)
}

func count(n int) string { return strconv.Itoa(n) }

// number prints a figure in full, as result.json has it.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
