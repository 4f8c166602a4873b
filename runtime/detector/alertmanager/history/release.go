package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// Release is a release of Alertmanager that the model is held against.
type Release struct {
	Maintenance exact.Duration // as [alertmanager.Config] has it
	Reasons     bool           // it tells why it notifies
	// Original runs a history through it and returns the lines of its
	// notifications in order.
	Original func(*testing.T, History) []string
}

// Test holds the model against the release over many random histories, and over
// fewer in a short test.
func (r Release) Test(t *testing.T) {
	n, told := uint64(300), 0
	if testing.Short() {
		n = 40
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { told += r.compare(t, seed) })
	}
	t.Logf("%d histories, %d alerts in notifications", n, told)
	if told < int(n) {
		t.Error("the histories cause too few notifications to show anything")
	}
}

// Fuzz holds the model against the release over the histories that fuzzing
// finds.
func (r Release) Fuzz(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { r.compare(t, seed) })
}

func (r Release) compare(t *testing.T, seed uint64) int {
	h := Random(seed, r.Maintenance)
	want := r.Original(t, h)
	got, _ := h.Run(r.Reasons)
	if !slices.Equal(want, got) {
		t.Errorf("config %+v", h.Config)
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("- %s", w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("+ %s", g)
			}
		}
	}
	return len(got)
}
