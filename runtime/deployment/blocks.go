package deployment

import "sync"

// blockPieces is how many pieces of a prompt are cached together, as engines
// cache whole blocks of tokens only.
const blockPieces = 16

// blocks is a prefix cache without contents: it knows which beginnings of
// prompts were seen, in blocks, and forgets the ones that were used longest
// ago.
type blocks struct {
	mu   sync.Mutex
	most int
	used map[uint64]uint64 // prefix, to the turn in which it was used
	turn uint64
}

func newBlocks(most int) *blocks { return &blocks{most: most, used: map[uint64]uint64{}} }

func (b *blocks) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.used)
}

// take returns how many pieces of the prompt are cached, and caches it. The
// last piece is never taken from the cache.
func (b *blocks) take(prompt []string) (cached int) {
	if b.most == 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	hit := true
	for end := blockPieces; end <= len(prompt); end += blockPieces {
		key := hash(prompt[:end])
		if _, ok := b.used[key]; ok && hit && end < len(prompt) {
			cached = end
		} else {
			hit = false
		}
		b.used[key] = b.turn
	}
	for len(b.used) > b.most {
		var oldest uint64
		at := b.turn + 1
		for k, t := range b.used {
			if t < at || t == at && k < oldest {
				oldest, at = k, t
			}
		}
		delete(b.used, oldest)
	}
	return cached
}
