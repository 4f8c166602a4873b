package measure

import (
	"github.com/fdbench/fdbench/runtime/journal"
)

// want is a member that a requirement asks a record to hold. Without it, or
// with null in its place, the record says nothing, and a zero that decoding
// would put there must not pass for an answer.
type want struct {
	name string
	rule string // broken where it is absent or null
	sub  []want // of the object, or of every element of the list, that it is
}

// wanted lists them by the kind of entry.
var wanted = map[string][]want{
	journal.KindOpen: {
		{name: "time", rule: "FD-1.1-3"},
		{name: "engine", rule: "FD-4.1-5"},
		{name: "generation", rule: "FD-3.2-3"},
		{name: "onset", rule: "FD-3.4-1", sub: []want{{name: "source", rule: "FD-3.4-2"}, {name: "resolution_ns", rule: "FD-3.4-1"}}},
		{name: "hosts", rule: "FD-3.5-6", sub: []want{{name: "apparatus", rule: "FD-3.5-6"}, {name: "detector", rule: "FD-3.5-6"}}},
		{name: "targets", rule: "FD-7-1", sub: []want{{name: "address", rule: "FD-7-1"}}},
	},
	journal.KindReadback: {
		{name: "detector", rule: "FD-3.2-2"},
		{name: "serving", rule: "FD-3.4-3"},
		{name: "population", rule: "FD-3.3-2"},
	},
	journal.KindBaseline: {
		{name: "from_ns", rule: "FD-4.2-1"},
		{name: "to_ns", rule: "FD-4.2-1"},
		{name: "requests", rule: "FD-4.2-1"},
		{name: "environment", rule: "FD-1.2-2"},
		{name: "indicators", rule: "FD-4.2-4", sub: []want{{name: "method", rule: "FD-5.5-3"}, {name: "windows", rule: "FD-4.2-5"}}},
	},
	journal.KindQuiet: {
		{name: "from_ns", rule: "FD-4.3-2"},
		{name: "to_ns", rule: "FD-4.3-2"},
		{name: "reached", rule: "FD-4.3-3"},
		{name: "last", rule: "FD-4.3-3"},
		{name: "state", rule: "FD-4.3-4", sub: []want{{name: "firing", rule: "FD-4.3-4"}, {name: "pending", rule: "FD-4.3-4"}, {name: "groups", rule: "FD-4.3-4"}}},
	},
	journal.KindApply: {
		{name: "class", rule: "FD-5.1-3"},
		{name: "magnitude", rule: "FD-5.1-3"},
		{name: "fraction", rule: "FD-5.1-3"},
		{name: "at_ns", rule: "FD-5.1-3"},
	},
	journal.KindTrial: {
		{name: "apply_requested_ns", rule: "FD-5.1-3"},
		{name: "onset_ns", rule: "FD-3.1-4"},
		{name: "first_affected_ns", rule: "FD-5.1-4"},
		{name: "plateau_ns", rule: "FD-3.4-6"},
		{name: "removal_requested_ns", rule: "FD-4.3-1"},
		{name: "removal_confirmed_ns", rule: "FD-4.3-1"},
		{name: "verification", rule: "FD-3.4-6", sub: []want{
			{name: "from_ns", rule: "FD-3.4-6"}, {name: "to_ns", rule: "FD-3.4-6"}, {name: "n", rule: "FD-3.4-6"},
			{name: "sum_before", rule: "FD-3.4-6"}, {name: "sum_injection", rule: "FD-3.4-6"}, {name: "achieved", rule: "FD-3.4-6"},
			{name: "method", rule: "FD-3.4-6"}, {name: "sum_observation", rule: "FD-5.5-2"}, {name: "observed_from_ns", rule: "FD-5.5-2"},
			{name: "observed_to_ns", rule: "FD-5.5-2"}, {name: "observed_n", rule: "FD-5.5-2"}}},
		{name: "kept", rule: "FD-3.4-8"},
		{name: "discard", rule: "FD-3.4-8"},
		{name: "detected", rule: "FD-5.1-5"},
		{name: "latency_s", rule: "FD-3.5-1"},
		{name: "requests", rule: "FD-3.3-1"},
		{name: "offered_windows", rule: "FD-3.3-1", sub: []want{{name: "window_ns", rule: "FD-3.3-1"}, {name: "windows", rule: "FD-3.3-1"},
			{name: "fewest", rule: "FD-3.3-1"}, {name: "most", rule: "FD-3.3-1"}}},
		{name: "readbacks", rule: "FD-3.2-2"},
		{name: "cached", rule: "FD-3.3-7"},
	},
	journal.KindSearchStep: {
		{name: "magnitude", rule: "FD-5.3-7"},
		{name: "detected", rule: "FD-5.3-6"},
		{name: "trials", rule: "FD-5.3-6"},
		{name: "met", rule: "FD-5.3-7"},
	},
	journal.KindFalseDetection: {
		{name: "from_ns", rule: "FD-5.4-4"},
		{name: "to_ns", rule: "FD-5.4-4"},
		{name: "requests", rule: "FD-5.4-1"},
		{name: "active_ns", rule: "FD-5.4-2"},
		{name: "count", rule: "FD-5.4-2"},
		{name: "edges", rule: "FD-5.4-2"},
		{name: "by_class", rule: "FD-5.4-2"},
		{name: "events", rule: "FD-5.4-2"},
	},
	journal.KindClock: {
		{name: "offset_ns", rule: "FD-3.5-2"},
		{name: "delay_ns", rule: "FD-3.5-2"},
		{name: "bound_ns", rule: "FD-3.5-2"},
		{name: "method", rule: "FD-3.5-2"},
		{name: "moment", rule: "FD-3.5-2"},
	},
}

