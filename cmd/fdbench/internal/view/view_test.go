package view

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/scoring"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/execute"
)

func TestPlan(t *testing.T) {
	result, diags := compiler.CompilePath("../../../../scenarios/quickstart", compiler.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	var plain, colored strings.Builder
	Plan(terminal.Stream{Writer: &plain}, result.Plans[0], "q.fdb.lock, generation 1")
	Budgets(&plain, result.Plans[0])
	for _, want := range []string{
		"Series \"quickstart\"\n", "watch (threshold), 3 alerts: RefusalsHigh, InvalidJSON, AnswersLong",
		"1, 4.64, 21.5, 100 req/s, constant arrivals, 21.5 is the representative", "refusal at 0.05, 0.1, 0.15, 0.3 (step, ramp 2m)",
		"56 combinations over 4 loads", "1,120 in all", "refusal (step) for 18/20, to 0.02; 4 in all", "20 sham trials a load, 20 masking trials a load",
		"(virtual)", "reductions  none", "lock q.fdb.lock, generation 1", result.Plans[0].Digest, "100 req/s: about",
	} {
		if !strings.Contains(strings.Join(strings.Fields(plain.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the summary lacks %q:\n%s", want, plain.String())
		}
	}
	for _, line := range strings.Split(plain.String(), "\n") {
		if len([]rune(line)) > width {
			t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
		}
	}
	Plan(terminal.Stream{Writer: &colored, Color: true}, result.Plans[0], "")
	if !strings.HasPrefix(colored.String(), "\x1b[1m") {
		t.Errorf("no colour: %q", colored.String()[:20])
	}
}

func TestReducedPlan(t *testing.T) {
	result, diags := compiler.CompilePath("../../../../scenarios/reduced", compiler.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	var b strings.Builder
	Plan(terminal.Stream{Writer: &b}, result.Plans[0], "")
	for _, want := range []string{"trials: 5 instead of 20", "load points: 2 instead of 4", "a first look"} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("the summary lacks %q:\n%s", want, b.String())
		}
	}
}

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := NewProgress(terminal.Stream{Writer: &b}, "s", time.Now)
	p.Event(execute.Event{Phase: "false_detection", Load: "10 req/s", Trials: 1234, TestTime: 3 * exact.Hour})
	p.Event(execute.Event{Phase: "false_detection", Load: "10 req/s", Trials: 1235, TestTime: 4 * exact.Hour})
	p.Event(execute.Event{Phase: "baseline", Load: "10 req/s", Replayed: true})
	p.Clear()
	want := "s: false detection at 10 req/s  1,234 trials kept, 3 hours of test time\n" +
		"s: baseline (kept from before) at 10 req/s  0 trials kept, no time of test time\n"
	if b.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", b.String(), want)
	}
}

// A Baseline Interval of ten windows of five minutes is the first thing that a
// series in real time does, and nobody should sit before an empty screen.
func TestProgressBeginsWithTheFirstPhase(t *testing.T) {
	var b strings.Builder
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	p := NewProgress(terminal.Stream{Writer: &b}, "s", func() time.Time { return at })
	p.Expect(2 * time.Hour)
	p.Event(execute.Event{Phase: "baseline", Load: "10 req/s", Begins: true, Real: true})
	at = at.Add(50 * time.Minute)
	p.Event(execute.Event{Phase: "baseline", Load: "10 req/s", Segments: 1, TestTime: 50 * exact.Minute, Real: true})
	p.Event(execute.Event{Phase: "trials", Load: "10 req/s", Begins: true, Segments: 1, TestTime: 50 * exact.Minute, Real: true})
	want := "s: baseline at 10 req/s  about 2 hours left, until Mon 12:00\n" +
		"s: trials at 10 req/s  0 trials kept after 50 minutes, about 1 hour 10 minutes left, until Mon 12:00\n"
	if b.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", b.String(), want)
	}
}

// A narrow terminal keeps what the series is at, and loses the estimate in words.
func TestProgressOnANarrowTerminal(t *testing.T) {
	var b strings.Builder
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	p := NewProgress(terminal.Stream{Writer: &b, Terminal: true, Width: 60}, "refusals", func() time.Time { return at })
	p.Expect(2 * time.Hour)
	p.Event(execute.Event{Phase: "baseline", Load: "20 req/s", Begins: true, Real: true})
	at = at.Add(50 * time.Minute)
	p.Event(execute.Event{Phase: "trials", Load: "20 req/s", Begins: true, Segments: 1, Trials: 3, TestTime: 50 * exact.Minute, Real: true})
	want := "\r\x1b[Krefusals: baseline at 20 req/s  until Mon 12:00" +
		"\r\x1b[Krefusals: trials at 20 req/s  3 trials, until Mon 12:00"
	if b.String() != want {
		t.Errorf("wrote\n%q\nwant\n%q", b.String(), want)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"a bb ccc", 4, "a bb\nccc"}, {"abcdef g", 3, "abcdef\ng"}, {"", 5, ""}, {"a  b", 9, "a b"}} {
		if got := wrap(tt.text, tt.n); got != tt.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

func TestScoreIsOneLineARow(t *testing.T) {
	sd := scoring.Summary{Mean: "2.5", N: 2}
	r := &scoring.Report{Indicator: "words", Unit: "words", Summary: sd,
		Rows: []scoring.Row{{ID: "a", Score: 2, Response: "two\nlines \x1b[31m\u202ered"}, {ID: "b", Score: 3, Response: strings.Repeat("ü", 200)}}}
	var b strings.Builder
	if err := Score(&b, r); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 5 || lines[4] != "words: mean 2.5 words, n = 2" {
		t.Errorf("wrote %d lines:\n%s", len(lines), b.String())
	}
	if strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("a response moves the cursor: %q", b.String())
	}
	if !strings.HasSuffix(lines[2], "…") {
		t.Errorf("a long response is not cut: %s", lines[2])
	}
}

