package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/report/table"
)

// observed says, for a run in real time, how the requests went while false
// detections were observed, and what of that time does not count (FD-5.4-2).
func (m *markdown) observed() {
	t := &table.Table{Head: []string{"load", ">not counted", ">of it, windows without an answer", ">offered", ">sent", ">dropped", ">late p50", ">late p99", ">latest", "requests without an answer", ">seen at one point only"}}
	for _, x := range m.r.FalseDetection {
		if x.BlindS == nil {
			continue
		}
		silent, row := "not on record", []string{"not on record", "", "", "", "", "", "", ""}
		if x.SilentS != nil {
			silent = figure.Span(*x.SilentS)
		}
		if f := x.Traffic; f != nil {
			row = []string{grouped(f.Offered), grouped(f.Sent), grouped(f.Dropped), late(f.LateP50S), late(f.LateP99S), late(f.LateMaxS), tallied(f.Failures), grouped(f.Unmatched)}
		}
		t.Add(append([]string{x.Load, figure.Span(*x.BlindS), silent}, row...)...)
	}
	if len(t.Rows) == 0 {
		return
	}
	m.table("Requests while false detections were observed", "Time in which the detector could not have spoken falsely does not count and has to be made up for: "+
		"windows in which not one request was answered, so that there was nothing to speak of, and time in which the detector could not tell its state. "+
		"What it emitted meanwhile is counted all the same.", t)
}

// observedWords say what of an observation does not count and which requests
// were not answered; "" where there is nothing to say.
func observedWords(f *measure.FalseDetection) string {
	if f == nil || f.BlindS == nil {
		return ""
	}
	var parts []string
	switch blind := *f.BlindS; {
	case f.SilentS == nil && blind > 0:
		parts = append(parts, figure.Span(blind)+" more do not count, since the detector's state could not be read; whether requests were answered throughout is not on record")
	case f.SilentS == nil:
		parts = append(parts, "whether requests were answered throughout is not on record")
	case blind > 0:
		var why []string
		if *f.SilentS > 0 {
			why = append(why, "in "+figure.Span(*f.SilentS)+" no request was answered")
		}
		if rest := blind - *f.SilentS; rest >= 1e-9 { // a nanosecond: the two are rounded
			why = append(why, "in "+figure.Span(rest)+" the detector's state could not be read")
		}
		parts = append(parts, figure.Span(blind)+" more do not count: "+strings.Join(why, ", "))
	}
	if t := f.Traffic; t != nil && len(t.Failures) > 0 {
		parts = append(parts, "requests without an answer: "+tallied(t.Failures))
	}
	return strings.Join(parts, "; ")
}

// falseDetection writes false_detection.csv.
func (w *csvWriter) falseDetection() {
	w.begin("load", "count", "edges", "period_s", "required_s", "time_under_fault_s", "active_s", "blind_s", "silent_s",
		"offered", "sent", "dropped", "late_p50_s", "late_p99_s", "late_max_s", "unmatched", "failures")
	for _, x := range w.r.FalseDetection {
		cells := []string{x.Load, count(x.Count), count(x.Edges), number(&x.PeriodS), number(&x.RequiredS), number(&x.TimeUnderFaultS), number(&x.ActiveS),
			number(x.BlindS), number(x.SilentS)}
		if t := x.Traffic; t != nil {
			whole := func(n int64) string { return strconv.FormatInt(n, 10) }
			cells = append(cells, whole(t.Offered), whole(t.Sent), whole(t.Dropped), number(t.LateP50S), number(t.LateP99S), number(t.LateMaxS), whole(t.Unmatched), listed(t.Failures))
		} else {
			cells = append(cells, "", "", "", "", "", "", "", "")
		}
		w.row(cells...)
	}
	w.end("false_detection.csv")
}

// missedWords say what could not be taken in of the detector; "" where nothing
// is on record.
func missedWords(r *measure.Result) string {
	x := r.Reception
	if x == nil {
		return ""
	}
	said := map[string]string{"poll": "answer", "command": "line"}[r.Detector.Kind]
	if said == "" {
		said = "notification"
	}
	var parts []string
	add := func(n int64, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, grouped(n)+" "+many)
		}
	}
	add(x.Malformed, said+" could not be read", said+"s could not be read")
	add(x.Truncated, "alert was left out of notifications by their sender", "alerts were left out of notifications by their sender")
	add(x.Refused, "request to the receiver was turned away", "requests to the receiver were turned away")
	add(x.Unresolved, "group of alerts ended without the notification that was due", "groups of alerts ended without the notification that was due")
	add(x.Unanswered, "time its state was asked for in vain", "times its state was asked for in vain")
	add(x.Restarts, "time its program was started again", "times its program was started again")
	if x.GapS != nil {
		parts = append(parts, fmt.Sprintf("at the longest, %s went by between two looks at it", figure.Span(*x.GapS)))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (in %s); any of it may have been a detection or the end of one, and nothing stands in for it", strings.Join(parts, "; "), plural(x.Segments, "segment"))
}
