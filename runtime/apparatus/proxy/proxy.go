package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// Options of a proxy.
type Options struct {
	Apparatus plan.Apparatus // of kind "proxy"
	Scorer    driver.Scorer  // nil: Applied has no figures of responses
	Allow     bool           // an upstream outside of the confined ranges is let through (FD-7-1)
	Remote    bool           // the listener may be reached from other machines
	Resolver  confine.Resolver
	TLS       *tls.Config // for an upstream with https; nil for the system's
}

// Limits.
const (
	defaultLease = 30 * time.Second
	// connections bounds clients, and streams those of one HTTP/2 connection:
	// more than an open loop has on its way.
	connections = 8192
	closeGrace  = 2 * time.Second
	dialTimeout = 5 * time.Second
)

// Proxy is the apparatus in the process of the harness. It implements
// driver.Ledger and http.Handler.
type Proxy struct {
	o        Options
	upstream *url.URL
	one, two http.RoundTripper // to the upstream in HTTP/1.1 and, where it speaks it, HTTP/2
	style    style
	counts   counts
	scoring  atomic.Int64 // exchanges that ended and were not told yet
	sink     atomic.Pointer[func(driver.Exchange, *exchange)]

	mu      sync.Mutex
	clock   driver.Clock
	started bool
	fault   *application // the last one
	rate    pace
	address string
	pinned  confine.Target
	stop    context.CancelFunc
	served  chan error
}

var _ driver.Ledger = (*Proxy)(nil)

type counts struct{ malformed, unreadable, unreachable atomic.Int64 }

// Counts are what the proxy could not do.
type Counts struct {
	Malformed   int64 // events of changed streams that could not be read, and were passed on
	Unreadable  int64 // picked responses that could not be changed
	Unreachable int64 // requests for which there was no upstream
}

// New makes a proxy. The error is one of the plan.
func New(o Options) (*Proxy, error) {
	if o.Apparatus.Proxy == nil {
		return nil, errors.New("the apparatus is not of kind proxy")
	}
	u, err := url.Parse(o.Apparatus.Proxy.Upstream)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no upstream of a proxy; write its URL, such as http://127.0.0.1:8000", o.Apparatus.Proxy.Upstream)
	}
	if u.User != nil || u.RawQuery != "" {
		return nil, errors.New("the upstream of a proxy has no user and no query in its URL")
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	return &Proxy{o: o, upstream: u}, nil
}

// Tell names the sink of the ledger. It is called before Start.
func (p *Proxy) Tell(sink func(driver.Exchange)) {
	f := func(e driver.Exchange, _ *exchange) { sink(e) }
	p.sink.Store(&f)
}

// SetSpacing tells the mean time between requests in nanoseconds, which is
// measured where it is not told; 0 measures again.
func (p *Proxy) SetSpacing(ns float64) {
	p.mu.Lock()
	p.rate.fixed = ns
	p.mu.Unlock()
}

func (p *Proxy) spacing() float64 { return p.rate.spacing() }

// Counts tells what could not be done so far.
func (p *Proxy) Counts() Counts {
	return Counts{p.counts.malformed.Load(), p.counts.unreadable.Load(), p.counts.unreachable.Load()}
}

// Target is the upstream as it was found and checked at Start.
func (p *Proxy) Target() confine.Target {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pinned
}

// Address is where the proxy listens, once it was started.
func (p *Proxy) Address() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.address
}

func (p *Proxy) leaseTime() time.Duration {
	if p.o.Apparatus.Lease > 0 {
		return time.Duration(p.o.Apparatus.Lease)
	}
	return defaultLease
}

// Start listens and serves until Close. A fault of a run that was killed ended
// with its proxy.
func (p *Proxy) Start(ctx context.Context, c driver.Clock) error {
	p.mu.Lock()
	again := p.started
	p.mu.Unlock()
	if again {
		return errors.New("the proxy was started already")
	}
	target, err := confine.Pin(ctx, p.o.Resolver, confine.HostPort(p.upstream), p.o.Allow)
	if err != nil {
		return err
	}
	l, err := listen.Listen(listen.Options{Address: p.o.Apparatus.Proxy.Listen, Remote: p.o.Remote, Connections: connections})
	if err != nil {
		return err
	}
	one, two := p.transport(target, false), p.transport(target, true)
	p.one = one
	if p.upstream.Scheme == "https" || p.speaks(ctx, two) {
		p.two = two
	}
	serve, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.mu.Lock()
	p.clock, p.started, p.address, p.pinned = c, true, l.Addr().String(), target
	p.stop, p.served = stop, make(chan error, 1)
	p.mu.Unlock()
	s := listen.Server(p)
	s.ErrorLog = log.New(io.Discard, "", 0)
	s.Protocols = new(http.Protocols)
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	s.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: connections}
	go func() {
		err := listen.Serve(serve, l, s, closeGrace)
		p.settle()
		p.served <- err
		one.CloseIdleConnections()
		two.CloseIdleConnections()
	}()
	return nil
}

// transport makes connections to the target and no other, in HTTP/1.1 or 2.
func (p *Proxy) transport(target confine.Target, two bool) *http.Transport {
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, dialTimeout)
			defer cancel()
			return target.DialContext(ctx, network, address)
		},
		DisableCompression:  true,
		MaxIdleConns:        connections,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: dialTimeout,
		TLSClientConfig:     p.o.TLS,
		Protocols:           new(http.Protocols),
	}
	switch {
	case !two:
		t.Protocols.SetHTTP1(true)
	case p.upstream.Scheme == "https":
		t.Protocols.SetHTTP1(true)
		t.Protocols.SetHTTP2(true)
	default:
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	return t
}

// speaks tells whether the upstream answers in a transport's protocol.
func (p *Proxy) speaks(ctx context.Context, t *http.Transport) bool {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	return p.ask(ctx, t) == nil
}

// ask makes a request that changes nothing.
func (p *Proxy) ask(ctx context.Context, t *http.Transport) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.target(&url.URL{Path: "/v1/models"}).String(), nil)
	if err != nil {
		return err
	}
	resp, err := t.RoundTrip(r)
	if err != nil {
		return err
	}
	io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	return resp.Body.Close()
}

// Close removes a fault that is still applied and ends the service: what is on
// its way has two seconds.
func (p *Proxy) Close(ctx context.Context) error {
	p.mu.Lock()
	if p.fault != nil {
		p.fault.end(p.clock.Now())
	}
	stop, served := p.stop, p.served
	p.stop, p.started = nil, false
	p.mu.Unlock()
	if stop == nil {
		return nil
	}
	stop()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
