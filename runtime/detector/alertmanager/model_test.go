package alertmanager

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
)

const second = int64(exact.Second)

// rig drives a Model the way a Prometheus does: one alert, sent when it fires,
// every resend while it lasts, and when it resolves.
type rig struct {
	model   *Model
	signals []detector.Signal
	at      int64
}

func newRig(c Config) *rig {
	r := &rig{}
	r.model = New(c, func(s detector.Signal) { r.signals = append(r.signals, s) })
	return r
}

// until runs everything that is due before or at the instant.
func (r *rig) until(at int64) {
	for n := r.model.Next(); n <= at; n = r.model.Next() {
		r.model.Tick(n)
	}
	r.at = at
}

func (r *rig) fire(at, startsAt int64, name string) {
	r.until(at)
	r.model.Receive(at, []Alert{{Labels: labels(name), StartsAt: startsAt, EndsAt: at + 240*second, Value: "1"}})
}

func (r *rig) resolve(at, startsAt int64, name string) {
	r.until(at)
	r.model.Receive(at, []Alert{{Labels: labels(name), StartsAt: startsAt, EndsAt: at, Value: "1"}})
}

func labels(name string) map[string]string {
	return map[string]string{"alertname": name, "job": "llm"}
}

// measured is the configuration of the live measurements: Alertmanager 0.25,
// group_wait 2 s, group_interval 20 s, repeat_interval 1 h.
func measured() Config {
	return Config{
		GroupBy: []string{"alertname"}, GroupWait: 2 * exact.Second, GroupInterval: 20 * exact.Second,
		RepeatInterval: exact.Hour, SendResolved: true, Maintenance: 30 * exact.Second,
	}
}

func (r *rig) want(t *testing.T, want ...detector.Signal) {
	t.Helper()
	if len(r.signals) != len(want) {
		t.Fatalf("%d signals, want %d: %+v", len(r.signals), len(want), r.signals)
	}
	for i, w := range want {
		g := r.signals[i]
		if g.At != w.At || g.Status != w.Status || g.Reason != w.Reason || g.Repeat != w.Repeat {
			t.Errorf("signal %d is %s %q at %.1f s (repeat %t), want %s %q at %.1f s (repeat %t)",
				i, g.Status, g.Reason, float64(g.At)/1e9, g.Repeat, w.Status, w.Reason, float64(w.At)/1e9, w.Repeat)
		}
		if g.Type != "alert" || g.Component != "alertmanager" || g.EmittedAt != g.At || g.Labels["alertname"] == "" {
			t.Errorf("signal %d is not a complete notification: %+v", i, g)
		}
	}
}

func firing(at int64, reason string) detector.Signal {
	return detector.Signal{At: at, Status: "firing", Reason: reason}
}

func resolved(at int64, reason string) detector.Signal {
	return detector.Signal{At: at, Status: "resolved", Reason: reason}
}

func repeated(s detector.Signal) detector.Signal { s.Repeat = true; return s }

// A live Alertmanager 0.25 told of a fresh group after 2.02 s.
func TestFreshGroupWaitsGroupWait(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 100*second, "A")
	if r.model.Groups() != 1 {
		t.Errorf("%d groups, want 1", r.model.Groups())
	}
	r.until(140 * second)
	r.want(t, firing(102*second, FirstNotification))
}

// Live: removal of the fault at the first webhook, the rule inactive 8 s later,
// resolved webhook 20.0 s after removal each time.
func TestResolutionIsQuantisedByGroupInterval(t *testing.T) {
	for _, inactiveAfter := range []int64{1, 8, 19} {
		r := newRig(measured())
		r.fire(100*second, 100*second, "A")
		r.resolve((102+inactiveAfter)*second, 100*second, "A")
		r.until(200 * second)
		r.want(t, firing(102*second, FirstNotification), resolved(122*second, AllResolved))
	}
}

// Live: a trial that begins 4 s after the resolved webhook, with the rule
// firing 3.7 s after onset, was told after 12.0 to 13.1 s, 6 times of 6: the
// emptied group lives on until the 30 s ticker. With a ticker in between, or in
// v0.32 and later, it is 2 s.
func TestRegroupAfterShortQuiet(t *testing.T) {
	for _, tc := range []struct {
		name        string
		shift       int64 // of the whole history against the ticker
		maintenance exact.Duration
		wait        int64
	}{
		{"before v0.32", 0, 30 * exact.Second, 12300e6}, // resolved at 122 s, firing at 129.7 s, ticker at 150 s
		{"ticker in between", 25 * second, 30 * exact.Second, 2000e6},
		{"since v0.32", 0, 0, 2000e6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := measured()
			c.Maintenance = tc.maintenance
			r := newRig(c)
			at := 100*second + tc.shift
			r.fire(at, at, "A")
			r.resolve(at+10*second, at, "A")
			again := at + 22*second + 4*second + 3700e6
			r.fire(again, again, "A")
			r.until(again + 19*second)
			r.want(t, firing(at+2*second, FirstNotification), resolved(at+22*second, AllResolved),
				firing(again+tc.wait, FirstNotification))
		})
	}
}

