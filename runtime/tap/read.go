package tap

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/runtime/openai"
)

// response is one response as the indicators look at it.
type response struct {
	ordinal    uint64
	operation  string
	prompt     string
	text       string
	model      string // as the deployment names it, else as the request does
	id         string
	finish     string
	outcome    openai.Outcome
	firstToken time.Duration // from the request's start; below 0 where it is not known
	end        time.Time
}

// errUnreadable says that a body has an encoding that a tap does not know.
var errUnreadable = errors.New("unknown encoding")

// plain reads a body without its encoding, as far as it goes. A stream that
// ends in the middle of its compression gives what came before.
func plain(data []byte, h http.Header) ([]byte, error) {
	names := strings.Split(strings.Join(h["Content-Encoding"], ","), ",")
	var err error
	// The encoding that was applied last stands last (RFC 9110, section 8.4).
	for i := len(names) - 1; i >= 0; i-- {
		switch strings.ToLower(strings.TrimSpace(names[i])) {
		case "", "identity":
		case "gzip", "x-gzip":
			data, err = inflate(gzip.NewReader(bytes.NewReader(data)))
		case "deflate":
			z, zerr := zlib.NewReader(bytes.NewReader(data))
			if zerr != nil { // some servers send it without zlib's frame
				z, zerr = flate.NewReader(bytes.NewReader(data)), nil
			}
			data, err = inflate(z, zerr)
		default:
			return nil, errUnreadable
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
	}
	return data, err
}

func inflate[R io.Reader](r R, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, maxResponse+1))
	if len(out) > maxResponse {
		return nil, errors.New("longer than a response may be")
	}
	return out, err
}

// read makes a response of what passed. It judges outcomes as
// openai.Client does, so that the harness and the detector count alike; unread
// is why a response with status 200 cannot be judged, "" where it can.
func (j *job) read() (r response, unread string) {
	q := openai.ReadAsked(j.request.data)
	r = response{ordinal: j.ordinal, operation: j.operation, prompt: q.Prompt, model: q.Model, firstToken: -1, end: j.end}
	switch {
	case j.failure != "":
		r.outcome = j.failure
		return r, ""
	case j.status != http.StatusOK:
		r.outcome = openai.HTTPError
		return r, ""
	case j.response.lost || j.request.lost:
		return r, "memory"
	}
	body, err := plain(j.response.data, j.header)
	if errors.Is(err, errUnreadable) {
		return r, "encoding"
	}
	whole := err == nil && errors.Is(j.response.end, io.EOF)
	media, _, _ := mime.ParseMediaType(j.header.Get("Content-Type"))
	streamed := media == "text/event-stream" || q.Stream && media != "application/json"
	var reader openai.Reader
	if streamed {
		r.firstToken = j.stream(&reader, body)
	} else if whole {
		reader.Body(body)
	}
	a := reader.Answer()
	r.text, r.id, r.finish = a.Content, a.ID, a.FinishReason
	if a.Model != "" {
		r.model = a.Model
	}
	switch {
	case a.Failure != nil && !whole && a.Failure.Malformed:
		r.outcome = j.broken()
	case a.Failure != nil && a.Failure.Malformed, streamed && whole && a.Events == 0:
		r.outcome = openai.Malformed
	case a.Failure != nil:
		r.outcome = openai.StreamError
	case streamed && a.Done:
		r.outcome = openai.OK // what comes after is nothing that a client waits for
	case !whole:
		r.outcome = j.broken()
	case streamed && a.FinishReason == "" && !a.Unterminated:
		r.outcome = openai.Cut
	default:
		r.outcome = openai.OK
	}
	return r, ""
}

// broken tells a client that went away from a deployment that did.
func (j *job) broken() openai.Outcome {
	if end := j.response.end; end == nil || errors.Is(end, context.Canceled) {
		return openai.Cancelled
	}
	return openai.Cut
}

// stream reads events and returns when the first content had arrived.
func (j *job) stream(reader *openai.Reader, body []byte) time.Duration {
	first := time.Duration(-1)
	encoded := len(j.header["Content-Encoding"]) > 0
	size := 0
	var p eventstream.Parser
	take := func(e *eventstream.Event) error {
		size += len(e.Raw)
		if reader.Event(e) && first < 0 && !encoded {
			if at, ok := j.response.instant(size); ok {
				first = at.Sub(j.start)
			}
		}
		return nil
	}
	if p.Feed(body, take) == nil {
		p.End(take)
	}
	return first
}
