package tinylm

import "sync"

// Cache keeps the keys and values of conversations, so that a prompt that
// begins like an earlier one need not be computed again. Only a common prefix
// is reused, as in the engines that people serve with.
type Cache struct {
	m    *Model
	most int
	mu   sync.Mutex
	kept []*State // the one used last comes last
}

// NewCache makes a cache of at most n conversations; with 0 it keeps none.
func (m *Model) NewCache(n int) *Cache { return &Cache{m: m, most: n} }

// Begin returns a state that holds as much of the prompt as the cache has, and
// how many tokens that is: at least one less than the prompt, whose last token
// has to be computed for its logits.
func (c *Cache) Begin(prompt []int) (s *State, cached int) {
	s = c.m.NewState()
	c.mu.Lock()
	defer c.mu.Unlock()
	at := -1
	for i, k := range c.kept {
		if n := common(k.Tokens, prompt); n > cached {
			cached, at = n, i
		}
	}
	if at < 0 {
		return s, 0
	}
	s.Resume(c.kept[at], cached)
	k := c.kept[at]
	c.kept = append(append(c.kept[:at:at], c.kept[at+1:]...), k)
	return s, cached
}

// Keep takes a state in that is not used any more.
func (c *Cache) Keep(s *State) {
	if c.most == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept = append(c.kept, s); len(c.kept) > c.most {
		c.kept = append([]*State{}, c.kept[1:]...)
	}
}

// Reset forgets everything.
func (c *Cache) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b)-1 && a[n] == b[n] {
		n++
	}
	return n
}
