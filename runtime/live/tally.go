package live

import (
	"slices"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// tally counts how the traffic of a trial or of an observation went. It holds
// one number for each request, so it counts only while somebody wants to know.
type tally struct {
	on        bool
	late      []int64
	outcomes  map[openai.Outcome]int64
	unmatched int64
	dropped   int64
}

func (t *tally) begin(on bool) {
	t.on, t.late, t.unmatched, t.dropped = on, t.late[:0], 0, 0
	t.outcomes = map[openai.Outcome]int64{}
}

// sent notes by how much a request was late.
func (t *tally) sent(late int64) {
	if t.on {
		t.late = append(t.late, late)
	}
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
