package verify_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/runtime/reuse/verify"
	"github.com/fdbench/fdbench/spec/edit"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// folder writes the complete run of an original.
func folder(t testing.TB, base string) string {
	t.Helper()
	items, err := example.Original(base)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, items)
}

func written(t testing.TB, items []edit.Item) string {
	t.Helper()
	p, entries, err := example.Follow(items)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, execute.PlanFile, plan.EncodeReuse(p))
	write(t, dir, execute.JournalFile, example.Journal(entries))
	if _, err := execute.Finish(dir, p); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func check(t testing.TB, dir string) []verify.Problem {
	t.Helper()
	_, problems, err := verify.Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

func TestUntouchedFolders(t *testing.T) {
	for _, base := range example.Bases() {
		if p := check(t, folder(t, base)); len(p) > 0 {
			t.Errorf("%s: %v", base, p)
		}
	}
	if _, _, err := verify.Check(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that does not exist verifies")
	}
}

func replace(old, new string) func([]byte) []byte {
	return func(b []byte) []byte {
		if !bytes.Contains(b, []byte(old)) {
			panic("nothing to replace: " + old)
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}
}

func TestChangedFilesAreNamed(t *testing.T) {
	dir := folder(t, result.BaseLive)
	for _, x := range []struct {
		file string
		edit func([]byte) []byte
		path string
		says string
	}{
		{execute.PlanFile, replace(`"block_size":16`, `"block_size":32`), "", "declaration"},
		{execute.PlanFile, func([]byte) []byte { return []byte("{}") }, "", ""},
		{execute.JournalFile, replace(`"exact_hit_blocks":3`, `"exact_hit_blocks":4`), "line ", "changed after it was written"},
		{execute.JournalFile, func(b []byte) []byte { return nil }, "", "nothing was run"},
		{execute.ResultFile, replace(`"numerator": 5`, `"numerator": 6`), "aggregate.exact_block_hit_rate.numerator", "6 stands where the plan and the journal give 5"},
		{execute.ResultFile, replace(`"status": "live"`, `"status": "offline"`), "conformance.status", "give"},
		{execute.ReportFile, replace("live", "certified"), "line 1", "not what"},
		{"rates.csv", func(b []byte) []byte { return append(b, "x\n"...) }, "line ", "not what"},
	} {
		good := read(t, dir, x.file)
		write(t, dir, x.file, x.edit(bytes.Clone(good)))
		p := check(t, dir)
		write(t, dir, x.file, good)
		if len(p) == 0 || p[0].File != x.file || !strings.Contains(p[0].Path, x.path) || !strings.Contains(p[0].String(), x.says) || strings.Contains(p[0].String(), "FD-") {
			t.Errorf("%s: got %v, want %q and %q", x.file, p, x.path, x.says)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	dir := folder(t, result.BaseLive)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 10 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		good := read(t, dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		p := check(t, dir)
		write(t, dir, name, good)
		if len(p) != 1 || p[0].File != name || !strings.Contains(p[0].Detail, "missing") {
			t.Errorf("%s is missing: %v", name, p)
		}
	}
}

// A journal that was written anew holds as a chain; the figures that it changes
// do not.
func TestRewrittenJournal(t *testing.T) {
	dir := folder(t, result.BaseLive)
	items, _ := example.Original(result.BaseLive)
	items, err := edit.Apply(items, "reuse_arm {\"item_id\": \"reorder\", \"arm\": \"warm\"}\n  put cached_tokens 160")
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := example.Follow(items)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, execute.JournalFile, example.Journal(entries))
	p := check(t, dir)
	if len(p) == 0 || p[0].File != execute.ResultFile || !strings.Contains(p[0].Path, "backend_confirmed_blocks") {
		t.Errorf("%v", p)
	}
	write(t, dir, execute.PlanFile, read(t, folder(t, result.BaseOffline), execute.PlanFile))
	if p := check(t, dir); len(p) != 1 || p[0].File != execute.JournalFile || p[0].Path != "line 1" || !strings.Contains(p[0].Detail, "another plan") {
		t.Errorf("another plan: %v", p)
	}
}

// measured runs a small manifest for real.
func measured(t testing.TB) (dir, from string) {
	t.Helper()
	from = t.TempDir()
	var b []byte
	for i, text := range []string{"the mill at the end of the valley turned for ninety winters and ground rye", "each branch sends its ledger to the head office before the tenth of a month"} {
		long := strings.Repeat(text+" ", 3+i)
		var err error
		b, err = manifest.Append(b, &manifest.Item{ItemID: string(rune('a' + i)), Dataset: "d", SourceID: text[:4], Transform: "exact_repeat", Recipient: long,
			Donors: []manifest.Donor{{DonorID: "donor", Text: long, Label: "base_prompt"}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, from, "m.jsonl", b)
	sum, err := manifest.Check(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	p := example.Offline().Plan
	d := &p.Declaration
	d.Manifest = plan.ReuseManifest{File: "m.jsonl", SHA256: sum.SHA256, Items: sum.Items}
	d.Tokenizer = plan.ReuseTokenizer{Name: tok.Name(), Version: tok.Version()}
	plan.SealReuse(p)
	dir = filepath.Join(t.TempDir(), "out")
	if _, err := execute.Run(t.Context(), execute.Options{Plan: p, Dir: dir, Folder: from, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	return dir, from
}

// A journal that somebody computed anew from its first line to its last shows
// when its rows are measured again.
func TestRerun(t *testing.T) {
	dir, from := measured(t)
	rerun := func() (*verify.Problem, error) { return verify.Rerun(t.Context(), dir, from, nil) }
	if p, err := rerun(); p != nil || err != nil {
		t.Fatalf("untouched: %v, %v", p, err)
	}
	good := read(t, dir, execute.JournalFile)
	items := entries(t, good)
	for _, x := range []struct{ name, text, says string }{
		{"a row", "reuse_item last\n  shift {\"exact_hit_blocks\": -1}", "line 4: measuring item \"b\" again gives another row"},
		{"a row too few", "reuse_item last\n  drop", "it has 1 rows"},
		{"a row too many", "reuse_item last\n  copy", "line 5: it is a row that the manifest does not give"},
		{"the audit", "reuse_audit\n  shift {\"distinct\": 1}", "again gives another entry"},
	} {
		changed, err := edit.Apply(items, x.text)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, execute.JournalFile, example.Journal(changed))
		if p, err := rerun(); err != nil || p == nil || !strings.Contains(p.String(), x.says) {
			t.Errorf("%s: %v, %v", x.name, p, err)
		}
	}
	write(t, dir, execute.JournalFile, good)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Rerun(ctx, dir, from, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if err := os.Remove(filepath.Join(from, "m.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := rerun(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without the manifest: %v", err)
	}
}

// entries takes a journal apart.
func entries(t testing.TB, b []byte) []edit.Item {
	t.Helper()
	var items []edit.Item
	if err := journal.Read(bytes.NewReader(b), func(e journal.Entry) error {
		items = append(items, edit.Item{Kind: e.Kind, Data: bytes.Clone(e.Data)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return items
}
