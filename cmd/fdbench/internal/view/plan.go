package view

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/report/prose"
)

// Plan writes a plan in a few lines: what will be run, how long it takes in
// test time, what is reduced, the lock as [Lock] puts it, and the digest.
func Plan(to terminal.Stream, p *plan.Plan, lock string) {
	line := labelled(to, "Series", p.Series)
	d := &p.Declaration
	line("detector", "%s", detectorLine(&d.Detector))
	line("loads", "%s", loadLine(&d.Load))
	line("matrix", "%s", matrixLine(p))
	if n := len(p.Combinations.Searches); n > 0 {
		line("searches", "%s", searchLine(p))
	}
	line("besides", "%s", besidesLine(p))
	line("test time", "about %s; at best %s, at worst %s%s", p.Budget.Expected.Words(), p.Budget.Best.Words(), p.Budget.Worst.Words(), timeKind(p))
	line("reductions", "%s", reductionLine(d))
	for _, v := range d.Deviations {
		line("deviation", "%s: %s", v.Rule, v.Because)
	}
	line("lock", "%s", lock)
	line("plan", "%s", p.Digest)
}

const labelWidth = 14

// labelled writes what a plan is for, and returns what writes a line about it
// behind a label.
func labelled(to terminal.Stream, what, name string) func(label, format string, args ...any) {
	bold := color.New(color.Bold)
	if to.Color {
		bold.EnableColor()
	} else {
		bold.DisableColor()
	}
	fmt.Fprintf(to, "%s\n", bold.Sprintf("%s %q", what, name))
	return func(label, format string, args ...any) {
		text := wrap(printable(fmt.Sprintf(format, args...)), to.Columns(width)-labelWidth)
		fmt.Fprintf(to, "  %-*s%s\n", labelWidth-2, label, strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", labelWidth)))
	}
}

// Lock says which lock a series belongs to, and what it says of it. nil stands
// for a run that leaves the lock alone; newSeries says that a run begins the
// next generation of a series that was changed.
func Lock(s *launch.LockState, newSeries bool) string {
	if s == nil {
		return "left alone (--explore)"
	}
	text := s.Path
	switch {
	case s.Generation == 0:
		text += ", from the first trial on"
	case len(s.Diffs) == 0:
		text += fmt.Sprintf(", generation %d", s.Generation)
	case newSeries:
		text += fmt.Sprintf(", where generation %d begins", s.Generation+1)
	default:
		text += fmt.Sprintf(", where generation %d was declared otherwise", s.Generation)
	}
	if s.Path != s.Named {
		text += fmt.Sprintf("; it knows the series already, so %s is not begun", filepath.Base(s.Named))
	}
	return text
}

func detectorLine(d *plan.Detector) string {
	var alerts []string
	for _, a := range d.Alerts {
		alerts = append(alerts, a.Name)
	}
	var over []string
	for _, i := range d.Indicators {
		over = append(over, fmt.Sprintf("%s over %s", i.Indicator, windowText(i.Window)))
	}
	return fmt.Sprintf("%s (%s), %s: %s; %s", d.Name, d.Kind, count(len(alerts), "alert"), list(alerts), list(over))
}

func windowText(w plan.Window) string {
	if w.Requests > 0 {
		return fmt.Sprintf("%d requests", w.Requests)
	}
	return w.Duration.String()
}

func loadLine(l *plan.Load) string {
	var rates []string
	representative := ""
	for _, pt := range l.Points {
		rates = append(rates, pt.Rate.String())
		if pt.Representative {
			representative = fmt.Sprintf(", %s is the representative one", pt.Rate)
		}
	}
	return fmt.Sprintf("%s req/s, %s arrivals%s", list(rates), l.Arrivals, representative)
}

// matrixLine says what the fault blocks multiply to. A fault block has the
// same cells at every load.
func matrixLine(p *plan.Plan) string {
	type block struct {
		class                string
		magnitudes, profiles []string
	}
	var order []string
	blocks := map[string]*block{}
	counts, sum := map[int]bool{}, 0
	for _, c := range p.Combinations.Trials {
		b := blocks[c.Fault]
		if b == nil {
			b = &block{class: c.Class}
			blocks[c.Fault] = b
			order = append(order, c.Fault)
		}
		b.magnitudes = once(b.magnitudes, c.Magnitude.String())
		b.profiles = once(b.profiles, c.Profile.Name)
		counts[c.Trials] = true
		sum += c.Trials
	}
	if len(order) == 0 {
		return "no trials"
	}
	var parts []string
	for _, o := range order {
		b := blocks[o]
		parts = append(parts, fmt.Sprintf("%s at %s (%s)", b.class, list(b.magnitudes), list(b.profiles)))
	}
	return fmt.Sprintf("%s; %s over %s, %s trials each, %s in all",
		strings.Join(parts, "; "), count(len(p.Combinations.Trials), "combination"), count(len(p.Declaration.Load.Points), "load"),
		numbers(counts), thousands(sum))
}

func searchLine(p *plan.Plan) string {
	var kinds []string
	for _, s := range p.Combinations.Searches {
		kinds = once(kinds, fmt.Sprintf("%s (%s) for %s, to %s", s.Class, s.Profile.Name, s.TargetText, s.Resolution))
	}
	return fmt.Sprintf("%s; %d in all", list(kinds), len(p.Combinations.Searches))
}

func besidesLine(p *plan.Plan) string {
	d := &p.Declaration
	parts := []string{"baselines", count(d.Sham.Trials, "sham trial") + " a load"}
	if d.Masking != nil {
		parts = append(parts, count(d.Masking.Trials, "masking trial")+" a load")
	}
	parts = append(parts, fmt.Sprintf("false detection for %s a load or as long as faults were applied", d.FalseDetection.AtLeast))
	return strings.Join(parts, ", ")
}

func timeKind(p *plan.Plan) string {
	if p.Declaration.Environment.Kind == "simulated" {
		return " (virtual)"
	}
	return ""
}

func reductionLine(d *plan.Declaration) string {
	if len(d.Reductions) == 0 {
		return "none"
	}
	var parts []string
	for _, r := range d.Reductions {
		parts = append(parts, fmt.Sprintf("%s: %s instead of %s", strings.ReplaceAll(r.What, "_", " "), r.Planned, r.Required))
	}
	line := strings.Join(parts, "; ")
	if d.ReducedReason != "" {
		line += " (" + d.ReducedReason + ")"
	}
	return line
}

// Budgets writes the time budget of each load, for a person who plans a week.
func Budgets(w io.Writer, p *plan.Plan) {
	for _, b := range p.Budget.LoadBudget {
		fmt.Fprintf(w, "  %-*s%s: about %s, at worst %s\n", labelWidth-2, "", p.Declaration.Load.Points[b.Load].Rate.String()+" req/s",
			b.Expected.Words(), b.Worst.Words())
	}
}

func once(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func list(items []string) string { return strings.Join(items, ", ") }

func numbers(set map[int]bool) string {
	var out []int
	for n := range set {
		out = append(out, n)
	}
	slices.Sort(out)
	var text []string
	for _, n := range out {
		text = append(text, fmt.Sprint(n))
	}
	return strings.Join(text, " or ")
}

// thousands groups the digits of n as a reader expects it.
func thousands(n int) string {
	s := exact.Int(int64(n)).String()
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// wrap breaks text at spaces into lines of at most n columns where it can.
func wrap(text string, n int) string { return strings.Join(prose.Wrap(text, n), "\n") }
