package evidence

import "slices"

// maxPending is how many requests' phases are remembered until the line that
// sums them up; the one that waits longest is forgotten first.
const maxPending = 256

// pending are phases that no line has summed up yet.
type pending struct{ of []sum }

type sum struct {
	request int
	tokens  int64
	phases  int64
}

func (p *pending) find(request int) int {
	return slices.IndexFunc(p.of, func(s sum) bool { return s.request == request })
}

func (p *pending) add(request int, tokens int64) {
	if i := p.find(request); i >= 0 {
		p.of[i].tokens += tokens
		p.of[i].phases++
		return
	}
	if len(p.of) == maxPending {
		p.of = slices.Delete(p.of, 0, 1)
	}
	p.of = append(p.of, sum{request, tokens, 1})
}

// settle takes away the phases that a line about a whole request sums up: those
// of the request that it names, or else those that come to as many tokens, or
// that are as many as it tells. Phases that name no request lie together, and
// of them as many are taken as the line tells. counted are the phases that were
// taken, 0 where the line stands for itself; unnamed tells that they named none.
func (p *pending) settle(request int, tokens, phases int64) (counted int64, unnamed bool) {
	i := none
	if request != none {
		i = p.find(request)
	} else {
		if i = slices.IndexFunc(p.of, func(s sum) bool { return s.tokens == tokens }); i < 0 && phases > 1 {
			i = slices.IndexFunc(p.of, func(s sum) bool { return s.phases == phases })
		}
	}
	if i < 0 {
		if i = p.find(none); i < 0 {
			return 0, false
		}
		s := &p.of[i]
		if s.tokens > tokens && s.phases > phases && phases > 0 {
			s.tokens -= tokens
			s.phases -= phases
			return phases, true
		}
		if s.tokens != tokens && s.phases != phases {
			return 0, false
		}
	}
	s := p.of[i]
	p.of = slices.Delete(p.of, i, i+1)
	return s.phases, s.request == none
}
