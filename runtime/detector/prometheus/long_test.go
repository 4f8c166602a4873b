package prometheus

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
)

// TestRestIsRest shows what the gate on notification groups is for: an alert
// that comes right after the end of another waits for the group's next flush,
// and one that comes when the group is gone does not. In an Alertmanager before
// 0.32 it is gone after the cleanup, as long as Prometheus has not sent the end
// again, which it does each minute here; State goes on waiting for the last of
// these, and the test does not.
func TestRestIsRest(t *testing.T) {
	if os.Getenv("FDBENCH_LONG_TESTS") == "" {
		t.Skip("takes 90 s; FDBENCH_LONG_TESTS=1 runs it")
	}
	l := newLab(t, "--rules.alert.resend-delay=1m")
	const interval = 10 * time.Second
	l.manager.Write("alertmanager.yml", strings.Replace(managerConfigText(l.receiver, ""), "group_interval: 1s", "group_interval: 10s", 1))
	l.manager.Reload()
	l.plan.Manager.GroupInterval = 10 * exact.Second
	time.Sleep(500 * time.Millisecond)
	d, e, c := l.start(t, Options{Attribution: `signal.component == "alertmanager"`})
	settle(t, d)
	if d.rest.cleanup > 0 && d.rest.linger != int64(resentFor) {
		t.Errorf("%+v", d.rest)
	}
	d.mu.Lock()
	d.rest.linger = 0
	d.mu.Unlock()
	// delay raises the alert and gives the time from its start to its
	// notification.
	delay := func() time.Duration {
		t.Helper()
		n := len(e.all())
		l.counters.Add("llm_refusals_total", 10)
		for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if got := e.all(); len(got) > n && got[len(got)-1].Status == "firing" {
				return time.Duration(got[len(got)-1].At - got[len(got)-1].StartsAt)
			}
		}
		t.Fatalf("no notification: %+v", e.all())
		return 0
	}
	end := func() int64 {
		t.Helper()
		n := len(e.all())
		l.counters.Add("llm_refusals_total", -10)
		for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if got := e.all(); len(got) > n && got[len(got)-1].Status == "resolved" {
				return got[len(got)-1].At
			}
		}
		t.Fatalf("no end: %+v", e.all())
		return 0
	}
	fresh := delay()
	end()
	early := delay()
	over := end()
	for {
		s := settle(t, d)
		if s.Resting() {
			break
		}
		if c.Now() > over+60e9 {
			t.Fatalf("no rest: %+v", s)
		}
		time.Sleep(100 * time.Millisecond)
	}
	gate := time.Duration(c.Now() - over)
	rested := delay()
	line := fmt.Sprintf("start to notification: fresh %v, right after the end %v, after the gate of %v %v", fresh, early, gate, rested)
	t.Log(line)
	if fresh > 2*time.Second || rested > 2*time.Second || d.rest.cleanup > 0 && early < interval/2 {
		t.Error(line)
	}
}
