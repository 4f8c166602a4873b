package text

import (
	"strings"
	"unicode/utf8"
)

var garbleTransform = Transform{
	ID:  "garble/1",
	Doc: `Makes the response unreadable from the beginning or from some place on, as broken kernels, caches and decoders do: one token without end ("!!!!"), fragments of rare tokens, replacement characters, UTF-8 read as Latin-1, or letters out of order.`,
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("garble/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return spoil(r.Text, throw("garble/1", seed)) }, nil
	},

	HoldBack:  longestField,
	StreamDoc: "Damages from the first word on, or from one of the first sixteen. Letters out of order need their word, up to 64 bytes; the other forms wait for nothing. What is readable at the end gets one token without end behind it.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("garble/1", nil, params); err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer { return run(newSpoiler(throw("garble/1", seed))) }, nil
	},
}

// fragments are pieces of the kind that a vocabulary's far end holds.
var fragments = []string{
	"ÃÂ", "}}](", "Strf#x", "ngth%q", "reslv$Tp", "ко#нц", "WXqzk", "iz]able", "tkn;frgm", "ph%rst", "0xQz{le", "ivKrNtQs", "sch;;mtz", "жkw", "ent]]ly",
	"ar;;gv", "cTxRpQ", "zzqwk", "mn:$ps", "lo%%rd", "grp{th}x", "vrt;clk", "qu}nt", "h#lpr", "sbj%ct", "дrf", "ynch;r", "bkt;ptn",
}

// endless are tokens that come again and again.
var endless = []string{"!", "!", "!!", "@", "$", "?"}

func spoil(s string, d dice) string {
	n := len(strings.Fields(s))
	from := 0
	if n >= 8 && d.oneIn(2) {
		from = d.between(1, n/3)
	}
	head := headOf(s, from)
	mode := d.below(5)
	for _, try := range []struct {
		head string
		mode int
	}{{head, mode}, {"", mode}, {"", 2}} {
		// A head that ends in code, or a text without long words, can hide the
		// damage; then the damage begins earlier or takes another form.
		if out := try.head + damage(s[len(try.head):], try.mode, d); isGarbled(out) {
			return out
		}
	}
	return damage(s, 0, d)
}

func damage(s string, mode int, d dice) string {
	rest := max(len(strings.Fields(s)), 12)
	switch mode {
	case 0:
		return strings.Repeat(d.pick(endless), max(rest, sameRune+4))
	case 1:
		words := make([]string, rest)
		for i := range words {
			words[i] = d.pick(fragments)
		}
		return strings.Join(words, " ")
	case 2:
		return holes(s, d)
	case 3:
		return asLatin1(s, d)
	}
	return muddle(s, d)
}

// headOf is the text before the n-th word.
func headOf(s string, n int) string {
	if n == 0 {
		return ""
	}
	inside := false
	for i := range len(s) {
		space := s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r'
		if !space && !inside {
			if n == 0 {
				return s[:i]
			}
			n--
		}
		inside = !space
	}
	return ""
}

// holes replaces about one character in twelve, and at least four, by the
// replacement character.
func holes(s string, d dice) string {
	var b strings.Builder
	made, next := 0, d.between(1, 6)
	for _, r := range s {
		if next--; next <= 0 && r != '\n' {
			b.WriteRune(utf8.RuneError)
			made++
			next = d.between(6, 18)
			continue
		}
		b.WriteRune(r)
	}
	for ; made < 4; made++ {
		b.WriteRune(utf8.RuneError)
	}
	return b.String()
}

// asLatin1 is what a reader sees whose terminal takes UTF-8 for Latin-1: the
// model's typographic marks and accents come as two or three letters each.
func asLatin1(s string, d dice) string {
	var b strings.Builder
	made := 0
	for _, r := range s {
		if mark := misread(r, d); mark != "" {
			b.WriteString(mark)
			made++
		} else {
			b.WriteRune(r)
		}
	}
	for ; made < 4; made++ {
		b.WriteString(" Ã©")
	}
	return b.String()
}

// misread is what becomes of one character, or "" where it stays.
func misread(r rune, d dice) string {
	switch {
	case r == '\'' || r == '’':
		return "â€™"
	case r == '"' || r == '“' || r == '”':
		return "â€œ"
	case r == 'e' && d.oneIn(8):
		return "Ã©"
	case r == '-':
		return "â€¢"
	case r >= 0x80 && r < 0x800:
		return "Ã" + string(rune(0xa0+d.below(31)))
	}
	return ""
}

// muddle takes the letters of the longer words out of order and drops symbols
// into them.
func muddle(s string, d dice) string {
	var b strings.Builder
	for _, w := range strings.SplitAfter(s, " ") {
		body, space := bodyOf(w)
		if len(body) < 4 || strings.ContainsRune(body, '\n') {
			b.WriteString(w)
			continue
		}
		b.WriteString(muddleWord(body, d) + space)
	}
	return b.String()
}

// muddleWord needs two characters at least.
func muddleWord(body string, d dice) string {
	letters := []rune(body)
	mixed := make([]rune, 0, len(letters)+1)
	cut := d.between(1, len(letters)-1)
	for k, i := range d.order(len(letters)) {
		if k == cut && d.oneIn(2) {
			mixed = append(mixed, []rune("%#;$}")[d.below(5)])
		}
		mixed = append(mixed, letters[i])
	}
	return string(mixed)
}
