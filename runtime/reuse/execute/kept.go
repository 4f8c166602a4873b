package execute

import (
	"cmp"
	"encoding/json"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// kept is what an earlier run committed.
type kept struct {
	begun    bool
	segments int
	items    int64
	pairs    int64
	before   bool // counters before the pairs
	after    bool // counters after them
	audit    bool
	logs     bool
	phase    string
	model    string // that the requests asked for

	ids map[string]evidence.Request // of the requests that a log may name; the zero one for an id of several
}

// entry takes one entry of the journal in.
func (k *kept) entry(e journal.Entry) error {
	switch e.Kind {
	case journal.KindSegment:
		var s journal.Segment
		if err := decode(e, &s); err != nil {
			return err
		}
		k.phase = s.Phase
		k.segments = s.ID + 1
	case journal.KindCommit:
		if k.phase == record.PhasePair {
			k.pairs++
		}
	case record.KindItem:
		k.items++
	case record.KindArm:
		var a record.Arm
		if err := decode(e, &a); err != nil {
			return err
		}
		k.model = cmp.Or(k.model, a.Model)
		k.sent(&a)
	case record.KindCounters:
		var c record.Counters
		if err := decode(e, &c); err != nil {
			return err
		}
		k.before, k.after = true, k.after || c.Moment == momentAfter
	case record.KindAudit:
		k.audit = true
	case record.KindEvidence:
		k.logs = true
	}
	return nil
}

// sent notes by which ids a log may name a request. Where an engine gives one id
// to the answers of several requests, it names none of them.
func (k *kept) sent(a *record.Arm) {
	if k.ids == nil {
		k.ids = map[string]evidence.Request{}
	}
	for _, id := range []string{a.RequestID, a.EngineID} {
		if id == "" {
			continue
		}
		q := evidence.Request{ItemID: a.ItemID, Arm: a.Arm}
		if other, taken := k.ids[id]; taken && other != q {
			q = evidence.Request{}
		}
		k.ids[id] = q
	}
}

func decode(e journal.Entry, v any) error {
	if err := json.Unmarshal(e.Data, v); err != nil {
		return &journal.ChainError{Line: e.Line, Reason: "its data is not that of its kind: " + err.Error()}
	}
	return nil
}

// Moments of record.Counters.
const (
	momentBefore = "before"
	momentAfter  = "after"
)
