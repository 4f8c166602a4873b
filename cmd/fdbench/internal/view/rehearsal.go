package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/execute"
)

// Rehearsal writes what a rehearsal found: everything that stands in the way of
// a run, with its remedy, and a row for each fault class.
func Rehearsal(to terminal.Stream, series string, r *execute.Rehearsal) {
	paint := func(text string, attrs ...color.Attribute) string {
		c := color.New(attrs...)
		if to.Color {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.Sprint(text)
	}
	head := fmt.Sprintf("Series %q", printable(series))
	if r.Load != "" {
		head += " at " + r.Load
	}
	fmt.Fprintln(to, paint(head, color.Bold))
	for _, p := range r.Problems {
		where := p.Part
		if p.Rule != "" {
			where += ", " + p.Rule
		}
		fmt.Fprintf(to, "  %s %s: %s\n", paint("x", color.FgRed), where, indent(to, closed(p.What)))
		if p.Remedy != "" {
			fmt.Fprintf(to, "    %s\n", indent(to, closed(capital(p.Remedy))))
		}
	}
	if len(r.Faults) > 0 {
		rows := [][]string{{"class", "magnitude", "share", "landed", "signal after", "cleared after", ""}}
		for _, f := range r.Faults {
			rows = append(rows, []string{f.Class, f.Magnitude.String(), f.Fraction.Decimal(4), achieved(&f), took(f.Signal), took(f.Cleared), verdict(&f)})
		}
		columns(to, rows)
		for _, f := range r.Faults {
			for _, what := range f.Faulty {
				fmt.Fprintf(to, "  %s %s: %s\n", paint("x", color.FgRed), f.Class, indent(to, closed(what)))
			}
		}
	}
	switch {
	case r.OK():
		fmt.Fprintln(to, paint("Every fault lands, is signalled and clears.", color.FgGreen))
	case len(r.Faults) == 0:
		fmt.Fprintln(to, "No fault was applied.")
	}
}

func achieved(f *execute.Rehearsed) string {
	if f.Achieved == nil {
		return "-"
	}
	return fmt.Sprintf("%s of %d", f.Achieved.Decimal(4), f.Responses)
}

func took(d *exact.Duration) string {
	if d == nil {
		return "-"
	}
	return d.Seconds().Decimal(2) + " s"
}

func verdict(f *execute.Rehearsed) string {
	if f.OK() {
		return "ok"
	}
	return "failed"
}

// columns writes rows with aligned columns.
func columns(to terminal.Stream, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString("  " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		fmt.Fprintln(to, strings.TrimRight(b.String(), " "))
	}
}

// indent wraps a text that stands behind a mark.
func indent(to terminal.Stream, text string) string {
	return strings.ReplaceAll(wrap(printable(text), to.Columns(width)-4), "\n", "\n    ")
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func closed(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!") {
		return text
	}
	return text + "."
}
