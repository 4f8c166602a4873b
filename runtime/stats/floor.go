package stats

import "math"

// EvidenceFloor returns how many responses any detector needs on average to
// notice that the rate of bad ones went from p0 to p1, if without a change it
// alarms falsely once in arl0 responses on average: the zero-state ARL of the
// Bernoulli CUSUM tuned to p0 and p1, which is the best such detector in
// Lorden's sense (Moustakides, 1986). Divide by the load for seconds.
//
// A rate that falls is mirrored. Thresholds between two lattice points are a
// random choice of one of them. Rates below 2 percent (or above 98) are
// extrapolated from two larger ones at the same events a false alarm, since
// everything then scales with the rate; very small changes, where the lattice
// is too fine to solve at once, use Siegmund's corrected diffusion (1985).
// Good to about 1 percent.
//
// With arl0 <= 1 it is 1; with p0 = p1 it is arl0; with p0 = 0 (or 1) the
// first response that never comes otherwise decides. NaN where a rate is not
// in [0, 1] or arl0 is NaN.
func EvidenceFloor(p0, p1, arl0 float64) float64 {
	switch {
	case !isProbability(p0) || !isProbability(p1) || math.IsNaN(arl0):
		return nan
	case arl0 <= 1:
		return 1
	case p0 == p1:
		return arl0
	}
	// Mirror a fall without rounding: bad and good swap their names.
	up := rates{p0, p1, 1 - p0, 1 - p1}
	if p1 < p0 {
		up = rates{1 - p0, 1 - p1, p0, p1}
	}
	if up.b0 == 0 {
		return min(1/up.b1, arl0)
	}
	// Below one bad response a false alarm, even an alarm at each is too rare:
	// alarm at once with some probability, else at the first bad response.
	if arl0 <= 1/up.b0 {
		return 1 + (arl0-1)*(1/up.b1-1)/(1/up.b0-1)
	}
	const rare = 0.02
	scarce := up.b1
	if up.g0 < up.b1 {
		scarce = up.g0
	}
	if scarce >= rare {
		return up.floor(arl0)
	}
	near, far := rare/scarce, 2*rare/scarce
	f1 := near * up.scaled(near).floor(arl0/near)
	f2 := far * up.scaled(far).floor(arl0/far)
	return f1 + (f1-f2)*(rare-scarce)/rare
}

// rates are the probabilities of a bad and of a good response before (0) and
// after (1) the change, b1 > b0. Both are kept, because 1-p loses a small p.
type rates struct{ b0, b1, g0, g1 float64 }

// scaled multiplies the scarcer kind of response by c.
func (r rates) scaled(c float64) rates {
	if r.g0 < r.b1 {
		return rates{1 - c*r.g0, 1 - c*r.g1, c * r.g0, c * r.g1}
	}
	return rates{c * r.b0, c * r.b1, 1 - c*r.b0, 1 - c*r.b1}
}

// latticeWork bounds the multiplications of one floor: about 10 ms.
const latticeWork = 10_000_000

func (r rates) floor(arl0 float64) float64 {
	if arl0 <= 1 {
		return 1
	}
	rise := math.Log(r.b1 / r.b0)
	fall := math.Log(r.g0 / math.Max(r.g1, 1e-12*r.g0)) // certain bad: one good resets
	drift := r.g0*fall - r.b0*rise                      // per response before the change, downward
	// A slightly wrong ratio of the steps is a CUSUM tuned to a slightly
	// other p1, and the floor is flat there; but the drift must keep its size.
	up, down := simplestRatio(rise/fall, min(0.01, 0.05*drift/(r.b0*rise)))
	nats := diffusionBarrier(drift * arl0)
	states := nats / fall * float64(down)
	if 2*states*float64(up)*float64(down+1) > latticeWork || up+down > 1<<16 {
		after := r.b1*rise - r.g1*fall
		return (math.Expm1(-nats) + nats) / after
	}
	before, after := newLattice(r.b0, up, down), newLattice(r.b1, up, down)
	low0, low1 := 1.0, 1.0 // threshold 0: alarm at the first response
	for {
		before.grow()
		after.grow()
		if before.arl >= arl0 {
			// Choosing between neighbouring thresholds at random mixes both ARLs.
			share := (arl0 - low0) / (before.arl - low0)
			return low1 + share*(after.arl-low1)
		}
		low0, low1 = before.arl, after.arl
	}
}

// diffusionBarrier is the b > 0 with exp(b) - b - 1 = x, x > 0.
func diffusionBarrier(x float64) float64 {
	hi := 1.0
	for math.Expm1(hi)-hi < x {
		hi *= 2
	}
	return solve(0, hi, x, func(b float64) float64 { return math.Expm1(b) - b })
}

// simplestRatio returns the fraction of smallest terms within the relative
// tolerance of x > 0, by descent in the Stern-Brocot tree.
func simplestRatio(x, tolerance float64) (num, den int) {
	lo, hi := x*(1-tolerance), x*(1+tolerance)
	// a/b < interval < c/d; whole runs of steps are taken at once.
	a, b, c, d := 0.0, 1.0, 1.0, 0.0
	for range 64 {
		num, den := a+c, b+d
		switch {
		case num < lo*den: // go right: a/b += k * c/d
			k := max(math.Ceil((lo*b-a)/(c-lo*d))-1, 1)
			a, b = a+k*c, b+k*d
		case num > hi*den: // go left
			k := max(math.Ceil((c-hi*d)/(hi*b-a))-1, 1)
			c, d = c+k*a, d+k*b
		default:
			return int(num), int(den)
		}
	}
	return int(a + c), int(b + d)
}
