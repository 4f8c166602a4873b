package compiler

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
)

// Every explanation is true: its bad snippet gets a finding of the very rule,
// and its good one gets no error.
func TestSnippetsOfLanguageRules(t *testing.T) {
	for _, r := range LanguageRules() {
		if !strings.HasSuffix(r.What, ".") || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: %q %q", r.ID, r.What, r.Why)
		}
		if r.Bad == "" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			for _, snippet := range []string{r.Bad, r.Good} {
				files, err := rule.Example(snippet)
				if err != nil {
					t.Fatal(err)
				}
				_, diags := compileFiles(t, files)
				own := 0
				for _, d := range diags {
					if d.Rule == r.ID {
						own++
					}
				}
				switch {
				case snippet == r.Bad && own == 0:
					t.Errorf("the bad snippet breaks something else:\n%s", listText(diags))
				case snippet == r.Good && diags.HasErrors():
					t.Errorf("the good snippet is not good:\n%s", listText(diags))
				}
			}
		})
	}
}

// TestEveryLanguageRuleIsExplained looks for ids in all code that can give a
// finding.
func TestEveryLanguageRuleIsExplained(t *testing.T) {
	explained := map[string]bool{}
	for _, r := range append(lang.Rules(), LanguageRules()...) {
		if explained[r.ID] {
			t.Errorf("%s is explained twice", r.ID)
		}
		explained[r.ID] = true
	}
	used := map[string]bool{}
	for _, root := range []string{"../compiler", "../lang", "../runtime", "../stdlib", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			name := filepath.Base(path)
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "rules.go" || name == "langrules.go" {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range regexp.MustCompile(`"(LANG-[a-z0-9-]+)"`).FindAllSubmatch(src, -1) {
				id := string(m[1])
				if used[id] = true; !explained[id] {
					t.Errorf("%s of %s is not explained", id, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range LanguageRules() {
		if !used[r.ID] {
			t.Errorf("%s is explained and never given", r.ID)
		}
	}
}
