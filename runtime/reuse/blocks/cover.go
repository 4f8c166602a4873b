package blocks

import (
	"slices"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Operations of an action.
const (
	Copy      = "copy_from_donor"
	Recompute = "recompute"
)

// NoStart is the DonorStart of an action that does not say where in the donor
// its tokens stand.
const NoStart = -1

// Action is one step of a plan: what becomes of Len tokens of the recipient
// from TargetStart on.
type Action struct {
	Op          string
	TargetStart int64 // in tokens of the recipient, from 0
	Len         int64 // in tokens, at least 1
	DonorStart  int64 // in tokens of the donor, from 0; or NoStart
	DonorID     string
}

// Reasons why no donor can serve a copy. The first five actions are as good as
// not there; those with one of the last three mark their targets as copied,
// since the contract's candidate asks for no more (KV-3-1), and are never
// eligible.
const (
	UnknownOp      = "unknown_op"               // neither copy_from_donor nor recompute
	BadLength      = "length_below_one"         // copies nothing
	OutsideTarget  = "target_outside_recipient" // the recipient is shorter, or the start negative
	UnknownDonor   = "unknown_donor"            // the item has no donor of that id
	OutsideDonor   = "span_outside_donor"       // the donor is shorter, or the start negative
	MissingStart   = "donor_start_missing"      //
	MissingDonor   = "donor_id_missing"         // and the item has several, or none
	AmbiguousDonor = "donor_id_ambiguous"       // the item has two of that id
)

// reasons in the order in which they are reported.
var reasons = []string{UnknownOp, BadLength, OutsideTarget, UnknownDonor, OutsideDonor, MissingStart, MissingDonor, AmbiguousDonor}

// Coverage is what a plan does for a recipient.
type Coverage struct {
	Candidate int64 // full blocks every token of which is copied (KV-3-1)
	Eligible  int64 // of them, contiguous in one donor (KV-4-1)
	Copied    int64 // tokens, those of partial blocks included
	Donors    int64 // that a token is copied from
	// Invalid counts the actions that no donor can serve, by reason, in a
	// fixed order.
	Invalid []record.Reason
	// Differing counts copies of at least one token that is another one in the
	// donor. Semantic reuse may do that; they are valid.
	Differing int64
	// Overlapping counts tokens that were said to be copied or recomputed more
	// than once. The last action that can be served wins.
	Overlapping int64
}

// Cover applies plans. The zero value is ready; it is for one goroutine.
type Cover struct {
	from  []int32 // donor of each token of the recipient, or one of those below
	at    []int32 // its position in the donor
	used  []bool
	ids   map[string]int32
	count []int64
}

// What from may hold instead of a donor.
const (
	untold     = -1
	recomputed = -2
	somewhere  = -3 // copied, but nobody knows from where
)

// Measure applies a plan to a recipient. A later action wins over an earlier
// one.
func (c *Cover) Measure(size int, recipient []uint32, donors []Donor, actions []Action) Coverage {
	c.from = slices.Grow(c.from[:0], len(recipient))[:len(recipient)]
	c.at = slices.Grow(c.at[:0], len(recipient))[:len(recipient)]
	for i := range c.from {
		c.from[i] = untold
	}
	c.used = append(c.used[:0], make([]bool, len(donors))...)
	c.count = append(c.count[:0], make([]int64, len(reasons))...)
	c.name(donors)
	var v Coverage
	for _, a := range actions {
		if a.Op == Recompute {
			// Outside of the recipient there is nothing that it could undo.
			end := min(a.TargetStart+max(a.Len, 0), int64(len(recipient)))
			for i := max(a.TargetStart, 0); i < end; i++ {
				c.mark(&v, i, recomputed, 0)
			}
			continue
		}
		donor, reason := c.serve(a, recipient, donors)
		if reason != "" {
			c.count[slices.Index(reasons, reason)]++
			if reason != MissingStart && reason != MissingDonor && reason != AmbiguousDonor {
				continue
			}
			for i := range a.Len {
				c.mark(&v, a.TargetStart+i, somewhere, 0)
			}
			continue
		}
		for i := range a.Len {
			c.mark(&v, a.TargetStart+i, donor, int32(a.DonorStart+i))
		}
		if !slices.Equal(recipient[a.TargetStart:][:a.Len], donors[donor].Tokens[a.DonorStart:][:a.Len]) {
			v.Differing++
		}
	}
	c.sum(&v, size)
	for i, n := range c.count {
		if n > 0 {
			v.Invalid = append(v.Invalid, record.Reason{Reason: reasons[i], N: n})
		}
	}
	return v
}

func (c *Cover) mark(v *Coverage, i int64, donor, at int32) {
	if c.from[i] != untold {
		v.Overlapping++
	}
	c.from[i], c.at[i] = donor, at
}

// name prepares the look-up of donors by id.
func (c *Cover) name(donors []Donor) {
	if c.ids == nil {
		c.ids = map[string]int32{}
	}
	clear(c.ids)
	for i, d := range donors {
		if _, twice := c.ids[d.ID]; twice {
			i = -1
		}
		c.ids[d.ID] = int32(i)
	}
}

// serve returns the donor that an action copies from, or why there is none.
func (c *Cover) serve(a Action, recipient []uint32, donors []Donor) (donor int32, reason string) {
	switch {
	case a.Op != Copy:
		return 0, UnknownOp
	case a.Len < 1:
		return 0, BadLength
	case a.TargetStart < 0 || a.TargetStart >= int64(len(recipient)) || a.Len > int64(len(recipient))-a.TargetStart:
		return 0, OutsideTarget
	}
	if a.DonorID != "" {
		known := false
		if donor, known = c.ids[a.DonorID]; !known {
			return 0, UnknownDonor
		}
		if donor < 0 {
			return 0, AmbiguousDonor
		}
	} else if len(donors) != 1 {
		return 0, MissingDonor
	}
	n := int64(len(donors[donor].Tokens))
	switch {
	case a.DonorStart == NoStart:
		return 0, MissingStart
	case a.DonorStart < 0 || a.DonorStart >= n || a.Len > n-a.DonorStart:
		return 0, OutsideDonor
	}
	return donor, ""
}

// sum counts tokens, donors and full blocks.
func (c *Cover) sum(v *Coverage, size int) {
	for _, d := range c.from {
		if d >= 0 || d == somewhere {
			v.Copied++
		}
		if d >= 0 && !c.used[d] {
			c.used[d] = true
			v.Donors++
		}
	}
	for start := 0; start+size <= len(c.from); start += size {
		from, at := c.from[start:start+size], c.at[start:start+size]
		candidate, eligible := true, true
		for i := range from {
			if from[i] == untold || from[i] == recomputed {
				candidate = false
				break
			}
			if from[i] != from[0] || at[i] != at[0]+int32(i) {
				eligible = false
			}
		}
		if candidate {
			v.Candidate++
			if eligible && from[0] >= 0 {
				v.Eligible++
			}
		}
	}
}
