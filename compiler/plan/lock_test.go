package plan

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestLockLife(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	l, err := ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	p := sample()
	if gen, diffs := l.Check(p); gen != 0 || diffs != nil {
		t.Errorf("an empty lock knows generation %d, %v", gen, diffs)
	}
	if gen, err := l.Begin(p, false); gen != 1 || err != nil {
		t.Fatalf("the first generation is %d, %v", gen, err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}

	// The same declaration goes on in the same generation.
	if l, err = ReadLock(path); err != nil {
		t.Fatal(err)
	}
	if gen, err := l.Begin(p, false); gen != 1 || err != nil {
		t.Fatalf("resumed in generation %d, %v", gen, err)
	}

	// So it does where a new series is asked for and nothing is new.
	for range 2 {
		if gen, err := l.Begin(p, true); gen != 1 || err != nil {
			t.Fatalf("an unchanged series began generation %d, %v", gen, err)
		}
	}

	// A changed one is refused with the old and the new value.
	changed := sample()
	changed.Declaration.Signal.Attribution = "true"
	changed.Declaration.Trials.Count = 25
	changed.Combinations.Trials[0].Trials = 25
	Seal(changed)
	_, err = l.Begin(changed, false)
	var e *ChangedError
	if !errors.As(err, &e) || e.Generation != 1 || len(e.Diffs) != 3 {
		t.Fatalf("a changed declaration: %v", err)
	}
	if d := e.Diffs[0]; d != (Diff{"declaration.signal.attribution", `signal.status == "firing"`, "true"}) {
		t.Errorf("the first difference is %v", d)
	}
	for _, want := range []string{"--new-series", "FD-4.1-5", `signal.status == "firing"`, "true"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not mention %s:\n%s", want, err)
		}
	}

	// The way out leaves a trace.
	if gen, err := l.Begin(changed, true); gen != 2 || err != nil {
		t.Fatalf("the next generation is %d, %v", gen, err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	if l, err = ReadLock(path); err != nil {
		t.Fatal(err)
	}
	if n := len(l.Series["refusals"]); n != 2 {
		t.Errorf("%d generations are kept, want 2", n)
	}
	if diffs := l.Between("refusals", 2); len(diffs) != 3 {
		t.Errorf("between the generations: %v", diffs)
	}
	if gen, diffs := l.Check(p); gen != 2 || len(diffs) != 3 {
		t.Errorf("the old declaration against generation %d: %v", gen, diffs)
	}
	other := sample()
	other.Series = "another"
	if gen, err := l.Begin(other, false); gen != 1 || err != nil {
		t.Errorf("another series begins with generation %d, %v", gen, err)
	}
}

// Forecasts and rule notes are no part of what a lock compares; everything
// that a number depends on is.
func TestLockCompares(t *testing.T) {
	base, same := sample(), sample()
	same.Combinations.Trials[0].Discard = "0.02"
	same.Combinations.Trials[0].Floor = "3"
	same.Rules[0].Note = "other words"
	same.Budget.Best = 1
	same.Inputs.Files[0].SHA256 = "sha256:ff" // a comment in the scenario
	same.Declaration.Environment.Description = "in the cellar"
	same.Declaration.ReducedReason = "a first look"
	same.Declaration.Deviations = []Deviation{{"FD-3.3-5", "other words"}}
	same.Declaration.Attestations = []Attestation{{"fd_4_3_4", "me", "other words"}}
	same.Declaration.Trials.Timeout = Span{Duration: 20 * exact.Minute} // written as 20 windows before
	same.Inputs.Variables = map[string]string{"limit": `"0.080"`}
	base.Declaration.Deviations = []Deviation{{"FD-3.3-5", "words"}}
	base.Declaration.Attestations = []Attestation{{"fd_4_3_4", "me", "words"}}
	base.Declaration.Trials.Timeout = Span{Windows: exact.Int(20)}
	if d := diffOf(Flatten(base), Flatten(same)); len(d) > 0 {
		t.Errorf("differences in what decides nothing: %v", d)
	}
	if Key(base) != Key(same) {
		t.Error("the key depends on what decides nothing")
	}
	base = sample()
	for name, change := range map[string]func(*Plan){
		"window":    func(p *Plan) { p.Declaration.Detector.Indicators[0].Window.Duration = exact.Hour },
		"threshold": func(p *Plan) { n := exact.Int(1); p.Declaration.Detector.Alerts[0].Threshold = &n },
		"load":      func(p *Plan) { p.Declaration.Load.Points[0].Rate = exact.Int(11) },
		"seed":      func(p *Plan) { p.Declaration.Seed = "2" },
		"attempts":  func(p *Plan) { p.Combinations.Trials[0].Attempts = 31 },
		"estimator": func(p *Plan) { p.Estimators.Quantile = "hyndman-fan-7" },
		"responses": func(p *Plan) { p.Inputs.Files[1].SHA256 = "sha256:ff" },
		"path":      func(p *Plan) { p.Declaration.Environment.Path = []string{"gateway"} },
		"fault":     func(p *Plan) { p.Combinations.Trials = nil },
		"two of them": func(p *Plan) {
			p.Declaration.Environment.Guardrails = []Guardrail{{Place: "a"}, {Place: "a", Class: "x"}}
		},
	} {
		p := sample()
		change(p)
		if d := diffOf(Flatten(base), Flatten(p)); len(d) == 0 {
			t.Errorf("%s: a change was not seen", name)
		}
		if Key(p) == Key(base) {
			t.Errorf("%s: the key does not depend on it", name)
		}
	}
	other := sample()
	other.Series = "another"
	if Key(other) == Key(base) || Key(base) != Key(sample()) {
		t.Error("the key is not that of the series' name and content")
	}
}

// A changed value is named where it is, whatever its neighbours are.
func TestDiffNamesTheValue(t *testing.T) {
	rate, other := exact.MustParse("0.02"), exact.MustParse("0.021")
	with := func(change func(*Declaration)) *Plan {
		p := sample()
		p.Declaration.Serving.Behaviours = []Behaviour{{Indicator: "refusal_rate", Rate: &rate}, {Indicator: "length", Rate: &rate}}
		p.Declaration.Environment.Guardrails = []Guardrail{{Place: "a", Class: "x"}, {Place: "a", Class: "y"}}
		p.Declaration.Masking = &Masking{Trials: 20, Targets: []MaskingTarget{{Class: "x", Magnitude: rate}}}
		p.Declaration.Detector.Prometheus = &Prometheus{Rules: "groups:\n  - a\n  - b\n", RulesFile: "r.yml"}
		change(&p.Declaration)
		return p
	}
	base := Flatten(with(func(*Declaration) {}))
	for name, tt := range map[string]struct {
		change func(*Declaration)
		want   []string
	}{
		"behaviour": {
			func(d *Declaration) { d.Serving.Behaviours[1].Rate = &other },
			[]string{"declaration.serving.behaviours[length].rate: 0.02 is now 0.021"},
		},
		"first behaviour out": {
			func(d *Declaration) { d.Serving.Behaviours = d.Serving.Behaviours[1:] },
			[]string{
				"declaration.serving.behaviours[refusal_rate].indicator: refusal_rate is now (none)",
				"declaration.serving.behaviours[refusal_rate].rate: 0.02 is now (none)",
			},
		},
		"guardrail": {
			func(d *Declaration) { d.Environment.Guardrails[1].Masks = other },
			[]string{"declaration.environment.guardrails[a, y].masks: 0 is now 0.021"},
		},
		"masking": {
			func(d *Declaration) { d.Masking.Targets[0].Magnitude = other },
			[]string{"declaration.masking.targets[x].magnitude: 0.02 is now 0.021"},
		},
		"rule file": {
			func(d *Declaration) { d.Detector.Prometheus.Rules = "groups:\n  - a\n  - c\n" },
			[]string{`declaration.detector.prometheus.rules: line 3, "  - b" is now "  - c"`},
		},
		"line added": {
			func(d *Declaration) { d.Detector.Prometheus.Rules += "  - c\n" },
			[]string{`declaration.detector.prometheus.rules: line 4, (none) is now "  - c"`},
		},
		"line taken": {
			func(d *Declaration) { d.Detector.Prometheus.Rules = "groups:\n  - a\n" },
			[]string{`declaration.detector.prometheus.rules: line 3, "  - b" is now (none)`},
		},
		"space": {
			func(d *Declaration) { d.Detector.Prometheus.Rules = "groups:\n  - a\n   - b\n" },
			[]string{`declaration.detector.prometheus.rules: line 3, "  - b" is now "   - b"`},
		},
		"first member": {
			func(d *Declaration) { d.Reductions = []Reduction{{"trials", "20", "19"}} },
			[]string{
				"declaration.reductions[trials].planned: (none) is now 19",
				"declaration.reductions[trials].required: (none) is now 20",
				"declaration.reductions[trials].what: (none) is now trials",
			},
		},
		"long": {
			func(d *Declaration) { d.Signal.Attribution = strings.Repeat("ä", 500) },
			[]string{`declaration.signal.attribution: signal.status == "firing" is now ` + strings.Repeat("ä", 160) + "..."},
		},
	} {
		var got []string
		for _, d := range diffOf(base, Flatten(with(tt.change))) {
			got = append(got, d.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestEditedLockIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	l, _ := ReadLock(path)
	if _, err := l.Begin(sample(), false); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range []struct{ old, new string }{
		{`"generation": 1`, `"generation": 2`},
		{`"20"`, `"19"`},
		{`"checksum": "sha256:`, `"checksum": "sha256:0`},
		{LockFormat, "fdbench.lock/2"},
		{`"series"`, `"seriez"`},
		{"{", ""},
	} {
		bad := strings.Replace(string(b), edit.old, edit.new, 1)
		if bad == string(b) {
			t.Fatalf("the lock has no %s", edit.old)
		}
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadLock(path); err == nil {
			t.Errorf("%s to %s went unnoticed", edit.old, edit.new)
		}
	}
	// A checkout with CRLF is not an edit.
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLock(path); err != nil {
		t.Errorf("with CRLF: %v", err)
	}
}

func TestLockWriteLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	l, _ := ReadLock(filepath.Join(dir, "x.fdb.lock"))
	for range 3 {
		if err := l.Write(filepath.Join(dir, "x.fdb.lock")); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := l.Write(filepath.Join(dir, "absent", "x.fdb.lock")); err == nil {
		t.Error("written into a folder that does not exist")
	}
}

func TestLockPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "refusals")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := LockPath(dir); err != nil || got != filepath.Join(dir, "refusals.fdb.lock") {
		t.Errorf("LockPath of a folder = %s, %v", got, err)
	}
	if got, err := LockPath(dir + string(filepath.Separator)); err != nil || got != filepath.Join(dir, "refusals.fdb.lock") {
		t.Errorf("LockPath of a folder with a slash = %s, %v", got, err)
	}
	if got, err := LockPath("some/x.fdb.hcl"); err != nil || got != "some/x.fdb.lock" {
		t.Errorf("LockPath of a file = %s, %v", got, err)
	}
}
