package arms

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/random"
)

// Orders of the arms of a pair (plan.ReuseLive.Order).
const (
	ColdFirst       = "cold_first"
	Counterbalanced = "counterbalanced"
)

// WarmFirst tells whether the n-th pair, from 0, begins with its warm arm. With
// a counterbalanced order one of the pairs 2k and 2k+1 does, drawn from the
// declared seed: whatever drifts over a run meets both arms alike, and any even
// number of pairs is balanced exactly. It depends on nothing but the plan and n.
func WarmFirst(p *plan.Reuse, n int64) bool {
	if p.Declaration.Live == nil || p.Declaration.Live.Order != Counterbalanced {
		return false
	}
	s := random.New("reuse", p.Name, p.Declaration.Seed, "order", strconv.FormatInt(n/2, 10))
	return s.Below(2) == uint64(n%2)
}

// Worker is the one of n workers that a donor goes to: SHA-256 of its id, the
// first eight bytes as a big-endian number, modulo n. It does not depend on the
// order in which donors come, so that a donor that comes again goes where its
// KV is.
func Worker(donorID string, n int) int {
	h := sha256.Sum256([]byte(donorID))
	return int(binary.BigEndian.Uint64(h[:8]) % uint64(n))
}
