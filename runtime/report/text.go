package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/report/prose"
	"github.com/fdbench/fdbench/runtime/report/table"
)

// TextOptions shape the summary on a terminal.
type TextOptions = prose.Options

// Text writes the summary that follows a run: what the figures may be called
// first, then each offered load.
func (p *Report) Text(w io.Writer, o TextOptions) error {
	t := &summary{p.r, prose.NewPage(o)}
	t.top()
	for _, load := range loads(p.r) {
		t.load(load)
	}
	t.bottom()
	_, err := io.WriteString(w, t.String())
	return err
}

type summary struct {
	r *measure.Result
	*prose.Page
}

// shownViolations is how many violations the summary lists; the report has all.
const shownViolations = 8

func (t *summary) top() {
	r, c := t.r, &t.r.Conformance
	tone := color.FgGreen
	switch c.Status {
	case measure.StatusSimulated, measure.StatusReduced, measure.StatusErrorBound:
		tone = color.FgYellow
	case measure.StatusNonconform:
		tone = color.FgRed
	}
	t.WriteString(t.Paint(prose.Printable(r.Series), color.Bold) + ": " + t.Paint(heading(r), tone, color.Bold) + "\n")
	t.Para("  ", sentence(r))
	if s := incomplete(r); s != "" {
		t.Para("  ", s, color.FgRed)
	}
	for _, x := range c.Reductions {
		t.Para("  reduced  ", Reduction(x), color.FgYellow)
	}
	if c.ReducedReason != "" {
		t.Para("  reason   ", c.ReducedReason, color.FgYellow)
	}
	if r.Exploratory {
		t.Para("  ", exploratory, color.FgYellow)
	}
	for _, x := range r.Targets {
		if x.OptedIn {
			t.Para("  target  ", x.Name+" at "+x.Address+": "+optedIn, color.FgRed)
		}
	}
	if r.Generation > 1 {
		t.Para("  ", fmt.Sprintf("Generation %d of this series: the report says what the %s before it declared otherwise.", r.Generation, plural(r.Generation-1, "generation")))
	}
	t.violations()
	for _, x := range c.Deviations {
		t.Para("  deviation from "+x.Rule+"  ", x.Because)
	}
	if w := missedWords(r); w != "" {
		t.Para("  detector  ", w, color.FgYellow)
	}
	if n := len(c.Attested); n > 0 {
		t.Para("  ", plural(n, "statement")+" attested, not verified: the report has what is stated, and by whom")
	}
}

// violations lists them with what they led to, and the rows of those that the
// report alone spells out.
func (t *summary) violations() {
	list := t.r.Conformance.Violations
	for i, v := range list {
		if i == shownViolations {
			var rules []string
			for _, x := range list[i:] {
				if !slices.Contains(rules, x.Rule) {
					rules = append(rules, x.Rule)
				}
			}
			t.Para("  ", fmt.Sprintf("and %d more in the report, of %s", len(list)-i, strings.Join(rules, ", ")), color.FgRed)
			return
		}
		t.Para("  "+v.Rule+"  ", v.Detail+" ("+effect(v)+")", color.FgRed)
	}
}

func (t *summary) load(load string) {
	r := t.r
	t.WriteString("\n")
	t.Para("", load+" ("+heading(r)+")", color.Bold)
	confidence := figure.Significant(r.Supplementary.Confidence*100, 3) + "%"
	tab := &table.Table{Head: []string{"fault", ">magnitude", "profile", ">median s", ">p95 s", ">detected/n", ">undetected", confidence + " interval *", "read with it"}}
	weak := map[int]bool{}
	var remarks []string
	withheld := false
	for i := range r.Coverage {
		x := &r.Coverage[i]
		if x.Load != load {
			continue
		}
		sup := coverageOf(r, x.Class, x.Profile, x.Magnitude, load)
		ci := ""
		if sup != nil && sup.Low != nil {
			ci = figure.Two(*sup.Low) + "-" + figure.Two(*sup.High)
		}
		median, p95, note := "withheld", "withheld", ""
		if l := latencyOf(r, x, load); l != nil && !withheldLatency(l) {
			median, p95 = figure.Bounded(l.MedianS, l.ErrorBoundS, "none"), figure.Bounded(l.P95S, l.ErrorBoundS, "none")
			n := notes(l, latencySupplement(r, keyOf(l)))
			if l.P95IsMax {
				// The mark stands at the value: a reader takes the number first.
				p95 += "^"
				n = without(n, "p95 is")
			}
			note = strings.Join(n, "; ")
			if len(n) > 0 {
				weak[len(tab.Rows)] = true
			}
		} else {
			withheld = true
		}
		tab.Add(x.Class, withUnit(x.Magnitude, unitOf(r, x.Class)), x.Profile, median, p95, fmt.Sprintf("%d/%d", x.Detected(), x.Trials()), fmt.Sprint(x.Trials()-x.Detected()), ci, note)
	}
	if len(tab.Rows) > 0 {
		alignMarks(tab, 4)
		remarks = t.fit(tab)
		tab.Text(&t.Builder, "  ", func(row, col int, s string) string {
			switch {
			case row < 0:
				return t.Paint(s, color.Faint)
			case weak[row] && tab.Head[col] == "read with it":
				return t.Paint(s, color.FgYellow)
			}
			return s
		})
		if withheld {
			t.Para("    ", withheldLatencyWords, color.FgRed)
		}
		for _, x := range remarks {
			t.Para("    ", x, color.FgYellow)
		}
	}
	t.facts(load)
	t.traffic(load)
}

