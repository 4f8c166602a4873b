package pages

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/conformance"
)

// Entry explains one id: a requirement of the methodology, or a rule of the
// language, which has no section, level or moments.
type Entry struct {
	ID       string     `json:"id"`
	Section  string     `json:"section,omitempty"` // "5.1", "KV-5"
	Level    spec.Level `json:"level,omitempty"`
	Asks     string     `json:"asks"`
	Why      string     `json:"why"`
	Boundary string     `json:"boundary,omitempty"`
	// Enforced has one element for each moment at which it is decided.
	Enforced []Moment `json:"enforced,omitempty"`
	Attest   *Attest  `json:"attest,omitempty"` // nil where no part is attested
	Examples []Sample `json:"examples,omitempty"`
	// Readings are the ambiguities of the methodology's text that touch it.
	Readings []spec.Reading `json:"readings,omitempty"`
}

// Requirement tells whether the entry is a row of the methodology's table.
func (e Entry) Requirement() bool { return e.Section != "" }

// Means says what follows from the entry's level where the word itself does
// not: "" for a MUST, and for a rule of the language.
func (e Entry) Means() string {
	switch e.Level {
	case spec.Statement:
		return "A STATEMENT is a definition or a step of a procedure; a run satisfies it like a MUST."
	case spec.Derived:
		return "DERIVED: it follows from a pointer to a section that the text at hand does not contain; a run satisfies it like a MUST."
	case spec.Should:
		return "A SHOULD may be set aside with because = { \"" + e.ID + "\" = \"...\" } beside it; the report then lists the deviation and the reason."
	case spec.May:
		return "A MAY is a permission; nothing breaks it."
	}
	return ""
}

// Moment is one place at which a requirement is decided.
type Moment struct {
	Stage  spec.Stage  `json:"stage"`
	When   string      `json:"when"`   // "when the scenario is read"
	How    string      `json:"how"`    // what is looked at
	Effect spec.Effect `json:"effect"` // what a violation leads to
}

// Attest is the part of a requirement that no program can decide.
type Attest struct {
	What  string `json:"what"`  // "that the environment serves nobody but the benchmark"
	Block string `json:"block"` // to write into the series
}

// Sample is an example that breaks or keeps a requirement. The tests run each.
type Sample struct {
	Breaks bool       `json:"breaks"`
	Verb   string     `json:"verb"` // "breaks it" and "keeps it", of a permission "misuses it" and "uses it"
	Stage  spec.Stage `json:"stage,omitempty"`
	In     string     `json:"in"`    // spec.InScenario and the like
	Name   string     `json:"name"`  // "nineteen trials"
	Shows  string     `json:"shows"` // a sentence for people: `A journal in which the first trial has no event.`
	Text   string     `json:"text"`  // as it is shown
	// SetUp is how Text begins, as far as it makes ready for what the example
	// is about; "" where there is nothing to make ready.
	SetUp string `json:"set_up,omitempty"`
	Edge  bool   `json:"edge"`  // on the boundary, or next to it
	First bool   `json:"first"` // of its rule and side; the others are for those who look closer
}

// Find explains an id. It is false for one that neither the methodology nor
// the language has. Case, missing dots and dashes, and a missing FD, KV or LANG
// are forgiven; 7-1 is then FD-7-1.
func Find(id string) (Entry, bool) {
	for _, q := range spec.Requirements() {
		if same(id, q.ID) || same("FD"+id, q.ID) || same("KV"+id, q.ID) {
			return requirement(q, rulesOf(conformance.Rules(), q.ID)), true
		}
	}
	for _, r := range languageRules() {
		if same(id, r.ID) || same("LANG"+id, r.ID) {
			return languageRule(r), true
		}
	}
	return Entry{}, false
}

// Methodology explains every requirement of the fault-detection methodology, in
// the order of the table.
func Methodology() []Entry { return explained(spec.FaultDetection()) }

// Contract explains every requirement of the metric contract for KV reuse.
func Contract() []Entry { return explained(spec.KVReuse()) }

func explained(rows []spec.Requirement) []Entry {
	rules := conformance.Rules()
	var all []Entry
	for _, q := range rows {
		all = append(all, requirement(q, rulesOf(rules, q.ID)))
	}
	return all
}

