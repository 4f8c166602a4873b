package fetch

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
)

type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func TestErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.Copy(z, io.LimitReader(zeros{}, MaxBody+2))
			z.Close()
		case "/text":
			io.WriteString(w, "<html>")
		case "/cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "x")
		case "/slow":
			<-r.Context().Done()
		case "/no":
			http.Error(w, "not "+strings.Repeat("x", 300)+"\nsecond", http.StatusTeapot)
		}
	}))
	defer server.Close()
	c := New(Options{Resolver: names{"lab": "127.0.0.1", "out": "8.8.8.8"}, Allow: func(h string) bool { return h == "ok:1" }})
	defer c.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := net.SplitHostPort(host)
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, x := range []struct {
		ctx  context.Context
		url  string
		want string
	}{
		{nil, "nowhere", "begins with http://"}, {nil, "ftp://x", "begins with"}, {nil, "http://", "begins with"},
		{nil, "http://u:geheim@127.0.0.1:1/x?key=geheim#geheim", "http://127.0.0.1:1/x cannot be reached: nothing listens there"},
		{nil, "http://8.8.8.8:80/", "FD-7-1"}, {nil, "http://out:80/", "FD-7-1"},
		{nil, "http://none:80/", "the name none cannot be resolved"},
		{nil, server.URL + "/away", "302"}, {nil, server.URL + "/bomb", "more than 32 MiB"},
		{nil, server.URL + "/cut", "cannot be reached"}, {nil, server.URL + "/no", "418"},
		{short, server.URL + "/slow", "deadline"},
		{nil, server.URL + "/text", "not with the JSON"},
		{nil, "http://lab:" + port + "/text", "not with the JSON"},
	} {
		ctx := x.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		var v any
		_, err := c.JSON(ctx, x.url, &v)
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "geheim") || len(err.Error()) > 500 {
			t.Errorf("%s: %v, want %s", x.url, err, x.want)
		}
	}
	var outside *confine.OutsideError
	if _, err := c.Get(t.Context(), "http://out:80/"); !errors.As(err, &outside) {
		t.Errorf("%v", err)
	}
	if n := len(c.Targets()); n < 2 {
		t.Errorf("%d targets", n)
	}
}

// A server that sends the key back, in whatever part of an answer, finds it in
// no error, text or digest.
func TestEchoedKey(t *testing.T) {
	const key = "sk-very<secret>&key"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.Header.Get("Authorization")
		switch r.URL.Path {
		case "/denied":
			http.Error(w, "denied: "+sent, http.StatusUnauthorized)
		case "/long":
			http.Error(w, strings.Repeat("x", 200-len("sk-very"))+key, http.StatusForbidden)
		case "/shape":
			io.WriteString(w, `{"a": "`+sent+`"}`)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, sent)
		case "/protocol", "/status":
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if r.URL.Path == "/status" {
				io.WriteString(c, "HTTP/1.1 "+key+"\r\n\r\n")
			} else {
				io.WriteString(c, key+"\r\n\r\n")
			}
		default:
			w.Header().Set("Content-Type", "text/"+key)
			json.NewEncoder(w).Encode(map[string]string{"lastError": sent})
		}
	}))
	defer server.Close()
	c := New(Options{Key: key})
	defer c.Close()
	for _, path := range []string{"/denied", "/long", "/shape", "/cut", "/protocol", "/status"} {
		var v []string
		_, err := c.JSON(t.Context(), server.URL+path, &v)
		if err == nil || strings.Contains(err.Error(), "sk-very") || strings.Contains(fmt.Sprintf("%+v", err), "sk-very") {
			t.Errorf("%s: %v", path, err)
		}
	}
	var v struct{ LastError string }
	a, err := c.JSON(t.Context(), server.URL+"/", &v)
	if err != nil || v.LastError != "Bearer (key)" || strings.Contains(string(a.Body)+a.Type, "sk-very") {
		t.Errorf("%q, %q, %v", v, a.Body, err)
	}
	// What could be part of any answer stays what it is there.
	for _, key := range []string{"up", "12345678"} {
		c := New(Options{Key: key})
		a, err := c.Get(t.Context(), server.URL+"/")
		c.Close()
		if err != nil || !strings.Contains(string(a.Body), "Bearer "+key) {
			t.Errorf("%s: %q, %v", key, a.Body, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestOffset(t *testing.T) {
	for ahead, far := range map[time.Duration]bool{0: false, 5 * time.Second: true, -5 * time.Second: true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
		}))
		c := New(Options{})
		a, err := c.Get(t.Context(), server.URL)
		server.Close()
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, bound, ok := a.Offset()
		if !ok || (got-ahead).Abs() > bound || far != (got.Abs()-bound > time.Second) {
			t.Errorf("%v ahead: %v within %v", ahead, got, bound)
		}
	}
	if _, _, ok := (&Answer{}).Offset(); ok {
		t.Error("no date is a date")
	}
}

func TestDigest(t *testing.T) {
	digest := func(s string) string { return (&Answer{Body: []byte(s)}).Digest() }
	if digest(`{"a":1,"b":[2]}`) != digest("{\n\"b\": [2], \"a\": 1}") || digest("x\r\ny") != digest("x\ny") {
		t.Error("the layout counts")
	}
	if digest(`{"a":1}`) == digest(`{"a":1.0}`) || digest("a") == digest("b") || digest(`1 2`) == digest(`1`) {
		t.Error("a change does not count")
	}
}

func TestSecret(t *testing.T) {
	t.Setenv("FETCH_TEST_KEY", "geheim")
	if v, err := Secret("FETCH_TEST_KEY"); v != "geheim" || err != nil {
		t.Errorf("%s, %v", v, err)
	}
	if v, err := Secret(""); v != "" || err != nil {
		t.Errorf("%s, %v", v, err)
	}
	if _, err := Secret("FETCH_TEST_NONE"); err == nil {
		t.Error("a variable that is not set")
	}
}
