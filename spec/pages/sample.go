package pages

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/fdbench/fdbench/spec"
)

// Notation says how the changes are written that examples make in a plan, a
// journal or a result.
func (e Entry) Notation() string {
	pick := `coverage {"load": "10 req/s"}`
	if strings.HasPrefix(e.ID, "KV-") {
		pick = `reuse_item {"item_id": "reorder"}`
	}
	return fmt.Sprintf(notation, pick)
}

const notation = "A change picks a part of the document by its kind and by members that it has, as in %s; the lines below say what becomes of it. set gives members another value, and null takes one away; shift adds to a number; drop takes the whole part out, copy doubles it, and before and after put another beside it; next and previous go on to a neighbour."

// setUp is the beginning of an edit that both sides of its rule share, so that
// it is not what breaks or keeps the rule. What stands last is never part of it.
func setUp(x spec.Example, r spec.Rule, breaks bool) string {
	other := r.Bad
	if breaks {
		other = r.Good
	}
	if x.In == spec.InScenario || len(other) == 0 || other[0].In != x.In {
		return ""
	}
	own, shared := statements(x.Text), statements(other[0].Text)
	n, length := 0, 0
	for n < len(own)-1 && n < len(shared) && strings.TrimSpace(own[n]) == strings.TrimSpace(shared[n]) {
		length += len(own[n])
		n++
	}
	return x.Text[:length]
}

// statements are the parts of an edit that each begin with a line which is not
// indented; together they are the text.
func statements(text string) []string {
	var parts []string
	for line := range strings.Lines(text) {
		if len(parts) == 0 || line[0] != ' ' && line[0] != '\t' && line != "\n" {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += line
	}
	return parts
}

// Essence is the text without its set-up.
func (s Sample) Essence() string { return strings.TrimPrefix(s.Text, s.SetUp) }

// Whole is the text with what tells its set-up from what it is about.
func (s Sample) Whole() string {
	if s.SetUp == "" {
		return s.Text
	}
	return "# The set-up, which the example needs:\n" + s.SetUp + "# What it is about:\n" + s.Essence()
}

// sample puts an example into the form in which it is shown.
func sample(stage spec.Stage, x spec.Example, breaks bool, setUp string) Sample {
	s := Sample{Breaks: breaks, Verb: "keeps it", Stage: stage, In: x.In, Name: x.Name, Text: x.Text, Edge: x.Edge, SetUp: setUp}
	if breaks {
		s.Verb = "breaks it"
	}
	names := map[string]string{spec.InPlan: "plan", spec.InJournal: "journal", spec.InResult: "result"}
	switch x.In {
	case spec.InScenario:
		s.Text = snippet(x.Text)
		switch s.Shows = "The rest of the scenario is left out."; x.Base {
		case "":
		case "reuse":
			s.Shows = "The rest of the scenario, with its reuse block, is left out."
		default:
			s.Shows = "The rest of the scenario," + original(x.Base) + ", is left out."
		}
		if strings.TrimSpace(x.Text) == "" {
			s.Shows = "A complete scenario as it is."
		}
	case spec.InComparison:
		s.Shows = "Two equal results" + original(x.Base) + inWhich(x.In, s.Essence(), ", in the second of which ", ".", ".")
	default:
		s.Shows = "A complete " + names[x.In] + original(x.Base) + inWhich(x.In, s.Essence(), " in which ", ".", " as it is.")
	}
	return s
}

// originals puts the valid originals that the registering packages know into
// words.
var originals = map[string]string{
	"declared":    " with both bounds of its search declared",
	"floor":       " whose search ended at its floor",
	"lab":         " of a laboratory",
	"live":        " of a running deployment",
	"one host":    " of one host",
	"real":        " in real time",
	"reduced":     " of a reduced series",
	"reuse":       " of a reuse run",
	"reuse bare":  " of a reuse run without a planner",
	"reuse live":  " of a live reuse run",
	"reuse split": " of a live reuse run whose backend tells prefixes from semantic reuse",

	"same":       " with one point for both",
	"same point": " with one point for both",
	"searches":   " of searches alone",
	"virtual":    " in virtual time",
}

// original says which valid original an example changes.
func original(base string) string {
	if base == "" {
		return ""
	}
	if said, ok := originals[base]; ok {
		return said
	}
	said := ""
	for _, part := range strings.Fields(base) {
		if factor, ok := strings.CutPrefix(part, "study="); ok {
			said += " in a study of " + strings.ReplaceAll(factor, "_", " ")
		} else if words, ok := originals[part]; ok {
			said += words
		} else {
			return " (" + base + ")"
		}
	}
	return said
}

// inWhich says what an edit changes, between before and after, or unchanged
// where it changes nothing. One that would take several lines to say is left
// to its own text.
func inWhich(in, edit, before, after, unchanged string) string {
	switch said, ok := describe(in, edit); {
	case ok && said == "":
		return unchanged
	case ok && len(said) <= longest:
		return before + said + after
	}
	return " with this change:"
}

// longest is the number of characters up to which an edit is put into words.
const longest = 240

// snippet is a fragment of a scenario as a reader sees it: what its removals
// take away is a comment, and what a terminal could not show is spelled out.
func snippet(text string) string {
	text = strings.Trim(text, "\n")
	if text == "" {
		return ""
	}
	var lines []string
	own := false // the line above is the author's comment, which says it already
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		m := removal.FindStringSubmatch(line)
		if m == nil {
			lines = append(lines, line)
			own = strings.HasPrefix(strings.TrimSpace(line), "#")
		} else if !own {
			lines = append(lines, m[1]+"# without "+labelled(m[2]))
		}
	}
	text = strings.Join(lines, "\n")
	text = strings.Map(func(r rune) rune {
		if r == 0x202e || r == '\ufffd' {
			return '·'
		}
		return r
	}, text)
	return strings.TrimRight(string(hclwrite.Format([]byte(text))), "\n") + "\n"
}

// labelled is the name of a block with its labels, one of several words in
// quotes.
func labelled(text string) string {
	parts := strings.Split(text, `" "`)
	for i, p := range parts {
		if strings.Contains(p, " ") {
			parts[i] = strconv.Quote(p)
		}
	}
	return strings.Join(parts, " ")
}

// removal is the block by which an example takes something away.
var removal = regexp.MustCompile(`^([ \t]*)remove "([^{}]*)" *\{ *\}[ \t]*$`)

// moment is a stage as a caption says it: " (while it runs)".
func moment(s spec.Stage) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", moments[s])
}
