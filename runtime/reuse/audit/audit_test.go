package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec/refdata"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

func stable(t testing.TB) tokens.Tokenizer {
	t.Helper()
	tok, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// opener opens a manifest that is held in memory.
func opener(text string) Open {
	return func() (*manifest.Reader, io.Closer, error) {
		return manifest.NewReader(strings.NewReader(text)), io.NopCloser(nil), nil
	}
}

func lines(t testing.TB, items ...*manifest.Item) string {
	t.Helper()
	var b []byte
	for i, it := range items {
		if it.ItemID == "" {
			it.ItemID = "item-" + strconv.Itoa(i)
		}
		it.Dataset, it.Transform = "d", "t"
		for k := range it.Donors {
			it.Donors[k].DonorID = it.ItemID + "-" + strconv.Itoa(k)
		}
		var err error
		if b, err = manifest.Append(b, it); err != nil {
			t.Fatal(err)
		}
	}
	return string(b)
}

func pair(source, recipient string, donors ...string) *manifest.Item {
	it := &manifest.Item{SourceID: source, Recipient: recipient}
	for _, d := range donors {
		it.Donors = append(it.Donors, manifest.Donor{Text: d})
	}
	return it
}

func control(source, other, recipient string, donors ...string) *manifest.Item {
	it := pair(source, recipient, donors...)
	it.Control = true
	name, _ := json.Marshal(other)
	it.Metadata = map[string]json.RawMessage{"negative_source_id": name}
	return it
}

// TestReference holds the counts against figures that were computed from the
// definitions by another program.
func TestReference(t *testing.T) {
	fixture := refdata.Path(t, "data/reuse/fixture-v1.jsonl")
	raw, err := os.ReadFile(refdata.Path(t, "data/reuse/expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Audit map[string]struct {
			Boilerplate int64 `json:"boilerplate_blocks"`
			Distinct    int64 `json:"distinct"`
			Donor       int64 `json:"donor_blocks"`
			Violations  int64 `json:"violations"`
		} `json:"collision_audit"`
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Audit) < 4 {
		t.Fatalf("the reference has %d block sizes, want 4 at least", len(want.Audit))
	}
	for key, w := range want.Audit {
		size, err := strconv.Atoi(key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Detail(Full, stable(t), size, func() (*manifest.Reader, io.Closer, error) {
			f, err := os.Open(fixture)
			return manifest.NewReader(f), f, err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Boilerplate != w.Boilerplate || got.Distinct != w.Distinct || got.DonorBlocks != w.Donor || got.Violations != w.Violations || got.Origins != 2 {
			t.Errorf("block size %d: got %+v, want %+v", size, got.Audit, w)
		}
		t.Logf("block size %d: exempt overlaps %d", size, got.Exempt)
	}
}

func TestRules(t *testing.T) {
	type want struct {
		violations, exempt, boilerplate int64
		listed                          []record.Collision
	}
	phantom := func(item string, block int64, origin string) record.Collision {
		return record.Collision{Kind: Phantom, ItemID: item, Block: block, Origin: origin}
	}
	overlap := func(item string, block int64, origin string) record.Collision {
		return record.Collision{Kind: Overlap, ItemID: item, Block: block, Origin: origin}
	}
	tests := []struct {
		name  string
		mode  string
		items []*manifest.Item
		want  want
	}{
		{"own donors are no collision", Full, []*manifest.Item{
			pair("a", "one two three four", "one two three four"),
			pair("b", "five six seven eight", "five six seven eight"),
		}, want{}},
		{"another document's block", Full, []*manifest.Item{
			pair("a", "one two five six", "one two three four"),
			pair("b", "nine ten", "five six seven eight"),
		}, want{violations: 1, listed: []record.Collision{phantom("item-0", 1, "b")}}},
		{"off the grid there is none", Full, []*manifest.Item{
			pair("a", "one five six", "one two three four"),
			pair("b", "nine ten", "five six seven eight"),
		}, want{}},
		{"a partial block is none", Full, []*manifest.Item{
			pair("a", "one two five", "one two"),
			pair("b", "nine ten", "five"),
		}, want{}},
		{"with two documents what both have is boilerplate", Full, []*manifest.Item{
			pair("a", "one two", "one two"),
			pair("b", "one two", "one two"),
		}, want{boilerplate: 1}},
		{"with three, two having it is none", Full, []*manifest.Item{
			pair("a", "one two", "one two"),
			pair("b", "three four", "one two"),
			pair("c", "five six", "five six"),
		}, want{violations: 1, listed: []record.Collision{phantom("item-0", 0, "b")}}},
		{"and three having it is", Full, []*manifest.Item{
			pair("a", "one two", "one two"),
			pair("b", "three four", "one two"),
			pair("c", "five six", "one two"),
		}, want{boilerplate: 1}},
		{"a control that shares a block", Full, []*manifest.Item{
			control("a", "b", "five six one two", "five six seven eight"),
		}, want{violations: 1, listed: []record.Collision{overlap("item-0", 0, "b")}}},
		{"a template hides the overlap of a control", Full, []*manifest.Item{
			pair("a", "one two", "head line"),
			pair("b", "three four", "head line"),
			control("a", "b", "head line one two", "head line five six"),
		}, want{exempt: 1, boilerplate: 1}},
		{"without exemption the same is a violation", Controls, []*manifest.Item{
			pair("a", "one two", "head line"),
			pair("b", "three four", "head line"),
			control("a", "b", "head line one two", "head line five six"),
		}, want{violations: 1, listed: []record.Collision{overlap("item-2", 0, "b")}}},
		{"other items are not looked at", Controls, []*manifest.Item{
			pair("a", "one two five six", "one two three four"),
			pair("b", "nine ten", "five six seven eight"),
		}, want{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Detail(tt.mode, stable(t), 2, opener(lines(t, tt.items...)))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want.listed == nil {
				tt.want.listed = []record.Collision{}
			}
			if got.Violations != tt.want.violations || got.Exempt != tt.want.exempt || got.Boilerplate != tt.want.boilerplate {
				t.Errorf("got %+v, want %+v", got.Audit, tt.want)
			}
			if d := cmp.Diff(tt.want.listed, got.Listed); d != "" {
				t.Errorf("listed (-want +got):\n%s", d)
			}
			if int64(len(got.ExemptListed)) != tt.want.exempt {
				t.Errorf("%d exempt are listed, want %d", len(got.ExemptListed), tt.want.exempt)
			}
		})
	}
}

// naive is the full audit from its definition, with sets of documents and blocks
// as text.
func naive(k tokens.Tokenizer, size int, items []*manifest.Item) (a record.Audit) {
	blocks := func(text string) (out []string) {
		ids := k.Append(nil, text)
		for ; len(ids) >= size; ids = ids[size:] {
			out = append(out, fmt.Sprint(ids[:size]))
		}
		return out
	}
	owners, origins := map[string]map[string]bool{}, map[string]bool{}
	for _, it := range items {
		for i, d := range it.Donors {
			origin, _ := it.DonorSource(i)
			origins[origin] = true
			for _, b := range blocks(d.Text) {
				if owners[b] == nil {
					owners[b] = map[string]bool{}
				}
				owners[b][origin] = true
				a.DonorBlocks++
			}
		}
	}
	many := max(2, min(3, len(origins)))
	a.Origins, a.Distinct = int64(len(origins)), int64(len(owners))
	for _, o := range owners {
		if len(o) >= many {
			a.Boilerplate++
		}
	}
	for _, it := range items {
		own := map[string]bool{}
		for _, d := range it.Donors {
			for _, b := range blocks(d.Text) {
				own[b] = it.Control
			}
		}
		for _, b := range blocks(it.Recipient) {
			o := owners[b]
			foreign := len(o)
			if o[it.SourceID] {
				foreign--
			}
			switch {
			case len(o) >= many && own[b]:
				a.Exempt++
			case len(o) < many && (own[b] || foreign > 0):
				a.Violations++
			}
		}
	}
	return a
}

// TestAgainstNaive audits random manifests of few words, so that blocks meet in
// every way, documents among them that no donor comes from.
func TestAgainstNaive(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		words := func() string {
			return strings.TrimSpace(strings.Repeat("u ", r.IntN(2)) + strings.Join(slices.Repeat([]string{"u", "v", "w"}[:1+r.IntN(3)], 1+r.IntN(4)), " "))
		}
		var items []*manifest.Item
		for range 1 + r.IntN(12) {
			var donors []string
			for range r.IntN(4) {
				donors = append(donors, words()+" v")
			}
			it := pair(string("abcdef"[r.IntN(6)]), words()+" w", donors...)
			if r.IntN(3) == 0 {
				it = control(it.SourceID, string("ghij"[r.IntN(4)]), it.Recipient, donors...)
			}
			items = append(items, it)
		}
		for size := 1; size <= 3; size++ {
			text := lines(t, items...)
			got, err := Run(Full, stable(t), size, opener(text))
			if err != nil {
				t.Fatal(err)
			}
			got.Listed = nil
			if d := cmp.Diff(naive(stable(t), size, items), got); d != "" {
				t.Fatalf("seed %d, blocks of %d (-naive +got):\n%s\n%s", seed, size, d, text)
			}
		}
	}
}

// TestBounds: the lists end at their bound, the counts do not, and the number
// of cores changes nothing.
func TestBounds(t *testing.T) {
	var items []*manifest.Item
	for i := range 3 * record.MaxCollisions {
		word := "w" + strconv.Itoa(i)
		items = append(items, control("a"+strconv.Itoa(i), "b"+strconv.Itoa(i), word+" x "+word+" y", word+" x "+word+" z"))
	}
	text := lines(t, items...)
	var first *Report
	for _, cores := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(cores)
		got, err := Detail(Full, stable(t), 2, opener(text))
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if got.Violations != int64(len(items)) || len(got.Listed) != record.MaxCollisions {
			t.Fatalf("%d violations, %d listed", got.Violations, len(got.Listed))
		}
		if first == nil {
			first = got
		}
		if d := cmp.Diff(first, got); d != "" {
			t.Errorf("with %d cores (-1 core +%d):\n%s", cores, cores, d)
		}
	}
}

func TestErrors(t *testing.T) {
	good := lines(t, pair("a", "one two", "one two"))
	for _, tt := range []struct {
		name, mode, text string
		size             int
		want             string
	}{
		{"size", Full, good, 0, "at least 1 token"},
		{"mode", "some", good, 4, `no audit "some"`},
		{"first pass", Full, good + "{}\n", 4, "line 2"},
		{"controls", Controls, good + "{}\n", 4, "line 2"},
	} {
		if _, err := Run(tt.mode, stable(t), tt.size, opener(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", tt.name, err, tt.want)
		}
	}
	// A manifest that changes between the passes.
	pass := 0
	_, err := Run(Full, stable(t), 2, func() (*manifest.Reader, io.Closer, error) {
		if pass++; pass == 2 {
			return nil, nil, io.ErrUnexpectedEOF
		}
		return opener(good)()
	})
	if err != io.ErrUnexpectedEOF {
		t.Errorf("got %v", err)
	}
}

func BenchmarkAudit(b *testing.B) {
	var items []*manifest.Item
	for i := range 200 {
		var words strings.Builder
		for k := range 700 {
			words.WriteString("word" + strconv.Itoa(i*k%5003) + " ")
		}
		name := "s" + strconv.Itoa(i)
		items = append(items, pair(name, words.String(), words.String()), control(name, "s"+strconv.Itoa((i+1)%200), words.String(), "nothing of it"))
	}
	text := lines(b, items...)
	for _, mode := range []string{Full, Controls} {
		b.Run(mode, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Run(mode, stable(b), 16, opener(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
