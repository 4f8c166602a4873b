package deployment

import "container/list"

// prefixes knows which beginnings of prompts were seen, in blocks, and forgets
// those that were used longest ago; of one prompt the later blocks first, as
// they are of no use without the earlier ones.
type prefixes struct {
	size, most int
	used       map[uint64]*list.Element // by the hash of a beginning
	order      list.List                // of such hashes, the newest first
}

func newPrefixes(size, most int) *prefixes {
	return &prefixes{size: size, most: most, used: map[uint64]*list.Element{}}
}

func (p *prefixes) reset() {
	clear(p.used)
	p.order.Init()
}

func (p *prefixes) take(_ string, tokens []uint64) reused {
	keys := make([]uint64, 0, len(tokens)/p.size)
	var at uint64
	for i, t := range tokens {
		at = extend(at, t)
		if (i+1)%p.size == 0 {
			keys = append(keys, at)
		}
	}
	r := reused{blocks: len(keys), kept: len(keys) > 0}
	for _, k := range keys {
		if p.used[k] == nil || r.prefix+p.size == len(tokens) {
			break
		}
		r.prefix += p.size
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if e := p.used[keys[i]]; e != nil {
			p.order.MoveToFront(e)
			continue
		}
		p.used[keys[i]] = p.order.PushFront(keys[i])
	}
	for len(p.used) > p.most {
		delete(p.used, p.order.Remove(p.order.Back()).(uint64))
	}
	return r
}
