package source

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
)

const documents = `{"id": "a", "domain": "law", "text": "A contract about ice.", "question": "What is it about?"}
{"id": "b", "domain": "food", "text": "A recipe for soup.", "question": "What is cooked?"}
`

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// plans are the two ways in which a plan names one and the same manifest.
func plans(t *testing.T) (folder string, file, made *plan.ReuseManifest) {
	t.Helper()
	folder = t.TempDir()
	var text bytes.Buffer
	s, b, err := transform.Build(&text, strings.NewReader(documents), transform.Options{Dataset: "set"})
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "manifest.jsonl", text.String())
	write(t, folder, "documents.jsonl", documents)
	file = &plan.ReuseManifest{File: "manifest.jsonl", SHA256: s.SHA256, Items: s.Items, Controls: s.Controls}
	made = &plan.ReuseManifest{SHA256: s.SHA256, Items: s.Items, Controls: s.Controls, Documents: &plan.ReuseDocuments{
		File: "documents.jsonl", SHA256: b.DocumentsSHA256(), Dataset: "set", Transforms: transform.Names(),
		MaxSegments: 4, MinSegment: 400, Selection: transform.CrossDomain,
	}}
	return folder, file, made
}

// through reads a manifest to its end.
func through(m *plan.ReuseManifest, folder string) (text []byte, err error) {
	r, c, err := Open(m, folder)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for {
		it, err := r.Next()
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return text, err
		}
		if text, err = manifest.Append(text, it); err != nil {
			return text, err
		}
	}
}

func TestOpen(t *testing.T) {
	folder, file, made := plans(t)
	fromFile, err := through(file, folder)
	if err != nil {
		t.Fatal(err)
	}
	fromDocuments, err := through(made, folder)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(folder, "manifest.jsonl"))
	if err != nil || len(want) == 0 {
		t.Fatal(err)
	}
	if !bytes.Equal(fromFile, want) || !bytes.Equal(fromDocuments, want) {
		t.Error("what was read is not the manifest")
	}
}

func TestAChangeIsFound(t *testing.T) {
	var digest *DigestError
	var build *BuildError
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, folder string, file, made *plan.ReuseManifest) *plan.ReuseManifest
		is     func(error) bool
	}{
		{"another item", func(t *testing.T, folder string, file, _ *plan.ReuseManifest) *plan.ReuseManifest {
			text, _ := os.ReadFile(filepath.Join(folder, file.File))
			write(t, folder, file.File, strings.Replace(string(text), "soup", "stew", 1))
			return file
		}, func(err error) bool { return errors.As(err, &digest) && !digest.Documents }},
		{"a blank line more", func(t *testing.T, folder string, file, _ *plan.ReuseManifest) *plan.ReuseManifest {
			text, _ := os.ReadFile(filepath.Join(folder, file.File))
			write(t, folder, file.File, string(text)+"\n")
			return file
		}, func(err error) bool { return errors.As(err, &digest) }},
		{"other documents", func(t *testing.T, folder string, _, made *plan.ReuseManifest) *plan.ReuseManifest {
			write(t, folder, made.Documents.File, strings.Replace(documents, "soup", "stew", 1))
			return made
		}, func(err error) bool { return errors.As(err, &digest) && digest.Documents }},
		{"other options", func(t *testing.T, folder string, _, made *plan.ReuseManifest) *plan.ReuseManifest {
			made.Documents.Transforms = made.Documents.Transforms[1:]
			return made
		}, func(err error) bool { return errors.As(err, &build) }},
		{"no file", func(t *testing.T, folder string, file, _ *plan.ReuseManifest) *plan.ReuseManifest {
			file.File = "nowhere.jsonl"
			return file
		}, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
		{"no documents", func(t *testing.T, folder string, _, made *plan.ReuseManifest) *plan.ReuseManifest {
			made.Documents.File = "nowhere.jsonl"
			return made
		}, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
		{"outside of the folder", func(t *testing.T, folder string, file, _ *plan.ReuseManifest) *plan.ReuseManifest {
			write(t, filepath.Dir(folder), "outside.jsonl", "")
			file.File = "../outside.jsonl"
			return file
		}, func(err error) bool { return err != nil && strings.Contains(err.Error(), "escapes") }},
		{"a broken line", func(t *testing.T, folder string, file, _ *plan.ReuseManifest) *plan.ReuseManifest {
			write(t, folder, file.File, "{}\n")
			return file
		}, func(err error) bool { var line *manifest.LineError; return errors.As(err, &line) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder, file, made := plans(t)
			if _, err := through(tt.change(t, folder, file, made), folder); !tt.is(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, err := range []error{&DigestError{"m.jsonl", false, "sha256:1", "sha256:2"}, &BuildError{"d.jsonl", "sha256:1", "sha256:2"}} {
		if got := err.Error(); !strings.Contains(got, "sha256:1") || !strings.Contains(got, "sha256:2") || !strings.Contains(got, "make a new plan") {
			t.Error(got)
		}
	}
}

// TestClosingEarly: what was read before is no concern of the digest.
func TestClosingEarly(t *testing.T) {
	folder, _, made := plans(t)
	r, c, err := Open(made, folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestBuilderOfAPlanWithoutDigest is how a compiler begins.
func TestBuilderOfAPlanWithoutDigest(t *testing.T) {
	_, _, made := plans(t)
	made.Documents.SHA256 = ""
	b, err := Builder(made.Documents, strings.NewReader(documents))
	if err != nil {
		t.Fatal(err)
	}
	s, err := manifest.Check(transform.NewReader(b))
	if err != nil || s.SHA256 != made.SHA256 {
		t.Errorf("%+v, %v", s, err)
	}
}
