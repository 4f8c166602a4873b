package confine

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		addr, name string
	}{
		{"127.0.0.1", "loopback"}, {"127.255.255.255", "loopback"}, {"::1", "loopback"},
		{"10.0.0.0", "private (RFC 1918)"}, {"10.255.255.255", "private (RFC 1918)"},
		{"172.16.0.0", "private (RFC 1918)"}, {"172.31.255.255", "private (RFC 1918)"},
		{"192.168.0.1", "private (RFC 1918)"}, {"fc00::", "private (RFC 4193)"}, {"fdff:ffff::1", "private (RFC 4193)"},
		{"198.18.0.0", "benchmarking (RFC 2544)"}, {"198.19.255.255", "benchmarking (RFC 2544)"},
		{"2001:db8::1", "documentation (RFC 3849)"}, {"2001:db8:ffff:ffff::", "documentation (RFC 3849)"},
		{"::ffff:127.0.0.1", "loopback"}, {"::ffff:10.1.2.3", "private (RFC 1918)"}, {"::ffff:c612:1", "benchmarking (RFC 2544)"},
		// Next to a range, and what only looks like one.
		{"126.255.255.255", ""}, {"128.0.0.0", ""}, {"9.255.255.255", ""}, {"11.0.0.0", ""}, {"172.15.255.255", ""}, {"172.32.0.0", ""},
		{"192.167.255.255", ""}, {"192.169.0.0", ""}, {"198.17.255.255", ""}, {"198.20.0.0", ""},
		{"::", ""}, {"::2", ""}, {"0.0.0.0", ""}, {"fbff::1", ""}, {"fe00::1", ""}, {"2001:db7:ffff::", ""}, {"2001:db9::", ""},
		{"::ffff:0.0.0.0", ""}, {"::ffff:8.8.8.8", ""},
		{"169.254.169.254", ""}, {"fe80::1", ""}, {"fe80::1%eth0", ""}, {"::1%lo", ""}, {"fd00::1%eth0", ""}, {"::ffff:127.0.0.1%lo", ""},
		{"100.64.0.1", ""}, {"192.0.2.1", ""}, {"224.0.0.1", ""}, {"255.255.255.255", ""},
		{"::127.0.0.1", ""}, {"64:ff9b::7f00:1", ""}, {"2002:7f00:1::", ""}, {"8.8.8.8", ""},
	} {
		name, ok := Check(netip.MustParseAddr(c.addr))
		if name != c.name || ok != (c.name != "") {
			t.Errorf("%s: %q, %t, want %q", c.addr, name, ok, c.name)
		}
	}
	if _, ok := Check(netip.Addr{}); ok {
		t.Error("no address is confined")
	}
}

// names is a resolver with a list of answers for each name, one after the
// other.
type names map[string][][]string

