package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Remote is the apparatus where the proxy runs in a process of its own, whose
// Control it leads. When this process ends, the proxy goes on to serve, and
// the fault ends with its lease.
type Remote struct {
	base   *url.URL
	token  string
	scorer driver.Scorer
	http   *http.Client
	sink   func(driver.Exchange)

	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	clock   driver.Clock
	spacing float64
	fault   driver.Fault
	taken   uint64
	broken  error // of the ledger
	sum     world.Applied
	last    world.Applied
}

var _ driver.Ledger = (*Remote)(nil)

// NewRemote makes the apparatus for a proxy whose Control listens at base, a
// URL such as http://127.0.0.1:9470. allow lets a proxy outside of the
// confined ranges through (FD-7-1).
func NewRemote(ctx context.Context, base, token string, scorer driver.Scorer, allow bool) (*Remote, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return nil, fmt.Errorf("%q is no address of a proxy's control; write it as http://127.0.0.1:9470", base)
	}
	target, err := confine.Pin(ctx, net.DefaultResolver, u.Host, allow)
	if err != nil {
		return nil, err
	}
	return &Remote{base: u, token: token, scorer: scorer, http: &http.Client{
		Transport:     &http.Transport{DialContext: target.DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Tell names the sink of the ledger. It is called before Start.
func (r *Remote) Tell(sink func(driver.Exchange)) { r.sink = sink }

// SetSpacing tells the mean time between requests in nanoseconds.
func (r *Remote) SetSpacing(ns float64) {
	r.mu.Lock()
	r.spacing = ns
	r.mu.Unlock()
}

// Start removes a fault that a run left behind and begins to follow the
// ledger.
func (r *Remote) Start(ctx context.Context, c driver.Clock) error {
	if _, err := r.call(ctx, http.MethodPost, "/remove", nil); err != nil {
		return err
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	resp, err := r.do(follow, http.MethodGet, "/exchanges", nil)
	if err != nil {
		stop()
		return err
	}
	if resp.StatusCode != http.StatusOK {
		stop()
		resp.Body.Close()
		return fmt.Errorf("the proxy's control at %s answers %s", r.base.Host, resp.Status)
	}
	r.mu.Lock()
	r.clock, r.stop, r.done = c, stop, make(chan struct{})
	r.mu.Unlock()
	go r.follow(resp.Body)
	return nil
}

// follow takes the ledger in.
func (r *Remote) follow(body io.ReadCloser) {
	defer close(r.done)
	defer body.Close()
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		var l wireExchange
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			r.mu.Lock()
			r.broken = fmt.Errorf("the ledger of the proxy ended: %w", err)
			r.mu.Unlock()
			return
		}
		if l.Same {
			l.After = l.Before
		}
		r.take(&l)
	}
}

func (r *Remote) take(l *wireExchange) {
	r.mu.Lock()
	e := driver.Exchange{Key: l.Key, Start: r.at(l.Start), End: r.at(l.End), Status: l.Status, Before: l.Before, After: l.After, Picked: l.Picked, Failed: l.Failed}
	verifies := l.Verifies != "" && l.Verifies == r.fault.Trial
	counts := verifies && !l.Failed && l.Status == http.StatusOK
	indicator := r.fault.Indicator
	r.mu.Unlock()
	var before, after int32
	if counts && r.scorer != nil {
		before = r.scorer(l.Prompt, l.Before)[indicator]
		if after = before; !l.Same {
			after = r.scorer(l.Prompt, l.After)[indicator]
		}
	}
	if r.sink != nil {
		r.sink(e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken++
	switch {
	case counts:
		r.sum.N++
		r.sum.Before += int64(before)
		r.sum.Injected += int64(after)
	case verifies:
		r.sum.Lost++
	}
}

func (r *Remote) at(wall int64) int64 { return r.clock.At(time.Unix(0, wall)) }

// Apply makes a fault effective; the onset is the proxy's own stamp.
func (r *Remote) Apply(ctx context.Context, f driver.Fault) (int64, error) {
	r.mu.Lock()
	before, sum, spacing := r.fault, r.sum, r.spacing
	r.fault, r.sum = f, world.Applied{}
	r.mu.Unlock()
	a, err := r.call(ctx, http.MethodPost, "/apply", wireFault{Class: f.Class, Fraction: f.Fraction, Profile: f.Profile, Verify: f.Verify,
		Indicator: f.Indicator, Magnitude: f.Magnitude, Trial: f.Trial, Spacing: spacing})
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.fault, r.sum = before, sum
		return 0, err
	}
	return r.at(a.At), nil
}

// Renew extends the lease.
func (r *Remote) Renew(ctx context.Context) error {
	_, err := r.call(ctx, http.MethodPost, "/renew", nil)
	return err
}

// Remove takes the fault away.
func (r *Remote) Remove(ctx context.Context) (int64, error) {
	a, err := r.call(ctx, http.MethodPost, "/remove", nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return r.at(a.At), nil
}

// Applied tells what became of the last fault, as far as the ledger was
// followed. It is broken where the ledger broke off, and not complete where a
// part of it was lost.
func (r *Remote) Applied() world.Applied {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	a, err := r.call(ctx, http.MethodGet, "/state", nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.sum
	if err != nil || a.Applied == nil {
		out.FirstAffected, out.From, out.To = r.last.FirstAffected, r.last.From, r.last.To
		return out
	}
	s := a.Applied
	out.FirstAffected, out.From, out.To = -1, r.at(s.From), r.at(s.To)
	if s.First > 0 {
		out.FirstAffected = r.at(s.First)
	}
	if out.Broken = s.Broken; out.Broken == "" && r.broken != nil {
		out.Broken = r.broken.Error()
	}
	out.Complete = s.Complete && s.Lost == 0 && r.broken == nil && r.taken >= s.Sent
	r.last = out
	return out
}

// Configuration is that of the proxy.
func (r *Remote) Configuration(ctx context.Context) (string, error) {
	a, err := r.call(ctx, http.MethodGet, "/state", nil)
	return a.Configuration, err
}

// Check looks for what would spoil a series, here and at the proxy.
func (r *Remote) Check(ctx context.Context) []driver.Problem {
	a, err := r.call(ctx, http.MethodGet, "/check", nil)
	if err != nil {
		return []driver.Problem{{Part: "apparatus", What: err.Error(), Remedy: "start the proxy, and give its control's address and token"}}
	}
	return a.Problems
}

// Close removes a fault that is still applied and leaves the proxy running.
func (r *Remote) Close(ctx context.Context) error {
	_, err := r.call(ctx, http.MethodPost, "/remove", nil)
	r.mu.Lock()
	stop, done := r.stop, r.done
	r.stop = nil
	r.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
	r.http.CloseIdleConnections()
	return err
}

func (r *Remote) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, r.base.JoinPath(path).String(), bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	resp, err := r.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the proxy's control at %s does not answer: %w", r.base.Host, errors.Unwrap(err))
	}
	return resp, nil
}

// call makes one call; an answer comes with an error too where there is one.
func (r *Remote) call(ctx context.Context, method, path string, body any) (wireAnswer, error) {
	var a wireAnswer
	resp, err := r.do(ctx, method, path, body)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized {
		return a, fmt.Errorf("the proxy's control at %s does not take the token", r.base.Host)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&a); err != nil {
		return a, fmt.Errorf("the proxy's control at %s answers %s with what is not its own: %w", r.base.Host, resp.Status, err)
	}
	if e := named[a.Code]; e != nil {
		return a, e
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}
