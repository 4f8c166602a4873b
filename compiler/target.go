package compiler

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/confine"
)

// confinement is the rule on where requests may go.
const confinement = "FD-7-1"

// anyName stands in for a resolver: a name is resolved when a run begins, and
// never when a scenario is compiled.
type anyName struct{}

func (anyName) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// target reads an address to which the harness sends requests. It is "" where
// that failed, or where the argument is absent.
func (d *decoder) target(name string) string {
	text := d.text(name)
	if !d.given(name) || !d.usable(name) {
		return ""
	}
	return d.targetOf(name, strings.TrimSpace(text))
}

// targetOf is target for a text that stands at the argument.
func (d *decoder) targetOf(name, text string) string {
	u, err := url.Parse(text)
	const write = "Write it in full: \"http://127.0.0.1:8000\"."
	switch {
	case err != nil || u.Scheme == "" || u.Host == "" || u.Opaque != "":
		d.unusable(name, fmt.Sprintf("%q is not the address of a server. %s", text, write))
	case u.Scheme != "http" && u.Scheme != "https":
		d.unusable(name, fmt.Sprintf("%q begins with %s://, and a request goes by http or https. %s", text, u.Scheme, write))
	case u.User != nil:
		d.secret(name, "A name or a password stands in the address.")
	case u.Fragment != "":
		d.unusable(name, "What stands behind # is never sent. Leave it out.")
	case !goodPort(u.Port(), u.Host):
		d.unusable(name, fmt.Sprintf("%q has no port from 1 to 65535. %s", text, write))
	case secretQuery(u):
		d.secret(name, "A key stands in the query of the address.")
	default:
		if d.confined(name, u.Hostname()) {
			return u.String()
		}
	}
	return ""
}

// unusable refuses a value of an address under the language's own id, whatever
// the argument serves: it says nothing of a requirement that a text is no URL.
func (d *decoder) unusable(name, detail string) {
	d.c.errorAt(d.at(name), "LANG-address", "Address that cannot be used", detail)
	d.fail(name)
}

func goodPort(port, host string) bool {
	if port == "" {
		return !strings.HasSuffix(host, ":")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func secretQuery(u *url.URL) bool {
	for key, values := range u.Query() {
		if secretName(key) || slices.ContainsFunc(values, looksSecret) {
			return true
		}
	}
	return false
}

// confined holds a host against the ranges of a test environment, as far as it
// is written as an address.
func (d *decoder) confined(name, host string) bool {
	_, err := confine.Resolve(context.Background(), anyName{}, host)
	var outside *confine.OutsideError
	switch {
	case err == nil:
		return true
	case errors.As(err, &outside) && slices.Contains(d.c.options.AllowTargets, host):
		r := d.at(name)
		d.c.diags.Add(diag.Diagnostic{Severity: diag.Note, Rule: confinement, Summary: "Target let through", Subject: &r,
			Detail: fmt.Sprintf("%s lies outside the ranges of a test environment. The command line lets it through, and the report says so.", host)})
		return true
	case errors.As(err, &outside):
		d.c.errorAt(d.at(name), confinement, "Target outside of a test environment",
			fmt.Sprintf("%s lies outside the ranges of a test environment (loopback, RFC 1918, RFC 4193, 198.18.0.0/15, 2001:db8::/32). Use an address in one of them. Whoever runs the scenario can let it through with --allow-target %s, which the report then says.", host, host))
	default:
		reason := err.Error()
		var bad *confine.HostError
		if errors.As(err, &bad) {
			reason = bad.Reason
		}
		d.c.errorAt(d.at(name), confinement, "Host that is not clear", fmt.Sprintf("%q: %s", host, sentence(reason)))
	}
	d.fail(name)
	return false
}

// listen reads an address at which the harness listens. secured tells whether
// whoever connects needs a token.
func (d *decoder) listen(name string, secured bool) string {
	text := d.text(name)
	if !d.given(name) || !d.usable(name) {
		return ""
	}
	host, port, err := net.SplitHostPort(text)
	const write = "Write HOST:PORT: \"127.0.0.1:9105\"."
	if err != nil {
		d.unusable(name, fmt.Sprintf("%q is no address to listen at. %s", text, write))
		return ""
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		d.unusable(name, fmt.Sprintf("%q has no port from 1 to 65535, and others have to know where to connect. %s", text, write))
		return ""
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		d.unusable(name, fmt.Sprintf("%q is no IP address of this machine. %s", host, write))
		return ""
	}
	where, inside := confine.Check(ip)
	switch {
	case ip.Unmap().IsLoopback():
	case !inside:
		d.c.errorAt(d.at(name), confinement, "Listener for everybody",
			fmt.Sprintf("Whoever reaches %s could take part in the benchmark. Listen on loopback (127.0.0.1), or on a private address of this machine.", host))
		d.fail(name)
		return ""
	case !secured:
		d.c.errorAt(d.at(name), confinement, "Listener for others",
			fmt.Sprintf("Others can reach %s (%s), and no token is asked of them. Listen on 127.0.0.1, or write token_env with the name of the variable that holds one.", host, where))
		d.fail(name)
		return ""
	}
	return net.JoinHostPort(host, port)
}

// hostPort reads the address of a service that is not spoken to in HTTP.
func (d *decoder) hostPort(name string) string {
	text := d.text(name)
	if !d.given(name) || !d.usable(name) {
		return ""
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil || host == "" || port == "" || !goodPort(port, text) {
		d.unusable(name, fmt.Sprintf("%q is no address. Write HOST:PORT, such as \"10.0.0.7:9110\".", text))
		return ""
	}
	if !d.confined(name, host) {
		return ""
	}
	return net.JoinHostPort(host, port)
}
