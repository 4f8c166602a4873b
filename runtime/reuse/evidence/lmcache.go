package evidence

import "bytes"

// lmcache reads the log of LMCache, the exact baseline: it has no semantic hits
// by construction, and so no request with a hit and a materialisation, whatever
// it loaded.
type lmcache struct{}

var (
	markHit     = []byte("LMCache hit tokens: ")
	markLoaded  = [][]byte{[]byte("Retrieved "), []byte("Reusing ")}
	markStored  = [][]byte{[]byte("Stored "), []byte("Storing ")}
	lmcacheKeys = []string{"req_id=", "request_id=", "rid="}
)

func (lmcache) needles() (exact, folded []string) {
	exact = append(troubles(), string(markHit))
	for _, m := range append(markLoaded[:len(markLoaded):len(markLoaded)], markStored...) {
		exact = append(exact, string(m))
	}
	return exact, nil
}

func (lmcache) end(l *Log) {
	l.e.EventsWhole, l.e.TokensWhole = l.e.Materializations, l.e.MaterializedTokens
	l.e.Unattributed.Hits = 0
}

func (c lmcache) line(l *Log, line, _ []byte) {
	line = l.trouble(line)
	if _, rest, ok := bytes.Cut(line, markHit); ok {
		n, ok := count(digits(rest))
		if !ok {
			l.e.Malformed++
			return
		}
		c.request(l, line)
		if n > 0 {
			l.e.ExactHits++
			l.e.ExactHitTokens += n
		}
		return
	}
	for _, m := range markLoaded {
		if n, ok := tokens(line, m); ok {
			l.materialize(c.request(l, line), n, false)
			return
		}
	}
	for _, m := range markStored {
		if _, ok := tokens(line, m); ok {
			c.request(l, line)
			l.e.DonorRegistrations++
			return
		}
	}
}

func (lmcache) request(l *Log, line []byte) int {
	for _, key := range lmcacheKeys {
		if id, ok := field(line, line, key); ok {
			return l.request(id)
		}
	}
	for _, mark := range []string{"Reqid: ", "for request "} {
		if _, rest, ok := bytes.Cut(line, []byte(mark)); ok {
			if id := bytes.TrimRight(value(rest), ",;."); len(id) > 0 {
				return l.request(id)
			}
		}
	}
	return none
}

// tokens reads "Retrieved 512 tokens", "512/1024 tokens", and "512 out of
// total 1024 tokens" with words between: the first number counts.
func tokens(line, mark []byte) (int64, bool) {
	for {
		i := bytes.Index(line, mark)
		if i < 0 {
			return 0, false
		}
		inside := inName(line, i-1, -1)
		line = line[i+len(mark):]
		d := digits(line)
		n, ok := count(d)
		if !ok || inside {
			continue
		}
		rest := bytes.TrimLeft(line[len(d):], " ")
		if of, ok := bytes.CutPrefix(rest, []byte("/")); ok {
			rest = of
		} else if of, ok := bytes.CutPrefix(rest, []byte("out of ")); ok {
			rest = bytes.TrimPrefix(of, []byte("total "))
		} else {
			rest = bytes.TrimPrefix(rest, []byte("new "))
			if bytes.HasPrefix(rest, []byte("tokens")) {
				return n, true
			}
			continue
		}
		rest = bytes.TrimLeft(rest, " ")
		d = digits(rest)
		rest = rest[len(d):]
		for _, w := range []string{" required", " total", " new"} {
			rest = bytes.TrimPrefix(rest, []byte(w))
		}
		if len(d) > 0 && bytes.HasPrefix(rest, []byte(" tokens")) {
			return n, true
		}
	}
}
