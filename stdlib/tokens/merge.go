package tokens

import (
	"math"
	"slices"
	"sync"
)

// merger is the scratch space for merging one piece at a time.
type merger struct {
	next, prev []int32  // starts of the parts beside the one that starts here
	id         []uint32 // of the part that starts here
	pair       []uint32 // id of that part with the next one; noPair for none
	heap       []uint64 // pairs as id<<32 | start, the least first; some are stale
}

const noPair = math.MaxUint32

// keepMerger is the length of a piece, in bytes, up to which the space for it
// is kept.
const keepMerger = 1 << 20

var mergers = sync.Pool{New: func() any { return new(merger) }}

// merge appends the ids of a piece. Again and again the pair of neighbours with
// the lowest id becomes one part, the leftmost of several; it takes
// n log n steps.
func (m *merger) merge(dst []uint32, v *vocabulary, piece string) []uint32 {
	n := len(piece)
	m.next, m.prev = slices.Grow(m.next[:0], n)[:n], slices.Grow(m.prev[:0], n)[:n]
	m.id, m.pair = slices.Grow(m.id[:0], n)[:n], slices.Grow(m.pair[:0], n)[:n]
	m.heap = m.heap[:0]
	for i := range n {
		m.next[i], m.prev[i], m.id[i] = int32(i+1), int32(i-1), v.bytes[piece[i]]
	}
	for i := range int32(n) {
		m.look(v, piece, i)
	}
	for len(m.heap) > 0 {
		least := m.pop()
		id, i := uint32(least>>32), int32(uint32(least))
		if m.pair[i] != id {
			continue
		}
		gone := m.next[i]
		after := m.next[gone]
		m.id[i], m.next[i], m.pair[gone] = id, after, noPair
		if int(after) < n {
			m.prev[after] = i
		}
		m.look(v, piece, i)
		if before := m.prev[i]; before >= 0 {
			m.look(v, piece, before)
		}
	}
	for i := int32(0); int(i) < n; i = m.next[i] {
		dst = append(dst, m.id[i])
	}
	if n > keepMerger {
		*m = merger{}
	}
	return dst
}

// look finds out whether the part at i can be merged with the next one.
func (m *merger) look(v *vocabulary, piece string, i int32) {
	m.pair[i] = noPair
	second := m.next[i]
	if int(second) >= len(piece) {
		return
	}
	if id, ok := v.ids[piece[i:m.next[second]]]; ok {
		m.pair[i] = id
		m.push(uint64(id)<<32 | uint64(i))
	}
}

func (m *merger) push(x uint64) {
	m.heap = append(m.heap, x)
	i := len(m.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if m.heap[parent] <= x {
			break
		}
		m.heap[i] = m.heap[parent]
		i = parent
	}
	m.heap[i] = x
}

func (m *merger) pop() uint64 {
	least, n := m.heap[0], len(m.heap)-1
	x := m.heap[n]
	m.heap = m.heap[:n]
	for i := 0; n > 0; {
		child := 2*i + 1
		if child+1 < n && m.heap[child+1] < m.heap[child] {
			child++
		}
		if child >= n || x <= m.heap[child] {
			m.heap[i] = x
			break
		}
		m.heap[i] = m.heap[child]
		i = child
	}
	return least
}
