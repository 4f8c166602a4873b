package live

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBadInput breaks one thing of a stack at a time. A rehearsal finds each
// before a fault is applied, and names it.
func TestBadInput(t *testing.T) {
	wanted(t, "rehearse")
	edit := func(s *stack, name, old, new string) {
		path := filepath.Join(s.dir, name)
		b, err := os.ReadFile(path)
		if err != nil || strings.Count(string(b), old) != 1 {
			s.t.Fatalf("%q stands %d times in %s, %v", old, strings.Count(string(b), old), name, err)
		}
		file(s.t, s.dir, name, strings.Replace(string(b), old, new, 1))
	}
	for _, x := range []struct {
		name string
		// spoil changes what is about to be rehearsed; the programs run.
		spoil func(*stack)
		env   []string
		says  []string
	}{
		{"an endpoint that is no such deployment", func(s *stack) {
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("<html>Welcome</html>")) }))
			s.t.Cleanup(web.Close)
			edit(s, "live.fdb.hcl", `base_url = "http://`+s.Tap+`"`, `base_url = "`+web.URL+`"`)
		}, nil, []string{"serving"}},
		{"a wrong key", func(s *stack) {
			s.engine.stop()
			s.engine = ready(s.t, []string{"SERVE_KEY=right"}, fdbench(s.t), "serve", "--listen", s.Engine, "--answers", "template", "--model", "m", "--key-env", "SERVE_KEY")
			edit(s, "live.fdb.hcl", "  stream   = true\n", "  stream   = true\n  key_env  = \"BENCH_KEY\"\n")
		}, []string{"BENCH_KEY=wrong-one"}, []string{"serving", "key"}},
		{"a wrong model", func(s *stack) { edit(s, "live.fdb.hcl", `model    = "m"`, `model    = "other"`) }, nil, []string{"serving", "other"}},
		{"rules that Prometheus does not have", func(s *stack) { edit(s, "alerts.yml", "> 0.25", "> 0.26") }, nil, []string{"detector", "rule"}},
		{"a receiver port in use", func(s *stack) {
			web := &http.Server{Addr: s.Receiver, Handler: http.NotFoundHandler()}
			go web.ListenAndServe()
			s.t.Cleanup(func() { web.Close() })
		}, nil, []string{"detector", "in use"}},
		{"an Alertmanager that cannot reach the receiver", func(s *stack) {
			other := free(s.t, 1)[0]
			edit(s, "live.fdb.hcl", `listen = "`+s.Receiver+`"`, `listen = "`+other+`"`)
		}, nil, []string{"detector", "lertmanager"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			s.write(refusals(), seriesWindow, true, eventful)
			s.all()
			x.spoil(s)
			out, errs, code := run(t, 2*time.Minute, x.env, fdbench(t), "rehearse", s.dir)
			t.Logf("%s", out)
			if code != 1 {
				t.Errorf("exit code %d\n%s", code, errs)
			}
			for _, want := range x.says {
				if !strings.Contains(out, want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if strings.Contains(out+errs, "wrong-one") {
				t.Error("the key stands in the output")
			}
		})
	}
}
