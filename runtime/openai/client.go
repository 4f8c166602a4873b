package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/internal/redact"
	"github.com/fdbench/fdbench/runtime/eventstream"
)

// Stamps are instants of one request in nanoseconds on the monotonic clock
// since the client was made; -1 where a thing did not happen. Every named time
// is a difference of two of them.
type Stamps struct {
	Scheduled    int64 `json:"scheduled"`     // when the request was to be sent
	Sent         int64 `json:"sent"`          // the last byte of the request was written; not after Headers
	Headers      int64 `json:"headers"`       // the first byte of the response arrived, interim ones (1xx) left aside
	FirstEvent   int64 `json:"first_event"`   // the first event with data was complete
	FirstContent int64 `json:"first_content"` // the first content that is not empty
	LastContent  int64 `json:"last_content"`
	End          int64 `json:"end"` // [DONE], an error in the stream, the end of the body, or the failure
}

// Outcome is what became of a request. Only OK has a latency.
type Outcome string

// The outcomes.
const (
	OK          Outcome = "ok"
	HTTPError   Outcome = "http_error"   // a status other than 200
	StreamError Outcome = "stream_error" // an error inside an answer with status 200
	Malformed   Outcome = "malformed"    // an answer that is not of the protocol
	Cut         Outcome = "cut"          // the connection ended before the answer did
	Timeout     Outcome = "timeout"      // of the headers, of a gap, or of the whole
	Refused     Outcome = "refused"      // no connection was made
	Cancelled   Outcome = "cancelled"    // by the caller
)

// Outcomes lists all of them, in a fixed order.
func Outcomes() []Outcome {
	return []Outcome{OK, HTTPError, StreamError, Malformed, Cut, Timeout, Refused, Cancelled}
}

// Record is one request and what came of it.
type Record struct {
	Stamps  Stamps
	Outcome Outcome
	Status  int    // of HTTP; 0 without a response
	Detail  string // why it is not OK, without secrets
	Header  http.Header
	Answer  Answer
	Bytes   int64 // of the body

	Members []string // names of the JSON members, as sorted paths; nil unless Settings.Members
}

