package audit

import (
	"fmt"
	"io"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// Modes of an audit.
const (
	// Full looks at all items. Every donor block is owned by the document that
	// it comes from; blocks that many documents own are boilerplate, and
	// exempt. Memory grows with the distinct donor blocks, about 60 bytes each.
	Full = "full"
	// Controls holds each negative control against its own donors, and exempts
	// nothing. Memory is constant. Origins, distinct and boilerplate blocks are
	// not counted, and donor blocks are those of the controls.
	Controls = "controls"
)

// Kinds of collisions.
const (
	// Overlap is a block that a negative control shares with its own donors.
	Overlap = "negative_control_overlap"
	// Phantom is a block of a recipient that a donor from another document
	// has. One that is an Overlap is not counted again.
	Phantom = "phantom_cross_source"
	// Template is an Overlap of a block that is exempt as boilerplate. It is no
	// violation by the contract's rule, which does not see it: prompts of one
	// template share it whatever they are about. A control that has many of
	// them is warm from its template alone.
	Template = "negative_control_template_overlap"
)

// Report is an audit with the collisions that are exempt.
type Report struct {
	record.Audit
	ExemptListed []record.Collision `json:"exempt_listed"` // of kind Template, at most record.MaxCollisions
}

// Open opens a manifest at its beginning. It is called once for each pass.
type Open func() (*manifest.Reader, io.Closer, error)

// Run audits a manifest for blocks of size tokens, at least 1. An item of which
// several blocks collide has a violation for each.
func Run(mode string, tok tokens.Tokenizer, size int, open func() (*manifest.Reader, io.Closer, error)) (record.Audit, error) {
	r, err := Detail(mode, tok, size, open)
	if err != nil {
		return record.Audit{}, err
	}
	return r.Audit, nil
}

// Detail is Run with the exempt collisions spelled out.
func Detail(mode string, tok tokens.Tokenizer, size int, open Open) (*Report, error) {
	if size < 1 {
		return nil, fmt.Errorf("a block has at least 1 token, and the block size is %d", size)
	}
	a := &auditor{cutter: cutter{tok, size}, open: open}
	a.report.Listed = []record.Collision{}
	a.report.ExemptListed = []record.Collision{}
	var err error
	switch mode {
	case Full:
		err = a.full()
	case Controls:
		err = a.controls()
	default:
		return nil, fmt.Errorf("there is no audit %q; there are %s and %s", mode, Full, Controls)
	}
	if err != nil {
		return nil, err
	}
	return &a.report, nil
}

type auditor struct {
	cutter
	open   Open
	report Report
}

// each goes through the manifest once.
func (a *auditor) each(work func(*manifest.Item, *scratch) cut, merge func(*manifest.Item, cut)) error {
	r, c, err := a.open()
	if err != nil {
		return err
	}
	err = ordered(r.Next, work, merge)
	if closing := c.Close(); err == nil {
		err = closing
	}
	return err
}

func (a *auditor) violation(kind string, it *manifest.Item, block int, origin string) {
	a.report.Violations++
	if len(a.report.Listed) < record.MaxCollisions {
		a.report.Listed = append(a.report.Listed, record.Collision{Kind: kind, ItemID: it.ItemID, Block: int64(block), Origin: origin})
	}
}

func (a *auditor) exempt(it *manifest.Item, block int, origin string) {
	a.report.Exempt++
	if len(a.report.ExemptListed) < record.MaxCollisions {
		a.report.ExemptListed = append(a.report.ExemptListed, record.Collision{Kind: Template, ItemID: it.ItemID, Block: int64(block), Origin: origin})
	}
}

// controls holds each control against its own donors.
func (a *auditor) controls() error {
	return a.each(func(it *manifest.Item, s *scratch) cut {
		if !it.Control {
			return cut{}
		}
		return cut{donors: a.donors(it, s), recipient: a.recipient(it, s)}
	}, func(it *manifest.Item, c cut) {
		for _, d := range c.donors {
			a.report.DonorBlocks += int64(len(d.blocks))
		}
		own := c.own()
		for i, b := range c.recipient {
			if origin, shared := own[b]; shared {
				a.violation(Overlap, it, i, origin)
			}
		}
	})
}

// owners are the documents that a block comes from, by number: at most the
// first two, which is all there are where it is no boilerplate.
type owners struct {
	first, second int32
	n             uint8 // 1, 2, or 3 for more
}

func (o owners) with(origin int32) owners {
	switch {
	case o.n == 0:
		return owners{first: origin, n: 1}
	case o.first == origin || o.n >= 2 && o.second == origin || o.n >= 3:
	case o.n == 1:
		o.second, o.n = origin, 2
	default:
		o.n = 3
	}
	return o
}

// foreign is an owner other than the document, the first one that came.
func (o owners) foreign(document int32) (int32, bool) {
	switch {
	case o.n >= 1 && o.first != document:
		return o.first, true
	case o.n >= 2 && o.second != document:
		return o.second, true
	}
	return 0, false
}

// full goes through the manifest twice: for the owners of donor blocks, and for
// the recipients.
func (a *auditor) full() error {
	index := map[block]owners{}
	numbers := map[string]int32{}
	var names []string
	err := a.each(func(it *manifest.Item, s *scratch) cut {
		return cut{donors: a.donors(it, s)}
	}, func(_ *manifest.Item, c cut) {
		for _, d := range c.donors {
			n, known := numbers[d.origin]
			if !known {
				n = int32(len(names))
				numbers[d.origin] = n
				names = append(names, d.origin)
			}
			a.report.DonorBlocks += int64(len(d.blocks))
			for _, b := range d.blocks {
				index[b] = index[b].with(n)
			}
		}
	})
	if err != nil {
		return err
	}
	// The rule of the contract: what three documents have, or both of two, is
	// boilerplate.
	many := uint8(max(2, min(3, len(names))))
	a.report.Origins, a.report.Distinct = int64(len(names)), int64(len(index))
	for _, o := range index {
		if o.n >= many {
			a.report.Boilerplate++
		}
	}
	return a.each(func(it *manifest.Item, s *scratch) cut {
		c := cut{recipient: a.recipient(it, s)}
		if it.Control {
			c.donors = a.donors(it, s)
		}
		return c
	}, func(it *manifest.Item, c cut) {
		document, known := numbers[it.SourceID]
		if !known {
			document = -1
		}
		own := c.own()
		for i, b := range c.recipient {
			o, reused := index[b]
			if !reused {
				continue
			}
			origin, shared := own[b]
			switch {
			case o.n >= many && shared:
				a.exempt(it, i, origin)
			case o.n >= many:
			case shared:
				a.violation(Overlap, it, i, origin)
			default:
				if f, found := o.foreign(document); found {
					a.violation(Phantom, it, i, names[f])
				}
			}
		}
	})
}
