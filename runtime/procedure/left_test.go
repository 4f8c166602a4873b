package procedure

import (
	"encoding/json"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// TestHistoryCountsFaultsThatWereLeft adds up what killed runs left applied, at
// the load at which it acted, so that false detections are observed as long.
func TestHistoryCountsFaultsThatWereLeft(t *testing.T) {
	p := &plan.Plan{}
	p.Declaration.Load.Points = []plan.LoadPoint{{Timeout: 10 * exact.Second}, {Timeout: 20 * exact.Second}}
	p.Declaration.Apparatus.Lease = exact.Second
	zero, one := 0, 1
	h := NewHistory()
	for _, r := range []journal.Resumed{
		{Entries: 3, Load: &zero, Applied: 1, Removed: 1000}, // no fault
		{Trial: "a", Load: &zero, Applied: 10, Removed: 17},
		{Trial: "b", Load: &one, Applied: 10, Removed: 12},
		{Trial: "c", Load: &one}, // no wall clock: the longest application
		{Trial: "d"},             // and no load: it may have been either
	} {
		text, err := json.Marshal(r)
		if err == nil {
			err = h.Add(journal.KindResume, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for load, want := range []int64{7 + 11e9, 2 + 21e9 + 21e9} {
		if got := h.underFault(p, load); got != want {
			t.Errorf("load %d: %d ns, want %d", load, got, want)
		}
	}
}
