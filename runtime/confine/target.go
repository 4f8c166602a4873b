package confine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// Target is a host and port with the one address that was checked.
type Target struct {
	Host    string
	Addr    netip.AddrPort
	Range   string // the confined range that the address lies in; "" where it is Allowed
	Allowed bool   // outside, and let through
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
	return Target{Host: host, Addr: netip.AddrPortFrom(addrs[0], uint16(port)), Range: name}, nil
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
	return d.DialContext(ctx, network, t.Addr.String())
}
