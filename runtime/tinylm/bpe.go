package tinylm

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokenizer is a byte-level byte-pair encoding with the pre-tokenizer of
// GPT-2, as other engines know it under the name "gpt-2".
type Tokenizer struct {
	tokens  []string // in the printable alphabet of GPT-2; specials as they are
	special map[string]int
	ids     map[string]int
	ranks   map[[2]string]int
	merges  [][2]string
}

// alphabet maps each byte to the printable character that stands for it.
var alphabet = func() (out [256]string) {
	n := 0
	for b := range 256 {
		printable := b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae
		if printable {
			out[b] = string(rune(b))
		} else {
			out[b] = string(rune(256 + n))
			n++
		}
	}
	return out
}()

var bytesOf = func() map[rune]byte {
	m := make(map[rune]byte)
	for b, s := range alphabet {
		r, _ := utf8.DecodeRuneInString(s)
		m[r] = byte(b)
	}
	return m
}()

func newTokenizer(tokens []string, specials []string, merges [][2]string) *Tokenizer {
	t := &Tokenizer{tokens: tokens, merges: merges, special: map[string]int{}, ids: map[string]int{}, ranks: map[[2]string]int{}}
	for i, s := range tokens {
		t.ids[s] = i
	}
	for _, s := range specials {
		t.special[s] = t.ids[s]
	}
	for i, m := range merges {
		t.ranks[m] = i
	}
	return t
}

// Encode turns a text into tokens. Special tokens are not recognised in it:
// what a user writes cannot end a turn.
func (t *Tokenizer) Encode(text string) []int {
	var out []int
	for _, word := range words(text) {
		parts := make([]string, 0, len(word))
		for i := range len(word) {
			parts = append(parts, alphabet[word[i]])
		}
		for len(parts) > 1 {
			best, at := len(t.merges), -1
			for i := range len(parts) - 1 {
				if r, ok := t.ranks[[2]string{parts[i], parts[i+1]}]; ok && r < best {
					best, at = r, i
				}
			}
			if at < 0 {
				break
			}
			parts[at] += parts[at+1]
			parts = append(parts[:at+1], parts[at+2:]...)
		}
		for _, p := range parts {
			out = append(out, t.ids[p])
		}
	}
	return out
}

// Special is the id of a special token.
func (t *Tokenizer) Special(name string) int {
	id, ok := t.special[name]
	if !ok {
		panic("tinylm: there is no special token " + name)
	}
	return id
}

// Bytes are what a token stands for; nothing for a special one. A character
// may take several tokens.
func (t *Tokenizer) Bytes(id int) []byte {
	if _, ok := t.special[t.tokens[id]]; ok {
		return nil
	}
	var out []byte
	for _, r := range t.tokens[id] {
		out = append(out, bytesOf[r])
	}
	return out
}

// Size is the number of tokens.
func (t *Tokenizer) Size() int { return len(t.tokens) }

// words cuts a text as GPT-2 does: contractions, then a space with letters,
// with digits, or with other signs, then white space, of which the last one
// goes with the next word.
func words(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		n := word(text[i:])
		out = append(out, text[i:i+n])
		i += n
	}
	return out
}

func word(s string) int {
	for _, c := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(s, c) {
			return len(c)
		}
	}
	start := 0
	if s[0] == ' ' {
		start = 1
	}
	if start < len(s) {
		r, _ := utf8.DecodeRuneInString(s[start:])
		if class := classOf(r); class != 's' {
			return start + span(s[start:], class)
		}
	}
	n := span(s, 's')
	if n < len(s) {
		// The white space before a word gives its last character to the word.
		_, last := utf8.DecodeLastRuneInString(s[:n])
		if n > last {
			return n - last
		}
	}
	return n
}

func span(s string, class byte) int {
	for i, r := range s {
		if classOf(r) != class {
			return i
		}
	}
	return len(s)
}

func classOf(r rune) byte {
	switch {
	case unicode.IsSpace(r):
		return 's'
	case unicode.IsLetter(r):
		return 'l'
	case unicode.IsNumber(r):
		return 'n'
	}
	return 'o'
}

// TrainTokenizer learns merges from texts until the vocabulary has a size.
// The specials come first, then the bytes. Ties go to the pair that is less in
// byte order, so the result depends on the texts alone.
func TrainTokenizer(texts []string, specials []string, size int) (*Tokenizer, error) {
	tokens := append([]string{}, specials...)
	tokens = append(tokens, alphabet[:]...)
	if size < len(tokens) {
		return nil, fmt.Errorf("a vocabulary of %d has no room for %d bytes and specials", size, len(tokens))
	}
	count := map[string]int{}
	for _, t := range texts {
		for _, w := range words(t) {
			count[w]++
		}
	}
	type entry struct {
		parts []string
		n     int
	}
	var entries []entry
	for w, n := range count {
		e := entry{n: n}
		for i := range len(w) {
			e.parts = append(e.parts, alphabet[w[i]])
		}
		entries = append(entries, e)
	}
	known := map[string]bool{}
	for _, t := range tokens {
		known[t] = true
	}
	var merges [][2]string
	for len(tokens) < size {
		pairs := map[[2]string]int{}
		for _, e := range entries {
			for i := range len(e.parts) - 1 {
				pairs[[2]string{e.parts[i], e.parts[i+1]}] += e.n
			}
		}
		var list [][2]string
		for p := range pairs {
			list = append(list, p)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("the texts give %d tokens and no more", len(tokens))
		}
		sort.Slice(list, func(i, j int) bool {
			a, b := list[i], list[j]
			if pairs[a] != pairs[b] {
				return pairs[a] > pairs[b]
			}
			return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
		})
		best := list[0]
		merges = append(merges, best)
		joined := best[0] + best[1]
		if !known[joined] {
			known[joined] = true
			tokens = append(tokens, joined)
		}
		for k := range entries {
			parts := entries[k].parts
			for i := 0; i < len(parts)-1; i++ {
				if parts[i] == best[0] && parts[i+1] == best[1] {
					parts[i] = joined
					parts = append(parts[:i+1], parts[i+2:]...)
				}
			}
			entries[k].parts = parts
		}
	}
	return newTokenizer(tokens, specials, merges), nil
}
