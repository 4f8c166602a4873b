package text

import "strings"

// callBreaker breaks the first tool call of a response, or adds a broken one
// behind it.
type callBreaker struct {
	prompt string
	seed   uint64
	gate   *gate
	out    transcript
	total  int // bytes sent
}

func newCallBreaker(prompt string, seed uint64) *callBreaker {
	b := &callBreaker{prompt: prompt, seed: seed}
	d := throw("break_tool_call/1 stream", seed)
	how, count := d.below(callFaults), d.between(3, 8)
	b.gate = &gate{
		json:  &bareCall{how: how, count: count},
		prose: &taggedCall{how: how, count: count, said: &b.out},
	}
	return b
}

func (b *callBreaker) step(c string, r rune, w *strings.Builder) {
	n := w.Len()
	b.gate.step(c, r, w)
	b.sent(w.String()[n:])
}

func (b *callBreaker) sent(s string) {
	b.out.add(s)
	b.total += len(s)
}

func (b *callBreaker) end(w *strings.Builder) {
	n := w.Len()
	b.gate.end(w)
	b.sent(w.String()[n:])
	text := string(b.out.text)
	if toolCallState(text, nil) == badCall && b.total == len(text) && b.broke() {
		return
	}
	d := throw("break_tool_call/1", b.seed)
	w.WriteString(withBrokenCall(text, someCall(b.prompt, d), "", d)[len(text):])
}

// broke tells whether a call was found and broken.
func (b *callBreaker) broke() bool {
	return b.gate.json.(*bareCall).on || b.gate.prose.(*taggedCall).broken
}

func (b *callBreaker) held() int { return b.gate.held() }

// The ways in which a call breaks while it comes.
const (
	quoteSingly = iota
	loseTag
	loseLast
	stopInside
	callFaults
)

// taggedCall breaks a call between tags: see callTags.
type taggedCall struct {
	how    int
	count  int // quotation marks until the call stops
	said   *transcript
	hold   []byte // what may become a tag
	inside bool
	broken bool
	close  string // the tag that ends the call
	brace  []byte // a bracket that may be the last, and white space behind it
	cut    bool
}

// reactInput begins the arguments of a call in the ReAct format.
const reactInput = "Action Input:"

func (t *taggedCall) step(c string, _ rune, w *strings.Builder) {
	if t.broken && !t.inside {
		w.WriteString(c)
		return
	}
	t.hold = append(t.hold, c...)
	for len(t.hold) > 0 {
		held := string(t.hold)
		whole, partial := t.match(held)
		switch {
		case whole && t.inside:
			t.endCall(w)
			return
		case whole:
			w.WriteString(held)
			t.hold, t.inside, t.broken = t.hold[:0], true, true
			return
		case partial:
			return
		}
		n := 1
		for n < len(held) && held[n]&0xc0 == 0x80 {
			n++
		}
		t.hold = t.hold[:copy(t.hold, held[n:])]
		if t.inside {
			t.body(held[:n], w)
		} else {
			w.WriteString(held[:n])
		}
	}
}

// match tells whether s is a tag that matters now, or the beginning of one.
func (t *taggedCall) match(s string) (whole, partial bool) {
	if t.inside {
		return t.close != "" && s == t.close, strings.HasPrefix(t.close, s)
	}
	for _, tag := range callTags {
		if s == tag.open {
			t.close = tag.end
			return true, false
		}
		partial = partial || strings.HasPrefix(tag.open, s)
	}
	if s == reactInput && strings.Contains(string(t.said.text), "Action:") {
		t.close = ""
		return true, false
	}
	return false, partial || s != reactInput && strings.HasPrefix(reactInput, s)
}

// body sends what becomes of one character of a call.
func (t *taggedCall) body(c string, w *strings.Builder) {
	how := t.how
	if how == loseTag && t.close == "" {
		how = loseLast
	}
	switch how {
	case quoteSingly:
		if c == `"` {
			c = "'"
		}
	case stopInside:
		if c == `"` {
			t.count--
		}
		if t.cut = t.cut || t.count <= 0 || c == "}"; t.cut {
			return
		}
	case loseLast:
		if c == "}" {
			w.Write(t.brace)
			t.brace = append(t.brace[:0], c...)
			return
		}
		if len(t.brace) > 0 && strings.Contains(" \n\t\r]", c) && len(t.brace) < gateBytes/2 {
			t.brace = append(t.brace, c...)
			return
		}
		w.Write(t.brace)
		t.brace = t.brace[:0]
	}
	w.WriteString(c)
}

// endCall takes the closing tag.
func (t *taggedCall) endCall(w *strings.Builder) {
	t.dropBrace(w)
	if t.how != loseTag && t.how != stopInside {
		w.Write(t.hold)
	}
	t.hold, t.inside = t.hold[:0], false
}

func (t *taggedCall) dropBrace(w *strings.Builder) {
	if len(t.brace) > 0 {
		w.Write(t.brace[1:])
		t.brace = t.brace[:0]
	}
}

func (t *taggedCall) end(w *strings.Builder) {
	if t.inside {
		for _, r := range string(t.hold) {
			t.body(string(r), w)
		}
		t.dropBrace(w)
		return
	}
	w.Write(t.hold)
	t.hold = t.hold[:0]
}

func (t *taggedCall) held() int { return len(t.hold) + len(t.brace) }

// bareCall breaks a JSON object that is a call, from where its second name
// tells that it is one.
type bareCall struct {
	how, count  int
	name        []byte
	named, args bool
	on          bool
	changed     bool
	stopped     bool
}

func (b *bareCall) event(ev jsonEvent, raw string, _ rune, s *jsonScan, w *strings.Builder) {
	if !b.on {
		b.look(ev, raw, s)
		w.WriteString(raw)
		return
	}
	switch {
	case ev == jsonClose && s.done:
		if !b.changed {
			b.changed = true
			return
		}
	case s.done || ev != jsonQuote && ev != jsonUnquote:
	case b.how == quoteSingly || b.how == loseTag:
		b.changed = true
		raw = "'"
	case b.how == stopInside:
		if b.count--; b.count <= 0 {
			b.stopped, b.changed = true, true
		}
	}
	if !b.stopped || s.done && ev != jsonClose {
		w.WriteString(raw)
	}
}

// look follows the names until two tell that this is a call: see namesCall.
func (b *bareCall) look(ev jsonEvent, raw string, s *jsonScan) {
	if !s.name || len(s.stack) == 0 || s.stack[0] != '{' {
		return
	}
	switch ev {
	case jsonQuote:
		b.name = b.name[:0]
	case jsonChar:
		if len(b.name) < gateBytes {
			b.name = append(b.name, raw...)
		}
	case jsonUnquote:
		switch string(b.name) {
		case "name", "tool", "function":
			b.named = true
		case "arguments", "parameters", "tool_input":
			b.args = true
		}
		b.on = b.named && b.args
	}
}

func (b *bareCall) release(*jsonScan, bool, *strings.Builder) {}

func (b *bareCall) held() int { return 0 }
