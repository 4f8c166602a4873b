package evidence

import (
	"bytes"
	"math"
)

// sglang reads the log of an SGLang server with a fuzzy radix cache, in any
// case of letters. Such a log proves registrations and hits; the cached tokens
// that the server reports stay the primary evidence of reuse (KV-5-10).
type sglang struct {
	phases   pending
	realized int64 // lines, for the contract's own reading
	tokens   int64 // of them
	segments int64 // phases
	segsum   int64 // tokens of them
}

func (*sglang) needles() (exact, folded []string) {
	return troubles(), []string{"fuzzy", "semantic", "register_donor"}
}

// end adds the contract's own reading of materialisations: phases alone where
// there is one anywhere, and lines about whole requests elsewhere.
func (s *sglang) end(l *Log) {
	l.e.EventsWhole, l.e.TokensWhole = s.realized, s.tokens
	if s.segments > 0 {
		l.e.EventsWhole, l.e.TokensWhole = s.segments, s.segsum
	}
}

var (
	markSuccess  = []byte("fuzzy match success:")
	markPhase    = []byte("segmented prefill realized donor phase:")
	markRealized = []byte("[fuzzy] realized ")
	markRegister = []byte("register_donor")
	markTag      = []byte("[fuzzy")
)

func (s *sglang) line(l *Log, line, f []byte) {
	line = l.trouble(line)
	f = f[:len(line)]
	switch success := bytes.Contains(f, markSuccess); {
	case success:
		l.e.SemanticHitsWhole++
		s.success(l, line, f)
	case bytes.Contains(f, markPhase):
		s.phase(l, line, f)
	case bytes.Contains(f, markRealized):
		s.whole(l, line, f)
	case bytes.Contains(f, markRegister):
		s.register(l, line, f)
	default:
		if looseHit(f) {
			l.e.SemanticHitsWhole++
		}
		if ok, miss := semanticHit(f); ok {
			s.found(l, line, f)
		} else if !miss {
			if i := bytes.Index(f, markTag); i >= 0 {
				rest := line[i+len(markTag):]
				if _, after, ok := bytes.Cut(rest, []byte("]")); ok {
					rest = after
				}
				l.unknown.add(phrase(rest))
			}
		}
	}
}

// request returns the request that a line names.
func (*sglang) request(l *Log, line, f []byte) int {
	for _, key := range []string{"rid=", "request_id="} {
		if id, ok := field(line, f, key); ok {
			return l.request(id)
		}
	}
	return none
}

// register reads "register_donor: ok request_id=...", also with "_async".
func (s *sglang) register(l *Log, line, f []byte) {
	_, rest, _ := bytes.Cut(f, markRegister)
	rest = bytes.TrimPrefix(rest, []byte("_async"))
	if bytes.HasPrefix(rest, []byte(": ok ")) {
		s.request(l, line, f)
		l.e.DonorRegistrations++
		return
	}
	l.unknown.add([]byte("register_donor, not ok"))
}

// success reads the line in which the radix cache tells of a match: the second
// way in which a request's hit is told.
func (s *sglang) success(l *Log, line, f []byte) {
	tokens := int64(unsaid)
	if v, ok := field(f, f, "cached="); ok {
		if tokens, ok = count(v); !ok {
			l.e.Malformed++
			return
		}
	}
	l.hit(s.request(l, line, f), tokens, similarity(f), true)
}

// hitTokens are the fields that may tell how many tokens a hit offers. Those of
// the prompt are none of them.
var hitTokens = []string{"matched_tokens=", "reused_tokens=", "reusable_tokens=", "hit_tokens=", "fuzzy_tokens=", "cached_tokens=", "tokens="}

// found reads a line that tells of a semantic hit.
func (s *sglang) found(l *Log, line, f []byte) {
	tokens := int64(unsaid)
	for _, key := range hitTokens {
		if v, ok := field(f, f, key); ok {
			if tokens, ok = count(v); !ok {
				l.e.Malformed++
				return
			}
			break
		}
	}
	if kind, _ := field(f, f, "kind="); string(kind) == discoveryOnly {
		tokens = 0
	}
	l.hit(s.request(l, line, f), tokens, similarity(f), false)
}

var similarityKeys = []string{"similarity=", "quality_cosine=", "score="}

func similarity(f []byte) float64 {
	for _, key := range similarityKeys {
		if v, ok := field(f, f, key); ok {
			return decimal(v)
		}
	}
	return math.NaN()
}

// phase reads one segment of a prefill that took tokens from a donor.
func (s *sglang) phase(l *Log, line, f []byte) {
	v, _ := field(f, f, "donor_tokens=")
	n, ok := count(v)
	if !ok {
		l.e.Malformed++
		return
	}
	s.segments++
	s.segsum += n
	i := s.request(l, line, f)
	s.phases.add(i, n)
	l.materialize(i, n, false)
}

// whole reads the line about a whole request. Where it sums up phases that were
// counted already, it adds nothing; elsewhere it is a materialisation of its
// own, whatever other requests in the log did.
func (s *sglang) whole(l *Log, line, f []byte) {
	_, rest, _ := bytes.Cut(f, markRealized)
	d := digits(rest)
	n, ok := count(d)
	if !ok || !bytes.HasPrefix(rest[len(d):], []byte(" fuzzy tokens")) {
		l.e.Malformed++
		return
	}
	s.realized++
	s.tokens += n
	var segments int64
	if _, after, ok := bytes.Cut(rest, []byte("(")); ok {
		d := digits(after)
		if bytes.HasPrefix(after[len(d):], []byte(" segment")) {
			segments, _ = count(d)
		}
	}
	i := s.request(l, line, f)
	switch phases, unnamed := s.phases.settle(i, n, segments); {
	case phases == 0:
		l.materialize(i, n, false)
	case unnamed && i != none:
		l.attribute(i, n, phases)
	}
}
