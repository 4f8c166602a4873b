package openai

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func chunk(s string) string {
	b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]string{"content": s}}}})
	return "data: " + string(b) + "\n\n"
}

func client(t *testing.T, s Settings, h http.HandlerFunc) *Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	s.BaseURL = srv.URL
	c := NewClient(s)
	t.Cleanup(c.Close)
	return c
}

func TestStreamingStamps(t *testing.T) {
	gates := make(chan bool)
	c := client(t, Settings{Key: "sk-secret"}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-secret" {
			t.Errorf("%s, %v", r.URL.Path, r.Header)
		}
		var body struct {
			Model         string
			Stream        bool
			StreamOptions struct {
				IncludeUsage bool `json:"include_usage"`
			} `json:"stream_options"`
			Messages []struct{ Role, Content string }
			Seed     int
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !body.Stream || !body.StreamOptions.IncludeUsage ||
			len(body.Messages) != 2 || body.Messages[0].Role != "system" || body.Messages[1].Content != "hello" || body.Seed != 7 {
			t.Errorf("%v %+v", err, body)
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		send := func(s string) {
			<-gates
			io.WriteString(w, s)
			w.(http.Flusher).Flush()
		}
		w.(http.Flusher).Flush()
		send(role)
		send(chunk("Hel"))
		send(chunk("lo"))
		send("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n")
		send("data: [DONE]\n\n")
	})
	go func() {
		for range 5 {
			time.Sleep(15 * time.Millisecond)
			gates <- true
		}
	}()
	sched := c.Now() - int64(time.Second)
	rec := c.Do(t.Context(), Request{Model: "m", System: "be brief", Prompt: "hello", Chat: true, Stream: true, Extra: map[string]any{"seed": 7}, Sched: sched, HasPlan: true})
	s := rec.Stamps
	if rec.Outcome != OK || rec.Answer.Content != "Hello" || rec.Answer.ContentEvents != 2 || s.Scheduled != sched {
		t.Fatalf("%+v", rec)
	}
	// Every stamp belongs to its own event, which a gate of 15 ms sets apart.
	order := []int64{s.Scheduled, s.Sent, s.FirstEvent, s.FirstContent, s.LastContent, s.End}
	for i := 1; i < len(order); i++ {
		if order[i] <= order[i-1] {
			t.Errorf("stamps %+v are not in order", s)
		}
	}
	if s.Headers > s.FirstEvent || s.End-s.LastContent < int64(20*time.Millisecond) {
		t.Errorf("stamps %+v", s)
	}
}

