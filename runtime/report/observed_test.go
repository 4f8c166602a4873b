package report_test

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report"
)

// TestSilenceIsReported wants time that does not count in every form of a
// report, with its reasons.
func TestSilenceIsReported(t *testing.T) {
	const minute = int64(60e9)
	for _, x := range []struct {
		name    string
		windows int64 // without an answer
		dark    int64 // in which the state could not be read
		old     bool  // nothing says whether requests were answered
		text    string
		cells   string // blind and silent of the table
	}{
		{"nothing", 0, 0, false, "", "| 0s | 0s |"},
		{"silent", 3, 0, false, "45s more do not count: in 45s no request was answered", "| 45s | 45s |"},
		{"dark", 0, 2 * minute, false, "2m more do not count: in 2m the detector's state could not be read", "| 2m | 0s |"},
		{"both", 4, 2 * minute, false, "3m more do not count: in 1m no request was answered, in 2m the detector's state could not be read", "| 3m | 1m |"},
		{"an old journal", 0, 0, true, "whether requests were answered throughout is not on record", "| 0s | not on record |"},
		{"an old journal, dark", 0, 2 * minute, true, "2m more do not count, since the detector's state could not be read; whether", "| 2m | not on record |"},
	} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		synthetic.Each(c, func(r *journal.FalseDetectionRecord) {
			w := int64(15e9) // for figures that are easily read
			c.Plan.Declaration.Load.Points[r.Load].Window = 15e9
			r.Answered = &journal.AnsweredWindows{Width: w, N: (r.To - r.From) / w, Silent: x.windows}
			r.Blind = x.windows*w + x.dark
			if x.dark > 0 {
				r.Unknown = "connection refused"
			}
			if x.old {
				r.Answered = nil
				c.Plan.Estimators.Engine, c.Open.Engine = "fdbench.live/1", "fdbench.live/1"
			}
			r.Traffic.Failures = []journal.Failure{{Outcome: "refused", N: 4321}}
		})
		p := build(t, compute(t, c))
		text, md, csv := textOf(t, p), string(p.Markdown()), string(p.CSV()["false_detection.csv"])
		if x.text == "" && strings.Contains(text, "do not count") || !strings.Contains(text, x.text) || !strings.Contains(text, "requests without an answer: 4,321 refused") {
			t.Errorf("%s: %s", x.name, text)
		}
		if !strings.Contains(md, x.cells) || !strings.Contains(md, "4,321 refused") || !strings.Contains(md, "has to be made up for") {
			t.Errorf("%s: no %q in the report", x.name, x.cells)
		}
		if !strings.Contains(csv, ",blind_s,silent_s,offered,sent,") || !strings.Contains(csv, `"4,321 refused"`) && !strings.Contains(csv, "4,321 refused") {
			t.Errorf("%s: %s", x.name, csv)
		}
	}
	// In virtual time nothing of it is known or can be.
	p := build(t, compute(t, synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true})))
	if md := string(p.Markdown()); strings.Contains(md, "Requests while false detections") {
		t.Error("a simulation reports its requests")
	}
}

// TestMissedIsReported wants what was missed of the detector in its section and
// in the summary, by the detector's own words for it.
func TestMissedIsReported(t *testing.T) {
	all := journal.Missed{Malformed: 3, Truncated: 1, Refused: 1200, Unresolved: 2, Unanswered: 5, Restarts: 1, Gap: 90e9}
	for _, x := range []struct {
		kind   string
		missed *journal.Missed
		want   string
	}{
		{"webhook", nil, ""},
		{"webhook", &journal.Missed{Malformed: 3}, "3 notifications could not be read (in 1 segment); any of it may have been a detection"},
		{"prometheus", &journal.Missed{Malformed: 1}, "1 notification could not be read (in 1 segment)"},
		{"poll", &journal.Missed{Malformed: 2}, "2 answers could not be read"},
		{"command", &journal.Missed{Malformed: 2}, "2 lines could not be read"},
		{"webhook", &all, "3 notifications could not be read; 1 alert was left out of notifications by their sender; 1,200 requests to the receiver were turned away; " +
			"2 groups of alerts ended without the notification that was due; 5 times its state was asked for in vain; 1 time its program was started again; " +
			"at the longest, 1m30s went by between two looks at it (in 1 segment)"},
	} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		done := false
		synthetic.Each(c, func(r *journal.Commit) {
			if !done {
				r.Missed, done = x.missed, true
			}
		})
		r := compute(t, c)
		r.Detector.Kind = x.kind
		words := report.MissedWords(r)
		if !strings.HasPrefix(words, x.want) || (words == "") != (x.want == "") {
			t.Errorf("%s: %q", x.kind, words)
		}
		if x.kind != "webhook" {
			continue // the key of the detector's configuration would not follow
		}
		r.Detector.Kind = c.Plan.Declaration.Detector.Kind
		p := build(t, r)
		section, _, _ := strings.Cut(string(p.Markdown()), "## 5. Detection signal")
		if strings.Contains(section, "not taken in") != (words != "") || !strings.Contains(section, x.want) || !strings.Contains(textOf(t, p), cutAt(x.want, 60)) {
			t.Errorf("%q is not in the report", x.want)
		}
	}
}

func cutAt(s string, n int) string { return s[:min(n, len(s))] }