// Settings of a client.
type Settings struct {
	BaseURL string // "http://127.0.0.1:8000": /v1/... is appended where the path does not end in /v1
	Header  http.Header
	// Key is sent as a bearer token. It stands in no error and in no record.
	Key string

	HeaderTimeout time.Duration // from sent to the first byte; 0 for none
	GapTimeout    time.Duration // between two reads of the body; 0 for none
	Timeout       time.Duration // of the whole; 0 for none
	MaxBody       int64         // bytes; 0 for 64 MiB
	Connections   int           // kept open; 0 for 1024
	Members       bool          // records tell the names of the members of their JSON

	// Dial makes connections; the caller confines it. Nil is net.Dialer's.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client sends requests to one deployment. It is safe for concurrent use.
type Client struct {
	s     Settings
	http  *http.Client
	start time.Time
}

// NewClient makes a client. Its clock begins now.
func NewClient(s Settings) *Client {
	if s.Connections == 0 {
		s.Connections = 1024
	}
	if s.MaxBody == 0 {
		s.MaxBody = 64 << 20
	}
	t := &http.Transport{
		DialContext:           s.Dial,
		DisableCompression:    true, // stamps are of the deployment's own bytes
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          s.Connections,
		MaxIdleConnsPerHost:   s.Connections, // Go's default of 2 opens a connection for nearly every request
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: s.HeaderTimeout,
		TLSHandshakeTimeout:   10 * time.Second,
	}
	c := &http.Client{
		Transport: t,
		// A redirect leads to an address that nobody declared.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Client{s: s, http: c, start: time.Now()}
}

// Now is the instant on the client's clock.
func (c *Client) Now() int64 { return int64(time.Since(c.start)) }

// Started is the instant 0 of the client's clock, with its wall time.
func (c *Client) Started() time.Time { return c.start }

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// URL is where a path such as "chat/completions" is asked for.
func (c *Client) URL(path string) string {
	base := strings.TrimRight(c.s.BaseURL, "/")
	if !strings.HasSuffix(base, "/v1") {
		base += "/v1"
	}
	return base + "/" + path
}

// Request is what is asked. Extra members of the body stand beside the ones
// that the package sets, and go before them where they are the same.
type Request struct {
	Model   string
	Prompt  string
	System  string // a message of the system before the prompt; chat only
	Chat    bool   // chat/completions, else completions
	Stream  bool
	Extra   map[string]any
	Header  http.Header // of this request alone, in place of the client's of the same name
	Sched   int64       // when it was to be sent, on the client's clock
	HasPlan bool        // Sched counts; else the instant of the call does

	// Began hears of the first content of a stream when it is there, with its
	// stamp; nil is nobody.
	Began func(at int64)
}

// Body is the request's body.
func (r *Request) Body() ([]byte, error) {
	m := map[string]any{"model": r.Model}
	if r.Chat {
		messages := []map[string]string{{"role": "user", "content": r.Prompt}}
		if r.System != "" {
			messages = append([]map[string]string{{"role": "system", "content": r.System}}, messages...)
		}
		m["messages"] = messages
	} else {
		m["prompt"] = r.Prompt
	}
	if r.Stream {
		m["stream"] = true
		m["stream_options"] = map[string]any{"include_usage": true}
	}
	for k, v := range r.Extra {
		m[k] = v
	}
	return json.Marshal(m)
}

// Do sends a request and reads the whole answer. It always returns a record:
// what went wrong is its outcome.
func (c *Client) Do(ctx context.Context, r Request) Record {
	rec := Record{Stamps: Stamps{Scheduled: r.Sched, Sent: -1, Headers: -1, FirstEvent: -1, FirstContent: -1, LastContent: -1, End: -1}}
	if !r.HasPlan {
		rec.Stamps.Scheduled = c.Now()
	}
	err := c.do(ctx, &r, &rec)
	c.conclude(ctx, &rec, err)
	return rec
}

// conclude says what became of a request.
func (c *Client) conclude(ctx context.Context, rec *Record, err error) {
	if rec.Stamps.End < 0 {
		rec.Stamps.End = c.Now()
	}
	if err != nil {
		rec.Outcome, rec.Detail = classify(ctx, err, rec.Stamps), c.clean(err.Error())
		return
	}
	f := rec.Answer.Failure
	if f != nil {
		f.Code, f.Message = c.clean(f.Code), c.clean(f.Message)
	}
	switch {
	case rec.Status != http.StatusOK:
		rec.Outcome = HTTPError
		rec.Detail = fmt.Sprintf("status %d", rec.Status)
		if f != nil && !f.Malformed {
			rec.Detail += ": " + f.Error()
		}
	case f != nil && f.Malformed:
		rec.Outcome, rec.Detail = Malformed, f.Error()
	case f != nil:
		rec.Outcome, rec.Detail = StreamError, f.Error()
	default:
		rec.Outcome = OK
	}
}

// clean takes the key out of a text that others wrote.
func (c *Client) clean(s string) string {
	s = redact.Text(s, "(key)", c.s.Key)
	const most = 500
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

var (
	errHeaderTimeout = errors.New("no response within the time allowed")
	errGap           = errors.New("the response stopped for longer than the time allowed")
	errWhole         = errors.New("the request took longer than the time allowed")
	errTooLong       = errors.New("the response is longer than allowed")
	errEnded         = errors.New("the stream ended before its last event")
)

func classify(ctx context.Context, err error, s Stamps) Outcome {
	var n net.Error
	switch {
	case errors.Is(err, errHeaderTimeout), errors.Is(err, errGap), errors.Is(err, errWhole):
		return Timeout
	case ctx.Err() != nil:
		return Cancelled
	case errors.As(err, &n) && n.Timeout():
		return Timeout
	case errors.Is(err, errTooLong):
		return Malformed
	case errors.Is(err, syscall.ECONNREFUSED), s.Sent < 0 && s.Headers < 0:
		return Refused
	}
	return Cut
}

func (c *Client) do(parent context.Context, r *Request, rec *Record) error {
	body, err := r.Body()
	if err != nil {
		return err
	}
	path := "completions"
	if r.Chat {
		path = "chat/completions"
	}
	return c.post(parent, c.URL(path), r.Header, body, r.Stream, rec, func(cancel context.CancelCauseFunc, resp *http.Response) error {
		return c.read(cancel, r, resp, rec)
	})
}

// post sends a body and lets read take the answer in.
func (c *Client) post(parent context.Context, url string, own http.Header, body []byte, stream bool, rec *Record,
	read func(context.CancelCauseFunc, *http.Response) error) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	if c.s.Timeout > 0 {
		t := time.AfterFunc(c.s.Timeout, func() { cancel(errWhole) })
		defer t.Stop()
	}
	var sent, headers atomic.Int64
	sent.Store(-1)
	headers.Store(-1)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(i httptrace.WroteRequestInfo) {
			if i.Err == nil {
				sent.Store(c.Now())
			}
		},
		GotFirstResponseByte: func() { headers.Store(c.Now()) },
		// That a deployment is at work is not its response, whose first byte
		// nobody announces then: the stamp is made when its header was read.
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			headers.Store(-1)
			return nil
		},
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for _, h := range []http.Header{c.s.Header, own} {
		for k, v := range h {
			req.Header[k] = v
		}
	}
	req.Header.Set("Content-Type", "application/json")
	if stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	if c.s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.s.Key)
	}
	resp, err := c.http.Do(req)
	rec.Stamps.Headers = headers.Load()
	defer func() {
		// The notice that a request was written can come after the answer.
		rec.Stamps.Sent = sent.Load()
		if h := rec.Stamps.Headers; h >= 0 && (rec.Stamps.Sent < 0 || rec.Stamps.Sent > h) {
			rec.Stamps.Sent = h
		}
	}()
	if err != nil {
		return cause(ctx, err)
	}
	defer resp.Body.Close()
	if rec.Stamps.Headers < 0 {
		rec.Stamps.Headers = c.Now()
	}
	rec.Status, rec.Header = resp.StatusCode, resp.Header
	return cause(ctx, read(cancel, resp))
}

