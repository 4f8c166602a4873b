package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Append appends the canonical line of an item, with its line end: keys in the
// order of their bytes, ", " and ": " between them, and of all characters only
// the quote, the backslash and control characters escaped. Numbers in metadata
// stay as they were written. An item without a version gets Version. It is an
// error where a text is not valid UTF-8 or metadata are not JSON.
func Append(dst []byte, it *Item) ([]byte, error) {
	w := writer{b: dst}
	version := it.Version
	if version == "" {
		version = Version
	}
	w.raw(`{"answers": [`)
	for i, a := range it.Answers {
		w.comma(i)
		w.text("answers", a)
	}
	w.raw(`], "benchmark_version": `)
	w.text("benchmark_version", version)
	w.raw(`, "dataset": `)
	w.text("dataset", it.Dataset)
	w.raw(`, "donor_prompts": [`)
	for i, d := range it.Donors {
		w.comma(i)
		w.raw(`{"donor_id": `)
		w.text("donor_id", d.DonorID)
		w.raw(`, "label": `)
		w.text("label", d.Label)
		w.raw(`, "metadata": `)
		w.metadata(d.Metadata)
		w.raw(`, "text": `)
		w.text("text", d.Text)
		w.raw(`}`)
	}
	w.raw(`], "input": `)
	w.text("input", it.Input)
	w.raw(`, "item_id": `)
	w.text("item_id", it.ItemID)
	w.raw(`, "metadata": `)
	w.metadata(it.Metadata)
	if it.Control {
		w.raw(`, "negative_control": true`)
	} else {
		w.raw(`, "negative_control": false`)
	}
	w.raw(`, "recipient_prompt": `)
	w.text("recipient_prompt", it.Recipient)
	w.raw(`, "source_id": `)
	w.text("source_id", it.SourceID)
	w.raw(`, "transform": `)
	w.text("transform", it.Transform)
	w.raw("}\n")
	if w.err != nil {
		return dst, fmt.Errorf("item %q: %w", it.ItemID, w.err)
	}
	return w.b, nil
}

type writer struct {
	b   []byte
	err error
}

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

func (w *writer) comma(i int) {
	if i > 0 {
		w.raw(", ")
	}
}

func (w *writer) text(member, s string) {
	if w.err == nil && !utf8.ValidString(s) {
		w.err = fmt.Errorf("the text of %q is not valid UTF-8", member)
	}
	w.b = appendText(w.b, s)
}

func (w *writer) metadata(m map[string]json.RawMessage) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	w.raw("{")
	for i, k := range keys {
		w.comma(i)
		w.text("metadata", k)
		w.raw(": ")
		s := scanner{b: m[k]}
		var err error
		if !utf8.Valid(m[k]) {
			err = errors.New("they are not valid UTF-8")
		} else {
			err = s.canonical(w, 0)
		}
		if s.space(); err == nil && s.i < len(s.b) {
			err = s.at("%s after the value", s.found())
		}
		if err != nil && w.err == nil {
			w.err = fmt.Errorf("metadata %q are not JSON, %w", k, err)
		}
	}
	w.raw("}")
}

// canonical takes a value and writes it. Of two equal keys the last one stays,
// as every reader of JSON has it.
func (s *scanner) canonical(w *writer, depth int) error {
	if depth > maxDepth {
		return s.at("the value is nested more than %d levels deep", maxDepth)
	}
	switch s.peek() {
	case '{':
		type member struct{ key, value string }
		var members []member
		if err := s.object(func(key string) error {
			part := writer{}
			err := s.canonical(&part, depth+1)
			members = append(members, member{key, string(part.b)})
			return err
		}); err != nil {
			return err
		}
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
		w.raw("{")
		n := 0
		for i, m := range members {
			if i+1 < len(members) && members[i+1].key == m.key {
				continue
			}
			w.comma(n)
			n++
			w.b = appendText(w.b, m.key)
			w.raw(": " + m.value)
		}
		w.raw("}")
		return nil
	case '[':
		w.raw("[")
		n := 0
		err := s.array(func() error {
			w.comma(n)
			n++
			return s.canonical(w, depth+1)
		})
		w.raw("]")
		return err
	case '"':
		t, err := s.text()
		w.b = appendText(w.b, t)
		return err
	}
	v, err := s.value(depth)
	w.b = append(w.b, v...)
	return err
}

// appendText appends a string of JSON.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = append(b, s[done:i]...)
			b = append(b, controlEscape(c)...)
			done = i + 1
		}
	}
	b = append(b, s[done:]...)
	return append(b, '"')
}

// controlEscape is the escape of a character that may not stand in a string.
func controlEscape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	const digits = "0123456789abcdef"
	return `\u00` + string([]byte{digits[c>>4], digits[c&15]})
}
