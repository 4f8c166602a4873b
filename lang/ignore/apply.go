package ignore

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/reason"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Options say what Apply has to know of the findings.
type Options struct {
	// Known are the ids of all rules, in a fixed order.
	Known []string
	// Complete tells that the list holds everything that could be found, so
	// that a directive which sets nothing aside is certainly of no use.
	Complete bool
}

// Ignored is a finding that was set aside.
type Ignored struct {
	Diagnostic diag.Diagnostic
	Reason     string
	// Directive is the place of the comment.
	Directive hcl.Range
}

// own begins the ids of the rules on directives, which no directive sets aside.
const own = "LANG-" + "ignore-"

// Apply takes out of a list what the directives of a document set aside, and
// adds what is wrong with the directives themselves. Both lists keep the order
// of the one that was given; the caller sorts what is kept.
func Apply(doc *lang.Document, list diag.List, o Options) (kept diag.List, ignored []Ignored) {
	var all []*state
	for _, f := range doc.Files {
		for _, d := range Parse(f) {
			all = append(all, &state{Directive: d, file: f, uses: make([]use, len(d.IDs)), before: make([]*state, len(d.IDs))})
		}
	}
	if len(all) == 0 {
		return list, nil
	}
	known := map[string]bool{}
	for _, id := range o.Known {
		known[id] = true
	}
	var wrong diag.List
	for _, s := range all {
		wrong.Extend(s.check(known, o.Known))
	}
	for _, d := range list {
		if by := setAside(all, &d); by != nil {
			ignored = append(ignored, Ignored{d, by.Reason, by.Range})
		} else {
			kept.Add(d)
		}
	}
	complete := o.Complete && !list.HasErrors()
	for _, s := range all {
		wrong.Extend(s.outcome(complete))
	}
	kept.Extend(wrong)
	return kept, ignored
}

// use is what became of one id of a directive.
type use int

const (
	unused  use = iota
	invalid     // it says nothing that could be used
	refused     // it named an error
	used
)

type state struct {
	Directive
	file *lang.File
	uses []use
	// before is who set aside already what each id names, nil where nobody did.
	before []*state
	// errors are the errors that each id named, for the message.
	first *diag.Diagnostic
}

// setAside finds the directive that sets a finding aside: the first that names
// it. Another one that does is of no use for this finding.
func setAside(all []*state, d *diag.Diagnostic) *state {
	if d.Rule == "" || strings.HasPrefix(d.Rule, own) {
		return nil
	}
	var by *state
	for _, s := range all {
		if !s.covers(d.Subject) {
			continue
		}
		for i, id := range s.IDs {
			switch {
			case id.Text != d.Rule || s.uses[i] == invalid:
			case d.Severity == diag.Error:
				s.uses[i] = refused
				if s.first == nil {
					s.first = d
				}
			case by != nil:
				s.before[i] = by
			default:
				s.uses[i], by = used, s
			}
		}
	}
	return by
}

func finding(severity diag.Severity, rule, summary, detail string, at hcl.Range) diag.Diagnostic {
	return diag.Diagnostic{Severity: severity, Rule: rule, Summary: summary, Detail: detail, Subject: &at}
}

const example = "\n\n  # " + Keyword + " FD-3.3-5 the test machine does not take more"

