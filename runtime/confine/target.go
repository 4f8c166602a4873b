package confine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// Target is a host and port with the one address that was checked.
type Target struct {
	Host    string
	Addr    netip.AddrPort
	Range   string // the confined range that the address lies in; "" where it is Allowed
	Allowed bool   // outside, and let through

	// Other is an address of the same host that is tried where nothing listens
	// at Addr. Only a loopback name has one: localhost is 127.0.0.1 and ::1, and
	// most programs listen at one of them.
	Other netip.AddrPort
}

// Pin resolves "host:port" once and keeps the first address. allow lets a host
// outside the confined ranges through, and the Target says so. The errors are
// those of Resolve.
func Pin(ctx context.Context, r Resolver, hostport string, allow bool) (Target, error) {
	host, service, err := net.SplitHostPort(hostport)
	if err != nil {
		return Target{}, &HostError{hostport, "it is not of the form host:port"}
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil || port == 0 {
		return Target{}, &HostError{hostport, fmt.Sprintf("%q is no port; write a number from 1 to 65535", service)}
	}
	addrs, err := Resolve(ctx, r, host)
	var outside *OutsideError
	if errors.As(err, &outside) && allow {
		return Target{Host: host, Addr: netip.AddrPortFrom(outside.Addr, uint16(port)), Allowed: true}, nil
	}
	if err != nil {
		return Target{}, err
	}
	name, _ := Check(addrs[0])
	t := Target{Host: host, Addr: netip.AddrPortFrom(addrs[0], uint16(port)), Range: name}
	if i := slices.IndexFunc(addrs, func(a netip.Addr) bool { return a.Is4() != addrs[0].Is4() }); i > 0 && addrs[0].IsLoopback() && addrs[i].IsLoopback() {
		t.Other = netip.AddrPortFrom(addrs[i], uint16(port))
	}
	return t, nil
}

// DialContext connects to the pinned address, for the target's own host and
// port and for nothing else: a redirect to another host ends here. It fits
// into http.Transport.
func (t Target) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host != t.Host || port != strconv.Itoa(int(t.Addr.Port())) {
		return nil, &HostError{address, fmt.Sprintf("the harness talks to %s alone", net.JoinHostPort(t.Host, strconv.Itoa(int(t.Addr.Port()))))}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, t.Addr.String())
	if err != nil && t.Other.IsValid() && ctx.Err() == nil {
		if conn, err := d.DialContext(ctx, network, t.Other.String()); err == nil {
			return conn, nil
		}
	}
	return conn, err
}