// Language explains every rule of the language, those about shape first.
func Language() []Entry {
	var all []Entry
	for _, r := range languageRules() {
		all = append(all, languageRule(r))
	}
	return all
}

func languageRules() []lang.Rule { return append(lang.Rules(), compiler.LanguageRules()...) }

func rulesOf(all []spec.Rule, id string) []spec.Rule {
	var list []spec.Rule
	for _, r := range all {
		if r.ID == id {
			list = append(list, r)
		}
	}
	return list
}

// same compares ids as people type them: "fd-51-8", "FD_5_1_8", "FD-5.1-8".
func same(a, b string) bool { return plain(a) == plain(b) }

var separators = strings.NewReplacer(".", "", "-", "", "_", "", " ", "")

func plain(id string) string { return strings.ToLower(separators.Replace(id)) }

func requirement(q spec.Requirement, rules []spec.Rule) Entry {
	e := Entry{
		ID: q.ID, Section: q.Section, Level: q.Level, Asks: q.Text, Why: q.Why, Boundary: q.Boundary,
		Readings: spec.ReadingsOf(q.ID),
	}
	// A scenario may show early what is decided later.
	for _, s := range conformance.Stages {
		n := len(e.Enforced)
		for _, r := range rules {
			if r.Stage == s {
				e.Enforced = append(e.Enforced, Moment{Stage: s, When: moments[s], How: r.How, Effect: r.Effect})
			}
		}
		if q.At(s) && len(e.Enforced) == n {
			e.Enforced = append(e.Enforced, Moment{Stage: s, When: moments[s]})
		}
	}
	if q.Attested() {
		label := strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(q.ID))
		e.Attest = &Attest{What: q.Attest, Block: fmt.Sprintf("attest %q {\n  by        = \"who says so\"\n  statement = \"what was done to make sure %s\"\n}\n", label, q.Attest)}
	}
	shown := map[string]bool{}
	for _, r := range rules {
		for _, side := range []struct {
			breaks   bool
			examples []spec.Example
		}{{true, r.Bad}, {false, r.Good}} {
			first := true
			for _, x := range side.examples {
				s := sample(r.Stage, x, side.breaks, setUp(x, r, side.breaks))
				if q.Level == spec.May {
					s.Verb = map[bool]string{true: "misuses it", false: "uses it"}[side.breaks]
				}
				// A rule at two moments may have one example for both.
				key := fmt.Sprint(side.breaks, x.In, x.Base, x.Text)
				s.First = first && !shown[key]
				shown[key], first = true, false
				e.Examples = append(e.Examples, s)
			}
		}
	}
	return e
}

var moments = map[spec.Stage]string{
	spec.Lint:    "when the scenario is read",
	spec.Compile: "when it is compiled",
	spec.Run:     "while it runs",
	spec.Report:  "in the report",
	spec.Compare: "when results are compared",
}

func languageRule(r lang.Rule) Entry {
	e := Entry{ID: r.ID, Asks: r.What, Why: r.Why}
	if r.Bad != "" {
		for _, side := range []bool{true, false} {
			x := spec.Example{In: spec.InScenario, Text: r.Good}
			if side {
				x.Text = r.Bad
			}
			s := sample("", x, side, "")
			s.First = true
			e.Examples = append(e.Examples, s)
		}
	}
	return e
}

// Nearest is " (did you mean X?)" for an id that is nearly one, and "".
func Nearest(id string) string {
	names := map[string]string{}
	var keys []string
	add := func(id string) {
		keys = append(keys, strings.ToLower(id))
		names[strings.ToLower(id)] = id
	}
	for _, r := range spec.Requirements() {
		add(r.ID)
	}
	for _, r := range languageRules() {
		add(r.ID)
	}
	id = strings.ToLower(strings.TrimSpace(id))
	for _, prefix := range []string{"", "fd-", "kv-", "lang-"} { // which Find forgives
		if n := suggest.Nearest(prefix+id, keys); n != "" {
			return fmt.Sprintf(" (did you mean %s?)", names[n])
		}
	}
	return ""
}