// cause says why a context ended an operation, where it did.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); err != nil && why != nil && !errors.Is(why, context.Canceled) {
		return why
	}
	var n net.Error
	if errors.As(err, &n) && n.Timeout() && strings.Contains(err.Error(), "awaiting response headers") {
		return errHeaderTimeout
	}
	return err
}

// watchGap ends a request whose answer pauses for too long. The function that
// it returns tells that something arrived, or that the watch is over.
func (c *Client) watchGap(cancel context.CancelCauseFunc) func(over bool) {
	if c.s.GapTimeout <= 0 {
		return func(bool) {}
	}
	t := time.AfterFunc(c.s.GapTimeout, func() { cancel(errGap) })
	return func(over bool) {
		if over {
			t.Stop()
		} else {
			t.Reset(c.s.GapTimeout)
		}
	}
}

// read takes the body in as it comes.
func (c *Client) read(cancel context.CancelCauseFunc, r *Request, resp *http.Response, rec *Record) error {
	gap := c.watchGap(cancel)
	defer gap(true)
	var reader Reader
	defer func() { rec.Answer = reader.Answer() }()
	var names members
	if c.s.Members {
		names = members{}
		defer func() { rec.Members = names.sorted() }()
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	streamed := media == "text/event-stream" || r.Stream && resp.StatusCode == http.StatusOK && media != "application/json"
	var whole bytes.Buffer
	var parser eventstream.Parser
	buf := make([]byte, 32<<10)
	var at int64 // when the bytes that are looked at arrived
	yield := func(e *eventstream.Event) error {
		content := reader.Event(e)
		if names != nil && e.HasData {
			names.add(e.Data)
		}
		if e.HasData && rec.Stamps.FirstEvent < 0 {
			rec.Stamps.FirstEvent = at
		}
		if content {
			if rec.Stamps.FirstContent < 0 {
				rec.Stamps.FirstContent = at
				if r.Began != nil {
					r.Began(at)
				}
			}
			rec.Stamps.LastContent = at
		}
		return nil
	}
	for {
		n, err := resp.Body.Read(buf)
		at = c.Now()
		gap(false)
		if rec.Bytes += int64(n); rec.Bytes > c.s.MaxBody {
			return errTooLong
		}
		if streamed {
			if ferr := parser.Feed(buf[:n], yield); ferr != nil {
				return errTooLong
			}
		} else {
			whole.Write(buf[:n])
		}
		if reader.answer.Done || streamed && reader.answer.Failure != nil {
			rec.Stamps.End = at // what follows, or that the connection breaks off, changes nothing
			c.drain(resp.Body)
			return nil
		}
		if err == nil {
			continue
		}
		rec.Stamps.End = at
		if err != io.EOF {
			return err
		}
		break
	}
	if !streamed {
		reader.Body(whole.Bytes())
		if names != nil {
			names.add(whole.Bytes())
		}
		if reader.content.Len() > 0 {
			rec.Stamps.FirstContent, rec.Stamps.LastContent = rec.Stamps.End, rec.Stamps.End
		}
		return nil
	}
	parser.End(yield)
	a := &reader.answer
	switch {
	case resp.StatusCode != http.StatusOK || a.Failure != nil || a.Done:
	case a.Events == 0:
		a.Failure = &Failure{Message: "the stream has no events", Malformed: true}
	case a.FinishReason == "" && !a.Unterminated:
		return errEnded
	}
	return nil
}

// drain reads what follows [DONE], so that the connection can be used again.
// Some servers keep the stream open: those lose the connection.
func (c *Client) drain(body io.ReadCloser) {
	const grace = 20 * time.Millisecond
	t := time.AfterFunc(grace, func() { body.Close() })
	defer t.Stop()
	io.Copy(io.Discard, io.LimitReader(body, 64<<10))
}
