package compiler

import (
	"context"
	"net"
	"net/url"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/spec"
)

// addressDecoder reads addresses of the live example's deployment.
func addressDecoder(t testing.TB) *decoder {
	files, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Live})
	if err != nil {
		t.Fatal(err)
	}
	doc, diags := lang.Parse([]lang.Source{{Name: "example.fdb.hcl", Bytes: files["example.fdb.hcl"]}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	c := newCompilation(doc, Options{Check: true})
	return c.decode(c.lookup("serving", "endpoint").block)
}

// An address is taken whole, and leads nowhere outside of a test environment,
// or is refused with a reason.
func FuzzTarget(f *testing.F) {
	for _, s := range []string{
		"http://127.0.0.1:8000", "https://lab/v1", "http://[::1]:80", "http://8.8.8.8", "http://0x7f.1", "http://127.1:9", "//x", "http:x", "http://a:b@c",
		"http://h:99999", "http://h:", "http://h?api_key=1", "HTTP://10.0.0.1", "http://[fe80::1%25eth0]/", "http://\u2488/", "", " http://h ", "http://h/%zz",
	} {
		f.Add(s)
	}
	d := addressDecoder(f)
	f.Fuzz(func(t *testing.T, text string) {
		before := len(d.c.diags)
		d.bad, d.failed = false, nil
		got := d.targetOf("base_url", text)
		if got == "" {
			if len(d.c.diags) == before || !d.bad {
				t.Fatalf("%q is refused without a word", text)
			}
			d.c.diags = d.c.diags[:before]
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		if _, err := confine.Resolve(context.Background(), anyName{}, u.Hostname()); err != nil {
			t.Fatalf("%q leads to %v", text, err)
		}
		if again := d.targetOf("base_url", got); again != got {
			t.Fatalf("%q became %q and then %q", text, got, again)
		}
		if _, _, err := net.SplitHostPort(hostPortOf(got)); err != nil {
			t.Fatalf("%q has no host and port: %v", got, err)
		}
	})
}
