package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutter returns the length of the first piece of a text, in bytes. The text
// has at least one character and is UTF-8. Each cutter is one pattern, read as
// a backtracking matcher reads it (the first alternative that matches, every
// repetition as long as it can be), in linear time.
type cutter func(text string) int

// The classes of characters, as bits. Letters, numbers, blanks and signs do not
// overlap, and every character is one of them.
const (
	letter  = 1 << iota // \p{L}
	number              // \p{N}
	blank               // \s: Unicode's White_Space
	sign                // [^\s\p{L}\p{N}], marks too
	upper               // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lower               // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	lineEnd             // [\r\n]
	slash               // "/"
)

var asciiBits = func() (bits [utf8.RuneSelf]uint8) {
	for r := range bits {
		bits[r] = bitsOf(rune(r))
	}
	bits['\r'] |= lineEnd
	bits['\n'] |= lineEnd
	bits['/'] |= slash
	return bits
}()

func bitsOf(r rune) uint8 {
	switch {
	case unicode.Is(unicode.Ll, r):
		return letter | lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | upper
	case unicode.IsLetter(r):
		return letter | upper | lower
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return blank
	case unicode.IsMark(r):
		return sign | upper | lower
	}
	return sign
}

// look returns the class and the length of the character at a place; 0 at the
// end of the text.
func look(text string, at int) (bits uint8, n int) {
	if at >= len(text) {
		return 0, 0
	}
	if b := text[at]; b < utf8.RuneSelf {
		return asciiBits[b], 1
	}
	r, n := utf8.DecodeRuneInString(text[at:])
	return bitsOf(r), n
}

// run is the end of the longest run of characters of any of the classes.
func run(text string, at int, classes uint8) int {
	for {
		bits, n := look(text, at)
		if bits&classes == 0 {
			return at
		}
		at += n
	}
}

// cutGPT2 is
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func cutGPT2(text string) int {
	for _, c := range contractions {
		if text[0] == '\'' && strings.HasPrefix(text[1:], c) {
			return 1 + len(c)
		}
	}
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	for _, class := range []uint8{letter, number, sign} {
		if end := run(text, at, class); end > at {
			return end
		}
	}
	return spaces(text)
}

// cutCL100K is
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cutCL100K(text string) int {
	if n := contraction(text); n > 0 {
		return n
	}
	at := before(text)
	if end := run(text, at, letter); end > at {
		return end
	}
	return rest(text, lineEnd)
}

// cutO200K is
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cutO200K(text string) int {
	starts := []int{before(text), 0} // the first character is optional, and taken where it can be
	for _, word := range []func(string, int) int{endsLower, startsUpper} {
		for _, at := range starts {
			if end := word(text, at); end > at {
				return end + contraction(text[end:])
			}
		}
	}
	return rest(text, lineEnd|slash)
}

// endsLower is the end of [upper]*[lower]+ at a place, or the place itself.
func endsLower(text string, at int) int {
	end := run(text, at, upper)
	if further := run(text, end, lower); further > end {
		return further
	}
	// The upper run gives back characters until the first that is lower as well.
	for end > at {
		r, n := utf8.DecodeLastRuneInString(text[at:end])
		if bitsOf(r)&lower != 0 {
			return end
		}
		end -= n
	}
	return at
}

// startsUpper is the end of [upper]+[lower]* at a place, or the place itself.
func startsUpper(text string, at int) int {
	end := run(text, at, upper)
	if end == at {
		return at
	}
	return run(text, end, lower)
}

// before is the length of [^\r\n\p{L}\p{N}]? at the beginning.
func before(text string) int {
	if bits, n := look(text, 0); bits&(letter|number|lineEnd) == 0 {
		return n
	}
	return 0
}

// contractions are what may stand behind an apostrophe.
var contractions = []string{"s", "t", "re", "ve", "m", "ll", "d"}

// contraction is the length of a contraction in any case at the beginning of a
// text; 0 for none.
func contraction(text string) int {
	if text == "" || text[0] != '\'' {
		return 0
	}
	_, n := utf8.DecodeRuneInString(text[1:])
	one := 1 + n
	_, n = utf8.DecodeRuneInString(text[one:])
	two := one + n
	for _, c := range contractions {
		end := one
		if len(c) == 2 {
			end = two
		}
		if strings.EqualFold(text[1:end], c) {
			return end
		}
	}
	return 0
}

// rest are the alternatives from \p{N}{1,3} on, of which tail may follow
// symbols.
func rest(text string, tail uint8) int {
	at := 0
	for range 3 {
		if bits, n := look(text, at); bits&number != 0 {
			at += n
		}
	}
	if at > 0 {
		return at
	}
	if text[0] == ' ' {
		at = 1
	}
	if end := run(text, at, sign); end > at {
		return run(text, end, tail)
	}
	if i := strings.LastIndexAny(text[:run(text, 0, blank)], "\r\n"); i >= 0 {
		return i + 1
	}
	return spaces(text)
}

// spaces is \s+(?!\S)|\s+: the last space before a word goes with the word.
func spaces(text string) int {
	end := run(text, 0, blank)
	if end == len(text) {
		return end
	}
	if _, last := utf8.DecodeLastRuneInString(text[:end]); last < end {
		return end - last
	}
	return end
}
