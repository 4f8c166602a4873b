package arms

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// TestDeployment measures an engine whose times are set. The first token of a
// prompt of P tokens, of which C were cached, is due First + Prefill*(P-C)
// after it was admitted, and what is measured is never earlier.
func TestDeployment(t *testing.T) {
	latency, err := deployment.ParseLatency("first=4ms,prefill=1ms,token=1ms")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(strings.Repeat("the harbour master keeps a ledger of every ship that enters at dawn and ", 4))
	prompt := strings.Join(words[:48], " ")
	it := &manifest.Item{ItemID: "i", Recipient: prompt + " who keeps the ledger", Donors: []manifest.Donor{{DonorID: "d", Text: prompt + " what is kept"}}}
	for _, driver := range []string{OpenAI, SGLang} {
		t.Run(driver, func(t *testing.T) {
			var log bytes.Buffer
			d := deployment.New(deployment.Options{Engine: deployment.Template("1", 1000), Model: "m", Key: "sk-key", Admin: "admin-token", Latency: latency,
				Seed: "1", EngineTimes: true, Worker: "w-1", Log: &log})
			s := httptest.NewServer(d.Handler())
			defer s.Close()
			p := planned(&engine{Server: s}, func(l *plan.ReuseLive) {
				l.Driver, l.Engine, l.Order, l.Warmup = driver, map[string]string{OpenAI: "vllm", SGLang: "sglang"}[driver], Counterbalanced, 1
				l.Endpoint.KeyEnv, l.ResetTokenEnv = "KEY", "TOKEN"
				l.Reset = []string{s.URL + map[string]string{OpenAI: "/reset_prefix_cache", SGLang: "/flush_cache"}[driver]}
				l.Metrics = []string{s.URL + "/metrics"}
				l.Temperature = exact.Int(0)
			})
			r := runner(t, p, func(o *Options) {
				o.Secret = func(env string) (string, error) {
					return map[string]string{"KEY": "sk-key", "TOKEN": "admin-token"}[env], nil
				}
			})
			if err := r.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
			for n := range int64(4) {
				_, list := pair(t, r, n, it)
				outputs := map[string]string{}
				for _, a := range list {
					if a.Outcome != "ok" || a.Reset != "ok" || a.PromptTokens == nil || a.CachedTokens == nil || a.TTFT == nil || a.Output == "" {
						t.Fatalf("%+v", a)
					}
					cached := map[string]int64{record.Cold: 0, record.Warm: 48}[a.Arm]
					if *a.CachedTokens != cached || *a.PromptTokens != 52 {
						t.Errorf("%s: %d of %d tokens cached", a.Arm, *a.CachedTokens, *a.PromptTokens)
					}
					due := 4*time.Millisecond + time.Duration(*a.PromptTokens-cached)*time.Millisecond
					// It starts when the last byte of the request is on its way,
					// which can be a little before the engine has read it all.
					if got := time.Duration(*a.TTFT); got < due-time.Millisecond || got > due+150*time.Millisecond {
						t.Errorf("%s: first token after %v, due after %v", a.Arm, got, due)
					}
					outputs[a.Arm] = a.Output
				}
				if outputs[record.Cold] != outputs[record.Warm] {
					t.Errorf("answers differ: %q", outputs)
				}
				if driver == OpenAI && (list[0].EngineTTFT == nil || list[0].Queue == nil) {
					t.Errorf("the engine's own times are missing: %+v", list[0])
				}
			}
			if c := r.Counters(t.Context(), After); len(c) != 1 || c[0].Detail != "" || driver == OpenAI && len(c[0].Values) == 0 {
				t.Errorf("counters %+v", c)
			}
			if id := r.requestID(record.Warm, 0, recipient, "i"); !strings.Contains(log.String(), id) && !strings.Contains(log.String(), r.requestID(record.Warm, 1, recipient, "i")) {
				t.Errorf("the engine's log names no request of the run:\n%s", head(log.String()))
			}
		})
	}
}

func head(s string) string { return fmt.Sprintf("%.2000s", s) }
