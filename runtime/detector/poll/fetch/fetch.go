// Package fetch asks the interfaces of a detector under test: it reaches
// confined addresses only, bounds what it reads and how long it waits, and
// keeps credentials out of its errors.
//
// It imports runtime/confine and internal/redact.
package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/internal/redact"
	"github.com/fdbench/fdbench/runtime/confine"
)

// MaxBody is the largest answer in bytes.
const MaxBody = 32 << 20

// Timeout is the longest that one request may take.
const Timeout = 10 * time.Second

// Options say which addresses are reached. The zero value stays within the
// confined ranges and asks the system's resolver.
type Options struct {
	Resolver confine.Resolver           // nil for the system's
	Allow    func(hostport string) bool // hosts outside the confined ranges that the command line lets through; nil for none
	Key      string                     // sent as a bearer token with each request; "" for none
}

// Secret reads an environment variable that a plan names. "" names none.
func Secret(variable string) (string, error) {
	if variable == "" {
		return "", nil
	}
	if v := os.Getenv(variable); v != "" {
		return v, nil
	}
	return "", &SecretError{variable}
}

// SecretError says that a variable with a token is not set.
type SecretError struct{ Variable string }

func (e *SecretError) Error() string {
	return "the environment variable " + e.Variable + " is not set, and the plan says that it holds a token; export it"
}

// Client makes requests. Each host is resolved once, and every connection goes
// where the check was. It is safe for concurrent use.
type Client struct {
	o    Options
	http *http.Client

	mu      sync.Mutex
	targets map[string]confine.Target
}

// New makes a client.
func New(o Options) *Client {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	c := &Client{o: o, targets: map[string]confine.Target{}}
	c.http = &http.Client{
		Timeout: Timeout,
		Transport: &http.Transport{DialContext: c.dial, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
			TLSHandshakeTimeout: Timeout},
		// A redirect leads to an address that nobody declared.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	t, ok := c.targets[address]
	c.mu.Unlock()
	if !ok {
		var err error
		t, err = confine.Pin(ctx, c.o.Resolver, address, c.o.Allow != nil && c.o.Allow(address))
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.targets[address] = t
		c.mu.Unlock()
	}
	return t.DialContext(ctx, network, address)
}

// Targets are the addresses that were reached so far, in no order.
func (c *Client) Targets() []confine.Target {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []confine.Target
	for _, t := range c.targets {
		out = append(out, t)
	}
	return out
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Answer is a response with status 200.
type Answer struct {
	Body     []byte
	Type     string    // media type
	Date     time.Time // of the server, to the second; zero where it says none
	From, To time.Time // when the request was begun and the answer was complete
}

// StatusError is an answer other than 200 OK.
type StatusError struct {
	URL    string
	Status int
	Text   string // the first line of the body, shortened and without the key
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answers %d %s", e.URL, e.Status, http.StatusText(e.Status))
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

// UnreachableError says that no answer came.
type UnreachableError struct {
	URL   string
	Cause error
}

func (e *UnreachableError) Error() string {
	var dns *net.DNSError
	var timeout net.Error
	what := e.Cause.Error()
	switch {
	case errors.Is(e.Cause, syscall.ECONNREFUSED):
		what = "nothing listens there"
	case errors.As(e.Cause, &dns):
		what = "the name " + dns.Name + " cannot be resolved"
	case errors.As(e.Cause, &timeout) && timeout.Timeout():
		what = "no answer came in time"
	}
	return e.URL + " cannot be reached: " + what
}

func (e *UnreachableError) Unwrap() error { return e.Cause }

// Get asks for a URL.
//
// Errors: *UnreachableError, which holds the errors of package confine, and
// *StatusError. No error shows a user name, a password or a query.
func (c *Client) Get(ctx context.Context, address string) (*Answer, error) {
	return c.Do(ctx, http.MethodGet, address, nil)
}

// Do sends a request with a body of JSON, or without a body.
func (c *Client) Do(ctx context.Context, method, address string, body []byte) (*Answer, error) {
	u, err := Parse(address)
	if err != nil {
		return nil, err
	}
	shown := Shown(u)
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s is no address to ask", shown)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("User-Agent", "fdbench")
	if c.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	a := &Answer{From: time.Now()}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &UnreachableError{shown, c.inner(err)}
	}
	defer resp.Body.Close()
	a.Body, err = io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	a.To = time.Now()
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &UnreachableError{shown, c.inner(err)}
	case len(a.Body) > MaxBody:
		return nil, fmt.Errorf("%s answers with more than %d MiB", shown, MaxBody>>20)
	}
	a.Body = c.hidden(a.Body)
	if resp.StatusCode != http.StatusOK {
		return nil, &StatusError{shown, resp.StatusCode, firstLine([]byte(c.clean(string(a.Body))))}
	}
	a.Type = c.clean(resp.Header.Get("Content-Type"))
	a.Date, _ = http.ParseTime(resp.Header.Get("Date"))
	return a, nil
}

// JSON asks for a URL and reads the answer into v.
func (c *Client) JSON(ctx context.Context, address string, v any) (*Answer, error) {
	a, err := c.Get(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(a.Body, v); err != nil {
		u, _ := Parse(address)
		return nil, &ShapeError{Shown(u), c.inner(err)}
	}
	return a, nil
}

// ShapeError is an answer that is not what the interface gives.
type ShapeError struct {
	URL   string
	Cause error
}

func (e *ShapeError) Error() string {
	return e.URL + " answers, but not with the JSON that was expected: " + e.Cause.Error()
}

// Parse reads an address of http or https.
func Parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("an address begins with http:// or https:// and a host, such as http://127.0.0.1:9090")
	}
	return u, nil
}

