package tap

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/random"
)

// Exporter is a tap. Make it with New, and run it with Run, or with Start and
// Close.
type Exporter struct {
	o       Options
	chances []chance
	began   time.Time
	ordinal atomic.Uint64
	memory  budget
	queue   queue
	tally   *tally
	forward *forwarder // nil where there is a log
	pusher  *pusher    // nil without OTLP
	warner  warner

	proxyAddr, metricsAddr net.Addr

	failed chan error // a server or the log ended by itself
	quit   []func()   // ends what runs, in this order, and waits for it
	once   sync.Once
}

// New makes a tap that does not run yet. It looks its targets up: addresses
// outside the ranges of a test environment are refused (FD-7-1).
func New(ctx context.Context, o Options) (*Exporter, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	e := &Exporter{o: o, began: o.now(), tally: newTally(&o), failed: make(chan error, 4)}
	e.memory.max = o.Memory
	e.queue.jobs = make(chan *job, o.Queue)
	e.warner.to, e.warner.now = o.Warn, o.now
	for _, ind := range o.Indicators {
		r := ind.Sampling.Rat()
		e.chances = append(e.chances, chance{ind.Sampling.IsInt(), random.ChanceOf(r)})
	}
	if o.Upstream != "" {
		u, target, err := pin(ctx, o.Upstream, o.AllowTargets, "http", "https", "h2c")
		if err != nil {
			return nil, err
		}
		if u.Path != "" && u.Path != "/" || u.RawQuery != "" {
			return nil, optionError("the upstream %s has a path: leave it away, a request goes to the path that it has", o.Upstream)
		}
		e.forward = newForwarder(e, u, target)
	}
	if o.OTLP != nil {
		p, err := newPusher(ctx, e, *o.OTLP)
		if err != nil {
			return nil, err
		}
		e.pusher = p
	}
	return e, nil
}

// pin reads a URL and resolves its host, once.
func pin(ctx context.Context, text string, allow bool, schemes ...string) (*url.URL, confine.Target, error) {
	u, err := url.Parse(text)
	if err != nil {
		// The error of url.Parse repeats the text, which may hold a password.
		return nil, confine.Target{}, optionError("the URL of the target cannot be read; write one such as http://127.0.0.1:8001")
	}
	known := false
	for _, s := range schemes {
		known = known || u.Scheme == s
	}
	switch {
	case !known || u.Hostname() == "":
		return nil, confine.Target{}, optionError("%q is no URL of a target; write one such as http://127.0.0.1:8001", u.Redacted())
	case u.User != nil:
		return nil, confine.Target{}, optionError("%q holds a user: credentials do not belong into a URL", u.Redacted())
	}
	t, err := confine.Pin(ctx, net.DefaultResolver, confine.HostPort(u), allow)
	return u, t, err
}

// Start opens the listeners and begins. The tap runs until Close.
func (e *Exporter) Start() error {
	var proxy net.Listener
	metrics, err := listen.Listen(e.o.Metrics)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	if e.forward != nil {
		if proxy, err = listen.Listen(e.o.Proxy); err != nil {
			metrics.Close()
			return fmt.Errorf("proxy: %w", err)
		}
		e.proxyAddr = proxy.Addr()
		for _, l := range []net.Listener{proxy, metrics} {
			if leadsTo(e.forward.target, l.Addr()) {
				metrics.Close()
				proxy.Close()
				return optionError("the upstream %s is the tap itself, which listens there: name the deployment that it stands before", e.o.Upstream)
			}
		}
	}
	log := e.drain
	if e.o.Log != "" {
		f, err := e.follower()
		if err != nil {
			metrics.Close()
			return err
		}
		log = f.run
	}
	e.metricsAddr = metrics.Addr()

	var scoring sync.WaitGroup
	for range workers {
		scoring.Go(e.work)
	}
	if proxy != nil {
		s := listen.Server(e.forward)
		s.Protocols = new(http.Protocols)
		s.Protocols.SetHTTP1(true)
		s.Protocols.SetUnencryptedHTTP2(true)
		e.begin(func(ctx context.Context) error { return listen.Serve(ctx, proxy, s, e.o.Grace) })
		e.quit = append(e.quit, e.forward.base.CloseIdleConnections)
	} else {
		e.begin(log)
	}
	e.quit = append(e.quit, func() { e.queue.close(); scoring.Wait() })
	if e.pusher != nil {
		e.pusher.start()
		e.quit = append(e.quit, e.pusher.stop)
	}
	e.begin(func(ctx context.Context) error {
		return listen.Serve(ctx, metrics, listen.Server(e.Metrics()), time.Second)
	})
	return nil
}

// leadsTo tells whether a target is a listener of this process.
func leadsTo(t confine.Target, at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || int(t.Addr.Port()) != tcp.Port {
		return false
	}
	own := tcp.AddrPort().Addr().Unmap()
	return t.Addr.Addr() == own || t.Other.Addr() == own || own.IsUnspecified() && t.Addr.Addr().IsLoopback()
}

// begin runs f until Close.
func (e *Exporter) begin(f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f(ctx); err != nil && ctx.Err() == nil {
			e.failed <- err
		}
	}()
	e.quit = append(e.quit, func() { cancel(); <-done })
}

// Close lets requests end, scores what waits, pushes it, and ends the tap. It
// may take Options.Grace and some seconds. Calling it again does nothing.
func (e *Exporter) Close() {
	e.once.Do(func() {
		for _, f := range e.quit {
			f()
		}
	})
}

// Run runs the tap until ctx ends, or something that it needs does, which is an
// error. ready is called once the listeners are open.
func (e *Exporter) Run(ctx context.Context, ready func()) error {
	if err := e.Start(); err != nil {
		return err
	}
	defer e.Close()
	if ready != nil {
		ready()
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-e.failed:
		return err
	}
}

// ProxyAddr is where requests come in, "127.0.0.1:41234"; "" before Start and
// for a log.
func (e *Exporter) ProxyAddr() string { return address(e.proxyAddr) }

// MetricsAddr is where /metrics is; "" before Start.
func (e *Exporter) MetricsAddr() string { return address(e.metricsAddr) }

func address(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// Proxy is the reverse proxy as a handler, nil for a log. Its responses are
// scored while the tap runs.
func (e *Exporter) Proxy() http.Handler {
	if e.forward == nil {
		return nil
	}
	return e.forward
}

// Snapshot is the state of the counters.
func (e *Exporter) Snapshot() Snapshot { return e.tally.snapshot() }

func (e *Exporter) warn(kind, message string) { e.warner.say(kind, message) }

// quietFor is the shortest time between two warnings of a kind.
const quietFor = 10 * time.Second

// warner says each kind of thing seldom, with how often it was left unsaid.
type warner struct {
	to   func(string)
	now  func() time.Time
	mu   sync.Mutex
	kind map[string]*warned
}

type warned struct {
	at     time.Time
	unsaid int
}

func (w *warner) say(kind, message string) {
	if w.to == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	k := w.kind[kind]
	if k == nil {
		if w.kind == nil {
			w.kind = map[string]*warned{}
		}
		k = &warned{at: now.Add(-quietFor)}
		w.kind[kind] = k
	}
	if now.Sub(k.at) < quietFor {
		k.unsaid++
		return
	}
	if k.unsaid > 0 {
		message += fmt.Sprintf(" (and %d times since this was said last)", k.unsaid)
	}
	k.at, k.unsaid = now, 0
	w.to(message)
}
