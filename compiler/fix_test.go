package compiler

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// repaired applies the fix of one diagnostic.
func repaired(files map[string][]byte, d diag.Diagnostic) map[string][]byte {
	out := map[string][]byte{}
	for name, b := range files {
		out[name] = b
	}
	r := d.Fix.Range
	src := files[r.Filename]
	out[r.Filename] = slices.Concat(src[:r.Start.Byte], []byte(d.Fix.Text), src[r.End.Byte:])
	return out
}

func errorsOf(l diag.List) int {
	n := 0
	for _, d := range l {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// Each repair is one: what it was offered for is gone, and no error came.
func TestFixes(t *testing.T) {
	in := func(body string) string { return "series \"example\" {\n" + body + "\n}\n" }
	for name, test := range map[string]struct{ rule, text, want string }{
		"trials":                    {"FD-5.1-8", in("  trials { count = 19 }"), "20"},
		"trials in quotes":          {"FD-5.1-8", in("  trials { count = \"20\" }"), "20"},
		"masking trials":            {"FD-5.5-5", in("  masking { trials = 3 }"), "20"},
		"attempts":                  {"FD-3.4-8", in("  trials { attempts = 19 }"), "30"},
		"timeout":                   {"FD-5.1-10", in("  trials { timeout = \"19m\" }"), `"20 windows"`},
		"baseline":                  {"FD-4.2-2", in("  baseline { interval = \"9m\" }"), `"10 windows"`},
		"short baseline":            {"FD-4.2-3", "detector \"threshold\" \"watch\" {\n  indicator \"refusals\" { window = \"5s\" }\n}\n" + in("  baseline { interval = \"50s\" }"), `"5m"`},
		"quiet":                     {"FD-4.3-3", in("  quiet { at_least = \"59s\" }"), `"1m"`},
		"no quiet":                  {"FD-4.3-2", in("  quiet { at_least = \"0s\" }"), `"1m"`},
		"sampling":                  {"FD-3.2-6", "detector \"threshold\" \"watch\" {\n  indicator \"refusals\" { sampling = \"50%\" }\n}\n", "0.5"},
		"sampling fraction":         {"FD-3.2-6", "detector \"threshold\" \"watch\" {\n  indicator \"refusals\" { sampling = \"1/2\" }\n}\n", "1/2"},
		"salt":                      {"FD-3.3-7", "environment \"lab\" {\n  caching { approach = \"no_hit_population\" }\n}\npopulation \"support\" {\n  salt = \"none\"\n  size = 5\n}\n", `"nonce"`},
		"floor":                     {"FD-5.3-5", in("  threshold \"refusals\" { lower = 0.01 }"), `"floor"`},
		"a word":                    {"FD-4.1-2", "signal \"page\" { type = \"alerts\" }\n", `"alert"`},
		"masking at a point":        {"FD-5.5-8", "environment \"lab\" {\n  inject_at  = \"gateway\"\n  observe_at = \"gateway\"\n}\n", ""},
		"nothing reduced":           {"FD-1.2-8", in("  reduced {\n    reason = \"no\"\n  }"), ""},
		"unused reason":             {"LANG-unused-reason", in("  load {\n    because = { \"FD-3.3-5\" = \"the machine\" }\n  }"), ""},
		"reason for no row":         {"LANG-unused-reason", in("  load {\n    because = \"the machine\"\n  }"), ""},
		"reason for a misspelt row": {"LANG-reason", in("  load {\n    points = \"1, 5, 21.5, 99 req/s\"\n    because = { \"FD-3.3-55\" = \"the machine\" }\n  }"), `"FD-3.3-5"`},
		"attested label":            {"LANG-attest", in("  attest \"fd_3_4_44\" {\n    by = \"the owner\"\n    statement = \"I have looked there.\"\n  }"), `"fd_3_4_4"`},
		"attested twice":            {"LANG-attest", in("  attest \"fd_3_4_4\" {\n    by = \"the owner\"\n    statement = \"I have looked there.\"\n  }\n  attest \"FD-3_4-4\" {\n    by = \"the owner\"\n    statement = \"I have looked there.\"\n  }"), ""},
		"nothing to attest":         {"LANG-attest", in("  attest \"fd_5_1_8\" {\n    by = \"the owner\"\n    statement = \"I have looked there.\"\n  }"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := example(t, test.text)
			_, before := compileMemory(files, Options{})
			i := slices.IndexFunc(before, func(d diag.Diagnostic) bool { return d.Rule == test.rule })
			if i < 0 || before[i].Fix == nil {
				t.Fatalf("no fix for %s in:\n%s", test.rule, listText(before))
			}
			if before[i].Fix.Text != test.want {
				t.Errorf("the fix is %q, want %q", before[i].Fix.Text, test.want)
			}
			holds(t, files, before, before[i])
		})
	}
}

// holds applies a fix and compiles what comes of it.
func holds(t *testing.T, files map[string][]byte, before diag.List, d diag.Diagnostic) {
	t.Helper()
	after := repaired(files, d)
	_, diags := compileMemory(after, Options{})
	for _, e := range diags {
		if e.Rule == d.Rule && e.Summary == d.Summary && e.Severity == d.Severity && before.HasErrors() == diags.HasErrors() {
			t.Errorf("after the fix %q it is still there:\n%s\n%s", d.Fix.Text, listText(diags), after[d.Fix.Range.Filename])
		}
	}
	if errorsOf(diags) > errorsOf(before) {
		t.Errorf("the fix %q makes new errors:\n%s", d.Fix.Text, listText(diags))
	}
	if bytes.Contains(after[d.Fix.Range.Filename], []byte("\n\n\n")) {
		t.Errorf("the fix leaves a gap:\n%s", after[d.Fix.Range.Filename])
	}
}

// What the examples of the rules get as fixes holds too.
func TestFixesOfExamples(t *testing.T) {
	offered := 0
	for _, r := range rule.Rules() {
		for _, e := range r.Bad {
			files, err := rule.Files(e)
			if err != nil {
				t.Fatal(err)
			}
			_, before := compileMemory(files, Options{Check: true})
			for _, d := range before {
				if d.Fix != nil {
					offered++
					t.Run(r.ID+"/"+e.Name, func(t *testing.T) { holds(t, files, before, d) })
				}
			}
		}
	}
	if offered < 15 {
		t.Errorf("the examples of all rules are offered %d fixes", offered)
	}
}

// A value that comes from elsewhere, or that a fix would break elsewhere, is
// left to the author.
func TestNoFix(t *testing.T) {
	for name, text := range map[string]string{
		"a variable":                      "variable \"n\" {\n  type = number\n  default = 19\n}\nseries \"example\" {\n  trials { count = var.n }\n}\n",
		"more trials than attempts":       "series \"example\" {\n  trials {\n    count = 10\n    attempts = 12\n  }\n}\n",
		"a quiet period without the room": "series \"example\" {\n  quiet {\n    at_least = \"10s\"\n    at_most = \"30s\"\n  }\n}\n",
		"nobody vouches":                  "environment \"lab\" { kind = \"lab\" }\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileMemory(example(t, text), Options{})
			if !diags.HasErrors() {
				t.Fatal("nothing is wrong")
			}
			for _, d := range diags {
				if d.Fix != nil {
					t.Errorf("%s has the fix %q", d.Rule, d.Fix.Text)
				}
			}
		})
	}
}

// A fix never takes a comment with it.
func TestFixKeepsComments(t *testing.T) {
	files := map[string][]byte{}
	base, err := rule.Files(spec.Example{In: spec.InScenario})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range base {
		files[name] = bytes.Replace(b, []byte("    representative = \"21.5 req/s\"\n"), []byte("    representative = \"21.5 req/s\"\n    because = { \"FD-3.3-5\" = \"no more\" } # but do ask\n"), 1)
	}
	_, diags := compileMemory(files, Options{})
	if len(diags) != 1 || diags[0].Rule != "LANG-unused-reason" || !strings.Contains(string(files["example.fdb.hcl"]), "but do ask") {
		t.Fatalf("got:\n%s", listText(diags))
	}
	if diags[0].Fix != nil {
		t.Errorf("the fix %+v would take the comment with it", diags[0].Fix)
	}
}
