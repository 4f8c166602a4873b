package offline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/blocks"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func encode(t testing.TB, items ...*manifest.Item) []byte {
	t.Helper()
	var b []byte
	for _, it := range items {
		var err error
		if b, err = manifest.Append(b, it); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// small is a manifest whose figures can be counted by hand, in blocks of three
// tokens: one letter is one token.
func small(t testing.TB) []byte {
	return encode(t,
		&manifest.Item{ItemID: "same", Dataset: "d", SourceID: "s1", Transform: "exact_repeat", Recipient: "a b c d e f g",
			Donors: []manifest.Donor{{DonorID: "x", Text: "a b c d e f g"}}},
		&manifest.Item{ItemID: "shifted", Dataset: "d", SourceID: "s1", Transform: "instruction_variant", Recipient: "z a b c d e f",
			Donors: []manifest.Donor{{DonorID: "x", Text: "a b c d e f"}}},
		&manifest.Item{ItemID: "composite", Dataset: "d", SourceID: "s2", Transform: "multi_donor_composite", Recipient: "h i j a b c k l m",
			Donors: []manifest.Donor{{DonorID: "x", Text: "h i j k l m"}, {DonorID: "y", Text: "q q q a b c"}}},
		&manifest.Item{ItemID: "control", Dataset: "d", SourceID: "s2", Transform: "negative_control", Recipient: "h i j k l m", Control: true,
			Donors: []manifest.Donor{{DonorID: "x", Text: "n o p q r s"}}},
		&manifest.Item{ItemID: "alone", Dataset: "d", SourceID: "s3", Transform: "exact_repeat", Recipient: "d e f"},
		&manifest.Item{ItemID: "short", Dataset: "d", SourceID: "s3", Transform: "exact_repeat", Recipient: "a b",
			Donors: []manifest.Donor{{DonorID: "x", Text: "a b"}}},
	)
}

// figures are the counts of a row, in one line.
func figures(rows []record.Item) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%d %s: %d tokens, %d blocks, exact %d, prefix %d", r.Index, r.ItemID, r.PromptTokens, r.TotalBlocks, r.ExactBlocks, r.PrefixBlocks)
		if r.Planned {
			fmt.Fprintf(&b, ", candidate %d, eligible %d", r.Candidate, r.Eligible)
		}
		for _, i := range r.Invalid {
			fmt.Fprintf(&b, ", %s %d", i.Reason, i.N)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestSmall(t *testing.T) {
	span := declaration(3)
	span.Planner = &plan.ReusePlanner{Name: "span", MinRun: 2}
	for _, c := range []struct {
		name string
		d    *plan.ReuseDeclaration
		want string
	}{
		{"without a planner", declaration(3), `0 same: 7 tokens, 2 blocks, exact 2, prefix 2
1 shifted: 7 tokens, 2 blocks, exact 0, prefix 0
2 composite: 9 tokens, 3 blocks, exact 3, prefix 1
3 control: 6 tokens, 2 blocks, exact 0, prefix 0
4 alone: 3 tokens, 1 blocks, exact 0, prefix 0
5 short: 2 tokens, 0 blocks, exact 0, prefix 0
`},
		{"with span", span, `0 same: 7 tokens, 2 blocks, exact 2, prefix 2, candidate 2, eligible 2
1 shifted: 7 tokens, 2 blocks, exact 0, prefix 0, candidate 1, eligible 1
2 composite: 9 tokens, 3 blocks, exact 3, prefix 1, candidate 3, eligible 3
3 control: 6 tokens, 2 blocks, exact 0, prefix 0, candidate 0, eligible 0
4 alone: 3 tokens, 1 blocks, exact 0, prefix 0, candidate 0, eligible 0
5 short: 2 tokens, 0 blocks, exact 0, prefix 0, candidate 0, eligible 0
`},
	} {
		if got := figures(rows(t, c.d, "", bytes.NewReader(small(t)))); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// TestCorpus counts hits over the donors of all items: the control's recipient
// and the one without donors find theirs elsewhere.
func TestCorpus(t *testing.T) {
	folder := t.TempDir()
	b := small(t)
	if err := os.WriteFile(filepath.Join(folder, "m.jsonl"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	d := declaration(3)
	d.Scope = ScopeCorpus
	d.Manifest = plan.ReuseManifest{File: "m.jsonl", SHA256: digest(b)}
	const want = `0 same: 7 tokens, 2 blocks, exact 2, prefix 2
1 shifted: 7 tokens, 2 blocks, exact 0, prefix 0
2 composite: 9 tokens, 3 blocks, exact 3, prefix 1
3 control: 6 tokens, 2 blocks, exact 2, prefix 2
4 alone: 3 tokens, 1 blocks, exact 1, prefix 0
5 short: 2 tokens, 0 blocks, exact 0, prefix 0
`
	if got := figures(rows(t, d, folder, bytes.NewReader(b))); got != want {
		t.Errorf("%swant\n%s", got, want)
	}

	d.Manifest.SHA256 = digest(nil)
	m, err := New(d, folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(b)), 0, func(record.Item) error { return nil }); err == nil {
		t.Error("a corpus of other bytes than the plan's was taken")
	}
}

const smallPlans = `{"item_id": "shifted", "actions": [{"op": "copy_from_donor", "target_start": 1, "len": 6, "donor_id": "x", "donor_start": 0}]}
{"item_id": "same", "block_size": 3, "planner": "p", "actions": [{"op": "copy_from_donor", "target_start": 0, "len": 3, "donor_id": "x", "donor_start": 0}, {"op": "copy_from_donor", "target_start": 3, "len": 3, "donor_id": "nobody", "donor_start": 0}, {"op": "copy_from_donor", "target_start": 3, "len": 3, "donor_id": "x", "donor_start": 5}]}
{"item_id": "control", "actions": [{"action": "copy_from_donor", "targetPos": 0, "donorPos": 0}, {"action": "copy_from_donor", "targetPos": 1, "donorPos": 1}, {"action": "copy_from_donor", "targetPos": 2, "donorPos": 3}, {"action": "swap", "targetPos": 3}]}
`

func TestPlans(t *testing.T) {
	folder := t.TempDir()
	d := declaration(3)
	d.Plans = writePlans(t, folder, []byte(smallPlans))
	const want = `0 same: 7 tokens, 2 blocks, exact 2, prefix 2, candidate 1, eligible 1, unknown_donor 1, span_outside_donor 1
1 shifted: 7 tokens, 2 blocks, exact 0, prefix 0, candidate 1, eligible 1
2 composite: 9 tokens, 3 blocks, exact 3, prefix 1
3 control: 6 tokens, 2 blocks, exact 0, prefix 0, candidate 1, eligible 0, unknown_op 1
4 alone: 3 tokens, 1 blocks, exact 0, prefix 0
5 short: 2 tokens, 0 blocks, exact 0, prefix 0
`
	if got := figures(rows(t, d, folder, bytes.NewReader(small(t)))); got != want {
		t.Errorf("%swant\n%s", got, want)
	}
}

func TestPlansOfAnotherManifest(t *testing.T) {
	folder := t.TempDir()
	d := declaration(3)
	d.Plans = writePlans(t, folder, []byte(smallPlans+`{"item_id": "stranger", "actions": []}`+"\n"))
	m, err := New(d, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var n int
	err = m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(small(t))), 0, func(record.Item) error { n++; return nil })
	var wrong *blocks.PlanError
	if !errors.As(err, &wrong) || wrong.Line != 4 || !strings.Contains(err.Error(), `plans.jsonl: line 4: the manifest has no item "stranger"`) || n != 6 {
		t.Errorf("%d rows, error %v", n, err)
	}
}

// generated writes items of text that is about as repetitive as prompts are.
func generated(t testing.TB, seed uint64, items, words int) []byte {
	var b bytes.Buffer
	if _, err := io.Copy(&b, newGenerator(t, seed, int64(items), words)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSameRows tells that neither the number of workers nor a resumption
// changes a row.
func TestSameRows(t *testing.T) {
	b := generated(t, 1, 300, 120)
	d := declaration(5)
	d.Planner = &plan.ReusePlanner{Name: "span", MinRun: 3}
	m, err := New(d, "")
	if err != nil {
		t.Fatal(err)
	}
	read := func(workers int, from int64) []byte {
		m.workers = workers
		var out []byte
		if err := m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(b)), from, func(r record.Item) error {
			line, err := json.Marshal(r)
			out = append(append(out, line...), '\n')
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := read(1, 0)
	if bytes.Count(want, []byte("\n")) != 300 || !bytes.Contains(want, []byte(`"semantic_eligible_blocks":`)) {
		t.Fatalf("rows\n%s", want)
	}
	for _, workers := range []int{2, 3, 16} {
		if got := read(workers, 0); !bytes.Equal(got, want) {
			t.Errorf("%d workers change the rows", workers)
		}
	}
	lines := bytes.SplitAfter(want, []byte("\n"))
	for _, from := range []int64{1, 77, 299, 300, 500} {
		if got := read(4, from); !bytes.Equal(got, bytes.Join(lines[min(from, 300):], nil)) {
			t.Errorf("from item %d on, rows differ", from)
		}
	}
}

func TestRowsStop(t *testing.T) {
	b := generated(t, 2, 400, 50)
	m, err := New(declaration(4), "")
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	n := 0
	err = m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(b)), 0, func(r record.Item) error {
		if n++; n == 10 {
			return enough
		}
		return nil
	})
	if err != enough || n != 10 {
		t.Errorf("error of fn: %v after %d rows", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n = 0
	err = m.Rows(ctx, manifest.NewReader(bytes.NewReader(b)), 0, func(r record.Item) error {
		if n++; n == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n < 10 || n == 400 {
		t.Errorf("cancelled: %v after %d rows", err, n)
	}
	// Cancelled on the way to the first item that is wanted.
	ctx, cancel = context.WithCancel(context.Background())
	in := &stopping{r: bytes.NewReader(generated(t, 3, 3000, 50)), cancel: cancel}
	err = m.Rows(ctx, manifest.NewReader(in), 2900, func(r record.Item) error { return nil })
	if !errors.Is(err, context.Canceled) || in.n > 1<<18 {
		t.Errorf("cancelled before the first row: %v after %d bytes", err, in.n)
	}
	// A line that cannot be used ends it, behind the rows before it.
	lines := bytes.SplitAfter(b, []byte("\n"))
	lines[200] = []byte("{}\n")
	n = 0
	err = m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(bytes.Join(lines, nil))), 0, func(r record.Item) error { n++; return nil })
	var line *manifest.LineError
	if !errors.As(err, &line) || line.Line != 201 || n != 200 {
		t.Errorf("broken line: %v after %d rows", err, n)
	}
}

// TestReadsAheadByBytes holds how far the manifest is read before the row that is
// due, where the items are long: many of them would not fit into memory.
func TestReadsAheadByBytes(t *testing.T) {
	const items = 40
	prompt := strings.Repeat("word ", 100_000)
	var b []byte
	for i := range items {
		b = append(b, encode(t, &manifest.Item{ItemID: fmt.Sprint(i), Dataset: "d", SourceID: "s", Transform: "t", Recipient: prompt,
			Donors: []manifest.Donor{{DonorID: "x", Text: prompt}}})...)
	}
	m, err := New(declaration(16), "")
	if err != nil {
		t.Fatal(err)
	}
	m.workers = 16
	in := &stopping{r: bytes.NewReader(b), cancel: func() {}}
	rows := 0
	err = m.Rows(context.Background(), manifest.NewReader(in), 0, func(record.Item) error {
		rows++
		line := len(b) / items
		if ahead := in.n - rows*line; ahead > aheadBytes+2*line {
			return fmt.Errorf("%d bytes are read ahead of row %d", ahead, rows)
		}
		return nil
	})
	if err != nil || rows != items {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// stopping cancels once something was read.
type stopping struct {
	r      io.Reader
	cancel func()
	n      int
}

func (s *stopping) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += n
	s.cancel()
	return n, err
}

func TestPlannersName(t *testing.T) {
	for _, c := range []struct {
		declared, by string
		want         bool
	}{
		{"mine", "mine", true}, {"mine 1.0", "mine", true}, {"the mine-2", "mine", true}, {"mine", "", true}, {"", "mine", false},
		{"mineral 1.0", "mine", false}, {"goldmine", "mine", false}, {"goldmine and mine", "mine", true}, {"mine2", "mine", false},
		{"1.0", "mine 1.0", false}, {"émine", "mine", false}, {"p", "ppp", false}, {"pppp", "p", false},
	} {
		if got := says(c.declared, c.by); got != c.want {
			t.Errorf("%q is by %q: %t", c.declared, c.by, got)
		}
	}
}

func TestNewRefused(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name   string
		change func(*plan.ReuseDeclaration)
		want   string
	}{
		{"tokenizer", func(d *plan.ReuseDeclaration) { d.Tokenizer.Name = "gpt" }, `there is no tokenizer "gpt"; write one of stable,`},
		{"version", func(d *plan.ReuseDeclaration) { d.Tokenizer.Version = "Unicode 1.1" }, `the plan counts tokens with stable (Unicode 1.1), and this program has stable-regex-sha256`},
		{"size", func(d *plan.ReuseDeclaration) { d.BlockSize = 0 }, "block_size is at least 1"},
		{"scope", func(d *plan.ReuseDeclaration) { d.Scope = "all" }, `there is no scope "all"; write item or corpus`},
		{"planner", func(d *plan.ReuseDeclaration) { d.Planner = &plan.ReusePlanner{Name: "x"} }, `there is no planner "x"`},
		{"both", func(d *plan.ReuseDeclaration) {
			d.Planner, d.Plans = &plan.ReusePlanner{Name: "span"}, &plan.ReusePlans{File: "plans.jsonl"}
		}, "both a planner and plans"},
		{"plans", func(d *plan.ReuseDeclaration) { d.Plans = writePlans(t, folder, []byte("{}\n")) }, "plans.jsonl: line 1: item_id is missing"},
		{"digest", func(d *plan.ReuseDeclaration) {
			d.Plans = writePlans(t, folder, []byte(smallPlans))
			d.Plans.SHA256 = digest(nil)
		}, "plans.jsonl: the plans are not those that the scenario was compiled with"},
		{"name", func(d *plan.ReuseDeclaration) {
			d.Plans = writePlans(t, folder, []byte(smallPlans))
			d.Plans.Planner = "mine 2.0"
		}, `the plans are by "p", and the scenario says that they are by "mine 2.0"`},
		{"outside", func(d *plan.ReuseDeclaration) { d.Plans = &plan.ReusePlans{File: "../plans.jsonl"} }, "path escapes from parent"},
		{"absent", func(d *plan.ReuseDeclaration) { d.Plans = &plan.ReusePlans{File: "none.jsonl"} }, "no such file"},
	} {
		d := declaration(3)
		c.change(d)
		if _, err := New(d, folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestBPERows tells that the declared tokenizer counts.
func TestBPERows(t *testing.T) {
	tok, err := tokens.Lookup("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	d := declaration(2)
	d.Tokenizer = plan.ReuseTokenizer{Name: tok.Name(), Version: tok.Version()}
	b := encode(t, &manifest.Item{ItemID: "i", Dataset: "d", SourceID: "s", Transform: "exact_repeat", Recipient: "hello world hello",
		Donors: []manifest.Donor{{DonorID: "x", Text: "hello world"}}})
	want := int64(len(tok.Append(nil, "hello world hello")))
	got := rows(t, d, "", bytes.NewReader(b))
	if len(got) != 1 || got[0].PromptTokens != want || got[0].TotalBlocks != want/2 || got[0].ExactBlocks != 1 {
		t.Errorf("%+v, want %d tokens", got, want)
	}
}

// generator is a manifest that is made while it is read.
type generator struct {
	t     testing.TB
	rng   *rand.Rand
	words int
	left  int64
	n     int
	buf   []byte
}

func newGenerator(t testing.TB, seed uint64, items int64, words int) *generator {
	return &generator{t: t, rng: rand.New(rand.NewPCG(seed, 0)), words: words, left: items}
}

func (g *generator) Read(p []byte) (int, error) {
	for len(g.buf) == 0 {
		if g.left == 0 {
			return 0, io.EOF
		}
		g.left--
		g.buf = g.item()
	}
	n := copy(p, g.buf)
	g.buf = g.buf[n:]
	return n, nil
}

// item repeats most of its donor, in another order, under a preamble.
func (g *generator) item() []byte {
	var sentences []string
	for n := 0; n < g.words; {
		k := 6 + g.rng.IntN(12)
		var s []string
		for range k {
			s = append(s, vocabulary[min(g.rng.IntN(len(vocabulary)), g.rng.IntN(len(vocabulary)))])
		}
		sentences = append(sentences, strings.Join(s, " ")+". ")
		n += k
	}
	donor := strings.Join(sentences, "")
	cut := g.rng.IntN(len(sentences))
	turned := slices.Concat(sentences[cut:], sentences[:cut])
	turned[g.rng.IntN(len(turned))] = "Another sentence stands here. "
	g.n++
	return encode(g.t, &manifest.Item{
		ItemID: fmt.Sprintf("item-%d", g.n), Dataset: "generated", SourceID: fmt.Sprintf("s%d", g.n), Transform: "rag_reorder",
		Recipient: "Answer from the record below.\n" + strings.Join(turned, ""),
		Donors:    []manifest.Donor{{DonorID: "d", Text: donor}},
	})
}

var vocabulary = func() []string {
	rng := rand.New(rand.NewPCG(5, 6))
	var ws []string
	for range 4000 {
		w := make([]byte, 2+rng.IntN(8))
		for i := range w {
			w[i] = 'a' + byte(rng.IntN(26))
		}
		ws = append(ws, string(w))
	}
	return ws
}()
