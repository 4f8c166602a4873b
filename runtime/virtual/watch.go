package virtual

import "github.com/fdbench/fdbench/runtime/world"

// watcher sums scores over non-overlapping windows at both points.
type watcher struct {
	width  int64
	end    int64 // of the open window
	stride int
	n      int64
	sums   []int64 // open window: injection, then observation
	done   [][]world.Window
}

func (w *watcher) start(now, width int64, stride int) {
	w.width, w.end, w.stride, w.n = width, now+width, stride, 0
	if len(w.done) != 2*stride {
		w.done = make([][]world.Window, 2*stride)
		w.sums = make([]int64, 2*stride)
	}
	for i := range w.done {
		w.done[i] = w.done[i][:0]
		w.sums[i] = 0
	}
}

// add counts a response that completed at instant at. A response on a
// boundary belongs to the window that it ends.
func (w *watcher) add(at int64, injected, observed []int32) {
	if at > w.end {
		w.roll(at)
	}
	w.n++
	sums := w.sums
	for i, v := range injected {
		sums[i] += int64(v)
	}
	sums = sums[len(injected):]
	for i, v := range observed {
		sums[i] += int64(v)
	}
}

// roll closes every window that ended before at.
func (w *watcher) roll(at int64) {
	for at > w.end {
		for i, s := range w.sums {
			w.done[i] = append(w.done[i], world.Window{Sum: s, N: w.n})
			w.sums[i] = 0
		}
		w.n = 0
		w.end += w.width
	}
}

// windows are the complete windows at instant now.
func (w *watcher) windows(now int64, point, indicator int) []world.Window {
	if w.width > 0 && now >= w.end {
		w.roll(now + 1)
	}
	return w.done[point*w.stride+indicator]
}
