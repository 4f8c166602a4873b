package probing

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/spec/refdata"
)

func probe(t *testing.T, h http.HandlerFunc, key string, stream bool) *Report {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	target, err := Resolve(t.Context(), net.DefaultResolver, s.URL, false)
	if err != nil {
		t.Fatal(err)
	}
	c := openai.NewClient(openai.Settings{BaseURL: target.BaseURL, Key: key, Dial: target.DialContext})
	t.Cleanup(c.Close)
	return NewReport(target, c.URL("chat/completions"), key, c.Do(t.Context(), openai.Request{Model: "m", Prompt: "p", Chat: true, Stream: stream}))
}

// Every vector of the reference data is reported as it says.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/sse-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Vectors []struct {
			Name     string
			Chunks   []string `json:"chunks_base64"`
			Expected struct {
				Content       string
				ContentEvents int `json:"content_events"`
				Usage, Error  bool
				Reasoning     string
			}
		}
	}
	if err := json.Unmarshal(raw, &data); err != nil || len(data.Vectors) == 0 {
		t.Fatalf("%d vectors, %v", len(data.Vectors), err)
	}
	for _, v := range data.Vectors {
		r := probe(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, c := range v.Chunks {
				b, err := base64.StdEncoding.DecodeString(c)
				if err != nil {
					t.Error(err)
				}
				w.Write(b)
				w.(http.Flusher).Flush()
			}
		}, "", true)
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Content, Reasoning string
			ContentEvents      int `json:"content_events"`
			Usage              *struct{}
			Error              *string
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		e := v.Expected
		if got.Content != e.Content || got.Reasoning != e.Reasoning || got.ContentEvents != e.ContentEvents || (got.Usage != nil) != e.Usage || (got.Error != nil) != e.Error {
			t.Errorf("%s: %s", v.Name, b)
		}
	}
}

func TestSecretsStayOut(t *testing.T) {
	const key = "sk-very-secret"
	r := probe(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("X-Echo", q.Header.Get("Authorization"))
		w.Header().Set("Set-Cookie", "session=1")
		w.WriteHeader(http.StatusUnauthorized)
		w.Write([]byte(`{"error": {"message": "the key ` + key + ` is unknown", "code": "invalid_api_key"}}`))
	}, key, false)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte(key)) || bytes.Contains(b, []byte("session=1")) {
		t.Errorf("a secret stands in %s", b)
	}
	if r.Outcome != openai.HTTPError || r.Error == nil || !strings.Contains(*r.Error, "invalid_api_key") || !strings.Contains(r.Remedy(), "--key-env") {
		t.Errorf("%s", b)
	}
}

// A deployment that repeats what it was sent puts the key into any part of its
// answer; the report shows it in none.
func TestEchoedKey(t *testing.T) {
	const key = "sk-very-secret<&>\"key"
	quoted, err := json.Marshal("you sent Bearer " + key)
	if err != nil {
		t.Fatal(err)
	}
	said := string(quoted)
	whole := `{"id": ` + said + `, "model": ` + said + `, "choices": [{"finish_reason": ` + said + `, "message": {"content": ` + said +
		`, "reasoning_content": ` + said + `, "tool_calls": [{"id": ` + said + `, "function": {"name": ` + said + `, "arguments": ` + said + `}}]}}]}`
	for _, x := range []struct{ name, media, body string }{
		{"in one piece", "application/json", whole},
		{"stream", "text/event-stream", "data: " + strings.Replace(whole, `"message"`, `"delta"`, 1) + "\n\ndata: [DONE]\n\n"},
		{"error in a stream", "text/event-stream", `data: {"error": {"message": ` + said + `, "code": ` + said + "}}\n\n"},
		{"another protocol", "text/plain", "you sent Bearer " + key},
	} {
		r := probe(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", x.media)
			w.Header().Set("X-Echo", "Bearer "+key)
			w.Write([]byte(x.body))
		}, key, x.media == "text/event-stream")
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := r.Text(&text); err != nil {
			t.Fatal(err)
		}
		for _, got := range []string{string(b), text.String()} {
			if strings.Contains(got, "sk-very-secret") {
				t.Errorf("%s: the key stands in %s", x.name, got)
			}
		}
		if r.Outcome == openai.OK && !strings.Contains(r.Content, "you sent Bearer (key)") {
			t.Errorf("%s: %q", x.name, r.Content)
		}
	}
}

