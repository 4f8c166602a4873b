package tokens

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"unicode"
	"unicode/utf8"
)

// stable is the tokenizer of the metric contract that needs no vocabulary.
//
// A token is a longest run of word characters (letters L*, numbers N* and the
// underscore), or one character that is neither a word character nor white
// space; white space separates and is dropped. So a combining mark is a token
// of its own. The id is the little-endian uint32 of the first four bytes of
// the SHA-256 of the token in lower case, less the top bit. There are no
// special tokens. A byte that is no UTF-8 counts as U+FFFD.
type stable struct{}

func (stable) Name() string    { return "stable" }
func (stable) Version() string { return "stable-regex-sha256, Unicode " + unicode.Version }

// Append implements Tokenizer.
func (stable) Append(dst []uint32, text string) []uint32 {
	c := caches.Get().(*cache)
	defer caches.Put(c)
	for i := 0; i < len(text); {
		b := text[i]
		switch asciiClass[b] {
		case space:
			i++
			continue
		case symbol:
			dst = append(dst, asciiID[b])
			i++
			continue
		case word:
			h := hashSeed
			j := i
			for j < len(text) && asciiClass[text[j]] == word {
				h = (h ^ uint32(text[j])) * hashPrime
				j++
			}
			if j == len(text) || text[j] < utf8.RuneSelf {
				dst = append(dst, c.id(text[i:j], h))
				i = j
				continue
			}
		}
		var id uint32
		var ok bool
		if id, i, ok = c.unicode(text, i); ok {
			dst = append(dst, id)
		}
	}
	return dst
}

// unicode reads the token or the white space at i, by full Unicode rules, and
// returns where it ends; ok is false for white space.
func (c *cache) unicode(text string, i int) (id uint32, end int, ok bool) {
	h := hashSeed
	for end = i; end < len(text); {
		r, n := utf8.DecodeRuneInString(text[end:])
		if class := classOf(r); class != word {
			if end > i {
				break
			}
			if class == space {
				return 0, end + n, false
			}
			return lowerID(string(r)), end + n, true
		}
		for _, b := range []byte(text[end : end+n]) {
			h = (h ^ uint32(b)) * hashPrime
		}
		end += n
	}
	return c.id(text[i:end], h), end, true
}

// The classes of characters; other is a byte that only a rune can tell.
const (
	other = iota
	space
	symbol
	word
)

var (
	asciiClass [256]uint8
	asciiID    [utf8.RuneSelf]uint32 // of the symbols
)

func init() {
	for b := range asciiID {
		asciiClass[b] = classOf(rune(b))
		if asciiClass[b] == symbol {
			asciiID[b] = lowerID(string(rune(b)))
		}
	}
}

// classOf is the contract's reading of \w and \s, which is Python's.
func classOf(r rune) uint8 {
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
		return word
	case unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F:
		// The separators of files, groups, records and units are white space
		// for Python and not for Go.
		return space
	}
	return symbol
}

// lowerID is the id of a token that is not in lower case yet.
func lowerID(token string) uint32 {
	var buf [64]byte
	sum := sha256.Sum256(appendLower(buf[:0], token))
	return binary.LittleEndian.Uint32(sum[:]) & 0x7FFFFFFF
}

// appendLower appends the token in lower case by the full mapping of Unicode,
// which differs from that of package strings in two characters: U+0130 becomes
// two, and a capital sigma at the end of a word becomes a final one.
func appendLower(dst []byte, token string) []byte {
	for i, r := range token {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			dst = append(dst, byte(r))
		case r == 'İ':
			dst = append(dst, "i\u0307"...)
		case r == 'Σ' && casedBefore(token[:i]) && !casedAfter(token[i+len("Σ"):]):
			dst = append(dst, "ς"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

func casedBefore(s string) bool {
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		if !caseIgnorable(r) {
			return cased(r)
		}
		s = s[:len(s)-n]
	}
	return false
}

func casedAfter(s string) bool {
	for _, r := range s {
		if !caseIgnorable(r) {
			return cased(r)
		}
	}
	return false
}

// caseIgnorable is Unicode's property, as far as word characters have it.
func caseIgnorable(r rune) bool { return unicode.Is(unicode.Lm, r) }

// cased is Unicode's property.
func cased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) ||
		unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
}

// cache keeps the ids of the words that were met last. A hash has one place in
// it, so its size is fixed, and it changes no id.
type cache struct {
	slots [1 << 13]slot
}

type slot struct {
	id  uint32
	n   uint8 // bytes of the key; 0 for an empty slot
	key [27]byte
}

const (
	hashSeed  uint32 = 2166136261
	hashPrime uint32 = 16777619
)

var caches = sync.Pool{New: func() any { return new(cache) }}

// id returns the id of a word as written, whose FNV-1a hash is h.
func (c *cache) id(text string, h uint32) uint32 {
	s := &c.slots[(h^h>>15)%uint32(len(c.slots))]
	if string(s.key[:s.n]) == text {
		return s.id
	}
	id := lowerID(text)
	if len(text) <= len(s.key) {
		s.id, s.n = id, uint8(len(text))
		copy(s.key[:], text)
	}
	return id
}
