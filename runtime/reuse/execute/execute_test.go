package execute

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// sealed is a plan of n items; live is nil for an offline one.
func sealed(n int64, live *plan.ReuseLive) *plan.Reuse {
	p := &plan.Reuse{Name: "test", Gates: []plan.Gate{}, Rules: []plan.RuleOutcome{}, Inputs: plan.Inputs{Files: []plan.InputFile{}, Variables: map[string]string{}},
		Declaration: plan.ReuseDeclaration{Manifest: plan.ReuseManifest{File: "m.jsonl", Items: n}, BlockSize: 16, Audit: "full", Scope: "item", Live: live,
			Tokenizer: plan.ReuseTokenizer{Name: "stable", Version: "1"}, Evidence: []plan.ReuseEvidence{}, Quality: exact.MustParse("0.6"), Seed: "s",
			Deviations: []plan.Deviation{}, Attestations: []plan.Attestation{}},
		Estimators: plan.ReuseEstimators{Resamples: 50, Confidence: exact.MustParse("0.95"), Engine: EngineName}}
	if live != nil {
		p.Declaration.Evidence = []plan.ReuseEvidence{{Engine: "vllm", Log: "vllm.log"}}
	}
	plan.SealReuse(p)
	return p
}

func liveBlock(concurrency int) *plan.ReuseLive {
	return &plan.ReuseLive{Driver: "openai", Model: "tiny", Engine: "vllm", Donors: []string{}, Reset: []string{"http://127.0.0.1/reset"}, Order: "cold_first",
		HitThreshold: 16, Contamination: "any", Signal: "cached_tokens", Concurrency: concurrency, Route: []plan.RouteHeader{}, Metrics: []string{"http://127.0.0.1/metrics"}}
}

// fake stands for the parts of a run: it counts what is asked of it, and ends a
// context at a chosen moment.
type fake struct {
	p      *plan.Reuse
	stopAt string // "row 300", "pair 3", "log", "audit"
	stop   context.CancelFunc

	mu     sync.Mutex
	called []string
	under  int // pairs at work
	most   int
	delay  func(n int64) // of a pair
	model  string        // of the endpoint
}

func (f *fake) note(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.called = append(f.called, s)
	if s == f.stopAt {
		f.stop()
	}
}

func (f *fake) count(prefix string) int {
	n := 0
	for _, s := range f.called {
		if strings.HasPrefix(s, prefix) {
			n++
		}
	}
	return n
}

func row(i int64) record.Item {
	return record.Item{Index: i, ItemID: fmt.Sprintf("item %d", i), Dataset: "d", SourceID: fmt.Sprintf("s%d", i%7), Transform: fmt.Sprintf("t%d", i%3), Donors: 1,
		PromptTokens: 40 + i%16, TotalBlocks: (40 + i%16) / 16, ExactBlocks: i % 3, PrefixBlocks: i % 2 * (i % 3)}
}

func (f *fake) parts() *parts {
	return &parts{
		inputs: func(context.Context) error { return nil },
		rows: func(ctx context.Context, from int64, fn func(record.Item) error) error {
			for i := from; i < f.p.Declaration.Manifest.Items; i++ {
				f.note(fmt.Sprintf("row %d", i))
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := fn(row(i)); err != nil {
					return err
				}
			}
			return nil
		},
		audit: func(ctx context.Context) (record.Audit, error) {
			f.note("audit")
			return record.Audit{Listed: []record.Collision{}}, ctx.Err()
		},
		items:  func() (Items, error) { return &fakeItems{of: f.p.Declaration.Manifest.Items}, nil },
		runner: func() (Runner, error) { f.note("runner"); return f, nil },
		log: func(ctx context.Context, e plan.ReuseEvidence, requests func(string) (evidence.Request, bool)) (record.Evidence, []record.Joined, error) {
			f.note("log")
			if err := ctx.Err(); err != nil {
				return record.Evidence{}, nil, err
			}
			var joined []record.Joined
			for i := range f.p.Declaration.Manifest.Items {
				id := fmt.Sprintf("warm-%d", i)
				if q, ok := requests(id); ok {
					joined = append(joined, record.Joined{Log: e.Log, RequestID: id, ItemID: q.ItemID, Arm: q.Arm, Hits: 1, Tokens: 16, Materialized: 1})
				}
			}
			n := int64(len(joined))
			return record.Evidence{Engine: e.Engine, Log: e.Log, SemanticHits: n, Materializations: n, Requests: n, MaterializedReuse: n, Rejections: []record.Reason{}, Unknown: []record.Reason{}}, joined, nil
		},
	}
}

type fakeItems struct{ n, of int64 }

