package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// sealed is a plan of either sort.
type sealed interface {
	format() string
	subject() string // what it is of: a series, a reuse block
	// sections lists the digested parts in the order in which the plan's
	// digest covers them.
	sections() []section
	whole() *string // the digest of all of it
}

func (p *Plan) format() string  { return Format }
func (p *Plan) subject() string { return p.Series }
func (p *Plan) whole() *string  { return &p.Digest }

func (p *Plan) sections() []section {
	return []section{
		{"inputs", p.Inputs, &p.Digests.Inputs},
		{"declaration", p.Declaration, &p.Digests.Declaration},
		{"combinations", p.Combinations, &p.Digests.Combinations},
		{"phases", p.Phases, &p.Digests.Phases},
		{"estimators", p.Estimators, &p.Digests.Estimators},
		{"rules", p.Rules, &p.Digests.Rules},
		{"budget", p.Budget, &p.Digests.Budget},
	}
}

type section struct {
	name   string
	value  any
	digest *string
}

// Digest is the SHA-256 of parts under a domain, as "sha256:" and hex. Each
// part is preceded by its length, so that no two lists of parts share bytes.
func Digest(domain string, parts ...[]byte) string {
	h := sha256.New()
	var n [8]byte
	for _, p := range append([][]byte{[]byte(domain)}, parts...) {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write(p)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Short is enough of a digest to tell two apart by eye.
func Short(digest string) string {
	if n := len("sha256:") + 12; len(digest) > n {
		return digest[:n] + "…"
	}
	return digest
}

func sectionDigest(p sealed, name string, canonical []byte) string {
	return Digest(p.format()+"/section", []byte(name), canonical)
}

func digestOf(p sealed) string {
	parts := [][]byte{[]byte(p.format()), []byte(p.subject())}
	for _, s := range p.sections() {
		parts = append(parts, []byte(s.name), []byte(*s.digest))
	}
	return Digest(p.format(), parts...)
}

func seal(p sealed) {
	for _, s := range p.sections() {
		*s.digest = sectionDigest(p, s.name, mustCanonical(s.value))
	}
	*p.whole() = digestOf(p)
}

// Seal fills in the digests of the sections and of the plan.
func Seal(p *Plan) {
	p.Format = Format
	seal(p)
}

// Encode returns the canonical bytes of a sealed plan. The same plan has the
// same bytes on every machine.
func Encode(p *Plan) []byte { return mustCanonical(p) }

// mustCanonical encodes what the compiler made. It bounds every number, so a
// failure is a bug here and not an input's.
func mustCanonical(v any) []byte {
	b, err := Canonical(v)
	if err != nil {
		panic("plan: " + err.Error())
	}
	return b
}

// EditedError tells that a plan is not what was sealed.
type EditedError struct {
	Section string // "declaration", or "" where the place cannot be told
	Reason  string
}

func (e *EditedError) Error() string {
	where := "the plan"
	if e.Section != "" {
		where = fmt.Sprintf("section %q of the plan", e.Section)
	}
	return fmt.Sprintf("%s was changed after it was sealed: %s; make a new one with \"fdbench plan\"", where, e.Reason)
}

// Decode reads what Encode wrote, with or without one line end after it. Any
// other change is an EditedError that names the section.
func Decode(b []byte) (*Plan, error) {
	p := new(Plan)
	if err := decode(b, p, func(raw json.RawMessage) (sealed, error) {
		q := new(Plan)
		return q, json.Unmarshal(raw, &q.Digests)
	}); err != nil {
		return nil, err
	}
	return p, nil
}

// decode reads a plan into p. digests makes another plan of its sort that has
// the digests alone.
func decode(b []byte, p sealed, digests func(json.RawMessage) (sealed, error)) error {
	b = bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		at := int64(len(b))
		if s, ok := err.(*json.SyntaxError); ok {
			at = s.Offset
		}
		return &EditedError{sectionAt(b, at), fmt.Sprintf("its JSON is broken at byte %d", at)}
	}
	var format string
	if err := json.Unmarshal(raw["format"], &format); err != nil || format != p.format() {
		return fmt.Errorf("not a plan of this fdbench: its format is %s, and %q is wanted", raw["format"], p.format())
	}
	want, err := digests(raw["digests"])
	if err != nil {
		return &EditedError{"digests", "they cannot be read"}
	}
	for _, s := range want.sections() {
		canonical, err := Canonicalize(raw[s.name])
		if err != nil {
			return &EditedError{s.name, "it is missing or cannot be read"}
		}
		if sectionDigest(want, s.name, canonical) != *s.digest {
			return &EditedError{s.name, "its digest does not match"}
		}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return &EditedError{"", err.Error()}
	}
	if _, err := d.Token(); err != io.EOF {
		return &EditedError{"", "something follows it"}
	}
	if digestOf(p) != *p.whole() {
		return &EditedError{"", "its digest does not match its name and its sections' digests"}
	}
	if !bytes.Equal(mustCanonical(p), b) {
		return &EditedError{"", "its bytes are not in canonical form"}
	}
	return nil
}

// sectionAt names the top-level member that byte at of a broken plan lies in.
func sectionAt(b []byte, at int64) string {
	name, depth, start := "", 0, -1
	for i := 0; i < len(b) && int64(i) < at; i++ {
		switch c := b[i]; {
		case start >= 0 && c == '\\':
			i++
		case c == '"' && start < 0:
			start = i + 1
		case c == '"':
			if depth == 1 && i+1 < len(b) && b[i+1] == ':' {
				name = string(b[start:i])
			}
			start = -1
		case start >= 0:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return name
}