// members checks an entry against the table, and remembers what it lacks by
// its path until the next entry.
func (c *computer) members(e journal.Entry) {
	clear(c.lacking)
	if list := wanted[e.Kind]; list != nil {
		c.look(e, e.Data, "", list)
	}
}

func (c *computer) look(e journal.Entry, object []byte, prefix string, list []want) {
	var values [maxWanted][]byte
	eachMember(object, func(name, value []byte) {
		for i := range list {
			if list[i].name == string(name) {
				values[i] = value
				break
			}
		}
	})
	for i, w := range list {
		v := values[i]
		switch {
		case len(v) == 0 || v[0] == 'n':
			c.breach(w.rule, "", "a record of kind \""+e.Kind+"\" has no member \""+prefix+w.name+"\"", e.Line)
			c.lacking[prefix+w.name] = true
		case w.sub != nil && v[0] == '[':
			eachElement(v, func(x []byte) { c.look(e, x, prefix+w.name+".", w.sub) })
		case w.sub != nil && v[0] == '{':
			c.look(e, v, prefix+w.name+".", w.sub)
		}
	}
}

// maxWanted bounds the members that one object of the table has.
const maxWanted = 24

// lacks tells whether any of some members is missing in the entry at hand, so
// that what rests on it cannot be checked and is not broken a second time.
func (c *computer) lacks(paths ...string) bool {
	for _, p := range paths {
		if c.lacking[p] {
			return true
		}
	}
	return false
}

// mend puts what can be told otherwise in the place of what a trial lacks, so
// that one missing member is one violation.
func (c *computer) mend(t *journal.TrialRecord) {
	if c.lacks("detected") {
		t.Detected = t.Event != nil
	}
	if c.lacks("kept") {
		t.Kept = t.Discard == ""
	}
	if c.lacks("onset_ns") {
		t.Onset = t.Requested
		if t.Detected && t.Event != nil {
			t.Onset = max(t.Requested, c.eventTime(t)-int64(t.Latency))
		}
	}
	if c.lacks("apply_requested_ns") {
		t.Requested = t.Onset
	}
	if c.lacks("plateau_ns") {
		t.Plateau = t.Onset
	}
	if c.lacks("first_affected_ns") {
		t.FirstAffected = t.Onset
	}
	if c.lacks("removal_requested_ns") {
		t.RemovalAsked = t.Removed
	}
	if c.lacks("removal_confirmed_ns") {
		t.Removed = max(t.RemovalAsked, t.Onset)
	}
	if c.lacks("latency_s") && t.Event != nil {
		t.Latency = c.latency(t)
	}
}
