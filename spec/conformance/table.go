package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// Verdict is what came of showing one example to its rule.
type Verdict struct {
	Rule    spec.Rule
	Package string // that registered it
	Example spec.Example
	Good    bool
	Caught  []string // ids of everything that was found, sorted, each once
	Same    bool     // it leaves its original as it is: it shows no more than that the original is valid
}

// Held tells whether the example did what it is there for: one that breaks the
// rule was caught under the rule's own id, one that keeps it passed without any
// finding.
func (v Verdict) Held() bool {
	if v.Good {
		return len(v.Caught) == 0
	}
	return slices.Contains(v.Caught, v.Rule.ID)
}

// Status is how a row stands.
type Status string

// The statuses of a row.
const (
	Enforced  Status = "enforced"
	Part      Status = "enforced, part attested"
	Permitted Status = "permitted"
	Open      Status = "OPEN" // some moment has no rule, or an example did not do what it is there for
)

// StatusOf is how a row stands with these verdicts on its examples.
func StatusOf(q spec.Requirement, verdicts []Verdict) Status {
	at := map[spec.Stage]bool{}
	for _, v := range verdicts {
		if v.Rule.ID != q.ID {
			continue
		}
		if !v.Held() {
			return Open
		}
		// A permission is shown by its use.
		if !v.Good || q.Level == spec.May {
			at[v.Rule.Stage] = true
		}
	}
	for _, s := range q.When {
		if !at[s] {
			return Open
		}
	}
	switch {
	case q.Level == spec.May:
		return Permitted
	case q.Enforce != mechanical:
		return Part
	}
	return Enforced
}

// Summary counts what the table says.
type Summary struct {
	Rows      map[Status]int
	Rules     map[spec.Stage]int
	Bad, Good int // examples
	Named     int // of Bad, no more than a name that the language refuses
	Caught    int // of Bad, under the row's own id
	Passed    int // of Good, without a finding
	Edges     int // of both, on a boundary or next to it
	Originals int // examples that keep a rule by leaving the original as it is: in no other count
}

// Summarise counts.
func Summarise(rows []spec.Requirement, verdicts []Verdict) Summary {
	s := Summary{Rows: map[Status]int{}, Rules: map[spec.Stage]int{}}
	for _, q := range rows {
		s.Rows[StatusOf(q, verdicts)]++
	}
	seen := map[place]bool{}
	for _, v := range verdicts {
		if at := (place{v.Rule.ID, v.Rule.Stage}); !seen[at] {
			seen[at] = true
			s.Rules[v.Rule.Stage]++
		}
		held := 0
		if v.Held() {
			held = 1
		}
		if v.Good && v.Same {
			s.Originals++
			continue
		}
		if v.Good {
			s.Good++
			s.Passed += held
		} else {
			s.Bad++
			s.Caught += held
			if RefusedByName(v.Rule.ID, v.Example) {
				s.Named++
			}
		}
		if v.Example.Edge {
			s.Edges++
		}
	}
	return s
}

// Lines are the summary in a few lines of text.
func (s Summary) Lines() []string {
	total, parts := 0, []string{}
	for _, st := range []Status{Enforced, Part, Permitted, Open} {
		total += s.Rows[st]
		if s.Rows[st] > 0 || st != Open {
			parts = append(parts, fmt.Sprintf("%d %s", s.Rows[st], st))
		}
	}
	rules, moments := 0, []string{}
	for _, st := range Stages {
		rules += s.Rules[st]
		moments = append(moments, fmt.Sprintf("%d at %s", s.Rules[st], st))
	}
	return []string{
		fmt.Sprintf("%d rows: %s.", total, strings.Join(parts, ", ")),
		fmt.Sprintf("%d rules: %s.", rules, strings.Join(moments, ", ")),
		fmt.Sprintf("%d violations, each applied alone to a valid original: %d caught under their own id.", s.Bad, s.Caught),
		fmt.Sprintf("%d of these violations are no more than a name that the language refuses under the row's id (\"by name\" below): they show that there is no place to write such a thing, and that this word for it is known.", s.Named),
		fmt.Sprintf("%d changes of a valid original that keep a rule: %d without any finding.", s.Good, s.Passed),
		fmt.Sprintf("%d of these violations and changes lie on a boundary or next to it.", s.Edges),
		fmt.Sprintf("%d examples that keep a rule are the valid original itself, from which the violation beside them is one change away (\"the original\" below). They are counted nowhere else.", s.Originals),
	}
}

