package httpapparatus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

var ctx = context.Background()

// seen is a request as it came in.
type seen struct{ method, uri, body, auth, kind string }

func server(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) (*httptest.Server, *[]seen) {
	t.Helper()
	var log []seen
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		log = append(log, seen{r.Method, r.RequestURI, string(b), r.Header.Get("Authorization"), r.Header.Get("Content-Type")})
		if answer != nil {
			answer(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s, &log
}

func three(url string) plan.HTTPApparatus {
	return plan.HTTPApparatus{Apply: plan.HTTPCall{URL: url + "/apply"}, Remove: plan.HTTPCall{URL: url + "/remove"}, Check: plan.HTTPCall{URL: url + "/check"}}
}

// TestFill puts values into every place that a call has, and reads them back as
// the other side would.
func TestFill(t *testing.T) {
	hard := mechanism.Values{Class: `a/b?c&d="e"\ü{level}`, Magnitude: "0.2", Fraction: "0.333333333", Level: `{"40": 4}`, Trial: "load 2, trials, block 7\n\u2028<", Lease: "150"}
	for _, c := range []struct {
		name, kind, path, body string
		want                   func(s seen) error
	}{
		{"path", "", "/swap/{class}/x?t={trial}&m={magnitude}", "", func(s seen) error {
			u, err := url.ParseRequestURI(s.uri)
			if err != nil {
				return err
			}
			parts := strings.Split(u.EscapedPath(), "/")
			class, _ := url.PathUnescape(parts[2])
			q, err := url.ParseQuery(u.RawQuery)
			if len(parts) != 4 || class != hard.Class || q.Get("t") != hard.Trial || q.Get("m") != "0.2" || len(q) != 2 || err != nil {
				return fmt.Errorf("%q", s.uri)
			}
			return nil
		}},
		{"JSON", "", "/", `{"logit_bias": {level}, "note": "class \"{class}\": {trial}", "t": {magnitude}, "deep": {"f": [{fraction}]}}`, func(s seen) error {
			var v struct {
				Bias map[string]int `json:"logit_bias"`
				Note string
				T    float64
				Deep struct{ F []float64 }
			}
			if err := json.Unmarshal([]byte(s.body), &v); err != nil {
				return fmt.Errorf("%v: %s", err, s.body)
			}
			if v.Bias["40"] != 4 || v.Note != `class "`+hard.Class+`": `+hard.Trial || v.T != 0.2 || v.Deep.F[0] != 0.333333333 {
				return fmt.Errorf("%s", s.body)
			}
			return nil
		}},
		{"form", "application/x-www-form-urlencoded", "/", "class={class}&trial={trial}&lease={lease}", func(s seen) error {
			q, err := url.ParseQuery(s.body)
			if err != nil || len(q) != 3 || q.Get("lease") != "150" || q.Get("class") != hard.Class || q.Get("trial") != hard.Trial {
				return fmt.Errorf("%s %v", s.body, err)
			}
			return nil
		}},
		{"text", "text/plain", "/", "{class}", func(s seen) error {
			if s.body != hard.Class {
				return fmt.Errorf("%s", s.body)
			}
			return nil
		}},
	} {
		s, log := server(t, nil)
		a := three(s.URL)
		a.Apply = plan.HTTPCall{Method: "PATCH", URL: s.URL + c.path, Body: c.body}
		if c.kind != "" {
			a.Headers = map[string]string{"content-type": c.kind}
		}
		m, err := New(ctx, a, Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := m.Apply(ctx, hard); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := (*log)[0]
		if err := c.want(got); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.method != "PATCH" || c.kind != "" && got.kind != c.kind || c.name == "JSON" && got.kind != "application/json" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestValuesThatDoNotFit(t *testing.T) {
	s, log := server(t, nil)
	for _, c := range []struct {
		path, body string
		v          mechanism.Values
		want       string
	}{
		{"/x/{level}/y", "", mechanism.Values{Level: ".."}, "leads elsewhere"},
		{"/x/{level}/y", "", mechanism.Values{}, "leads elsewhere"},
		{"/", `{"t": {level}}`, mechanism.Values{Level: "hot"}, "quotation marks"},
		{"/", `{"t": {level}}`, mechanism.Values{}, "quotation marks"},
		{"/", `{"t": {level}}`, mechanism.Values{Level: `1, "x": 2`}, "quotation marks"},
		{"/", `{"t": {level}`, mechanism.Values{Level: "1"}, "not JSON"},
	} {
		a := three(s.URL)
		a.Apply = plan.HTTPCall{URL: s.URL + c.path, Body: c.body}
		m, err := New(ctx, a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(ctx, c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.path, c.body, err)
		}
	}
	if len(*log) != 0 {
		t.Errorf("%d calls were made", len(*log))
	}
}

func TestNewRefuses(t *testing.T) {
	good := "http://127.0.0.1:9/"
	for _, c := range []struct {
		change func(a *plan.HTTPApparatus)
		want   string
	}{
		{func(a *plan.HTTPApparatus) { a.Check.URL = "" }, "FD-3.4-3"},
		{func(a *plan.HTTPApparatus) { a.Remove.URL = "" }, "FD-3.4-3"},
		{func(a *plan.HTTPApparatus) { a.Check.URL = good + "{class}" }, "check call holds a value"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "127.0.0.1:9/x" }, "no URL"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "ftp://127.0.0.1/x" }, "no URL of HTTP"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "http://{class}/x" }, "in front of its path"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "http://127.0.0.1{class}/x" }, "in front of its path"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "http://127.0.0.1:{level}/x" }, "no URL"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "{class}" }, "no URL"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = good + "{magnitud}" }, "the values are {class}"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = good + "#x" }, "fragment"},
		{func(a *plan.HTTPApparatus) { a.Apply.URL = "http://me:hunter22@127.0.0.1:9/" }, "key_env"},
		{func(a *plan.HTTPApparatus) { a.Apply.Method = "A B" }, "no method"},
		{func(a *plan.HTTPApparatus) { a.Remove.URL = "http://8.8.8.8/" }, "FD-7-1"},
		{func(a *plan.HTTPApparatus) { a.Remove.URL = "http://0x7f.1/" }, "FD-7-1"},
		{func(a *plan.HTTPApparatus) { a.KeyEnv = "FDBENCH_NOT_SET" }, "FDBENCH_NOT_SET"},
	} {
		a := three(strings.TrimSuffix(good, "/"))
		c.change(&a)
		_, err := New(ctx, a, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", a, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter22") {
			t.Errorf("the error shows a key: %v", err)
		}
	}
	a := three("http://8.8.8.8")
	m, err := New(ctx, a, Options{Name: "admin", Allow: []string{"8.8.8.8"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Targets(); len(got) != 1 || got[0].Name != "apparatus.admin" || got[0].Address != "8.8.8.8:80" || !got[0].Allowed {
		t.Errorf("%+v", got)
	}
}

type lookup map[string]string

func (l lookup) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(l[host])}, nil
}

