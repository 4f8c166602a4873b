package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// MaxLine bounds one line, in bytes. A writer refuses a longer entry, so a
// reader that meets one knows that no writer made it.
const MaxLine = 64 << 20

// hexLen is the length of a SHA-256 in hexadecimal.
const hexLen = 2 * sha256.Size

// Entry is one line.
type Entry struct {
	N    int64           // position, from 0
	Prev string          // hash of the entry before; of the plan's digest for the first
	Kind string          // KindOpen and the others
	Hash string          // hexadecimal SHA-256 of the line's bytes before its own hash
	Data json.RawMessage // an object; valid until the function that got the entry returns
	Line int             // from 1
}

// ChainError says which line of a journal does not fit to the others.
type ChainError struct {
	Line   int // from 1
	Reason string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("journal line %d: %s", e.Line, e.Reason)
}

// PlanError says that a journal was written for another plan: what it measured
// belongs to that plan's detector in its environment (FD-1.2-1), and is not
// scored anew under another declaration (FD-4.1-6). The same is so of a reuse
// block, which no row of that methodology is about.
type PlanError struct {
	Want  string // digest of the plan at hand
	Got   string // digest in the journal
	Reuse bool   // the plan at hand is that of a reuse block
}

func (e *PlanError) Error() string {
	rows := "FD-1.2-1, FD-4.1-6: "
	if e.Reuse {
		rows = ""
	}
	return fmt.Sprintf(rows+"this journal belongs to another plan: it was written for %s, and the plan at hand is %s. "+
		"Choose another output folder, or go back to the plan of this one", e.Got, e.Want)
}

// ErrTorn is what [Read] returns where the last line lacks its end and all
// before it fits: the run was interrupted while it wrote.
var ErrTorn = errors.New("the journal's last line is not complete: the run was interrupted while it wrote")

// ErrEmpty is what [Read] and [Resume] return where not even the first entry
// is complete. Nothing has been run then, and the file may be removed.
var ErrEmpty = errors.New("the journal holds no complete entry: nothing was run")

const (
	prefixN    = `{"n":`
	prefixPrev = `,"prev":"`
	prefixKind = `","kind":"`
	prefixData = `","data":`
	prefixHash = `,"hash":"`
	suffix     = `"}`

	tailLen = len(prefixHash) + hexLen + len(suffix)
)

// PlanLink is the prev of a journal's first entry.
func PlanLink(planDigest string) string {
	sum := sha256.Sum256([]byte(planDigest))
	return hex.EncodeToString(sum[:])
}

// appendLine appends the line of an entry, with its line feed, and returns its
// hash. data is compact JSON.
func appendLine(buf []byte, n int64, prev, kind string, data []byte) ([]byte, string) {
	start := len(buf)
	buf = append(buf, prefixN...)
	buf = strconv.AppendInt(buf, n, 10)
	buf = append(buf, prefixPrev...)
	buf = append(buf, prev...)
	buf = append(buf, prefixKind...)
	buf = append(buf, kind...)
	buf = append(buf, prefixData...)
	buf = append(buf, data...)
	sum := sha256.Sum256(buf[start:])
	hash := hex.EncodeToString(sum[:])
	buf = append(buf, prefixHash...)
	buf = append(buf, hash...)
	buf = append(buf, suffix...)
	return append(buf, '\n'), hash
}

// parseLine takes a line without its line feed apart and checks its own hash.
// The layout is compared byte by byte rather than decoded as JSON: two texts
// that decode to the same object must not both be valid lines.
func parseLine(line []byte) (Entry, string) {
	var e Entry
	rest, ok := bytes.CutPrefix(line, []byte(prefixN))
	if !ok {
		return e, "it does not begin as an entry does"
	}
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(string(rest[:digits]), 10, 64)
	if err != nil || digits > 1 && rest[0] == '0' {
		return e, "its number is not a number"
	}
	e.N = n
	if rest, ok = bytes.CutPrefix(rest[digits:], []byte(prefixPrev)); !ok || len(rest) < hexLen || !isHex(rest[:hexLen]) {
		return e, "it has no link to the line before"
	}
	e.Prev = string(rest[:hexLen])
	if rest, ok = bytes.CutPrefix(rest[hexLen:], []byte(prefixKind)); !ok {
		return e, "it has no kind"
	}
	k := bytes.IndexByte(rest, '"')
	if k < 0 || !isKind(string(rest[:k])) {
		return e, "its kind is not a word"
	}
	e.Kind = string(rest[:k])
	if rest, ok = bytes.CutPrefix(rest[k:], []byte(prefixData)); !ok {
		return e, "it has no data"
	}
	if len(rest) < tailLen+len("{}") {
		return e, "it has no hash"
	}
	tail := rest[len(rest)-tailLen:]
	if !bytes.HasPrefix(tail, []byte(prefixHash)) || !bytes.HasSuffix(tail, []byte(suffix)) {
		return e, "it does not end as an entry does"
	}
	e.Hash = string(tail[len(prefixHash) : len(prefixHash)+hexLen])
	sum := sha256.Sum256(line[:len(line)-tailLen])
	if hex.EncodeToString(sum[:]) != e.Hash {
		return e, "its hash does not match its content: it was changed after it was written"
	}
	e.Data = json.RawMessage(rest[:len(rest)-tailLen])
	if e.Data[0] != '{' || !json.Valid(e.Data) {
		return e, "its data is not a JSON object"
	}
	return e, ""
}

func isHex(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isKind(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	for i := range len(s) {
		if (s[i] < 'a' || s[i] > 'z') && s[i] != '_' {
			return false
		}
	}
	return true
}

// chain checks that entries follow one another.
type chain struct {
	n      int64  // of the next entry
	prev   string // hash of the last one
	open   Open
	closed bool
}

// next checks e against what came before it and returns why it does not fit,
// or "".
func (c *chain) next(e Entry) string {
	switch {
	case c.closed:
		return "it follows the entry that closed the journal"
	case e.N != c.n:
		return fmt.Sprintf("entry %d stands where entry %d belongs: a line was removed, added or moved", e.N, c.n)
	case c.n == 0 && e.Kind != KindOpen:
		return fmt.Sprintf("a journal begins with an entry of kind %q, not %q", KindOpen, e.Kind)
	case c.n > 0 && e.Kind == KindOpen:
		return fmt.Sprintf("a second entry of kind %q", KindOpen)
	}
	if c.n == 0 {
		if err := json.Unmarshal(e.Data, &c.open); err != nil {
			return "its data is not that of an opening entry: " + err.Error()
		}
		if c.open.Format != Format {
			return fmt.Sprintf("the journal's format is %q; this program reads %q", c.open.Format, Format)
		}
		if e.Prev != PlanLink(c.open.PlanDigest) {
			return "it does not link to the plan that it names"
		}
	} else if e.Prev != c.prev {
		return "it does not link to the line before: a line was removed, added or rewritten"
	}
	c.n++
	c.prev = e.Hash
	c.closed = e.Kind == KindClose
	return ""
}