// Page is the table in Markdown.
func Page(rows []spec.Requirement, verdicts []Verdict) []byte {
	var b bytes.Buffer
	b.WriteString("# Where each requirement is enforced, and what shows it\n\n" +
		"Made by the test run (`make conformance`); do not edit. A violating test applies one violation alone to a valid scenario, plan,\n" +
		"journal or result, and has to be caught under the row's own id; the original and every example that keeps the rule have to\n" +
		"pass without a finding. Run one row: `go test ./spec/conformance -run 'TestExamples/FD-5.1-8$'`. What a row asks, and why,\n" +
		"stands in [requirements.md](requirements.md), of the rows of KV reuse in [reuse.md](reuse.md).\n\n")
	for _, l := range Summarise(rows, verdicts).Lines() {
		b.WriteString("- " + l + "\n")
	}
	b.WriteString("\n| row | section | level | enforced: moment, package, effect | violating tests | boundary tests | status |\n|---|---|---|---|---|---|---|\n")
	for _, q := range rows {
		fmt.Fprintf(&b, "| [%s](%s#%s) | %s | %s | %s | %s | %s | %s |\n", q.ID, q.Page(), Anchor(q.ID), q.Section, q.Level,
			places(q, verdicts), names(q, verdicts, func(v Verdict) bool { return !v.Good }), names(q, verdicts, func(v Verdict) bool { return v.Example.Edge }),
			StatusOf(q, verdicts))
	}
	implied(&b, verdicts)
	attested(&b, rows, verdicts)
	return b.Bytes()
}

// places says at which moments a row is decided, where, and with what effect.
// Early is what comes before the moments that the table names.
func places(q spec.Requirement, verdicts []Verdict) string {
	var out []string
	for _, s := range Stages {
		for _, v := range verdicts {
			if v.Rule.ID == q.ID && v.Rule.Stage == s {
				moment := string(s)
				if !q.At(s) {
					moment += ", early"
				}
				out = append(out, fmt.Sprintf("%s: %s, %s", moment, v.Package, v.Rule.Effect))
				break
			}
		}
	}
	return strings.Join(out, "<br>")
}

func names(q spec.Requirement, verdicts []Verdict, pick func(Verdict) bool) string {
	var out []string
	for _, s := range Stages {
		var here []string
		for _, v := range verdicts {
			if v.Rule.ID == q.ID && v.Rule.Stage == s && pick(v) {
				name := v.Example.Name
				switch e := v.Example.EffectOf(v.Rule); {
				case v.Good && v.Same:
					name += " (the original)"
				case v.Good:
					name += " (kept)"
				case e != v.Rule.Effect:
					name += " (" + string(e) + ")"
				}
				if !v.Good && RefusedByName(q.ID, v.Example) {
					name += " (by name)"
				}
				here = append(here, cell(name))
			}
		}
		if len(here) > 0 {
			out = append(out, string(s)+": "+strings.Join(here, "; "))
		}
	}
	if len(out) == 0 {
		if q.Level == spec.May {
			return "a permission: nothing breaks it"
		}
		return ""
	}
	return strings.Join(out, "<br>")
}

// cell keeps a text inside its column.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;", ">", "&gt;").Replace(s)
}

// implied lists the violations that break more than their own row.
func implied(b *bytes.Buffer, verdicts []Verdict) {
	b.WriteString("\n## Violations that break more than one row\n\nThe other ids follow from the violation itself.\n\n" +
		"| row | moment | violation | also caught |\n|---|---|---|---|\n")
	for _, v := range verdicts {
		var more []string
		for _, id := range v.Caught {
			if id != v.Rule.ID {
				more = append(more, id)
			}
		}
		if !v.Good && len(more) > 0 {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", v.Rule.ID, v.Rule.Stage, cell(v.Example.Name), strings.Join(more, ", "))
		}
	}
}

// attested lists the rows of which a part is declared and never verified, with
// what is looked at all the same.
func attested(b *bytes.Buffer, rows []spec.Requirement, verdicts []Verdict) {
	b.WriteString("\n## Rows with an attested part\n\nNo row rests on attestation alone. What no machine can decide of these is declared in the scenario\n" +
		"(`attest \"fd_3_4_4\" { by = ..., statement = ... }`), with who states it, and is printed as attested, never as verified. The last\n" +
		"column is what is looked at all the same.\n\n| row | what it asks | looked at |\n|---|---|---|\n")
	for _, q := range rows {
		if q.Enforce == mechanical {
			continue
		}
		var how []string
		for _, s := range Stages {
			for _, v := range verdicts {
				if v.Rule.ID == q.ID && v.Rule.Stage == s {
					how = append(how, string(s)+": "+cell(v.Rule.How))
					break
				}
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", q.ID, cell(q.Text), strings.Join(how, "<br>"))
	}
}

// mechanical is how a row is enforced that has no attested part.
const mechanical = "mechanical"
