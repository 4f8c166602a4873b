package clockprobe

import (
	"errors"
	"fmt"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Sample is one probe: nanoseconds since 1970 by the clock of each side.
type Sample struct {
	T0 int64 // here, before the request was sent
	T1 int64 // there, when it had come in
	T2 int64 // there, before the answer was sent
	T3 int64 // here, when it had come in
}

// longest keeps sums of stamps within 64 bits: a hundred years.
const longest = 100 * 365 * 24 * 3600 * 1_000_000_000

// Valid tells of stamps that cannot be.
func (s Sample) Valid() error {
	for _, t := range []int64{s.T0, s.T1, s.T2, s.T3} {
		if t < 0 || t > 2*longest {
			return fmt.Errorf("the stamp %d lies outside of the years 1970 to 2169", t)
		}
	}
	switch {
	case s.T2 < s.T1:
		return errors.New("the responder's clock went backwards")
	case s.T3 < s.T0:
		return errors.New("the clock of this host went backwards")
	case s.Delay() < 0:
		return errors.New("the responder says that it took longer than the whole probe; one of the two clocks was stepped")
	}
	return nil
}

// sum is twice the offset, without the half nanosecond that Offset drops.
func (s Sample) sum() int64 { return (s.T1 - s.T0) + (s.T2 - s.T3) }

func (s Sample) probe() stats.ClockProbe {
	return stats.ClockProbe{Sent: s.T0, Received: s.T1, Replied: s.T2, Returned: s.T3}
}

// Offset is by how much the other clock is ahead.
func (s Sample) Offset() int64 { return int64(s.probe().Offset()) }

// Delay is how long the probe was on its way, there and back.
func (s Sample) Delay() int64 { return int64(s.probe().Delay()) }

// Bound is what the true offset does not exceed.
func (s Sample) Bound() int64 { return int64(s.probe().MaxOffset()) }

// Contains tells whether the other clock can be ahead by offset.
func (s Sample) Contains(offset int64) bool {
	d := s.sum() - 2*offset
	return max(d, -d) <= s.Delay()
}

// Measurement is what several probes in a row give.
type Measurement struct {
	At      int64    // on the run's clock, when it was complete
	Samples []Sample // in the order of their sending
	Lost    int      // probes without a valid answer
	Host    string   // of the responder, see Host
}

// Best is the sample of the smallest delay, which is the most exact one.
func (m Measurement) Best() Sample {
	best := m.Samples[0]
	for _, s := range m.Samples[1:] {
		if s.Delay() < best.Delay() {
			best = s
		}
	}
	return best
}

// Agree tells whether one offset can explain all samples. Where none can, a
// clock was stepped or pulled while they were taken.
func (m Measurement) Agree() bool {
	lower, upper := m.Samples[0].sum()-m.Samples[0].Delay(), m.Samples[0].sum()+m.Samples[0].Delay()
	for _, s := range m.Samples[1:] {
		lower, upper = max(lower, s.sum()-s.Delay()), min(upper, s.sum()+s.Delay())
	}
	return lower <= upper
}

// Bound is that of the best sample; where the samples contradict one another,
// it is the largest of all.
func (m Measurement) Bound() int64 {
	if m.Agree() {
		return m.Best().Bound()
	}
	bound := int64(0)
	for _, s := range m.Samples {
		bound = max(bound, s.Bound())
	}
	return bound
}

// Record is the journal's entry. moment is before, between or after: the trials
// of a load point.
func (m Measurement) Record(at int64, moment string) journal.ClockRecord {
	method := fmt.Sprintf("four-timestamp probes over HTTP, the one of the smallest delay of %d", len(m.Samples))
	if !m.Agree() {
		method += "; they contradict one another, so the largest bound counts"
	}
	b := m.Best()
	return journal.ClockRecord{At: at, Offset: b.Offset(), Delay: b.Delay(), Bound: m.Bound(), Method: method, Moment: moment}
}
