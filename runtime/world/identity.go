package world

import "math"

// Readback is what the parts of a world say of themselves: a SHA-256 of the
// running configuration of each, as "sha256:" and hex, and "" for a part that
// cannot be read.
type Readback struct {
	Detector   string
	Serving    string // the deployment with any fault that acts on it
	Population string
}

// Onset says where the stamps of Fault Onset come from (FD-3.4-1, FD-3.4-2).
type Onset struct {
	Source     string // "apparatus"
	Resolution int64  // of its clock in nanoseconds, as measured
}

// Hosts names the machines that stamp onset and event, by a value that changes
// with each boot; "virtual" in virtual time (FD-3.5-6).
type Hosts struct {
	Apparatus string
	Detector  string
}

// Target is an address that requests or faults go to (FD-7-1).
type Target struct {
	Name    string // "serving.mixtral"
	Address string // as it resolved
	Allowed bool   // outside the confined ranges, and let through by the command line
}

// readings is how many times a clock is read to find its resolution (AMB-40).
const readings = 1000

// Resolution is the smallest difference between two successive readings of a
// clock that differ, among 1000 of them and as many more as it takes to see a
// difference: a resolution of one second is found, after a second. It is 0
// where the clock stands still for so long that no difference is seen.
func Resolution(read func() int64) int64 {
	smallest := int64(math.MaxInt64)
	last := read()
	for i := 0; i < readings || smallest == math.MaxInt64 && i < patience; i++ {
		now := read()
		if d := now - last; d > 0 {
			smallest = min(smallest, d)
		}
		last = now
	}
	if smallest == math.MaxInt64 {
		return 0
	}
	return smallest
}

// patience bounds the readings of a clock that does not move: at some tens of
// nanoseconds each, several seconds.
const patience = 200_000_000