// alignMarks keeps the digits of a column under one another where some of its
// values carry a mark.
func alignMarks(tab *table.Table, col int) {
	marked := false
	for _, row := range tab.Rows {
		marked = marked || strings.HasSuffix(row[col], "^")
	}
	if !marked {
		return
	}
	tab.Head[col] += " "
	for _, row := range tab.Rows {
		if !strings.HasSuffix(row[col], "^") {
			row[col] += " "
		}
	}
}

// fit makes a table narrower than the terminal: remarks move below it, then
// the intervals, which are supplementary, are left to the report, and then the
// number undetected, which the counts beside it imply.
func (t *summary) fit(tab *table.Table) []string {
	var moved []string
	last := len(tab.Head) - 1
	if empty := tab.Empty(last); empty || tab.Width() > t.Width {
		for _, row := range tab.Rows {
			if row[last] != "" {
				moved = append(moved, fmt.Sprintf("%s %s %s: %s", row[0], row[1], row[2], row[last]))
			}
		}
		tab.Cut()
	}
	for range 2 {
		if tab.Width() > t.Width {
			tab.Cut()
		}
	}
	return moved
}

func without(list []string, prefix string) []string {
	var out []string
	for _, s := range list {
		if !strings.HasPrefix(s, prefix) {
			out = append(out, s)
		}
	}
	return out
}

func latencyOf(r *measure.Result, c *measure.Coverage, load string) *measure.Latency {
	for i := range r.Latency {
		l := &r.Latency[i]
		if l.Class == c.Class && l.Profile == c.Profile && l.Magnitude == c.Magnitude && l.Load == load {
			return l
		}
	}
	return nil
}

// facts are what a load has one of: thresholds, false detections, masking,
// sham trials.
func (t *summary) facts(load string) {
	r := t.r
	for i := range r.Threshold {
		if x := &r.Threshold[i]; x.Load == load {
			at := countsAt(x)
			if at != "" {
				at = ", detected " + at
			}
			t.Para("  threshold         ", fmt.Sprintf("%s, %s: %s%s%s (target %s, resolution %s, baseline sd %s)", x.Class, x.Profile, thresholdWords(x),
				unitWhere(r, x), at, x.Target, x.Resolution, figure.Decimal(x.BaselineSD)))
		}
	}
	f, s := falseOf(r, load)
	t.Para("  false detections  ", falseWords(f, s, r.Supplementary.Confidence))
	if w := observedWords(f); w != "" {
		t.Para("                    ", w, color.FgYellow)
	}
	if w := chanceWords(r, load); w != "" {
		t.Para("                    ", w+" *", color.FgYellow)
	}
	for i := range r.Masking {
		if x := &r.Masking[i]; x.Load == load {
			what := x.Class
			if x.Magnitude != nil {
				what += " " + withUnit(*x.Magnitude, unitOf(r, x.Class))
			}
			words := maskingWords(x)
			if x.Median != nil {
				words += fmt.Sprintf(" of the magnitude is lost on the way (median, n = %d)", x.Trials)
			}
			if w := belowWords(x); w != "" {
				words += "; " + w
			}
			t.Para("  masking           ", what+": "+words)
		}
	}
	for _, x := range r.Supplementary.Sham {
		if x.Load == load {
			t.Para("  sham trials *     ", fmt.Sprintf("%d/%d detected with no fault applied", x.Detected, x.Trials))
		}
	}
}

// unitWhere is the unit behind a threshold that has a value.
func unitWhere(r *measure.Result, x *measure.Threshold) string {
	if u := unitOf(r, x.Class); x.UpperBound != nil && u != "" {
		return " " + u
	}
	return ""
}

func (t *summary) bottom() {
	r := t.r
	t.WriteString("\n")
	for _, x := range r.Latency {
		if x.P95IsMax && x.P95S != nil {
			t.Para("  ^ ", "with fewer than 20 detected trials p95 is the largest latency seen; the true one may be larger", color.Faint)
			break
		}
	}
	t.Para("  * ", "outside the methodology; the report has the rest", color.Faint)
	t.Para("  ", fmt.Sprintf("Median and p95 are over detected trials only. %s of test time, %s requests.", figure.Span(r.Supplementary.TestTimeS), grouped(r.Supplementary.Requests)), color.Faint)
	t.Para("  ", r.Footer.Statement, color.Faint)
}
