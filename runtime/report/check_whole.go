package report

import (
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
)

// whole checks that no row is left out: a series covers every combination at
// every offered load (FD-1.2-7), so what is reported of one load is reported of
// each. Rows whose keys are broken are named already.
func (c *checker) whole() {
	if c.stopped || len(c.offered) == 0 {
		return
	}
	if len(c.r.Threshold) == 0 && c.r.Topology.Position != "fip_downstream" && !c.reduced("search") {
		c.omit("FD-1.2-9", "threshold", "no threshold is reported, and that none was searched for is not stated as a reduction")
	}
	searches := tally{}
	for _, t := range c.r.Threshold {
		if t.Class != "" && t.Profile != "" {
			searches.add(measure.RowKey{Class: t.Class, Profile: t.Profile}, t.Load)
		}
	}
	for _, x := range searches.short(c.offered) {
		c.omit("FD-5.3-15", "threshold", "the threshold of %s is reported more often at other loads than at %s", rowName(x.Class, "", x.Profile, ""), x.Load)
	}
	if c.matchable() {
		trials := tally{}
		for _, x := range c.r.Coverage {
			trials.add(measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude}, x.Load)
		}
		for _, x := range trials.short(c.offered) {
			if !slices.ContainsFunc(c.r.Latency, func(l measure.Latency) bool { return keyOf(&l) == x }) { // else sections 5.1 and 5.2 do not match
				c.omit("FD-5.1-8", "coverage", "trials of %s are reported at other loads, and none at %s", rowName(x.Class, x.Magnitude, x.Profile, ""), x.Load)
			}
		}
	}
	c.wholeMasking()
}

func (c *checker) wholeMasking() {
	same := c.r.Topology.Position == positionSame
	masked := tally{}
	for _, m := range c.r.Masking {
		_, err := exact.Parse(deref(m.Magnitude))
		if c.classes[m.Class] == "" || !same && err != nil {
			return
		}
		masked.add(measure.RowKey{Class: m.Class, Magnitude: deref(m.Magnitude)}, m.Load)
	}
	if !same {
		for _, x := range masked.short(c.offered) {
			c.omit("FD-5.5-5", "masking", "the masking of %s is reported at other loads, and not at %s", rowName(x.Class, x.Magnitude, "", ""), x.Load)
		}
		return
	}
	applied := tally{}
	for _, x := range c.r.Coverage {
		applied.add(measure.RowKey{Class: x.Class}, x.Load)
	}
	for _, t := range c.r.Threshold {
		applied.add(measure.RowKey{Class: t.Class}, t.Load)
	}
	for _, key := range applied.keys {
		for _, load := range c.offered {
			if c.classes[key.Class] != "" && applied.n[key][load] > 0 && masked.n[measure.RowKey{Class: key.Class}][load] == 0 {
				c.omit("FD-5.5-8", "masking", "the masking of %s at %s is not reported as not applicable, and the two points are the same", key.Class, load)
			}
		}
	}
}

// tally counts the rows of a key at each load.
type tally struct {
	keys []measure.RowKey // in the order in which they came
	n    map[measure.RowKey]map[string]int
}

func (t *tally) add(key measure.RowKey, load string) {
	if t.n == nil {
		t.n = map[measure.RowKey]map[string]int{}
	}
	if t.n[key] == nil {
		t.n[key] = map[string]int{}
		t.keys = append(t.keys, key)
	}
	t.n[key][load]++
}

// short lists the keys with the loads at which they have fewer rows than at
// another one.
func (t *tally) short(loads []string) []measure.RowKey {
	var out []measure.RowKey
	for _, key := range t.keys {
		most := 0
		for _, load := range loads {
			most = max(most, t.n[key][load])
		}
		for _, load := range loads {
			if t.n[key][load] < most {
				missing := key
				missing.Load = load
				out = append(out, missing)
			}
		}
	}
	return out
}
