package virtual

import "github.com/fdbench/fdbench/runtime/detector"

// counter counts requests at their start, window by window.
type counter struct {
	width, end int64 // the open window; end is Never while nothing is counted
	n          int64
	done       []int64
}

func (c *counter) start(now, width int64) {
	c.width, c.end, c.n, c.done = width, detector.Never, 0, c.done[:0]
	if width > 0 {
		c.end = now + width
	}
}

// roll closes every window that has ended at instant at. A request on a
// boundary belongs to the window that it begins.
func (c *counter) roll(at int64) {
	for at >= c.end {
		c.done = append(c.done, c.n)
		c.n = 0
		c.end += c.width
	}
}

// windows are those that are complete at instant now.
func (c *counter) windows(now int64) []int64 {
	if c.end != detector.Never {
		c.roll(now)
	}
	return c.done
}
