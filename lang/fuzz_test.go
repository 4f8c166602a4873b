package lang

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/diag"
)

// FuzzParse looks for panics, ranges outside of the file, and results that
// differ between two runs.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.hcl", "testdata/errors/*.hcl"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Add([]byte("a = \"${x"))
	f.Add([]byte("x \"\" \"\" {}\nfdbench { language = 1e999 }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, diags := Parse([]Source{{"a.fdb.hcl", src}})
		var first bytes.Buffer
		for _, d := range diags {
			if d.Severity == 0 || d.Rule == "" || d.Summary == "" || d.Detail == "" {
				t.Fatalf("incomplete: %+v", d)
			}
			if d.Subject == nil || d.Subject.Start.Byte < 0 || d.Subject.End.Byte < d.Subject.Start.Byte || d.Subject.End.Byte > len(src) {
				t.Fatalf("%s at %v of %d bytes", d.Rule, d.Subject, len(src))
			}
		}
		if err := diag.WriteText(&first, diags, doc.Sources(), diag.TextOptions{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if err := plainjson.Write(&first, diag.Report(diags, doc.Sources())); err != nil {
			t.Fatal(err)
		}
		again, diags := Parse([]Source{{"a.fdb.hcl", src}})
		var second bytes.Buffer
		if err := diag.WriteText(&second, diags, again.Sources(), diag.TextOptions{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(first.Bytes(), second.Bytes()) {
			t.Fatal("two runs say different things")
		}
		for _, b := range doc.Blocks {
			for _, a := range b.Attrs {
				if text, pos, ok := a.Literal(); ok {
					if r := pos(0, len(text)); r.Start.Byte < a.Range.Start.Byte || r.End.Byte > a.Range.End.Byte {
						t.Fatalf("literal at %v of %v", r, a.Range)
					}
				}
			}
		}
	})
}
