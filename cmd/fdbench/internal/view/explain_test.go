package view

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/pages"
)

var explained = pages.Entry{
	ID: "FD-9.9-9", Section: "9.9", Level: spec.Must,
	Asks: "Something is asked for in a sentence that is longer than forty columns.",
	Why:  "A number would be wrong otherwise. Somebody would believe it.", Boundary: "2 is enough, 1 is not.",
	Enforced: []pages.Moment{
		{Stage: spec.Lint, When: "when the scenario is read", How: "the number of things is counted", Effect: spec.Refuses},
		{Stage: spec.Run, When: "while it runs", How: "things are counted", Effect: spec.Marks},
	},
	Attest: &pages.Attest{What: "that there are two", Block: "attest \"fd_9_9_9\" {\n  by = \"x\"\n}\n"},
	Examples: []pages.Sample{
		{Breaks: true, Verb: "breaks it", Stage: spec.Lint, In: spec.InScenario, Name: "one", Shows: "The rest is left out.", Text: "a {\n  n = 1\n}\n", First: true},
		{Breaks: true, Verb: "breaks it", Stage: spec.Lint, In: spec.InScenario, Name: "none", Text: "n = 0", First: false},
		{Verb: "keeps it", Stage: spec.Lint, In: spec.InScenario, Name: "two", Text: "a {\n\n  n = 2\n}\n", First: true},
	},
	Readings: []spec.Reading{{ID: "AMB-99", Question: "How many?", Reading: "Two.", Differs: &spec.Differs{How: "three are not asked for.", Decision: "0099-two"}}},
}

func explainAs(t *testing.T, s terminal.Stream) string {
	t.Helper()
	return explainIn(t, s, explained, false)
}

func explainIn(t *testing.T, s terminal.Stream, e pages.Entry, whole bool) string {
	t.Helper()
	var b bytes.Buffer
	s.Writer = &b
	if err := Explain(s, e, whole); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExplain(t *testing.T) {
	const want = `FD-9.9-9 (section 9.9, MUST)

Something is asked for in a sentence that is longer than forty columns.

Why it matters
  A number would be wrong otherwise. Somebody would believe it.

The boundary
  2 is enough, 1 is not.

Where it is enforced
  when the scenario is read  the number of things is counted → refused
  while it runs              things are counted → marks the series

Attested in part
  No program can see that there are two. Outside of simulation the series says who vouches for it:

  attest "fd_9_9_9" {
    by = "x"
  }

How the text is read
  AMB-99  How many? Two. It differs from the strictest reading: three are not asked for
          (spec/decisions/0099-two.md).

This breaks it (when the scenario is read), one. The rest is left out:

  a {
    n = 1
  }

This keeps it (when the scenario is read), two:

  a {

    n = 2
  }
`
	if got := explainAs(t, terminal.Stream{}); got != want {
		t.Errorf("Explain:\n%s\nwant\n%s", got, want)
	}
}

func TestExplainKeepsToTheWidth(t *testing.T) {
	for _, width := range []int{40, 57, 80} {
		for line := range strings.Lines(explainAs(t, terminal.Stream{Width: width})) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("at %d columns a line has %d: %q", width, n, line)
			}
		}
	}
}

// In a narrow window what is looked at stands below the moment.
func TestExplainInANarrowWindow(t *testing.T) {
	if got := explainAs(t, terminal.Stream{Width: 40}); !strings.Contains(got, "  while it runs\n    things are counted → marks the\n    series\n") {
		t.Errorf("Explain at 40 columns:\n%s", got)
	}
}

// Colours are all that differs, but for the bar beside an example.
func TestExplainInColour(t *testing.T) {
	got := explainAs(t, terminal.Stream{Color: true})
	for _, want := range []string{"\x1b[1mFD-9.9-9\x1b[22m", "\x1b[1mWhy it matters\x1b[22m", "\x1b[31m│\x1b[0m a {", "\x1b[32m│\x1b[0m a {"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%q", want, got)
		}
	}
	bare := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(got, "")
	bare = regexp.MustCompile(`(?m)^│ ?`).ReplaceAllString(bare, "  ")
	bare = regexp.MustCompile(`(?m)^ +$`).ReplaceAllString(bare, "")
	if plain := explainAs(t, terminal.Stream{}); bare != plain {
		t.Errorf("without its colours:\n%s\nplain:\n%s", bare, plain)
	}
}

var edited = pages.Entry{
	ID: "FD-9.9-9", Section: "9.9", Level: spec.Must, Asks: "Something is asked for.", Why: "A number would be wrong.",
	Examples: []pages.Sample{
		{
			Breaks: true, Verb: "breaks it", Stage: spec.Report, In: spec.InResult, Name: "none", Shows: "A complete result with this change:", First: true,
			SetUp: "latency\n  set {\"trials\": 20}\n", Text: "latency\n  set {\"trials\": 20}\ncoverage\n  set {\"detected\": 18, \"trials\": null, \"statement\": \"words that are many, and go on\"}\n",
		},
		{Breaks: true, Verb: "breaks it", Stage: spec.Report, In: spec.InResult, Name: "too many", Shows: "A complete result with this change:", Text: "coverage\n  set {\"detected\": 21}\n"},
	},
}

// An edit is shown without its set-up, in lines that fit, and is explained;
// --examples shows everything.
func TestExplainEdits(t *testing.T) {
	got := explainIn(t, terminal.Stream{Width: 50}, edited, false)
	const want = `
  coverage
    set {"detected": 18, "trials": null,
        "statement": "words that are many, and go
        on"}
  # The set-up that it needs is left out: --examples shows it.

How to read a change
`
	if !strings.Contains(got, want) || strings.Contains(got, "latency") || strings.Contains(got, "too many") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	whole := explainIn(t, terminal.Stream{Width: 120}, edited, true)
	for _, want := range []string{"  # The set-up, which the example needs:\n  latency\n    set {\"trials\": 20}\n  # What it is about:\n  coverage\n", "too many", "{\"detected\": 21}"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	if got := explainAs(t, terminal.Stream{}); strings.Contains(got, "How to read a change") {
		t.Error("a notation is explained that nothing is written in")
	}
}
