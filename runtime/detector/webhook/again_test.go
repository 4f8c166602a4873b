package webhook

import (
	"fmt"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
)

// TestAgain tells what is news from what was heard before, where an alert
// changes in more than its status.
func TestAgain(t *testing.T) {
	h := &heard{}
	d, c := start(t, &plan.LiveDetector{}, Options{}, h)
	t0 := c.Time(0).Add(-time.Minute).UTC()
	later := t0.Add(20 * time.Second)
	grafana := func(status, name, reason string, starts, ends time.Time) string {
		annotations := "{}"
		if reason != "" {
			annotations = fmt.Sprintf(`{"grafana_state_reason": %q}`, reason)
		}
		return fmt.Sprintf(`{"receiver": "r", "orgId": 1, "groupKey": "g", "alerts": [{"status": %q, "labels": {"alertname": %q}, "annotations": %s,
			"startsAt": %q, "endsAt": %q, "fingerprint": %q}]}`, status, name, annotations, starts.Format(time.RFC3339Nano), ends.Format(time.RFC3339Nano), name)
	}
	none := time.Time{}
	for i, step := range []struct {
		what, body     string
		repeat, noData bool
		firing         int
	}{
		{"no data raises an alert", grafana("firing", "A", "NoData", t0, none), false, true, 1},
		{"and keeps it", grafana("firing", "A", "NoData, KeepLast", t0, none), true, true, 1},
		{"it goes on with data", grafana("firing", "A", "", t0, none), false, false, 1},
		{"which is missing for a while", grafana("firing", "A", "Error, KeepLast", t0, none), true, true, 1},
		{"and there again", grafana("firing", "A", "", t0, none), true, false, 1},
		{"it ends", grafana("resolved", "A", "", t0, t0.Add(time.Second)), false, false, 0},
		{"another sender is late to say that it fires", grafana("firing", "A", "", t0, none), true, false, 1},
		{"and that it ended", grafana("resolved", "A", "", t0, t0.Add(2*time.Second)), false, false, 0},
		{"it fires anew", grafana("firing", "A", "", later, none), false, false, 1},
		{"an end comes before what it ends", grafana("resolved", "B", "", t0, later), false, false, 1},
		{"which is news then", grafana("firing", "B", "", t0, none), false, false, 2},
	} {
		if code, text := post(t, d.Receiver().URL(), step.body); code != 200 {
			t.Fatalf("%s: %d %s", step.what, code, text)
		}
		got := h.all()
		if len(got) != i+1 {
			t.Fatalf("%s: %d signals after the answer, want %d", step.what, len(got), i+1)
		}
		if s := got[i]; s.Repeat != step.repeat || s.NoData != step.noData {
			t.Errorf("%s: repeat %t, no data %t", step.what, s.Repeat, s.NoData)
		}
		if state, err := d.State(t.Context()); err != nil || state != (detector.State{Firing: step.firing}) {
			t.Errorf("%s: %+v, %v", step.what, state, err)
		}
	}
}

// TestPending has a mapping that gives alerts whose hold time runs: a
// notification is not about them.
func TestPending(t *testing.T) {
	h := &heard{}
	d, _ := start(t, &plan.LiveDetector{Mapping: &plan.Mapping{Alerts: `payload`, Status: `alert.s`, Names: map[string]string{"alertname": `alert.n`}}}, Options{}, h)
	post(t, d.Receiver().URL(), `[{"s": "pending", "n": "A"}, {"s": "firing", "n": "B"}]`)
	if got := h.all(); len(got) != 1 || got[0].Labels["alertname"] != "B" {
		t.Errorf("%+v", got)
	}
	if s, err := d.State(t.Context()); err != nil || s != (detector.State{Firing: 1}) {
		t.Errorf("%+v, %v", s, err)
	}
}
