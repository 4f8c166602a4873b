package execute_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/clockprobe"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/live/livetest"
	"github.com/fdbench/fdbench/runtime/verify"
)

const clockToken = "a token of the clock"

// A real series compares its clocks before, between and after the trials, by
// either way that a scenario can declare, and is reported.
func TestLiveRunComparesClocks(t *testing.T) {
	if testing.Short() {
		t.Skip("two series in real time")
	}
	host, err := clockprobe.Host()
	if err != nil {
		t.Skip(err)
	}
	responder := httptest.NewServer(clockprobe.Handler(clockToken, host, nil))
	defer responder.Close()
	bin := t.TempDir()
	script := "#!/bin/sh\necho 'A9FEA97B,127.0.0.1,4,1700000000.1,-0.000004300,0,0,0,0,0,0.001000000,0.000024000,16.3,Normal'\n"
	if err := os.WriteFile(filepath.Join(bin, "chronyc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, arrangement := range []string{"probed", "chrony"} {
		t.Run(arrangement, func(t *testing.T) {
			b, dir := livetest.New(t, 2, func(p *plan.Plan) {
				p.Declaration.Environment.Clocks = arrangement
				switch arrangement {
				case "probed":
					p.Declaration.Environment.Responder = responder.Listener.Addr().String()
				case "chrony": // the detector's host is where its own address leads
					p.Declaration.Detector.Live = &plan.LiveDetector{URL: responder.URL}
				}
			}), t.TempDir()
			t.Setenv(livetest.KeyEnv, livetest.Key)
			r, err := execute.Run(t.Context(), execute.Options{Plan: b.Plan, Dir: dir, Generation: 1,
				Live: execute.Live{Drivers: b.Drivers(t), ClockToken: clockToken}})
			if err != nil {
				t.Fatal(err)
			}
			asItMust(t, &r.Conformance)
			k := r.Clocks
			if k.Arrangement != arrangement || k.Probes < 3 || k.MaxOffset == nil || *k.MaxOffset <= 0 || *k.MaxOffset > 1 || k.Method == "" || k.OnePercent == nil {
				t.Errorf("%+v", k)
			}
			moments := map[string]int{}
			for _, e := range entries(t, dir) {
				if e.Kind != journal.KindClock {
					continue
				}
				var c journal.ClockRecord
				if err := json.Unmarshal(e.Data, &c); err != nil {
					t.Fatal(err)
				}
				moments[c.Moment]++
			}
			if moments["before"] == 0 || moments["between"] == 0 || moments["after"] == 0 {
				t.Errorf("measured %v", moments)
			}
			if problems, err := verify.Verify(dir); err != nil || len(problems) > 0 {
				t.Error(problems, err)
			}
		})
	}
}
