package poll

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// TestPrometheusList asks for the list of active alerts of Prometheus or
// vmalert, which tells since when a condition holds and not since when an alert
// fires.
func TestPrometheusList(t *testing.T) {
	p, url := serve(t)
	list := func(alerts ...string) string {
		return `{"status":"success","data":{"alerts":[` + strings.Join(alerts, ",") + `]}}`
	}
	t0 := time.Now().Add(-time.Minute).UTC()
	alert := func(name, state string, active time.Time) string {
		return fmt.Sprintf(`{"labels":{"alertname":%q},"annotations":{},"state":%q,"activeAt":%q,"value":"1e+00"}`, name, state, active.Format(time.RFC3339Nano))
	}
	p.set(list(), 200)
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{URL: url, Interval: 3600 * exact.Second}}, fetch.Options{Key: "geheim"})
	if err != nil {
		t.Fatal(err)
	}
	e, c := &ears{}, driver.NewClock()
	if err := d.Start(t.Context(), c, e.sink); err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		text   string
		want   string
		state  detector.State
		active string
	}{
		{list(alert("A", "pending", t0)), "", detector.State{Pending: 1}, "A"},
		{list(alert("A", "firing", t0), alert("B", "pending", t0), alert("C", "inactive", t0)), "firing A", detector.State{Firing: 1, Pending: 1}, "A B"},
		{list(alert("A", "pending", t0)), "", detector.State{Firing: 1}, "A"},
		{list(alert("A", "firing", t0)), "", detector.State{Firing: 1}, "A"},
		{list(alert("A", "pending", t0.Add(10*time.Second))), "resolved A", detector.State{Pending: 1}, "A"},
		{list(), "", detector.State{}, ""},
	} {
		before := c.Now()
		p.set(step.text, 200)
		s, err := d.State(t.Context())
		if err != nil || s != step.state {
			t.Errorf("step %d: %+v, %v", i, s, err)
		}
		if got := strings.Join(d.Active(), " "); got != step.active {
			t.Errorf("step %d: active are %s", i, got)
		}
		var got []string
		for until := time.Now().Add(2 * time.Second); len(got) == 0 && step.want != "" && time.Now().Before(until); time.Sleep(time.Millisecond) {
			for _, s := range e.take() {
				got = append(got, s.Status+" "+s.Labels["alertname"])
				if s.Status == "firing" && (s.EmittedAt < before || s.StartsAt < before) {
					t.Errorf("step %d: the hold time is left out: %+v", i, s)
				}
			}
		}
		if strings.Join(got, ", ") != step.want {
			t.Errorf("step %d: %s, want %s", i, strings.Join(got, ", "), step.want)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if got := e.take(); len(got) != 0 {
		t.Errorf("more signals: %+v", got)
	}
}