// Live: quiet for 36 s or more after the resolved webhook gave 2.01 s again,
// 4 times of 4.
func TestLongQuietIsFresh(t *testing.T) {
	for shift := int64(0); shift < 30; shift++ {
		r := newRig(measured())
		at := (100 + shift) * second
		r.fire(at, at, "A")
		r.resolve(at+10*second, at, "A")
		again := at + (22+36)*second + 3600e6
		r.until(again)
		if r.model.Groups() != 0 {
			t.Errorf("shift %d: %d groups after the ticker, want 0", shift, r.model.Groups())
		}
		r.fire(again, again, "A")
		r.until(again + 10*second)
		r.want(t, firing(at+2*second, FirstNotification), resolved(at+22*second, AllResolved),
			firing(again+2*second, FirstNotification))
	}
}

// Live: a fault 11 s after removal, with the rule inactive but the resolved
// flush still pending, brought no webhook within 45 s, 3 times of 3.
func TestSilentRefire(t *testing.T) {
	for _, maintenance := range []exact.Duration{0, 30 * exact.Second} {
		c := measured()
		c.Maintenance = maintenance
		r := newRig(c)
		r.fire(100*second, 100*second, "A")
		r.resolve(110*second, 100*second, "A")
		again := 116700 * int64(exact.Millisecond)
		for at := again; at < again+3700*second; at += 61 * second {
			r.fire(at, again, "A")
		}
		r.want(t, firing(102*second, FirstNotification), repeated(firing(3722*second, RepeatElapsed)))
	}
}

func TestNotifiedBeforeGroupWaitNever(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 100*second, "A")
	r.resolve(101*second, 100*second, "A")
	r.until(500 * second)
	r.want(t)
	if r.model.Groups() != 0 {
		t.Errorf("%d groups, want 0", r.model.Groups())
	}
}

func TestOldAlertFlushesAtOnce(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 90*second, "A")
	if r.model.Next() != 100*second {
		t.Fatalf("next at %d, want now", r.model.Next())
	}
	r.until(101 * second)
	r.want(t, firing(100*second, FirstNotification))

	// The start is one nanosecond too young: the wait holds.
	r = newRig(measured())
	r.fire(100*second, 98*second, "A")
	r.until(103 * second)
	r.want(t, firing(102*second, FirstNotification))
}

func TestGroupSharesNotifications(t *testing.T) {
	c := measured()
	c.GroupBy = []string{"job"}
	r := newRig(c)
	r.fire(100*second, 100*second, "B")
	r.fire(110*second, 110*second, "A") // waits for the flush at 122
	r.until(130 * second)
	r.resolve(130*second, 100*second, "B") // told at 142
	r.until(150 * second)
	r.want(t,
		firing(102*second, FirstNotification),
		firing(122*second, NewAlerts), repeated(firing(122*second, NewAlerts)),
		repeated(firing(142*second, SomeResolved)), resolved(142*second, SomeResolved))
	var names []string
	for _, s := range r.signals[1:] {
		names = append(names, s.Labels["alertname"])
	}
	if !slices.Equal(names, []string{"A", "B", "A", "B"}) {
		t.Errorf("alerts in the order %v, want by label", names)
	}
}

func TestGroupBy(t *testing.T) {
	for _, tc := range []struct {
		by   []string
		want int
	}{
		{nil, 1}, {[]string{"job"}, 1}, {[]string{"alertname"}, 2}, {[]string{"..."}, 2}, {[]string{"absent"}, 1},
	} {
		c := measured()
		c.GroupBy = tc.by
		r := newRig(c)
		r.fire(1*second, 1*second, "A")
		r.fire(1*second, 1*second, "B")
		if r.model.Groups() != tc.want {
			t.Errorf("group_by %q: %d groups, want %d", tc.by, r.model.Groups(), tc.want)
		}
	}
}

func TestSendResolvedFalse(t *testing.T) {
	c := measured()
	c.SendResolved = false
	c.GroupBy = []string{"job"}
	r := newRig(c)
	r.fire(100*second, 100*second, "A")
	r.fire(100*second, 100*second, "B")
	r.resolve(105*second, 100*second, "A") // alone not worth a message
	r.resolve(125*second, 100*second, "B") // all are: logged, nothing sent
	r.until(150 * second)
	again := 200 * second
	r.fire(again, again, "A")
	r.until(again + 5*second)
	r.want(t, firing(102*second, FirstNotification), firing(102*second, FirstNotification),
		firing(202*second, FirstNotification))
}

// An alert that Prometheus stops sending resolves by itself at its EndsAt.
func TestAlertTimesOut(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 100*second, "A")
	r.until(400 * second)
	r.want(t, firing(102*second, FirstNotification), resolved(342*second, AllResolved))
}