func (n names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	answers, ok := n[host]
	if !ok || network != "ip" {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var out []netip.Addr
	for _, a := range answers[0] {
		out = append(out, netip.MustParseAddr(a))
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	return out, nil
}

func TestResolve(t *testing.T) {
	r := names{"lab": {{"10.0.0.7", "fd00::7"}}, "lab.": {{"10.0.0.7"}}, "localhost": {{"127.0.0.1", "::1"}}, "mapped": {{"::ffff:10.0.0.7"}},
		"both": {{"10.0.0.7", "8.8.8.8"}}, "behind": {{"fd00::7", "::ffff:8.8.8.8"}}, "none": {{}}, "1e100.net": {{"8.8.8.8"}}, "zone": {{"fe80::1%eth0"}}}
	for _, c := range []struct {
		host, want string // addresses, or the kind of the error
	}{
		{"127.0.0.1", "127.0.0.1"}, {"::1", "::1"}, {"[::1]", "::1"}, {"::ffff:127.0.0.1", "127.0.0.1"},
		{"lab", "10.0.0.7 fd00::7"}, {"lab.", "10.0.0.7"}, {"localhost", "127.0.0.1 ::1"}, {"mapped", "10.0.0.7"},
		{"8.8.8.8", "outside"}, {"both", "outside"}, {"behind", "outside"}, {"1e100.net", "outside"}, {"0.0.0.0", "outside"}, {"::", "outside"},
		{"fe80::1%eth0", "outside"}, {"zone", "outside"}, {"::1%lo", "outside"},
		{"2130706433", "host"}, {"0177.0.0.1", "host"}, {"127.1", "host"}, {"0x7f.1", "host"}, {"0x7f000001", "host"}, {"0x", "host"},
		{"127.0.0.1.", "host"}, {"127.0.0.01", "host"}, {"256.0.0.1", "host"}, {"lab.1", "host"}, {"lab.0X1f.", "host"},
		{"", "host"}, {".", "host"}, {"a b", "host"}, {"lab%00", "host"}, {"user@lab", "host"}, {"lab/x", "host"}, {"[lab]", "host"},
		{"::1::", "host"}, {"läb", "host"}, {"127。0。0。1", "host"}, {"none", "host"},
		{"unknown", "dns"},
	} {
		addrs, err := Resolve(context.Background(), r, c.host)
		var got []string
		for _, a := range addrs {
			got = append(got, a.String())
		}
		text := strings.Join(got, " ")
		var outside *OutsideError
		var host *HostError
		var dns *net.DNSError
		switch {
		case errors.As(err, &outside):
			text = "outside"
		case errors.As(err, &host):
			text = "host"
		case errors.As(err, &dns):
			text = "dns"
		case err != nil:
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("%q: %s, want %s", c.host, text, c.want)
		}
		if (c.want == "outside" || c.want == "host") && !strings.Contains(err.Error(), "FD-7-1") {
			t.Errorf("%q: the error names no row: %v", c.host, err)
		}
	}
}

func TestPin(t *testing.T) {
	r := names{"lab": {{"10.0.0.7"}}, "out": {{"10.0.0.7", "8.8.8.8"}}}
	for _, c := range []struct {
		host  string
		allow bool
		want  Target
		fails bool
	}{
		{"lab:8000", false, Target{"lab", netip.MustParseAddrPort("10.0.0.7:8000"), "private (RFC 1918)", false, netip.AddrPort{}}, false},
		{"lab:8000", true, Target{"lab", netip.MustParseAddrPort("10.0.0.7:8000"), "private (RFC 1918)", false, netip.AddrPort{}}, false},
		{"[::1]:80", false, Target{"::1", netip.MustParseAddrPort("[::1]:80"), "loopback", false, netip.AddrPort{}}, false},
		{"out:8000", true, Target{"out", netip.MustParseAddrPort("8.8.8.8:8000"), "", true, netip.AddrPort{}}, false},
		{"out:8000", false, Target{}, true},
		{"lab", false, Target{}, true}, {"lab:http", false, Target{}, true}, {"lab:0", false, Target{}, true}, {"lab:65536", false, Target{}, true},
		{"127.1:80", true, Target{}, true},
	} {
		got, err := Pin(context.Background(), r, c.host, c.allow)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s, allowed %t: %+v, %v", c.host, c.allow, got, err)
		}
	}
}

// TestLocalhost has a name with the loopback addresses of both families, and a
// program that listens at one of them.
func TestLocalhost(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	r := names{"localhost": {{"::1", "127.0.0.1"}}, "lab": {{"fd00::1", "127.0.0.1"}}, "one": {{"127.0.0.1", "127.0.0.2"}}}
	target, err := Pin(context.Background(), r, "localhost:"+port, false)
	if err != nil || target.Addr.String() != "[::1]:"+port || target.Other.String() != "127.0.0.1:"+port {
		t.Fatal(target, err)
	}
	transport := &http.Transport{DialContext: target.DialContext}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get("http://localhost:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for _, host := range []string{"lab", "one"} {
		if target, err := Pin(context.Background(), r, host+":80", false); err != nil || target.Other.IsValid() {
			t.Errorf("%+v, %v", target, err)
		}
	}
	closed := target
	closed.Addr, closed.Other = netip.MustParseAddrPort("[::1]:"+port), netip.MustParseAddrPort("127.0.0.1:1")
	if conn, err := closed.DialContext(context.Background(), "tcp", "localhost:"+port); err == nil || conn != nil {
		t.Error("a connection to nobody")
	}
}

// TestRebinding lets a name lead to loopback when it is checked and elsewhere
// from then on: the connection goes where the check was.
func TestRebinding(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
			return
		}
		io.WriteString(w, r.Host)
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	r := names{"rebind.test": {{"127.0.0.1"}, {"8.8.8.8"}}}
	target, err := Pin(context.Background(), r, "rebind.test:"+port, false)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: target.DialContext, Proxy: nil}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	response, err := client.Get("http://rebind.test:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if b, _ := io.ReadAll(response.Body); string(b) != "rebind.test:"+port {
		t.Errorf("the answer is of %q", b)
	}
	var host *HostError
	if _, err := client.Get("http://rebind.test:" + port + "/away"); !errors.As(err, &host) {
		t.Errorf("a redirect to another host: %v", err)
	}
	if _, err := Resolve(context.Background(), r, "rebind.test"); err == nil {
		t.Error("the name still leads inside")
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "0x7f.1", "[::1]", "lab.", "::ffff:1.2.3.4", "a%b", "1e1", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		r := names{host: {{"10.0.0.1"}}}
		addrs, err := Resolve(context.Background(), r, host)
		if err != nil {
			return
		}
		for _, a := range addrs {
			if _, ok := Check(a); !ok || a.Is4In6() {
				t.Errorf("%q resolves to %s", host, a)
			}
		}
		if len(addrs) == 0 {
			t.Errorf("%q resolves to nothing", host)
		}
	})
}
