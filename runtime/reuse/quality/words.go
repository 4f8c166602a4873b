package quality

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the words of a text: maximal runs of letters and numbers of any
// script, each character in lower case. Everything else separates, the
// underscore too.
func Words(s string) []string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\u0130': // its lower case is two characters
			b.WriteString("i\u0307")
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// Empty tells whether a text has no word.
func Empty(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0
}

var stopWords = map[string]bool{"a": true, "an": true, "and": true, "as": true, "in": true, "of": true, "to": true, "the": true, "was": true, "were": true}

var suffixes = []string{"ing", "ed", "es", "s"}

// content are the words that carry meaning, without their commonest endings.
func content(words []string) []string {
	var out []string
	for _, w := range words {
		if !stopWords[w] {
			out = append(out, stem(w))
		}
	}
	return out
}

// stem takes one ending off a word of more than three other characters, and
// then the second of a doubled last letter ("running" is "run").
func stem(w string) string {
	for _, suffix := range suffixes {
		rest, ok := strings.CutSuffix(w, suffix)
		if !ok || utf8.RuneCountInString(rest) <= 3 {
			continue
		}
		last, size := utf8.DecodeLastRuneInString(rest)
		if before, _ := utf8.DecodeLastRuneInString(rest[:len(rest)-size]); before == last {
			rest = rest[:len(rest)-size]
		}
		return rest
	}
	return w
}
