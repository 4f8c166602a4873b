package deployment

import "sync"

// span is a stretch of a prompt's tokens.
type span struct{ begin, end int }

// reused is what a cache had of one prompt, in tokens.
type reused struct {
	blocks int    // full ones of the prompt; 0: too short to be kept
	prefix int    // from its beginning on
	spans  []span // further ones, from anywhere in an earlier prompt
	units  int    // blocks of the spans
	donor  string // the request that most of the spans come from
	looked bool   // for more than the beginning
	kept   bool   // the prompt can be a donor from now on
	missed bool   // something was there, and by a fault was not used
	leaked bool   // the spans belong to another prompt
	// hadPrefix and hadFuzzy are what was there, used or not.
	hadPrefix, hadFuzzy int
}

// fuzzy are the tokens that no prefix cache could have served.
func (r reused) fuzzy() (n int) {
	for _, s := range r.spans {
		n += s.end - s.begin
	}
	return n
}

func (r reused) cached() int { return r.prefix + r.fuzzy() }

// similarity is the share of a prompt's tokens that was there.
func (r reused) similarity(tokens int) float64 {
	return float64(r.hadPrefix+r.hadFuzzy) / float64(max(tokens, 1))
}

// index finds what earlier prompts have of a new one, and takes it in.
type index interface {
	take(id string, tokens []uint64) reused
	reset()
}

// prompt is one that the cache was asked with.
type prompt struct {
	id, text string
}

// cache is the cache of prompts of an engine without a model.
type cache struct {
	o     Reuse
	seed  string
	mu    sync.Mutex
	index index // nil: nothing is reused
	// last are the two prompts that came last, the newest first: whom a leak
	// takes an answer from.
	last [2]prompt
}

func newCache(seed string, o Reuse) *cache {
	c := &cache{o: o.withDefaults(), seed: seed}
	switch c.o.Mode {
	case Prefix:
		c.index = newPrefixes(c.o.BlockSize, c.o.Keep)
	case Semantic:
		c.index = newContents(c.o.BlockSize, c.o.Keep)
	}
	return c
}

func (c *cache) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = [2]prompt{}
	if c.index != nil {
		c.index.reset()
	}
}

// take tells what is cached of a prompt, and caches it. Where a leak took it
// for another one, answerTo is that one.
func (c *cache) take(j *job) (tokens int, r reused, answerTo string) {
	list := c.o.tokens(j.prompt)
	if c.index == nil {
		return len(list), reused{}, j.prompt
	}
	c.mu.Lock()
	r = c.index.take(j.id, list)
	other := c.last[0]
	if other.text == j.prompt {
		other = c.last[1]
	} else {
		c.last = [2]prompt{{j.id, j.prompt}, other}
	}
	c.mu.Unlock()
	answerTo = j.prompt
	most := r.blocks * 9 / 10 * c.o.BlockSize
	if other.text != "" && 2*r.cached() < len(list) && most > r.prefix && j.faults.Leaks(c.seed, j.prompt) {
		r.spans, r.donor, r.leaked, r.looked = []span{{r.prefix, most}}, other.id, true, true
		answerTo = other.text
	}
	r.hadPrefix, r.hadFuzzy = r.prefix, r.fuzzy()
	if r.cached() > 0 && !r.leaked && j.faults.Misses(c.seed, j.prompt) {
		r.prefix, r.spans, r.missed = 0, nil, true
	}
	r.units = r.fuzzy() / c.o.BlockSize
	return len(list), r, answerTo
}
