package proxy

// pace measures the mean time between requests from the starts of the last
// ones.
type pace struct {
	starts [256]int64
	n      int
	fixed  float64
}

func (p *pace) add(at int64) {
	p.starts[p.n%len(p.starts)] = at
	p.n++
}

// spacing is the mean time between the last requests, in nanoseconds. A gap
// that is ten times the mean of those after it ends what is looked at: the
// load was another before.
func (p *pace) spacing() float64 {
	const fallback = 1e9 // one request a second, where nothing is known
	if p.fixed > 0 {
		return p.fixed
	}
	var sum, gaps int64
	for i := p.n - 1; i > 0 && i > p.n-len(p.starts); i-- {
		gap := p.starts[i%len(p.starts)] - p.starts[(i-1)%len(p.starts)]
		if gaps >= 16 && gap > 10*(sum/gaps+1) {
			break
		}
		sum += gap
		gaps++
	}
	if gaps == 0 || sum <= 0 {
		return fallback
	}
	return float64(sum) / float64(gaps)
}
