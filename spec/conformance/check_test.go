package conformance

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/spec"
)

func rows() []spec.Requirement {
	return []spec.Requirement{
		{ID: "FD-9.1-1", Section: "9.1", Level: spec.Must, Text: "a", When: []spec.Stage{spec.Compile, spec.Run}, Enforce: "mechanical"},
		{ID: "FD-9.1-2", Section: "9.1", Level: spec.May, Text: "b", When: []spec.Stage{spec.Compile}, Enforce: "mechanical"},
		{ID: "FD-9.1-3", Section: "9.1", Level: spec.Should, Text: "c", When: []spec.Stage{spec.Compile}, Enforce: "mechanical and attested"},
	}
}

func pair(in string) (bad, good []spec.Example) {
	return []spec.Example{{Name: "nineteen", In: in, Edge: true}}, []spec.Example{{Name: "twenty", In: in, Edge: true}}
}

// registries are without a problem.
func registries() []Registry {
	bad, good := pair(spec.InScenario)
	ran, kept := pair(spec.InJournal)
	return []Registry{
		{"a", []spec.Stage{spec.Lint, spec.Compile}, []string{spec.InScenario}, false, []spec.Rule{
			{ID: "FD-9.1-1", Stage: spec.Compile, How: "counted", Effect: spec.Refuses, Bad: bad, Good: good},
			{ID: "FD-9.1-2", Stage: spec.Compile, How: "let through", Effect: spec.Permission, Good: good[:1]},
			{ID: "FD-9.1-3", Stage: spec.Compile, How: "counted", Effect: spec.Warns, Bad: bad, Good: good},
		}},
		{"b", []spec.Stage{spec.Run}, []string{spec.InJournal}, false, []spec.Rule{
			{ID: "FD-9.1-1", Stage: spec.Run, How: "counted", Effect: spec.Marks, Bad: ran, Good: kept},
		}},
	}
}

func TestCheck(t *testing.T) {
	if p := Check(rows(), registries()); len(p) > 0 {
		t.Fatalf("lists that fit have problems: %v", p)
	}
	// What comes early needs no moment in the table.
	later := rows()
	later[0].When = []spec.Stage{spec.Run}
	g := registries()
	early := Registry{"a", g[0].Stages, g[0].Kinds, true, []spec.Rule{g[0].Rules[0]}}
	early.Rules[0].Effect = spec.Warns
	g[0].Rules = g[0].Rules[1:]
	if p := Check(later, append(g, early)); len(p) > 0 {
		t.Errorf("a forecast is a problem: %v", p)
	}
	for _, x := range []struct {
		name   string
		change func([]Registry)
		says   string
	}{
		{"row without a rule at a moment", func(g []Registry) { g[1].Rules = nil }, `FD-9.1-1: no rule decides it at the moment "run"`},
		{"rule without a row", func(g []Registry) { g[1].Rules[0].ID = "FD-9.1-4" }, "FD-9.1-4: b has a rule for it, and the table has no such row"},
		{"moment of another package", func(g []Registry) { g[0].Rules[0].Stage = spec.Run }, "which is not its own"},
		{"moment that the row does not name", func(g []Registry) { g[0].Rules[0].Stage = spec.Lint }, `FD-9.1-1: a decides it at the moment "lint", which the table does not name`},
		{"early, and not early", func(g []Registry) { g[0].Early = true }, "the table does not have it decided later"},
		{"no moment", func(g []Registry) { g[0].Rules[0].Stage = "now" }, "which is no moment"},
		{"two rules of one id and stage", func(g []Registry) { g[0].Rules = append(g[0].Rules, g[0].Rules[0]) }, "a second rule decides it"},
		{"no how", func(g []Registry) { g[0].Rules[0].How = " " }, "does not say what is looked at"},
		{"no effect", func(g []Registry) { g[0].Rules[0].Effect = "" }, "which is none"},
		{"permission of a MUST", func(g []Registry) { g[0].Rules[0].Effect = spec.Permission }, "its row is a MUST"},
		{"a MAY that refuses", func(g []Registry) { g[0].Rules[1].Effect = spec.Refuses }, "its row is a MAY"},
		{"a MUST that only warns", func(g []Registry) { g[0].Rules[0].Effect = spec.Warns }, "only warns"},
		{"no bad example", func(g []Registry) { g[1].Rules[0].Bad = nil }, "no example that breaks it"},
		{"no good example", func(g []Registry) { g[0].Rules[1].Good = nil }, "no example that keeps it"},
		{"example without a name", func(g []Registry) { g[0].Rules[0].Bad[0].Name = "" }, "has no name"},
		{"two examples of one name", func(g []Registry) { g[1].Rules[0].Bad = append(g[1].Rules[0].Bad, g[1].Rules[0].Bad[0]) }, `two examples of the rule at "run" are called "nineteen"`},
		{"example of another kind", func(g []Registry) { g[1].Rules[0].Bad[0].In = spec.InResult }, `changes a "result", which b is not shown`},
		{"first violation that is only warned of", func(g []Registry) { g[0].Rules[0].Bad[0].Effect = spec.Warns }, "the first violation of the rule at"},
		{"violation of no effect", func(g []Registry) { g[0].Rules[0].Good[0].Effect = "nothing" }, "which is none"},
		{"no boundary", func(g []Registry) {
			for i := range g {
				for j := range g[i].Rules {
					for k := range g[i].Rules[j].Good {
						g[i].Rules[j].Good[k].Edge = false
					}
				}
			}
		}, "FD-9.1-1: no pair of examples lies on and next to its boundary"},
	} {
		g := registries()
		x.change(g)
		var all []string
		for _, p := range Check(rows(), g) {
			all = append(all, p.String())
		}
		if text := strings.Join(all, "\n"); !strings.Contains(text, x.says) {
			t.Errorf("%s: the problems lack %q:\n%s", x.name, x.says, text)
		}
	}
}

