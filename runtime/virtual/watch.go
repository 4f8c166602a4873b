package virtual

import "github.com/fdbench/fdbench/runtime/world"

// watcher sums scores over non-overlapping windows at both points, each
// indicator over windows of its own width.
type watcher struct {
	on     bool
	series []watched
}

type watched struct {
	width, end int64
	open       [2]world.Window // by point
	done       [2][]world.Window
}

func (w *watcher) start(now int64, widths []int64) {
	w.on = len(widths) > 0
	if len(w.series) < len(widths) {
		w.series = make([]watched, len(widths))
	}
	for i, width := range widths {
		s := &w.series[i]
		s.width, s.end = width, now+width
		for p := range s.done {
			s.open[p], s.done[p] = world.Window{}, s.done[p][:0]
		}
	}
}

// add counts a response that completed at instant at; bit i of sampled says
// whether the detector's sampling of indicator i took it. A response on a
// boundary belongs to the window that it ends.
func (w *watcher) add(at int64, injected, observed []int32, sampled uint64) {
	for i := range w.series {
		s := &w.series[i]
		if at > s.end {
			s.roll(at)
		}
		in := &s.open[world.Injection]
		in.Sum += int64(injected[i])
		in.N++
		if sampled&(1<<i) != 0 {
			out := &s.open[world.Observation]
			out.Sum += int64(observed[i])
			out.N++
		}
	}
}

// roll closes every window that ended before at.
func (s *watched) roll(at int64) {
	for at > s.end {
		for p := range s.open {
			s.done[p] = append(s.done[p], s.open[p])
			s.open[p] = world.Window{}
		}
		s.end += s.width
	}
}

// windows are the complete windows at instant now.
func (w *watcher) windows(now int64, point, indicator int) []world.Window {
	s := &w.series[indicator]
	if w.on && now >= s.end {
		s.roll(now + 1)
	}
	return s.done[point]
}
