package proxy

import (
	"bytes"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/runtime/openai"
)

// maxText bounds what the ledger reads of one response, in bytes.
const maxText = 32 << 20

// observer reads a response as a client would.
type observer struct {
	streamed bool
	parser   eventstream.Parser
	reader   openai.Reader
	whole    bytes.Buffer
	total    int
	long     bool // the response is too long to be read
	learn    *style
}

func (o *observer) feed(b []byte) {
	if o.long {
		return
	}
	if o.total += len(b); o.total > maxText {
		o.long = true
		o.whole = bytes.Buffer{}
		return
	}
	if !o.streamed {
		o.whole.Write(b)
		return
	}
	o.learn.learn(b)
	o.long = o.parser.Feed(b, o.event) != nil
}

func (o *observer) event(e *eventstream.Event) error {
	o.reader.Event(e)
	return nil
}

// end gives the text, and tells whether the response is one that counts:
// complete and without an error in it.
func (o *observer) end() (text string, good bool) {
	switch {
	case o.long:
		return "", false
	case o.streamed:
		o.parser.End(o.event)
	default:
		o.learn.learn(o.whole.Bytes())
		o.reader.Body(o.whole.Bytes())
	}
	a := o.reader.Answer()
	return a.Content, a.Failure == nil && (!o.streamed || a.Done || a.FinishReason != "" || a.Unterminated)
}
