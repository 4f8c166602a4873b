package confine

import (
	"net"
	"net/url"
)

// Port is the port that a URL leads to: its own, or 443 for https and 80 for
// any other scheme.
func Port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// HostPort is the host and the port that a URL leads to, as [Pin] takes them.
func HostPort(u *url.URL) string { return net.JoinHostPort(u.Hostname(), Port(u)) }
