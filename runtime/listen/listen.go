// Package listen opens the listeners of the harness: on loopback unless the
// caller was told otherwise, with a bound on connections and on what one
// connection may cost, and with a token where a request changes state.
//
// It imports the standard library only.
package listen

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Limits of a server.
const (
	MaxConnections = 1024
	MaxHeader      = 64 << 10
	MaxBody        = 8 << 20
	BodyTime       = 30 * time.Second // for the whole body of a request
)

// Options of a listener.
type Options struct {
	Address     string // "127.0.0.1:0"
	Remote      bool   // an address that is not loopback is allowed
	Connections int    // at most, at a time; 0 for MaxConnections
}

// NotLoopbackError says that an address would open a listener to others.
type NotLoopbackError struct{ Address string }

func (e *NotLoopbackError) Error() string {
	return fmt.Sprintf("%s is not a loopback address: others could reach the listener; write 127.0.0.1, or allow it explicitly", e.Address)
}

// Listen opens a listener. A port that is in use gives an error that says so.
func Listen(o Options) (net.Listener, error) {
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to listen at; write HOST:PORT, such as 127.0.0.1:9464", o.Address)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if !o.Remote && (err != nil || !ip.Unmap().IsLoopback()) {
		return nil, &NotLoopbackError{o.Address}
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w", o.Address, errors.Unwrap(err))
	}
	if o.Connections == 0 {
		o.Connections = MaxConnections
	}
	return &limited{Listener: l, room: make(chan struct{}, o.Connections), closed: make(chan struct{})}, nil
}

// limited hands out a bounded number of connections; the others wait in the
// system's queue.
type limited struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &counted{Conn: c, leave: sync.OnceFunc(func() { <-l.room })}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

// Server makes a server that a slow or endless client cannot hold up. Answers
// may take as long as they take: a stream has no end that is known before.
func Server(h http.Handler) *http.Server { return server(h, BodyTime) }

func server(h http.Handler, patience time.Duration) *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Body != http.NoBody {
				// ReadTimeout would also end answers: it bounds the watch for a
				// client that goes away.
				c := http.NewResponseController(w)
				c.SetReadDeadline(time.Now().Add(patience))
				r.Body = &timed{r.Body, c}
			}
			r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
			h.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    MaxHeader,
	}
}

// timed is a body with a time limit, which ends with the body.
type timed struct {
	io.ReadCloser
	c *http.ResponseController
}

func (t *timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err == io.EOF {
		t.c.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Serve serves until ctx ends, then lets the requests that are being answered
// finish for grace and cuts the rest.
func Serve(ctx context.Context, l net.Listener, s *http.Server, grace time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if s.Shutdown(stop) != nil {
		s.Close()
	}
	<-done
	return nil
}

// NewToken makes a token of 128 random bits.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Authorized lets a request pass that carries the token as a bearer token, and
// answers 401 to others.
func Authorized(token string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, got, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" || subtle.ConstantTimeCompare([]byte(got), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this needs the program's token: send it as Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}
