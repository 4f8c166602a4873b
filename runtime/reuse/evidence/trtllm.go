package evidence

import (
	"bytes"
	"math"
)

// trtllm reads the audit of a TensorRT-LLM connector: an object a line. It
// counts what it materialises in units that are no tokens (KV-5-8), and a
// boundary of the blend apart from both (KV-5-9).
type trtllm struct{ m trtEvent }

// trtEvent are the members of an event that are read, as written.
type trtEvent struct{ event, request, found, similarity, reason, materialized, rope []byte }

func (*trtllm) needles() (exact, folded []string) { return nil, nil }

// end adds the contract's own reading, which takes every event of the kind.
func (*trtllm) end(l *Log) { l.e.EventsWhole = l.e.Materializations }

var mark = []byte("\xef\xbb\xbf")

func (t *trtllm) line(l *Log, line, _ []byte) {
	line = bytes.TrimPrefix(line, mark)
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	m := &t.m
	*m = trtEvent{}
	if !members(line, m.set) {
		t.other(l, line)
		return
	}
	if v, ok := unquote(m.reason); ok && len(v) > 0 {
		l.reasons.add(v)
	}
	i := l.request(scalar(m.request))
	switch name, _ := unquote(m.event); string(name) {
	case "donor_registered":
		l.e.DonorRegistrations++
	case "lookup":
		if string(m.found) == "true" {
			l.e.SemanticHitsWhole++
			similarity := math.NaN()
			if len(m.similarity) > 0 {
				similarity = decimal(m.similarity)
			}
			l.hit(i, unsaid, similarity, false)
		}
	case "materialized":
		n, ok := whole(m.materialized)
		if !ok {
			l.e.Malformed++
			return
		}
		l.materialize(i, n, true)
		if truthy(m.rope) {
			l.e.RopeCorrections++
		}
	case "engine_blend_boundary":
		l.boundary(i)
	case "":
		l.unknown.add([]byte("unknown"))
	default:
		l.unknown.add(name)
	}
}

// set takes a member over.
func (m *trtEvent) set(name, value []byte) {
	switch string(name) {
	case "event":
		m.event = value
	case "request_id":
		m.request = value
	case "found":
		m.found = value
	case "similarity":
		m.similarity = value
	case "rejection_reason":
		m.reason = value
	case "materialized":
		m.materialized = value
	case "requires_rope_correction":
		m.rope = value
	}
}

// other counts a line that is no object: a warning of the runtime among the
// events, or one that is malformed, and an error where it says so.
func (*trtllm) other(l *Log, line []byte) {
	warning := isWarning(line)
	if !warning {
		l.e.ErrorsWhole++
		l.e.Malformed++
	}
	switch {
	case isError(line):
		l.e.Errors++
	case warning:
		l.e.Warnings++
	}
}
