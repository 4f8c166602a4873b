package execute

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec/refdata"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// planOf is the plan of a manifest file, with the span planner.
func planOf(t testing.TB, path string, block int) *plan.Reuse {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := manifest.Check(f)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	p := sealed(sum.Items, nil)
	d := &p.Declaration
	d.Manifest = plan.ReuseManifest{File: filepath.Base(path), SHA256: sum.SHA256, Items: sum.Items, Controls: sum.Controls}
	d.BlockSize, d.Tokenizer = block, plan.ReuseTokenizer{Name: tok.Name(), Version: tok.Version()}
	d.Planner = &plan.ReusePlanner{Name: "span", MinRun: block}
	plan.SealReuse(p)
	return p
}

// The figures of the reference manifest, through the whole of a run. Where the
// reference prints 0.0 for want of a planner, there is no figure here.
func TestReferenceManifest(t *testing.T) {
	path := refdata.Path(t, "data/reuse/fixture-v1.jsonl")
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	type counts struct {
		Total int64   `json:"total_blocks"`
		Exact int64   `json:"exact_hit_blocks"`
		Rate  float64 `json:"exact_block_hit_rate"`
		Token float64 `json:"exact_token_weighted_reuse_rate"`
		Plans map[string]struct {
			Candidate int64   `json:"semantic_candidate_blocks"`
			Eligible  int64   `json:"semantic_eligible_blocks"`
			Rate      float64 `json:"semantic_eligible_block_rate"`
			Lift      float64 `json:"semantic_eligible_lift"`
		} `json:"plans"`
	}
	var want struct {
		Sizes map[string]struct {
			Aggregate  counts            `json:"aggregate"`
			Transforms map[string]counts `json:"by_transform"`
		} `json:"by_block_size"`
		Audit map[string]struct{ Violations, Distinct int64 } `json:"collision_audit"`
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Sizes) < 2 {
		t.Fatalf("%d block sizes", len(want.Sizes))
	}
	for text, w := range want.Sizes {
		size, _ := strconv.Atoi(text)
		r, err := Run(t.Context(), Options{Plan: planOf(t, path, size), Dir: t.TempDir(), Folder: filepath.Dir(path), Generation: 1})
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, g *result.Group, w counts) {
			span := w.Plans["span"]
			if g.TotalBlocks != w.Total || g.ExactBlocks != w.Exact || *g.CandidateBlocks != span.Candidate || *g.EligibleBlocks != span.Eligible {
				t.Errorf("block %d, %s: %d exact, %d candidates, %d eligible of %d; want %+v", size, name, g.ExactBlocks, *g.CandidateBlocks, *g.EligibleBlocks, g.TotalBlocks, w)
			}
			if *g.ExactRate.Value != w.Rate || *g.ExactTokenRate.Value != w.Token {
				t.Errorf("block %d, %s: rates %v and %v, want %v and %v", size, name, *g.ExactRate.Value, *g.ExactTokenRate.Value, w.Rate, w.Token)
			}
			if d := *g.EligibleLift.Value - (span.Rate - w.Rate); d > 1e-12 || d < -1e-12 {
				t.Errorf("block %d, %s: lift %v", size, name, *g.EligibleLift.Value)
			}
		}
		check("all", &r.Aggregate, w.Aggregate)
		if len(r.Transforms) != len(w.Transforms) {
			t.Errorf("%d transforms, want %d", len(r.Transforms), len(w.Transforms))
		}
		for i := range r.Transforms {
			check(r.Transforms[i].Name, &r.Transforms[i].Figures, w.Transforms[r.Transforms[i].Name])
		}
		if a, ok := want.Audit[text]; ok && (r.Collisions.Found.Violations != a.Violations || r.Collisions.Found.Distinct != a.Distinct) {
			t.Errorf("block %d: audit %+v, want %+v", size, r.Collisions.Found, a)
		}
		if r.Aggregate.ConfirmedRate != nil || r.Conformance.Status != result.StatusOffline {
			t.Errorf("block %d: %+v", size, r.Conformance)
		}
	}
}

// write makes a manifest of about so many bytes.
func write(t testing.TB, path string, size int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b []byte
	for n, written := 0, 0; written < size; n++ {
		var text strings.Builder
		for w := range 700 {
			fmt.Fprintf(&text, "word%d ", (n*31+w*w)%5000)
		}
		it := &manifest.Item{ItemID: fmt.Sprint("item", n), Dataset: "d", SourceID: fmt.Sprint("s", n), Transform: fmt.Sprint("t", n%4), Recipient: "Answer this. " + text.String(),
			Donors: []manifest.Donor{{DonorID: fmt.Sprint("donor", n), Text: text.String(), Label: "base_prompt"}}}
		if b, err = manifest.Append(b[:0], it); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(b); err != nil {
			t.Fatal(err)
		}
		written += len(b)
	}
}

// TestFlatMemory runs a manifest of 8 MB, or of FDBENCH_MANIFEST_MB, and looks
// at the largest live heap on the way.
func TestFlatMemory(t *testing.T) {
	mb := 8
	if s := os.Getenv("FDBENCH_MANIFEST_MB"); s != "" {
		mb, _ = strconv.Atoi(s)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "m.jsonl")
	write(t, path, mb<<20)
	p := planOf(t, path, 16)
	p.Declaration.Audit = "controls"
	p.Gates = []plan.Gate{{Name: "rows", Condition: "all(requests, .exact_hit_blocks < .total_blocks)", AtLeast: []plan.Minimum{}}}
	plan.SealReuse(p)
	var largest atomic.Uint64
	o := Options{Plan: p, Dir: filepath.Join(dir, "out"), Folder: dir, Generation: 1, Progress: func(e Event) {
		if e.Phase != PhaseItems || e.Done%(8*segmentItems) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			largest.Store(max(largest.Load(), m.HeapAlloc))
		}
	}}
	r, err := Run(context.WithoutCancel(t.Context()), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Gates[0].Status != result.GatePassed {
		t.Errorf("%+v", r.Gates[0])
	}
	t.Logf("%d items, %d MB: at most %.1f MB live", r.Aggregate.Requests, mb, float64(largest.Load())/(1<<20))
	if got := largest.Load(); got > 48<<20 {
		t.Errorf("%d MB of live heap", got>>20)
	}
}

// A manifest that was changed after it was compiled is refused, and what was
// measured of it is not kept as a result.
func TestChangedManifest(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.jsonl")
	write(t, path, 64<<10)
	p := planOf(t, path, 16)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(b, []byte("Answer"), []byte("answer"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Plan: p, Dir: filepath.Join(dir, "out"), Folder: dir, Generation: 1}); err == nil {
		t.Error("a changed manifest is measured")
	}
	for _, name := range []string{ResultFile, JournalFile} {
		if _, err := os.Stat(filepath.Join(dir, "out", name)); err == nil {
			t.Errorf("and leaves %s behind", name)
		}
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Plan: p, Dir: filepath.Join(dir, "out"), Folder: dir, Generation: 1}); err != nil {
		t.Errorf("put back: %v", err)
	}
}