func (x *fakeItems) Next() (*manifest.Item, error) {
	if x.n == x.of {
		return nil, io.EOF
	}
	x.n++
	return &manifest.Item{ItemID: fmt.Sprintf("item %d", x.n-1)}, nil
}

func (*fakeItems) Close() error { return nil }

func (f *fake) Check(context.Context) error { f.note("check"); return nil }
func (f *fake) Warm(context.Context) error  { f.note("warm"); return nil }
func (f *fake) Close()                      { f.note("close") }
func (f *fake) Model() string               { return f.model }

func (f *fake) Targets() []journal.Target {
	return []journal.Target{{Name: "reuse.test", Address: "127.0.0.1:80"}}
}
func (f *fake) Counters(_ context.Context, moment string) []record.Counters {
	f.note("counters " + moment)
	return []record.Counters{{URL: "http://127.0.0.1/metrics", Moment: moment, Values: []record.Counter{{Name: "hits", Value: 1}}}}
}

func (f *fake) Pair(ctx context.Context, n int64, it *manifest.Item) ([]record.Reset, []record.Arm, error) {
	f.mu.Lock()
	f.under++
	f.most = max(f.most, f.under)
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.under--; f.mu.Unlock() }()
	if f.delay != nil {
		f.delay(n)
	}
	f.note(fmt.Sprintf("pair %d", n))
	var resets []record.Reset
	var arms []record.Arm
	for i, arm := range []string{record.Cold, record.Warm} {
		resets = append(resets, record.Reset{ItemID: it.ItemID, Arm: arm, OK: true})
		arms = append(arms, record.Arm{ItemID: it.ItemID, Arm: arm, First: i == 0, Position: 2*n + int64(i), RequestID: fmt.Sprintf("%s-%d", arm, n), Model: f.model, Reset: "ok", Outcome: "ok",
			PromptTokens: new(int64(48)), CachedTokens: new(int64(i) * 16), Donors: i, TTFT: new((200 - 100*int64(i)) * 1e6), Latency: new(int64(300 * 1e6)), Output: "ok"})
	}
	if ctx.Err() != nil {
		arms[1].Outcome = "canceled" // what an interruption cut off
	}
	return resets, arms, nil
}

// run runs a plan once; the error is that of Run.
func execute(t *testing.T, f *fake, dir string, more func(*Options)) (*result.Result, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f.stop = cancel
	o := Options{Plan: f.p, Dir: dir, Generation: 1, parts: f.parts()}
	if more != nil {
		more(&o)
	}
	return Run(ctx, o)
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A run that is interrupted anywhere goes on from its last commit to the same
// bytes.
func TestOfflineResumesToTheSameBytes(t *testing.T) {
	p := sealed(700, nil)
	whole := t.TempDir()
	if _, err := execute(t, &fake{p: p}, whole, nil); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"row 0", "row 255", "row 256", "row 511", "row 600", "row 699", "audit"} {
		dir := t.TempDir()
		first := &fake{p: p, stopAt: at}
		if _, err := execute(t, first, dir, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", at, err)
		}
		if _, err := os.Stat(filepath.Join(dir, ResultFile)); err == nil {
			t.Errorf("%s: an interrupted run has a result", at)
		}
		again := &fake{p: p}
		if _, err := execute(t, again, dir, nil); err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		for _, name := range []string{PlanFile, JournalFile, ResultFile, ReportFile, "rates.csv"} {
			if !bytes.Equal(read(t, whole, name), read(t, dir, name)) {
				t.Errorf("%s: %s is another one", at, name)
			}
		}
		if n := first.count("row") + again.count("row"); n > 700+segmentItems+1 {
			t.Errorf("%s: %d rows were measured for 700", at, n)
		}
	}
}

