package clockprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// DefaultProbes is how many probes make a measurement.
const DefaultProbes = 8

// probeTime is the longest that one probe may take. A slow one would be of no
// use.
const probeTime = 2 * time.Second

// Prober probes one responder. It keeps its connection, so that only the first
// probe pays for it.
type Prober struct {
	clock  driver.Clock
	anchor int64 // of the clock, since 1970
	url    string
	token  string
	client *http.Client
	target world.Target
}

// NewProber makes a prober of the responder at HOST:PORT. The clock is the one
// that onsets are stamped by. allow lets a host outside the confined ranges
// through (FD-7-1).
func NewProber(ctx context.Context, c driver.Clock, hostport, token string, allow bool) (*Prober, error) {
	target, err := confine.Pin(ctx, net.DefaultResolver, hostport, allow)
	if err != nil {
		return nil, fmt.Errorf("clock responder: %w", err)
	}
	return &Prober{clock: c, anchor: c.Time(0).UnixNano(), token: token, url: (&url.URL{Scheme: "http", Host: hostport, Path: Path}).String(),
		target: world.Target{Name: "clocks.responder", Address: target.Addr.String(), Allowed: target.Allowed},
		client: &http.Client{Timeout: probeTime,
			Transport:     &http.Transport{DialContext: target.DialContext, Proxy: nil, MaxIdleConns: 1, DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// Target is the address that is probed.
func (p *Prober) Target() world.Target { return p.target }

// Close lets go of the connection.
func (p *Prober) Close() { p.client.CloseIdleConnections() }

// Measure makes n probes one after the other; of 0, DefaultProbes. Errors: none
// of them was answered.
func (p *Prober) Measure(ctx context.Context, n int) (Measurement, error) {
	if n == 0 {
		n = DefaultProbes
	}
	var m Measurement
	var last error
	for range n {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		s, host, err := p.probe(ctx)
		if err == nil && m.Host != "" && m.Host != host {
			err = fmt.Errorf("the responder at %s answers as %q and as %q; it stands for one host", p.target.Address, m.Host, host)
		}
		if err != nil {
			m.Lost++
			last = err
			continue
		}
		m.Host = host
		m.Samples = append(m.Samples, s)
	}
	m.At = p.clock.Now()
	if len(m.Samples) == 0 {
		return m, fmt.Errorf("FD-3.5-2: the offset between the clocks cannot be measured: %w", last)
	}
	return m, nil
}

// Probe measures the offset once, of DefaultProbes probes.
func (p *Prober) Probe(ctx context.Context) ([]world.Offset, error) {
	m, err := p.Measure(ctx, 0)
	if err != nil {
		return nil, err
	}
	r := m.Record(m.At, "")
	return []world.Offset{{Offset: r.Offset, Delay: r.Delay, Bound: r.Bound, Method: r.Method}}, nil
}

// probe makes one probe. The stamps of this side lie around the request itself
// and leave out what comes before and after it: the making of a connection, the
// reading of the answer.
func (p *Prober) probe(ctx context.Context) (Sample, string, error) {
	var t0, t3 atomic.Int64
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { t0.Store(p.anchor + p.clock.Now()) },
		GotFirstResponseByte: func() { t3.Store(p.anchor + p.clock.Now()) },
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, nil)
	if err != nil {
		return Sample{}, "", fmt.Errorf("the clock responder %s cannot be called", p.target.Address)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := p.client.Do(request)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return Sample{}, "", fmt.Errorf("the clock responder %s: %w", p.target.Address, err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, 4<<10))
	switch {
	case err != nil:
		return Sample{}, "", fmt.Errorf("the clock responder %s: %w", p.target.Address, err)
	case response.StatusCode == http.StatusUnauthorized:
		return Sample{}, "", fmt.Errorf("the clock responder %s does not take the token; give the one that it printed when it started", p.target.Address)
	}
	var a answer
	if response.StatusCode != http.StatusOK || json.Unmarshal(b, &a) != nil || a.Format != Format || a.Host == "" {
		return Sample{}, "", fmt.Errorf("what answers at %s is no clock responder of the format %s", p.target.Address, Format)
	}
	s := Sample{t0.Load(), a.T1, a.T2, t3.Load()}
	if err := s.Valid(); err != nil {
		return Sample{}, "", fmt.Errorf("the clock responder %s: %w", p.target.Address, err)
	}
	return s, a.Host, nil
}
