package stats

import "math"

// BernoulliCUSUM returns the average number of responses until a cumulative
// sum on a lattice alarms: it starts at 0, rises by up for a bad response and
// falls by down, not below 0, for a good one, and alarms at threshold or
// above; responses are bad independently with probability p (Reynolds and
// Stoumbos, 1999). The value solves the chain's linear equations exactly, in
// time threshold*up*down. NaN where p is not in (0, 1] or a step or the
// threshold is below 1.
func BernoulliCUSUM(p float64, up, down, threshold int) float64 {
	if !(p > 0 && p <= 1) || up < 1 || down < 1 || threshold < 1 {
		return nan
	}
	c := newLattice(p, up, down)
	for range threshold {
		c.grow()
	}
	return c.arl
}

// lattice eliminates the equations of the chain one state at a time,
//
//	L(i) = 1 + (1-p) L(max(i-down, 0)) + p L(i+up),  L(j) = 0 for j >= h,
//
// for all thresholds h at once: the equations for h are the leading h of those
// for any larger threshold, so with A = (lower)(upper), y = lower\1 and
// w = (first unit row)/upper, L(0) for threshold h is the sum of w(i) y(i) over
// i < h. The matrix is an M-matrix, for which elimination needs no pivots.
type lattice struct {
	p        float64
	up, down int
	n        int         // states so far, which is the threshold that arl belongs to
	arl      float64     // L(0)
	rows     [][]float64 // last down rows of upper, from their diagonal on, at index i mod down
	y        []float64   // of these rows
	carry    []float64   // sum over i < j of w(i) upper(i, j), at index j mod (up+1)
	work     []float64   // the row in elimination, columns n-down .. n+up
}

func newLattice(p float64, up, down int) *lattice {
	c := &lattice{p: p, up: up, down: down}
	c.rows = make([][]float64, down)
	c.y = make([]float64, down)
	c.carry = make([]float64, up+1)
	c.work = make([]float64, down+up+1)
	return c
}

// grow raises the threshold by one.
func (c *lattice) grow() {
	i, first := c.n, c.n-c.down // first is the column of work[0]
	clear(c.work)
	c.work[c.down] = 1
	c.work[c.down+c.up] = -c.p
	if i == 0 {
		c.work[c.down] = c.p // 1 - (1-p), without the cancellation
	} else {
		c.work[max(first, 0)-first] -= 1 - c.p
	}
	y := 1.0
	for k := max(first, 0); k < i; k++ {
		row := c.rows[k%c.down]
		f := c.work[k-first] / row[0]
		if f == 0 {
			continue
		}
		at := c.work[k-first : k-first+c.up+1]
		for j, v := range row {
			at[j] -= f * v
		}
		y -= f * c.y[k%c.down]
	}
	slot := i % c.down
	c.rows[slot] = append(c.rows[slot][:0], c.work[c.down:]...)
	c.y[slot] = y
	row := c.rows[slot]

	w := -c.carry[i%(c.up+1)]
	if i == 0 {
		w = 1
	}
	w /= row[0]
	c.carry[i%(c.up+1)] = 0
	for j := 1; j <= c.up; j++ {
		c.carry[(i+j)%(c.up+1)] += w * row[j]
	}
	c.arl += w * y
	c.n++
}

// Information is the Kullback-Leibler divergence of Bernoulli distributions,
// in nats a response: q ln(q/p) + (1-q) ln((1-q)/(1-p)). It is +Inf where p
// excludes what q allows, NaN where either is not in [0, 1].
func Information(q, p float64) float64 {
	if !isProbability(p) || !isProbability(q) {
		return nan
	}
	return relative(q, p) + relative(1-q, 1-p)
}

func relative(q, p float64) float64 {
	if q == 0 {
		return 0
	}
	return q * math.Log(q/p)
}

// SPRTResponses returns Wald's approximation of how many responses a sequential
// probability ratio test of p0 against p1 takes where p1 is true, with error
// probabilities alpha and beta (Wald, 1945). It leaves out the overshoot, so
// that the true mean is larger. NaN where an argument is not in (0, 1) or
// p0 = p1.
func SPRTResponses(p0, p1, alpha, beta float64) float64 {
	for _, v := range []float64{p0, p1, alpha, beta} {
		if !isConfidence(v) {
			return nan
		}
	}
	if p0 == p1 {
		return nan
	}
	accept, reject := math.Log(beta/(1-alpha)), math.Log((1-beta)/alpha)
	return ((1-beta)*reject + beta*accept) / Information(p1, p0)
}
