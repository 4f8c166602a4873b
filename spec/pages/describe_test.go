package pages

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/conformance"
)

func TestDescribe(t *testing.T) {
	for _, tt := range []struct{ edit, want string }{
		{"", ""},
		{"# only a comment\n", ""},
		{"trial\n  drop", "the first trial is missing"},
		{"trial last {\"purpose\": \"search\"}\n  set {\"event\": null, \"detected\": false}", `the last trial of purpose "search" has detected false and no event`},
		{"trial all {\"load\": 1, \"class\": \"refusal\"}\n  null onset", `every trial of class "refusal" and load 1 has null for onset`},
		{"trial\n  shift {\"event.at\": 5, \"onset\": -7}", "the first trial has its event.at raised by 5 and its onset lowered by 7"},
		{"trial {\"b\": 1, \"a\": 2, \"c\": 3}\n  set {\"d\": 1, \"e\": null, \"f\": 2}", "the first trial of a 2, b 1 and c 3 has d 1, f 2 and no e"},
		{"baseline\n  put windows [" + strings.Repeat("[60000,600],", 9) + "1]", "the first baseline has another windows"},
		{"clock_probe\n  copy\n  set {\"n\": 3}", "the first clock probe stands there twice and has n 3"},
		{"removal\n  after apply {\"at\": 4}", "the first removal is followed by another apply"},
		{"reuse_arm {\"arm\": \"warm\"}\n  put cached_tokens 168", `the first request of arm "warm" has cached_tokens 168`},
		{"reuse_arm\n  previous reuse_reset\n  drop", "the previous reset is missing"},
		{"by_transform {\"transform\": \"a\"}\n  drop\ngates\n  drop", `the first transform of transform "a" is missing, and the first gate is missing`},
		{"removal\n  before apply", "the first removal follows another apply"},
		{"top\n  set {\"series\": \"x & y\"}", `the document has series "x & y"`},
		{"open\n  set {\"host\": {\"id\": \"a\", \"more\": {}}}", `the open has host.id "a" and host.more {}`},
		{"a\n  drop\nb\n  drop", "the first a is missing, and the first b is missing"},
		{"trial\n  put windows.3.0 12\n  cut event.at", "the first trial has windows.3.0 12 and has no event.at"},
		{"trial\n  next removal\n  drop", "the next removal is missing"},
		{"trial\n  drop\n  previous clock_probe\n  copy", "the first trial is missing, and the previous clock probe stands there twice"},
		{"a\nb\n  drop", "the first b is missing"},
	} {
		if got, ok := describe(spec.InJournal, tt.edit); !ok || got != tt.want {
			t.Errorf("describe(%q) = %q, %v, want %q", tt.edit, got, ok, tt.want)
		}
	}
	for _, edit := range []string{"  drop", "a {", "a\n  set", "a\n  set {}", "a\n  set [1]", "a\n  set {\"b\": 1} {}", "a\n  smash", "a\n  null", "a\n  after", "a\n  drop everything", "a\n  cut", "a\n  put b", "a\n  put b {", "  next b", "a\n  next"} {
		if got, ok := describe(spec.InJournal, edit); ok {
			t.Errorf("describe(%q) = %q, want none", edit, got)
		}
	}
}

// What a result and a plan have one of is not called the first.
func TestOnce(t *testing.T) {
	for _, tt := range []struct {
		in       string
		document any
	}{{spec.InResult, measure.Result{}}, {spec.InPlan, plan.Plan{}}, {spec.InResult, result.Result{}}, {spec.InPlan, plan.Reuse{}}} {
		for i := range reflect.TypeOf(tt.document).NumField() {
			f := reflect.TypeOf(tt.document).Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			kind := f.Type.Kind()
			if kind == reflect.Pointer {
				kind = f.Type.Elem().Kind()
			}
			if f.IsExported() && (kind == reflect.Slice || kind == reflect.Struct) {
				want := map[bool]string{true: "the ", false: "the first "}[kind == reflect.Struct] + called(name)
				if got, _ := picked(tt.in, name); got != want {
					t.Errorf("%s: %q is called %q, want %q", tt.in, name, got, want)
				}
			}
		}
	}
}

func FuzzDescribe(f *testing.F) {
	for _, r := range conformance.Rules() {
		for _, x := range r.Bad {
			if x.In != spec.InScenario {
				f.Add(x.Text)
			}
		}
	}
	f.Add("trial last {\"purpose\": \"search\"}\n  set {\"event\": null}\n  shift {\"at\": -1}")
	f.Add("a\n  before b {}\n  copy\n  drop")
	f.Fuzz(func(t *testing.T, edit string) {
		said, ok := describe(spec.InJournal, edit)
		if !ok && said != "" {
			t.Errorf("no description, and %q", said)
		}
		if ok && strings.HasSuffix(said, " ") {
			t.Errorf("describe(%q) = %q", edit, said)
		}
	})
}

// What the packages register can be shown: an edit is put into words, or is
// too long for that, and never is one that the description cannot read.
func TestRegisteredEditsCanBeRead(t *testing.T) {
	for _, r := range conformance.Rules() {
		for _, x := range append(append([]spec.Example(nil), r.Bad...), r.Good...) {
			if x.In == spec.InScenario {
				continue
			}
			if _, ok := describe(x.In, x.Text); !ok {
				t.Errorf("%s at %q: the example %q cannot be put into words:\n%s", r.ID, r.Stage, x.Name, x.Text)
			}
		}
	}
}

