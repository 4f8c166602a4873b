package proxy

import (
	"bytes"
	"slices"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/stdlib/text"
)

// rewriter changes the text of one event stream. What comes out are the events
// that came in, at the time at which they came, with other text; an event that
// would carry nothing any more is left out, and text that is left over at the
// end goes out in a copy of the last event with text.
type rewriter struct {
	change *changer
	style  *style
	prompt string
	seed   uint64

	parser  eventstream.Parser
	held    int  // bytes of an event that is not complete
	raw     bool // the rest passes as it is: an event is too long to be read
	over    bool // [DONE] or an error was seen
	lines   map[int]*line
	order   []int // choices in the order in which they began
	changed bool  // a byte differs from what came
	bad     int64 // events that could not be read

	out   []byte
	edits []edit
	data  []byte
}

// line is the text of one choice.
type line struct {
	stream text.Streamer
	ended  bool
	role   bool // an event named its role
	call   int  // 1 + index of the structured call that is open; 0 for none
	called bool
	late   bool // text came after the end, and was left out
	last   template
}

// template is an event with text and nothing else, from which another can be
// made.
type template struct {
	event eventstream.Event
	edits []edit
}

func newRewriter(c *changer, s *style, prompt string, seed uint64) *rewriter {
	return &rewriter{change: c, style: s, prompt: prompt, seed: seed, lines: map[int]*line{}}
}

// feed takes the next bytes of the stream and gives those that are to be sent
// now. They are valid until the next call.
func (w *rewriter) feed(chunk []byte) []byte {
	w.out = w.out[:0]
	if !w.raw && w.held+len(chunk) > eventstream.MaxEvent {
		w.parser.End(w.event)
		w.raw = true
	}
	if w.raw {
		w.out = append(w.out, chunk...)
		return w.out
	}
	w.held += len(chunk)
	w.parser.Feed(chunk, w.event)
	return w.out
}

// end takes the end of a stream that did not break off.
func (w *rewriter) end() []byte {
	w.out = w.out[:0]
	if !w.raw {
		w.parser.End(w.event)
		if !w.over {
			w.endAll()
		}
	}
	return w.out
}

// event handles one event; it never fails.
func (w *rewriter) event(e *eventstream.Event) error {
	w.held -= len(e.Raw)
	data := bytes.TrimSpace(e.Data)
	if !e.HasData || len(data) == 0 || w.over {
		w.out = append(w.out, e.Raw...)
		return nil
	}
	if string(data) == "[DONE]" {
		w.over = true
		w.endAll()
		w.out = append(w.out, e.Raw...)
		return nil
	}
	choices, failed, err := scan(e.Data)
	if err != nil || failed {
		if err != nil {
			w.bad++
		}
		w.over = failed || e.Unterminated // nothing can follow it
		w.out = append(w.out, e.Raw...)
		return nil
	}
	w.style.learn(e.Data)
	w.edits = w.edits[:0]
	keep, copies := len(choices) == 0 || e.Unterminated, !e.Unterminated
	for i := range choices {
		c := &choices[i]
		keep = w.choice(e, c) || keep
		copies = copies && c.finish == "" && !c.other && (len(c.calls) == 0 || w.change.calls)
	}
	for i := range w.edits {
		if copies && w.edits[i].isText {
			w.lines[w.edits[i].choice].last.keep(e, w.edits)
		}
	}
	if e.Unterminated {
		w.endAll()
		w.over = true
	}
	switch {
	case len(w.edits) == 0:
		w.out = append(w.out, e.Raw...)
	case keep:
		w.write(e, w.edits)
	default:
		w.changed = true
	}
	return nil
}

// choice plans the edits for one choice of an event, and tells whether the
// event has to go out for it.
func (w *rewriter) choice(e *eventstream.Event, c *choice) (keep bool) {
	l := w.lines[c.index]
	if l == nil {
		seed := choiceSeed(w.seed, c.index)
		l = &line{stream: w.change.stream(text.Response{Prompt: w.prompt}, seed)}
		w.lines[c.index] = l
		w.order = append(w.order, c.index)
	}
	keep = c.other || c.role && !l.role
	l.role = l.role || c.role
	first := len(w.edits)
	for _, s := range c.slots {
		if s.text != "" {
			w.edits = append(w.edits, edit{slot: s, choice: c.index, isText: true, put: l.feed(s.text)})
		}
	}
	if len(c.calls) > 0 {
		if w.change.calls {
			w.calls(c, l)
		} else {
			keep = true
		}
	}
	if c.finish != "" || e.Unterminated {
		w.finish(c, l, first)
		return true
	}
	own := w.edits[first:]
	return keep || len(own) == 0 || slices.ContainsFunc(own, func(e edit) bool { return e.put != "" })
}

