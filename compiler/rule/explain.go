package rule

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// Explain says what a requirement asks, why, and how a scenario breaks and
// keeps it. It is false for an id that no requirement has. Case and missing
// dots are forgiven.
func Explain(id string) (string, bool) {
	for _, q := range spec.Requirements() {
		if strings.EqualFold(q.ID, strings.TrimSpace(id)) || sameID(id, q.ID) {
			return explain(q), true
		}
	}
	return "", false
}

func explain(q spec.Requirement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (section %s, %s)\n\n%s\n", q.ID, q.Section, q.Level, q.Text)
	shown := false
	for _, r := range Rules() {
		if r.ID != q.ID {
			continue
		}
		shown = r.Bad != ""
		if r.Why != "" {
			fmt.Fprintf(&b, "\nWhy: %s\n", r.Why)
		}
		if r.How != "" {
			fmt.Fprintf(&b, "Here: %s.\n", r.How)
		}
		if r.Bad != "" {
			fmt.Fprintf(&b, "\nThis breaks it (the rest of the scenario is left out):\n\n%s", indent(visible(r.Bad)))
		}
		if r.Good != "" {
			fmt.Fprintf(&b, "\nThis keeps it:\n\n%s", indent(visible(r.Good)))
		}
	}
	if !shown && q.Violation != "" {
		fmt.Fprintf(&b, "\nThis would break it: %s.\n", q.Violation)
	}
	fmt.Fprintf(&b, "\nDecided: %s (%s).\n", stages(q.When), q.Enforce)
	return b.String()
}

func stages(when []spec.Stage) string {
	words := map[spec.Stage]string{
		spec.Lint: "when the scenario is read", spec.Compile: "when it is compiled", spec.Run: "while it runs",
		spec.Report: "in the report", spec.Compare: "when results are compared",
	}
	var list []string
	for _, s := range when {
		list = append(list, words[s])
	}
	return strings.Join(list, ", ")
}

func indent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(s, "\n") + "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}
