package blocks

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec/refdata"
)

// TestAgainstTheDefinitions holds everything against the contract's words, for
// block sizes from 1 to 64 and texts of every degree of repetition.
func TestAgainstTheDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var index Index
	var cover Cover
	var windows, auto Span
	auto.always = true
	var chunk Chunk
	seen := Coverage{}
	for range 2500 {
		size := 1 + rng.IntN(64)
		if rng.IntN(2) == 0 {
			size = 1 + rng.IntN(8)
		}
		recipient, donors := item(rng)
		exact, prefix := naiveHits(size, recipient, donors)

		index.Build(size, donors)
		if e, p := index.Hits(recipient); e != exact || p != prefix {
			t.Fatalf("size %d, %v of %v: exact %d prefix %d, want %d %d", size, recipient, donors, e, p, exact, prefix)
		}
		corpus := NewCorpus(size)
		for _, d := range donors {
			corpus.Add(d.Tokens)
		}
		if e, p := corpus.Hits(recipient); e != exact || p != prefix {
			t.Fatalf("size %d, %v of %v: corpus: exact %d prefix %d, want %d %d", size, recipient, donors, e, p, exact, prefix)
		}
		if corpus.Distinct() != index.Distinct() {
			t.Fatalf("size %d, %v: %d and %d distinct blocks", size, donors, corpus.Distinct(), index.Distinct())
		}

		chunk.Size, chunk.Gated = size, rng.IntN(2) == 0
		minRun := 1 + rng.IntN(size)
		windows.MinRun, auto.MinRun = minRun, minRun
		for _, c := range []struct {
			name    string
			planner Planner
			want    []Action
		}{
			{"chunk", &chunk, naiveChunk(size, chunk.Gated, recipient, donors)},
			{"span by windows", &windows, naiveSpan(minRun, recipient, donors)},
			{"span by automaton", &auto, naiveSpan(minRun, recipient, donors)},
		} {
			got := c.planner.Plan(nil, recipient, donors)
			if !slices.Equal(got, c.want) {
				t.Fatalf("%s, size %d, min run %d, %v of %v:\n%v, want\n%v", c.name, size, minRun, recipient, donors, got, c.want)
			}
			v := cover.Measure(size, recipient, donors, got)
			candidate, eligible := naiveCover(size, recipient, got)
			if v.Candidate != candidate || v.Eligible != eligible || v.Invalid != nil || v.Differing != 0 || v.Overlapping != 0 {
				t.Fatalf("%s, size %d, %v: %+v, want %d candidate and %d eligible", c.name, size, got, v, candidate, eligible)
			}
			total := int64(len(recipient) / size)
			if v.Eligible > v.Candidate || v.Candidate > total || prefix > exact || exact > total {
				t.Fatalf("size %d: %+v of %d blocks, exact %d, prefix %d", size, v, total, exact, prefix)
			}
			seen.Candidate += v.Candidate
			seen.Eligible += v.Eligible
		}
	}
	if seen.Candidate == seen.Eligible || seen.Eligible == 0 {
		t.Errorf("the items do not tell candidate from eligible: %+v", seen)
	}
}

// TestSpanSwitches has a text on which the windows give up in the middle.
func TestSpanSwitches(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var donor, recipient []uint32
	for range 1000 {
		donor = append(donor, 1, 2, 3+rng.Uint32N(500))
		recipient = append(recipient, 1, 2, 3+rng.Uint32N(500))
	}
	donors := []Donor{{"a", donor[:1000]}, {"b", donor[1000:]}}
	s := Span{MinRun: 2}
	got := s.Plan(nil, recipient, donors)
	if want := naiveSpan(2, recipient, donors); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(s.auto.runs); n == 0 || n == len(recipient) {
		t.Errorf("the automaton answered for %d of %d tokens", len(s.auto.runs), len(recipient))
	}
}

