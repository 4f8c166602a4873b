package text

import "strings"

// prefixed sends a text before everything else.
type prefixed struct {
	head  string
	m     machine
	ended bool
}

func (p *prefixed) Feed(piece string) string {
	if p.ended || piece == "" {
		return ""
	}
	var w strings.Builder
	w.WriteString(p.head)
	p.head = ""
	feed(p.m, piece, &w)
	return w.String()
}

func (p *prefixed) End() string {
	if p.ended {
		return ""
	}
	p.ended = true
	var w strings.Builder
	w.WriteString(p.head)
	p.m.end(&w)
	return w.String()
}

func (p *prefixed) held() int { return p.m.held() }

// tokenLeak shows control tokens before or behind a response.
type tokenLeak struct {
	head, tail string
	d          dice
	prompt     string
	begun      bool
	fence      fences
	code       codeSpans
	strike     int // how much of "<s>" stands at the end, 3 once it came
}

func newTokenLeak(prompt string, d dice) *tokenLeak {
	t := &tokenLeak{d: d, prompt: prompt}
	t.head, t.tail = leakedTokens(d)
	if !leaksToken(Response{prompt, t.head + t.tail}) {
		// The prompt speaks of that token.
		t.head, t.tail = reservedToken(d), ""
	}
	return t
}

func (t *tokenLeak) begin(w *strings.Builder) {
	if !t.begun {
		t.begun = true
		w.WriteString(t.head)
	}
}

func (t *tokenLeak) step(c string, r rune, w *strings.Builder) {
	t.begin(w)
	t.fence.add(r)
	t.code.add(r)
	switch {
	case t.strike == 3:
	case r == rune("<s>"[t.strike]):
		t.strike++
	case r == '<':
		t.strike = 1
	default:
		t.strike = 0
	}
	w.WriteString(c)
}

func (t *tokenLeak) end(w *strings.Builder) {
	t.begin(w)
	if t.tail == "" {
		return
	}
	// Code does not count, so it is closed.
	if t.fence.open {
		closing := "\n```\n"
		w.WriteString(closing)
		for _, r := range closing {
			t.code.add(r)
		}
	}
	if t.code.inside() {
		w.WriteString("`")
	}
	if t.strike == 3 && strings.HasPrefix(t.tail, "</s>") {
		// Behind "<s>" it would strike text through.
		w.WriteString(reservedToken(t.d))
		return
	}
	w.WriteString(t.tail)
}

func (t *tokenLeak) held() int { return 0 }
