package compiler

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// expectation is a comment "# ERROR RULE "regexp"" beside the line that it
// is about; WARNING and NOTE are the other severities.
var expectation = regexp.MustCompile(`# (ERROR|WARNING|NOTE) (\S+) "((?:[^"\\]|\\.)*)"`)

type expected struct {
	file           string
	line           int
	severity, rule string
	text           *regexp.Regexp
	met            bool
}

func expectations(t *testing.T, name string, src []byte) []*expected {
	t.Helper()
	var list []*expected
	for i, line := range strings.Split(string(src), "\n") {
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			re, err := regexp.Compile(m[3])
			if err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			list = append(list, &expected{name, i + 1, strings.ToLower(m[1]), m[2], re, false})
		}
	}
	return list
}

// withBase adds those blocks of the complete example that a fixture does not
// define itself, so that it shows no more than what it is about.
func withBase(t *testing.T, name string, src []byte) map[string][]byte {
	t.Helper()
	files, err := rule.Example("")
	if err != nil {
		t.Fatal(err)
	}
	fixture, diags := hclwrite.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return map[string][]byte{name: src}
	}
	own := map[string]bool{}
	for _, b := range fixture.Body().Blocks() {
		own[blockKey(b)] = true
	}
	base, _ := hclwrite.ParseConfig(files["example.fdb.hcl"], "example.fdb.hcl", hcl.InitialPos)
	for _, b := range base.Body().Blocks() {
		if own[blockKey(b)] || own["series"] && b.Type() == "series" {
			base.Body().RemoveBlock(b)
		}
	}
	files["example.fdb.hcl"] = base.Bytes()
	files[name] = src
	return files
}

func blockKey(b *hclwrite.Block) string {
	labels := b.Labels()
	if len(labels) == 0 || b.Type() == "series" {
		return b.Type()
	}
	return b.Type() + " " + labels[len(labels)-1]
}

// Fixtures hold what is wrong and, as a comment beside it, what is said about
// it: no more and no less.
func TestFixtures(t *testing.T) {
	for _, folder := range []string{"language", "rules"} {
		paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.fdb.hcl"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no fixtures in %s: %v", folder, err)
		}
		for _, path := range paths {
			t.Run(folder+"/"+filepath.Base(path), func(t *testing.T) {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Base(path)
				want := expectations(t, name, src)
				if len(want) == 0 {
					t.Fatal("the fixture expects nothing")
				}
				_, diags := compileFiles(t, withBase(t, name, src))
				for _, d := range diags {
					if !meet(want, d) {
						t.Errorf("unexpected: %s", listText(diag.List{d}))
					}
				}
				for _, e := range want {
					if !e.met {
						t.Errorf("%s:%d: expected %s %s %q", e.file, e.line, e.severity, e.rule, e.text)
					}
				}
			})
		}
	}
}

func meet(want []*expected, d diag.Diagnostic) bool {
	for _, e := range want {
		if e.met || d.Subject == nil || d.Subject.Filename != e.file || d.Subject.Start.Line != e.line ||
			d.Severity.String() != e.severity || d.Rule != e.rule || !e.text.MatchString(d.Summary+": "+d.Detail) {
			continue
		}
		e.met = true
		return true
	}
	return false
}

// Every rule that a scenario can break has a fixture, which shows the place
// that a finding points at.
func TestEveryRuleHasAFixture(t *testing.T) {
	for _, r := range rule.Rules() {
		if len(r.Bad) == 0 {
			continue
		}
		if _, err := os.Stat(filepath.Join("testdata", "rules", r.ID+".fdb.hcl")); err != nil {
			t.Errorf("no fixture for %s: %v", r.ID, err)
		}
	}
}
