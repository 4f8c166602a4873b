package blocks

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
)

// Planner makes a plan for an item from its tokens alone. A planner keeps
// scratch space and is for one goroutine; what it says depends on nothing but
// its arguments.
type Planner interface {
	// Plan appends actions to dst, by ascending target, none of them invalid
	// and no two of them overlapping.
	Plan(dst []Action, recipient []uint32, donors []Donor) []Action
}

// NewPlanner returns the planner that a plan declares, for blocks of size
// tokens. A MinRun of 0 is the block size.
func NewPlanner(p plan.ReusePlanner, size int) (Planner, error) {
	if size < 1 {
		return nil, fmt.Errorf("a block of %d tokens is none; block_size is at least 1", size)
	}
	switch p.Name {
	case "span":
		if p.MinRun < 0 {
			return nil, fmt.Errorf("a run of %d tokens is none; min_run is at least 1", p.MinRun)
		}
		if p.MinRun == 0 {
			p.MinRun = size
		}
		return &Span{MinRun: p.MinRun}, nil
	case "chunk":
		return &Chunk{Size: size, Gated: p.Gated}, nil
	}
	return nil, fmt.Errorf("there is no planner %q; write span or chunk", p.Name)
}

// Chunk copies each full block of the recipient from the first block of the
// donors, in the order of the manifest, that has the same content and was not
// copied yet. Since a donor's block serves once, its rate can be below the
// exact one.
type Chunk struct {
	Size  int
	Gated bool // a match whose two neighbours are none is dropped

	index  Index
	unused []int32 // by entry: the next place that was not copied
	match  []int32 // by block: its place, or -1
}

// Plan implements Planner.
func (c *Chunk) Plan(dst []Action, recipient []uint32, donors []Donor) []Action {
	c.index.Build(c.Size, donors)
	c.unused, c.match = c.unused[:0], c.match[:0]
	for _, e := range c.index.items {
		c.unused = append(c.unused, e.first)
	}
	for start := 0; start+c.Size <= len(recipient); start += c.Size {
		p := int32(-1)
		if e := c.index.find(recipient[start : start+c.Size]); e >= 0 {
			if p = c.unused[e]; p >= 0 {
				c.unused[e] = c.index.places[p].next
			}
		}
		c.match = append(c.match, p)
	}
	first := len(dst)
	for i, p := range c.match {
		alone := (i == 0 || c.match[i-1] < 0) && (i+1 == len(c.match) || c.match[i+1] < 0)
		if p < 0 || c.Gated && alone {
			continue
		}
		at := c.index.places[p]
		a := Action{Copy, int64(i * c.Size), int64(c.Size), int64(at.start), donors[at.donor].ID}
		if n := len(dst); n > first && follows(dst[n-1], a) {
			dst[n-1].Len += a.Len
			continue
		}
		dst = append(dst, a)
	}
	return dst
}

// follows tells whether b goes on where a ends, on both sides.
func follows(a, b Action) bool {
	return a.DonorID == b.DonorID && a.TargetStart+a.Len == b.TargetStart && a.DonorStart+a.Len == b.DonorStart
}
