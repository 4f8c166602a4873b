package rule

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec"
)

func TestRulesAreRowsInOrder(t *testing.T) {
	position := map[string]int{}
	for i, q := range spec.Requirements() {
		position[q.ID] = i
	}
	last, seen := -1, map[string]bool{}
	for _, r := range Rules() {
		i, ok := position[r.ID]
		if !ok {
			t.Errorf("%s is no requirement", r.ID)
			continue
		}
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if i < last {
			t.Errorf("%s comes after %s", r.ID, spec.Requirements()[last].ID)
		}
		last = i
		if r.Why == "" || r.How == "" {
			t.Errorf("%s does not say why or how", r.ID)
		}
		if (r.Bad == "") != (r.Good == "") {
			t.Errorf("%s has one snippet of two", r.ID)
		}
	}
	for _, q := range spec.Requirements() {
		if q.At(spec.Lint) && !seen[q.ID] {
			t.Errorf("%s is decided when a scenario is read, and no rule says how", q.ID)
		}
	}
}

func TestExplain(t *testing.T) {
	text, ok := Explain("FD-5.1-8")
	if !ok {
		t.Fatal("FD-5.1-8 is not explained")
	}
	for _, want := range []string{"FD-5.1-8 (section 5.1, MUST)", "twenty trials", "Why: ", "count = 19", "count = 20", "breaks it", "keeps it"} {
		if !strings.Contains(text, want) {
			t.Errorf("no mention of %q in:\n%s", want, text)
		}
	}
	for _, id := range []string{"fd-5.1-8", " FD-5.1-8 ", "fd_5_1_8"} {
		if other, ok := Explain(id); !ok || other != text {
			t.Errorf("Explain(%q) is another text", id)
		}
	}
	if text, ok := Explain("FD-9.9-9"); ok {
		t.Errorf("an unknown id is explained: %s", text)
	}
	for _, q := range spec.Requirements() {
		text, ok := Explain(q.ID)
		if !ok || !strings.Contains(text, q.Text) {
			t.Errorf("%s is not explained", q.ID)
		}
		if strings.Contains(text, "remove \"") {
			t.Errorf("%s shows how its snippet is worked in:\n%s", q.ID, text)
		}
	}
}

func TestMovingVersions(t *testing.T) {
	for v, want := range map[string]bool{
		"latest": true, "LATEST": true, "": true, " ": true, "main": true, "judge:latest": true, "large-latest": true,
		"v-newest": true, "gpt-4:latest@x": true, "v3-latest-2": true, "Current.3": true, "stable_2": true, "main@3f2a": true, "x/nightly": true,
		"latest2": true, "latest@sha256:12": true, "preview": true, "beta": true,
		"2026-03-01": false, "sha256:12": false, "1.4.2": false, "v4-preview-2026-03-01": false, "maintained-3": false, "unstable": false,
		"gpt-4:latest@sha256:0123456789abcdef": false, "latest@SHA256:0123AB": false,
	} {
		if moving(v) != want {
			t.Errorf("moving(%q) = %v", v, !want)
		}
	}
}

func TestOnWithin(t *testing.T) {
	p := plan.Profile{On: 30, Off: 90}
	for span, want := range map[exact.Duration]exact.Duration{0: 0, 10: 10, 30: 30, 100: 30, 120: 30, 130: 40, 240: 60, 270: 90} {
		if got := onWithin(span, p); got != want {
			t.Errorf("within %d it is on for %d, want %d", span, got, want)
		}
	}
	if got := onWithin(7, plan.Profile{}); got != 7 {
		t.Errorf("a profile without a cycle is on for %d of 7", got)
	}
}

func TestAlertnamesOfAttribution(t *testing.T) {
	for text, want := range map[string]string{
		`signal.labels.alertname == "A"`:                                         "A",
		`"A" == signal.labels["alertname"]`:                                      "A",
		`signal.labels.alertname in ["A", "B"]`:                                  "A B",
		`signal.labels.alertname == "A" or signal.labels.alertname == "B"`:       "A B",
		`signal.labels.severity == "A"`:                                          "",
		`signal.labels.alertname != "A"`:                                         "",
		`signal.labels.alertname startsWith "A"`:                                 "",
		`not (signal.labels.alertname in ["B", "A"]) and signal.type == "alert"`: "B A",
		`(`: "",
	} {
		if got := strings.Join(literalsOf(text), " "); got != want {
			t.Errorf("%s names %q, want %q", text, got, want)
		}
	}
}

func TestExampleRefusesBadSnippets(t *testing.T) {
	for _, s := range []string{"{", `series "example" {
  remove "nothing" {}
}`} {
		if _, err := Example(s); err == nil {
			t.Errorf("Example(%q) has no error", s)
		}
	}
}

func TestSameID(t *testing.T) {
	for label, want := range map[string]bool{"fd_4_3_4": true, "FD-4.3-4": true, "fd434": true, "fd_4_3_5": false, "": false} {
		if sameID(label, "FD-4.3-4") != want {
			t.Errorf("sameID(%q) = %v", label, !want)
		}
	}
}
