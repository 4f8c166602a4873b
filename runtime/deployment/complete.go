package deployment

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// call is one request that was understood, and what writes its answer.
type call struct {
	job
	arrived time.Time
	name    string // as the client gave it; "" for none
	out     writer
}

// writer writes one answer in the form of a protocol. What the headers say is
// settled before begin.
type writer interface {
	begin(id string)
	piece(text string) bool // false: the client went away
	end(o outcome)
}

// outcome is what is known at the end of an answer.
type outcome struct {
	finish             string
	prompt, completion int // tokens
	reused             reused
	queue, ttft, whole time.Duration // the last two from admission on
}

// complete answers in the form of OpenAI's protocol.
func (d *Deployment) complete(w http.ResponseWriter, r *http.Request, chat bool) {
	arrived := time.Now()
	var q request
	if !read(w, r, &q) {
		return
	}
	if q.Model != d.o.Model {
		fail(w, &apiError{http.StatusNotFound, "model_not_found", fmt.Sprintf("the model %q does not exist here; there is %q", q.Model, d.o.Model)})
		return
	}
	sampling, system := d.settings(&q)
	text, err := q.prompt(chat, system)
	if err == nil && q.N != nil && *q.N != 1 {
		err = bad("n is 1 here, and not %d", *q.N)
	}
	if err == nil {
		err = sampling.Check()
	}
	if err != nil {
		fail(w, err)
		return
	}
	prefix := ""
	if d.o.Flavour == VLLM {
		prefix = "cmpl-"
		if chat {
			prefix = "chatcmpl-"
		}
	}
	d.answer(w, r, &call{
		job:     job{prompt: text, seed: q.Seed, sampling: sampling, raw: !chat},
		arrived: arrived, name: given(prefix, r.Header.Get("X-Request-Id"), q.RequestID),
		out: &answer{d: d, w: w, chat: chat, stream: q.Stream, usage: q.StreamOptions != nil && q.StreamOptions.IncludeUsage, created: arrived.Unix()},
	})
}

// read reads the body of a request, to its end: the server hears of a client
// that goes away once it is read.
func read(w http.ResponseWriter, r *http.Request, q any) bool {
	if err := json.NewDecoder(r.Body).Decode(q); err != nil {
		fail(w, bad("the body is not JSON of the protocol: %v", err))
		return false
	}
	io.Copy(io.Discard, r.Body)
	return true
}

// given is the first id that a client gave, after a prefix. One that could not
// stand in a line of a log is none.
func given(prefix string, ids ...string) string {
	for _, id := range ids {
		if id != "" && len(id) <= 200 && strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
			return prefix + id
		}
	}
	return ""
}

// answer answers one call.
func (d *Deployment) answer(w http.ResponseWriter, r *http.Request, c *call) {
	admitted := c.arrived
	select {
	case d.room <- struct{}{}:
	default:
		select {
		case d.room <- struct{}{}:
			admitted = time.Now()
		case <-r.Context().Done():
			return
		}
	}
	defer func() { <-d.room }()
	c.number = d.count.Add(1) - 1
	c.faults = d.o.Faults
	if c.id = c.name; c.id == "" {
		c.id = fmt.Sprintf("fdb-%d", c.number)
	}
	s, err := d.o.Engine.begin(&c.job)
	if err != nil {
		d.counters.failed.Add(1)
		fail(w, bad("%v", err))
		return
	}
	d.counters.take(s.promptTokens, &s.reused)
	d.log.taken(c.id, s.promptTokens, &s.reused)
	d.placement(w.Header(), s.promptTokens, &s.reused)
	pace := d.o.Latency.begin(admitted, d.o.Latency.factor(d.o.Seed, fmt.Sprint(c.number)), s.promptTokens-s.reused.cached())
	o := outcome{prompt: s.promptTokens, reused: s.reused, queue: admitted.Sub(c.arrived)}
	given := false
	first := func() {
		if !given {
			given, o.ttft = true, time.Since(admitted)
			d.log.loaded(c.id, s.promptTokens, &s.reused)
		}
	}
	c.out.begin(c.id)
	o.completion, o.finish = s.generate(r.Context(), func(piece string) bool {
		if !pace.wait(r.Context().Done()) {
			return false
		}
		first()
		return c.out.piece(piece)
	})
	if o.finish != "" && !given { // an empty answer takes its time too
		if !pace.wait(r.Context().Done()) {
			o.finish = ""
		} else {
			first()
		}
	}
	if o.finish == "" || r.Context().Err() != nil {
		d.counters.failed.Add(1)
		return // the client went away
	}
	o.whole = time.Since(admitted)
	c.out.end(o)
	d.counters.answered.Add(1)
}
