package proxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// Errors of the apparatus.
var (
	ErrApplied  = errors.New("a fault is already applied, or responses of it are on their way (methodology 4.4)")
	ErrExpired  = errors.New("the fault ended by itself, since it was not renewed within its lease")
	ErrNoFault  = errors.New("no fault is applied")
	ErrNotBegun = errors.New("the proxy was not started")
)

// application is one application of a fault. Its figures are guarded by the
// proxy's lock.
type application struct {
	spec    driver.Fault
	change  *changer
	picker  injection.Picker
	ended   bool // for requests that start from now on
	expired bool // by its lease
	lease   *time.Timer

	first    int64 // first changed byte, -1: none yet
	pending  int64 // requests of the window that are not answered yet
	altered  int64 // picked requests that are on their way
	n        int64
	before   int64
	injected int64
	lost     int64
}

// end ends the fault for requests that start from now on. The lock is held.
func (a *application) end(now int64) {
	if !a.ended {
		a.ended = true
		a.lease.Stop()
		a.picker.Cut(now)
	}
}

// Apply makes a fault effective for requests that start from now on. The onset
// that it returns is the instant at which it did so.
func (p *Proxy) Apply(_ context.Context, f driver.Fault) (int64, error) {
	change, err := newChanger(f.Class)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return 0, ErrNotBegun
	}
	if a := p.fault; a != nil && (!a.ended || a.pending > 0 || a.altered > 0) {
		return 0, ErrApplied
	}
	a := &application{spec: f, change: change, first: -1}
	now := p.clock.Now()
	a.picker = injection.Begin(injection.Settings{Onset: now, Profile: f.Profile, Fraction: f.Fraction, Verify: f.Verify,
		Quota: p.o.Apparatus.Sampling == "quota", Block: int64(p.o.Apparatus.Block), Spacing: p.spacing(),
		Stream: random.New("proxy", f.Trial, "pick")})
	a.lease = time.AfterFunc(p.leaseTime(), func() { p.expire(a) })
	p.fault = a
	return now, nil
}

// expire ends a fault that was not renewed.
func (p *Proxy) expire(a *application) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !a.ended {
		a.end(p.clock.Now())
		a.expired = true
	}
}

// Renew extends the lease. ErrExpired tells that it was too late.
func (p *Proxy) Renew(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.fault
	switch {
	case a == nil || a.ended && !a.expired:
		return ErrNoFault
	case a.expired:
		return ErrExpired
	}
	if !a.lease.Reset(p.leaseTime()) {
		a.end(p.clock.Now())
		a.expired = true
		return ErrExpired
	}
	return nil
}

// Remove takes the fault away for requests that start from now on; those that
// were picked before keep their change. The lock that every request takes at
// its start makes the removal certain when it returns. That a fault had ended
// by itself before stands in Applied.
func (p *Proxy) Remove(context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	if p.fault != nil {
		p.fault.end(now)
	}
	return now, nil
}

// Applied tells what became of the fault that was applied last. The figures of
// the observation point are not the proxy's to know.
func (p *Proxy) Applied() world.Applied {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.fault
	if a == nil {
		return world.Applied{FirstAffected: -1}
	}
	from, to := a.picker.Window()
	out := world.Applied{FirstAffected: a.first, From: from, To: to, N: a.n, Before: a.before, Injected: a.injected, Lost: a.lost,
		Complete: a.ended && a.pending == 0 && a.altered == 0 && p.clock.Now() >= to}
	if a.expired {
		out.Broken = ErrExpired.Error()
	}
	return out
}

// Configuration is the sha256 of the deployment that the proxy leads to and of
// the fault that is applied.
func (p *Proxy) Configuration(context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := struct {
		Upstream string
		Class    any
		Fraction string
		Profile  any
	}{Upstream: p.o.Apparatus.Proxy.Upstream}
	if a := p.fault; a != nil && !a.ended {
		state.Class, state.Fraction, state.Profile = a.spec.Class, a.spec.Fraction.String(), a.spec.Profile
	}
	b, err := json.Marshal(state)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
