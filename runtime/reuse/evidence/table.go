package evidence

import (
	"hash/maphash"
	"math"
)

// entry is what is kept of a request: 40 bytes, and about 8 in the index. An id
// is told from others by 128 bits of its hash. Counters stop at their
// greatest value; totals, and the run's own requests, are counted elsewhere and
// exactly.
type entry struct {
	hash       [2]uint64
	order      uint64 // of the advertisement that counts, in an audit
	amount     uint32 // materialised tokens, or units
	advertised uint32 // tokens
	hits       uint16 // that offer tokens
	seconds    uint16 // told in the engine's second way
	events     uint16 // materialisations
	boundaries uint8
	flags      uint8
}

const (
	flagHit        = 1 << iota // a hit that offers tokens, or does not say how many
	flagDiscovery              // a hit that offers none
	flagOwn                    // one of the run's own
	flagListed                 // listed already
	flagAdvertised             // a load was advertised
	flagBoundary               // its boundary was observed
	flagAligned                // at the start of a span
)

// evident tells whether the log has evidence of the request, and not its name
// alone.
func (x *entry) evident() bool {
	return x.flags&(flagHit|flagDiscovery|flagAdvertised|flagBoundary) != 0 || x.events > 0 || x.boundaries > 0
}

// slab is how many entries are allocated at once. Entries never move, so that
// growing costs no second copy of them.
const slab = 1 << 12

// table finds entries by the hash of an id, with open addressing.
type table struct {
	seeds [2]maphash.Seed
	index []uint32 // 1 more than the place of an entry; 0 where there is none
	slabs []*[slab]entry
	n     int
}

func newTable() table {
	return table{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, index: make([]uint32, 1<<10)}
}

func (t *table) at(i int) *entry { return &t.slabs[i/slab][i%slab] }

func (t *table) hash(id []byte) [2]uint64 {
	return [2]uint64{maphash.Bytes(t.seeds[0], id), maphash.Bytes(t.seeds[1], id)}
}

// find returns the place of an id's entry, or none, and where in the index it
// is or would be.
func (t *table) find(h [2]uint64) (place int, slot int) {
	mask := len(t.index) - 1
	for slot = int(h[0]) & mask; ; slot = (slot + 1) & mask {
		v := t.index[slot]
		if v == 0 {
			return none, slot
		}
		if t.at(int(v-1)).hash == h {
			return int(v - 1), slot
		}
	}
}

// lookup returns the place of an id's entry, or none.
func (t *table) lookup(id []byte) int {
	i, _ := t.find(t.hash(id))
	return i
}

// place returns the place of an id's entry, and makes one where there is none.
func (t *table) place(id []byte) (i int, fresh bool) {
	h := t.hash(id)
	i, slot := t.find(h)
	if i != none {
		return i, false
	}
	if t.n == math.MaxUint32-1 {
		panic("evidence: more requests than a log can name")
	}
	if t.n%slab == 0 {
		t.slabs = append(t.slabs, new([slab]entry))
	}
	i = t.n
	t.n++
	t.at(i).hash = h
	if t.index[slot] = uint32(i + 1); t.n*4 > len(t.index)*3 {
		t.grow()
	}
	return i, true
}

func (t *table) grow() {
	t.index = make([]uint32, 2*len(t.index))
	mask := len(t.index) - 1
	for i := range t.n {
		slot := int(t.at(i).hash[0]) & mask
		for t.index[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.index[slot] = uint32(i + 1)
	}
}

// each visits all entries in the order of their first mention.
func (t *table) each(fn func(*entry)) {
	for i := range t.n {
		fn(t.at(i))
	}
}

func add16(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

func add8(a, b uint8) uint8 { return uint8(min(uint16(a)+uint16(b), math.MaxUint8)) }

func add32(a uint32, b int64) uint32 {
	if b > math.MaxUint32-int64(a) {
		return math.MaxUint32
	}
	return a + uint32(b)
}
