package text

import "strings"

// grower lengthens a response while it comes. Each word of the response earns
// words to add, and what is earned is spent where a sentence ends.
type grower struct {
	d      dice
	factor float64
	say    func(string) string

	closing string
	order   []int
	next    int // of order
	added   int
	words   wordCount // of the response

	ends     sentenceEnds
	fence    fences
	sentence []byte // for a restatement
	count    wordCount
	slots    int
	last     string // the last sentence that could be restated
}

// longestSentence bounds, in bytes, what may be restated.
const longestSentence = 512

func newGrower(prompt string, factor float64, d dice) machine {
	topic := topicOf(prompt, "the subject")
	g := &grower{d: d, factor: factor, say: func(s string) string { return strings.ReplaceAll(s, "%", topic) }}
	g.closing = g.say(d.pick(closings))
	g.order = d.order(len(asides))
	j := &jsonGrower{grower: g, first: true, topic: topicOf(prompt, "the request")}
	return &gate{json: j, prose: g, count: func(r rune) { g.words.add(r) }}
}

// earned is how many words there should be more by now.
func (g *grower) earned() int { return int(float64(g.words.n)*(g.factor-1) + 0.5) }

// aside returns the next addition and how many words it has; "" where there is
// none.
func (g *grower) aside() (string, int) {
	if g.next < len(g.order) {
		s := g.say(asides[g.order[g.next]])
		return s, countWords(s)
	}
	if g.last == "" {
		return "", 0
	}
	s := restatements[g.next%len(restatements)] + g.last
	return s, countWords(s)
}

func (g *grower) step(c string, r rune, w *strings.Builder) {
	wasCode := g.fence.open
	g.fence.add(r)
	if g.ends.add(r) {
		if !wasCode && !g.fence.open && g.ends.complete() && g.count.n >= 3 {
			g.spend(w)
		}
		g.sentence, g.count = g.sentence[:0], wordCount{}
	} else if !g.ends.gap {
		g.count.add(r)
		if len(g.sentence) <= longestSentence {
			g.sentence = append(g.sentence, c...)
		}
	}
	w.WriteString(c)
}

// spend adds what was earned, the closing set aside.
func (g *grower) spend(w *strings.Builder) {
	g.slots++
	if len(g.sentence) <= longestSentence {
		g.last = strings.TrimLeft(string(g.sentence), "#*- 0123456789.")
	}
	for {
		left := g.earned() - g.added
		if n := countWords(g.closing); g.earned() >= 2*n {
			left -= n
		}
		s, n := g.aside()
		if n == 0 || n > left {
			return
		}
		w.WriteString(" " + s)
		g.added += n
		g.next++
	}
}

func (g *grower) end(w *strings.Builder) {
	gap := "\n\n"
	if !g.fence.open && g.ends.complete() && g.count.n >= 3 {
		gap = " "
		if len(g.sentence) <= longestSentence {
			g.last = strings.TrimLeft(string(g.sentence), "#*- 0123456789.")
		}
	}
	want := max(g.earned(), 3) - g.added
	n := countWords(g.closing)
	closes := max(g.earned(), 3) >= 2*n && want >= n
	if closes {
		want -= n
	}
	for want > 2 {
		s, n := g.aside()
		if n == 0 {
			break
		}
		w.WriteString(gap + s)
		want -= n
		g.next++
		gap = " "
	}
	if closes {
		w.WriteString("\n\n" + g.closing)
	}
}

func (g *grower) held() int { return 0 }

// jsonGrower lets the strings of a JSON text grow.
type jsonGrower struct {
	*grower
	topic  string
	first  bool
	inside bool
	words  wordCount
}

func (g *jsonGrower) event(ev jsonEvent, raw string, value rune, s *jsonScan, w *strings.Builder) {
	switch {
	case ev == jsonQuote && s.value():
		g.inside, g.words = true, wordCount{}
	case ev == jsonChar && g.inside:
		g.words.add(value)
	case ev == jsonUnquote && g.inside:
		g.inside = false
		if g.words.n < 2 && !g.first {
			break
		}
		g.first = false
		for max(g.earned(), 3) > g.added {
			add := strings.ReplaceAll(asides[g.order[g.next%len(g.order)]], "%", g.topic)
			w.WriteString(quoted(" " + add))
			g.added += countWords(add)
			g.next++
		}
	}
	w.WriteString(raw)
}

func (g *jsonGrower) release(*jsonScan, bool, *strings.Builder) {}