// check says what is wrong with a directive whatever was found, and marks what
// of it cannot be used.
func (s *state) check(known map[string]bool, ids []string) diag.List {
	var out diag.List
	spoil := func() {
		for i := range s.uses {
			s.uses[i] = invalid
		}
	}
	switch {
	case s.form != "":
		out.Add(finding(diag.Error, "LANG-ignore-form", "Ignore is not well formed", s.form+" It reads:"+example, s.Range))
		return out
	case len(s.IDs) == 0:
		out.Add(finding(diag.Error, "LANG-ignore-form", "Ignore names no rule",
			"It is not said which finding is set aside. Write the id of its rule, then the reason:"+example, s.Range))
		return out
	case s.From == s.To:
		spoil()
		out.Add(finding(diag.Error, "LANG-ignore-form", "Ignore is about nothing",
			"A comment on a line of its own is about the argument or the block right below it, and there is none: put it there, without a blank line between.", s.Range))
		return out
	}
	for i, id := range s.IDs {
		if known[id.Text] {
			continue
		}
		s.uses[i] = invalid
		d := finding(diag.Error, "LANG-ignore-unknown", "Ignore of unknown rule", fmt.Sprintf("There is no rule %q.", id.Text), id.Range)
		if near := nearest(id.Text, ids); near != "" {
			d.Detail += fmt.Sprintf(" Did you mean %s?", near)
			d.Fix = &diag.Fix{Range: id.Range, Text: near}
		} else {
			d.Detail += " The id stands in brackets behind the summary of a finding. The reason comes behind the ids, which are separated by commas."
		}
		out.Add(d)
	}
	if !reason.Given(s.Reason) {
		spoil()
		out.Add(finding(diag.Error, "LANG-ignore-reason", "Ignore gives no reason",
			"Whoever reads this later has to know why the finding was set aside. Write the reason behind the ids, in words:"+example, s.Range))
	}
	return out
}

// nearest forgives case before it counts letters.
func nearest(id string, ids []string) string {
	for _, k := range ids {
		if strings.EqualFold(k, id) {
			return k
		}
	}
	return suggest.Nearest(id, ids)
}

// outcome says what became of a directive after the findings were looked at.
func (s *state) outcome(complete bool) diag.List {
	var out diag.List
	for i, u := range s.uses {
		id := s.IDs[i]
		switch {
		case u == refused:
			out.Add(finding(diag.Error, "LANG-ignore-must", "Errors cannot be ignored",
				fmt.Sprintf("%s (%s) is an error here, and a comment cannot set it aside: the result would not be what it is called. Repair the scenario and take the comment out. Only warnings and notes can be ignored; what section 1.2 lets a screening reduce is asked for with reduced { reason = \"...\" }.", id.Text, lower(s.first.Summary)), id.Range))
		case strings.HasPrefix(id.Text, own) && u != invalid:
			out.Add(finding(diag.Error, "LANG-ignore-must", "Errors cannot be ignored",
				fmt.Sprintf("%s is about comments like this one, and is not set aside by another. Repair the comment that it names.", id.Text), id.Range))
		case u == unused && complete:
			d := finding(diag.Warning, "LANG-ignore-unused", "Ignore sets nothing aside",
				fmt.Sprintf("Nothing was found here under %s. What the comment was written for is gone, or is in another place: take the comment out.", id.Text), id.Range)
			if by := s.before[i]; by != nil {
				d.Detail = fmt.Sprintf("What is found here under %s is set aside already, by the comment at line %d of %s: one of the two is enough.", id.Text, by.Range.Start.Line, by.Range.Filename)
			}
			d.Fix = s.without(i)
			out.Add(d)
		}
	}
	return out
}

func lower(summary string) string {
	if summary == "" {
		return "a finding"
	}
	return strings.ToLower(summary[:1]) + summary[1:]
}

// without is the repair that takes an id out, and with the last one the whole
// comment. Ids go one by one; the comment goes when no other id is left in it.
func (s *state) without(i int) *diag.Fix {
	src, at := s.file.Bytes, func(from, to int) hcl.Range { return s.file.Sources().Range(s.file.Name, from, to) }
	switch {
	case len(s.IDs) > 1 && i > 0:
		return &diag.Fix{Range: at(s.IDs[i-1].Range.End.Byte, s.IDs[i].Range.End.Byte)}
	case len(s.IDs) > 1:
		return &diag.Fix{Range: at(s.IDs[0].Range.Start.Byte, s.IDs[1].Range.Start.Byte)}
	}
	from, to := s.Range.Start.Byte, s.Range.End.Byte
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	if s.own && to < len(src) && bytes.HasPrefix(src[to:], []byte("\n")) {
		to++
	}
	return &diag.Fix{Range: at(from, to)}
}
