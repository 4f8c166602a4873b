package httpapparatus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Limits of one call.
const (
	DefaultTimeout = 30 * time.Second
	MaxAnswer      = 8 << 20 // bytes
)

// Options of a mechanism.
type Options struct {
	Name     string           // of the apparatus, for Targets
	KeyFile  string           // file that holds the key, where no environment variable does
	Timeout  time.Duration    // of one call; 0 for DefaultTimeout
	Allow    []string         // hosts that may lie outside the confined ranges (FD-7-1)
	Resolver confine.Resolver // nil for the system's
}

// Mechanism makes the calls.
type Mechanism struct {
	apply, remove, check call
	headers              map[string]string
	key                  string
	keyFrom              string // where the key comes from, for errors
	timeout              time.Duration
	client               *http.Client
	targets              []world.Target
}

// call is one of the three.
type call struct {
	what   string // "apply", "remove", "check"
	method string
	url    template
	body   template
	json   bool // the body is to be JSON
	status int
	shown  string
}

// New makes a mechanism. It reads the key, and resolves every host once.
func New(ctx context.Context, a plan.HTTPApparatus, o Options) (*Mechanism, error) {
	m := &Mechanism{headers: maps.Clone(a.Headers), timeout: o.Timeout}
	if m.timeout == 0 {
		m.timeout = DefaultTimeout
	}
	if err := m.readKey(a.KeyEnv, o.KeyFile); err != nil {
		return nil, err
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	contentType := "application/json"
	for k, v := range m.headers {
		if strings.EqualFold(k, "Content-Type") {
			contentType = v
		}
	}
	pinned := map[string]confine.Target{}
	for _, c := range []struct {
		what string
		from plan.HTTPCall
		to   *call
	}{{"apply", a.Apply, &m.apply}, {"remove", a.Remove, &m.remove}, {"check", a.Check, &m.check}} {
		if err := m.prepare(ctx, c.what, c.from, contentType, o, pinned, c.to); err != nil {
			return nil, err
		}
	}
	if !m.check.url.constant() || !m.check.body.constant() {
		return nil, errors.New("the check call holds a value of a fault; it reads the configuration whether or not one is applied (FD-3.4-3)")
	}
	for _, hostport := range slices.Sorted(maps.Keys(pinned)) {
		t := pinned[hostport]
		name := "apparatus"
		if o.Name != "" {
			name += "." + o.Name
		}
		m.targets = append(m.targets, world.Target{Name: name, Address: t.Addr.String(), Allowed: t.Allowed})
	}
	m.client = &http.Client{
		// A connection that is kept may be a dead one, and a call that goes to
		// it cannot be told from one that was carried out.
		Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true, Proxy: nil, MaxResponseHeaderBytes: 64 << 10,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				t, ok := pinned[address]
				if !ok {
					return nil, &confine.HostError{Host: address, Reason: "it is none of the apparatus's hosts"}
				}
				return t.DialContext(ctx, network, address)
			}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return m, nil
}

func (m *Mechanism) readKey(env, file string) error {
	switch {
	case env != "":
		m.keyFrom = "environment variable " + env
		if m.key = os.Getenv(env); m.key == "" {
			return fmt.Errorf("environment variable %s, which holds the apparatus's key, is not set; export it", env)
		}
	case file != "":
		m.keyFrom = "file " + file
		b, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("the apparatus's key: %w", err)
		}
		if m.key = strings.TrimSpace(string(b)); m.key == "" {
			return fmt.Errorf("file %s, which holds the apparatus's key, is empty", file)
		}
	}
	if strings.ContainsAny(m.key, "\r\n\x00") {
		return fmt.Errorf("the apparatus's key, from %s, holds more than one line", m.keyFrom)
	}
	return nil
}

// prepare makes one call ready.
func (m *Mechanism) prepare(ctx context.Context, what string, c plan.HTTPCall, contentType string, o Options, pinned map[string]confine.Target, to *call) error {
	if c.URL == "" {
		return fmt.Errorf("the apparatus has no %s call; a fault has to be applied, removed, and seen to be gone (FD-3.4-3)", what)
	}
	t, u, err := cutURL(c.URL)
	if err != nil {
		return fmt.Errorf("%s call: %w", what, err)
	}
	*to = call{what: what, method: c.Method, url: t, body: cutBody(c.Body, contentType), status: c.Status, shown: shown(c.URL)}
	if to.method == "" {
		to.method = map[bool]string{true: http.MethodGet, false: http.MethodPost}[what == "check"]
	}
	media, _, _ := strings.Cut(contentType, ";")
	to.json = c.Body != "" && (strings.EqualFold(strings.TrimSpace(media), "application/json") || strings.HasSuffix(strings.ToLower(media), "+json"))
	if _, err := http.NewRequest(to.method, "http://host/", nil); err != nil {
		return fmt.Errorf("%s call: %q is no method of HTTP", what, mechanism.Excerpt(to.method, 30))
	}
	hostport := confine.HostPort(u)
	if _, ok := pinned[hostport]; ok {
		return nil
	}
	target, err := confine.Pin(ctx, o.Resolver, hostport, slices.Contains(o.Allow, u.Hostname()) || slices.Contains(o.Allow, hostport))
	if err != nil {
		return fmt.Errorf("%s call: %w", what, err)
	}
	pinned[hostport] = target
	return nil
}

