package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// Check looks for what would spoil a series: a listen address that cannot be
// had, and an upstream that is outside of the test environment, does not
// answer, does not speak HTTP or is the proxy itself.
func (p *Proxy) Check(ctx context.Context) []driver.Problem {
	var out []driver.Problem
	found := func(rule, what, remedy string) {
		out = append(out, driver.Problem{Rule: rule, Part: "apparatus", What: what, Remedy: remedy})
	}
	at := p.Address()
	if at == "" {
		l, err := listen.Listen(listen.Options{Address: p.o.Apparatus.Proxy.Listen, Remote: p.o.Remote})
		var open *listen.NotLoopbackError
		switch {
		case errors.As(err, &open):
			found("FD-7-1", err.Error(), "let the proxy listen at 127.0.0.1")
		case err != nil:
			found("", "the proxy "+err.Error(), "end the program that uses the port, or give the apparatus another")
		default:
			at = l.Addr().String()
			l.Close()
		}
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	target, err := confine.Pin(ctx, p.o.Resolver, confine.HostPort(p.upstream), p.o.Allow)
	var outside *confine.OutsideError
	switch {
	case errors.As(err, &outside):
		found("FD-7-1", err.Error(), "use a deployment of the test environment")
		return out
	case err != nil:
		found("", fmt.Sprintf("the upstream %s has no address: %v", p.o.Apparatus.Proxy.Upstream, err), "correct the upstream of the apparatus")
		return out
	}
	if target.Addr.String() == at {
		found("", "the upstream of the proxy is the proxy itself", "give it the address of the deployment")
		return out
	}
	c, err := target.DialContext(ctx, "tcp", confine.HostPort(p.upstream))
	if err != nil {
		found("", fmt.Sprintf("nothing answers at the upstream %s: %v", p.o.Apparatus.Proxy.Upstream, err), "start the deployment, or correct the upstream of the apparatus")
		return out
	}
	c.Close()
	t := p.transport(target, p.upstream.Scheme == "https")
	defer t.CloseIdleConnections()
	if err := p.ask(ctx, t); err != nil {
		what := "does not speak HTTP"
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
			what = "takes a connection and does not answer"
		}
		found("", fmt.Sprintf("the upstream %s %s: %v", p.o.Apparatus.Proxy.Upstream, what, err), "correct the scheme, host and port of the upstream")
	}
	return out
}
