// Package clockprobe compares the clock of the injection apparatus with that of
// the detector's host (methodology 3.5): by probes with four stamps, as NTP
// makes them, or from chrony's own figures; and it tells one host from two.
//
// Of a probe, t0 and t3 are stamped here, t1 and t2 there. Whatever the two ways
// of the probe took, the true offset of the other clock lies within delay/2 of
// the one computed (AMB-15); ways of unequal length are covered, a clock that
// was stepped between two stamps shows as samples that contradict one another.
//
// It imports lang/exact and runtime/{confine,journal,listen,live/driver,stats,world}.
package clockprobe
