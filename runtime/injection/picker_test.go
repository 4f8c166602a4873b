package injection

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

const second = int64(exact.Second)

// settings is a step of one request every 10 ms.
func settings(fraction string, p plan.Profile) Settings {
	return Settings{Onset: 7 * second, Profile: p, Fraction: exact.MustParse(fraction), Verify: 100 * second, Quota: true, Spacing: 1e7,
		Stream: random.New("t")}
}

// count lets requests start from one instant to another.
func count(p *Picker, from, to, gap int64) (picks, verified, both int64) {
	for t := from; t < to; t += gap {
		v, hit := p.Verifies(t), p.Pick(t)
		if hit {
			picks++
		}
		if v {
			verified++
			if hit {
				both++
			}
		}
	}
	return
}

func TestQuotaInTheWindow(t *testing.T) {
	for _, c := range []struct {
		profile plan.Profile
		from    int64 // of the window, from onset
		length  int64
		on      int64 // of it
	}{
		{plan.Profile{Shape: "step"}, 0, 100, 100},
		{plan.Profile{Shape: "ramp", Ramp: 60 * exact.Second}, 60, 100, 100},
		{plan.Profile{Shape: "pulse", On: 40 * exact.Second}, 0, 40, 40},
		{plan.Profile{Shape: "intermittent", On: 20 * exact.Second, Off: 40 * exact.Second}, 0, 260, 100},
	} {
		for _, fraction := range []string{"1/1000", "0.05", "1/3", "0.999", "1"} {
			p := Begin(settings(fraction, c.profile))
			from, to := p.Window()
			if from != (7+c.from)*second || to != from+c.length*second {
				t.Fatalf("%s: window from %d to %d", c.profile.Shape, from, to)
			}
			_, verified, both := count(&p, 7*second, to, second/100)
			want := float64(c.on*100) * exact.MustParse(fraction).Float64()
			if verified != c.on*100 || math.Abs(float64(both)-want) > 1 {
				t.Errorf("%s, %s: %d of %d picked, want %.1f of %d", c.profile.Shape, fraction, both, verified, want, c.on*100)
			}
		}
	}
}

func TestOffPhasesAndThePulsesEndAreClean(t *testing.T) {
	p := Begin(settings("1", plan.Profile{Shape: "intermittent", On: 20 * exact.Second, Off: 40 * exact.Second}))
	if picks, verified, _ := count(&p, 27*second, 67*second, second); picks != 0 || verified != 0 {
		t.Errorf("%d picks, %d verified in an off phase", picks, verified)
	}
	if picks, _, _ := count(&p, 67*second, 87*second, second); picks != 20 {
		t.Errorf("%d picks of 20 in an on phase", picks)
	}
	p = Begin(settings("1", plan.Profile{Shape: "pulse", On: 5 * exact.Second}))
	if picks, _, _ := count(&p, 12*second, 100*second, second); picks != 0 {
		t.Errorf("%d picks after a pulse", picks)
	}
}

func TestRampRises(t *testing.T) {
	for _, quota := range []bool{true, false} {
		s := settings("1", plan.Profile{Shape: "ramp", Ramp: 200 * exact.Second})
		s.Quota = quota
		p := Begin(s)
		first, _, _ := count(&p, 7*second, 107*second, second/100)
		rest, _, _ := count(&p, 107*second, 207*second, second/100)
		slack := 3.0
		if !quota {
			slack = 250
		}
		if math.Abs(float64(first)-2500) > slack || math.Abs(float64(rest)-7500) > slack {
			t.Errorf("quota %v: %d and %d picks in the halves of a ramp, want 2500 and 7500", quota, first, rest)
		}
	}
}

func TestBernoulliHasItsShare(t *testing.T) {
	s := settings("0.05", plan.Profile{Shape: "step"})
	s.Quota = false
	p := Begin(s)
	picks, _, _ := count(&p, 7*second, 7*second+100000, 1)
	if math.Abs(float64(picks)-5000) > 4*math.Sqrt(4750) {
		t.Errorf("%d of 100000 picked", picks)
	}
}

func TestCutEndsTheWindow(t *testing.T) {
	p := Begin(settings("1", plan.Profile{Shape: "step"}))
	p.Cut(20 * second)
	p.Cut(30 * second)
	if _, to := p.Window(); to != 20*second || p.Verifies(20*second) || !p.Verifies(20*second-1) {
		t.Errorf("the window ends at %d", to)
	}
}

// A block is of its own size where it is set: with one pick a block, every
// block has one.
func TestBlock(t *testing.T) {
	s := settings("0.1", plan.Profile{Shape: "step"})
	s.Block = 10
	p := Begin(s)
	var misses int
	for range 1000 {
		if n, _, _ := count(&p, 7*second, 7*second+10, 1); n != 1 {
			misses++
		}
	}
	// What is carried over is rounded once in a while.
	if misses > 2 {
		t.Errorf("%d of 1000 blocks have another number than one", misses)
	}
}

func TestSeed(t *testing.T) {
	seen := map[uint64]string{}
	for _, c := range [][2]string{{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "c"}, {"b", "b"}} {
		s := Seed(c[0], c[1])
		if before, ok := seen[s]; ok || s != Seed(c[0], c[1]) {
			t.Errorf("%q and %q have one seed", before, c)
		}
		seen[s] = c[0] + "|" + c[1]
	}
}

func BenchmarkPick(b *testing.B) {
	p := Begin(settings("0.05", plan.Profile{Shape: "step"}))
	for b.Loop() {
		p.Pick(8 * second)
	}
}
