package plan

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func reusePlan() *Reuse {
	p := &Reuse{
		Name: "rag",
		Declaration: ReuseDeclaration{
			Manifest: ReuseManifest{File: "m.jsonl", SHA256: "sha256:aa", Items: 4, Controls: 1}, BlockSize: 16,
			Tokenizer: ReuseTokenizer{"stable", "1"}, Audit: "full", Scope: "item", Planner: &ReusePlanner{Name: "span", MinRun: 16},
			Evidence:   []ReuseEvidence{{Engine: "vllm", Log: "vllm.log"}},
			Quality:    exact.Frac(6, 10),
			Seed:       "1",
			Deviations: []Deviation{{Rule: "KV-7-3", Because: "one reason"}},
		},
		Gates: []Gate{{Name: "controls stay cold", Condition: "negative_control_semantic_eligible_rate <= 0.01", AtLeast: []Minimum{{"negative_control_count", 1}}}},
	}
	SealReuse(p)
	return p
}

func TestDecodeReuseNamesTheEditedSection(t *testing.T) {
	b := string(EncodeReuse(reusePlan()))
	if _, err := DecodeReuse([]byte(b + "\n")); err != nil {
		t.Fatal(err)
	}
	for old, section := range map[string]string{`"block_size":16`: "declaration", `<= 0.01`: "gates", `"min_run":16`: "declaration"} {
		_, err := DecodeReuse([]byte(strings.Replace(b, old, strings.Replace(old, "1", "2", 1), 1)))
		if e, ok := err.(*EditedError); !ok || e.Section != section {
			t.Errorf("with another %s: %v, want section %q", old, err, section)
		}
	}
	if _, err := Decode([]byte(b)); err == nil {
		t.Error("a plan of a reuse block is read as one of a series")
	}
}

func TestReuseLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	l, err := ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	p := reusePlan()
	if gen, diffs := l.CheckReuse(p); gen != 0 || diffs != nil {
		t.Errorf("before the first row: %d, %v", gen, diffs)
	}
	if gen, err := l.BeginReuse(p, false); gen != 1 || err != nil {
		t.Fatal(gen, err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	if l, err = ReadLock(path); err != nil {
		t.Fatal(err)
	}
	p.Declaration.Description, p.Declaration.Deviations[0].Because = "other words", "another reason"
	if gen, err := l.BeginReuse(p, false); gen != 1 || err != nil {
		t.Errorf("other words begin generation %d, %v", gen, err)
	}
	p.Gates[0].Condition = "negative_control_semantic_eligible_rate <= 0.5"
	p.Declaration.Planner.MinRun = 8
	_, err = l.BeginReuse(p, false)
	changed, ok := err.(*ChangedError)
	if !ok || len(changed.Diffs) != 2 || changed.Series != ReuseKey("rag") {
		t.Fatalf("%v", err)
	}
	text := changed.Error()
	for _, want := range []string{`reuse block "rag" was changed after its first row or request`, "gates[controls stay cold].condition", "declaration.planner.min_run: 16 is now 8", "--new-series"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "FD-") || strings.Contains(text, "series \"") {
		t.Errorf("words of the other methodology:\n%s", text)
	}
	if gen, err := l.BeginReuse(p, true); gen != 2 || err != nil {
		t.Errorf("the next generation is %d, %v", gen, err)
	}
	if diffs := l.Between(ReuseKey("rag"), 2); len(diffs) != 2 {
		t.Errorf("between the generations: %v", diffs)
	}
}

// A series and a reuse block of one name do not meet in a lock, and a lock from
// before there were reuse blocks is one.
func TestReuseLockBesideSeries(t *testing.T) {
	l := &Lock{}
	p := reusePlan()
	if _, err := l.BeginReuse(p, false); err != nil {
		t.Fatal(err)
	}
	if gen, _ := l.Check(&Plan{Series: "rag"}); gen != 0 {
		t.Error("a series has the generations of a reuse block")
	}
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	before := &Lock{}
	if _, err := before.Begin(&Plan{Series: "rag"}, false); err != nil {
		t.Fatal(err)
	}
	if err := before.Write(path); err != nil {
		t.Fatal(err)
	}
	read, err := ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if gen, err := read.BeginReuse(p, false); gen != 1 || err != nil || len(read.Series) != 2 {
		t.Errorf("generation %d, %v, %d entries", gen, err, len(read.Series))
	}
	if gen, diffs := read.Check(&Plan{Series: "rag"}); gen != 1 || len(diffs) > 0 {
		t.Errorf("the series is in generation %d, with %v", gen, diffs)
	}
}