// TestConfined follows no redirect, and no name to a second address.
func TestConfined(t *testing.T) {
	other, log := server(t, nil)
	s, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	u, _ := url.Parse(s.URL)
	names := lookup{"lab": "127.0.0.1"}
	m, err := New(ctx, three("http://lab:"+u.Port()), Options{Resolver: names})
	if err != nil {
		t.Fatal(err)
	}
	names["lab"] = "8.8.8.8"
	var status *StatusError
	if err := m.Apply(ctx, mechanism.Values{}); !errors.As(err, &status) || status.Status != 307 {
		t.Errorf("%v", err)
	}
	if len(*log) != 0 {
		t.Error("the redirect was followed")
	}
}

func TestKeys(t *testing.T) {
	const key = "hunter22-and-more"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FDBENCH_TEST_KEY", key)
	s, log := server(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "I do not like "+r.Header.Get("Authorization")+" and "+r.Header.Get("X-Tenant"), http.StatusForbidden)
	})
	for _, o := range []Options{{}, {KeyFile: file}} {
		a := three(s.URL)
		a.Headers = map[string]string{"X-Tenant": "tenant-of-mine"}
		a.Apply.URL += "?api_key=query-key"
		if o.KeyFile == "" {
			a.KeyEnv = "FDBENCH_TEST_KEY"
		}
		m, err := New(ctx, a, o)
		if err != nil {
			t.Fatal(err)
		}
		err = m.Apply(ctx, mechanism.Values{})
		if got := (*log)[len(*log)-1]; got.auth != "Bearer "+key {
			t.Errorf("%+v", got)
		}
		if err == nil || !strings.Contains(err.Error(), "[secret] and [secret]") || !strings.Contains(err.Error(), "403") {
			t.Errorf("%v", err)
		}
		problems := m.Check(ctx)
		if len(problems) != 1 || problems[0].Rule != "FD-3.4-3" || !strings.Contains(problems[0].Remedy, "key_env") {
			t.Errorf("%+v", problems)
		}
		all := fmt.Sprintf("%v %+v", err, problems)
		s.CloseClientConnections()
		for _, secret := range []string{key, "tenant-of-mine", "query-key"} {
			if strings.Contains(all, secret) {
				t.Errorf("the error shows %q: %s", secret, all)
			}
		}
	}
	if _, err := New(ctx, three(s.URL), Options{KeyFile: file + "x"}); err == nil {
		t.Error("a key file that is not there is no error")
	}
}

