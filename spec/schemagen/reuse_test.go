package schemagen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/spec/schemagen"
)

// schemas are those of what a reuse block leaves behind.
type schemas struct{ plan, line, result *jsonschema.Schema }

func reuseSchemas(t *testing.T) schemas {
	t.Helper()
	files, err := schemagen.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) *jsonschema.Schema { return compile(t, name, files[name]) }
	return schemas{of("reuse-plan.schema.json"), of("journal.schema.json"), of("reuse-result.schema.json")}
}

func keeps(s *jsonschema.Schema, b []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func keepsAll(t *testing.T, what string, s schemas, p, journal, result []byte) {
	t.Helper()
	if err := keeps(s.plan, p); err != nil {
		t.Errorf("%s: plan: %v", what, err)
	}
	n := 0
	for line := range bytes.Lines(journal) {
		if n++; n%7 != 0 && n > 60 {
			continue
		}
		if err := keeps(s.line, line); err != nil {
			t.Errorf("%s: line %d of the journal: %v", what, n, err)
		}
	}
	if err := keeps(s.result, result); err != nil {
		t.Errorf("%s: result: %v", what, err)
	}
}

// The valid runs that the rules' examples change have every kind of entry and
// every part of a result.
func TestRunsKeepToTheirSchemas(t *testing.T) {
	s := reuseSchemas(t)
	for _, base := range example.Bases() {
		items, err := example.Original(base)
		if err != nil {
			t.Fatal(err)
		}
		p, entries, err := example.Follow(items)
		if err != nil {
			t.Fatal(err)
		}
		result, err := example.OriginalResult(base)
		if err != nil {
			t.Fatal(err)
		}
		keepsAll(t, base, s, plan.EncodeReuse(p), example.Journal(entries), result)
	}
}

// So does what the scenario that people copy leaves behind.
func TestScenarioKeepsToItsSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a scenario")
	}
	s := reuseSchemas(t)
	folder, dir := filepath.Join(root, "scenarios", "reuse"), t.TempDir()
	r, diags := compiler.CompilePath(folder, compiler.Options{})
	if diags.HasErrors() || len(r.Reuses) == 0 {
		t.Fatalf("%d reuse blocks: %v", len(r.Reuses), diags)
	}
	p := r.Reuses[0]
	if _, err := execute.Run(t.Context(), execute.Options{Plan: p, Dir: dir, Folder: folder, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	keepsAll(t, "scenarios/reuse", s, read(execute.PlanFile), read(execute.JournalFile), read(execute.ResultFile))
	live, _ := compiler.CompilePath(filepath.Join(root, "scenarios", "live-reuse"), compiler.Options{})
	if len(live.Reuses) != 1 || live.Reuses[0] == nil {
		t.Fatal("the live scenario has no plan")
	}
	if err := keeps(s.plan, plan.EncodeReuse(live.Reuses[0])); err != nil {
		t.Errorf("scenarios/live-reuse: %v", err)
	}
}

// What the schemas are there to refuse.
func TestSchemasRefuse(t *testing.T) {
	s := reuseSchemas(t)
	items, err := example.Original("reuse live")
	if err != nil {
		t.Fatal(err)
	}
	p, entries, err := example.Follow(items)
	if err != nil {
		t.Fatal(err)
	}
	result, err := example.OriginalResult("reuse live")
	if err != nil {
		t.Fatal(err)
	}
	var warm []byte
	for line := range bytes.Lines(example.Journal(entries)) {
		if bytes.Contains(line, []byte(`"arm":"warm","position"`)) {
			warm = bytes.Clone(line)
		}
	}
	for _, x := range []struct {
		schema   *jsonschema.Schema
		of       []byte
		old, new string
	}{
		{s.plan, plan.EncodeReuse(p), `"scope":"item"`, `"scope":"nearest"`},
		{s.plan, plan.EncodeReuse(p), `"signal":"cached_tokens"`, `"signal":"route"`},
		{s.plan, plan.EncodeReuse(p), `"block_size":16`, `"block_size":"16"`},
		{s.line, warm, `"arm":"warm"`, `"arm":"hot"`},
		{s.line, warm, `"reset":"ok"`, `"reset":"fine"`},
		{s.line, warm, `"cached_tokens":0`, `"cached_tokens":"0"`},
		{s.line, warm, `"kind":"reuse_arm"`, `"kind":"reuse_leg"`},
		{s.line, warm, `"first":true`, `"first":true,"hit":true`},
		{s.result, result, `"candidate": "discovery evidence, no confirmed reuse"`, `"candidate": "confirmed reuse"`},
		{s.result, result, `"exact_hit_blocks": 5`, `"exact_hit_blocks": null`},
		{s.result, result, `"status": "live"`, `"status": "conformant"`},
		{s.result, result, `"status": "passed"`, `"status": "skipped"`},
	} {
		changed := strings.Replace(string(x.of), x.old, x.new, 1)
		if changed == string(x.of) {
			t.Errorf("%s is not in\n%s", x.old, x.of)
			continue
		}
		if keeps(x.schema, []byte(changed)) == nil {
			t.Errorf("%s for %s is valid", x.new, x.old)
		}
	}
}
