package listen

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestOnlyLoopback(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0"} {
		var not *NotLoopbackError
		if l, err := Listen(Options{Address: address}); !errors.As(err, &not) {
			t.Errorf("%s: listener %v, error %v", address, l, err)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "127.8.9.1:0"} {
		l, err := Listen(Options{Address: address})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		l.Close()
	}
	if _, err := Listen(Options{Address: "9464"}); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
		t.Errorf("error %v", err)
	}
	l, err := Listen(Options{Address: "0.0.0.0:0", Remote: true})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestPortInUse(t *testing.T) {
	l, err := Listen(Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(Options{Address: l.Addr().String()}); err == nil || !strings.Contains(err.Error(), l.Addr().String()) ||
		!strings.Contains(err.Error(), "in use") {
		t.Errorf("error %v", err)
	}
}

// A client that does not send the body that it announced holds nobody up,
// whether the handler reads bodies or not; one that has sent its body in time
// gets an answer that takes longer than that time.
func TestSlowBody(t *testing.T) {
	const patience = 300 * time.Millisecond
	l, err := Listen(Options{Address: "127.0.0.1:0", Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, l, server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/reads":
				if _, err := io.ReadAll(r.Body); err != nil {
					http.Error(w, "slow", http.StatusRequestTimeout)
				}
			case "/long":
				io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusOK)
				http.NewResponseController(w).Flush()
				select {
				case <-time.After(3 * patience):
					io.WriteString(w, "whole")
				case <-r.Context().Done():
				}
			}
		}), patience), time.Second)
	}()
	defer func() {
		stop()
		<-served
	}()
	url := "http://" + l.Addr().String()
	for _, path := range []string{"/reads", "/ignores"} {
		for range 2 { // as many as there is room for
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx")
		}
		client := &http.Client{Timeout: 20 * patience, Transport: &http.Transport{DisableKeepAlives: true}}
		r, err := client.Get(url + "/health")
		if err != nil {
			t.Errorf("behind clients of %s that send nothing: %v", path, err)
			continue
		}
		r.Body.Close()
	}
	for _, again := range []string{"first", "on the same connection"} {
		r, err := http.Post(url+"/long", "text/plain", strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || string(b) != "whole" {
			t.Errorf("%s: %q, %v", again, b, err)
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	l, err := Listen(Options{Address: "127.0.0.1:0", Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 3)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first := <-accepted
	<-accepted
	select {
	case <-accepted:
		t.Fatal("a third connection was taken")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // closing twice makes room once
	<-accepted
	l.Close()
	if _, open := <-accepted; open {
		t.Error("a connection after the end")
	}
}

func TestServeEnds(t *testing.T) {
	l, err := Listen(Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, l, Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done() // a stream that never ends
		})), 20*time.Millisecond)
	}()
	resp, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	io.Copy(io.Discard, resp.Body)
}

func TestAuthorized(t *testing.T) {
	token := NewToken()
	if token == NewToken() || len(token) != 32 {
		t.Errorf("token %q", token)
	}
	h := Authorized(token, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	for header, want := range map[string]int{"": 401, "Bearer ": 401, "Bearer x": 401, token: 401, "Basic " + token: 401, " " + token: 401, "Bearer " + token: 200, "bearer " + token: 200} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d, want %d", header, w.Code, want)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/", nil)
	r.Header.Set("Authorization", "Bearer ")
	if Authorized("", h).ServeHTTP(w, r); w.Code != 401 {
		t.Error("no token lets everybody in")
	}
}

func TestBodyIsBounded(t *testing.T) {
	var err error
	s := httptest.NewServer(Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, err = io.Copy(io.Discard, r.Body) })).Handler)
	defer s.Close()
	resp, rerr := http.Post(s.URL, "text/plain", io.LimitReader(zeros{}, MaxBody+1))
	if rerr == nil {
		resp.Body.Close()
	}
	var large *http.MaxBytesError
	if !errors.As(err, &large) {
		t.Errorf("error %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
