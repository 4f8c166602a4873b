package schema

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/lang/quantity"
)

// types is what the reference says of each type.
var types = []struct {
	Type Type
	Doc  string
}{
	{String, "A text in double quotes."},
	{Number, "A number, kept exactly as it is written."},
	{Bool, "`true` or `false`."},
	{Any, "Any value."},
	{Object, "An object of strings, numbers and bools: `{ temperature = 0 }`."},
	{Strings, "A list of texts."},
	{Numbers, "A list of numbers."},
	{TypeExpr, "A type: `string`, `number`, `bool`, `list(number)`, `object({ ... })`."},
	{Ref, "A reference to a block, such as `detector.alerts`. It has no quotes."},
	{File, "The path of a file, relative to the scenario's folder and inside of it."},
	{Duration, "A quantity of time: `\"90s\"`, `\"1h30m\"`."},
	{Rate, "A quantity of requests over time: `\"10 req/s\"`."},
	{Ratio, "A share: `\"18/20\"`, `\"90%\"`, or a number from 0 to 1."},
	{Window, "A duration, or a number of requests: `\"5m\"`, `\"200 requests\"`."},
	{Span, "A duration, or a number of aggregation windows: `\"50m\"`, `\"20 windows\"`."},
	{Sweep, "A sweep in quotes, or a list of numbers or quantities."},
	{Profile, "A profile in quotes, or a reference to a profile block."},
	{Profiles, "A list of profiles or references to profile blocks."},
	{Distribution, "A distribution in quotes."},
	{Predicate, "A condition in quotes, over what its place offers."},
	{Condition, "A condition in quotes, over the figures of a result."},
	{Tokens, "A quantity of tokens: `\"64 tokens\"`."},
	{Addresses, "The address of a server in quotes, or a list of addresses."},
	{NumberOrWord, "A number, or one of the words that are listed."},
}

// Reference returns the language reference as Markdown. The same build returns
// the same bytes.
func Reference() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Language reference, version %d\n\n", Version)
	b.WriteString("This page is generated from the block schema. Do not edit it.\n\n")
	b.WriteString(root.Doc + " Files are read in byte order of their names, and their order has no meaning.\n")
	b.WriteString("Every argument may be any HCL expression, unless it is marked *literal*.\n")
	b.WriteString("\n## Types\n\n| type | what it is |\n|---|---|\n")
	for _, t := range types {
		fmt.Fprintf(&b, "| %s | %s |\n", t.Type, cell(t.Doc))
	}
	b.WriteString("\n## Blocks\n")
	for _, c := range root.Blocks {
		writeBlock(&b, c, "", 3)
	}
	b.WriteString("\n## Grammar of quantities, sweeps, profiles and distributions\n\n```\n" + quantity.Grammar() + "```\n")
	b.WriteString("\n## Grammar of conditions\n\n```\n" + predicate.Grammar() + "```\n")
	b.WriteString("\n## Grammar of the conditions of gates\n\n```\n" + gate.Grammar() + "```\n")
	return b.Bytes()
}

func writeBlock(b *bytes.Buffer, s *Block, path string, level int) {
	title := s.Type
	if s.Kind != "" {
		title += " \"" + s.Kind + "\""
	} else if path != "" {
		title = path + " > " + title
	}
	fmt.Fprintf(b, "\n%s %s\n\n%s\n", strings.Repeat("#", level), title, s.Doc)
	if len(s.Kinds) > 0 {
		writeLabels(b, s)
		for _, k := range s.Kinds {
			writeBlock(b, k, path, level+1)
		}
		return
	}
	facts := []string{}
	if path != "" {
		facts = append(facts, occurrence(s))
	}
	if len(s.Requirements) > 0 {
		facts = append(facts, "Serves "+strings.Join(s.Requirements, ", ")+".")
	}
	if len(facts) > 0 {
		fmt.Fprintf(b, "%s\n", strings.Join(facts, " "))
	}
	writeLabels(b, s)
	writeAttrs(b, s)
	for _, g := range s.Groups {
		b.WriteString("\n" + groupSentence(g) + "\n")
	}
	writeRefused(b, s)
	next := s.Type
	if s.Kind != "" {
		next += " \"" + s.Kind + "\""
	}
	if path != "" {
		next = path + " > " + next
	}
	for _, c := range s.Blocks {
		writeBlock(b, c, next, min(level+1, 6))
	}
}

func writeLabels(b *bytes.Buffer, s *Block) {
	for _, l := range s.Labels {
		fmt.Fprintf(b, "- label `%s`: %s\n", l.Name, l.Doc)
	}
}

func writeAttrs(b *bytes.Buffer, s *Block) {
	if len(s.Attrs) == 0 {
		return
	}
	b.WriteString("\n| argument | type | default | meaning | serves |\n|---|---|---|---|---|\n")
	for _, a := range s.Attrs {
		typ := string(a.Type)
		if a.Unit != "" {
			typ += " (" + a.Unit + ")"
		}
		if a.Literal {
			typ += ", *literal*"
		}
		def := "none"
		switch {
		case a.Required:
			def = "**required**"
		case a.Default != "":
			def = "`" + a.Default + "`"
		}
		doc := a.Doc
		if len(a.Enum) > 0 {
			doc += " One of `" + strings.Join(a.Enum, "`, `") + "`."
			if a.Type == NumberOrWord {
				doc = a.Doc
			}
		}
		if len(a.Refs) > 0 {
			doc += " Refers to " + strings.Join(a.Refs, " or ") + "."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", a.Name, typ, cell(def), cell(doc), strings.Join(a.Requirements, ", "))
	}
}

func writeRefused(b *bytes.Buffer, s *Block) {
	if len(s.Refused) == 0 {
		return
	}
	b.WriteString("\nRefused here, with the requirement that forbids it:\n\n")
	for _, r := range s.Refused {
		fmt.Fprintf(b, "- `%s` (%s): %s\n", strings.Join(r.Names, "`, `"), r.Requirement, r.Why)
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func occurrence(s *Block) string {
	switch {
	case s.Min == 1 && s.Max == 1:
		return "Exactly one."
	case s.Max == 1:
		return "At most one."
	case s.Min > 0:
		return "One or more."
	}
	return "Any number."
}

func groupSentence(g Group) string {
	names := "`" + strings.Join(g.Names, "`, `") + "`"
	switch {
	case g.IfAny:
		return "All of " + names + ", or none."
	case g.Min == 0 && g.Max == 1:
		return "At most one of " + names + "."
	case g.Min == 1 && g.Max == 1:
		return "Exactly one of " + names + "."
	}
	return fmt.Sprintf("From %d to %d of %s.", g.Min, g.Max, names)
}