func TestSpanTies(t *testing.T) {
	a := []uint32{9, 1, 2, 3, 8, 1, 2, 3}
	b := []uint32{1, 2, 3, 4}
	for _, c := range []struct {
		name      string
		recipient []uint32
		donors    []Donor
		want      []Action
	}{
		{"smallest offset", []uint32{1, 2, 3}, []Donor{{"a", a}}, []Action{{Copy, 0, 3, 1, "a"}}},
		{"first donor before a smaller offset", []uint32{1, 2, 3}, []Donor{{"a", a}, {"b", b}}, []Action{{Copy, 0, 3, 1, "a"}}},
		{"first donor", []uint32{1, 2, 3}, []Donor{{"b", b}, {"a", a}}, []Action{{Copy, 0, 3, 0, "b"}}},
		{"longer run of a later donor", []uint32{1, 2, 3, 4}, []Donor{{"a", a}, {"b", b}}, []Action{{Copy, 0, 4, 0, "b"}}},
		{"not across donors", []uint32{8, 1, 2, 3, 1, 2}, []Donor{{"a", a}, {"b", b}}, []Action{{Copy, 0, 4, 4, "a"}, {Copy, 4, 2, 1, "a"}}},
		{"shorter than a run", []uint32{1, 7, 2, 7}, []Donor{{"a", a}}, nil},
		{"no donors", []uint32{1, 2, 3}, nil, nil},
		{"no recipient", nil, []Donor{{"a", a}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, always := range []bool{false, true} {
				s := Span{MinRun: 2, always: always}
				if got := s.Plan(nil, c.recipient, c.donors); !slices.Equal(got, c.want) {
					t.Errorf("automaton %t: %v, want %v", always, got, c.want)
				}
			}
		})
	}
}

func TestChunkUsesABlockOnce(t *testing.T) {
	donors := []Donor{{"a", []uint32{1, 2, 5, 6, 1, 2}}, {"b", []uint32{1, 2}}}
	recipient := []uint32{1, 2, 1, 2, 1, 2, 1, 2, 5, 6}
	c := Chunk{Size: 2}
	want := []Action{{Copy, 0, 2, 0, "a"}, {Copy, 2, 2, 4, "a"}, {Copy, 4, 2, 0, "b"}, {Copy, 8, 2, 2, "a"}}
	if got := c.Plan(nil, recipient, donors); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	c.Gated = true
	if got := c.Plan(nil, recipient, donors); !slices.Equal(got, want[:3]) {
		t.Errorf("gated: %v, want %v", got, want[:3])
	}
	// The exact baseline counts all of them: a block serves any number.
	var x Index
	x.Build(2, donors)
	if exact, prefix := x.Hits(recipient); exact != 5 || prefix != 1 {
		t.Errorf("exact %d and prefix %d, want 5 and 1", exact, prefix)
	}
}

