package openai

import "encoding/json"

// looseInt reads a count where engines differ in what stands there: what is no
// whole number of at least 0 is none.
type looseInt struct{ n *int64 }

func (c *looseInt) UnmarshalJSON(b []byte) error {
	var n *int64
	if json.Unmarshal(b, &n) == nil && n != nil && *n >= 0 {
		c.n = n
	}
	return nil
}

// looseDict reads an object of counts; what is no object has none.
type looseDict map[string]looseInt

func (d *looseDict) UnmarshalJSON(b []byte) error {
	m := map[string]looseInt{}
	if json.Unmarshal(b, &m) == nil {
		*d = m
	}
	return nil
}

// first is the first count that is there.
func first(list ...*int64) *int64 {
	for _, n := range list {
		if n != nil {
			return n
		}
	}
	return nil
}

// Later is what holds of a count that a stream tells several times: the later
// value, except that one that is left out or below 0 says nothing, and a 0 does
// not take back what was counted before.
func Later(before, now *int64) *int64 {
	if now == nil || *now < 0 || before != nil && *before > 0 && *now == 0 {
		return before
	}
	return now
}
