package confine

import "net/netip"

// ranges are the networks that cannot be somebody else's production: RFC 6815
// forbids to benchmark against that. Link-local addresses are not among them,
// since the metadata service of a cloud host answers on one; neither are the
// carrier's shared range 100.64.0.0/10, in which others' machines answer, and
// the forms of IPv6 that carry an IPv4 address to a gateway.
var ranges = []struct {
	prefix netip.Prefix
	name   string
}{
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private (RFC 1918)"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private (RFC 1918)"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private (RFC 1918)"},
	{netip.MustParsePrefix("fc00::/7"), "private (RFC 4193)"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking (RFC 2544)"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation (RFC 3849)"},
}

// Check tells whether an address lies in a confined range, and in which. An
// IPv4 address inside of an IPv6 one counts as itself. An address with a zone
// is none: what it means depends on the machine. 0.0.0.0 and :: are none
// either: they stand for no address, and where a connection to them leads
// depends on the system.
func Check(addr netip.Addr) (name string, ok bool) {
	if addr.Zone() != "" {
		return "", false
	}
	addr = addr.Unmap()
	for _, r := range ranges {
		if r.prefix.Contains(addr) {
			return r.name, true
		}
	}
	return "", false
}
