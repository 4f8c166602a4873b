package deployment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

// numbers are so many tokens that no other call with another name gives.
func numbers(name string, n int) []uint64 {
	s := random.New("test", name)
	out := make([]uint64, n)
	for i := range out {
		out[i] = s.Uint64()
	}
	return out
}

func join(parts ...[]uint64) []uint64 { return slices.Concat(parts...) }

// Every way in which a recipient comes out of a donor, and what each mode has
// of it. Blocks have 16 tokens.
func TestModes(t *testing.T) {
	const b = 16
	a, c := numbers("a", 10*b), numbers("c", 10*b)
	head, tail := numbers("head", 5), numbers("tail", 7)
	for _, x := range []struct {
		name             string
		donors           [][]uint64
		recipient        []uint64
		prefix           int // in mode prefix
		begin            int // in mode semantic
		fuzzy            int
		donor            string
		segments, blocks int
	}{
		{"nothing before", nil, a, 0, 0, 0, "", 0, 10},
		{"unrelated", [][]uint64{c}, a, 0, 0, 0, "", 0, 10},
		{"the same", [][]uint64{a}, a, 9 * b, 9 * b, 0, "", 0, 10},
		{"the same and more", [][]uint64{a}, join(a, tail), 10 * b, 10 * b, 0, "", 0, 10},
		{"another header", [][]uint64{join(head, a)}, join(tail, a), 0, 0, 9 * b, "0", 1, 10},
		{"a header on the grid", [][]uint64{a}, join(numbers("h", b), a, tail), 0, 0, 10 * b, "0", 1, 11},
		{"segments swapped", [][]uint64{join(a, c)}, join(c, a, tail), 0, 0, 20 * b, "0", 1, 20},
		{"segments swapped off the grid", [][]uint64{join(a, c)}, join(head, c, head, a, tail), 0, 0, 18 * b, "0", 2, 21},
		{"two donors", [][]uint64{a[:6*b], c}, join(numbers("h", b), c, a[:6*b], tail), 0, 0, 16 * b, "1", 1, 17},
		{"a prefix, and more behind a change", [][]uint64{a}, join(a[:4*b], numbers("h", b), a[4*b:], tail), 4 * b, 4 * b, 6 * b, "0", 1, 11},
		{"one token changed in each block", [][]uint64{a}, changed(a, b), 0, 0, 0, "", 0, 10},
		{"less than a block in a row", [][]uint64{a[:b-1]}, join(head, a[:b-1], tail), 0, 0, 0, "", 0, 1},
		{"a block in a row, off the grid of both", [][]uint64{join(head, a[:b], tail)}, join(numbers("h", b), a[:b], tail), 0, 0, b, "0", 1, 2},
		{"shorter than a block", [][]uint64{a}, a[:b-1], 0, 0, 0, "", 0, 0},
		{"exactly a block", [][]uint64{a[:b]}, a[:b], 0, 0, 0, "", 0, 1},
		{"empty", [][]uint64{a}, nil, 0, 0, 0, "", 0, 0},
	} {
		p, s := newPrefixes(b, 1000), newContents(b, 1000)
		for i, d := range x.donors {
			p.take(fmt.Sprint(i), d)
			s.take(fmt.Sprint(i), d)
		}
		if r := p.take("r", x.recipient); r.cached() != x.prefix || r.fuzzy() != 0 || r.blocks != x.blocks || r.looked {
			t.Errorf("%s: prefix has %+v, want %d of %d blocks", x.name, r, x.prefix, x.blocks)
		}
		r := s.take("r", x.recipient)
		if r.prefix != x.begin || r.fuzzy() != x.fuzzy || r.donor != x.donor || len(r.spans) != x.segments || r.blocks != x.blocks {
			t.Errorf("%s: semantic has %+v; want %d and %d in %d from %q", x.name, r, x.begin, x.fuzzy, x.segments, x.donor)
		}
	}
}

func changed(list []uint64, size int) []uint64 {
	out := slices.Clone(list)
	for i := size / 2; i < len(out); i += size {
		out[i]++
	}
	return out
}

// What a semantic cache has is what a plain search finds, for every size of
// block.
func TestContentsAgainstSearch(t *testing.T) {
	s := random.New("test", "search")
	for round := range 300 {
		size := 1 + int(s.Below(7))
		draw := func() []uint64 {
			out := make([]uint64, s.Below(40))
			for i := range out {
				out[i] = s.Below(3) // few different ones: many runs
			}
			return out
		}
		c := newContents(size, 1_000_000)
		var donors [][]uint64
		for i := range int(s.Below(4)) {
			donors = append(donors, draw())
			c.take(fmt.Sprint(i), donors[i])
		}
		recipient := draw()
		want, prefix, whole := 0, 0, true
		for end := size; end < len(recipient); end += size {
			block, begins := recipient[end-size:end], false
			found := slices.ContainsFunc(donors, func(d []uint64) bool {
				begins = begins || len(d) >= end && slices.Equal(d[:end], recipient[:end])
				for i := 0; i+size <= len(d); i++ {
					if slices.Equal(d[i:i+size], block) {
						return true
					}
				}
				return false
			})
			for _, d := range donors {
				begins = begins || len(d) >= end && slices.Equal(d[:end], recipient[:end])
			}
			if whole = whole && begins; whole {
				prefix = end
			} else if found {
				want += size
			}
		}
		if r := c.take("r", recipient); r.fuzzy() != want || r.prefix != prefix {
			t.Fatalf("round %d, blocks of %d, donors %v, recipient %v: %+v; want %d and %d", round, size, donors, recipient, r, prefix, want)
		}
	}
}

