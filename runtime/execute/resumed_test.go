package execute

import (
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/journal"
)

// TestResumed: the fault of what was cut is on record with the time for which
// it acted, whether its trial had come to its end or not.
func TestResumed(t *testing.T) {
	now := time.Unix(0, 1000)
	segment := &journal.Segment{Name: "load 1, trials", Load: 1}
	apply := journal.ApplyRecord{Trial: "x", Class: "refusal", Wall: 900}
	for _, c := range []struct {
		name  string
		info  journal.ResumeInfo
		under int64
		load  bool
	}{
		{"no fault", journal.ResumeInfo{CutEntries: 1, Segment: segment}, 0, false},
		{"one that acted until now", journal.ResumeInfo{CutEntries: 2, Segment: segment, Applied: &apply}, 100, true},
		{"one that was removed", journal.ResumeInfo{CutEntries: 3, Segment: segment, Ended: &journal.Ended{Apply: apply, Under: 30}}, 30, true},
	} {
		r := resumed(&c.info, now)
		if got := r.UnderFault(-1); got != c.under || (r.Load != nil) != c.load || r.Entries != c.info.CutEntries || r.Segment != segment.Name {
			t.Errorf("%s: %d ns, %+v", c.name, got, r)
		}
	}
}
