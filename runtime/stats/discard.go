package stats

import "math"

// keptRange returns the whole numbers within ten percent of n*d around centre.
func keptRange(n int, centre, d float64) (lo, hi int) {
	slack := 1e-9 + 1e-13*float64(n) // an equality in decimals stays one in binary64
	half := 0.1 * math.Abs(d) * float64(n)
	return int(math.Ceil(centre - half - slack)), int(math.Floor(centre + half + slack))
}

// outside is P(X < lo or X > hi) for X ~ Bin(n, p), lo <= hi+1.
func outside(n int, p float64, lo, hi int) float64 {
	return min(binomialSum(n, p, 0, lo-1)+binomialSum(n, p, hi+1, n), 1)
}

// upward mirrors a downward move of a rate into an upward one of its
// complement, and tells whether the move exists at all.
func upward(p0, d float64) (float64, float64, bool) {
	if d < 0 {
		p0, d = 1-p0, -d
	}
	const slack = 1e-12 // 0.7+0.3 may be a little more than 1
	return p0, d, isProbability(p0) && p0+d <= 1+slack
}

// DiscardBernoulli forecasts how often a trial that is injected as intended is
// discarded by the ten percent rule through sampling alone, when every one of n
// requests is changed independently and the achieved rate is compared with a
// known baseline rate p0: P(|X/n-p0-d| > |d|/10), X ~ Bin(n, p0+d). It is 1
// without requests. NaN where p0 or p0+d is not in [0, 1] or n < 0.
func DiscardBernoulli(n int, p0, d float64) float64 {
	p0, d, ok := upward(p0, d)
	if !ok || n < 0 {
		return nan
	}
	if n == 0 {
		return 1
	}
	lo, hi := keptRange(n, float64(n)*(p0+d), d)
	return outside(n, min(p0+d, 1), lo, hi)
}

// DiscardQuota is [DiscardBernoulli] for quota injection: of n requests exactly
// J = round(n*d/(1-p0)) are made bad (for a rate that falls, round(n|d|/p0) are
// made good), and only the others vary: X = J + Bin(n-J, p0).
func DiscardQuota(n int, p0, d float64) float64 {
	p0, d, ok := upward(p0, d)
	if !ok || n < 0 {
		return nan
	}
	if n == 0 {
		return 1
	}
	forced := 0
	if d > 0 {
		forced = min(int(math.Round(float64(n)*injected(p0, d))), n)
	}
	lo, hi := keptRange(n, float64(n)*(p0+d), d)
	return outside(n-forced, p0, lo-forced, hi-forced)
}

// injected is the share of requests to change, for 0 < d <= 1-p0.
func injected(p0, d float64) float64 { return min(d/(1-p0), 1) }

// DiscardPaired is the forecast for an apparatus that sees each response before
// and after its own change, and takes as achieved magnitude the share of
// responses that were good before and bad after. The baseline then adds no
// noise: bernoulli injection gives Bin(n, d) such responses; quota injection
// picks J, the floor or the ceiling of n*f with f = d/(1-p0), so that J is n*f
// on average, and Bin(J, 1-p0) of them were good before.
func DiscardPaired(n int, p0, d float64, quota bool) float64 {
	p0, d, ok := upward(p0, d)
	if !ok || n < 0 {
		return nan
	}
	if n == 0 {
		return 1
	}
	lo, hi := keptRange(n, float64(n)*d, d)
	if !quota || d == 0 {
		return outside(n, min(d, 1), lo, hi)
	}
	picks := float64(n) * injected(p0, d)
	few := math.Floor(picks + 1e-9)
	share := max(picks-few, 0)
	discard := outside(int(few), 1-p0, lo, hi)
	if share > 0 {
		discard = (1-share)*discard + share*outside(int(few)+1, 1-p0, lo, hi)
	}
	return discard
}

// ExpectedAttempts returns how many attempts one kept trial takes when each is
// discarded with the given probability; +Inf where all are.
func ExpectedAttempts(discard float64) float64 { return 1 / (1 - discard) }

// VerificationRequests returns how many requests the verification window needs
// so that, by the normal approximation, independent injection is within ten
// percent as often as z standard errors say (1.96: 95 percent):
// (z/(0.1 d))^2 p1(1-p1), p1 = p0+d, rounded up. It is math.MaxInt where no
// number does or it does not fit: d is 0, or p1 is not in [0, 1].
func VerificationRequests(p0, d, z float64) int {
	p1 := p0 + d
	n := math.Ceil(math.Pow(z/(0.1*d), 2)*p1*(1-p1) - 1e-9)
	if d == 0 || !isProbability(p1) || !(n < math.MaxInt64) {
		return math.MaxInt
	}
	return max(int(n), 0)
}
