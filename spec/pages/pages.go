// Package pages explains the requirements of the methodology and the rules of
// the language, one for a terminal and all as pages in Markdown.
//
// It imports spec, compiler, compiler/rule, lang and lang/suggest.
package pages

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/spec"
)

// Requirements is the page with every requirement, by section.
func Requirements() []byte {
	var b bytes.Buffer
	b.WriteString("# The requirements of the fault-detection methodology\n\n")
	b.WriteString("Made by `fdbench explain --all`; do not edit. Each requirement is in the project's own words; the ids stand in\n" +
		"findings and reports. STATEMENT is a definition or a step of a procedure, which a run satisfies like a MUST; DERIVED\n" +
		"follows from a pointer to a section that the text at hand does not contain.\n")
	section := ""
	for _, r := range spec.Requirements() {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&b, "\n## Section %s\n", section)
		}
		text, ok := rule.Explain(r.ID)
		if !ok {
			panic("pages: no explanation of " + r.ID)
		}
		// The first line is the heading here.
		_, text, _ = strings.Cut(text, "\n")
		fmt.Fprintf(&b, "\n### %s\n\n%s. %s\n", r.ID, r.Level, fenced(strings.TrimSpace(text)))
	}
	return b.Bytes()
}

// fenced puts the indented examples of an explanation into code blocks.
func fenced(text string) string {
	var b strings.Builder
	inside := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		indented := strings.HasPrefix(line, "  ")
		if indented && !inside {
			b.WriteString("```hcl\n")
			inside = true
		}
		if inside && !indented && !(line == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ")) {
			b.WriteString("```\n")
			inside = false
		}
		if inside {
			line = strings.TrimPrefix(line, "  ")
		}
		b.WriteString(line + "\n")
	}
	if inside {
		b.WriteString("```\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
