package evidence

import (
	"encoding/hex"
	"io"
	"math"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Request is one of the run's own requests.
type Request struct{ ItemID, Arm string }

// Options say how a log is read.
type Options struct {
	Log string // its name, for the record
	// Requests tells which of the run's own requests an id stands for. It is
	// asked once for each form of each id that the log names; nil knows none.
	// The zero Request stands for an id that several of them have: it is
	// evidence of none, and counts as ambiguous.
	Requests func(id string) (Request, bool)
	// Progress is told how many bytes have been read, at least once a MiB; nil
	// is told nothing.
	Progress func(bytes int64)
}

// Read reads a whole log. It returns what the log says as a whole, and for each
// of the run's own requests that it names what it says of that one, in the
// order of their first mention. An error is an *UnknownEngineError, a
// *FormatError, or r's own.
func Read(engine string, r io.Reader, o Options) (record.Evidence, []record.Joined, error) {
	l, err := New(engine, o)
	if err != nil {
		return record.Evidence{}, nil, err
	}
	if err := l.Read(r); err != nil {
		return record.Evidence{}, nil, err
	}
	return l.Evidence(), l.Joined(), nil
}

// Log is a log that is being read. It is for one goroutine.
type Log struct {
	engine  string
	o       Options
	parser  parser
	e       record.Evidence
	table   table
	own     *owners
	list    *listing // where requests are listed, and not counted
	reasons names
	unknown names
	lines   lines
	// Evidence without a request: hits that offer tokens, and those that do not.
	hits, discoveries int64
}

// New returns an empty log of an engine, named as Canonical reads it.
func New(engine string, o Options) (*Log, error) {
	name, ok := Canonical(engine)
	if !ok {
		return nil, &UnknownEngineError{engine}
	}
	l := &Log{engine: name, o: o, parser: newParser(name), table: newTable()}
	l.e.Engine, l.e.Log = name, o.Log
	if o.Requests != nil {
		l.own = newOwners(o.Requests)
	}
	l.lines.start(l.parser)
	return l, nil
}

// Read reads r to its end. A further call goes on with the next part of the
// same log, such as the file after a rotation; a line does not reach over it.
// An error is a *FormatError, or r's own.
func (l *Log) Read(r io.Reader) error { return l.lines.read(l, r) }

// Evidence returns what was read so far, as a whole.
func (l *Log) Evidence() record.Evidence {
	e := l.e
	e.SHA256 = "sha256:" + hex.EncodeToString(l.lines.hash.Sum(nil))
	e.Bytes, e.Lines = l.lines.bytes, l.lines.count
	e.TooLong = l.lines.tooLong
	e.Malformed += l.lines.tooLong
	e.Rejections, e.Unknown = l.reasons.sorted(), l.unknown.sorted()
	e.Requests = int64(l.table.n)
	semantic := l.engine != LMCache
	l.table.each(func(x *entry) {
		hit, amount := x.flags&flagHit != 0, x.amount > 0
		if semantic {
			if hit || x.flags&flagDiscovery != 0 {
				e.SemanticHits++
				if !hit {
					e.DiscoveryOnly++
				}
			}
			switch {
			case hit && amount:
				e.MaterializedReuse++
			case amount:
				e.MaterializedAlone++
			case hit:
				e.HitsAlone++
			}
		}
		if x.boundaries > 0 && amount {
			e.BoundariesProven++
		}
	})
	e.SemanticHits += l.hits + l.discoveries
	e.DiscoveryOnly += l.discoveries
	e.Unattributed.Hits = l.hits + l.discoveries
	if l.own != nil {
		e.Ambiguous = l.own.ambiguous()
	}
	whole := *l
	whole.e = e
	l.parser.end(&whole)
	e = whole.e
	e.WholeLog = e.SemanticHitsWhole > 0 && (e.EventsWhole > 0 || e.TokensWhole > 0 || e.MaterializedUnits > 0)
	return e
}

// Joined returns what was read so far of the run's own requests, in the order
// of their first mention. One that two ids of the log stand for is left out.
func (l *Log) Joined() []record.Joined {
	if l.own == nil {
		return nil
	}
	return l.own.joined(l.o.Log)
}

// none is the request of evidence that names none.
const none = -1

// nameless are the words that programs write where they have no id. Evidence of
// all that has none would be that of one request.
var nameless = []string{"none", "null", "nil", "nan", "undefined", "unknown", "n/a", "-", "?"}

// named tells whether an id is one, and neither "" nor a word that says that
// there is none.
func named(id []byte) bool {
	for _, w := range nameless {
		if len(id) == len(w) && strings.EqualFold(string(id), w) {
			return false
		}
	}
	return len(id) > 0
}

// request returns the place of the request that an id names, or none.
func (l *Log) request(id []byte) int {
	if !named(id) {
		return none
	}
	if l.list != nil {
		l.list.mention(id)
		return none
	}
	i, fresh := l.table.place(id)
	if fresh && l.own != nil && l.own.claim(i, string(id)) {
		l.table.at(i).flags |= flagOwn
	}
	return i
}

// ownOf returns the exact counters of a request, nil for one of another's.
func (l *Log) ownOf(i int) *record.Joined {
	if l.own == nil || l.table.at(i).flags&flagOwn == 0 {
		return nil
	}
	return l.own.at[i]
}

// unsaid is a number of tokens that a line does not tell.
const unsaid = -1

// hit counts a semantic hit. tokens is how many it offers, or unsaid;
// similarity is NaN where the line tells none.
func (l *Log) hit(i int, tokens int64, similarity float64, second bool) {
	if !math.IsNaN(similarity) && !math.IsInf(similarity, 0) {
		l.similar(i, similarity)
	}
	if i == none {
		if tokens == 0 {
			l.discoveries++
		} else {
			l.hits++
		}
		return
	}
	x, j := l.table.at(i), l.ownOf(i)
	if tokens == 0 {
		x.flags |= flagDiscovery
		if j != nil {
			j.Discovery++
		}
		return
	}
	x.flags |= flagHit
	// A request may tell of one hit in two ways; the greater count stands.
	if second {
		x.seconds = add16(x.seconds, 1)
	} else {
		x.hits = add16(x.hits, 1)
	}
	if j != nil {
		l.own.hit(i, j, second)
	}
}

func (l *Log) similar(i int, v float64) {
	if l.e.SimilarityMin == nil || v < *l.e.SimilarityMin {
		low := v
		l.e.SimilarityMin = &low
	}
	if l.e.SimilarityMax == nil || v > *l.e.SimilarityMax {
		high := v
		l.e.SimilarityMax = &high
	}
	if i != none {
		if j := l.ownOf(i); j != nil {
			j.Similarity = &v
		}
	}
}

func (l *Log) advertise(i int, tokens int64) {
	l.e.LoadAdvertisements++
	l.e.AdvertisedTokens += tokens
	if i == none {
		return
	}
	x := l.table.at(i)
	x.flags |= flagAdvertised
	x.advertised = add32(x.advertised, tokens)
	if j := l.ownOf(i); j != nil {
		j.Advertised += tokens
	}
}

// materialize counts a materialisation of tokens, or of units where the engine
// does not count in tokens.
func (l *Log) materialize(i int, n int64, units bool) {
	l.e.Materializations++
	if units {
		l.e.MaterializedUnits += n
	} else {
		l.e.MaterializedTokens += n
	}
	if i == none {
		l.e.Unattributed.Materializations++
		return
	}
	x := l.table.at(i)
	x.events = add16(x.events, 1)
	x.amount = add32(x.amount, n)
	if j := l.ownOf(i); j != nil {
		j.Materialized++
		if units {
			j.Units += n
		} else {
			j.Tokens += n
		}
	}
}

// attribute gives a request the tokens of events that were counted without the
// name of one.
func (l *Log) attribute(i int, tokens, events int64) {
	l.e.Unattributed.Materializations -= events
	x := l.table.at(i)
	x.events = add16(x.events, uint16(min(events, math.MaxUint16)))
	x.amount = add32(x.amount, tokens)
	if j := l.ownOf(i); j != nil {
		j.Materialized += events
		j.Tokens += tokens
	}
}

func (l *Log) boundary(i int) {
	l.e.EngineBoundaries++
	if i == none {
		return
	}
	x := l.table.at(i)
	x.boundaries = add8(x.boundaries, 1)
	if j := l.ownOf(i); j != nil {
		j.Boundaries++
	}
}

// trouble counts a line that tells of an error or of a warning, and returns
// what of it the engine itself says.
func (l *Log) trouble(line []byte) []byte {
	if isErrorWhole(line) {
		l.e.ErrorsWhole++
	}
	line = said(line)
	switch {
	case isError(line):
		l.e.Errors++
	case isWarning(line):
		l.e.Warnings++
	}
	return line
}
