package view

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/scoring"
	"github.com/fdbench/fdbench/runtime/report/prose"
)

// excerpt is how many characters of a response a row shows.
const excerpt = 60

// Score writes a scored file for a person: a row for each response, then the
// sum.
func Score(to io.Writer, r *scoring.Report) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if r.Twins != nil {
		fmt.Fprintf(w, "id\tscore\tafter %s\tresponse after the fault\n", r.Fault)
	} else {
		fmt.Fprintf(w, "id\tscore\tresponse\n")
	}
	for _, row := range r.Rows {
		if row.Twin != nil {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", short(row.ID), row.Score, *row.TwinScore, shortFrom(*row.Twin, firstChange(row.Response, *row.Twin)))
		} else {
			fmt.Fprintf(w, "%s\t%d\t%s\n", short(row.ID), row.Score, short(row.Response))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(to, "\n%s: %s\n", r.Indicator, mean(r.Summary, r.Unit))
	if r.Twins != nil {
		fmt.Fprintf(to, "with every response changed by %s: %s\n", r.Fault, mean(*r.Twins, r.Unit))
	}
	return nil
}

func mean(s scoring.Summary, unit string) string {
	text := "mean " + s.Mean.String()
	if unit != "1" {
		text += " " + unit
	}
	if s.SD != nil {
		text += ", sd " + s.SD.String()
	}
	return text + fmt.Sprintf(", n = %d", s.N)
}

// printable puts spaces in the place of characters that move the cursor or
// turn the direction of a line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if prose.Steers(r) {
			return ' '
		}
		return r
	}, s)
}

// oneLine is a text with a single space wherever it has white space.
func oneLine(s string) string { return strings.Join(strings.Fields(printable(s)), " ") }

// short is one line of a text, from its beginning.
func short(s string) string { return shortFrom(s, 0) }

// before is how many characters are shown ahead of a change.
const before = 12

// shortFrom is one line of a text around the character at, which counts in
// oneLine(s).
func shortFrom(s string, at int) string {
	runes := []rune(oneLine(s))
	lead := ""
	// What fits whole is shown whole.
	if from := at - before; from > 0 && len(runes) > excerpt {
		from = min(from, len(runes)-excerpt+1)
		lead, runes = "…", runes[from:]
	}
	if room := excerpt - len([]rune(lead)); len(runes) > room {
		return lead + string(runes[:room-1]) + "…"
	}
	return lead + string(runes)
}

// firstChange is the first character in which two texts differ, each in one
// line.
func firstChange(a, b string) int {
	x, y := []rune(oneLine(a)), []rune(oneLine(b))
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}
