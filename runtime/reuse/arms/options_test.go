package arms

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
)

// TestSecrets lets a server repeat the key and the token wherever it can.
func TestSecrets(t *testing.T) {
	const key, token = "sk-very+secret/1", "tok-\"secret"
	for _, driver := range []string{OpenAI, SGLang} {
		for _, status := range []int{200, 401} {
			e := start(t)
			e.answer = func(w http.ResponseWriter, c call) bool {
				if c.path == "/reset" {
					w.WriteHeader(500)
					fmt.Fprintf(w, "bad %s", c.auth)
					return true
				}
				if c.auth != "Bearer "+key {
					t.Errorf("%s: authorization %q", c.path, c.auth)
				}
				w.Header().Set("X-Route", c.auth)
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(status)
				text, _ := json.Marshal(c.auth + " " + token)
				if driver == SGLang {
					fmt.Fprintf(w, "data: {\"text\":%s,\"meta_info\":{\"id\":%s,\"finish_reason\":%s}}\n\n", text, text, text)
				} else {
					fmt.Fprintf(w, "data: {\"id\":%s,\"choices\":[{\"index\":0,\"finish_reason\":%s,\"delta\":{\"content\":%s}}]}\n\ndata: {\"error\":{\"message\":%s}}\n\n", text, text, text, text)
				}
				return true
			}
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "key"), []byte(key+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			r := runner(t, planned(e, func(l *plan.ReuseLive) {
				l.Driver, l.Endpoint.KeyFile, l.ResetTokenEnv, l.Warmup = driver, "key", "TOKEN", 1
				l.Route = []plan.RouteHeader{{Header: "x-route", Tells: TellsReason}}
			}), func(o *Options) {
				o.Folder, o.Secret = folder, func(string) (string, error) { return token, nil }
			})
			resets, list := pair(t, r, 0, item("x", "d"))
			b, err := json.Marshal([]any{resets, list, r.Targets(), fmt.Sprint(r.Check(t.Context())), fmt.Sprint(r.Warm(t.Context()))})
			if err != nil || strings.Contains(string(b), "secret") {
				t.Errorf("%s, %d: %v %s", driver, status, err, b)
			}
		}
	}
}

func TestNew(t *testing.T) {
	e := start(t)
	t.Setenv("EMPTY_KEY", "")
	for _, x := range []struct {
		name   string
		change func(*plan.ReuseLive)
		o      func(*Options)
		want   string
	}{
		{"no key", func(l *plan.ReuseLive) { l.Endpoint.KeyEnv = "EMPTY_KEY" }, nil, "EMPTY_KEY is not set"},
		{"no file", func(l *plan.ReuseLive) { l.Endpoint.KeyFile = "none" }, nil, "the file none cannot be read"},
		{"two lines", func(l *plan.ReuseLive) { l.ResetTokenEnv = "T" }, func(o *Options) { o.Secret = func(string) (string, error) { return "a\nb", nil } }, "more than one line"},
		{"outside", func(l *plan.ReuseLive) { l.Reset = []string{"http://192.0.2.7/reset"} }, nil, "FD-7-1"},
		{"allowed", func(l *plan.ReuseLive) { l.Reset = []string{"http://192.0.2.7/reset"} }, func(o *Options) { o.Allow = []string{"192.0.2.7"} }, ""},
		{"allowed with its port", func(l *plan.ReuseLive) { l.Donors = []string{"http://192.0.2.7:81"} }, func(o *Options) { o.Allow = []string{"192.0.2.7:81"} }, ""},
		{"another port", func(l *plan.ReuseLive) { l.Donors = []string{"http://192.0.2.7:81"} }, func(o *Options) { o.Allow = []string{"192.0.2.7:80"} }, "FD-7-1"},
		{"no URL", func(l *plan.ReuseLive) { l.Metrics = []string{"metrics"} }, nil, "no URL"},
		{"a body", func(l *plan.ReuseLive) { l.Endpoint.Body = "[]" }, nil, "no JSON object"},
	} {
		o := Options{Plan: planned(e, x.change)}
		if x.o != nil {
			x.o(&o)
		}
		r, err := New(o)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
		var outside *confine.OutsideError
		if x.name == "outside" && !errors.As(err, &outside) {
			t.Errorf("%s: %T", x.name, err)
		}
		if err == nil {
			allowed := 0
			for _, target := range r.Targets() {
				if target.Allowed {
					allowed++
				}
			}
			if allowed != 1 || !strings.HasPrefix(r.Targets()[0].Name, "reuse.rag.") {
				t.Errorf("%s: targets %+v", x.name, r.Targets())
			}
		}
	}
	if _, err := New(Options{Plan: &plan.Reuse{}}); err == nil {
		t.Error("an offline plan has a runner")
	}
}