// Targets are the addresses that the calls go to.
func (m *Mechanism) Targets() []world.Target { return slices.Clone(m.targets) }

// Apply makes the apply call.
func (m *Mechanism) Apply(ctx context.Context, v mechanism.Values) error {
	_, err := m.do(ctx, &m.apply, v)
	return err
}

// Remove makes the remove call.
func (m *Mechanism) Remove(ctx context.Context, v mechanism.Values) error {
	_, err := m.do(ctx, &m.remove, v)
	return err
}

// Configuration is the digest of the answer to the check call.
func (m *Mechanism) Configuration(ctx context.Context) (string, error) {
	b, err := m.do(ctx, &m.check, mechanism.Values{})
	if err != nil {
		return "", err
	}
	return mechanism.Digest(b), nil
}

// Check makes the check call.
func (m *Mechanism) Check(ctx context.Context) []driver.Problem {
	if _, err := m.Configuration(ctx); err != nil {
		remedy := "See that the endpoint is up, and that the check call names it."
		var s *StatusError
		if errors.As(err, &s) && (s.Status == http.StatusUnauthorized || s.Status == http.StatusForbidden) {
			remedy = "Name the environment variable that holds the key (key_env), and set it to one that may change the deployment."
		}
		return []driver.Problem{{Rule: "FD-3.4-3", Part: "apparatus", What: err.Error(), Remedy: remedy}}
	}
	return nil
}

// StatusError says that an answer had another status than was expected.
type StatusError struct {
	Call   string // apply, remove, check
	Method string
	URL    string // without its query
	Status int
	Want   int    // 0: any of the 2xx
	Answer string // its beginning, without secrets
}

func (e *StatusError) Error() string {
	want := "2xx"
	if e.Want != 0 {
		want = fmt.Sprint(e.Want)
	}
	s := fmt.Sprintf("the %s call, %s %s, was answered with status %d, and %s was expected", e.Call, e.Method, e.URL, e.Status, want)
	if e.Answer != "" {
		s += fmt.Sprintf(": %s", e.Answer)
	}
	return s
}

// do makes one call and returns the body of its answer.
func (m *Mechanism) do(ctx context.Context, c *call, v mechanism.Values) ([]byte, error) {
	fail := func(err error) error {
		return fmt.Errorf("the %s call, %s %s: %w", c.what, c.method, c.shown, err)
	}
	address, err := c.url.fill(v)
	if err != nil {
		return nil, fail(err)
	}
	body, err := c.body.fill(v)
	if err != nil {
		return nil, fail(err)
	}
	if c.json && !json.Valid([]byte(body)) {
		return nil, fail(errors.New("its body is not JSON once the values stand in it"))
	}
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, c.method, address, strings.NewReader(body))
	if err != nil {
		return nil, fail(errors.New("its URL cannot be called"))
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for k, h := range m.headers {
		request.Header.Set(k, h)
	}
	if m.key != "" {
		request.Header.Set("Authorization", "Bearer "+m.key)
	}
	response, err := m.client.Do(request)
	if err != nil {
		return nil, fail(m.bare(ctx, err))
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswer+1))
	if err != nil {
		return nil, fail(m.bare(ctx, err))
	}
	if ok := response.StatusCode/100 == 2; c.status == 0 && !ok || c.status != 0 && response.StatusCode != c.status {
		return nil, &StatusError{c.what, c.method, c.shown, response.StatusCode, c.status, mechanism.Excerpt(mechanism.Redact(string(b), m.secrets()), 200)}
	}
	if len(b) > MaxAnswer {
		return nil, fail(fmt.Errorf("its answer is larger than %d MiB", MaxAnswer>>20))
	}
	return b, nil
}

// secrets are the texts that no error shows: the key, and the values of all
// headers, one of which may hold another.
func (m *Mechanism) secrets() []string {
	return append(slices.Collect(maps.Values(m.headers)), m.key)
}

// bare is an error of a call without the URL, which may hold a key in its
// query, and with the time limit named where that was the cause.
func (m *Mechanism) bare(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %s: %w", m.timeout, context.DeadlineExceeded)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
