package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foreignSource is the function foreign word by word, for a length that is
// known at the end only.
type foreignSource struct {
	lang  string
	d     dice
	order []int
	next  int
	rest  string // of the sentence that has begun
	begun bool
	words int // of the sentences that have begun, as foreign counts them
	bytes int
}

// foreignBytes end a foreign text of any length.
const foreignBytes = 4000

// more returns one word, or "" once there are n and the sentence is over.
func (f *foreignSource) more(n int) string {
	if f.rest == "" && !f.sentence(n) {
		return ""
	}
	end := wordEnd(f.rest)
	if f.lang == "th" {
		// A sentence has no spaces; five letters make about a word.
		end = 0
		for i := 0; i < 5 && end < len(f.rest); i++ {
			_, size := utf8.DecodeRuneInString(f.rest[end:])
			end += size
		}
	}
	word := f.rest[:end]
	f.rest = f.rest[end:]
	return word
}

func (f *foreignSource) sentence(n int) bool {
	if f.lang == "th" {
		n = max(n/8, 2)
	}
	if f.begun && (f.words >= n || f.bytes > foreignBytes) {
		return false
	}
	from := foreignSentences[f.lang]
	if f.next == len(f.order) {
		f.order, f.next = f.d.order(len(from)), 0
	}
	s := from[f.order[f.next]]
	f.next++
	if f.words++; f.lang != "th" {
		f.words += countWords(s) - 1
	}
	if f.begun && f.lang != "zh" && f.lang != "ja" {
		s = " " + s
	}
	f.begun = true
	f.rest = s
	f.bytes += len(s)
	return true
}

// foreigner answers in a wrong language.
type foreigner struct {
	prompt, lang string
	d            dice
	source       foreignSource
	said         transcript

	scatter   bool
	until     int // words until the next stray one
	stray     int
	code      codeSpans
	fence     fences
	keep      int // sentences before the switch
	head      wordCount
	sentences sentenceEnds
	switched  bool
	words     wordCount // of the response
}

func newForeigner(prompt, lang string, d dice) machine {
	if lang == "any" {
		lang = d.pick(foreignCodes)
	}
	f := &foreigner{prompt: prompt, lang: lang, d: d}
	j := &foreignJSONStream{lang: lang, d: d, first: true}
	switch mode := d.below(6); {
	case mode == 0:
		f.scatter = true
		f.until = d.between(1, 3)
	case mode <= 2:
		f.keep = d.between(1, 2)
	}
	f.switched = !f.scatter && f.keep == 0
	f.source = foreignSource{lang: lang, d: d}
	return &gate{json: j, prose: f}
}

func (f *foreigner) write(s string, w *strings.Builder) {
	f.said.add(s)
	w.WriteString(s)
}

func (f *foreigner) step(c string, r rune, w *strings.Builder) {
	f.code.add(r)
	f.fence.add(r)
	begins := f.words.add(r)
	switch {
	case f.scatter:
		f.write(c, w)
		if r != ' ' || f.code.inside() {
			return
		}
		if f.until--; f.until <= 0 {
			f.write(f.d.pick(strayWords)+" ", w)
			f.stray++
			f.until = f.d.between(2, 6)
		}
	case f.switched:
		if begins {
			f.write(f.source.more(f.wanted()), w)
		}
	default:
		f.write(c, w)
		f.head.add(r)
		if f.sentences.add(r) && f.head.n > 0 {
			f.keep--
		}
		f.switched = f.keep <= 0 && !f.code.inside() && f.code.run == 0
	}
}

// wanted is how many foreign words there should be, as far as the response
// has come.
func (f *foreigner) wanted() int {
	if f.head.n == 0 {
		return max(f.words.n, 14)
	}
	return max(3*f.head.n, f.words.n-f.head.n)
}

func (f *foreigner) end(w *strings.Builder) {
	if f.scatter {
		for ; f.stray < 4; f.stray++ {
			f.write(" "+f.d.pick(strayWords), w)
		}
		return
	}
	if !f.switched {
		closing := " "
		switch {
		case f.fence.open:
			closing = "\n```\n"
		case f.code.inside():
			closing = "` "
		}
		f.write(closing, w)
	}
	n := f.wanted()
	for s := f.source.more(n); s != ""; s = f.source.more(n) {
		f.write(s, w)
	}
	if f.head.n == 0 {
		return
	}
	// A beginning that holds foreign words of its own, or many names, takes
	// more to outweigh.
	for range 3 {
		if wrongLanguage(Response{f.prompt, string(f.said.text)}, "prompt", "en") {
			return
		}
		n *= 2
		for s := f.source.more(n); s != ""; s = f.source.more(n) {
			f.write(s, w)
		}
	}
}

func (f *foreigner) held() int { return 0 }

// foreignJSONStream replaces the strings of a JSON text: the first, and those
// that hold two words or more.
type foreignJSONStream struct {
	lang     string
	d        dice
	first    bool
	begun    bool
	filled   bool // there is something between the outer brackets
	inside   bool // in a value
	replaced bool
	word     []byte // the first word of a value
	words    wordCount
	source   foreignSource
}

func (f *foreignJSONStream) begin() {
	f.replaced = true
	f.source = foreignSource{lang: f.lang, d: f.d}
}

func (f *foreignJSONStream) event(ev jsonEvent, raw string, value rune, s *jsonScan, w *strings.Builder) {
	switch {
	case ev == jsonQuote && s.value():
		f.inside, f.replaced = true, false
		f.words = wordCount{}
		w.WriteString(raw)
		if f.first {
			f.first = false
			f.begin()
		}
	case ev == jsonUnquote && f.inside:
		f.inside = false
		if f.replaced {
			n := max(f.words.n, 16)
			for word := f.source.more(n); word != ""; word = f.source.more(n) {
				w.WriteString(quoted(word))
			}
		}
		f.drop(w)
		w.WriteString(raw)
	case ev == jsonChar && f.inside:
		f.char(raw, value, w)
	case ev == jsonClose && s.done && f.first:
		// There was nothing to replace.
		gap := ""
		if f.filled {
			gap = ", "
		}
		if raw == "}" {
			gap += `"note": `
		}
		w.WriteString(gap + quoteJSON(foreign(f.lang, 16, f.d)) + raw)
	default:
		f.filled = f.filled || ev != jsonSpace && f.begun
		f.begun = true
		w.WriteString(raw)
	}
}

func (f *foreignJSONStream) char(raw string, value rune, w *strings.Builder) {
	begins := f.words.add(value)
	if begins && f.words.n == 2 && !f.replaced {
		f.begin()
		f.word = f.word[:0]
	}
	switch {
	case f.replaced:
		if begins {
			w.WriteString(quoted(f.source.more(max(f.words.n, 16))))
		}
	case len(f.word)+len(raw) > gateBytes:
		// Too long for a word: a key or a picture.
		f.drop(w)
		w.WriteString(raw)
	case len(f.word) == 0 && f.words.n > 0 && !begins && !unicode.IsSpace(value):
		w.WriteString(raw)
	default:
		f.word = append(f.word, raw...)
	}
}

// drop sends what waits.
func (f *foreignJSONStream) drop(w *strings.Builder) {
	w.Write(f.word)
	f.word = f.word[:0]
}

func (f *foreignJSONStream) release(_ *jsonScan, _ bool, w *strings.Builder) { f.drop(w) }

func (f *foreignJSONStream) held() int { return len(f.word) }
