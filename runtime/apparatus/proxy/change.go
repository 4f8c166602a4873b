package proxy

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/stdlib/text"
)

// changer is a fault class at work.
type changer struct {
	whole  text.TransformFunc
	stream text.StreamFunc
	calls  bool // structured tool calls are part of the text, and leave their place
}

// breaksCalls names the transform whose fault is that calls of tools stay in
// the text.
const breaksCalls = "break_tool_call/1"

// newChanger makes the transform of a class ready.
func newChanger(c plan.FaultClass) (*changer, error) {
	t, ok := text.LookupTransform(c.Transform)
	if !ok {
		if c.Transform == "" {
			return nil, fmt.Errorf("fault class %q has no transform: in front of a running deployment, the proxy changes responses by one of the standard library", c.Name)
		}
		return nil, fmt.Errorf("fault class %q: there is no transform %q", c.Name, c.Transform)
	}
	whole, err := t.New(c.Params)
	if err != nil {
		return nil, fmt.Errorf("fault class %q: %w", c.Name, err)
	}
	ch := &changer{whole: whole, calls: c.Transform == breaksCalls}
	if t.Stream == nil {
		ch.stream = func(r text.Response, seed uint64) text.Streamer { return &held{r: r, seed: seed, whole: whole} }
		return ch, nil
	}
	if ch.stream, err = t.Stream(c.Params); err != nil {
		return nil, fmt.Errorf("fault class %q: %w", c.Name, err)
	}
	return ch, nil
}

// held is the streaming form of a transform that has none of its own: it
// changes the whole at the end.
type held struct {
	r     text.Response
	seed  uint64
	whole text.TransformFunc
	all   strings.Builder
}

func (h *held) Feed(piece string) string {
	h.all.WriteString(piece)
	return ""
}

func (h *held) End() string {
	h.r.Text = h.all.String()
	return h.whole(h.r, h.seed)
}

// callText is a structured call, or a piece of one, as it stands in the text
// where a server does not take it out. open tells whether it begins here.
func callText(k call, open bool) string {
	if !open {
		return k.args
	}
	return "<tool_call>\n{\"name\": " + string((&style{}).quote(nil, k.name)) + ", \"arguments\": " + k.args
}

// callEnd ends the text of a call.
const callEnd = "}\n</tool_call>"
