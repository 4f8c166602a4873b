package deployment

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/eventstream"
)

// answer writes one answer in the form of OpenAI's protocol.
type answer struct {
	d       *Deployment
	w       http.ResponseWriter
	chat    bool
	stream  bool
	usage   bool
	id      string
	created int64
	text    strings.Builder
	failed  bool
}

func (a *answer) begin(id string) {
	a.id = id
	if !a.stream {
		return
	}
	streamed(a.w)
	if a.chat {
		a.event(a.choice(map[string]any{"role": "assistant", "content": ""}, nil))
	}
}

func (a *answer) piece(s string) bool {
	if !a.stream {
		a.text.WriteString(s)
		return true
	}
	if a.chat {
		a.event(a.choice(map[string]any{"content": s}, nil))
	} else {
		a.event(a.choice(s, nil))
	}
	return !a.failed
}

func (a *answer) end(o outcome) {
	usage := map[string]any{"prompt_tokens": o.prompt, "completion_tokens": o.completion, "total_tokens": o.prompt + o.completion}
	if !a.d.o.Faults.Silent {
		usage["prompt_tokens_details"] = map[string]any{"cached_tokens": o.reused.cached()}
	}
	if !a.stream {
		body := a.choice(a.text.String(), &o.finish)
		a.close(body, usage, &o)
		a.w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(a.w).Encode(body)
		return
	}
	if a.chat {
		a.event(a.choice(map[string]any{}, &o.finish))
	} else {
		a.event(a.choice("", &o.finish))
	}
	if a.usage {
		body := a.object()
		body["choices"] = []any{}
		a.close(body, usage, &o)
		a.event(body)
	}
	a.failed = a.failed || !send(a.w, []byte("[DONE]"))
}

// close puts what is known at the end into the last object.
func (a *answer) close(body, usage map[string]any, o *outcome) {
	body["usage"] = usage
	if a.d.o.EngineTimes {
		body["metrics"] = map[string]any{
			"time_to_first_token_ms": milliseconds(o.ttft),
			"queue_time_ms":          milliseconds(o.queue),
			"generation_time_ms":     milliseconds(o.whole - o.ttft),
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (a *answer) object() map[string]any {
	object := "text_completion"
	if a.chat {
		object = "chat.completion"
		if a.stream {
			object += ".chunk"
		}
	}
	return map[string]any{"id": a.id, "object": object, "created": a.created, "model": a.d.o.Model}
}

// choice is an object with one choice: a delta of a stream, or a whole answer.
func (a *answer) choice(content any, finish *string) map[string]any {
	c := map[string]any{"index": 0, "finish_reason": finish}
	switch {
	case a.stream && a.chat:
		c["delta"] = content
	case a.chat:
		c["message"] = map[string]any{"role": "assistant", "content": content}
	default:
		c["text"] = content
	}
	body := a.object()
	body["choices"] = []any{c}
	return body
}

func (a *answer) event(v any) { a.failed = a.failed || !sendJSON(a.w, v) }

// streamed says that a stream of events follows.
func streamed(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
}

func sendJSON(w http.ResponseWriter, v any) bool {
	b, err := json.Marshal(v)
	if err != nil {
		panic("deployment: an event does not encode: " + err.Error())
	}
	return send(w, b)
}

// send sends one event at once, and is false where the client went away.
func send(w http.ResponseWriter, data []byte) bool {
	if _, err := w.Write(eventstream.Append(nil, "", data)); err != nil {
		return false
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	return true
}
