package history

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// A history is of use only if its instants are in order and the model has
// something to say about it.
func TestRandom(t *testing.T) {
	told := 0
	for seed := range uint64(50) {
		h := Random(seed, 30*exact.Second)
		if err := h.Config.Validate(); err != nil {
			t.Fatal(err)
		}
		last := int64(0)
		for i, e := range h.Events {
			if e.At <= last || e.At > h.End {
				t.Fatalf("seed %d: event %d at %d follows %d", seed, i, e.At, last)
			}
			last = e.At
		}
		lines, groups := h.Run(true)
		if len(groups) != len(h.Events) {
			t.Fatalf("seed %d: %d counts for %d events", seed, len(groups), len(h.Events))
		}
		if len(lines) > 0 {
			told++
		}
	}
	if told < 45 {
		t.Errorf("only %d of 50 histories cause a notification", told)
	}
}
