package execute

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/apparatus/proxy"
	"github.com/fdbench/fdbench/runtime/detector/command"
	"github.com/fdbench/fdbench/runtime/detector/poll"
	"github.com/fdbench/fdbench/runtime/detector/prometheus"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/lease"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// drivers makes the drivers that a plan names.
func (l *Live) drivers(ctx context.Context, p *plan.Plan, dir string) (*live.Drivers, error) {
	a, err := l.apparatus(ctx, p, dir)
	if err != nil {
		return nil, fmt.Errorf("apparatus.%s: %w", p.Declaration.Apparatus.Name, err)
	}
	d, err := l.detector(p)
	if err != nil {
		return nil, err // it names the detector
	}
	return &live.Drivers{Apparatus: a, Detector: d}, nil
}

// apparatus makes the one of the plan. dir is where the record of a fault that
// has to outlive this process lies.
func (l *Live) apparatus(ctx context.Context, p *plan.Plan, dir string) (driver.Apparatus, error) {
	a := p.Declaration.Apparatus
	switch a.Kind {
	case "proxy":
		score, err := live.Scorer(p)
		if err != nil {
			return nil, err
		}
		upstream, err := hostport(a.Proxy.Upstream)
		if err != nil {
			return nil, err
		}
		return made[driver.Apparatus](proxy.New(proxy.Options{Apparatus: a, Scorer: score, Allow: l.allowed(upstream), Remote: remote(a.Proxy.Listen), Resolver: l.resolver()}))
	case "http", "command":
		return made[driver.Apparatus](lease.New(ctx, a, lease.Options{Record: filepath.Join(dir, lease.RecordName), Watchdog: l.Watchdog, Dir: l.Scenario, Allow: l.Allow}))
	}
	return nil, fmt.Errorf("there is no driver for an apparatus of kind %q in real time", a.Kind)
}

// made is a driver, or the reason why there is none: a nil pointer to one would
// pass for a driver.
func made[D any](d D, err error) (D, error) {
	if err != nil {
		var none D
		return none, err
	}
	return d, nil
}

func (l *Live) detector(p *plan.Plan) (driver.Detector, error) {
	d := &p.Declaration.Detector
	if d.Live == nil {
		return nil, fmt.Errorf("detector.%s: a detector of kind %q does not run by itself", d.Name, d.Kind)
	}
	o := webhook.Options{Remote: d.Live.Listen != "" && remote(d.Live.Listen)}
	o.Fetch.Resolver, o.Fetch.Allow = l.resolver(), l.allowed
	switch d.Kind {
	case "prometheus":
		return made[driver.Detector](prometheus.New(d, prometheus.Options{Options: o, Attribution: p.Declaration.Signal.Attribution}))
	case "webhook":
		return made[driver.Detector](webhook.New(d, o))
	case "poll":
		return made[driver.Detector](poll.New(d, o.Fetch))
	case "command":
		return made[driver.Detector](command.New(d, command.Options{Dir: l.Scenario, Fetch: o.Fetch}))
	}
	return nil, fmt.Errorf("detector.%s: there is no driver for a detector of kind %q in real time", d.Name, d.Kind)
}

// remote tells whether an address to listen at is not loopback. The compiler
// lets such a one through only where it is private and has a token.
func remote(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && !ip.Unmap().IsLoopback()
}
