package measure

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// resumed takes note that a run in real time was cut short and went on. What
// it repeats begins at rest, as every segment does. The fault that it found
// applied acted for as long as its removal can have taken: that counts as time
// under fault like any other, at every load where its own is not on record
// (FD-5.4-4).
func (c *computer) resumed(e journal.Entry, r *journal.Resumed) error {
	if c.segment != nil {
		return reject(e, "a run goes on inside segment %d", c.segment.ID)
	}
	if c.open.Time == timeVirtual {
		return reject(e, "a run in virtual time leaves nothing behind that a resumed one would have to remove")
	}
	if r.Entries < 0 {
		return reject(e, "%d entries of an unfinished segment cannot be", r.Entries)
	}
	if r.Load != nil && (*r.Load < 0 || *r.Load >= len(c.loads)) {
		return reject(e, "it names load point %d, and the plan has %d", *r.Load, len(c.loads))
	}
	x := Resumption{Segment: r.Segment, Entries: r.Entries, Torn: r.Torn, Trial: r.Trial, Class: r.Class}
	if r.Trial != "" {
		x.Bound = BoundLongest
		if r.UnderFault(-1) >= 0 {
			x.Bound = BoundWall
		}
		var most int64
		for i := range c.loads {
			if r.Load != nil && *r.Load != i {
				continue
			}
			span := r.UnderFault(int64(c.p.LongestApplication(i)))
			c.loads[i].underFault += span
			most = max(most, span)
		}
		x.UnderFaultS = float(seconds(most))
		if r.Load != nil {
			x.Load = c.loads[*r.Load].label
		}
	}
	c.resumptions = append(c.resumptions, x)
	return nil
}

// period is by how much the receipt of a signal may be late because the
// detector is asked at intervals: as the run saw it, and no less than the plan
// declares of a detector that delivers nothing (AMB-14).
func (c *computer) period() exact.Duration {
	d := &c.p.Declaration.Detector
	if d.Live == nil || c.open.Time != timeReal {
		return c.poll
	}
	switch {
	case d.Kind == "poll", d.Kind == "command", d.Kind == "prometheus" && d.Live.Listen == "":
		return max(c.poll, d.Live.Interval)
	}
	return c.poll
}

// bound holds the offset of the clocks, the detector's period and the span of
// the apply call together against the smallest latency, and returns their sum
// where every latency has to carry it, or nil (FD-3.5-4, FD-3.5-5). told is
// false where the offset is none that was measured.
func (c *computer) bound(r *Result, offset exact.Duration, told bool) *float64 {
	sum := offset
	if p := c.period(); p > 0 {
		r.Clocks.Poll = float(p.Seconds().Float64())
		r.Clocks.Note += " The detector is asked at intervals: when a signal came is known to the last look, which counts like an offset."
		sum, told = sum+p, true
	}
	if c.span > 0 {
		r.Clocks.Span = float(c.span.Seconds().Float64())
		r.Clocks.Note += " A fault comes into force while the call lasts that applies it: when is known to the length of the call, which counts like an offset."
		sum, told = sum+c.span, true
	}
	if !told || c.smallest == nil {
		return nil
	}
	ok := stats.ClockOK(sum, *c.smallest)
	r.Clocks.OnePercent = &ok
	if ok {
		return nil
	}
	return float(sum.Seconds().Float64())
}