func TestLock(t *testing.T) {
	for _, tt := range []struct {
		state     *launch.LockState
		newSeries bool
		want      string
	}{
		{nil, false, "left alone (--explore)"},
		{&launch.LockState{Path: "a/a.fdb.lock", Named: "a/a.fdb.lock"}, false, "a/a.fdb.lock, from the first trial on"},
		{&launch.LockState{Path: "a/a.fdb.lock", Named: "a/a.fdb.lock", Generation: 2}, true, "a/a.fdb.lock, generation 2"},
		{&launch.LockState{Path: "a/b.fdb.lock", Named: "a/a.fdb.lock", Generation: 2}, true, "a/b.fdb.lock, generation 2; it knows the series already, so a.fdb.lock is not begun"},
		{&launch.LockState{Path: "a/a.fdb.lock", Named: "a/a.fdb.lock", Generation: 2, Diffs: []plan.Diff{{Path: "x"}}}, false, "a/a.fdb.lock, where generation 2 was declared otherwise"},
		{&launch.LockState{Path: "a/a.fdb.lock", Named: "a/a.fdb.lock", Generation: 2, Diffs: []plan.Diff{{Path: "x"}}}, true, "a/a.fdb.lock, where generation 3 begins"},
	} {
		if got := Lock(tt.state, tt.newSeries); got != tt.want {
			t.Errorf("Lock(%+v) = %q, want %q", tt.state, got, tt.want)
		}
	}
}

// A twin is shown around what the fault changed.
func TestTwinShowsTheChange(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, tt := range []struct{ response, twin, want string }{
		{"short", "short one", "short one"},
		{long, "I cannot. " + long, "I cannot. word word word word word word word word word word…"},
		{long, long[:150] + "CHANGED " + long, "…d word word CHANGED word word word word word word word wor…"},
		{long, long + "END", "… word word word word word word word word word word word END"},
		{"same " + long, "same " + long, "…word word word word word word word word word word word word"},
		{long, "", ""},
	} {
		score := int32(1)
		r := &scoring.Report{Fault: "f", Twins: &scoring.Summary{Mean: "1", N: 1},
			Rows: []scoring.Row{{ID: "a", Response: tt.response, Twin: &tt.twin, TwinScore: &score}}}
		var b strings.Builder
		if err := Score(&b, r); err != nil {
			t.Fatal(err)
		}
		line := strings.Split(b.String(), "\n")[1]
		got := strings.TrimSpace(line[min(len(line), strings.Index(b.String(), "response after")):])
		if got != tt.want || len([]rune(got)) > excerpt {
			t.Errorf("%.20q to %.20q shows\n%q, want\n%q", tt.response, tt.twin, got, tt.want)
		}
	}
}

func TestFromCaller(t *testing.T) {
	src := diag.NewSources()
	src.Add("x.fdb.hcl", []byte("a = 1\n"), func(int) string { return "locals" })
	at := func(name string) *hcl.Range {
		r := src.Range(name, 0, 1)
		return &r
	}
	list := diag.List{
		{Severity: diag.Error, Summary: "one", Subject: at("x.fdb.hcl"), Context: at("x.fdb.hcl"), Fix: &diag.Fix{Range: *at("x.fdb.hcl")}},
		{Severity: diag.Error, Summary: "two", Subject: at("elsewhere.hcl")},
		{Severity: diag.Warning, Summary: "three"},
	}
	got, sources := FromCaller(Found{"some/dir", list, src}, Found{"other", list[:1], src})
	if len(got) != 4 {
		t.Fatalf("%d findings", len(got))
	}
	for i, want := range []string{filepath.Join("some", "dir", "x.fdb.hcl"), "elsewhere.hcl", "", filepath.Join("other", "x.fdb.hcl")} {
		have := ""
		if got[i].Subject != nil {
			have = got[i].Subject.Filename
		}
		if have != want {
			t.Errorf("finding %d is in %q, want %q", i, have, want)
		}
	}
	moved := filepath.Join("some", "dir", "x.fdb.hcl")
	if got[0].Context.Filename != moved || got[0].Fix.Range.Filename != moved {
		t.Errorf("the context is in %q and the fix in %q", got[0].Context.Filename, got[0].Fix.Range.Filename)
	}
	if string(sources.Bytes(moved)) != "a = 1\n" || sources.Context(moved, 0) != "locals" {
		t.Error("the text did not move along")
	}
	if list[0].Subject.Filename != "x.fdb.hcl" || list[0].Fix.Range.Filename != "x.fdb.hcl" {
		t.Error("the list that was given was changed")
	}
}
