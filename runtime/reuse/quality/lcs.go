package quality

import "math/bits"

// piece are positions of one word in a text, those of one machine word.
type piece struct {
	at   int
	mask uint64
}

// lcs is the length of the longest common subsequence of a and b. It takes
// len(a)*len(b)/64 steps at worst, and memory for the two texts only: positions
// are kept as lists, not as a table of all words by all positions.
func lcs(a, b []string) int {
	// Outputs of two arms mostly agree, so what they begin and end with alike
	// is taken off first.
	same := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, same = a[1:], b[1:], same+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, same = a[:len(a)-1], b[:len(b)-1], same+1
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) == 0 {
		return same
	}
	ids := make(map[string]int, len(b))
	var where [][]piece
	for i, w := range b {
		id, ok := ids[w]
		if !ok {
			id = len(where)
			ids[w] = id
			where = append(where, nil)
		}
		bit := uint64(1) << (i % 64)
		if list := where[id]; len(list) > 0 && list[len(list)-1].at == i/64 {
			list[len(list)-1].mask |= bit
		} else {
			where[id] = append(list, piece{i / 64, bit})
		}
	}
	// A bit of v is 0 where a prefix of b that ends there has a longer common
	// subsequence than the one that ends before it.
	v := make([]uint64, (len(b)+63)/64)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, w := range a {
		if id, ok := ids[w]; ok {
			step(v, where[id])
		}
	}
	n := same
	for _, x := range v {
		n += bits.OnesCount64(^x)
	}
	return n
}

// step is v = (v + (v & m)) | (v &^ m) over all machine words, where m are the
// pieces. Words without a piece change only by a carry.
func step(v []uint64, pieces []piece) {
	carry, next := uint64(0), 0
	for _, p := range pieces {
		for ; carry != 0 && next < p.at; next++ {
			carry = pass(v, next)
		}
		u := v[p.at] & p.mask
		sum, out := bits.Add64(v[p.at], u, carry)
		v[p.at] = sum | v[p.at]&^u
		carry, next = out, p.at+1
	}
	for ; carry != 0 && next < len(v); next++ {
		carry = pass(v, next)
	}
}

// pass takes a carry into a word without a piece: it fills the lowest gap, or
// goes on.
func pass(v []uint64, i int) uint64 {
	if v[i] == ^uint64(0) {
		return 1
	}
	v[i] |= v[i] + 1
	return 0
}
