package blocks

import (
	"slices"
	"sync"
)

// Index holds the full blocks of one item's donors. It can be built again for
// the next item without an allocation; it is for one goroutine.
type Index struct {
	size   int
	donors []Donor
	slots  []int32    // of entries, by spread; -1 is empty
	items  []entry    // distinct blocks, in the order of their first appearance
	places []location // all blocks, in the order of donors and offsets
}

type entry struct {
	hash        uint64
	first, last int32 // of places
}

// location is where a block starts, and the next place with the same content.
type location struct {
	donor, start int32
	next         int32 // -1: none
}

// Build takes the donors of an item, cut into blocks of size tokens, size at
// least 1. The donors must not change while the index is in use.
func (x *Index) Build(size int, donors []Donor) {
	x.size, x.donors = size, donors
	x.items, x.places = x.items[:0], x.places[:0]
	n := 0
	for _, d := range donors {
		n += len(d.Tokens) / size
	}
	want := 16
	for want < 2*n {
		want *= 2
	}
	x.slots = slices.Grow(x.slots[:0], want)[:want]
	for i := range x.slots {
		x.slots[i] = -1
	}
	for d, donor := range donors {
		for start := 0; start+size <= len(donor.Tokens); start += size {
			x.add(int32(d), int32(start))
		}
	}
}

func (x *Index) block(l location) []uint32 {
	return x.donors[l.donor].Tokens[l.start:][:x.size]
}

func (x *Index) add(donor, start int32) {
	at := location{donor, start, -1}
	block := x.block(at)
	h := spread(block)
	slot := x.slot(h, block)
	p := int32(len(x.places))
	x.places = append(x.places, at)
	if e := x.slots[slot]; e >= 0 {
		x.places[x.items[e].last].next = p
		x.items[e].last = p
		return
	}
	x.slots[slot] = int32(len(x.items))
	x.items = append(x.items, entry{h, p, p})
}

// slot returns the place of a block in slots.
func (x *Index) slot(h uint64, block []uint32) int {
	mask := len(x.slots) - 1
	for i := int(h>>17) & mask; ; i = (i + 1) & mask {
		e := x.slots[i]
		if e < 0 || x.items[e].hash == h && slices.Equal(x.block(x.places[x.items[e].first]), block) {
			return i
		}
	}
}

// find returns the entry of a block, or -1.
func (x *Index) find(block []uint32) int32 {
	return x.slots[x.slot(spread(block), block)]
}

// Distinct is the number of different blocks.
func (x *Index) Distinct() int64 { return int64(len(x.items)) }

// Hits returns how many full blocks of the recipient some donor holds as one
// of its own full blocks (KV-2-1, KV-2-3), and the length, in blocks, of the
// longest beginning of the recipient that one donor begins with: an engine's
// prefix cache can load that and no more. The second is never the larger.
func (x *Index) Hits(recipient []uint32) (exact, prefix int64) {
	for start := 0; start+x.size <= len(recipient); start += x.size {
		if x.find(recipient[start:start+x.size]) >= 0 {
			exact++
		}
	}
	for _, d := range x.donors {
		n := 0
		for n < len(d.Tokens) && n < len(recipient) && d.Tokens[n] == recipient[n] {
			n++
		}
		prefix = max(prefix, int64(n/x.size))
	}
	return exact, prefix
}

// Corpus holds the full blocks of the donors of a whole manifest. It keeps
// between 21 and 43 bytes for each distinct block, and as many for each distinct
// beginning of a donor in blocks. Adding is for one goroutine; asking is safe for
// many once nothing is added any more.
//
// Two blocks are the same if their contract hashes of 128 bits are.
type Corpus struct {
	size    int
	packer  packer // of Add
	blocks  keySet
	leading keySet // chained keys: a block after all those before it
	packers sync.Pool
}

// NewCorpus returns an empty corpus for blocks of size tokens, at least 1.
func NewCorpus(size int) *Corpus {
	return &Corpus{size: size, packers: sync.Pool{New: func() any { return new(packer) }}}
}

// Add takes in the full blocks of a donor.
func (c *Corpus) Add(tokens []uint32) {
	var before *key
	for start := 0; start+c.size <= len(tokens); start += c.size {
		block := tokens[start : start+c.size]
		c.blocks.add(c.packer.key(nil, block))
		k := c.packer.key(before, block)
		c.leading.add(k)
		before = &k
	}
}

// Distinct is the number of different blocks.
func (c *Corpus) Distinct() int64 { return int64(c.blocks.n) }

// Hits is Index.Hits over the donors of all items.
func (c *Corpus) Hits(recipient []uint32) (exact, prefix int64) {
	p := c.packers.Get().(*packer)
	defer c.packers.Put(p)
	var before *key
	leads := true
	for start := 0; start+c.size <= len(recipient); start += c.size {
		block := recipient[start : start+c.size]
		if c.blocks.has(p.key(nil, block)) {
			exact++
		}
		if leads {
			k := p.key(before, block)
			if leads = c.leading.has(k); leads {
				prefix++
			}
			before = &k
		}
	}
	return exact, prefix
}
