package text

import (
	"unicode"
	"unicode/utf8"
)

var garbledScorer = Scorer{
	ID: "garbled/1", Kind: "rate", Unit: "1",
	Doc: "1 where the response is not readable as text: replacement or control characters, one character twenty times in a row, UTF-8 read as Latin-1, or many words that cannot be words (symbols and digits inside, mixed scripts, changing case, no vowel). Code is left out.",
	New: fixedScorer("garbled/1", func(r Response) int32 { return rate(isGarbled(r.Text)) }),
}

const sameRune = 20

// isGarbled looks at code for broken characters only; its words are no words.
func isGarbled(s string) bool {
	var g garble
	code := false
	var prev rune
	same := 0
	for i := 0; i < len(s); {
		c := rune(s[i])
		size := 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
			g.wide(c, prev)
		} else if c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			g.broken++
		}
		g.runes++
		if c == prev {
			same++
			if same == sameRune && !layout(c) {
				return true
			}
		} else {
			same = 1
		}
		prev = c
		switch {
		case c == '`':
			g.flush()
			code = !code
			if i+2 < len(s) && s[i+1] == '`' && s[i+2] == '`' {
				i += 2
			}
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '|':
			g.flush()
		case !code:
			g.add(c)
		}
		i += size
	}
	g.flush()
	switch {
	case g.broken >= 3 || g.broken*100 > g.runes:
		return true
	case g.mojibake >= 3:
		return true
	case g.odd >= 4 && g.odd*8 >= g.words:
		return true
	}
	return g.odd >= 2 && g.odd*2 >= g.words
}

// layout are characters that people repeat to draw rules, tables, blanks and
// leaders.
func layout(c rune) bool {
	switch c {
	case '-', '=', '_', '*', '.', '#', '~', '+', ' ', '\n', '\t', '\r', '|', '/', '\\', '<', '>', '^', '·', '•', '0', '…', 0xa0:
		return true
	}
	return c >= 0x2500 && c <= 0x25ff || c >= 0x2010 && c <= 0x2015 || c >= 0x2800 && c <= 0x28ff
}

// garble collects the signs over a text, one word at a time.
type garble struct {
	runes, broken, mojibake, words, odd int

	// the word so far
	n, letters, vowels, consonants, maxConsonants int
	digits, symbols, inner, flips                 int
	lower, upper, open                            bool
	scripts                                       uint16
	link                                          bool
}

// wide looks at one character outside ASCII.
func (g *garble) wide(c, prev rune) {
	switch {
	case c == utf8.RuneError || c >= 0xe000 && c <= 0xf8ff || c == 0xfffe || c >= 0x80 && c < 0xa0:
		g.broken++
	case (prev == 'Ã' || prev == 'Â' || prev == 'â') && (c >= 0x80 && c < 0xc0 || c == '€' || c == '™' || c == 'œ' || c == '˜' || c == '¢'):
		g.mojibake++
	}
}

func (g *garble) add(c rune) {
	g.n++
	switch {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 && unicode.IsLetter(c):
		if g.open {
			g.inner++
			g.open = false
		}
		g.letters++
		g.scripts |= 1 << scriptOf(c)
		if isVowel(c) {
			g.vowels++
			g.consonants = 0
		} else {
			g.consonants++
			g.maxConsonants = max(g.maxConsonants, g.consonants)
		}
		up := unicode.IsUpper(c)
		if g.lower && up {
			g.flips++
		}
		g.lower, g.upper = !up, g.upper || up
	case c >= '0' && c <= '9':
		g.digits++
		if g.open {
			g.inner++
			g.open = false
		}
		g.consonants, g.lower = 0, false
	case c == '\'' || c == '’' || c == '-' || c == '.' || c == ',' || c == '‐' || c == '–' || c == '—' || unicode.Is(unicode.M, c):
		g.consonants, g.lower = 0, false
	case c == '#' && g.n == 1:
		// A hashtag runs words together.
		g.link = true
	case c == '/' || c == '@' || c == '\\' || c == '_' || c == '=' || c == '^' || c == '<' || c == '>' || c == '&' || c == '(' || c == '[':
		g.link = true
		g.consonants, g.lower = 0, false
	default:
		g.symbols++
		g.consonants, g.lower = 0, false
		if g.letters > 0 {
			g.open = true
		}
	}
}

func isVowel(c rune) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y', 'A', 'E', 'I', 'O', 'U', 'Y':
		return true
	}
	return c >= 0x80
}

// flush judges the word that ends here.
func (g *garble) flush() {
	if g.letters > 0 && !g.link {
		g.words++
		mixed := g.scripts&(g.scripts-1) != 0 && g.scripts != 1<<han|1<<kana
		odd := g.inner >= 1 && g.letters >= 3 && g.symbols >= 1 ||
			mixed && g.letters >= 4 && g.vowels != g.letters ||
			g.flips >= 3 && g.letters >= 5 ||
			g.letters >= 5 && g.vowels == 0 && g.lower ||
			g.maxConsonants >= 6 && g.vowels > 0 ||
			g.letters >= 3 && g.digits >= 3 && g.flips >= 1
		if odd {
			g.odd++
		}
	}
	runes, broken, mojibake, words, odd := g.runes, g.broken, g.mojibake, g.words, g.odd
	*g = garble{runes: runes, broken: broken, mojibake: mojibake, words: words, odd: odd}
}