// A journal that ends in the middle of a line is cut there and goes on.
func TestTornJournal(t *testing.T) {
	p := sealed(600, nil)
	dir := t.TempDir()
	if _, err := execute(t, &fake{p: p}, dir, nil); err != nil {
		t.Fatal(err)
	}
	whole := read(t, dir, JournalFile)
	for _, n := range []int{len(whole) - 1, len(whole) / 2, len(whole) / 3, 700, 10} {
		if err := os.WriteFile(filepath.Join(dir, JournalFile), whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := execute(t, &fake{p: p}, dir, nil); err != nil || !bytes.Equal(read(t, dir, JournalFile), whole) {
			t.Errorf("cut at %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestLive(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		p := sealed(9, liveBlock(concurrency))
		f := &fake{p: p}
		dir := t.TempDir()
		r, err := execute(t, f, dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Conformance.Status != result.StatusLive || r.Paired.Used != 9 || r.Paired.Blended.Value != 2 || r.Evidence[0].Joined != 9 {
			t.Errorf("%+v %+v", r.Conformance, r.Paired)
		}
		want := []string{"runner", "check"}
		if !slices.Equal(f.called[:2], want) {
			t.Errorf("begins with %q", f.called[:4])
		}
		order := []string{}
		each(t, dir, func(e journal.Entry) {
			switch e.Kind {
			case record.KindReset, record.KindArm, record.KindCounters, record.KindEvidence, record.KindAudit:
				order = append(order, strings.TrimPrefix(e.Kind, "reuse_"))
			}
		})
		have := strings.Join(order, " ")
		pairs := strings.Repeat(" reset arm reset arm", 9)
		if want := "audit counters" + pairs + " counters evidence"; have != want {
			t.Errorf("the journal has %s", have)
		}
		if f.most > concurrency {
			t.Errorf("%d pairs at a time, and %d are declared", f.most, concurrency)
		}
	}
}

// Pairs that end out of order are written in the order of the manifest.
func TestConcurrentPairsKeepTheirOrder(t *testing.T) {
	f := &fake{p: sealed(8, liveBlock(4))}
	first, second := make(chan struct{}), make(chan struct{})
	f.delay = func(n int64) {
		switch n {
		case 0:
			close(first)
			<-second
		case 1:
			<-first
			close(second)
		}
	}
	dir := t.TempDir()
	if _, err := execute(t, f, dir, nil); err != nil {
		t.Fatal(err)
	}
	var ids []string
	each(t, dir, func(e journal.Entry) {
		if e.Kind == record.KindArm && bytes.Contains(e.Data, []byte(`"cold"`)) {
			ids = append(ids, string(e.Data[12:18]))
		}
	})
	if !slices.IsSorted(ids) || len(ids) != 8 || f.most < 2 {
		t.Errorf("%q, at most %d at a time", ids, f.most)
	}
}

func each(t *testing.T, dir string, fn func(journal.Entry)) {
	t.Helper()
	if err := journal.Read(bytes.NewReader(read(t, dir, JournalFile)), func(e journal.Entry) error { fn(e); return nil }); err != nil {
		t.Fatal(err)
	}
}

// A live run that is interrupted keeps the pairs that are complete, repeats the
// one under way, and says in its journal that it was.
func TestLiveResumes(t *testing.T) {
	p := sealed(6, liveBlock(1))
	for _, at := range []string{"pair 0", "pair 3", "pair 5", "counters before", "counters after", "log", "warm", "check"} {
		dir := t.TempDir()
		first := &fake{p: p, stopAt: at}
		if _, err := execute(t, first, dir, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", at, err)
		}
		again := &fake{p: p}
		r, err := execute(t, again, dir, nil)
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if r.Paired.Used != 6 || r.Paired.Errored != 0 || !r.Conformance.Complete || r.Evidence[0].Joined != 6 {
			t.Errorf("%s: %+v", at, r.Paired)
		}
		if n := first.count("pair") + again.count("pair"); n > 7 {
			t.Errorf("%s: %d pairs were sent for 6", at, n)
		}
		if n := again.count("counters before"); n > 0 && strings.HasPrefix(at, "pair") {
			t.Errorf("%s: the counters before the pairs were read again", at)
		}
	}
}

// A complete run is not run again, and asks nothing of the endpoint.
func TestCompleteRun(t *testing.T) {
	p := sealed(3, liveBlock(1))
	dir := t.TempDir()
	if _, err := execute(t, &fake{p: p}, dir, nil); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir, JournalFile)
	f := &fake{p: p}
	began := false
	if _, err := execute(t, f, dir, func(o *Options) { o.Begin = func() error { began = true; return nil } }); err != nil {
		t.Fatal(err)
	}
	if len(f.called) > 0 || began || !bytes.Equal(before, read(t, dir, JournalFile)) {
		t.Errorf("called %q, began %v", f.called, began)
	}
}

func TestRefusals(t *testing.T) {
	p, dir := sealed(3, nil), t.TempDir()
	if _, err := execute(t, &fake{p: p}, dir, nil); err != nil {
		t.Fatal(err)
	}
	var other *folder.OtherPlanError
	if _, err := execute(t, &fake{p: sealed(4, nil)}, dir, nil); !errors.As(err, &other) || other.Name != "test" || strings.Contains(err.Error(), "FD-") {
		t.Errorf("another plan: %v", err)
	}
	var mode *folder.ModeError
	if _, err := execute(t, &fake{p: p}, dir, func(o *Options) { o.Exploratory = true }); !errors.As(err, &mode) {
		t.Errorf("exploratory: %v", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := execute(t, &fake{p: p}, foreign, nil); !errors.As(err, &other) || other.NotARun != "thesis.txt" {
		t.Errorf("a folder of something else: %v", err)
	}
	old := sealed(3, nil)
	old.Estimators.Engine = "fdbench.reuse/0"
	plan.SealReuse(old)
	var engine *EngineError
	if _, err := execute(t, &fake{p: old}, t.TempDir(), nil); !errors.As(err, &engine) {
		t.Errorf("another engine: %v", err)
	}
	// A journal of another plan beside the right one.
	swapped := t.TempDir()
	if _, err := execute(t, &fake{p: sealed(4, nil)}, swapped, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(swapped, PlanFile), plan.EncodeReuse(p), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := execute(t, &fake{p: p}, swapped, nil); !errors.As(err, &other) || strings.Contains(err.Error(), "FD-") {
		t.Errorf("another journal: %v", err)
	}
	// A lock that cannot be written ends the run before its first entry.
	locked, failed := t.TempDir(), errors.New("no lock")
	f := &fake{p: p}
	if _, err := execute(t, f, locked, func(o *Options) { o.Begin = func() error { return failed } }); !errors.Is(err, failed) || f.count("row") > 0 {
		t.Errorf("%v, %q", err, f.called)
	}
	// A manifest that is shorter than the plan says.
	short := &fake{p: sealed(5, nil)}
	parts := short.parts()
	parts.rows = (&fake{p: sealed(4, nil)}).parts().rows
	if _, err := Run(t.Context(), Options{Plan: short.p, Dir: t.TempDir(), parts: parts}); err == nil || !strings.Contains(err.Error(), "4 items") {
		t.Errorf("a shorter manifest: %v", err)
	}
}

// A log with another digest than the plan has is refused.
func TestLogOfAnotherDigest(t *testing.T) {
	p := sealed(2, nil)
	p.Declaration.Evidence = []plan.ReuseEvidence{{Engine: "vllm", Log: "vllm.log", SHA256: "sha256:00"}}
	plan.SealReuse(p)
	f := &fake{p: p}
	parts := f.parts()
	parts.log = func(context.Context, plan.ReuseEvidence, func(string) (evidence.Request, bool)) (record.Evidence, []record.Joined, error) {
		return record.Evidence{SHA256: "sha256:11"}, nil, nil
	}
	if _, err := Run(t.Context(), Options{Plan: p, Dir: t.TempDir(), parts: parts}); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("%v", err)
	}
}

// Where no model is declared, the one that the endpoint has is named in the
// result. Pairs of two models are not mixed, and a noise floor is of the model
// that is asked.
func TestModelOfTheEndpoint(t *testing.T) {
	l := liveBlock(1)
	l.Model = ""
	p := sealed(4, l)
	dir := t.TempDir()
	if _, err := execute(t, &fake{p: p, model: "a", stopAt: "pair 2"}, dir, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before := read(t, dir, JournalFile)
	_, err := execute(t, &fake{p: p, model: "b"}, dir, nil)
	var other *ModelError
	if !errors.As(err, &other) || other.Have != "b" || other.Want != "a" || !strings.Contains(err.Error(), "choose another folder") {
		t.Errorf("another model goes on with the run: %v", err)
	}
	if !bytes.Equal(before, read(t, dir, JournalFile)) {
		t.Error("and the journal is another one")
	}
	r, err := execute(t, &fake{p: p, model: "a"}, dir, nil)
	if err != nil || r.Run.Live.Model != "a" || r.Paired.Used != 4 {
		t.Errorf("%v, %+v", err, r)
	}
	for floor, want := range map[string]bool{"a": true, "b": false} {
		p := sealed(1, l)
		p.Declaration.Calibration = &plan.ReuseFloor{File: "floor.json", Pairs: 1, Protocol: plan.FloorProtocol{Model: floor, Engine: l.Engine,
			EngineVersion: l.EngineVersion, MaxTokens: l.MaxTokens, Concurrency: l.Concurrency, ManifestSHA256: p.Declaration.Manifest.SHA256}, Mean: exact.Int(1), Low: exact.Int(1), High: exact.Int(1)}
		plan.SealReuse(p)
		dir := t.TempDir()
		_, err := execute(t, &fake{p: p, model: "a"}, dir, nil)
		if (err == nil) != want || !want && (!errors.As(err, &other) || !strings.Contains(err.Error(), "fdbench calibrate")) {
			t.Errorf("a noise floor of %q: %v", floor, err)
		}
		if _, serr := os.Stat(filepath.Join(dir, JournalFile)); (serr == nil) != want {
			t.Errorf("a noise floor of %q: the journal: %v", floor, serr)
		}
	}
	declared := sealed(1, liveBlock(1))
	if r, err := execute(t, &fake{p: declared, model: "tiny"}, t.TempDir(), nil); err != nil || r.Run.Live.Model != "tiny" {
		t.Errorf("%v, %+v", err, r)
	}
}
