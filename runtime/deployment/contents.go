package deployment

import "math/bits"

// contents knows what stood anywhere in the prompts that it keeps, in runs of
// one block, and forgets the earliest prompts first.
type contents struct {
	size, most int
	held       int // blocks
	kept       []*donor
	runs       map[uint64]run // by the hash of a block's worth of tokens in a row
	beginnings map[uint64]int // how many prompts begin so, in whole blocks
}

// donor is a prompt that is kept.
type donor struct {
	id         string
	blocks     int
	runs       []uint64
	beginnings []uint64
}

// run is a block's worth of tokens in a row.
type run struct {
	n      int    // how often the kept prompts have it
	newest *donor // the last one to bring it, and so the last to go
}

func newContents(size, most int) *contents {
	c := &contents{size: size, most: most}
	c.reset()
	return c
}

func (c *contents) reset() {
	c.held, c.kept = 0, nil
	c.runs, c.beginnings = map[uint64]run{}, map[uint64]int{}
}

func (c *contents) take(id string, tokens []uint64) reused {
	d := &donor{id: id, blocks: len(tokens) / c.size}
	r := reused{blocks: d.blocks, looked: true}
	if d.blocks == 0 {
		return r
	}
	d.hash(tokens, c.size)
	c.find(d, len(tokens), &r)
	r.kept = c.keep(d)
	return r
}

// hash fills in the hashes of a prompt: of each run of a block's size, at
// every offset, and of each beginning in whole blocks.
func (d *donor) hash(tokens []uint64, size int) {
	upTo := make([]uint64, len(tokens)+1) // of the first tokens
	for i, t := range tokens {
		upTo[i+1] = extend(upTo[i], t)
	}
	shift := uint64(1)
	for range size {
		shift = mulmod(shift, base)
	}
	d.runs = make([]uint64, len(tokens)-size+1)
	for i := range d.runs {
		d.runs[i] = submod(upTo[i+size], mulmod(upTo[i], shift))
	}
	for end := size; end <= len(tokens); end += size {
		d.beginnings = append(d.beginnings, upTo[end])
	}
}

// find looks up the blocks of a prompt. The one that holds the last token does
// not count.
func (c *contents) find(d *donor, tokens int, r *reused) {
	whole := d.blocks
	if whole*c.size == tokens {
		whole--
	}
	first := 0
	for first < whole && c.beginnings[d.beginnings[first]] > 0 {
		first++
	}
	r.prefix = first * c.size
	from := map[*donor]int{}
	var best *donor
	for k := first; k < whole; k++ {
		x, ok := c.runs[d.runs[k*c.size]]
		if !ok {
			continue
		}
		begin, end := k*c.size, (k+1)*c.size
		if n := len(r.spans); n > 0 && r.spans[n-1].end == begin {
			r.spans[n-1].end = end
		} else {
			r.spans = append(r.spans, span{begin, end})
		}
		from[x.newest]++
		if best == nil || from[x.newest] > from[best] {
			best = x.newest
		}
	}
	if best != nil {
		r.donor = best.id
	}
}

// keep takes a prompt in, and is false for one that is longer than the whole
// cache.
func (c *contents) keep(d *donor) bool {
	if d.blocks > c.most {
		return false
	}
	for _, h := range d.runs {
		c.runs[h] = run{c.runs[h].n + 1, d}
	}
	for _, h := range d.beginnings {
		c.beginnings[h]++
	}
	c.kept = append(c.kept, d)
	c.held += d.blocks
	for c.held > c.most {
		c.forget(c.kept[0])
		c.kept[0] = nil
		c.kept = c.kept[1:]
	}
	return true
}

func (c *contents) forget(d *donor) {
	for _, h := range d.runs {
		if x := c.runs[h]; x.n > 1 {
			c.runs[h] = run{x.n - 1, x.newest}
		} else {
			delete(c.runs, h)
		}
	}
	for _, h := range d.beginnings {
		if c.beginnings[h]--; c.beginnings[h] == 0 {
			delete(c.beginnings, h)
		}
	}
	c.held -= d.blocks
}

// The hashes are polynomials over the integers modulo a prime (Karp and Rabin,
// Efficient randomized pattern-matching algorithms, 1987): the hash of a run
// follows from those of two beginnings, whatever the size of a block.
const (
	prime = 1<<61 - 1
	base  = 0x0d1b54a32d192ed0 // below prime
)

// extend is the hash of what h is the hash of, with one token more.
func extend(h, token uint64) uint64 {
	// A token of 0 must not vanish at the beginning.
	return (mulmod(h, base) + token%prime + 1) % prime
}

func mulmod(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, prime)
}

func submod(a, b uint64) uint64 { return (a + prime - b) % prime }
