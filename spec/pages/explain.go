package pages

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
)

// Explain says what a requirement of the methodology or a rule of the language
// asks, why, and how a scenario breaks and keeps it. It is false for an id
// that neither has. Case is forgiven.
func Explain(id string) (string, bool) {
	if text, ok := rule.Explain(id); ok {
		return text, true
	}
	for _, r := range languageRules() {
		if strings.EqualFold(r.ID, strings.TrimSpace(id)) {
			return r.ID + " (a rule of the language)\n\n" + explain(r), true
		}
	}
	return "", false
}

// languageRules are all rules of the language, those about shape first.
func languageRules() []lang.Rule { return append(lang.Rules(), compiler.LanguageRules()...) }

func explain(r lang.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nWhy: %s\n", r.What, r.Why)
	if r.Bad != "" {
		fmt.Fprintf(&b, "\nThis breaks it (the rest of the scenario is left out):\n\n%s\nThis keeps it:\n\n%s", indent(r.Bad), indent(r.Good))
	}
	return b.String()
}

// indent sets an example off, with what a terminal or a reader could not see
// spelled out.
func indent(example string) string {
	var b strings.Builder
	for line := range strings.Lines(visible(example)) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}

func visible(example string) string {
	return strings.Map(func(r rune) rune {
		if r == 0x202e || r == '\ufffd' {
			return '·'
		}
		return r
	}, example)
}

// Language is the page with every rule of the language.
func Language() []byte {
	var b bytes.Buffer
	b.WriteString("# The rules of the language\n\nMade by `fdbench explain --all`; do not edit. What the ids that begin with LANG- mean in a finding.\n")
	for _, r := range languageRules() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", r.ID, fenced(strings.TrimSpace(explain(r))))
	}
	return b.Bytes()
}

// Nearest is " (did you mean X?)" for an id that is nearly one, and "".
func Nearest(id string) string {
	var ids []string
	for _, r := range spec.Requirements() {
		ids = append(ids, r.ID)
	}
	for _, r := range languageRules() {
		ids = append(ids, r.ID)
	}
	// Ids differ in more than the case of their letters.
	lower := map[string]string{}
	var keys []string
	for _, id := range ids {
		keys = append(keys, strings.ToLower(id))
		lower[strings.ToLower(id)] = id
	}
	if n := suggest.Nearest(strings.ToLower(id), keys); n != "" {
		return fmt.Sprintf(" (did you mean %s?)", lower[n])
	}
	return ""
}
