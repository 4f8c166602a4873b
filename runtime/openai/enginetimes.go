package openai

import (
	"encoding/json"
	"math"
)

// EngineTimes are times of one request on the engine's own clock, in
// milliseconds; nil where it does not tell them. They are never added up: the
// time to the first token begins where the queue ends.
type EngineTimes struct {
	TTFT  *float64 // from scheduling to the first token, without the queue
	Queue *float64 // from arrival to scheduling
}

// The names under which engines tell the two, the surest first. A name without
// _ms is in seconds.
var (
	ttftNames  = []timeName{{"time_to_first_token_ms", 1}, {"ttft_ms", 1}, {"time_to_first_token", 1000}, {"ttft", 1000}}
	queueNames = []timeName{{"queue_time_ms", 1}, {"time_in_queue_ms", 1}, {"queue_time", 1000}, {"time_in_queue", 1000}}
)

type timeName struct {
	name string
	ms   float64 // of its unit
}

// ReadEngineTimes reads the two from the object that an engine puts beside the
// usage, or from its instants in seconds (arrival_time, first_scheduled_time,
// first_token_time) where it tells those alone. It is nil where neither is
// there; a value that is no number of at least 0 is not there.
func ReadEngineTimes(raw json.RawMessage) *EngineTimes {
	var m map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	number := func(name string) (float64, bool) {
		var f *float64
		if json.Unmarshal(m[name], &f) != nil || f == nil {
			return 0, false
		}
		return *f, true
	}
	named := func(names []timeName) *float64 {
		for _, n := range names {
			if f, ok := number(n.name); ok && f >= 0 && !math.IsInf(f*n.ms, 0) {
				f *= n.ms
				return &f
			}
		}
		return nil
	}
	between := func(from, to string) *float64 {
		a, ok := number(from)
		b, also := number(to)
		if d := (b - a) * 1000; ok && also && d >= 0 && !math.IsInf(d, 0) {
			return &d
		}
		return nil
	}
	t := EngineTimes{named(ttftNames), named(queueNames)}
	if t.TTFT == nil {
		t.TTFT = between("first_scheduled_time", "first_token_time")
	}
	if t.Queue == nil {
		t.Queue = between("arrival_time", "first_scheduled_time")
	}
	if t.TTFT == nil && t.Queue == nil {
		return nil
	}
	return &t
}
