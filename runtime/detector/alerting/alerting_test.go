package alerting

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

func record() (*[]detector.Signal, detector.Sink) {
	var heard []detector.Signal
	return &heard, func(s detector.Signal) { heard = append(heard, s) }
}

// TestAlertStates follows one alert with a hold of 2 and a keep of 3 through
// conditions, one evaluation a unit of time.
func TestAlertStates(t *testing.T) {
	for _, c := range []struct {
		name       string
		hold, keep int64
		conditions string // one character an evaluation: x true, . false
		want       string // state after it: i inactive, p pending, f firing
		edges      int
	}{
		{"at once", 0, 0, ".xx.", "iffi", 2},
		{"held", 2, 0, "xxxx..", "ppffii", 2},
		{"interrupted", 2, 0, "xx.xxx", "ppippf", 1},
		{"kept", 0, 3, "x...x...", "ffffffff", 1},
		{"kept and cleared", 0, 3, "x....", "ffffi", 2},
	} {
		heard, sink := record()
		a := NewAlert(NewNotifier(nil, sink), plan.Alert{Name: "A", For: exact.Duration(c.hold), KeepFiring: exact.Duration(c.keep)}, "x")
		got := ""
		for i, ch := range c.conditions {
			a.Evaluate(int64(i), ch == 'x', func() string { return "v" })
			var s detector.State
			a.AddTo(&s)
			switch {
			case s.Firing > 0:
				got += "f"
			case s.Pending > 0:
				got += "p"
			default:
				got += "i"
			}
			if a.Quiet() != (s == detector.State{}) {
				t.Errorf("%s: quiet is %t in state %+v", c.name, a.Quiet(), s)
			}
		}
		if got != c.want {
			t.Errorf("%s: states %s, want %s", c.name, got, c.want)
		}
		if len(*heard) != c.edges {
			t.Errorf("%s: %d signals, want %d", c.name, len(*heard), c.edges)
		}
	}
}

func TestEdgesThroughAlertmanager(t *testing.T) {
	heard, sink := record()
	s := int64(exact.Second)
	n := NewNotifier(&plan.Alertmanager{GroupBy: []string{"..."}, GroupWait: 30 * exact.Second, GroupInterval: 300 * exact.Second,
		RepeatInterval: exact.Hour, SendResolved: true}, sink)
	a := NewAlert(n, plan.Alert{Name: "A"}, "x")
	a.Evaluate(100*s, true, func() string { return "1" })
	if len(*heard) != 0 || n.Groups() != 1 || n.Next() != 130*s {
		t.Fatalf("heard %v, %d groups, next %d", *heard, n.Groups(), n.Next())
	}
	n.Tick(130 * s)
	a.Evaluate(200*s, false, func() string { return "0" })
	for n.Groups() > 0 {
		n.Tick(n.Next())
	}
	if len(*heard) != 2 || (*heard)[0].At != 130*s || (*heard)[0].Status != "firing" || (*heard)[1].Status != "resolved" || (*heard)[1].At != 430*s {
		t.Errorf("heard %+v", *heard)
	}
}

func TestThresholdIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		sum, n := rng.Int64N(1<<40)-(1<<39), rng.Int64N(1<<30)+1
		num, den := rng.Int64N(1<<40)-(1<<39), rng.Int64N(1<<30)+1
		if rng.IntN(3) == 0 { // equality
			k := rng.Int64N(1000) + 1
			num, den = sum, n
			sum, n = sum*k, n*k
		}
		c := new(big.Rat).SetFrac64(sum, n).Cmp(new(big.Rat).SetFrac64(num, den))
		for comparator, want := range map[string]bool{"above": c > 0, "at_least": c >= 0, "below": c < 0} {
			if got := NewThreshold(comparator, exact.Frac(num, den)).Holds(sum, n); got != want {
				t.Fatalf("%d/%d %s %d/%d: %t", sum, n, comparator, num, den, got)
			}
		}
	}
}

func TestStandardLearns(t *testing.T) {
	s := NewStandard(plan.Alert{Learn: 4})
	for _, x := range []float64{1, 2, 3, 4} {
		if _, ok := s.Of(x); ok {
			t.Error("a value while learning")
		}
	}
	// Mean 2.5, sd sqrt(5/3).
	if z, ok := s.Of(2.5 + 1.2909944487358056); !ok || z < 0.9999999 || z > 1.0000001 {
		t.Errorf("z = %g, %t", z, ok)
	}
}
