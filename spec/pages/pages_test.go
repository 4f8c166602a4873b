package pages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/spec"
)

func TestEveryRequirementIsOnThePage(t *testing.T) {
	pages := map[string]string{"requirements.md": string(Requirements()), "reuse.md": string(ReuseRequirements())}
	for _, r := range spec.Requirements() {
		page := pages[r.Page()]
		if !strings.Contains(page, "\n### "+r.ID+"\n\n**"+string(r.Level)+"**, section "+r.Section+". "+r.Text+"\n\n**Why it matters.** "+r.Why+"\n") {
			t.Errorf("the page lacks %s with its text and its why", r.ID)
		}
		if r.Boundary != "" && !strings.Contains(page, r.Boundary) {
			t.Errorf("the page lacks the boundary of %s", r.ID)
		}
	}
	for name, page := range pages {
		if strings.Contains(page, "remove \"") {
			t.Errorf("%s shows how a snippet is worked into a scenario", name)
		}
		if n := strings.Count(page, "\n### "); n != len(map[string][]spec.Requirement{"requirements.md": spec.FaultDetection(), "reuse.md": spec.KVReuse()}[name]) {
			t.Errorf("%s has %d rows", name, n)
		}
	}
}

// Each requirement shows at least one example that breaks it and one that
// keeps it, and says of every moment what is looked at.
func TestEveryRequirementShowsBothSides(t *testing.T) {
	for _, e := range append(Methodology(), Contract()...) {
		sides := map[bool]int{}
		for _, s := range e.Examples {
			if s.First {
				sides[s.Breaks]++
			}
		}
		if sides[false] == 0 || sides[true] == 0 && e.Level != spec.May {
			t.Errorf("%s shows %d examples that break it and %d that keep it", e.ID, sides[true], sides[false])
		}
		for _, m := range e.Enforced {
			if m.How == "" || m.Effect == "" || m.When == "" {
				t.Errorf("%s does not say how it is decided at %q", e.ID, m.Stage)
			}
		}
	}
}