func TestSample(t *testing.T) {
	long := "trial\n" + strings.Repeat("  set {\"cause\": \"one of many changes\"}\n", 10)
	for _, tt := range []struct {
		in, text string
		shows    string
	}{
		{spec.InScenario, "a {}", "The rest of the scenario is left out."},
		{spec.InScenario, "\n", "A complete scenario as it is."},
		{spec.InJournal, "", "A complete journal as it is."},
		{spec.InJournal, "trial\n  drop", "A complete journal in which the first trial is missing."},
		{spec.InResult, long, "A complete result with this change:"},
		{spec.InPlan, "top\n  set {\"a\": 1}", "A complete plan in which the document has a 1."},
		{spec.InComparison, "", "Two equal results."},
		{spec.InComparison, "population\n  drop", "Two equal results, in the second of which the first population is missing."},
	} {
		s := sample(spec.Run, spec.Example{Name: "n", In: tt.in, Text: tt.text}, true, "")
		if s.Shows != tt.shows {
			t.Errorf("sample(%s, %q) shows %q, want %q", tt.in, tt.text, s.Shows, tt.shows)
		}
	}
}

func TestOriginal(t *testing.T) {
	for base, want := range map[string]string{"": "", "real": " in real time", "study=offered_load": " in a study of offered load", "new": " (new)", "real new": " (real new)", "real reduced": " in real time of a reduced series"} {
		if got := original(base); got != want {
			t.Errorf("original(%q) = %q, want %q", base, got, want)
		}
	}
	for _, tt := range []struct{ in, base, want string }{
		{spec.InScenario, "lab", "The rest of the scenario, of a laboratory, is left out."},
		{spec.InScenario, "reuse", "The rest of the scenario, with its reuse block, is left out."},
		{spec.InJournal, "reuse", "A complete journal of a reuse run in which the first a is missing."},
		{spec.InPlan, "reuse live", "A complete plan of a live reuse run in which the first a is missing."},
		{spec.InResult, "reuse bare", "A complete result of a reuse run without a planner in which the first a is missing."},
	} {
		if s := sample(spec.Lint, spec.Example{In: tt.in, Base: tt.base, Text: "a\n  drop"}, true, ""); s.Shows != tt.want {
			t.Errorf("shows %q, want %q", s.Shows, tt.want)
		}
	}
}

// Every original that a registered example changes has words of its own.
func TestOriginalsHaveWords(t *testing.T) {
	for _, r := range conformance.Rules() {
		for _, x := range append(append([]spec.Example(nil), r.Bad...), r.Good...) {
			if said := original(x.Base); strings.HasPrefix(said, " (") {
				t.Errorf("%s at %q: the original%s has no words in this package", r.ID, r.Stage, said)
			}
		}
	}
}

func TestSnippet(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"\nseries \"e\" {\n  load {\n    remove \"representative\" {}\n  }\n}": "series \"e\" {\n  load {\n    # without representative\n  }\n}\n",
		"s \"e\" {\n  remove \"attest\" \"fd_1\" {}\n}":                        "s \"e\" {\n  # without attest fd_1\n}\n",
		"s \"e\" {\n  # nobody\n  remove \"attest\" \"fd_1\" {}\n}":            "s \"e\" {\n  # nobody\n}\n",
		"remove \"gate\" \"no more\" {}\nremove \"gate\" \"b\" {}":             "# without gate \"no more\"\n# without gate b\n",
		"a   = 1\nbb = 2": "a  = 1\nbb = 2\n",
		"a = \"\u202e\"":  "a = \"·\"\n",
		"a = [1,":         "a = [1,\n",
	} {
		if got := snippet(in); got != want {
			t.Errorf("snippet(%q) = %q, want %q", in, got, want)
		}
	}
}

// The set-up is what both sides of a rule begin with, and never all of an edit.
func TestSetUp(t *testing.T) {
	const a, b, c = "latency\n  set {\"trials\": 20}\n", "coverage\n  set {\"trials\": 20}\n", "coverage\n  set {\"trials\": null}\n"
	for _, tt := range []struct{ own, other, want string }{
		{a + b + c, a + b + a, a + b},
		{a + b + c, a + b, a + b},
		{a + b, a + b + c, a},
		{a, a, ""},
		{c, b, ""},
		{a + b, c + b, ""},
		{a + "  drop\n" + b, a + b, ""},
		{strings.TrimRight(a+b, "\n"), a + c, a},
	} {
		x := spec.Example{In: spec.InResult, Text: tt.own}
		r := spec.Rule{Bad: []spec.Example{x}, Good: []spec.Example{{In: spec.InResult, Text: tt.other}}}
		if got := setUp(x, r, true); got != tt.want {
			t.Errorf("of %q beside %q it is %q, want %q", tt.own, tt.other, got, tt.want)
		}
	}
	x := spec.Example{In: spec.InJournal, Text: a + b}
	if got := setUp(x, spec.Rule{Good: []spec.Example{{In: spec.InScenario, Text: a + b}}}, true); got != "" {
		t.Errorf("a scenario shares %q", got)
	}
	e, ok := Find("FD-5.2-3")
	if !ok || len(e.Examples) == 0 {
		t.Fatal("no FD-5.2-3")
	}
	s := e.Examples[0]
	if !strings.Contains(s.Shows, "has no trials") || strings.Contains(s.Essence(), "attempts") || s.SetUp+s.Essence() != s.Text {
		t.Errorf("%q: %q after %q", s.Shows, s.Essence(), s.SetUp)
	}
}
