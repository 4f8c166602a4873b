package evidence

import "io"

// Seen is what a log says of one request.
type Seen struct {
	RequestID    string `json:"request_id"`
	Hits         int64  `json:"hits"`
	Discovery    bool   `json:"discovery_only"` // a lookup found a donor, and none offers tokens
	Advertised   int64  `json:"advertised_tokens"`
	Materialized int64  `json:"materializations"`
	Amount       int64  `json:"materialized"` // tokens, or units where the engine counts no tokens
	Boundaries   int64  `json:"engine_boundaries"`
	Reused       bool   `json:"materialized_semantic_kv_reuse"` // both a hit and a materialisation of more than 0
}

// Requests reads a log that was read before once more, and calls fn for each
// request of which it has evidence, in the order of their first mention; a
// request that is only named is left out. The log keeps no ids, so that the
// bytes are wanted again. An error is a *FormatError, r's or fn's.
//
// Counters of one request stop at 65535 lines, 255 boundaries and 2^32-1
// tokens.
func (l *Log) Requests(r io.Reader, fn func(Seen) error) error {
	l.table.each(func(x *entry) { x.flags &^= flagListed })
	again := &Log{engine: l.engine, parser: newParser(l.engine), list: &listing{of: l, fn: fn}}
	again.lines.start(again.parser)
	if err := again.lines.read(again, &stopping{r, again.list}); err != nil {
		return err
	}
	return again.list.err
}

// listing tells of each request at its first mention.
type listing struct {
	of  *Log
	fn  func(Seen) error
	err error
}

// stopping ends the reading when fn has failed.
type stopping struct {
	io.Reader
	list *listing
}

func (s *stopping) Read(b []byte) (int, error) {
	if s.list.err != nil {
		return 0, s.list.err
	}
	return s.Reader.Read(b)
}

func (s *listing) mention(id []byte) {
	i := s.of.table.lookup(id)
	if i == none || s.err != nil {
		return
	}
	x := s.of.table.at(i)
	if x.flags&flagListed != 0 {
		return
	}
	x.flags |= flagListed
	if !x.evident() {
		return
	}
	hit := x.flags&flagHit != 0
	s.err = s.fn(Seen{
		RequestID: string(id), Hits: int64(max(x.hits, x.seconds)), Discovery: x.flags&flagDiscovery != 0 && !hit,
		Advertised: int64(x.advertised), Materialized: int64(x.events), Amount: int64(x.amount),
		Boundaries: int64(x.boundaries), Reused: hit && x.amount > 0 && s.of.engine != LMCache,
	})
}
