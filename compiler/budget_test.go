package compiler

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// TestLiveBudgetCountsEveryGate adds up a series in real time as the procedure
// goes through it: a gate before the Baseline Interval, before every trial and
// before every stretch of the observation of false detections.
func TestLiveBudgetCountsEveryGate(t *testing.T) {
	budgets := map[string][3]exact.Duration{}
	var gates [3]exact.Duration
	for _, least := range []string{"1000h", "1025h"} {
		p := livePlan(t, `series "example" {
  false_detection { at_least = "`+least+`" }
}`)
		d := &p.Declaration
		var want [3]exact.Duration
		for l, point := range d.Load.Points {
			b := p.Budget.LoadBudget[l]
			least := shortestQuiet(d.Quiet, point, 0)
			gates = [3]exact.Duration{least, min(max(d.Quiet.AtMost, d.Quiet.AtLeast), least+point.Window), max(d.Quiet.AtMost, least)}
			n, length := p.Stretches(l, d.FalseDetection.AtLeast)
			if n < 200 {
				t.Fatalf("%d stretches", n)
			}
			for i, total := range []exact.Duration{b.Best, b.Expected, b.Worst} {
				var fault exact.Duration
				count := 1 + d.Sham.Trials + n
				trials := func(k int, span exact.Duration) {
					count += k
					fault += exact.Duration(k) * span
				}
				kase := budgetCases[i]
				for _, c := range p.Combinations.Trials {
					if c.Load == l {
						trials(kase.attempts(c.Trials, c.Attempts, c.Discard), kase.applied(point.Window, c.Verification, c.Timeout, c.Profile.Ramp))
					}
				}
				for _, q := range p.Combinations.Searches {
					if q.Load == l {
						trials(kase.evaluations(q.Steps)*kase.attempts(q.Trials, q.Attempts, "0"), kase.applied(point.Window, q.Verification, q.Timeout, q.Profile.Ramp))
					}
				}
				if m := d.Masking; m != nil {
					trials(len(m.Targets)*kase.attempts(m.Trials, (3*m.Trials+1)/2, "0"), point.Verification)
				}
				if fault > d.FalseDetection.AtLeast {
					t.Fatalf("faults are applied for %s, so the declared time does not count", fault)
				}
				sham := exact.Duration(d.Sham.Trials) * budgetCases[i].sham(point.Timeout)
				if sum := point.Baseline + sham + fault + length + exact.Duration(count)*gates[i]; sum != total {
					t.Errorf("%s, %s: %s, want %s", least, budgetCases[i].name, total, sum)
				}
				want[i] += total
			}
		}
		budgets[least] = [3]exact.Duration{p.Budget.Best, p.Budget.Expected, p.Budget.Worst}
		if budgets[least] != want {
			t.Errorf("%s: %v in all, and the loads add up to %v", least, budgets[least], want)
		}
	}
	// 25 hours more are 60 stretches of 25 minutes more at each load, gates included.
	loads := exact.Duration(len(livePlan(t, "").Declaration.Load.Points))
	for i, name := range []string{"best", "expected", "worst"} {
		if more := budgets["1025h"][i] - budgets["1000h"][i]; more != loads*(25*exact.Hour+60*gates[i]) {
			t.Errorf("%s: 25 hours more take %s", name, more)
		}
	}
}

// A simulation observes in a few stretches side by side, whose gates add little.
func TestSimulatedBudgetHasNoStretches(t *testing.T) {
	p, _ := planOf(t, example(t, ""))
	if s := p.Estimators.Engine; s == "" || len(p.Budget.LoadBudget) == 0 {
		t.Fatalf("%+v", p.Budget)
	}
	q, _ := planOf(t, example(t, `series "example" {
  false_detection { at_least = "1000h" }
}`))
	longer, _ := planOf(t, example(t, `series "example" {
  false_detection { at_least = "1001h" }
}`))
	loads := exact.Duration(len(q.Declaration.Load.Points))
	for i, pair := range [][2]exact.Duration{{q.Budget.Best, longer.Budget.Best}, {q.Budget.Worst, longer.Budget.Worst}} {
		if pair[1]-pair[0] != loads*exact.Hour {
			t.Errorf("%d: an hour more takes %s", i, pair[1]-pair[0])
		}
	}
}
