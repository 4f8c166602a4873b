package tap

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/stdlib/text"
)

// no counts responses that say no.
func no(name string) Indicator {
	return Indicator{Name: name, Unit: "1", Score: func(r text.Response) int32 {
		if strings.HasPrefix(r.Text, "No") {
			return 1
		}
		return 0
	}}
}

func words(name string) Indicator {
	return Indicator{Name: name, Unit: "words", Score: func(r text.Response) int32 { return int32(len(strings.Fields(r.Text))) }}
}

var loopback = listen.Options{Address: "127.0.0.1:0"}

// begin runs a tap until the test ends.
func begin(t testing.TB, o Options) *Exporter {
	t.Helper()
	o.Proxy, o.Metrics = loopback, loopback
	if len(o.Indicators) == 0 {
		o.Indicators = []Indicator{no("no_rate"), words("words")}
	}
	e, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// serve runs a deployment until the test ends.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// until waits for a condition.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s did not come to be within 5 s", what)
}

// settledTally waits until n requests were counted, one way or another.
func settledTally(t testing.TB, e *Exporter, n int64) Snapshot {
	t.Helper()
	var s Snapshot
	until(t, fmt.Sprintf("%d counted requests", n), func() bool {
		s = e.Snapshot()
		sum := int64(0)
		for _, c := range s.Series {
			sum += c.Total
		}
		for _, k := range s.Errors {
			sum += k
		}
		for _, k := range s.Unscored {
			sum += k
		}
		return sum >= n
	})
	return s
}

func post(t testing.TB, url, body string) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, b
}

func answer(content string) string {
	return fmt.Sprintf(`{"id":"a1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, content)
}

func event(content string) string {
	return fmt.Sprintf(`data: {"id":"a1","model":"m","choices":[{"index":0,"delta":{"content":%q}}]}`+"\n\n", content)
}

const (
	stop = `data: {"id":"a1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	done = "data: [DONE]\n\n"
)

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// warnings collects what a tap says.
type warnings struct {
	mu   sync.Mutex
	said []string
}

func (w *warnings) add(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, s)
}

func (w *warnings) has(part string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(strings.Join(w.said, "\n"), part)
}
