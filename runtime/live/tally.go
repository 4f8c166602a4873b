package live

import (
	"slices"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// tally counts how the traffic of a trial went.
type tally struct {
	late      []int64
	outcomes  map[openai.Outcome]int64
	unmatched int64
	dropped   int64
}

func (t *tally) begin() {
	t.late, t.unmatched, t.dropped = t.late[:0], 0, 0
	t.outcomes = map[openai.Outcome]int64{}
}

func (t *tally) traffic() world.Traffic {
	slices.Sort(t.late)
	n := len(t.late)
	w := world.Traffic{Sent: int64(n), Dropped: t.dropped, Unmatched: t.unmatched}
	if n > 0 {
		w.LateP50, w.LateP99, w.Late = t.late[(n-1)/2], t.late[(99*n+99)/100-1], t.late[n-1]
	}
	for _, o := range outcomes() {
		if k := t.outcomes[o]; k > 0 {
			w.Outcomes = append(w.Outcomes, world.Outcome{Name: string(o), N: k})
		}
	}
	return w
}
