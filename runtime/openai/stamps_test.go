package openai

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// answering is a server that writes raw bytes as the answer to each request, in
// pieces with pauses between them, and closes the connection where close says
// so.
func answering(t *testing.T, s Settings, pause time.Duration, pieces ...string) *Client {
	t.Helper()
	return client(t, s, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		conn, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		for i, p := range pieces {
			if i > 0 {
				time.Sleep(pause)
			}
			io.WriteString(buf, p)
			buf.Flush()
		}
	})
}

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

// piece is a chunk of the chunked transfer coding.
func piece(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// TestErrorEndsAStream: what a deployment reports inside of a stream is what
// became of the request, however the connection goes on.
func TestErrorEndsAStream(t *testing.T) {
	report := "data: {\"error\":{\"message\":\"out of memory\",\"code\":\"oom\"}}\n\n"
	for _, c := range []struct {
		name   string
		pieces []string
		want   Outcome
	}{
		{"and the connection breaks off", []string{streamHead + "Transfer-Encoding: chunked\r\n\r\n" + piece(chunk("Hel")), piece(report)}, StreamError},
		{"and the connection stays", []string{streamHead + "Transfer-Encoding: chunked\r\n\r\n" + piece(report), piece(": ping\n\n"), piece(": ping\n\n"), piece(": ping\n\n"), piece(": ping\n\n")}, StreamError},
		{"no JSON, and the connection breaks off", []string{streamHead + "Transfer-Encoding: chunked\r\n\r\n" + piece("data: {\"choi\n\n")}, Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := answering(t, Settings{GapTimeout: 500 * time.Millisecond}, 100*time.Millisecond, c.pieces...)
			rec := cl.Do(t.Context(), Request{Chat: true, Stream: true})
			if rec.Outcome != c.want {
				t.Errorf("%s (%s), want %s", rec.Outcome, rec.Detail, c.want)
			}
			if took := time.Duration(rec.Stamps.End - rec.Stamps.FirstEvent); took > 150*time.Millisecond {
				t.Errorf("the end is %s after the first event, and not the failure", took)
			}
		})
	}
}

// TestCommentIsNoEnd: a comment at which a stream breaks off does not make an
// answer complete that has neither a finish reason nor [DONE].
func TestCommentIsNoEnd(t *testing.T) {
	for tail, want := range map[string]Outcome{
		": ping":                           Cut,
		": ping\n":                         Cut,
		"event: message":                   Cut,
		"data:":                            Cut,
		"data: [DONE]":                     OK,
		chunk("lo")[:len(chunk("lo"))-2]:   OK, // accepted and flagged
		"":                                 Cut,
		chunk("lo") + ": ping\n\n: ping\n": Cut,
	} {
		c := answering(t, Settings{}, 0, streamHead+"Connection: close\r\n\r\n"+chunk("Hel")+tail)
		if rec := c.Do(t.Context(), Request{Chat: true, Stream: true}); rec.Outcome != want {
			t.Errorf("%q: %s (%s), want %s", tail, rec.Outcome, rec.Detail, want)
		}
	}
}

// TestHeadersOfTheResponse: an answer that only says that there will be one is
// not the response.
func TestHeadersOfTheResponse(t *testing.T) {
	const pause = 50 * time.Millisecond
	c := answering(t, Settings{}, pause, "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
		streamHead+"Connection: close\r\n\r\n"+chunk("Hello")+"data: [DONE]\n\n")
	rec := c.Do(t.Context(), Request{Chat: true, Stream: true})
	s := rec.Stamps
	if rec.Outcome != OK || s.Headers-s.Sent < int64(2*pause-10*time.Millisecond) || s.Headers > s.FirstEvent {
		t.Errorf("%s %+v: the first byte of the response came %s after the request, want about %s", rec.Outcome, s, time.Duration(s.Headers-s.Sent), 2*pause)
	}
}

// slowWriter gives control back late from a write that has long arrived.
type slowWriter struct{ net.Conn }

func (c slowWriter) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	time.Sleep(20 * time.Millisecond)
	return n, err
}

// TestSentBeforeTheAnswer: a response that overtakes the notice that the
// request was written, as in HTTP/2 it can, leaves no request unsent, and none
// sent after its answer.
func TestSentBeforeTheAnswer(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("asked in %s", r.Proto)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"index":0,"message":{"content":"Hello"}}]}`)
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	c := NewClient(Settings{BaseURL: srv.URL, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return slowWriter{conn}, err
	}})
	t.Cleanup(c.Close)
	c.http.Transport.(*http.Transport).TLSClientConfig = srv.Client().Transport.(*http.Transport).TLSClientConfig
	for range 3 {
		rec := c.Do(t.Context(), Request{Chat: true})
		if s := rec.Stamps; rec.Outcome != OK || s.Sent < s.Scheduled || s.Sent > s.Headers {
			t.Errorf("%s (%s) %+v", rec.Outcome, rec.Detail, s)
		}
	}
}

// TestBegan: the first content of a stream is told while the stream goes on.
func TestBegan(t *testing.T) {
	told := make(chan int64, 2)
	c := client(t, Settings{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, role+chunk("Hel"))
		w.(http.Flusher).Flush()
		select {
		case at := <-told:
			told <- at
		case <-time.After(5 * time.Second):
			t.Error("nothing was told while the stream went on")
		}
		io.WriteString(w, chunk("lo")+"data: [DONE]\n\n")
	})
	rec := c.Do(t.Context(), Request{Chat: true, Stream: true, Began: func(at int64) { told <- at }})
	if rec.Outcome != OK || rec.Answer.ContentEvents != 2 || len(told) != 1 {
		t.Fatalf("%+v, told %d times", rec, len(told))
	}
	if at := <-told; at != rec.Stamps.FirstContent {
		t.Errorf("%d was told, and the stamp is %d", at, rec.Stamps.FirstContent)
	}
}
