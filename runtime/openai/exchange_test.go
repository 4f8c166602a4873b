package openai

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// words reads lines of text; "end" is the last, and one with a colon is silent.
type words struct {
	lines []string
	ended bool
}

func (w *words) Line(b []byte) (bool, bool) {
	w.lines = append(w.lines, string(b))
	w.ended = string(b) == "end"
	return !w.ended && !bytes.Contains(b, []byte(":")), w.ended
}

func (w *words) End() (Answer, bool) { return Answer{Content: strings.Join(w.lines, " ")}, w.ended }

func TestExchange(t *testing.T) {
	send := func(w http.ResponseWriter, parts ...string) {
		for _, p := range parts {
			io.WriteString(w, p)
			w.(http.Flusher).Flush()
			time.Sleep(15 * time.Millisecond)
		}
	}
	for _, x := range []struct {
		name    string
		s       Settings
		h       http.HandlerFunc
		outcome Outcome
		detail  string
		content string
	}{
		{"lines", Settings{}, func(w http.ResponseWriter, r *http.Request) { send(w, "a:\n", "\r\n", "b\r\nc", "d\n", "end\n") }, OK, "", "a: b cd end"},
		{"no end of the last line", Settings{}, func(w http.ResponseWriter, r *http.Request) { send(w, "b\n", "end") }, OK, "", "b end"},
		{"not to its end", Settings{}, func(w http.ResponseWriter, r *http.Request) { send(w, "b\n") }, Cut, "ended before", "b"},
		{"broken off", Settings{}, func(w http.ResponseWriter, r *http.Request) { send(w, "b\n"); panic(http.ErrAbortHandler) }, Cut, "", "b"},
		{"a pause", Settings{GapTimeout: 40 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
			send(w, "b\n")
			time.Sleep(150 * time.Millisecond)
		}, Timeout, "stopped", "b"},
		{"too long", Settings{MaxBody: 8}, func(w http.ResponseWriter, r *http.Request) { send(w, "b\n", "0123456789\n") }, Malformed, "longer", "b"},
		{"refused", Settings{}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			io.WriteString(w, `{"error":{"message":"no: sk-secret"}}`)
		}, HTTPError, "status 401: no: (key)", ""},
		{"refused without a word", Settings{}, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, HTTPError, "status 500", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.s.Key = "sk-secret"
			c := client(t, x.s, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				if r.URL.Path != "/generate" || string(b) != "{}" || r.Header.Get("X-Request-Id") != "7" || r.Header.Get("Authorization") != "Bearer sk-secret" {
					t.Errorf("%s %s %v", r.URL.Path, b, r.Header)
				}
				x.h(w, r)
			})
			rec := c.Exchange(t.Context(), strings.TrimSuffix(c.URL(""), "/v1/")+"/generate", http.Header{"X-Request-Id": {"7"}}, []byte("{}"), new(words))
			if rec.Outcome != x.outcome || !strings.Contains(rec.Detail, x.detail) || rec.Answer.Content != x.content {
				t.Fatalf("%s: %q, %q", rec.Outcome, rec.Detail, rec.Answer.Content)
			}
			s := rec.Stamps
			if x.name == "lines" && !(s.Scheduled <= s.Sent && s.Sent < s.FirstEvent && s.FirstEvent < s.FirstContent && s.FirstContent < s.LastContent && s.LastContent < s.End) {
				t.Errorf("stamps %+v", s)
			}
		})
	}
}

func TestOwnHeader(t *testing.T) {
	var got []string
	c := client(t, Settings{Header: http.Header{"X-A": {"1"}, "X-B": {"1"}}}, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("X-A")+r.Header.Get("X-B"))
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"message":{"content":"a"}}]}`)
	})
	c.Do(t.Context(), Request{Header: http.Header{"X-B": {"2"}}})
	c.Do(t.Context(), Request{})
	if strings.Join(got, " ") != "12 11" {
		t.Errorf("headers %v", got)
	}
}