// verdicts says of every example what it is there for.
func verdicts() []Verdict {
	var out []Verdict
	for _, g := range registries() {
		for _, r := range g.Rules {
			for _, x := range r.Bad {
				out = append(out, Verdict{r, g.Package, x, false, []string{r.ID}, false})
			}
			for _, x := range r.Good {
				out = append(out, Verdict{r, g.Package, x, true, nil, false})
			}
		}
	}
	return out
}

func TestStatusOf(t *testing.T) {
	want := []Status{Enforced, Permitted, Part}
	for i, q := range rows() {
		if got := StatusOf(q, verdicts()); got != want[i] {
			t.Errorf("%s is %q, want %q", q.ID, got, want[i])
		}
		if got := StatusOf(q, nil); got != Open {
			t.Errorf("%s without a verdict is %q", q.ID, got)
		}
	}
	must := rows()[0]
	v := verdicts()
	v[0].Caught = []string{"FD-9.1-3"}
	if got := StatusOf(must, v); got != Open {
		t.Errorf("a violation that is caught under another id: %q", got)
	}
	v = verdicts()
	v[1].Caught = []string{"FD-9.1-3"}
	if got := StatusOf(must, v); got != Open {
		t.Errorf("a kept rule with a finding: %q", got)
	}
	if got := StatusOf(must, v[:2]); got != Open {
		t.Errorf("nothing shown at the moment of the run: %q", got)
	}
}

func TestPage(t *testing.T) {
	v := verdicts()
	v[0].Caught = []string{"FD-9.1-1", "FD-9.1-3"}
	page := string(Page(rows(), v))
	for _, want := range []string{
		"- 3 rows: 1 enforced, 1 enforced, part attested, 1 permitted.\n",
		"- 4 rules: 0 at lint, 3 at compile, 1 at run, 0 at report, 0 at compare.\n",
		"- 3 violations, each applied alone to a valid original: 3 caught under their own id.\n",
		"- 4 changes of a valid original that keep a rule: 4 without any finding.\n",
		"- 7 of these violations and changes lie on a boundary or next to it.\n",
		"- 0 examples that keep a rule are the valid original itself,",
		"| [FD-9.1-1](requirements.md#fd-91-1) | 9.1 | MUST | compile: a, refused<br>run: b, marks the series | compile: nineteen<br>run: nineteen | " +
			"compile: nineteen; twenty (kept)<br>run: nineteen; twenty (kept) | enforced |\n",
		"| a permission: nothing breaks it |",
		"| FD-9.1-1 | compile | nineteen | FD-9.1-3 |\n",
		"| FD-9.1-3 | c | compile: counted |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	v[len(v)-1].Same = true
	page = string(Page(rows(), v))
	for _, want := range []string{"- 3 changes of a valid original that keep a rule: 3 without", "- 6 of these violations and changes lie",
		"- 1 examples that keep a rule are the valid original", "run: nineteen; twenty (the original) |"} {
		if !strings.Contains(page, want) {
			t.Errorf("an example that changes nothing is not counted apart: the page lacks %q:\n%s", want, page)
		}
	}
	v[0].Example.Effect = spec.Warns
	if page := string(Page(rows(), v)); !strings.Contains(page, "| compile: nineteen (warning or recorded deviation)<br>run: nineteen |") {
		t.Errorf("a violation with an effect of its own is not called so:\n%s", page)
	}
	early := rows()
	early[1].When = []spec.Stage{spec.Report}
	if page := string(Page(early, v)); !strings.Contains(page, "| compile, early: a, permitted |") {
		t.Errorf("a rule that comes early is not called so:\n%s", page)
	}
	if got := cell("a|b\n<c>"); got != `a\|b &lt;c&gt;` {
		t.Errorf("cell gave %q", got)
	}
}

// Rules are in the order of the table, and within a row in that of a series'
// life.
func TestRulesAreInOrder(t *testing.T) {
	row := map[string]int{}
	for i, q := range spec.Requirements() {
		row[q.ID] = i
	}
	last := -1
	for _, r := range Rules() {
		at := row[r.ID]*len(Stages) + indexOf(r.Stage)
		if at <= last {
			t.Errorf("%s at %s does not stand in order", r.ID, r.Stage)
		}
		last = at
	}
}

func indexOf(s spec.Stage) int {
	for i, x := range Stages {
		if x == s {
			return i
		}
	}
	return -1
}