// Findings in other formats link to the headings.
func TestEveryLinkOnThePagesLeadsSomewhere(t *testing.T) {
	for name, page := range map[string][]byte{"requirements": Requirements(), "reuse": ReuseRequirements(), "language": LanguagePage()} {
		headings := map[string]int{}
		fence := ""
		for line := range strings.Lines(string(page)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case fence != "":
				if line == fence {
					fence = ""
				}
			case strings.HasPrefix(line, "```"):
				fence = strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz")
			case strings.HasPrefix(line, "#"):
				headings[Anchor(strings.TrimLeft(line, "# "))]++
			}
		}
		if fence != "" {
			t.Errorf("%s: a block of code is not closed", name)
		}
		for anchor, n := range headings {
			if n > 1 {
				t.Errorf("%s: %d headings have the anchor %q", name, n, anchor)
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(string(page), -1) {
			if anchor, ok := strings.CutPrefix(m[1], "#"); ok {
				if headings[anchor] == 0 {
					t.Errorf("%s: no heading for the link %s", name, m[1])
				}
			} else if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestEveryRuleOfTheLanguageIsOnItsPage(t *testing.T) {
	page := string(LanguagePage())
	for _, r := range languageRules() {
		if !strings.Contains(page, "\n## "+r.ID+"\n\n"+r.What+"\n\n**Why it matters.** "+r.Why+"\n") {
			t.Errorf("the page lacks %s", r.ID)
		}
	}
}

func TestFind(t *testing.T) {
	want, ok := Find("FD-5.1-8")
	if !ok || want.Level != spec.Must || !want.Requirement() {
		t.Fatalf("Find(FD-5.1-8) = %+v, %v", want, ok)
	}
	for _, id := range []string{"fd-5.1-8", " FD-5.1-8 ", "fd_5_1_8", "FD-51-8", "5.1-8", "5.1.8"} {
		if got, ok := Find(id); !ok || !cmp.Equal(got, want) {
			t.Errorf("Find(%q) = %q, %v", id, got.ID, ok)
		}
	}
	if e, ok := Find("unknown-block"); !ok || e.ID != "LANG-unknown-block" {
		t.Errorf("Find(unknown-block) = %q, %v", e.ID, ok)
	}
	if e, ok := Find("lang-unknown-block"); !ok || e.ID != "LANG-unknown-block" || e.Requirement() || len(e.Examples) != 2 {
		t.Errorf("Find(lang-unknown-block) = %+v, %v", e, ok)
	}
	for id, want := range map[string]string{"KV-5-10": "KV-5-10", "kv_8_2": "KV-8-2", "kv83": "KV-8-3", "8-3": "KV-8-3", "7-1": "FD-7-1"} {
		if e, ok := Find(id); !ok || e.ID != want || !e.Requirement() {
			t.Errorf("Find(%q) = %q, %v, want %s", id, e.ID, ok, want)
		}
	}
	for _, id := range []string{"", "FD-9.9-9", "KV-9-9", "FD", "KV", "LANG-"} {
		if e, ok := Find(id); ok {
			t.Errorf("Find(%q) = %q", id, e.ID)
		}
	}
}

// Forgiving separators must not make two ids one.
func TestIdsStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, e := range slices.Concat(Methodology(), Contract(), Language()) {
		if other := seen[plain(e.ID)]; other != "" {
			t.Errorf("%s and %s are the same without separators", e.ID, other)
		}
		seen[plain(e.ID)] = e.ID
	}
}

func TestNearest(t *testing.T) {
	for id, want := range map[string]string{"fd-5.1-88": " (did you mean FD-5.1-8?)", "5.1-88": " (did you mean FD-5.1-8?)", "unknown-blok": " (did you mean LANG-unknown-block?)", "LANG-unknown-blok": " (did you mean LANG-unknown-block?)", "banana": "", "kv-8-22": " (did you mean KV-8-2?)", "kv-5-1O": " (did you mean KV-5-1?)"} {
		if got := Nearest(id); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestRequirement(t *testing.T) {
	q := spec.Requirement{
		ID: "FD-4.3-4", Section: "4.3", Level: spec.Must, Text: "Asks.", Why: "Why.", When: []spec.Stage{spec.Compile, spec.Run},
		Enforce: spec.MechanicalAndAttested, Attest: "that it is so",
	}
	bad := spec.Example{Name: "none", In: spec.InScenario, Text: "a {\n  remove \"b\" {}\n}"}
	good := spec.Example{Name: "some", In: spec.InScenario, Text: "a {\n  b = 1\n}"}
	e := requirement(q, []spec.Rule{
		{ID: q.ID, Stage: spec.Compile, How: "read", Effect: spec.Refuses, Bad: []spec.Example{bad, {Name: "other", In: spec.InScenario}}, Good: []spec.Example{good}},
		{ID: q.ID, Stage: spec.Run, How: "watched", Effect: spec.Stops, Bad: []spec.Example{{Name: "late", In: spec.InJournal, Text: "trial\n  drop"}}, Good: []spec.Example{good}},
	})
	if want := []Moment{{spec.Compile, "when it is compiled", "read", spec.Refuses}, {spec.Run, "while it runs", "watched", spec.Stops}}; !cmp.Equal(e.Enforced, want) {
		t.Errorf("enforced: %s", cmp.Diff(want, e.Enforced))
	}
	if e.Attest == nil || !strings.HasPrefix(e.Attest.Block, "attest \"fd_4_3_4\" {\n") {
		t.Errorf("attest: %+v", e.Attest)
	}
	// Of each rule the first of each side, and what two share only once.
	var first []string
	for _, s := range e.Examples {
		if s.First {
			first = append(first, s.Name)
		}
	}
	if want := []string{"none", "some", "late"}; !cmp.Equal(first, want) {
		t.Errorf("shown first: %v, want %v", first, want)
	}
	if len(e.Examples) != 5 || e.Examples[0].Text != "a {\n  # without b\n}\n" {
		t.Errorf("examples: %+v", e.Examples)
	}
	const want = `### FD-4.3-4

**MUST**, section 4.3. Asks.

**Why it matters.** Why.

| decided | what is looked at | what a violation leads to |
|---|---|---|
| when it is compiled | read | refused |
| while it runs | watched | stops the series |
`
	if got := string(e.Markdown()); !strings.HasPrefix(got, want) || !strings.Contains(got, "\nThis breaks it (while it runs), late. A complete journal in which the first trial is missing:\n") {
		t.Errorf("Markdown:\n%s", got)
	}
}

// Nothing breaks a MAY.
func TestPermission(t *testing.T) {
	q := spec.Requirement{ID: "FD-1.2-8", Section: "1.2", Level: spec.May, When: []spec.Stage{spec.Lint}}
	x := spec.Example{In: spec.InScenario, Text: "a = 1\n"}
	e := requirement(q, []spec.Rule{{ID: q.ID, Stage: spec.Lint, Effect: spec.Permission, Bad: []spec.Example{x}, Good: []spec.Example{x}}})
	if got := e.Examples[0].Verb + ", " + e.Examples[1].Verb; got != "misuses it, uses it" || !e.Examples[0].First || !e.Examples[1].First {
		t.Errorf("examples of a permission: %+v", e.Examples)
	}
}

func TestMeans(t *testing.T) {
	for level, want := range map[spec.Level]string{spec.Must: "", spec.MustNot: "", "": "", spec.Should: "because", spec.May: "permission", spec.Statement: "like a MUST", spec.Derived: "like a MUST"} {
		if got := (Entry{Level: level}).Means(); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("a %s means %q, want %q in it", level, got, want)
		}
	}
}

func TestCaption(t *testing.T) {
	for _, tt := range []struct {
		s    Sample
		want string
	}{
		{Sample{Breaks: true, Verb: "breaks it", In: spec.InScenario, Shows: "Rest.", Text: "a"}, "This breaks it. Rest:"},
		{Sample{Verb: "keeps it", In: spec.InScenario, Shows: "Rest.", Text: "a"}, "This keeps it:"},
		{Sample{Verb: "keeps it", In: spec.InScenario, Shows: "As it is."}, "This keeps it. As it is."},
		{Sample{Breaks: true, Verb: "breaks it", Stage: spec.Report, In: spec.InResult, Name: "no median", Shows: "A result with this change:", Text: "a"}, "This breaks it (in the report), no median. A result with this change:"},
	} {
		if got := tt.s.Caption(); got != tt.want {
			t.Errorf("caption %q, want %q", got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	var back []Entry
	all := Methodology()
	if err := json.Unmarshal(JSON(all), &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != len(spec.FaultDetection()) || back[0].ID != "FD-1.1-1" || back[0].Why != all[0].Why {
		t.Errorf("%d entries came back", len(back))
	}
	if one := string(JSON(all[0])); !strings.HasPrefix(one, "{\n  \"id\": \"FD-1.1-1\",\n  \"section\": \"1.1\",") {
		t.Errorf("JSON of one entry: %s", one)
	}
}

func TestFence(t *testing.T) {
	for in, want := range map[string]string{
		"a\n":       "```hcl\na\n```\n",
		"a\n```\nb": "````hcl\na\n```\nb\n````\n",
	} {
		if got := fence("hcl", in); got != want {
			t.Errorf("fence(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAnchor(t *testing.T) {
	for in, want := range map[string]string{"FD-5.1-8": "fd-51-8", "Section 5.1: Detection latency": "section-51-detection-latency", "LANG-unknown-block": "lang-unknown-block"} {
		if got := Anchor(in); got != want {
			t.Errorf("Anchor(%q) = %q, want %q", in, got, want)
		}
	}
}
