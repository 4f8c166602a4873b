package clockprobe

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Tracking is what chrony says of one host's clock, in nanoseconds.
type Tracking struct {
	Reference  string // what the clock is set by
	Offset     int64  // of the system's clock from the reference, |x|
	Delay      int64  // root delay: to the primary reference and back
	Dispersion int64  // root dispersion: what may have added up on the way
}

// Bound is what the clock's error does not exceed: |offset| + root dispersion +
// root delay/2, rounded up (AMB-15).
func (t Tracking) Bound() int64 {
	return int64(stats.HostClockBound(exact.Duration(t.Offset), exact.Duration(t.Dispersion), exact.Duration(t.Delay)))
}

// Members of a line of "chronyc -c tracking".
const (
	memberID         = 0
	memberName       = 1
	memberStratum    = 2
	memberOffset     = 4
	memberDelay      = 10
	memberDispersion = 11
	memberLeap       = 13
	members          = 14
)

// chronyd that has no source but itself calls itself so.
const localReference = "7F7F0101"

// ParseTracking reads the output of "chronyc -c tracking". Errors: it is
// something else, or the clock is not synchronised.
func ParseTracking(text string) (Tracking, error) {
	var t Tracking
	fields := strings.Split(strings.TrimSpace(text), ",")
	if len(fields) != members || strings.ContainsAny(text[:len(strings.TrimRight(text, "\r\n"))], "\r\n") {
		return t, fmt.Errorf("this is not the one line of %d members that \"chronyc -c tracking\" prints", members)
	}
	if t.Reference = fields[memberName]; t.Reference == "" {
		t.Reference = fields[memberID]
	}
	switch {
	case fields[memberLeap] == "Not synchronised" || fields[memberStratum] == "0" || fields[memberStratum] == "16":
		return t, errors.New("FD-3.5-2: chrony says that the clock is not synchronised; wait until it is (chronyc waitsync), or use clocks { arrangement = \"probed\" }")
	case fields[memberID] == localReference:
		return t, errors.New("FD-3.5-2: chrony is set by the host's own clock, which says nothing about another host's; give it a source, or use clocks { arrangement = \"probed\" }")
	}
	for _, m := range []struct {
		name string
		at   int
		to   *int64
	}{{"system time", memberOffset, &t.Offset}, {"root delay", memberDelay, &t.Delay}, {"root dispersion", memberDispersion, &t.Dispersion}} {
		n, err := exact.Parse(fields[m.at])
		if err != nil {
			return t, fmt.Errorf("the %s that chrony gives: %w", m.name, err)
		}
		if m.at != memberOffset && n.Sign() < 0 {
			return t, fmt.Errorf("the %s that chrony gives is negative", m.name)
		}
		ns, ok := n.Abs().Mul(exact.Int(int64(exact.Second))).Ceil()
		if !ok || ns > longest {
			return t, fmt.Errorf("the %s that chrony gives, %s s, cannot be", m.name, fields[m.at])
		}
		*m.to = ns
	}
	return t, nil
}

// ChronyRecord is the journal's entry of what chrony says of the two hosts at
// one time. Their errors add up, whatever their signs.
func ChronyRecord(apparatus, detector Tracking, at int64, moment string) journal.ClockRecord {
	return journal.ClockRecord{At: at, Offset: apparatus.Offset + detector.Offset, Delay: apparatus.Delay + detector.Delay,
		Bound:  apparatus.Bound() + detector.Bound(),
		Method: "chrony on both hosts, |offset| + root dispersion + root delay/2 of each", Moment: moment}
}
