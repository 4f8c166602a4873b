package view

import (
	"fmt"
	"strings"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/report"
)

// shownDifferences is how many differing values a list shows; the JSON has all.
const shownDifferences = 12

// Comparison writes two results side by side for a person, or why they are not
// compared. It colours headings and nothing else: no colour says which of two
// values is better.
func Comparison(to terminal.Stream, c *compare.Comparison) error {
	t := &comparisonText{c: c, columns: to.Columns(widestTable), bold: color.New(color.Bold)}
	if to.Color {
		t.bold.EnableColor()
	} else {
		t.bold.DisableColor()
	}
	t.top()
	if c.Comparable {
		t.tables()
	} else {
		t.refusals()
	}
	_, err := fmt.Fprint(to, t.b.String())
	return err
}

// widestTable is how wide a table may be where the terminal is; sentences stay
// within readable.
const (
	widestTable = 160
	readable    = 110
)

type comparisonText struct {
	c       *compare.Comparison
	columns int
	bold    *color.Color
	b       strings.Builder
}

func (t *comparisonText) para(mark, text string) {
	indent := strings.Repeat(" ", len([]rune(mark)))
	t.b.WriteString(mark + strings.ReplaceAll(wrap(printable(text), min(t.columns, readable)-len(indent)), "\n", "\n"+indent) + "\n")
}

func (t *comparisonText) top() {
	c := t.c
	t.b.WriteString(t.bold.Sprint(c.Heading) + "\n")
	t.para("  ", c.Statement)
	t.para("  A  ", sideWords(&c.A))
	t.para("  B  ", sideWords(&c.B))
	for _, x := range c.Remarks {
		t.para("  ", x)
	}
	for _, x := range reductionWords(c) {
		t.para("  ", x)
	}
}

func (t *comparisonText) refusals() {
	for _, r := range t.c.Refusals {
		id := r.Rule
		if id == "" {
			id = r.Reason
		}
		t.b.WriteString("\n")
		t.para("  "+t.bold.Sprint(id)+"  ", r.Summary)
		t.differences("    ", r.Differences, r.Key)
		t.para("    ", r.Why)
		t.para("    ", r.Remedy)
	}
}

func (t *comparisonText) differences(indent string, list []compare.Difference, key string) {
	if len(list) == 0 {
		return
	}
	s := differenceSheet(list, key)
	s.text(&t.b, indent, nil)
	if more := len(list) - shownDifferences; more > 0 {
		fmt.Fprintf(&t.b, "%sand %d more\n", indent, more)
	}
}

func (t *comparisonText) tables() {
	c := t.c
	for _, k := range c.Keys {
		if !k.Same {
			t.b.WriteString("\n" + t.bold.Sprint("What changed: the "+strings.ReplaceAll(k.Name, "_", " ")) + "\n")
			t.differences("  ", k.Differences, k.Name)
		}
	}
	if len(c.Conditions) > 0 {
		t.b.WriteString("\n" + t.bold.Sprint("Declared differently, outside of the five keys") + "\n")
		t.differences("  ", c.Conditions, "")
	}
	for _, build := range comparisonSheets(c) {
		s := build(true)
		if s.width() > t.columns {
			s = build(false)
		}
		if len(s.rows) == 0 {
			continue
		}
		t.b.WriteString("\n" + t.bold.Sprint(s.title) + "\n")
		s.text(&t.b, "  ", t.bold)
		for _, x := range s.notes {
			t.para("    ", x)
		}
	}
	t.b.WriteString("\n")
	if x := c.Supplementary.Tests; x != nil {
		if x.NoLatency != "" {
			t.para("  * ", x.NoLatency)
		}
		t.para("  * ", x.Note)
	} else {
		t.para("  * ", c.Supplementary.Note)
	}
	t.para("  ", c.Footer)
}

