package prometheus

import (
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/live/driver"
)

// TestStaleEvaluation looks at a rule whose group is stuck, by a server whose
// clock is hours off.
func TestStaleEvaluation(t *testing.T) {
	c := driver.NewClock()
	f := newFollower(map[string]bool{"R": true})
	f.clock = c
	second := int64(time.Second)
	evaluated := c.Time(0).Add(-5 * time.Hour)
	look := func(at int64) seen {
		_, s := f.look([]ruleGroup{{Interval: "10", Rules: []rule{{Type: "alerting", Name: "R", Query: "q", Duration: "0", Health: "ok", LastEvaluation: evaluated}}}}, at, false)
		return s
	}
	for at := int64(0); at <= 100; at++ {
		if at%10 == 0 {
			evaluated = evaluated.Add(10 * time.Second)
		}
		if s := look(at * second); s.unknown != nil {
			t.Fatalf("%d s: %v", at, s.unknown)
		}
	}
	for at := int64(101); at <= 200; at++ {
		s := look(at * second)
		if stale := at > 100+3*10+2; (s.unknown != nil) != stale {
			t.Fatalf("%d s after the last evaluation: %v", at-100, s.unknown)
		} else if stale && !strings.Contains(s.unknown.Error(), "has not been evaluated for") {
			t.Fatal(s.unknown)
		}
	}
	evaluated = evaluated.Add(time.Second)
	if s := look(201 * second); s.unknown != nil {
		t.Errorf("evaluated again: %v", s.unknown)
	}
}
