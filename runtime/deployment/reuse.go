package deployment

import (
	"fmt"
	"hash/fnv"

	"github.com/fdbench/fdbench/runtime/random"
)

// Mode is what a cache without a model reuses of earlier prompts.
type Mode string

// The modes.
const (
	Prefix   Mode = "prefix"   // the longest shared beginning, in whole blocks
	Semantic Mode = "semantic" // that, and whole blocks from anywhere in an earlier prompt
	None     Mode = "none"
)

// DefaultBlockSize is how many tokens of a prompt are cached together where
// nothing else is said.
const DefaultBlockSize = 16

// Tokenizer counts the tokens of prompts. It is safe for concurrent use.
type Tokenizer interface {
	Name() string
	Append(dst []uint32, text string) []uint32
}

// Reuse is the cache of an engine without a model.
type Reuse struct {
	Mode      Mode      // "" for Prefix
	BlockSize int       // tokens, at least 1; 0 for DefaultBlockSize
	Keep      int       // blocks that it holds before it forgets; 0 for none
	Tokenizer Tokenizer // nil: words, with the space before them
}

// Check tells what is out of range.
func (r Reuse) Check() error {
	switch {
	case r.Mode != "" && r.Mode != Prefix && r.Mode != Semantic && r.Mode != None:
		return fmt.Errorf("there is no reuse %q; it is prefix, semantic or none", r.Mode)
	case r.BlockSize < 0:
		return fmt.Errorf("a block has at least 1 token, and not %d", r.BlockSize)
	case r.Keep < 0:
		return fmt.Errorf("a cache keeps at least 0 blocks, and not %d", r.Keep)
	}
	return nil
}

func (r Reuse) withDefaults() Reuse {
	if r.Mode == "" {
		r.Mode = Prefix
	}
	if r.BlockSize == 0 {
		r.BlockSize = DefaultBlockSize
	}
	if r.Keep == 0 {
		r.Mode = None
	}
	return r
}

// tokenizerName is the name in the log and in /metrics.
func (r Reuse) tokenizerName() string {
	if r.Tokenizer == nil {
		return "words"
	}
	return r.Tokenizer.Name()
}

// tokens are those of a prompt, as numbers that are equal where the tokens
// are.
func (r Reuse) tokens(prompt string) []uint64 {
	if r.Tokenizer == nil {
		list := pieces(prompt)
		out := make([]uint64, len(list))
		for i, s := range list {
			h := fnv.New64a()
			h.Write([]byte(s))
			out[i] = h.Sum64()
		}
		return out
	}
	ids := r.Tokenizer.Append(nil, prompt)
	out := make([]uint64, len(ids))
	for i, id := range ids {
		out[i] = uint64(id)
	}
	return out
}

// Faults are what a cache can be told to do wrong. The zero value does none of
// it. Leak and Miss need an engine without a model.
type Faults struct {
	// Leak is the share of prompts that an unrelated one, sent before, is taken
	// for: less than half of such a prompt is cached, and nine tenths of its
	// full blocks are reported and charged as if they were. The answer is the
	// one to the other prompt. It is what a wrong semantic cache does to
	// negative controls: faster, and wrong.
	Leak float64
	// Miss is the share of prompts that reuse nothing of what the cache has.
	Miss float64
	// Sticky resets answer that they succeeded, and forget nothing: cold arms
	// are contaminated.
	Sticky bool
	// Silent usage says nothing about cached tokens.
	Silent bool
}

// Check tells what is out of range.
func (f Faults) Check() error {
	for _, x := range []struct {
		name string
		p    float64
	}{{"leak", f.Leak}, {"miss", f.Miss}} {
		if !(x.p >= 0 && x.p <= 1) {
			return fmt.Errorf("the share of prompts that %s is from 0 to 1, and not %v", x.name, x.p)
		}
	}
	return nil
}

// Leaks tells whether a prompt is one of those that Leak strikes, with an
// engine of this seed. It then still needs another prompt in the cache.
func (f Faults) Leaks(seed, prompt string) bool { return struck("leak", f.Leak, seed, prompt) }

// Misses tells whether a prompt is one of those that Miss strikes.
func (f Faults) Misses(seed, prompt string) bool { return struck("miss", f.Miss, seed, prompt) }

func struck(fault string, share float64, seed, prompt string) bool {
	return share > 0 && random.New("deployment", fault, seed, prompt).Float64() < share
}

// names are those of the faults that are on, with their values.
func (f Faults) names() [][2]string {
	var out [][2]string
	add := func(on bool, name string, value any) {
		if on {
			out = append(out, [2]string{name, fmt.Sprint(value)})
		}
	}
	add(f.Leak > 0, "leak", f.Leak)
	add(f.Miss > 0, "miss", f.Miss)
	add(f.Sticky, "sticky", 1)
	add(f.Silent, "silent", 1)
	return out
}
