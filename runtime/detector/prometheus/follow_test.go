package prometheus

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// script makes looks at one rule with a hold time of 2 s, evaluated each second.
type ruleLook struct {
	evaluated int // second of the last evaluation, 0 for none
	health    string
	failed    bool     // a look before this one had no answer
	alerts    []string // "state label activeAt"
	want      string   // signals: "status label startsAt emittedAt"
	firing    int
	pending   int
	unknown   bool
}

func TestFollow(t *testing.T) {
	c := driver.NewClock()
	epoch := c.Time(0).Round(0)
	at := func(s float64) time.Time { return epoch.Add(time.Duration(s * 1e9)) }
	for name, looks := range map[string][]ruleLook{
		"pending, firing, over": {
			{evaluated: 1}, {evaluated: 2, alerts: []string{"pending a 2"}, pending: 1}, {evaluated: 3, alerts: []string{"pending a 2"}, pending: 1},
			{evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 9, alerts: []string{"firing a 2"}, firing: 1},
			{evaluated: 10, want: "resolved a 4 10"}, {evaluated: 11},
		},
		"seen late": { // the evaluation at which it fired is known all the same
			{evaluated: 1}, {evaluated: 9, alerts: []string{"firing a 3"}, firing: 1, want: "firing a 5 5"},
		},
		"an evaluation was missed": {
			{evaluated: 1}, {evaluated: 5, alerts: []string{"pending a 2"}, pending: 1},
			{evaluated: 6, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 6 6"},
		},
		"firing at first sight": {
			{evaluated: 1, alerts: []string{"firing a -9"}, firing: 1}, {evaluated: 2, want: "resolved a -7 2"},
		},
		"ended and began anew between two looks": {
			{evaluated: 1}, {evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 20, alerts: []string{"firing a 15"}, firing: 1, want: "firing a 17 17, resolved a 4 20"},
			{evaluated: 30, alerts: []string{"pending a 29"}, pending: 1, want: "resolved a 17 30"},
		},
		"the server was restarted": {
			{evaluated: 1}, {evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 0, health: "unknown", failed: true, unknown: true},
			{evaluated: 9, alerts: []string{"pending a 9"}, pending: 1},
			{evaluated: 10, alerts: []string{"firing a 2"}, firing: 1},
			{evaluated: 11, want: "resolved a 4 11"},
		},
		"restarted between two looks, without a hold time": {
			{evaluated: 1}, {evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 9, failed: true, alerts: []string{"firing a 9"}, firing: 1},
		},
		"over during a restart": {
			{evaluated: 1}, {evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 9, failed: true, want: "resolved a 4 9"},
		},
		"a rule that fails": {
			{evaluated: 1}, {evaluated: 4, alerts: []string{"firing a 2"}, firing: 1, want: "firing a 4 4"},
			{evaluated: 5, health: "err", alerts: []string{"firing a 2"}, firing: 1, unknown: true},
		},
		"two instances": {
			{evaluated: 1}, {evaluated: 5, alerts: []string{"firing b 3", "firing a 2", "inactive c 1"}, firing: 2, want: "firing a 4 4, firing b 5 5"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFollower(map[string]bool{"R": true})
			f.clock = c
			for i, l := range looks {
				r := rule{Type: "alerting", Name: "R", Query: "q", Duration: "2", Health: l.health, LastError: "no"}
				if r.Health == "" {
					r.Health = "ok"
				}
				if l.evaluated > 0 {
					r.LastEvaluation = at(float64(l.evaluated))
				}
				for _, a := range l.alerts {
					var state, label string
					var active int
					if _, err := fmt.Sscan(a, &state, &label, &active); err != nil {
						t.Fatal(err)
					}
					r.Alerts = append(r.Alerts, alert{State: state, Labels: map[string]string{"alertname": "R", "i": label}, ActiveAt: at(float64(active))})
				}
				other := rule{Type: "alerting", Name: "Other", Health: "unknown"}
				signals, s := f.look([]ruleGroup{{Name: "g", Interval: "1", Rules: []rule{r, other}}}, int64(i), l.failed)
				var got []string
				for _, x := range signals {
					round := func(v int64) int64 { return (v + 5e8) / 1e9 }
					if v := x.StartsAt; v < 0 {
						round = func(v int64) int64 { return (v - 5e8) / 1e9 }
					}
					emitted := (x.EmittedAt + 5e8) / 1e9
					got = append(got, fmt.Sprintf("%s %s %d %d", x.Status, x.Labels["i"], round(x.StartsAt), emitted))
				}
				if text := strings.Join(got, ", "); text != l.want {
					t.Errorf("look %d: %s, want %s", i, text, l.want)
				}
				if s.firing != l.firing || s.pending != l.pending || (s.unknown != nil) != l.unknown || s.cycle != 1e9 {
					t.Errorf("look %d: %+v", i, s)
				}
			}
			if _, s := f.look(nil, 99, false); s.unknown == nil || !strings.Contains(s.unknown.Error(), "no alert R") {
				t.Errorf("without the rule: %+v", s)
			}
		})
	}
}

// TestFollowIsAnEdge draws random looks: what is signalled of one instance is
// firing and resolved in turn.
func TestFollowIsAnEdge(t *testing.T) {
	c := driver.NewClock()
	rng := rand.New(rand.NewPCG(1, 2))
	f := newFollower(nil)
	f.clock = c
	last := map[string]string{}
	n := 0
	active := map[string]time.Time{}
	for i := 1; i < 5000; i++ {
		r := rule{Type: "alerting", Name: "R", Query: "q", Duration: "0.5", Health: "ok", LastEvaluation: c.Time(int64(i) * 1e9)}
		for _, label := range []string{"a", "b"} {
			switch rng.IntN(4) {
			case 0:
				delete(active, label)
			case 1:
				active[label] = r.LastEvaluation
			}
			if from, ok := active[label]; ok {
				r.Alerts = append(r.Alerts, alert{State: []string{"pending", "firing"}[rng.IntN(2)], Labels: map[string]string{"i": label}, ActiveAt: from})
			}
		}
		if rng.IntN(50) == 0 {
			r.Health, r.LastEvaluation, r.Alerts = "unknown", time.Time{}, nil
		}
		signals, _ := f.look([]ruleGroup{{Interval: "1", Rules: []rule{r}}}, int64(i)*1e9, rng.IntN(20) == 0)
		// Of one look the end comes before the new beginning, or the two are
		// told in the order of their emission.
		seen := map[string][]string{}
		for _, s := range signals {
			n++
			seen[s.Labels["i"]] = append(seen[s.Labels["i"]], s.Status)
		}
		for label, statuses := range seen {
			for _, s := range statuses {
				if len(statuses) == 1 && (s == last[label] || last[label] == "" && s != "firing") {
					t.Fatalf("look %d: %s is %s twice", i, label, s)
				}
			}
			if len(statuses) > 2 || len(statuses) == 2 && statuses[0] == statuses[1] {
				t.Fatalf("look %d: %s is %v", i, label, statuses)
			}
			if len(statuses) == 1 {
				last[label] = statuses[0]
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d signals", n)
	}
}

func TestSeconds(t *testing.T) {
	for text, want := range map[json.Number]int64{"1": 1e9, "0.2": 2e8, "": 0, "1e-1": 1e8, "60": 60e9, "0.30000000000000004": 3e8} {
		if got := seconds(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestInOrder(t *testing.T) {
	s := []detector.Signal{{EmittedAt: 2, Status: "firing"}, {EmittedAt: 1, Status: "firing"}, {EmittedAt: 1, Status: "resolved"}}
	inOrder(s)
	if s[0].Status != "resolved" || s[1].EmittedAt != 1 || s[2].EmittedAt != 2 {
		t.Errorf("%+v", s)
	}
}
