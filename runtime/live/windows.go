package live

import "github.com/fdbench/fdbench/runtime/world"

// watcher sums scores over non-overlapping windows, each indicator over windows
// of its own width and each point by the responses that passed it: one on a
// boundary belongs to the window that it ends.
type watcher struct {
	on     bool
	series []watched
}

type watched struct {
	width int64
	point [2]struct {
		end  int64
		open world.Window
		done []world.Window
	}
}

func (w *watcher) start(now int64, widths []int64) {
	w.on = len(widths) > 0
	w.series = make([]watched, len(widths))
	for i, width := range widths {
		s := &w.series[i]
		s.width = width
		for p := range s.point {
			s.point[p].end = now + width
		}
	}
}

// add counts a response that passed a point at an instant.
func (w *watcher) add(at int64, point int, scores []int32) {
	if !w.on {
		return
	}
	for i := range w.series {
		w.series[i].roll(at, point)
		o := &w.series[i].point[point].open
		o.Sum += int64(scores[i])
		o.N++
	}
}

// roll closes every window that ended before at.
func (s *watched) roll(at int64, point int) {
	p := &s.point[point]
	for at > p.end {
		p.done = append(p.done, p.open)
		p.open = world.Window{}
		p.end += s.width
	}
}

// windows are the complete ones at instant now.
func (w *watcher) windows(now int64, point, indicator int) []world.Window {
	if !w.on {
		return nil
	}
	s := &w.series[indicator]
	if now >= s.point[point].end {
		s.roll(now+1, point)
	}
	return s.point[point].done
}

// counter counts requests at their start, or answers at their end, window by
// window: one on a boundary belongs to the window that it begins.
type counter struct {
	width, end int64
	on         bool
	n          int64
	done       []int64
}

func (c *counter) start(now, width int64) {
	*c = counter{on: width > 0, width: width, end: now + width, done: c.done[:0]}
}

func (c *counter) add(at int64) {
	if c.on {
		c.roll(at)
		c.n++
	}
}

func (c *counter) roll(at int64) {
	for at >= c.end {
		c.done = append(c.done, c.n)
		c.n = 0
		c.end += c.width
	}
}

func (c *counter) windows(now int64) []int64 {
	if c.on {
		c.roll(now)
	}
	return c.done
}
