package stats

import (
	"math"

	"github.com/fdbench/fdbench/lang/exact"
)

// ClockOK tells whether a clock offset is smaller than one percent of the
// smallest latency reported, strictly: 100|offset| < latency (FD-3.5-4). It is
// false for a latency that is not positive. Where nothing was detected there
// is no latency and the rule is vacuous; the caller decides that.
func ClockOK(maxOffset, smallestLatency exact.Duration) bool {
	if smallestLatency <= 0 || maxOffset == math.MinInt64 {
		return false
	}
	if maxOffset < 0 {
		maxOffset = -maxOffset
	}
	// In whole nanoseconds 100*o < l is o <= (l-1)/100, which cannot overflow.
	return maxOffset <= (smallestLatency-1)/100
}

// ClockProbe is one exchange between two hosts, in nanoseconds since any
// instant that the host's own stamps share (RFC 5905, section 8).
type ClockProbe struct {
	Sent     int64 // local clock, request leaves
	Received int64 // remote clock, request arrives
	Replied  int64 // remote clock, reply leaves
	Returned int64 // local clock, reply arrives
}

// Offset is the remote clock minus the local one, as the probe estimates it:
// ((Received-Sent)+(Replied-Returned))/2, half nanoseconds dropped.
func (p ClockProbe) Offset() exact.Duration { return exact.Duration(p.twiceOffset() / 2) }

// Delay is the time on the way, both ways together.
func (p ClockProbe) Delay() exact.Duration {
	return exact.Duration((p.Returned - p.Sent) - (p.Replied - p.Received))
}

// MaxOffset is the largest absolute offset that the probe leaves possible:
// |offset| + delay/2, rounded up to the nanosecond (FD-3.5-2).
func (p ClockProbe) MaxOffset() exact.Duration {
	return exact.Duration((abs(p.twiceOffset()) + abs(int64(p.Delay())) + 1) / 2)
}

func (p ClockProbe) twiceOffset() int64 { return (p.Received - p.Sent) + (p.Replied - p.Returned) }

// HostClockBound returns the largest absolute offset of a host from true time
// as its time daemon states it: |offset| + root dispersion + root delay/2,
// rounded up to the nanosecond. The offset between two hosts is at most the
// sum of their bounds.
func HostClockBound(offset, rootDispersion, rootDelay exact.Duration) exact.Duration {
	return exact.Duration(abs(int64(offset))) + rootDispersion + (rootDelay+1)/2
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
