package evidence

import (
	"bytes"
	"math"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// auditVersion is the schema version of the lines that are read.
const auditVersion = "2"

// audit reads the audit of a KV connector: an object a line. A connector
// advertises a load of a semantic span only after its lookup hit, so an
// advertisement of more than 0 tokens is the request's hit.
type audit struct {
	m auditEvent
	c record.ConnectorAudit
}

// auditEvent are the members of an event that are read, as written.
type auditEvent struct {
	version, event, request, requestSeq, eventSeq      []byte
	boundary, start, tokens, count, spans, why, blocks []byte
}

func (*audit) needles() (exact, folded []string) { return nil, nil }

func (a *audit) line(l *Log, line, _ []byte) {
	line = bytes.TrimPrefix(line, mark)
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	m := &a.m
	*m = auditEvent{}
	switch {
	case !members(line, m.set):
		l.e.Malformed++
		l.trouble(line)
		return
	case string(m.version) != auditVersion:
		a.c.OtherVersions++
		return
	}
	id := scalar(m.request)
	if !named(id) {
		a.c.EngineEvents++
		if name, _ := unquote(m.event); string(name) == "prefix_cache_blocks_evicted" {
			n, ok := whole(m.blocks)
			a.c.Evicted += n
			if !ok {
				l.e.Malformed++
			}
		}
		return
	}
	a.c.RequestEvents++
	if !a.event(l, l.request(id)) {
		l.e.Malformed++
	}
}

// event reads an event of a request. It tells whether the event has what its
// name promises.
func (a *audit) event(l *Log, i int) bool {
	m := &a.m
	name, _ := unquote(m.event)
	switch string(name) {
	case "request_first_seen":
	case "semantic_span_load_advertised":
		n, ok := whole(m.count)
		if !ok {
			return false
		}
		a.advertise(l, i, n)
	case "semantic_span_boundary_missed":
		if i != none {
			l.table.at(i).flags |= flagBoundary
		}
	case "load_allocated":
		n, ok := whole(m.tokens)
		a.c.Allocated += n
		return ok
	case "runtime_materialized":
		n, ok := whole(m.tokens)
		if !ok {
			return false
		}
		l.materialize(i, n, false)
	case "runtime_materialization_declined":
		a.c.Declined++
		why, _ := unquote(m.why)
		if len(why) == 0 {
			why = name
		}
		l.reasons.add(why)
	case "":
		return false
	default:
		if bytes.HasPrefix(name, []byte("lookup_skipped_")) {
			l.reasons.add(name)
			return true
		}
		l.unknown.add(name)
	}
	return true
}

// advertise takes an advertisement over. Of several of one request the last one
// counts, in the order that its scheduler gives them and not that of the lines,
// which several writers may mix.
func (a *audit) advertise(l *Log, i int, n int64) {
	l.e.LoadAdvertisements++
	if n > 0 {
		l.e.SemanticHitsWhole++
	}
	if i == none {
		return
	}
	x := l.table.at(i)
	request, _ := whole(a.m.requestSeq)
	event, _ := whole(a.m.eventSeq)
	order := uint64(min(request, math.MaxUint32))<<32 | uint64(min(event, math.MaxUint32))
	x.flags |= flagBoundary
	if x.flags&flagAdvertised != 0 && order < x.order {
		return
	}
	x.order = order
	l.e.AdvertisedTokens += n - int64(x.advertised)
	x.advertised = add32(0, n)
	x.flags &^= flagHit | flagDiscovery | flagAligned
	x.flags |= flagAdvertised
	if a.aligned() {
		x.flags |= flagAligned
	}
	x.hits = 0
	if j := l.ownOf(i); j != nil {
		j.Advertised, j.Hits, j.Discovery = n, 0, 0
		delete(l.own.lines, i)
	}
	l.hit(i, n, math.NaN(), false)
}

// aligned tells whether the boundary of the event is where a span starts.
func (a *audit) aligned() bool {
	boundary, ok := whole(a.m.boundary)
	if !ok {
		return false
	}
	if start, ok := whole(a.m.start); ok && start == boundary {
		return true
	}
	found := false
	elements(a.m.spans, func(span []byte) {
		members(span, func(name, value []byte) {
			if start, ok := whole(value); ok && string(name) == "target_start" && start == boundary {
				found = true
			}
		})
	})
	return found
}

func (m *auditEvent) set(name, value []byte) {
	switch string(name) {
	case "schema_version":
		m.version = value
	case "event":
		m.event = value
	case "request_id":
		m.request = value
	case "request_seq":
		m.requestSeq = value
	case "event_seq":
		m.eventSeq = value
	case "boundary":
		m.boundary = value
	case "target_start":
		m.start = value
	case "tokens":
		m.tokens = value
	case "token_count":
		m.count = value
	case "snapped_spans":
		m.spans = value
	case "declined_reason":
		m.why = value
	case "blocks_evicted":
		m.blocks = value
	}
}

// end adds the shares that are only known when all requests are.
func (a *audit) end(l *Log) {
	c := a.c
	l.table.each(func(x *entry) {
		if x.flags&flagBoundary != 0 {
			c.Aligned.Denominator++
			if x.flags&flagAligned != 0 {
				c.Aligned.Numerator++
			}
		}
		if x.advertised > 0 {
			c.Reused.Denominator++
			c.Tokens.Denominator += int64(x.advertised)
			c.Tokens.Numerator += int64(x.amount)
			if x.amount > 0 {
				c.Reused.Numerator++
			}
		}
	})
	l.e.Connector = &c
	l.e.EventsWhole, l.e.TokensWhole = l.e.Materializations, l.e.MaterializedTokens
}
