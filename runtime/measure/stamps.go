package measure

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// stamped says why a Detection Event is not of its fault by the stamps of its
// emitter, or "". Only one clock makes them comparable with the onset; that of
// a running host is read in whole seconds by some emitters, and it may have
// been set (AMB-12, AMB-13).
func (c *computer) stamped(t *journal.TrialRecord) string {
	slack := int64(0)
	if c.open.Time != timeVirtual {
		if c.p.Declaration.Environment.Clocks != sameHost || c.open.Hosts.Apparatus != c.open.Hosts.Detector || len(t.Steps) > 0 {
			return ""
		}
		slack = int64(exact.Second)
	}
	first := t.Onset + 1
	if applies(t) {
		first = max(first, t.FirstAffected)
	}
	switch s := t.Event; {
	case s.EmittedAt+slack < first:
		return "a Detection Event was emitted before the first changed response and cannot be of its fault"
	case s.EmittedAt > s.At+slack:
		return "a Detection Event was received before it was emitted"
	case s.StartsAt+slack < t.Onset:
		return "the alert of a Detection Event had begun before the onset and cannot be of its fault"
	case s.StartsAt > s.At+slack:
		return "the alert of a Detection Event began after it was received"
	}
	return ""
}
