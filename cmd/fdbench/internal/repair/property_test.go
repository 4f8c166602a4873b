package repair

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/findings"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// broken are complete scenarios, each with one rule broken, by a name.
func broken(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	snippets := map[string]string{}
	for _, r := range compiler.LanguageRules() {
		snippets[r.ID] = r.Bad
	}
	for _, r := range rule.Registered() {
		for _, e := range r.Bad {
			if e.In == spec.InScenario && e.Base == "" {
				snippets[r.ID+" "+e.Name] = e.Text
			}
		}
	}
	out := map[string]map[string][]byte{}
	for name, s := range snippets {
		files, err := rule.Example(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = files
	}
	fixtures, _ := filepath.Glob("../../../../compiler/testdata/*/*.fdb.hcl")
	for _, p := range fixtures {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = map[string][]byte{"fixture.fdb.hcl": b}
	}
	return out
}

func comments(dir string) []string {
	var out []string
	paths, _ := filepath.Glob(filepath.Join(dir, "*"+lang.Ext))
	for _, p := range paths {
		src, _ := os.ReadFile(p)
		tokens, _ := hclsyntax.LexConfig(src, p, hcl.InitialPos)
		for _, t := range tokens {
			if t.Type == hclsyntax.TokenComment {
				out = append(out, strings.TrimSpace(string(t.Bytes)))
			}
		}
	}
	return out
}

// No repair of any scenario makes an error of shape or loses a comment that was
// not itself repaired, and a second time nothing is left to repair.
func TestRepairsOnlyImprove(t *testing.T) {
	repaired := 0
	for name, files := range broken(t) {
		dir := t.TempDir()
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, shape := lang.Load(dir)
		before := compiler.Lint(dir)
		said := comments(dir)
		out := Scenario(dir, check)
		if err := out.Write(); err != nil {
			t.Fatal(err)
		}
		if len(out.Fixed) == 0 {
			continue
		}
		repaired++
		_, after := lang.Load(dir)
		if a, b := shape.Count(diag.Error), after.Count(diag.Error); b > a {
			t.Errorf("%s: %d errors of shape became %d: %v\n%s", name, a, b, after, out.Diff())
		}
		if a, b := before.Count(diag.Error), out.Diags.Count(diag.Error); !shape.HasErrors() && b > a {
			t.Errorf("%s: %d errors became %d: %v\n%s", name, a, b, out.Diags, out.Diff())
		}
		directive := slices.ContainsFunc(out.Fixed, func(f findings.Fixed) bool { return strings.HasPrefix(f.Rule, "LANG-ignore-") })
		if now := comments(dir); !directive && !slices.Equal(said, now) {
			t.Errorf("%s: comments %q became %q", name, said, now)
		}
		if again := Scenario(dir, check); len(again.Fixed) > 0 {
			t.Errorf("%s: a second time fixes %v", name, again.Fixed)
		}
	}
	if repaired < 15 {
		t.Errorf("only %d scenarios were repaired", repaired)
	}
	t.Logf("%d scenarios were repaired", repaired)
}

// The examples of the repository need no repair.
func TestScenariosNeedNoRepair(t *testing.T) {
	paths, _ := filepath.Glob("../../../../scenarios/*/*" + lang.Ext)
	if len(paths) == 0 {
		t.Fatal("no scenarios")
	}
	for _, p := range paths {
		if out := Scenario(filepath.Dir(p), check); len(out.Fixed)+len(out.Files) > 0 {
			t.Errorf("%s: %v", p, out.Fixed)
		}
	}
}
