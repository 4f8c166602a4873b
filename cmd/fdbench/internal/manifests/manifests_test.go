package manifests

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/runtime/reuse/audit"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

const repository = "../../../../"

func options(t *testing.T, size int) Options {
	t.Helper()
	tok, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Tokenizer: tok, BlockSize: size, Mode: audit.Full, Limit: 20}
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

const small = `{"item_id": "a", "dataset": "d", "source_id": "s", "transform": "t", "recipient_prompt": "one two three", "donor_prompts": [{"donor_id": "x", "label": "", "text": "one two three four"}]}
{"item_id": "b", "dataset": "d", "source_id": "s", "transform": "u", "recipient_prompt": "one", "negative_control": true, "donor_prompts": [{"donor_id": "x", "label": "", "text": "two three"}]}
`

func TestInspect(t *testing.T) {
	r, err := Inspect(write(t, small), options(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	if r.Items != 2 || r.Donors != 2 || r.Controls != 1 || r.Unnamed.N != 1 || r.Refused() != nil || r.More {
		t.Errorf("%+v", r)
	}
	want := []Transform{{"t", Counts{3, 4, 1}}, {"u", Counts{1, 2, 0}}}
	if d := cmp.Diff(want, r.By); d != "" {
		t.Errorf("by transform (-want +got):\n%s", d)
	}
	if r.Counts != (Counts{4, 6, 1}) {
		t.Errorf("in all: %+v", r.Counts)
	}
	if r.Audit == nil || r.Audit.DonorBlocks != 3 || r.Audit.Distinct != 3 || r.Audit.Violations != 0 {
		t.Errorf("audit %+v", r.Audit)
	}
}

func TestInspectRefuses(t *testing.T) {
	r, err := Inspect(write(t, small+"{}\n"+small), options(t, 2))
	if err != nil || len(r.Broken) != 3 || r.Audit != nil || r.More || r.Items != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	o := options(t, 2)
	o.Limit = 1
	if r, err = Inspect(write(t, small+"{}\n"+small), o); err != nil || len(r.Broken) != 1 || !r.More {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = Inspect(write(t, ""), options(t, 2)); err != nil || r.Refused() == nil {
		t.Errorf("an empty manifest: %+v, %v", r, err)
	}
	own := strings.Replace(small, `"label": "", "text": "two`, `"label": "", "metadata": {"negative_source_id": "s"}, "text": "two`, 1)
	r, err = Inspect(write(t, own), options(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	var controls *ControlsError
	if err := r.Refused(); !errors.As(err, &controls) || !strings.Contains(err.Error(), "line 2: 1 negative control is") {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	var phases []string
	o := options(t, 2)
	o.Progress = func(phase string, done, of int64) {
		if len(phases) == 0 || phases[len(phases)-1] != phase {
			phases = append(phases, phase)
		}
		if done > of {
			t.Errorf("%s: %d of %d", phase, done, of)
		}
	}
	line := strings.SplitAfter(small, "\n")[0]
	long := strings.Replace(line, "four", strings.Repeat("four ", 1<<19), 1)
	if _, err := Inspect(write(t, long), o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"counting tokens", "audit, pass 1", "audit, pass 2"}, phases); d != "" {
		t.Errorf("phases (-want +got):\n%s", d)
	}
}

// TestExampleDocuments: the documents that the project ships make clean items.
// No sentence stands twice in them, and at usual block sizes no control
// shares a block with its donor, nor a recipient with another document.
func TestExampleDocuments(t *testing.T) {
	documents := filepath.FromSlash(repository + "scenarios/reuse/documents.jsonl")
	file := filepath.Join(t.TempDir(), "m.jsonl")
	b, err := Build(documents, file, transform.Options{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.DocumentCount < 20 || b.Skipped != 0 || b.Items != int64(8*b.DocumentCount) || b.Controls != int64(b.DocumentCount) {
		t.Errorf("%+v", b)
	}
	// Plans name this digest. Whoever changes a document, or the wording of a
	// transform, changes it, and every such plan has to be made anew.
	if want := "sha256:d50d112ee6575c1972cef6004ff6a098696c12baa123b697cafdfc872c08c6fb"; b.SHA256 != want {
		t.Errorf("the manifest is %s, want %s", b.SHA256, want)
	}
	for _, size := range []int{8, 16, 24, 32} {
		r, err := Inspect(file, options(t, size))
		if err != nil || r.Refused() != nil || len(r.Broken) > 0 {
			t.Fatal(err, r)
		}
		if r.SHA256 != b.SHA256 || r.Audit.Violations != 0 || r.Audit.Exempt != 0 {
			t.Errorf("block size %d: %+v", size, r.Audit)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sentences := map[string]string{}
	for r := manifest.NewReader(f); ; {
		it, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if it.Transform != transform.FuzzyEdit {
			continue
		}
		for _, s := range strings.Split(it.Recipient, "\n") {
			if strings.HasSuffix(s, ".") && !strings.HasPrefix(s, "The source below") {
				if other, twice := sentences[s]; twice {
					t.Errorf("%s and %s share %q", other, it.SourceID, s)
				}
				sentences[s] = it.SourceID
			}
		}
	}
	if len(sentences) < 300 {
		t.Errorf("only %d sentences", len(sentences))
	}
}

func TestBuildIsWhole(t *testing.T) {
	folder := t.TempDir()
	documents := filepath.Join(folder, "d.jsonl")
	out := filepath.Join(folder, "m.jsonl")
	put := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(documents, `{"id": "a", "text": "A."}`+"\n"+`{"id": "b", "text": "B."}`)
	put(out, "before")
	if _, err := Build(documents, out, transform.Options{}, nil, nil); err == nil {
		t.Fatal("documents without domains were admitted")
	}
	if got, _ := os.ReadFile(out); string(got) != "before" {
		t.Errorf("a failed build left %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, atomicfile.Prefix+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	b, err := Build(documents, out, transform.Options{Selection: transform.Adjacent}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil || int64(len(got)) != b.Bytes {
		t.Errorf("%d bytes, want %d, %v", len(got), b.Bytes, err)
	}
	var text bytes.Buffer
	if _, err := Build(documents, "-", transform.Options{Selection: transform.Adjacent}, &text, nil); err != nil || !bytes.Equal(text.Bytes(), got) {
		t.Errorf("standard output differs: %v", err)
	}
	if err := os.Chmod(out, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(documents, out, transform.Options{Selection: transform.Adjacent}, nil, nil); !errors.Is(err, atomicfile.ErrProtected) {
		t.Errorf("a protected file: %v", err)
	}
}
