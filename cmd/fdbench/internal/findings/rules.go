package findings

import (
	"strings"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// Repository is where the project is at home, for links from findings to the
// pages that explain them.
const Repository = "https://github.com/fdbench/fdbench"

const pages = Repository + "/blob/main/spec/"

// explanation is what a reader of a finding is told of its rule.
type explanation struct {
	short, full, why, boundary string
	link                       string
	severity                   diag.Severity // 0 where it is that of the finding
	tag                        string
}

// explain looks a rule up. An id that nothing explains gets itself as text, so
// that a document is complete whatever it was given.
func explain(id string) explanation {
	if q, ok := spec.Lookup(id); ok {
		e := explanation{
			short: firstSentence(q.Text), full: string(q.Level) + " (section " + q.Section + "): " + q.Text, why: q.Why, boundary: q.Boundary,
			link: pages + q.Page() + "#" + anchor(id), tag: "methodology",
		}
		switch q.Level {
		case spec.Should:
			e.severity = diag.Warning
		case spec.May:
			e.severity = diag.Note
		default:
			e.severity = diag.Error
		}
		return e
	}
	for _, list := range [][]lang.Rule{lang.Rules(), compiler.LanguageRules()} {
		for _, r := range list {
			if r.ID == id {
				return explanation{short: firstSentence(r.What), full: r.What, why: r.Why, link: pages + "language-rules.md#" + anchor(id), tag: "language"}
			}
		}
	}
	return explanation{short: id, full: id, link: pages + "language-rules.md", tag: "language"}
}

// anchor is the name that a heading gets on the page.
func anchor(id string) string { return strings.ToLower(strings.ReplaceAll(id, ".", "")) }

// firstSentence ends at a full stop that a space and a capital follow.
func firstSentence(text string) string {
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '.' && text[i+1] == ' ' && text[i+2] >= 'A' && text[i+2] <= 'Z' {
			return text[:i+1]
		}
	}
	return text
}
