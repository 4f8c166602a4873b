package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A token is one word of an opening, lower-cased, with contractions spelled
// out ("can't" is "can", "not") and typographic apostrophes folded.
type token struct {
	word   uint16 // index into the vocabulary of the cues, 0 for other words
	stem   uint32 // hash of the word without its inflection; 0 in later sentences
	sent   uint8  // which sentence it is in
	quoted bool   // inside quotation marks: mentioned, not said
}

const (
	openingTokens    = 200
	openingSentences = 7
	stemmedSentences = 3 // in which words are compared with the prompt's
	openingBytes     = 2200
)

// buffers hold the tokens of openings between uses.
var buffers = sync.Pool{New: func() any { return new([openingTokens]token) }}

// isAfter are the words behind which 's stands for "is"; elsewhere it marks a
// possessive.
var isAfter = map[string]bool{
	"it": true, "that": true, "this": true, "there": true, "here": true, "what": true,
	"he": true, "she": true, "who": true, "where": true, "how": true,
}

// bare are contractions that people write without the apostrophe.
var bare = map[string]string{
	"cant": "can", "dont": "do", "wont": "will", "isnt": "is", "arent": "are",
	"doesnt": "does", "shouldnt": "should", "couldnt": "could",
}

type tokenizer struct {
	vocab map[string]uint16
	out   []token
	sent  uint8
	quote bool
	buf   [64]byte
}

func (z *tokenizer) word(w []byte) {
	if len(z.out) == cap(z.out) || len(w) == 0 {
		return
	}
	t := token{word: z.vocab[string(w)], sent: z.sent, quoted: z.quote}
	if z.sent < stemmedSentences {
		t.stem = stem(w)
	}
	z.out = append(z.out, t)
}

var (
	wordNot   = []byte("not")
	wordIs    = []byte("is")
	wordAm    = []byte("am")
	wordAre   = []byte("are")
	wordHave  = []byte("have")
	wordWill  = []byte("will")
	wordWould = []byte("would")
	wordUs    = []byte("us")
	wordCan   = []byte("can")
)

// contraction adds w, which may hold one apostrophe, as the words it stands
// for.
func (z *tokenizer) contraction(w []byte) {
	at := -1
	for i, c := range w {
		if c == '\'' {
			at = i
			break
		}
	}
	if at < 0 {
		switch {
		case string(w) == "cannot":
			z.word(wordCan)
			z.word(wordNot)
		case len(w) <= 8 && bare[string(w)] != "":
			z.word([]byte(bare[string(w)]))
			z.word(wordNot)
		default:
			z.word(w)
		}
		return
	}
	head, tail := w[:at], string(w[at+1:])
	switch {
	case tail == "t" && len(head) > 1 && head[len(head)-1] == 'n':
		switch string(head) {
		case "can":
			z.word(wordCan)
		case "won":
			z.word(wordWill)
		default:
			z.word(head[:len(head)-1])
		}
		z.word(wordNot)
	case tail == "m":
		z.word(head)
		z.word(wordAm)
	case tail == "re":
		z.word(head)
		z.word(wordAre)
	case tail == "ve":
		z.word(head)
		z.word(wordHave)
	case tail == "ll":
		z.word(head)
		z.word(wordWill)
	case tail == "d":
		z.word(head)
		z.word(wordWould)
	case tail == "s" && string(head) == "let":
		z.word(head)
		z.word(wordUs)
	case tail == "s" && isAfter[string(head)]:
		z.word(head)
		z.word(wordIs)
	default:
		z.word(head)
	}
}

// opening reads the first sentences of s. The slice that it returns is into,
// grown never: what does not fit is not part of the opening.
func opening(s string, vocab map[string]uint16, into []token) []token {
	if len(s) > openingBytes {
		s = s[:openingBytes]
	}
	z := tokenizer{vocab: vocab, out: into[:0]}
	n := 0
	flush := func() {
		w := z.buf[:n]
		for len(w) > 0 && w[len(w)-1] == '\'' {
			w = w[:len(w)-1]
		}
		if len(w) > 0 {
			z.contraction(w)
		}
		n = 0
	}
	lastEnd := 0
	end := func() {
		// A full stop after nothing, or after a list number, ends no sentence.
		if len(z.out) > lastEnd {
			z.sent++
			lastEnd = len(z.out)
		}
		z.quote = false
	}
	for i := 0; i < len(s) && z.sent < openingSentences && len(z.out) < cap(z.out); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == '’' || r == '‘' || r == 'ʼ':
				if n > 0 && n < len(z.buf) {
					z.buf[n] = '\''
					n++
				}
			case r == '“':
				flush()
				z.quote = true
			case r == '”':
				flush()
				z.quote = false
			case unicode.IsLetter(r):
				if n+utf8.UTFMax < len(z.buf) {
					n += utf8.EncodeRune(z.buf[n:], unicode.ToLower(r))
				}
			case r == '。' || r == '！' || r == '？' || r == '…':
				flush()
				end()
			default:
				flush()
			}
			i += size
			continue
		}
		switch {
		case c >= 'A' && c <= 'Z':
			if n < len(z.buf) {
				z.buf[n] = c + 'a' - 'A'
				n++
			}
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			if n < len(z.buf) {
				z.buf[n] = c
				n++
			}
		case c == '\'':
			if n > 0 && n < len(z.buf) {
				z.buf[n] = c
				n++
			}
		case c == '"':
			flush()
			z.quote = !z.quote
		case c == '.' || c == '!' || c == '?':
			flush()
			if i+1 == len(s) || strings.IndexByte(" \n\r\t\"')*_", s[i+1]) >= 0 {
				end()
			}
		case c == '\n' || c == ':' || c == ';':
			flush()
			if c != ':' || i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n' {
				end()
			}
		default:
			flush()
		}
		i++
	}
	if z.sent < openingSentences {
		flush()
	}
	return z.out
}

// suffixes are removed by stem, longest first.
var suffixes = []string{"ations", "ation", "ating", "ingly", "ated", "ates", "ings", "edly", "ions", "ate", "ing", "ied", "ies", "ion", "ers", "est", "ed", "es", "er", "ly", "s", "e", "y"}

// suffixesBy are the suffixes by their last letter.
var suffixesBy = func() (by [256][]string) {
	for _, s := range suffixes {
		by[s[len(s)-1]] = append(by[s[len(s)-1]], s)
	}
	return by
}()

// stem hashes w without a common English ending. It serves to see that two
// sentences speak of the same thing, so a rough cut does.
func stem(w []byte) uint32 {
	for _, suf := range suffixesBy[w[len(w)-1]] {
		if len(w) >= len(suf)+3 && string(w[len(w)-len(suf):]) == suf {
			w = w[:len(w)-len(suf)]
			break
		}
	}
	// A doubled last consonant belongs to the ending: "stopping", "stop".
	if n := len(w); n > 3 && w[n-1] == w[n-2] {
		w = w[:n-1]
	}
	h := uint32(2166136261)
	for _, c := range w {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
