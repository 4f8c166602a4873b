package tap

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// budget bounds the bytes of all copies.
type budget struct {
	max  int64
	used atomic.Int64
}

// take tells whether there is room for n more bytes, and takes it.
func (b *budget) take(n int) bool {
	if b.used.Add(int64(n)) > b.max {
		b.used.Add(-int64(n))
		return false
	}
	return true
}

func (b *budget) give(n int) { b.used.Add(-int64(n)) }

// capture copies a body while it passes.
type capture struct {
	io.ReadCloser
	budget *budget
	now    func() time.Time // nil where instants are not asked for

	// A transport may read a request's body after the handler has returned.
	mu     sync.Mutex
	sealed bool
	copied
}

// copied is what was seen of a body. Its room is the holder's to give back.
type copied struct {
	data  []byte
	lost  bool  // there was no room for all of it
	end   error // io.EOF once all of it has passed, nil where reading stopped before
	reads []passed
}

// passed says how much of a body had arrived when.
type passed struct {
	size int
	at   time.Time
}

func (c *capture) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed {
		return n, err
	}
	if n > 0 && !c.lost {
		c.keep(p[:n])
	}
	if err != nil {
		c.end = err
	}
	return n, err
}

func (c *capture) keep(p []byte) {
	if len(c.data)+len(p) > maxResponse || !c.budget.take(len(p)) {
		c.lost = true
		c.budget.give(len(c.data))
		c.data, c.reads = nil, nil
		return
	}
	c.data = append(c.data, p...)
	if c.now != nil {
		c.reads = append(c.reads, passed{len(c.data), c.now()})
	}
}

// seal ends the copying and hands over what there is.
func (c *capture) seal() copied {
	if c == nil {
		return copied{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealed = true
	out := c.copied
	c.copied = copied{}
	return out
}

// instant is when the first size bytes had arrived.
func (c *copied) instant(size int) (at time.Time, ok bool) {
	for _, r := range c.reads {
		if r.size >= size {
			return r.at, true
		}
	}
	return time.Time{}, false
}
