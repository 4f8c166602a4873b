package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

func attest(label, by, statement string) string {
	return fmt.Sprintf("  attest %q {\n    by        = %q\n    statement = %q\n  }\n", label, by, statement)
}

func TestAttestations(t *testing.T) {
	const owner, said = "the owner of the laboratory", "I have looked, and it is so."
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"a good one":            {attest("fd_3_4_4", owner, said), nil},
		"as the table has it":   {attest("FD-3-4-4", owner, said), nil},
		"decided by fdbench":    {attest("fd_5_1_8", owner, said), []string{"error LANG-attest Nothing to attest"}},
		"no such row":           {attest("fd_9_9_9", owner, said), []string{"error LANG-attest Unknown requirement"}},
		"a slip":                {attest("fd_4_3_44", owner, said), []string{"error LANG-attest Unknown requirement"}},
		"twice":                 {attest("fd_3_4_4", owner, said) + attest("FD-3_4_4", owner, said), []string{"error LANG-attest Attested twice"}},
		"by nobody":             {attest("fd_3_4_4", "", said), []string{"error LANG-attest Attested by nobody"}},
		"by a dash":             {attest("fd_3_4_4", " - ", said), []string{"error LANG-attest Attested by nobody"}},
		"n/a":                   {attest("fd_3_4_4", owner, "n/a"), []string{"error LANG-attest Statement without substance"}},
		"todo":                  {attest("fd_3_4_4", owner, "TODO: later"), []string{"error LANG-attest Statement without substance"}},
		"a dash":                {attest("fd_3_4_4", owner, "-"), []string{"error LANG-attest Statement without substance"}},
		"two words":             {attest("fd_3_4_4", owner, "no header"), []string{"error LANG-attest Statement without substance"}},
		"three words":           {attest("fd_3_4_4", owner, "no header there"), nil},
		"three words of spaces": {attest("fd_3_4_4", owner, "  no   header "), []string{"error LANG-attest Statement without substance"}},
		"both":                  {attest("fd_3_4_4", "tbd", "ok"), []string{"error LANG-attest Attested by nobody", "error LANG-attest Statement without substance"}},
		"not in quotes":         {"  attest \"fd_3_4_4\" {\n    by        = 5\n    statement = \"I have looked, and it is so.\"\n  }\n", []string{"error LANG-type Wrong type"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileMemory(example(t, "series \"example\" {\n"+test.body+"}\n"), Options{})
			wantBrief(t, diags, test.want...)
		})
	}
}

func TestUnknownSubjectIsHelped(t *testing.T) {
	_, diags := compileMemory(example(t, "series \"example\" {\n"+attest("fd_4_3_44", "the owner", "I have looked there.")+"}\n"), Options{})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, `Did you mean "fd_4_3_4"?`) {
		t.Errorf("got:\n%s", listText(diags))
	}
	_, diags = compileMemory(example(t, "series \"example\" {\n"+attest("banana", "the owner", "I have looked there.")+"}\n"), Options{})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "fd_1_1_3, fd_1_2_6") {
		t.Errorf("got:\n%s", listText(diags))
	}
}

// In a laboratory every row with an attested part that applies is asked for,
// under its own id; in a simulation none is.
func TestLaboratoryNeedsAttestations(t *testing.T) {
	missing := func(files map[string][]byte) map[string]diag.Severity {
		got := map[string]diag.Severity{}
		_, diags := compileMemory(files, Options{Check: true})
		for _, d := range diags {
			if _, twice := got[d.Rule]; twice {
				t.Errorf("%s is asked for twice", d.Rule)
			}
			got[d.Rule] = d.Severity
		}
		return got
	}
	rows := map[string]diag.Severity{}
	for _, q := range spec.Requirements() {
		if q.Attested() {
			rows[q.ID] = diag.Error
		}
	}
	if len(rows) != 14 {
		t.Fatalf("%d rows have an attested part", len(rows))
	}
	rows["FD-3.3-6"] = diag.Warning
	const lab = "environment \"lab\" {\n  kind = %q\n%s}\n"
	for _, kind := range []string{"lab", "ci"} {
		if got := missing(example(t, fmt.Sprintf(lab, kind, ""))); fmt.Sprint(got) != fmt.Sprint(rows) {
			t.Errorf("the kind %q is asked for %v\nwant %v", kind, got, rows)
		}
	}
	delete(rows, "FD-3.5-6")
	got := missing(example(t, fmt.Sprintf(lab, "lab", "  clocks {\n    arrangement = \"probed\"\n  }\n")))
	if fmt.Sprint(got) != fmt.Sprint(rows) {
		t.Errorf("one with two hosts is asked for %v\nwant %v", got, rows)
	}
	if got := missing(example(t, fmt.Sprintf(lab, "simulated", ""))); len(got) > 0 {
		t.Errorf("a simulation is asked for %v", got)
	}
}

// What somebody vouches for is attested in the plan, and never met.
func TestOutcomesOfAttestations(t *testing.T) {
	outcomes := func(files map[string][]byte) map[string]string {
		t.Helper()
		r, diags := compileMemory(files, Options{})
		if diags.HasErrors() || len(r.Plans) != 1 {
			t.Fatalf("no plan:\n%s", listText(diags))
		}
		got := map[string]string{}
		for _, o := range r.Plans[0].Rules {
			got[o.ID] = o.Status
			if o.Status == "attested" && o.Note != "the owner of the laboratory: I have looked, and it is so." {
				t.Errorf("%s: %q", o.ID, o.Note)
			}
		}
		return got
	}
	lab, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Lab})
	if err != nil {
		t.Fatal(err)
	}
	got := outcomes(lab)
	for _, q := range spec.Requirements() {
		if !q.Before() {
			continue
		}
		if want := q.Attested(); (got[q.ID] == "attested") != want {
			t.Errorf("%s is %q", q.ID, got[q.ID])
		}
	}
	unsaid, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Lab, Text: "series \"example\" {\n  remove \"attest\" \"fd_3_3_6\" {}\n}\n"})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomes(unsaid)["FD-3.3-6"]; got != "unattested" {
		t.Errorf("FD-3.3-6 without an attestation is %q", got)
	}
	simulated := outcomes(example(t, "series \"example\" {\n"+attest("fd_3_4_4", "the owner of the laboratory", "I have looked, and it is so.")+"}\n"))
	if simulated["FD-3.4-4"] != "attested" || simulated["FD-3.4-2"] != "run" || simulated["FD-3.3-6"] != "met" {
		t.Errorf("in a simulation: %v", simulated)
	}
}