func TestRemedies(t *testing.T) {
	for _, x := range []struct {
		status  int
		body    string
		outcome openai.Outcome
		remedy  string
	}{
		{200, "<html>welcome</html>", openai.Malformed, "OpenAI-compatible"},
		{404, `{"error": {"message": "no such model"}}`, openai.HTTPError, "/v1/models lists"},
		{302, "", openai.HTTPError, "redirects are not followed"},
		{500, `{"error": "broken"}`, openai.HTTPError, ""},
		{200, `{"error": {"message": "boom"}}`, openai.StreamError, ""},
		{200, `{"choices": [{"message": {"content": "Hi."}}]}`, openai.OK, ""},
	} {
		r := probe(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if x.status == 302 {
				w.Header().Set("Location", "http://127.0.0.1:1/")
			}
			w.WriteHeader(x.status)
			w.Write([]byte(x.body))
		}, "", false)
		if r.Outcome != x.outcome || !strings.Contains(r.Remedy(), x.remedy) || (x.remedy == "") != (r.Remedy() == "") {
			t.Errorf("%d %q: %s, %q", x.status, x.body, r.Outcome, r.Remedy())
		}
	}
}

func TestText(t *testing.T) {
	n := int64(3)
	finish := "stop"
	r := &Report{URL: "http://127.0.0.1:8000/v1/chat/completions", Address: "127.0.0.1:8000", Status: 200, Outcome: openai.OK,
		Content: "Hi \x1b[31mthere.\n  \u4e2d\n", Reasoning: "Hm.", FinishReason: &finish, Events: 5, ContentEvents: 2, Done: true, Model: "m", Bytes: 400,
		ToolCalls: []openai.ToolCall{{Name: "f", Arguments: `{"a":1}`}},
		Usage:     &openai.Usage{PromptTokens: 9, CompletionTokens: 4, CachedTokens: &n},
		Stamps:    openai.Stamps{Scheduled: 1e6, Sent: 15e5, Headers: 2e6, FirstEvent: 3e6, FirstContent: 4e6, LastContent: 5e6, End: 6e6}}
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = `POST http://127.0.0.1:8000/v1/chat/completions, at 127.0.0.1:8000

reasoning:
    Hm.

content:
    Hi \x1b[31mthere.
      ` + "\u4e2d" + `

tool call:
    f({"a":1})

outcome              ok (status 200)
model                m
finish reason        stop
events               5, 2 of them with content, [DONE] at the end
usage                9 prompt tokens (3 cached), 4 completion tokens
body                 400 bytes
sent after           0.500 ms
headers after        1.000 ms
first event after    2.000 ms
first content after  3.000 ms
last content after   4.000 ms
end after            5.000 ms
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

type fixed map[string]netip.Addr

func (f fixed) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := f[host]; ok {
		return []netip.Addr{a}, nil
	}
	return nil, errors.New("no such host")
}

func TestResolve(t *testing.T) {
	names := fixed{"lab": netip.MustParseAddr("10.0.0.7"), "world": netip.MustParseAddr("93.184.216.34")}
	for _, x := range []struct {
		url   string
		allow bool
		says  string // of the error; "" for none
		addr  string
	}{
		{"http://127.0.0.1:8000", false, "", "127.0.0.1:8000"},
		{"http://[::1]:8000/v1", false, "", "[::1]:8000"},
		{"https://lab", false, "", "10.0.0.7:443"},
		{"http://lab/base/", false, "", "10.0.0.7:80"},
		{"http://world", false, "FD-7-1", ""},
		{"http://world", true, "", "93.184.216.34:80"},
		{"http://127.1:80", false, "FD-7-1", ""},
		{"http://nowhere", false, "no such host", ""},
		{"127.0.0.1:8000", false, "no URL", ""},
		{"ftp://127.0.0.1", false, "no URL", ""},
		{"http://u:hush@127.0.0.1", false, "name or a password", ""},
		{"http://u:hush%@127.0.0.1", false, "no URL", ""},
		{"http://127.0.0.1/v1?x=1", false, "goes on", ""},
		{"http://127.0.0.1/v1/chat/completions", false, "http://127.0.0.1/v1,", ""},
	} {
		got, err := Resolve(t.Context(), names, x.url, x.allow)
		switch {
		case x.says == "" && err != nil, x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says)):
			t.Errorf("%s: %v", x.url, err)
		case err != nil && strings.Contains(err.Error(), "hush"):
			t.Errorf("a password stands in %q", err)
		case err == nil && (got.Addr.String() != x.addr || got.Allowed != (got.Range == "") || got.Where() == ""):
			t.Errorf("%s: %+v", x.url, got)
		}
	}
	var outside *confine.OutsideError
	if _, err := Resolve(t.Context(), names, "http://world", false); !errors.As(err, &outside) {
		t.Errorf("%v", err)
	}
}