// Shown is a URL without user, password, query and fragment.
func Shown(u *url.URL) string {
	v := *u
	v.User, v.RawQuery, v.Fragment = nil, "", ""
	return v.String()
}

// inner takes the URL, which may hold a password, off an error of net/http, and
// the key, which a server may have sent back.
func (c *Client) inner(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if text := err.Error(); c.clean(text) != text {
		return errors.New(c.clean(text))
	}
	return err
}

// keyMark stands where a server sent the key back.
const keyMark = "(key)"

// clean takes the key out of a text that a server wrote.
func (c *Client) clean(s string) string { return redact.Text(s, keyMark, c.o.Key) }

// unlikely is the length in bytes from which on a key is no part of an ordinary
// answer.
const unlikely = 8

// hidden takes the key out of an answer, whose texts go into problems, states
// and configurations. A key that could be a number of the answer or a name in
// it is left to clean.
func (c *Client) hidden(body []byte) []byte {
	if len(c.o.Key) < unlikely || strings.Trim(c.o.Key, "0123456789.") == "" {
		return body
	}
	return []byte(redact.Text(string(body), keyMark, c.o.Key))
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "..."
	}
	return strings.ToValidUTF8(line, "")
}

// Offset is by how much the server's clock is ahead of this one's, and the
// bound of that figure: a Date is cut to the second. ok tells whether the
// server said a date.
func (a *Answer) Offset() (ahead, bound time.Duration, ok bool) {
	if a.Date.IsZero() {
		return 0, 0, false
	}
	half := time.Second / 2
	trip := a.To.Sub(a.From)
	return a.Date.Add(half).Sub(a.From.Add(trip / 2).Round(0)), half + trip/2, true
}

// Digest is the SHA-256 of an answer, as "sha256:" and hex: of JSON in a form
// that does not depend on the order of members and on white space, of other
// texts with their line ends as LF.
func (a *Answer) Digest() string {
	body := a.Body
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil && !d.More() {
		if b, err := json.Marshal(v); err == nil {
			body = b
		}
	} else {
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	}
	sum := sha256.Sum256(body)
	return "sha256:" + hex.EncodeToString(sum[:])
}
