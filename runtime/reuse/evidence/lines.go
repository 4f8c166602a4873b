package evidence

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
)

// MaxLine is the longest line that is read, in bytes without its end. A longer
// one is counted as malformed and skipped.
const MaxLine = 1 << 20

// firstBuffer is how much is read at a time: little enough to stay near the
// processor while it is searched for several texts.
const firstBuffer = 256 << 10

// lines cuts a stream into stretches of whole lines.
type lines struct {
	buf      []byte
	hash     hash.Hash
	bytes    int64
	count    int64
	tooLong  int64
	parser   parser
	sieve    sieve
	folded   []byte
	reported int64
}

func (s *lines) start(p parser) {
	exact, folded := p.needles()
	s.parser, s.hash = p, sha256.New()
	s.sieve = newSieve(exact, folded)
}

// read reads r to its end and gives its lines to l's parser.
func (s *lines) read(l *Log, r io.Reader) error {
	if s.buf == nil {
		s.buf = make([]byte, firstBuffer)
	}
	h := newHasher(s.hash)
	defer h.stop()
	n, skipping, idle := 0, false, 0
	head := make([]byte, 0, headBytes)
	for {
		m, err := r.Read(s.buf[n:])
		if m == 0 && err == nil {
			if idle++; idle == 100 {
				return io.ErrNoProgress
			}
			continue
		}
		idle = 0
		fresh := s.buf[n : n+m]
		if len(head) < headBytes {
			head = append(head, fresh[:min(m, headBytes-len(head))]...)
			if e := foreign(head); e != nil {
				e.Log = l.o.Log
				return e
			}
		}
		h.add(fresh)
		s.bytes += int64(m)
		if l.o.Progress != nil && (s.bytes-s.reported >= 1<<20 || err != nil) {
			s.reported = s.bytes
			l.o.Progress(s.bytes)
		}
		from := 0
		if skipping {
			if from = bytes.IndexByte(fresh, '\n') + 1; from == 0 {
				n, m = 0, 0
			} else {
				skipping = false
			}
		}
		end := n + m
		if cut := bytes.LastIndexByte(s.buf[n:end], '\n'); cut >= 0 {
			s.stretch(l, s.buf[from:n+cut+1])
			from = n + cut + 1
		}
		h.wait() // before the bytes move
		n = copy(s.buf, s.buf[from:end])
		if n > MaxLine {
			s.tooLong, s.count, skipping, n = s.tooLong+1, s.count+1, true, 0
		} else if n == len(s.buf) {
			s.buf = append(make([]byte, 0, min(2*n, MaxLine+1)), s.buf...)
			s.buf = s.buf[:cap(s.buf)]
		}
		switch {
		case err == io.EOF:
			if n > 0 {
				s.stretch(l, s.buf[:n])
			}
			return nil
		case err != nil:
			return err
		}
	}
}

// stretch goes over whole lines, of which the last one may lack its end.
func (s *lines) stretch(l *Log, b []byte) {
	if len(b) == 0 {
		return
	}
	s.count += int64(bytes.Count(b, newline))
	if b[len(b)-1] != '\n' {
		s.count++
	}
	if s.sieve.all() {
		for len(b) > 0 {
			line, rest, _ := bytes.Cut(b, newline)
			s.parser.line(l, trimmed(line), nil)
			b = rest
		}
		return
	}
	var folded []byte
	if s.sieve.folds() {
		if len(s.folded) < len(b) {
			s.folded = make([]byte, len(s.buf))
		}
		folded = s.folded[:len(b)]
		fold(folded, b)
	}
	s.sieve.start(b, folded)
	for at := s.sieve.next(0); at >= 0; {
		begin := bytes.LastIndexByte(b[:at], '\n') + 1
		end := len(b)
		if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
			end = at + i
		}
		line := trimmed(b[begin:end])
		if folded != nil {
			s.parser.line(l, line, folded[begin:begin+len(line)])
		} else {
			s.parser.line(l, line, nil)
		}
		if end == len(b) {
			return
		}
		at = s.sieve.next(end + 1)
	}
}

var newline = []byte{'\n'}

func trimmed(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// hasher takes a digest beside the reading of lines.
type hasher struct{ in, out chan []byte }

func newHasher(h hash.Hash) *hasher {
	x := &hasher{make(chan []byte), make(chan []byte)}
	go func() {
		for b := range x.in {
			h.Write(b)
			x.out <- b
		}
	}()
	return x
}

// add begins to take the digest of b, which must stay as it is until wait.
func (x *hasher) add(b []byte) { x.in <- b }

func (x *hasher) wait() { <-x.out }

func (x *hasher) stop() { close(x.in) }
