package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// block is the contract's content hash of a full block: 128 bits of the SHA-256
// over its tokens, as little-endian uint32.
type block [16]byte

// cut is an item cut into full blocks, as far as a pass needs them.
type cut struct {
	donors    []donor
	recipient []block
}

// donor is the blocks of one donor, cut from its own beginning.
type donor struct {
	origin string
	blocks []block
}

// own are the blocks of the item's own donors, each with the first origin that
// has it.
func (c cut) own() map[block]string {
	own := map[block]string{}
	for _, d := range c.donors {
		for _, b := range d.blocks {
			if _, there := own[b]; !there {
				own[b] = d.origin
			}
		}
	}
	return own
}

type cutter struct {
	tok  tokens.Tokenizer
	size int
}

// scratch is what one worker uses again and again.
type scratch struct {
	ids    []uint32
	packed []byte
}

func (c cutter) donors(it *manifest.Item, s *scratch) []donor {
	out := make([]donor, len(it.Donors))
	for i, d := range it.Donors {
		origin, _ := it.DonorSource(i)
		out[i] = donor{origin, c.blocks(d.Text, s)}
	}
	return out
}

func (c cutter) recipient(it *manifest.Item, s *scratch) []block { return c.blocks(it.Recipient, s) }

// blocks cuts a text; a trailing partial block is none (KV-1-2).
func (c cutter) blocks(text string, s *scratch) []block {
	s.ids = c.tok.Append(s.ids[:0], text)
	out := make([]block, 0, len(s.ids)/c.size)
	for from := 0; from+c.size <= len(s.ids); from += c.size {
		s.packed = s.packed[:0]
		for _, id := range s.ids[from : from+c.size] {
			s.packed = binary.LittleEndian.AppendUint32(s.packed, id)
		}
		sum := sha256.Sum256(s.packed)
		out = append(out, block(sum[:16]))
	}
	return out
}

// ordered calls work for every item that next gives, on all cores, and merge
// with the results in the order of the items. It holds a few items for each
// core. It ends with the error of next, nil for io.EOF, and calls next no more
// once it has returned.
func ordered(next func() (*manifest.Item, error), work func(*manifest.Item, *scratch) cut, merge func(*manifest.Item, cut)) error {
	type job struct {
		item *manifest.Item
		done chan cut
	}
	n := runtime.GOMAXPROCS(0)
	jobs, order := make(chan job, n), make(chan job, 2*n)
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			var s scratch
			for j := range jobs {
				j.done <- work(j.item, &s)
			}
		})
	}
	var failed error
	go func() {
		defer close(order)
		defer close(jobs)
		for {
			it, err := next()
			if err != nil {
				if err != io.EOF {
					failed = err
				}
				return
			}
			j := job{it, make(chan cut, 1)}
			order <- j
			jobs <- j
		}
	}()
	for j := range order {
		merge(j.item, <-j.done)
	}
	workers.Wait()
	return failed
}
