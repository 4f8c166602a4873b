package arms

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/journal"
)

// Options of a Runner.
type Options struct {
	Plan   *plan.Reuse // with a live block
	Folder string      // the scenario's, for files that the plan names
	Allow  []string    // hosts, or hosts with ports, outside the confined ranges that are let through (FD-7-1)
	// Secret reads an environment variable; nil is the system's. An error says
	// in whose stead the variable is missed.
	Secret func(env string) (string, error)
	Items  int64 // pairs of the run, which Pair's n is below; 0: not known
	// Run tells runs of one plan apart in the ids of their requests, so that a
	// log that outlives a run does not mix them; "" where that does not matter.
	Run      string
	Resolver confine.Resolver // nil for the system's
}

// longestLookup bounds the look-up of all addresses.
const longestLookup = 30 * time.Second

// New makes a runner. Names are resolved here, once; nothing is sent.
//
// Errors: those of confine.Pin, and an unset variable or unreadable file of a
// key.
func New(o Options) (*Runner, error) {
	if o.Plan == nil || o.Plan.Declaration.Live == nil {
		return nil, errors.New("the reuse block has no live block, so there is no endpoint to send requests to")
	}
	live := o.Plan.Declaration.Live
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Secret == nil {
		o.Secret = environment
	}
	r := &Runner{o: o, plan: o.Plan, live: live, model: live.Model, pins: map[string]confine.Target{}}
	var err error
	if r.key, err = r.readKey(); err != nil {
		return nil, err
	}
	if live.ResetTokenEnv != "" {
		if r.token, err = o.Secret(live.ResetTokenEnv); err == nil {
			err = oneLine(r.token, "environment variable "+live.ResetTokenEnv)
		}
		if err != nil {
			return nil, fmt.Errorf("reset token: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestLookup)
	defer cancel()
	for _, group := range []struct {
		part string
		urls []string
	}{{"live", []string{live.Endpoint.BaseURL}}, {"donors", live.Donors}, {"reset", live.Reset}, {"metrics", live.Metrics}} {
		for _, u := range group.urls {
			if err := r.pin(ctx, group.part, u); err != nil {
				return nil, fmt.Errorf("%s of reuse %q: %w", group.part, o.Plan.Name, err)
			}
		}
	}
	r.admin = &http.Client{
		// A connection that is kept may be a dead one, and a reset that goes to
		// it cannot be told from one that was carried out.
		Transport:     &http.Transport{DialContext: r.dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Duration(live.Endpoint.Whole),
	}
	if r.admin.Timeout <= 0 || r.admin.Timeout > longestCall {
		r.admin.Timeout = longestCall
	}
	if r.main, err = r.endpoint(live.Endpoint.BaseURL); err != nil {
		return nil, err
	}
	for _, base := range live.Donors {
		e, err := r.endpoint(base)
		if err != nil {
			return nil, err
		}
		r.donors = append(r.donors, e)
	}
	return r, nil
}

// longestCall bounds a reset, and a reading of counters.
const longestCall = 60 * time.Second

func environment(env string) (string, error) {
	if v := os.Getenv(env); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("the environment variable %s is not set; export it", env)
}

// readKey reads the key of requests. It stands in no error.
func (r *Runner) readKey() (string, error) {
	e := &r.live.Endpoint
	switch {
	case e.KeyEnv != "":
		key, err := r.o.Secret(e.KeyEnv)
		if err == nil {
			err = oneLine(key, "environment variable "+e.KeyEnv)
		}
		if err != nil {
			return "", fmt.Errorf("key of the endpoint: %w", err)
		}
		return key, nil
	case e.KeyFile != "":
		path := e.KeyFile
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.o.Folder, path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			var p *os.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return "", fmt.Errorf("key of the endpoint: the file %s cannot be read: %w", e.KeyFile, err)
		}
		key := strings.TrimSpace(string(b))
		return key, oneLine(key, "file "+e.KeyFile)
	}
	return "", nil
}

func oneLine(secret, from string) error {
	switch {
	case secret == "":
		return fmt.Errorf("%s is empty", from)
	case strings.ContainsAny(secret, "\r\n\x00"):
		return fmt.Errorf("%s holds more than one line", from)
	}
	return nil
}

// pin checks the address of a URL and remembers it.
func (r *Runner) pin(ctx context.Context, part, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no URL of http or https", text)
	}
	hostport := confine.HostPort(u)
	t, known := r.pins[hostport]
	if !known {
		if t, err = confine.Pin(ctx, r.o.Resolver, hostport, r.allowed(u.Hostname(), hostport)); err != nil {
			return err
		}
		r.pins[hostport] = t
	}
	target := journal.Target{Name: "reuse." + r.plan.Name + "." + part, Address: t.Addr.String(), Allowed: t.Allowed}
	for _, have := range r.targets {
		if have == target {
			return nil
		}
	}
	r.targets = append(r.targets, target)
	return nil
}

// allowed tells whether the command line lets a host through.
func (r *Runner) allowed(host, hostport string) bool {
	for _, a := range r.o.Allow {
		if strings.EqualFold(a, hostport) || strings.EqualFold(strings.Trim(a, "[]"), host) {
			return true
		}
	}
	return false
}

// dial connects to addresses that were checked, and to no other.
func (r *Runner) dial(ctx context.Context, network, address string) (net.Conn, error) {
	t, ok := r.pins[address]
	if !ok {
		return nil, &confine.HostError{Host: address, Reason: "it is none of the hosts of the live block"}
	}
	return t.DialContext(ctx, network, address)
}

// Targets lists every address that requests go to, once for each part of the
// live block, in a fixed order.
func (r *Runner) Targets() []journal.Target { return append([]journal.Target(nil), r.targets...) }
