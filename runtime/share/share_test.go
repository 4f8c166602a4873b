package share

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

func live(apparatus string) *plan.Plan {
	p := &plan.Plan{}
	p.Declaration.Serving.Endpoint = &plan.Endpoint{}
	p.Declaration.Apparatus.Kind = apparatus
	return p
}

func TestOf(t *testing.T) {
	num := exact.MustParse
	twins := []journal.Twin{{Class: "up", Sum: 100, Before: 2, N: 100}, {Class: "down", Sum: 100, Before: 500, N: 100},
		{Class: "none", Sum: 3, Before: 3, N: 50}, {Class: "unseen"}}
	for _, c := range []struct {
		name, class, magnitude, planned, want string
		p                                     *plan.Plan
	}{
		{"the plan decides in virtual time", "up", "0.1", "0.3", "0.3", &plan.Plan{}},
		{"upward", "up", "0.1", "0", "5/49", live("proxy")},
		{"every response", "up", "0.98", "0", "1", live("proxy")},
		{"just too much", "up", "0.981", "0", "", live("proxy")},
		{"downward", "down", "-1", "0", "0.25", live("proxy")},
		{"of the wrong sign", "down", "1", "0", "", live("proxy")},
		{"no effect", "none", "0.1", "0", "", live("proxy")},
		{"nothing seen", "unseen", "0.1", "0", "", live("proxy")},
		{"not twinned", "absent", "0.1", "0", "", live("proxy")},
		{"a mechanism", "up", "0.1", "0", "1", live("http")},
		{"a mechanism for a share of the replicas", "up", "0.1", "0.5", "0.5", live("command")},
	} {
		got, err := Of(c.p, c.class, num(c.magnitude), num(c.planned), twins)
		var reach *ReachError
		if c.want == "" {
			if !errors.As(err, &reach) || reach.Error() == "" {
				t.Errorf("%s: %s, %v", c.name, got, err)
			}
		} else if err != nil || got.Cmp(num(c.want)) != 0 {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestShareGivesItsMagnitude: changing the share of the responses moves the
// mean by exactly the magnitude, and a share is never outside (0, 1].
func TestShareGivesItsMagnitude(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	one := exact.Int(1)
	reached := 0
	for range 2000 {
		twin := journal.Twin{Class: "c", Sum: rng.Int64N(400), Before: rng.Int64N(400), N: 1 + rng.Int64N(300)}
		d := exact.Frac(rng.Int64N(200)-100, 1+rng.Int64N(100))
		f, err := Of(live("proxy"), "c", d, exact.Number{}, []journal.Twin{twin})
		if err != nil {
			continue
		}
		reached++
		if d.Sign() != 0 && (f.Sign() <= 0 || f.Cmp(one) > 0) {
			t.Fatalf("%+v, %s: a share of %s", twin, d, f)
		}
		before, sum, n := exact.Int(twin.Before), exact.Int(twin.Sum), exact.Int(twin.N)
		mixed := f.Mul(sum).Add(one.Sub(f).Mul(before)).Div(n)
		if moved := mixed.Sub(before.Div(n)); moved.Cmp(d) != 0 {
			t.Fatalf("%+v: a share of %s moves the mean by %s, want %s", twin, f, moved, d)
		}
	}
	if reached < 100 {
		t.Errorf("only %d magnitudes were within reach", reached)
	}
}
