package plan

import "github.com/fdbench/fdbench/lang/exact"

// LongestApplication is how long one application of a fault at a load lasts at
// most, in a run that dies meanwhile: its profile, its timeout, and the lease
// after which the fault ends by itself.
func (p *Plan) LongestApplication(load int) exact.Duration {
	if load < 0 || load >= len(p.Declaration.Load.Points) {
		return 0
	}
	point := &p.Declaration.Load.Points[load]
	longest := max(point.Timeout, point.Verification)
	for _, t := range p.Combinations.Trials {
		if t.Load == load {
			longest = max(longest, t.Timeout, t.Profile.Ramp+t.Verification)
		}
	}
	for _, s := range p.Combinations.Searches {
		if s.Load == load {
			longest = max(longest, s.Timeout, s.Profile.Ramp+s.Verification)
		}
	}
	return longest + p.Declaration.Apparatus.Lease
}
