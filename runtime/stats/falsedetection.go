package stats

import "github.com/fdbench/fdbench/lang/exact"

// FalseDetectionPeriod returns how long the false detection observation at a
// load must last: the declared minimum, or the time under fault at that load
// where that is longer (FD-5.4-4).
func FalseDetectionPeriod(declared, underFault exact.Duration) exact.Duration {
	return max(declared, underFault)
}