// finish sends what is left of the text of a choice: with the text of the
// event, or before it, or in it where no event with text came before.
func (w *rewriter) finish(c *choice, l *line, first int) {
	if l.ended {
		return
	}
	rest := l.end()
	if l.called && c.finish == "tool_calls" {
		w.edits = append(w.edits, edit{slot: slot{span: c.reason}, put: `"stop"`})
	}
	if rest == "" {
		return
	}
	for i := len(w.edits) - 1; i >= first; i-- {
		if w.edits[i].isText {
			w.edits[i].put += rest
			return
		}
	}
	switch {
	case len(l.last.edits) > 0:
		w.extra(c.index, rest)
	case len(c.slots) > 0:
		w.edits = append(w.edits, edit{slot: c.slots[0], choice: c.index, isText: true, put: rest})
	}
}

// calls turns pieces of structured calls into text.
func (w *rewriter) calls(c *choice, l *line) {
	var put string
	for _, k := range c.calls {
		open := l.call != k.index+1
		if open && l.call > 0 {
			put += l.feed(callEnd + "\n")
		}
		put += l.feed(callText(k, open))
		l.call, l.called = k.index+1, true
	}
	w.edits = append(w.edits, callEdits(c, w.edits, put)...)
}

// callEdits puts text in the place of structured calls. edits are those of the
// text that stands beside them.
func callEdits(c *choice, edits []edit, put string) []edit {
	if len(c.slots) == 0 || c.slots[0].before != "" {
		return []edit{{slot: c.gone, choice: c.index, isText: true, put: put}}
	}
	gone := edit{slot: slot{span: c.gone.span}}
	for i := range edits {
		if e := &edits[i]; e.isText && e.choice == c.index {
			e.put += put
			return []edit{gone}
		}
	}
	return []edit{gone, {slot: c.slots[0], choice: c.index, isText: true, put: put}}
}

func (l *line) feed(piece string) string {
	if l.ended {
		l.late = true
		return ""
	}
	return l.stream.Feed(piece)
}

// end gives what is left of the text.
func (l *line) end() string {
	var rest string
	if l.call > 0 {
		rest, l.call = l.stream.Feed(callEnd), 0
	}
	l.ended = true
	return rest + l.stream.End()
}

// endAll ends the choices for which no finish reason came.
func (w *rewriter) endAll() {
	for _, i := range w.order {
		l := w.lines[i]
		if l.ended {
			continue
		}
		if rest := l.end(); rest != "" && len(l.last.edits) > 0 {
			w.extra(i, rest)
		}
	}
}

// extra sends text in a copy of the last event that had text of the choice,
// and without that of others.
func (w *rewriter) extra(index int, rest string) {
	last := &w.lines[index].last
	edits := slices.Clone(last.edits)
	for i := range edits {
		if e := &edits[i]; e.isText {
			if e.put = ""; e.choice == index {
				e.put, rest = rest, ""
			}
		}
	}
	w.write(&last.event, edits)
}

// write sends an event with its edits.
func (w *rewriter) write(e *eventstream.Event, edits []edit) {
	w.data = apply(w.data[:0], e.Data, edits, w.style)
	begin := len(w.out)
	w.out = splice(w.out, e, w.data)
	w.changed = w.changed || !bytes.Equal(w.out[begin:], e.Raw)
}

func (t *template) keep(e *eventstream.Event, edits []edit) {
	raw, data := append(t.event.Raw[:0], e.Raw...), append(t.event.Data[:0], e.Data...)
	t.event = *e
	t.event.Raw, t.event.Data = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), data
	t.edits = append(t.edits[:0], edits...)
}

// choiceSeed is the seed of one of several choices.
func choiceSeed(seed uint64, index int) uint64 { return seed + uint64(index)*0x9e3779b97f4a7c15 }