func TestAnswers(t *testing.T) {
	answer := "one"
	status := 200
	s, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, answer)
	})
	a := three(s.URL)
	a.Remove.Status = 204
	m, err := New(ctx, a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := m.Configuration(ctx)
	if err != nil || first != mechanism.Digest([]byte("one")) {
		t.Errorf("%s, %v", first, err)
	}
	answer = "two"
	if second, err := m.Configuration(ctx); err != nil || second == first {
		t.Errorf("%s, %v", second, err)
	}
	if err := m.Remove(ctx, mechanism.Values{}); err == nil || !strings.Contains(err.Error(), "204 was expected: two") {
		t.Errorf("%v", err)
	}
	if status, answer = 204, ""; m.Remove(ctx, mechanism.Values{}) != nil {
		t.Error("the status that was asked for is an error")
	}
	if status, answer = 200, strings.Repeat("x", MaxAnswer+1); m.Apply(ctx, mechanism.Values{}) == nil {
		t.Error("an answer without end is none")
	}
	s.Close()
	if err := m.Apply(ctx, mechanism.Values{}); err == nil || !strings.Contains(err.Error(), "apply call, POST http://127.0.0.1") {
		t.Errorf("%v", err)
	}
}

func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	s, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-release
	})
	defer close(release)
	m, err := New(ctx, three(s.URL), Options{Timeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(ctx, mechanism.Values{}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "50ms") {
		t.Errorf("%v", err)
	}
}

// FuzzFill puts any value into JSON and into a URL: neither can be left.
func FuzzFill(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, "a/../b", "{class}", "\u2028\x00", "\xff", `","x":"`, "?&#%"} {
		f.Add(s)
	}
	body := cutBody(`{"a": "x{trial}y", "b": 1}`, "application/json")
	address, _, err := cutURL("http://127.0.0.1:80/p/{trial}/s?q={trial}&r=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := mechanism.Values{Trial: s}
		b, err := body.fill(v)
		var got struct {
			A string
			B int
		}
		if err != nil || json.Unmarshal([]byte(b), &got) != nil || got.A != "x"+strings.ToValidUTF8(s, "\ufffd")+"y" && strings.ToValidUTF8(s, "") == s || got.B != 1 {
			t.Errorf("%q gives %q, %v", s, b, err)
		}
		a, err := address.fill(v)
		if err != nil {
			if s != "" && s != "." && s != ".." {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		u, err := url.Parse(a)
		if err != nil || u.Host != "127.0.0.1:80" || strings.Count(u.EscapedPath(), "/") != 3 || u.Query().Get("q") != s || u.Query().Get("r") != "1" || u.Fragment != "" {
			t.Errorf("%q gives %q, %v", s, a, err)
		}
	})
}
