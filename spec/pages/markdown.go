package pages

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/spec"
)

// titles of the methodology's sections, in the project's words.
var titles = map[string]string{
	"1.1": "Scope", "1.2": "Applicability",
	"3.1": "Topology", "3.2": "Configuration of the detector", "3.3": "Traffic", "3.4": "Fault injection", "3.5": "Clocks",
	"4.1": "Signal", "4.2": "Baseline", "4.3": "Quiet period", "4.4": "One fault at a time",
	"5.1": "Detection latency", "5.2": "Detection coverage", "5.3": "Detection threshold magnitude", "5.4": "False detection rate", "5.5": "Boundary masking",
	"6": "Reporting", "7": "Confinement to a test environment",

	"KV-0": "Four figures", "KV-1": "Denominator", "KV-2": "Exact baseline", "KV-3": "Candidates", "KV-4": "Backend eligibility",
	"KV-5": "Backend confirmation", "KV-6": "Placement by gateways and routers", "KV-7": "Negative controls", "KV-8": "Pairs of cold and warm requests",
}

// Requirements is the page with every requirement of the fault-detection
// methodology, by section.
func Requirements() []byte {
	return requirementsPage(Methodology(), "# The requirements of the fault-detection methodology\n\n"+
		"Made by `fdbench explain --all --format md`; do not edit. Each requirement is in the project's own words; the ids stand in\n"+
		"findings and reports. STATEMENT is a definition or a step of a procedure, which a run satisfies like a MUST; DERIVED\n"+
		"follows from a pointer to a section that the text at hand does not contain.\n\n")
}

// ReuseRequirements is the page with every requirement of the metric contract
// for KV reuse, by section.
func ReuseRequirements() []byte {
	return requirementsPage(Contract(), "# The requirements of the metric contract for KV reuse\n\n"+
		"Made by `fdbench explain --reuse --format md`; do not edit. Each requirement is in the project's own words; the ids stand in\n"+
		"findings and reports. STATEMENT is a definition or a step of the measurement, which a run satisfies like a MUST.\n\n")
}

func requirementsPage(entries []Entry, head string) []byte {
	var b bytes.Buffer
	b.WriteString(head +
		"The examples are run by the tests. One that is no scenario is a change of a valid document. " + entries[0].Notation() + "\n\n## Contents\n")
	section := ""
	for _, e := range entries {
		if e.Section != section {
			section = e.Section
			fmt.Fprintf(&b, "\n- [Section %s: %s](#%s):", section, titles[section], Anchor(heading(section)))
		}
		fmt.Fprintf(&b, " [%s](#%s)", e.ID, Anchor(e.ID))
	}
	b.WriteString("\n")
	section = ""
	for _, e := range entries {
		if e.Section != section {
			section = e.Section
			fmt.Fprintf(&b, "\n## %s\n", heading(section))
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s", e.ID, body(e))
	}
	return b.Bytes()
}

func heading(section string) string { return "Section " + section + ": " + titles[section] }

// LanguagePage is the page with every rule of the language.
func LanguagePage() []byte {
	var b bytes.Buffer
	b.WriteString("# The rules of the language\n\nMade by `fdbench explain --language --format md`; do not edit. What the ids that begin with LANG- mean in a finding.\n")
	for _, e := range Language() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", e.ID, body(e))
	}
	return b.Bytes()
}

// Anchor is the fragment by which a heading is linked to in rendered Markdown.
func Anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Markdown is one entry as a page of its own.
func (e Entry) Markdown() []byte { return fmt.Appendf(nil, "### %s\n\n%s", e.ID, body(e)) }

func body(e Entry) string {
	var b strings.Builder
	if e.Requirement() {
		fmt.Fprintf(&b, "**%s**, section %s. ", e.Level, e.Section)
	}
	fmt.Fprintf(&b, "%s\n\n**Why it matters.** %s\n", e.Asks, e.Why)
	if e.Level == spec.Should || e.Level == spec.May {
		// The head of the page explains the other levels.
		fmt.Fprintf(&b, "\n%s\n", e.Means())
	}
	if e.Boundary != "" {
		fmt.Fprintf(&b, "\n**The boundary.** %s\n", e.Boundary)
	}
	if len(e.Enforced) > 0 {
		b.WriteString("\n| decided | what is looked at | what a violation leads to |\n|---|---|---|\n")
		for _, m := range e.Enforced {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.When, cell(m.How), cell(string(m.Effect)))
		}
	}
	if e.Attest != nil {
		fmt.Fprintf(&b, "\n**Attested in part.** No program can see %s. Outside of simulation the series says who vouches for it:\n\n%s", e.Attest.What, fence("hcl", e.Attest.Block))
	}
	for _, r := range e.Readings {
		fmt.Fprintf(&b, "\n**%s.** %s %s", r.ID, r.Question, r.Reading)
		if r.Differs != nil {
			fmt.Fprintf(&b, " It differs from the strictest reading: %s ([%s](decisions/%s.md)).", strings.TrimRight(r.Differs.How, "."), r.Differs.Decision, r.Differs.Decision)
		}
		b.WriteString("\n")
	}
	for _, s := range e.Examples {
		if !s.First {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", s.Caption())
		if s.Text == "" {
			continue
		}
		language := ""
		if s.In == spec.InScenario {
			language = "hcl"
		}
		fmt.Fprintf(&b, "\n%s", fence(language, s.Whole()))
	}
	return b.String()
}

// Caption is the line above an example: "This breaks it (in the report), no
// median. A complete result in which the first latency has no median_s:"
func (s Sample) Caption() string {
	text := "This " + s.Verb + moment(s.Stage)
	if s.Name != "" {
		text += ", " + s.Name
	}
	// What a snippet leaves out is said once of a pair.
	if s.Breaks || s.In != spec.InScenario || s.Text == "" {
		text += ". " + s.Shows
	}
	if s.Text == "" {
		return text
	}
	return strings.TrimRight(text, ".:") + ":"
}

func cell(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ") }

// fence puts code into a block that it does not itself close.
func fence(language, code string) string {
	marks := "```"
	for strings.Contains(code, marks) {
		marks += "`"
	}
	return marks + language + "\n" + strings.TrimRight(code, "\n") + "\n" + marks + "\n"
}

// JSON is an entry, or a list of them, with a final line end.
func JSON[T Entry | []Entry](v T) []byte {
	return plainjson.MustIndent(v) // strings, booleans and lists of them
}
