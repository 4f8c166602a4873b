package lang

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/diag"
)

// TestRulesKeepTheirExamples parses the two texts of every rule.
func TestRulesKeepTheirExamples(t *testing.T) {
	for _, r := range Rules() {
		if !strings.HasSuffix(r.What, ".") || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: %q %q", r.ID, r.What, r.Why)
		}
		if r.Bad == "" {
			continue
		}
		_, diags := ParseLibrary([]Source{{"a.fdb.hcl", []byte(r.Bad)}})
		found := false
		for _, d := range diags {
			found = found || d.Rule == r.ID
		}
		if !found {
			t.Errorf("%s: the bad example gives %q", r.ID, rulesOf(diags))
		}
		if _, diags := ParseLibrary([]Source{{"a.fdb.hcl", []byte(r.Good)}}); len(diags) > 0 {
			t.Errorf("%s: the good example gives %s", r.ID, rulesOf(diags))
		}
	}
}

// TestEveryRuleIsExplained looks for the ids in the source of lang and its
// formatter.
func TestEveryRuleIsExplained(t *testing.T) {
	explained := map[string]bool{}
	for _, r := range Rules() {
		if explained[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		explained[r.ID] = true
	}
	used := map[string]bool{}
	for _, pattern := range []string{"*.go", "format/*.go"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			if strings.HasSuffix(p, "_test.go") || p == "rules.go" {
				continue
			}
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`"(LANG-[a-z-]+)"`).FindAllSubmatch(src, -1) {
				used[string(m[1])] = true
				if !explained[string(m[1])] {
					t.Errorf("%s of %s is not explained", m[1], p)
				}
			}
		}
	}
	for id := range explained {
		if !used[id] {
			t.Errorf("%s is explained and never given", id)
		}
	}
}

// TestOrderAndProcessorsDoNotMatter reads many files with mistakes in every
// order and on one and several processors.
func TestOrderAndProcessorsDoNotMatter(t *testing.T) {
	var files []Source
	for i := range 12 {
		text := fmt.Sprintf("profile \"p%d\" {\n  shpae = \"step\"\n  z = 1\n  y = 2\n  x = 3\n}\nlocals { same = %d }\n", i%10, i)
		if i == 0 {
			text += "fdbench { language = 1 }\n"
		}
		if i == 5 {
			text += "broken {\n"
		}
		files = append(files, Source{fmt.Sprintf("f%d.fdb.hcl", i), []byte(text)})
	}
	show := func(files []Source) string {
		doc, diags := Parse(files)
		var b strings.Builder
		if err := plainjson.Write(&b, diag.Report(diags, doc.Sources())); err != nil {
			t.Fatal(err)
		}
		for _, f := range doc.Files {
			b.WriteString(f.Name + f.SHA256)
		}
		for _, block := range doc.Blocks {
			b.WriteString(block.DefRange.String())
		}
		return b.String()
	}
	want := show(files)
	r := rand.New(rand.NewPCG(13, 14))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i := range 100 {
		runtime.GOMAXPROCS(1 + i%4)
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		if got := show(files); got != want {
			t.Fatalf("round %d says\n%s\nwant\n%s", i, got, want)
		}
	}
}
