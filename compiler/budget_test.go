package compiler

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/refdata"
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

// TestReferenceBudget compares the worst case of a compiled series with the
// reference, which leaves out the gate before each Baseline Interval and has no
// sham trials.
func TestReferenceBudget(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/stats-reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	type budget struct {
		Loads, Classes, Magnitudes, Profiles, Trials int
		Timeout                                      int `json:"timeout_s"`
		Quiet                                        int `json:"quiet_s"`
		Discards                                     int `json:"discard_limit"`
	}
	var file struct {
		Cases []struct {
			ID, Group       string
			Input, Expected json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, c := range file.Cases {
		if c.Group != "budget_worst_case" {
			continue
		}
		cases++
		var in budget
		want := map[string]int{}
		if err := errors.Join(json.Unmarshal(c.Input, &in), json.Unmarshal(c.Expected, &want)); err != nil {
			t.Fatal(err)
		}
		combinations := in.Classes * in.Magnitudes * in.Profiles
		var magnitudes []string
		for i := range combinations {
			magnitudes = append(magnitudes, fmt.Sprintf("0.%d", i+1))
		}
		p, _ := planOf(t, example(t, fmt.Sprintf(`series "example" {
  load { points = "1..100 req/s in %d log steps" }
  quiet {
    at_least = "%[2]ds"
    at_most  = "%[2]ds"
  }
  baseline { interval = "600s" }
  trials {
    count    = %[3]d
    attempts = %[4]d
    timeout  = "%[5]ds"
  }
  fault "refusals" { magnitudes = [%[6]s] }
  false_detection { at_least = "1m" }
  sham { trials = 0 }
  remove "threshold" {}
  remove "masking" {}
  reduced { reason = "no search" }
}
`, in.Loads, in.Quiet, in.Trials, in.Trials+in.Discards, in.Timeout, strings.Join(magnitudes, ", "))))
		if n := len(p.Combinations.Trials); n != combinations*in.Loads {
			t.Fatalf("%d combinations", n)
		}
		sham := p.Declaration.Sham.Trials
		got := map[string]int{}
		seconds := func(d exact.Duration) int { return int(d / exact.Second) }
		for l, point := range p.Declaration.Load.Points {
			fault := 0
			for _, x := range p.Combinations.Trials {
				if x.Load == l {
					fault += x.Attempts * seconds(x.Timeout)
					got["trial_phase_s"] += x.Attempts * seconds(x.Timeout+p.Declaration.Quiet.AtMost)
				}
			}
			got["fdr_per_load_s"] = fault
			got["fdr_total_s"] += fault
			got["baseline_total_s"] += seconds(point.Baseline)
		}
		got["total_s"] = seconds(p.Budget.Worst) - in.Loads*(in.Quiet+sham*(in.Timeout+in.Quiet))
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.ID, got, want)
		}
	}
	if cases == 0 {
		t.Error("the reference has no budget")
	}
}
