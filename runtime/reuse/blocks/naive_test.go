package blocks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The definitions of the contract, as they are read and without a thought for
// time. Everything fast is held against them.

func cut(size int, tokens []uint32) [][]uint32 {
	var bs [][]uint32
	for i := range len(tokens) / size {
		bs = append(bs, tokens[i*size:(i+1)*size])
	}
	return bs
}

func naiveHits(size int, recipient []uint32, donors []Donor) (exact, prefix int64) {
	have := map[string]bool{}
	for _, d := range donors {
		n := int64(0)
		leads := true
		for i, b := range cut(size, d.Tokens) {
			have[fmt.Sprint(b)] = true
			r := cut(size, recipient)
			if leads = leads && i < len(r) && slices.Equal(r[i], b); leads {
				n++
			}
		}
		prefix = max(prefix, n)
	}
	for _, b := range cut(size, recipient) {
		if have[fmt.Sprint(b)] {
			exact++
		}
	}
	return exact, prefix
}

func naiveSpan(minRun int, recipient []uint32, donors []Donor) (as []Action) {
	for t := 0; t < len(recipient); {
		var best Action
		for _, d := range donors {
			for at := range d.Tokens {
				n := 0
				for t+n < len(recipient) && at+n < len(d.Tokens) && recipient[t+n] == d.Tokens[at+n] {
					n++
				}
				if n > int(best.Len) {
					best = Action{Copy, int64(t), int64(n), int64(at), d.ID}
				}
			}
		}
		if best.Len < int64(minRun) {
			t++
			continue
		}
		as = append(as, best)
		t += int(best.Len)
	}
	return as
}

func naiveChunk(size int, gated bool, recipient []uint32, donors []Donor) (as []Action) {
	used := map[string]bool{}
	var matches []*Action
	for i, r := range cut(size, recipient) {
		var match *Action
		for _, d := range donors {
			for j, b := range cut(size, d.Tokens) {
				id := fmt.Sprint(d.ID, j)
				if match == nil && !used[id] && slices.Equal(r, b) {
					used[id] = true
					match = &Action{Copy, int64(i * size), int64(size), int64(j * size), d.ID}
				}
			}
		}
		matches = append(matches, match)
	}
	for i, m := range matches {
		near := i > 0 && matches[i-1] != nil || i+1 < len(matches) && matches[i+1] != nil
		if m == nil || gated && !near {
			continue
		}
		if n := len(as); n > 0 && as[n-1].DonorID == m.DonorID && as[n-1].TargetStart+as[n-1].Len == m.TargetStart && as[n-1].DonorStart+as[n-1].Len == m.DonorStart {
			as[n-1].Len += m.Len
			continue
		}
		as = append(as, *m)
	}
	return as
}

// naiveCover counts blocks of valid, disjoint actions.
func naiveCover(size int, recipient []uint32, actions []Action) (candidate, eligible int64) {
	from := make([]string, len(recipient))
	for _, a := range actions {
		for i := range a.Len {
			from[a.TargetStart+i] = fmt.Sprintf("%s@%d", a.DonorID, a.DonorStart-a.TargetStart)
		}
	}
	for i := range len(recipient) / size {
		b := from[i*size : (i+1)*size]
		if slices.Contains(b, "") {
			continue
		}
		candidate++
		if len(strings.Trim(strings.Join(b, ","), ",")) == len(b)*(len(b[0])+1)-1 && !slices.ContainsFunc(b, func(s string) bool { return s != b[0] }) {
			eligible++
		}
	}
	return candidate, eligible
}

// item makes donors and a recipient that share pieces, of an alphabet that is
// small enough for chance matches.
func item(rng *rand.Rand) (recipient []uint32, donors []Donor) {
	alphabet := []uint32{1, 2, 3, 8, 1000}[rng.IntN(5)]
	text := func(n int) []uint32 {
		t := make([]uint32, n)
		period := 1 + rng.IntN(1+n)
		for i := range t {
			if i >= period && rng.IntN(20) > 0 {
				t[i] = t[i-period]
			} else {
				t[i] = rng.Uint32N(alphabet)
			}
		}
		return t
	}
	for i := range rng.IntN(4) {
		donors = append(donors, Donor{fmt.Sprintf("d%d", i), text(rng.IntN(150))})
	}
	for range rng.IntN(6) {
		if len(donors) > 0 && rng.IntN(3) > 0 {
			if d := donors[rng.IntN(len(donors))].Tokens; len(d) > 0 {
				from := rng.IntN(len(d))
				recipient = append(recipient, d[from:from+rng.IntN(len(d)-from+1)]...)
				continue
			}
		}
		recipient = append(recipient, text(rng.IntN(40))...)
	}
	return recipient, donors
}