// Prometheus sends a resolved alert again every minute for 15 minutes. Each
// makes a group again; before v0.32 that lives to the next ticker.
func TestResolvedAgainMakesAGroup(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 100*second, "A")
	r.resolve(110*second, 100*second, "A")
	r.until(171 * second)
	if r.model.Groups() != 0 {
		t.Fatalf("%d groups, want 0", r.model.Groups())
	}
	r.model.Receive(171*second, []Alert{{Labels: labels("A"), StartsAt: 100 * second, EndsAt: 110 * second}})
	r.until(172 * second)
	if r.model.Groups() != 1 {
		t.Errorf("%d groups, want 1", r.model.Groups())
	}
	r.until(180 * second)
	if r.model.Groups() != 0 {
		t.Errorf("%d groups after the ticker, want 0", r.model.Groups())
	}
	r.want(t, firing(102*second, FirstNotification), resolved(122*second, AllResolved))
}

func TestMergeKeepsTheEarlierStart(t *testing.T) {
	r := newRig(measured())
	r.fire(100*second, 100*second, "A")
	r.fire(110*second, 105*second, "A") // a restarted Prometheus forgot the start
	r.resolve(115*second, 105*second, "A")
	r.until(130 * second)
	r.want(t, firing(102*second, FirstNotification), resolved(122*second, AllResolved))
	if s := r.signals[1].StartsAt; s != 100*second {
		t.Errorf("resolved alert starts at %d, want 100 s", s)
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Config){
		"wait":        func(c *Config) { c.GroupWait = -1 },
		"interval":    func(c *Config) { c.GroupInterval = 0 },
		"repeat":      func(c *Config) { c.RepeatInterval = 0 },
		"maintenance": func(c *Config) { c.Maintenance = -1 },
		"empty":       func(c *Config) { c.GroupBy = []string{""} },
		"all and one": func(c *Config) { c.GroupBy = []string{"...", "job"} },
		"twice":       func(c *Config) { c.GroupBy = []string{"job", "job"} },
	} {
		c := good
		change(&c)
		if c.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzModel looks for laws that hold whatever arrives: signals come in order,
// a firing alert is told again only as a repeat until it has been resolved, and
// a model that hears nothing any more comes to rest.
func FuzzModel(f *testing.F) {
	for seed := uint64(0); seed < 20; seed++ {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(random.New("alertmanager model", fmt.Sprint(seed)))
		c := Config{
			GroupWait:      exact.Duration(rnd.Int64N(60 * second)),
			GroupInterval:  exact.Duration(1 + rnd.Int64N(120*second)),
			RepeatInterval: exact.Duration(1 + rnd.Int64N(1000*second)),
			SendResolved:   true,
			Maintenance:    exact.Duration(30*second) * exact.Duration(rnd.IntN(2)),
			GroupBy:        [][]string{nil, {"alertname"}, {"..."}}[rnd.IntN(3)],
		}
		r := newRig(c)
		starts := map[string]int64{}
		at := int64(0)
		for range 200 {
			at += rnd.Int64N(40 * second)
			name := string(rune('A' + rnd.IntN(3)))
			if s, on := starts[name]; on && rnd.IntN(2) == 0 {
				r.resolve(at, s, name)
				delete(starts, name)
			} else {
				if !on {
					starts[name] = at
				}
				r.fire(at, starts[name], name)
			}
		}
		r.until(at + 3600*second)
		if r.model.Groups() != 0 {
			t.Errorf("%d groups an hour after the last alert", r.model.Groups())
		}
		open := map[string]bool{}
		last := int64(0)
		for i, s := range r.signals {
			if s.At < last {
				t.Fatalf("signal %d goes back in time", i)
			}
			last = s.At
			name := s.Labels["alertname"]
			if s.Status == "firing" && s.Repeat != open[name] {
				t.Fatalf("signal %d: repeat is %t, the receiver holds %s open: %t", i, s.Repeat, name, open[name])
			}
			open[name] = s.Status == "firing"
		}
		for name, on := range open {
			if on {
				t.Errorf("%s was never told to be resolved", name)
			}
		}
	})
}

// In one group, an alert that is older than group_wait hurries the first flush:
// before v0.32 whenever it arrives, since then only if it makes the group.
func TestOldAlertInAWaitingGroup(t *testing.T) {
	for maintenance, at := range map[exact.Duration]int64{30 * exact.Second: 101, 0: 102} {
		c := measured()
		c.GroupBy = nil
		c.Maintenance = maintenance
		r := newRig(c)
		r.fire(100*second, 100*second, "A")
		r.fire(101*second, 50*second, "B")
		r.until(110 * second)
		r.want(t, firing(at*second, FirstNotification), firing(at*second, FirstNotification))
	}
}

// The alert store forgets resolved alerts every 30 minutes. Until then a newer
// alert that overlaps with a resolved one takes over its start.
func TestStoreForgetsResolved(t *testing.T) {
	for again, starts := range map[int64]int64{1790: 100, 1810: 150} {
		r := newRig(measured())
		r.fire(100*second, 100*second, "A")
		r.resolve(200*second, 100*second, "A")
		r.fire(again*second, 150*second, "A")
		r.until((again + 30) * second)
		last := r.signals[len(r.signals)-1]
		if last.Status != "firing" || last.StartsAt != starts*second {
			t.Errorf("again at %d s: %s since %d s, want firing since %d s", again, last.Status, last.StartsAt/second, starts)
		}
	}
}