// A small cache has what a plain search finds in the prompts that still fit into
// it, the latest ones, and names the one that most of it comes from.
func TestForgettingAgainstSearch(t *testing.T) {
	s := random.New("test", "forgetting")
	for range 100 {
		size, most := 1+int(s.Below(4)), 4+int(s.Below(12))
		c := newContents(size, most)
		var kept [][]uint64
		var names []string
		for i := range 30 {
			prompt := make([]uint64, s.Below(uint64(size*most+size)))
			for k := range prompt {
				prompt[k] = s.Below(4)
			}
			want, prefix, whole := 0, 0, true
			from := map[string]int{}
			for end := size; end < len(prompt); end += size {
				begins, newest := false, ""
				for k, d := range kept {
					begins = begins || len(d) >= end && slices.Equal(d[:end], prompt[:end])
					for at := 0; at+size <= len(d); at++ {
						if slices.Equal(d[at:at+size], prompt[end-size:end]) {
							newest = names[k]
						}
					}
				}
				if whole = whole && begins; whole {
					prefix = end
				} else if newest != "" {
					want += size
					from[newest]++
				}
			}
			r := c.take(fmt.Sprint(i), prompt)
			if r.prefix != prefix || r.fuzzy() != want {
				t.Fatalf("blocks of %d, cache of %d, prompt %d: %+v, want %d and %d", size, most, i, r, prefix, want)
			}
			for name, n := range from {
				if n > from[r.donor] {
					t.Fatalf("prompt %d: most is from %s, and not %q: %v", i, name, r.donor, from)
				}
			}
			blocks := len(prompt) / size
			if r.kept != (blocks > 0 && blocks <= most) {
				t.Fatalf("%d blocks in a cache of %d: %+v", blocks, most, r)
			}
			if r.kept {
				kept, names = append(kept, prompt), append(names, fmt.Sprint(i))
			}
			held := 0
			for _, d := range kept {
				held += len(d) / size
			}
			for ; held > most; kept, names = kept[1:], names[1:] {
				held -= len(kept[0]) / size
			}
		}
	}
}

func TestCachesForget(t *testing.T) {
	a, b, c := numbers("a", 17), numbers("b", 17), numbers("c", 17)
	p, s := newPrefixes(16, 2), newContents(16, 2)
	ask := func(tokens []uint64, prefix, contents int) {
		t.Helper()
		if n := p.take("", tokens).cached(); n != prefix {
			t.Errorf("prefix has %d, want %d", n, prefix)
		}
		if r := s.take("", tokens); r.cached() != contents || !r.kept {
			t.Errorf("contents have %+v, want %d", r, contents)
		}
	}
	ask(a, 0, 0)
	ask(b, 0, 0)
	ask(a, 16, 16) // contents now keep b and a
	ask(c, 0, 0)   // prefix forgets b, which was used longest ago, contents the earliest: b
	ask(a, 16, 16)
	ask(b, 0, 0)
	// A prompt of more blocks than the cache has is not kept, and drives nothing out.
	if r := s.take("", numbers("long", 3*16)); r.kept {
		t.Errorf("%+v", r)
	}
	ask(b, 16, 16)
	s.reset()
	p.reset()
	if ask(b, 0, 0); s.held != 1 || len(s.runs) != 2 || len(s.beginnings) != 1 || len(p.used) != 1 || p.order.Len() != 1 {
		t.Errorf("after a reset %+v, %+v", s, p)
	}
	// Of a long prompt the later blocks go first.
	p = newPrefixes(16, 3)
	long := numbers("long", 5*16)
	p.take("", long)
	if n := p.take("", long).cached(); n != 3*16 {
		t.Errorf("of 5 blocks with room for 3, %d tokens are kept", n)
	}
	// What was forgotten leaves nothing behind.
	s = newContents(16, 4)
	for i := range 100 {
		s.take("", numbers(fmt.Sprint(i%7), 16*(1+i%3)+3))
	}
	held, runs := 0, 0
	for _, d := range s.kept {
		held += d.blocks
		runs += len(d.runs)
	}
	if held != s.held || held > 4 || len(s.runs) > runs {
		t.Errorf("%d blocks held, %d of the kept prompts, %d runs of %d", s.held, held, len(s.runs), runs)
	}
}