func TestCover(t *testing.T) {
	recipient := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	d := Donor{"d", []uint32{0, 1, 2, 3, 4, 5, 6, 7}}
	e := Donor{"e", []uint32{4, 5, 6, 7}}
	one, two := []Donor{d}, []Donor{d, e}
	for _, c := range []struct {
		name    string
		donors  []Donor
		actions []Action
		want    Coverage
	}{
		{"nothing", two, nil, Coverage{}},
		{"whole blocks", two, []Action{{Copy, 0, 8, 0, "d"}}, Coverage{Candidate: 2, Eligible: 2, Copied: 8, Donors: 1}},
		{"a partial block counts nowhere", one, []Action{{Copy, 8, 2, 0, "d"}}, Coverage{Copied: 2, Donors: 1, Differing: 1}},
		{"a block but one token", two, []Action{{Copy, 0, 7, 0, "d"}}, Coverage{Candidate: 1, Eligible: 1, Copied: 7, Donors: 1}},
		{"two donors in a block", two, []Action{{Copy, 0, 6, 0, "d"}, {Copy, 6, 2, 2, "e"}}, Coverage{Candidate: 2, Eligible: 1, Copied: 8, Donors: 2}},
		{"a jump in the donor", two, []Action{{Copy, 0, 2, 0, "d"}, {Copy, 2, 2, 3, "d"}}, Coverage{Candidate: 1, Copied: 4, Donors: 1, Differing: 1}},
		{"two actions that follow", two, []Action{{Copy, 0, 2, 3, "d"}, {Copy, 2, 2, 5, "d"}}, Coverage{Candidate: 1, Eligible: 1, Copied: 4, Donors: 1, Differing: 2}},
		{"off the donor's grid", two, []Action{{Copy, 4, 4, 1, "d"}}, Coverage{Candidate: 1, Eligible: 1, Copied: 4, Donors: 1, Differing: 1}},
		{"the last wins", two, []Action{{Copy, 0, 4, 0, "d"}, {Copy, 2, 1, 0, "e"}}, Coverage{Candidate: 1, Copied: 4, Donors: 2, Differing: 1, Overlapping: 1}},
		{"the last wins, recompute too", two, []Action{{Copy, 0, 4, 0, "d"}, {Recompute, 3, 1, NoStart, ""}}, Coverage{Copied: 3, Donors: 1, Overlapping: 1}},
		{"recompute outside is harmless", two, []Action{{Recompute, 8, 100, NoStart, ""}, {Recompute, -5, 2, NoStart, ""}, {Recompute, 1 << 62, 1 << 62, NoStart, ""}}, Coverage{}},
		{"the only donor needs no name", one, []Action{{Copy, 0, 4, 0, ""}}, Coverage{Candidate: 1, Eligible: 1, Copied: 4, Donors: 1}},
		{"unknown operation", two, []Action{{"copy", 0, 4, 0, "d"}, {"", 0, 4, 0, "d"}}, Coverage{Invalid: []record.Reason{{Reason: UnknownOp, N: 2}}}},
		{"no length", two, []Action{{Copy, 0, 0, 0, "d"}, {Copy, 0, -4, 0, "d"}}, Coverage{Invalid: []record.Reason{{Reason: BadLength, N: 2}}}},
		{"target outside", two, []Action{{Copy, 7, 4, 0, "d"}, {Copy, -1, 4, 0, "d"}, {Copy, 10, 1, 0, "d"}, {Copy, 1, 1<<63 - 1, 0, "d"}}, Coverage{Invalid: []record.Reason{{Reason: OutsideTarget, N: 4}}}},
		{"target at the end", two, []Action{{Copy, 6, 4, 0, "d"}}, Coverage{Copied: 4, Donors: 1, Differing: 1}},
		{"unknown donor", two, []Action{{Copy, 0, 4, 0, "x"}}, Coverage{Invalid: []record.Reason{{Reason: UnknownDonor, N: 1}}}},
		{"donor outside", two, []Action{{Copy, 0, 4, 5, "d"}, {Copy, 0, 4, -2, "d"}, {Copy, 0, 4, 8, "d"}, {Copy, 0, 5, 0, "e"}}, Coverage{Invalid: []record.Reason{{Reason: OutsideDonor, N: 4}}}},
		{"donor at the end", two, []Action{{Copy, 0, 4, 4, "d"}}, Coverage{Candidate: 1, Eligible: 1, Copied: 4, Donors: 1, Differing: 1}},
		{"no start is candidate and not eligible", two, []Action{{Copy, 0, 4, NoStart, "d"}}, Coverage{Candidate: 1, Copied: 4, Invalid: []record.Reason{{Reason: MissingStart, N: 1}}}},
		{"no name among two", two, []Action{{Copy, 0, 4, 0, ""}}, Coverage{Candidate: 1, Copied: 4, Invalid: []record.Reason{{Reason: MissingDonor, N: 1}}}},
		{"half named", two, []Action{{Copy, 0, 2, 0, "d"}, {Copy, 2, 2, 2, ""}}, Coverage{Candidate: 1, Copied: 4, Donors: 1, Invalid: []record.Reason{{Reason: MissingDonor, N: 1}}}},
		{"no donor at all", nil, []Action{{Copy, 0, 4, 0, ""}, {Copy, 0, 4, 0, "d"}}, Coverage{Candidate: 1, Copied: 4, Invalid: []record.Reason{{Reason: UnknownDonor, N: 1}, {Reason: MissingDonor, N: 1}}}},
		{"two donors of one name", []Donor{d, {"d", e.Tokens}}, []Action{{Copy, 0, 4, 0, "d"}}, Coverage{Candidate: 1, Copied: 4, Invalid: []record.Reason{{Reason: AmbiguousDonor, N: 1}}}},
		{"an invalid action undoes nothing", two, []Action{{Copy, 0, 4, 0, "d"}, {Copy, 0, 4, 0, "x"}}, Coverage{Candidate: 1, Eligible: 1, Copied: 4, Donors: 1, Invalid: []record.Reason{{Reason: UnknownDonor, N: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cover Cover
			got := cover.Measure(4, recipient, c.donors, c.actions)
			if a, b := marshal(t, got), marshal(t, c.want); a != b {
				t.Errorf("got  %s\nwant %s", a, b)
			}
		})
	}
}

// TestCoverOfSingleTokens has blocks of one token, in which nothing can jump.
func TestCoverOfSingleTokens(t *testing.T) {
	donors := []Donor{{"d", []uint32{7, 8}}, {"e", []uint32{9}}}
	var cover Cover
	got := cover.Measure(1, []uint32{7, 8, 9}, donors, []Action{{Copy, 0, 1, NoStart, "d"}, {Copy, 1, 1, 1, ""}, {Copy, 2, 1, 0, "e"}})
	want := Coverage{Candidate: 3, Eligible: 1, Copied: 3, Donors: 1, Invalid: []record.Reason{{Reason: MissingStart, N: 1}, {Reason: MissingDonor, N: 1}}}
	if a, b := marshal(t, got), marshal(t, want); a != b {
		t.Errorf("got  %s\nwant %s", a, b)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestHash(t *testing.T) {
	if Hash(nil) != "" {
		t.Errorf("hash of nothing: %q", Hash(nil))
	}
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		ChunkHash []struct {
			IDs  []uint32
			Hash string
		} `json:"chunk_hash"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.ChunkHash) == 0 {
		t.Fatal("no vectors")
	}
	for _, c := range v.ChunkHash {
		if got := Hash(c.IDs); got != c.Hash {
			t.Errorf("%d: %s, want %s", c.IDs, got, c.Hash)
		}
	}
}

func TestNewPlanner(t *testing.T) {
	for _, c := range []struct {
		p    plan.ReusePlanner
		size int
		want string // of the error
	}{
		{plan.ReusePlanner{Name: "span"}, 16, ""},
		{plan.ReusePlanner{Name: "chunk", Gated: true}, 1, ""},
		{plan.ReusePlanner{Name: "Span"}, 16, `there is no planner "Span"; write span or chunk`},
		{plan.ReusePlanner{Name: "span", MinRun: -1}, 16, "a run of -1 tokens is none; min_run is at least 1"},
		{plan.ReusePlanner{Name: "chunk"}, 0, "a block of 0 tokens is none; block_size is at least 1"},
	} {
		p, err := NewPlanner(c.p, c.size)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.p, err, c.want)
		}
		if s, ok := p.(*Span); ok && s.MinRun != 16 {
			t.Errorf("the shortest run is %d tokens, want the block size", s.MinRun)
		}
	}
}

// FuzzPlanners cuts bytes into a size, a recipient and donors of an alphabet of
// four, and holds the planners against their definitions.
func FuzzPlanners(f *testing.F) {
	f.Add(uint8(2), []byte("aabbaabb"), []byte("abab|bbaa"))
	f.Add(uint8(1), []byte("abcabcabc"), []byte("abcabc"))
	f.Add(uint8(5), []byte("dddddddddddddd"), []byte("ddddddd|dddddddddd|"))
	letters := func(b []byte) (ts []uint32) {
		for _, c := range b[:min(len(b), 300)] {
			ts = append(ts, uint32(c%4))
		}
		return ts
	}
	f.Fuzz(func(t *testing.T, n uint8, to, from []byte) {
		size := 1 + int(n)%64
		recipient := letters(to)
		var donors []Donor
		for i, part := range bytes.SplitN(from, []byte("|"), 4) {
			donors = append(donors, Donor{string(rune('a' + i)), letters(part)})
		}
		for _, c := range []struct {
			planner Planner
			want    []Action
		}{
			{&Span{MinRun: size}, naiveSpan(size, recipient, donors)},
			{&Span{MinRun: size, always: true}, naiveSpan(size, recipient, donors)},
			{&Chunk{Size: size}, naiveChunk(size, false, recipient, donors)},
			{&Chunk{Size: size, Gated: true}, naiveChunk(size, true, recipient, donors)},
		} {
			if got := c.planner.Plan(nil, recipient, donors); !slices.Equal(got, c.want) {
				t.Errorf("%T, %d: %v of %v: %v, want %v", c.planner, size, recipient, donors, got, c.want)
			}
		}
		var x Index
		x.Build(size, donors)
		exact, prefix := naiveHits(size, recipient, donors)
		if e, p := x.Hits(recipient); e != exact || p != prefix {
			t.Errorf("%d: %v of %v: exact %d and prefix %d, want %d and %d", size, recipient, donors, e, p, exact, prefix)
		}
	})
}
