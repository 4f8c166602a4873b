package reuse

import (
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/source"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// truth is what a run has to find, from the manifest and from what the engine
// was set to, and from nothing that the run or the engine counted.
type truth struct {
	items, controls   int64
	hits, blended     int64 // pairs without controls
	cached, blocks    int64 // tokens that warm recipients reuse, and whole blocks of them
	found             int64 // warm recipients of which the donors have anything
	reusing           int64 // of them, those that reuse it
	speedup, hitsOnly means
	control           means
}

// means are mean speed-ups, of measured times without and with what sending a
// request and waking up for its first token take.
type means struct{ exact, late float64 }

// overhead is the most that this takes on average on a machine that has more to
// do.
const overhead = 3 * time.Millisecond

func (m *means) add(cold, warm float64) {
	m.exact += cold / warm
	m.late += (cold + float64(overhead)) / (warm + float64(overhead))
}

func (m *means) over(n int64) {
	m.exact /= float64(n)
	m.late /= float64(n)
}

// threshold is the hit threshold of the scenarios, in tokens.
const threshold = 64

// known computes the truth by plain search.
func known(t *testing.T, r *ran, e engine) truth {
	t.Helper()
	m, closer, err := source.Open(&r.plan.Declaration.Manifest, r.folder)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	stable, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	var out truth
	for {
		it, err := m.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out.items++
		p, c := reusable(stable, it, e.blockSize)
		if c > 0 {
			out.found++
		}
		if e.faults.Misses(seed, it.Recipient) {
			c = 0
		}
		out.cached += int64(c)
		out.blocks += int64(c / e.blockSize)
		if c > 0 {
			out.reusing++
		}
		cold := float64(e.latency.First) + float64(p)*float64(e.latency.Prefill)
		warm := float64(e.latency.First) + float64(p-c)*float64(e.latency.Prefill)
		if it.Control {
			out.controls++
			out.control.add(cold, warm)
			continue
		}
		out.blended++
		out.speedup.add(cold, warm)
		if c >= threshold {
			out.hits++
			out.hitsOnly.add(cold, warm)
		}
	}
	out.speedup.over(out.blended)
	out.hitsOnly.over(out.hits)
	out.control.over(out.controls)
	return out
}

// reusable tells how many tokens a recipient has, and how many of them the
// donors have: of each whole block that does not hold the last token, whether
// its tokens stand in a row in one donor.
func reusable(k tokens.Tokenizer, it *manifest.Item, size int) (tokens, reused int) {
	var donors [][]uint32
	for _, d := range it.Donors {
		donors = append(donors, k.Append(nil, d.Text))
	}
	list := k.Append(nil, it.Recipient)
	for end := size; end < len(list); end += size {
		block := list[end-size : end]
		if slices.ContainsFunc(donors, func(d []uint32) bool {
			for i := 0; i+size <= len(d); i++ {
				if slices.Equal(d[i:i+size], block) {
					return true
				}
			}
			return false
		}) {
			reused += size
		}
	}
	return len(list), reused
}
