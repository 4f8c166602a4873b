package window

import (
	"maps"
	"slices"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Change is a counter in two readings.
type Change struct {
	Name   string   `json:"name"`
	Before *float64 `json:"before"` // null: absent
	After  *float64 `json:"after"`
	// Delta is what was counted between them, null where a reading lacks the
	// counter. It is negative where the counter was reset: what was counted is
	// not known then.
	Delta *float64 `json:"delta"`
	Reset bool     `json:"counter_reset_detected"`
}

// Delta sets two readings of the same engine side by side, by name. The
// readings may be in any order; of counters of one name the last one counts.
func Delta(before, after []record.Counter) []Change {
	by := map[string]*Change{}
	at := func(name string) *Change {
		if by[name] == nil {
			by[name] = &Change{Name: name}
		}
		return by[name]
	}
	for _, c := range before {
		at(c.Name).Before = &c.Value
	}
	for _, c := range after {
		at(c.Name).After = &c.Value
	}
	out := make([]Change, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		c := by[name]
		if c.Before != nil && c.After != nil {
			d := *c.After - *c.Before
			c.Delta, c.Reset = &d, d < 0
		}
		out = append(out, *c)
	}
	return out
}