// A leak strikes whom it says, only where another prompt is in the cache, and
// only prompts that are unrelated to it.
func TestLeakAndMiss(t *testing.T) {
	text := func(name string, words int) string {
		var b strings.Builder
		for i := range words {
			fmt.Fprintf(&b, "%s%d ", name, i)
		}
		return strings.TrimSpace(b.String())
	}
	for _, mode := range []Mode{Prefix, Semantic} {
		struckBy := map[bool]int{}
		for i := range 200 {
			f := Faults{Leak: 0.25}
			p := text(fmt.Sprintf("p%d_", i), 100)
			c := newCache("1", Reuse{Mode: mode, Keep: 1000})
			alone := &job{id: "a", prompt: p, faults: f}
			if _, r, to := c.take(alone); r.leaked || r.cached() != 0 || to != p {
				t.Fatalf("a leak without another prompt: %+v", r)
			}
			c.reset()
			c.take(&job{id: "d", prompt: text("donor", 100)})
			tokens, r, to := c.take(alone)
			struckBy[r.leaked]++
			if r.leaked != f.Leaks("1", p) || r.leaked != (r.cached() == 5*16) || r.leaked != (to != p) || r.leaked != (r.donor == "d") || tokens != 100 {
				t.Fatalf("%v: %+v, answer to %.20q", f.Leaks("1", p), r, to)
			}
			// Now it is related to what is there.
			if _, r, to := c.take(alone); r.leaked || to != p || r.cached() != 96 {
				t.Fatalf("a leak of what the cache has: %+v", r)
			}
		}
		if k := struckBy[true]; k < 30 || k > 70 {
			t.Errorf("a quarter of 200 is %d", k)
		}
		missed := 0
		for i := range 200 {
			f := Faults{Miss: 0.25}
			p := text(fmt.Sprintf("p%d_", i), 100)
			c := newCache("1", Reuse{Mode: mode, Keep: 1000})
			if _, r, _ := c.take(&job{prompt: p, faults: f}); r.missed {
				t.Fatalf("a miss where nothing was: %+v", r)
			}
			_, r, _ := c.take(&job{prompt: p, faults: f})
			if r.missed != f.Misses("1", p) || r.missed != (r.cached() == 0) || r.hadPrefix != 96 {
				t.Fatalf("%+v", r)
			}
			if r.missed {
				missed++
			}
		}
		if missed < 30 || missed > 70 {
			t.Errorf("a quarter of 200 is %d", missed)
		}
	}
	// A prompt that leaks is not missed too: it is as fast as it is wrong.
	c := newCache("1", Reuse{Keep: 1000})
	c.take(&job{id: "d", prompt: text("donor", 100)})
	if _, r, to := c.take(&job{id: "a", prompt: text("p", 100), faults: Faults{Leak: 1, Miss: 1}}); !r.leaked || r.missed || r.cached() != 5*16 || to != text("donor", 100) {
		t.Errorf("a leak and a miss: %+v", r)
	}
	f := Faults{Leak: 1, Miss: 0}
	if !f.Leaks("1", "") || f.Misses("1", "") {
		t.Error("the whole share is not everybody, or none is somebody")
	}
}

func TestChecks(t *testing.T) {
	for _, r := range []Reuse{{Mode: "fuzzy"}, {BlockSize: -1}, {Keep: -1}} {
		if r.Check() == nil {
			t.Errorf("%+v is taken", r)
		}
	}
	for _, f := range []Faults{{Leak: 1.1}, {Leak: -1}, {Miss: 2}, {Miss: nan()}} {
		if f.Check() == nil {
			t.Errorf("%+v is taken", f)
		}
	}
	if err := (Reuse{Mode: Semantic, BlockSize: 1, Keep: 3}).Check(); err != nil {
		t.Error(err)
	}
	if err := (Faults{Leak: 1, Sticky: true}).Check(); err != nil {
		t.Error(err)
	}
	if _, err := ParseFlavour("tgi"); err == nil {
		t.Error("tgi is taken")
	}
}

func nan() float64 { var zero float64; return zero / zero }

func BenchmarkContents(b *testing.B) {
	prompts := make([][]uint64, 64)
	for i := range prompts {
		prompts[i] = numbers(fmt.Sprint(i), 8192)
	}
	c := newContents(16, 32*512)
	b.SetBytes(8192)
	for i := 0; b.Loop(); i++ {
		c.take("", prompts[i%len(prompts)])
	}
}

func BenchmarkPrefixes(b *testing.B) {
	prompts := make([][]uint64, 64)
	for i := range prompts {
		prompts[i] = numbers(fmt.Sprint(i), 8192)
	}
	c := newPrefixes(16, 32*512)
	b.SetBytes(8192)
	for i := 0; b.Loop(); i++ {
		c.take("", prompts[i%len(prompts)])
	}
}
