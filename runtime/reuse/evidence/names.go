package evidence

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Bounds of what is kept of names that a log brings along.
const (
	maxNames = 256
	maxName  = 128 // bytes
)

// others stands for the names after the first maxNames.
const others = "(others)"

// names counts by name, in bounded memory.
type names struct{ n map[string]int64 }

func (c *names) add(name []byte) {
	if len(name) > maxName {
		name = name[:maxName]
	}
	if c.n == nil {
		c.n = map[string]int64{}
	}
	if _, ok := c.n[string(name)]; ok || len(c.n) < maxNames {
		c.n[string(name)]++
		return
	}
	c.n[others]++
}

// sorted returns the counts by name, in the order of the names; never nil.
func (c *names) sorted() []record.Reason {
	byName := map[string]int64{}
	for name, n := range c.n {
		byName[strings.ToValidUTF8(name, "\uFFFD")] += n
	}
	out := make([]record.Reason, 0, len(byName))
	for name, n := range byName {
		out = append(out, record.Reason{Reason: name, N: n})
	}
	slices.SortFunc(out, func(a, b record.Reason) int { return strings.Compare(a.Reason, b.Reason) })
	return out
}
