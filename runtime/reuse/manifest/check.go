package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"slices"
)

// Summary is what a manifest holds.
type Summary struct {
	SHA256   string `json:"sha256"` // of its bytes, as "sha256:" and hexadecimal digits
	Bytes    int64  `json:"bytes"`
	Lines    int64  `json:"lines"`
	Items    int64  `json:"items"`
	Donors   int64  `json:"donors"`
	Controls int64  `json:"controls"` // of the items, negative controls

	// What is to be known of the controls, each of which has to pair unrelated
	// contexts (KV-7-1).
	OwnSource Controls `json:"controls_own_source"`     // the donor comes from the recipient's own document
	Unnamed   Controls `json:"controls_without_source"` // nothing says where the donor comes from
	Donorless Controls `json:"controls_without_donors"` // nothing can be reused, so nothing is tested

	Transforms []Transform `json:"transforms"` // sorted by name
	Warnings   []Warning   `json:"warnings"`   // in the order of their first lines
}

// Controls counts negative controls of a sort.
type Controls struct {
	N    int64  `json:"n"`
	Line int64  `json:"line"`    // of the first; 0 for none
	Item string `json:"item_id"` // of the first; "" for none
}

func (c *Controls) add(it *Item) {
	if c.N++; c.N == 1 {
		c.Line, c.Item = it.Line, it.ItemID
	}
}

// Transform counts the items that one transform made.
type Transform struct {
	Name     string `json:"transform"`
	Items    int64  `json:"items"`
	Donors   int64  `json:"donors"`
	Controls int64  `json:"controls"`
}

// DonorSource is the document that a donor of the item comes from: what its
// metadata, or else those of the item, name as negative_source_id. Elsewhere it
// is the item's own source, and named is false.
func (it *Item) DonorSource(donor int) (source string, named bool) {
	for _, m := range []map[string]json.RawMessage{it.Donors[donor].Metadata, it.Metadata} {
		var s string
		if raw, ok := m["negative_source_id"]; ok && json.Unmarshal(raw, &s) == nil && s != "" {
			return s, true
		}
	}
	return it.SourceID, false
}

// Check reads a manifest to its end. The first line that cannot be used is its
// error, a LineError; two items of one name are such a line.
func Check(r io.Reader) (*Summary, error) {
	s, broken, err := CheckAll(r, 1, nil)
	if err == nil && len(broken) > 0 {
		err = broken[0]
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// CheckAll reads a manifest to its end, or up to the limit-th line that cannot
// be used. each, where it is not nil, sees every usable item; an error of its
// own ends the reading. The summary counts the usable items and, where broken
// is shorter than limit, has the digest of all bytes.
func CheckAll(r io.Reader, limit int, each func(*Item, *Reader) error) (s *Summary, broken []*LineError, err error) {
	d := NewDigest(r)
	items := NewReader(d)
	s = new(Summary)
	by := map[string]*Transform{}
	for {
		it, err := items.Next()
		var line *LineError
		switch {
		case errors.As(err, &line):
			if broken = append(broken, line); len(broken) >= limit {
				s.finish(items, by)
				return s, broken, nil
			}
			continue
		case err == io.EOF:
			s.finish(items, by)
			s.SHA256 = d.Sum()
			return s, broken, nil
		case err != nil:
			return nil, broken, err
		}
		s.add(by, it)
		if each != nil {
			if err := each(it, items); err != nil {
				return nil, broken, err
			}
		}
	}
}

func (s *Summary) add(by map[string]*Transform, it *Item) {
	t := by[it.Transform]
	if t == nil {
		t = &Transform{Name: it.Transform}
		by[it.Transform] = t
	}
	s.Items++
	t.Items++
	s.Donors += int64(len(it.Donors))
	t.Donors += int64(len(it.Donors))
	if !it.Control {
		return
	}
	s.Controls++
	t.Controls++
	if len(it.Donors) == 0 {
		s.Donorless.add(it)
		return
	}
	own, unnamed := false, false
	for i := range it.Donors {
		source, named := it.DonorSource(i)
		own = own || named && source == it.SourceID
		unnamed = unnamed || !named
	}
	if own {
		s.OwnSource.add(it)
	}
	if unnamed {
		s.Unnamed.add(it)
	}
}

func (s *Summary) finish(r *Reader, by map[string]*Transform) {
	s.Bytes, s.Lines, s.Warnings = r.Bytes(), r.Lines(), r.Warnings()
	s.Transforms = make([]Transform, 0, len(by))
	for _, t := range by {
		s.Transforms = append(s.Transforms, *t)
	}
	slices.SortFunc(s.Transforms, func(a, b Transform) int { return cmp.Compare(a.Name, b.Name) })
}

// Digest is a reader that takes the SHA-256 of all that passes.
type Digest struct {
	r io.Reader
	h hash.Hash
}

// NewDigest returns a Digest of what is read from r.
func NewDigest(r io.Reader) *Digest { return &Digest{r, sha256.New()} }

func (d *Digest) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	d.h.Write(p[:n])
	return n, err
}

// Sum is the digest of what was read so far, as "sha256:" and hexadecimal
// digits.
func (d *Digest) Sum() string { return "sha256:" + hex.EncodeToString(d.h.Sum(nil)) }
