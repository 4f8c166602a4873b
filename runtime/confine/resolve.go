package confine

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
)

// Resolver looks a name up; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// OutsideError says that a host is not confined to a test environment.
type OutsideError struct {
	Host string
	Addr netip.Addr // the first address outside
}

func (e *OutsideError) Error() string {
	what := e.Host + " lies"
	if at := e.Addr.String(); at != e.Host {
		what = e.Host + " resolves to " + at + ", which lies"
	}
	return "FD-7-1: " + what + " outside the ranges of a test environment (loopback, RFC 1918, RFC 4193, 198.18.0.0/15, " +
		"2001:db8::/32); use an address in one of them, or let this target through on the command line"
}

// HostError says that a text names no host without doubt.
type HostError struct{ Host, Reason string }

func (e *HostError) Error() string { return fmt.Sprintf("FD-7-1: host %q: %s", e.Host, e.Reason) }

// Resolve gives the addresses of a host, all of which lie in confined ranges: a
// name that leads inside and outside is outside. IPv4 addresses come unmapped.
//
// Errors: *OutsideError together with the addresses, *HostError for a text that
// programs read in different ways, such as 127.1 or 0x7f000001, and those of
// the resolver.
func Resolve(ctx context.Context, r Resolver, host string) ([]netip.Addr, error) {
	addrs, err := lookup(ctx, r, host)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if _, ok := Check(a); !ok {
			return addrs, &OutsideError{host, a}
		}
	}
	return addrs, nil
}

func lookup(ctx context.Context, r Resolver, host string) ([]netip.Addr, error) {
	literal := host
	if len(host) > 1 && host[0] == '[' && host[len(host)-1] == ']' {
		literal = host[1 : len(host)-1]
	}
	if a, err := netip.ParseAddr(literal); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	switch {
	case literal != host || strings.Contains(host, ":"):
		return nil, &HostError{host, "it is no IPv6 address"}
	case host == "" || host == ".":
		return nil, &HostError{host, "it is empty"}
	case strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`/\@%#?[]`, r) || r > '~' }):
		return nil, &HostError{host, "it holds a character that no host name has; write it in its ASCII form"}
	case endsInNumber(host):
		return nil, &HostError{host, "programs differ in how they read such a number; write an IPv4 address as four decimal numbers, 127.0.0.1"}
	}
	addrs, err := r.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, &HostError{host, "it has no address"}
	}
	out := make([]netip.Addr, len(addrs))
	for i, a := range addrs {
		out[i] = a.Unmap()
	}
	return out, nil
}

// endsInNumber tells of a host that may be read as an IPv4 address in another
// notation: its last label is a decimal, octal or hexadecimal number, as the
// URL standard has it.
func endsInNumber(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}
