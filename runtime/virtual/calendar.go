package virtual

import "math/bits"

// response is a request that was started and whose response is on its way.
type response struct {
	at    int64 // completion
	row   int32
	flags uint32
}

// Flags of a response.
const (
	flagFaulted  = 1 << iota // changed at the injection point
	flagMasked               // and restored by a guardrail before the observation point
	flagVerified             // started in the verification window
)

// calendar is a priority queue of responses for a bounded horizon: a ring of
// buckets, each as wide as about one request's spacing and kept in order of
// completion. Pushing and popping cost the same at any load.
type calendar struct {
	shift   uint
	mask    int64
	buckets [][]response
	slot    int64 // number of the bucket that holds the head, at >> shift
	pos     int   // first response of that bucket not popped
	size    int
}

// newCalendar makes a queue for responses that complete at most horizon
// nanoseconds after the head of the queue, spaced about spacing apart.
func newCalendar(spacing, horizon int64) *calendar {
	shift := uint(bits.Len64(uint64(max(spacing, 1))))
	slots := horizon>>shift + 2
	for slots > 1<<16 {
		shift++
		slots = horizon>>shift + 2
	}
	n := int64(1) << bits.Len64(uint64(slots))
	c := &calendar{shift: shift, mask: n - 1, buckets: make([][]response, n)}
	slab := make([]response, 4*n)
	for i := range c.buckets {
		c.buckets[i] = slab[4*i : 4*i : 4*i+4]
	}
	return c
}

// push adds a response that does not complete before the last one popped.
func (c *calendar) push(r response) {
	slot := r.at >> c.shift
	if c.size == 0 {
		b := &c.buckets[c.slot&c.mask]
		*b = (*b)[:0]
		c.slot, c.pos = slot, 0
	} else if slot < c.slot {
		c.retreat(slot)
	}
	i := slot & c.mask
	b := append(c.buckets[i], r)
	first := 0
	if slot == c.slot {
		first = c.pos
	}
	for k := len(b) - 1; k > first && b[k-1].at > b[k].at; k-- {
		b[k-1], b[k] = b[k], b[k-1]
	}
	c.buckets[i] = b
	c.size++
}

// retreat moves the head back to an earlier bucket: nothing was popped from
// the present one since it became the head, or what was popped is dropped.
func (c *calendar) retreat(slot int64) {
	if c.pos > 0 {
		i := c.slot & c.mask
		n := copy(c.buckets[i], c.buckets[i][c.pos:])
		c.buckets[i] = c.buckets[i][:n]
	}
	c.slot, c.pos = slot, 0
}

// head is the completion of the earliest response. The queue is not empty.
func (c *calendar) head() int64 { return c.buckets[c.slot&c.mask][c.pos].at }

// pop removes the earliest response. The queue is not empty.
func (c *calendar) pop() response {
	b := &c.buckets[c.slot&c.mask]
	r := (*b)[c.pos]
	c.pos++
	c.size--
	if c.pos == len(*b) {
		*b = (*b)[:0]
		c.pos = 0
		if c.size > 0 {
			for c.slot++; len(c.buckets[c.slot&c.mask]) == 0; c.slot++ {
			}
		}
	}
	return r
}