func TestOutcomes(t *testing.T) {
	stream := func(w http.ResponseWriter, parts ...string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range parts {
			io.WriteString(w, p)
			w.(http.Flusher).Flush()
		}
	}
	// A server hears of a client that went away once it has read the request.
	hang := func(r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() }
	short := Settings{HeaderTimeout: 50 * time.Millisecond, GapTimeout: 50 * time.Millisecond, Key: "sk-secret"}
	for _, x := range []struct {
		name    string
		s       Settings
		h       http.HandlerFunc
		outcome Outcome
		detail  string
	}{
		{"whole answer", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"choices":[{"message":{"content":"a"}}]}`)
		}, OK, ""},
		{"a stream without [DONE]", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			stream(w, chunk("a"), "data: {\"choices\":[{\"finish_reason\":\"stop\",\"delta\":{}}]}\n\n")
		}, OK, ""},
		{"wrong key", short, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","code":"invalid_api_key"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		}, HTTPError, "status 401: invalid_api_key: Incorrect API key provided: (key)"},
		{"wrong model", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(404)
			io.WriteString(w, `{"error":{"message":"The model m does not exist"}}`)
		}, HTTPError, "The model m does not exist"},
		{"no OpenAI at all", Settings{}, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>It works!</html>") }, Malformed, ""},
		{"a redirect", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}, HTTPError, "status 302"},
		{"an error in the stream", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			stream(w, chunk("a"), "data: {\"error\":{\"message\":\"out of memory\"}}\n\n", "data: [DONE]\n\n")
		}, StreamError, "out of memory"},
		{"an error with status 200", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"error":{"message":"busy"}}`)
		}, StreamError, "busy"},
		{"an empty stream", Settings{}, func(w http.ResponseWriter, r *http.Request) { stream(w, ":\n\n") }, Malformed, "no events"},
		{"no response", short, func(w http.ResponseWriter, r *http.Request) { hang(r) }, Timeout, "no response"},
		{"a stream that stops", short, func(w http.ResponseWriter, r *http.Request) { stream(w, chunk("a")); hang(r) }, Timeout, "stopped"},
		{"a stream that never ends", Settings{Timeout: 80 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
			stream(w, chunk("a"))
			io.Copy(io.Discard, r.Body)
			for r.Context().Err() == nil {
				stream(w, chunk("b"))
				time.Sleep(5 * time.Millisecond)
			}
		}, Timeout, "longer than the time"},
		{"a dying endpoint", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			stream(w, chunk("a"))
			panic(http.ErrAbortHandler)
		}, Cut, ""},
		{"an end too soon", Settings{}, func(w http.ResponseWriter, r *http.Request) { stream(w, chunk("a")) }, Cut, "before its last event"},
		{"too long", Settings{MaxBody: 1000}, func(w http.ResponseWriter, r *http.Request) { stream(w, strings.Repeat(chunk("a"), 100)) }, Malformed, "longer than allowed"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := client(t, x.s, x.h)
			rec := c.Do(t.Context(), Request{Model: "m", Prompt: "p", Chat: true, Stream: true})
			if rec.Outcome != x.outcome || !strings.Contains(rec.Detail, x.detail) || strings.Contains(fmt.Sprintf("%+v", rec), "sk-secret") {
				t.Errorf("outcome %s, %q; want %s, %q", rec.Outcome, rec.Detail, x.outcome, x.detail)
			}
			if rec.Stamps.End < rec.Stamps.Scheduled {
				t.Errorf("stamps %+v", rec.Stamps)
			}
		})
	}
}

func TestRefusedAndCancelled(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	c := NewClient(Settings{BaseURL: "http://" + addr})
	if rec := c.Do(t.Context(), Request{}); rec.Outcome != Refused || rec.Stamps.Sent != -1 {
		t.Errorf("%+v", rec)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c = client(t, Settings{}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	if rec := c.Do(ctx, Request{}); rec.Outcome != Cancelled {
		t.Errorf("%+v", rec)
	}
}

// A connection is used again after a stream, and a server that keeps the
// stream open after [DONE] holds nobody up.
func TestConnections(t *testing.T) {
	addrs := map[string]bool{}
	c := client(t, Settings{}, func(w http.ResponseWriter, r *http.Request) {
		addrs[r.RemoteAddr] = true
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, chunk("a")+"data: [DONE]\n\n")
	})
	for range 20 {
		if rec := c.Do(t.Context(), Request{Stream: true}); rec.Outcome != OK {
			t.Fatalf("%+v", rec)
		}
	}
	if len(addrs) != 1 {
		t.Errorf("%d connections for requests one after the other", len(addrs))
	}
	c = client(t, Settings{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, chunk("a")+"data: [DONE]\n\n")
		w.(http.Flusher).Flush()
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	if rec := c.Do(t.Context(), Request{Stream: true}); rec.Outcome != OK {
		t.Fatalf("%+v", rec)
	}
}

// What is no HTTP at all.
func TestNotHTTP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			bufio.NewReader(conn).ReadString('\n')
			io.WriteString(conn, "SSH-2.0-x\r\n")
			conn.Close()
		}
	}()
	c := NewClient(Settings{BaseURL: "http://" + l.Addr().String() + "/v1/"})
	if rec := c.Do(t.Context(), Request{}); rec.Outcome != Cut && rec.Outcome != Malformed {
		t.Errorf("%+v", rec)
	}
}

func TestURL(t *testing.T) {
	for base, want := range map[string]string{
		"http://h": "http://h/v1/completions", "http://h/": "http://h/v1/completions", "http://h/v1": "http://h/v1/completions",
		"http://h/openai/v1/": "http://h/openai/v1/completions",
	} {
		if got := NewClient(Settings{BaseURL: base}).URL("completions"); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}
