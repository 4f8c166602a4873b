package lang

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/diag"
)

func TestValidScenarioHasNoDiagnostics(t *testing.T) {
	doc, diags := Load("testdata/valid")
	if len(diags) > 0 {
		var b bytes.Buffer
		if err := diag.WriteText(&b, diags, doc.Sources(), diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		t.Fatal(b.String())
	}
	if len(doc.Files) != 2 || doc.Files[0].Name != "main.fdb.hcl" || doc.Root != "testdata/valid" {
		t.Errorf("files %v under %q", doc.Files, doc.Root)
	}
	s := doc.All("series")[0]
	if s.Name() != "short" || s.Attr("signal") == nil || s.Attr("nothing") != nil {
		t.Errorf("series %+v", s)
	}
	if s.One("trials").Attr("count") == nil || s.One("sham") != nil || len(s.All("fault")) != 1 {
		t.Error("nested blocks of the series are not found")
	}
	d := doc.All("detector")[1]
	if d.Schema.Kind != "cusum" || len(d.All("alert")) != 2 || strings.Join(d.All("alert")[1].AttrOrder, " ") != "indicator decision up down" {
		t.Errorf("detector %+v", d)
	}
}

// TestErrorFixtures reads the expected diagnostics from comments beside the
// bad lines: "# ERROR RULE: part of the detail". No others may appear.
func TestErrorFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.fdb.hcl")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	marker := regexp.MustCompile(`# ERROR ([A-Z]+-[a-zA-Z0-9.-]+): (.*)$`)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			type want struct{ rule, detail string }
			wanted := map[int]want{}
			for i, line := range strings.Split(string(src), "\n") {
				if m := marker.FindStringSubmatch(line); m != nil {
					wanted[i+1] = want{m[1], m[2]}
				}
			}
			doc, diags := Parse([]Source{{filepath.Base(path), src}})
			seen := map[int]bool{}
			for _, d := range diags {
				line := d.Subject.Start.Line
				w, ok := wanted[line]
				if !ok || seen[line] || w.rule != d.Rule || !strings.Contains(d.Detail, w.detail) {
					t.Errorf("line %d: unexpected %s %q: %s", line, d.Rule, d.Summary, d.Detail)
				}
				if words := len(strings.Fields(d.Summary)); words < 3 || words > 6 {
					t.Errorf("line %d: summary %q has %d words", line, d.Summary, words)
				}
				if strings.Contains(d.Summary, `"`) || !strings.ContainsAny(d.Detail[len(d.Detail)-1:], ".?}{") {
					t.Errorf("line %d: style of %q: %q", line, d.Summary, d.Detail)
				}
				seen[line] = true
			}
			for line, w := range wanted {
				if !seen[line] {
					t.Errorf("line %d: no %s", line, w.rule)
				}
			}
			var text, json bytes.Buffer
			if err := diag.WriteText(&text, diags, doc.Sources(), diag.TextOptions{Width: 90}); err != nil {
				t.Fatal(err)
			}
			if err := plainjson.Write(&json, diag.Report(diags, doc.Sources())); err != nil {
				t.Fatal(err)
			}
			for range 20 {
				again, diags := Parse([]Source{{filepath.Base(path), src}})
				var b bytes.Buffer
				if err := diag.WriteText(&b, diags, again.Sources(), diag.TextOptions{Width: 90}); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(b.Bytes(), text.Bytes()) {
					t.Fatal("the diagnostics differ between runs")
				}
			}
		})
	}
}