// ComparisonMarkdown is the same as a page.
func ComparisonMarkdown(c *compare.Comparison) []byte {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("# %s\n\n%s\n\n- A: %s\n- B: %s\n", c.Heading, c.Statement, cell(sideWords(&c.A)), cell(sideWords(&c.B)))
	for _, x := range append(append([]string{}, c.Remarks...), reductionWords(c)...) {
		f("- %s\n", cell(x))
	}
	f("\n")
	differences := func(list []compare.Difference, key string) {
		if len(list) == 0 {
			return
		}
		s := differenceSheet(list, key)
		s.markdown(&b)
		if more := len(list) - shownDifferences; more > 0 {
			f("and %d more\n\n", more)
		}
	}
	if !c.Comparable {
		for _, r := range c.Refusals {
			id := r.Rule
			if id == "" {
				id = r.Reason
			}
			f("## %s: %s\n\n", id, cell(r.Summary))
			differences(r.Differences, r.Key)
			f("%s %s\n\n", cell(r.Why), cell(r.Remedy))
		}
		return []byte(b.String())
	}
	f("| key | A | B |\n|---|---|---|\n")
	for _, k := range c.Keys {
		f("| %s | `%s` | `%s` |\n", strings.ReplaceAll(k.Name, "_", " "), digestWords(k.SHA256A), digestWords(k.SHA256B))
	}
	f("\n")
	for _, k := range c.Keys {
		if !k.Same {
			f("## What changed: the %s\n\n", strings.ReplaceAll(k.Name, "_", " "))
			differences(k.Differences, k.Name)
		}
	}
	if len(c.Conditions) > 0 {
		f("## Declared differently, outside of the five keys\n\n")
		differences(c.Conditions, "")
	}
	for _, build := range comparisonSheets(c) {
		s := build(true)
		if len(s.rows) == 0 {
			continue
		}
		f("## %s\n\n", s.title)
		s.markdown(&b)
		for _, x := range s.notes {
			f("- %s\n", cell(x))
		}
		if len(s.notes) > 0 {
			f("\n")
		}
	}
	note := c.Supplementary.Note
	if x := c.Supplementary.Tests; x != nil {
		note = strings.TrimSpace(x.NoLatency + " " + x.Note)
	}
	f("\\* %s\n\n%s\n", cell(note), c.Footer)
	return []byte(b.String())
}

func digestWords(s string) string {
	s = strings.TrimPrefix(s, "sha256:")
	return s[:min(len(s), 16)]
}

// sideWords says what one of the two is.
func sideWords(s *compare.Side) string {
	how := "recomputed from its plan and journal"
	if !s.Verified {
		how = "not verified"
	}
	status := strings.ReplaceAll(s.Status, "_", " ")
	if len(s.Reductions) > 0 && s.Status != "reduced" {
		status += ", reduced"
	}
	return fmt.Sprintf("%s: series %s, generation %d, %s, %s; plan %s", s.Name, s.Series, s.Generation, status, how, digestWords(s.PlanDigest))
}

// reductionWords lists the reductions and deviations of both.
func reductionWords(c *compare.Comparison) []string {
	var out []string
	for _, s := range []struct {
		mark string
		side *compare.Side
	}{{"A", &c.A}, {"B", &c.B}} {
		var parts []string
		for _, x := range s.side.Reductions {
			parts = append(parts, report.Reduction(x))
		}
		if len(parts) > 0 {
			out = append(out, s.mark+" is reduced: "+strings.Join(parts, "; ")+".")
		}
		parts = nil
		for _, x := range s.side.Deviations {
			parts = append(parts, x.Rule+" ("+x.Because+")")
		}
		if len(parts) > 0 {
			out = append(out, s.mark+" deviates from "+strings.Join(parts, ", ")+".")
		}
	}
	return out
}

func differenceSheet(list []compare.Difference, key string) sheet {
	s := sheet{head: []string{"what", "A", "B"}}
	for i, d := range list {
		if i == shownDifferences {
			break
		}
		path := d.Path
		if path == "" {
			path = strings.ReplaceAll(key, "_", " ")
		}
		if d.Line > 0 {
			path += fmt.Sprintf(" line %d", d.Line)
		}
		at := 0
		if d.A != nil && d.B != nil {
			at = firstChange(*d.A, *d.B)
		}
		s.add("", path, valueWords(d.A, at), valueWords(d.B, at))
	}
	return s
}

func valueWords(s *string, at int) string {
	switch {
	case s == nil:
		return "absent"
	case strings.TrimSpace(*s) == "":
		return "empty"
	}
	return shortFrom(*s, at)
}
