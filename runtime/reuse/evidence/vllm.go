package evidence

import (
	"bytes"
	"math"
)

// vllm reads the log of a vLLM connector. Fields may stand in any order and in
// any notation of a number; the contract's own reading wants them in one order
// and is kept beside it.
type vllm struct{}

var markVLLM = []byte("SemBlend ")

func (vllm) needles() (exact, folded []string) {
	return append([]string{string(markVLLM)}, troubles()...), nil
}

func (vllm) end(*Log) {}

func (v vllm) line(l *Log, line, _ []byte) {
	line = l.trouble(line)
	for {
		i := bytes.Index(line, markVLLM)
		if i < 0 {
			return
		}
		line = line[i+len(markVLLM):]
		event := line
		if next := bytes.Index(event, markVLLM); next >= 0 {
			event = event[:next]
		}
		v.event(l, event)
	}
}

// strict are the fields of two events as the contract's own reading wants them.
var (
	strictHit = []string{"request_id=", "w", " donor_id=", "w", " similarity=", "f", " kind=", "w", " reusable_tokens=", "n", " reason=", "w"}
	strictSum = []string{"request_id=", "w", " donor_id=", "w", " tokens=", "n"}
)

func (vllm) event(l *Log, b []byte) {
	if f, ok := fields(b, "donor registered"); ok {
		if id, ok := field(f, f, "request_id="); ok {
			l.request(id)
			l.e.DonorRegistrations++
			return
		}
		l.e.Malformed++
		return
	}
	if f, ok := fields(b, "semantic lookup hit"); ok {
		if _, ok := sequence(f, strictHit); ok {
			l.e.SemanticHitsWhole++
		}
		id, named := field(f, f, "request_id=")
		v, _ := field(f, f, "reusable_tokens=")
		tokens, ok := count(v)
		if !named || !ok {
			l.e.Malformed++
			return
		}
		if kind, _ := field(f, f, "kind="); string(kind) == discoveryOnly {
			tokens = 0
		}
		similarity := math.NaN()
		if v, ok := field(f, f, "similarity="); ok {
			similarity = decimal(v)
		}
		l.hit(l.request(id), tokens, similarity, false)
		return
	}
	if f, ok := fields(b, "request-local experimental load advertised"); ok {
		if id, n, ok := amount(f); ok {
			l.advertise(l.request(id), n)
			return
		}
		l.e.Malformed++
		return
	}
	if f, ok := fields(b, "materializing"); ok {
		if id, _, ok := amount(f); ok {
			l.request(id)
			l.e.Started++
			return
		}
		l.e.Malformed++
		return
	}
	if f, ok := fields(b, "materialized"); ok {
		if n, ok := sequence(f, strictSum); ok {
			l.e.EventsWhole++
			l.e.TokensWhole += n
		}
		if id, n, ok := amount(f); ok {
			l.materialize(l.request(id), n, false)
			return
		}
		l.e.Malformed++
		return
	}
	l.unknown.add(phrase(b))
}

// fields returns what stands behind the name of an event, where b is one of it:
// fields alone, or nothing. With further words it is another event, which may
// say the contrary ("materialized nothing").
func fields(b []byte, event string) ([]byte, bool) {
	if len(b) < len(event) || string(b[:len(event)]) != event {
		return nil, false
	}
	f := b[len(event):]
	if len(f) > 0 && f[0] != ' ' {
		return nil, false
	}
	f = bytes.TrimPrefix(f, []byte(" "))
	return f, len(f) == 0 || bytes.IndexByte(f[:run(f)], '=') >= 0
}

// discoveryOnly is the kind of a hit that found a donor and will load nothing.
const discoveryOnly = "discovery_only"

// amount reads the fields of an event that names a request and tokens.
func amount(f []byte) (id []byte, n int64, ok bool) {
	id, named := field(f, f, "request_id=")
	v, _ := field(f, f, "tokens=")
	n, ok = count(v)
	return id, n, named && ok
}

// sequence matches the beginning of b with texts and with w (not blank), f
// (digits and points) and n (digits), and returns the value of the last n.
func sequence(b []byte, parts []string) (n int64, ok bool) {
	for _, p := range parts {
		size := 0
		switch p {
		case "w":
			size = run(b)
		case "n":
			d := digits(b)
			n, _ = count(d)
			size = len(d)
		case "f":
			for size < len(b) && (b[size] == '.' || '0' <= b[size] && b[size] <= '9') {
				size++
			}
		default:
			if bytes.HasPrefix(b, []byte(p)) {
				size = len(p)
			}
		}
		if size == 0 {
			return 0, false
		}
		b = b[size:]
	}
	return n, true
}

// phrase returns the words that b begins with, at most five and none of them a
// field or a number: the name of an event that nothing here reads.
func phrase(b []byte) []byte {
	end := 0
	for range 5 {
		rest := b[end:]
		skip := len(rest) - len(bytes.TrimLeft(rest, " "))
		n := run(rest[skip:])
		if w := rest[skip : skip+n]; n == 0 || bytes.ContainsAny(w, "=0123456789") {
			break
		}
		end += skip + n
	}
	if name := bytes.TrimRight(bytes.TrimSpace(b[:end]), ":,;."); len(name) > 0 {
		return name
	}
	return []byte("(unnamed)")
}
