package result

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/gate"
)

// ConditionError says that a plan has a condition that this program does not
// read.
type ConditionError struct {
	Gate string
	Err  error
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("the condition of gate %q cannot be read: %s. The plan is of another version of fdbench; compile the scenario again", e.Gate, strings.TrimRight(e.Err.Error(), "."))
}

// judgeGates holds the conditions of a plan against a result. A gate has no
// data where one of the counts that it needs is too small or does not exist,
// and where the figures that decide it do not exist: nothing passes for want of
// data.
func judgeGates(gates []plan.Gate, r *Result) ([]Gate, error) {
	out := []Gate{}
	for _, g := range gates {
		c, bad := gate.Compile(g.Condition)
		if bad != nil {
			return nil, &ConditionError{g.Name, bad}
		}
		x := Gate{Name: g.Name, Condition: c.Text(), From: g.From, AtLeast: []Minimum{}, Observed: []Observation{}}
		outcome := c.Evaluate(r.gate.Env)
		x.Status, x.Why = outcome.Status.String(), outcome.Why
		for _, o := range outcome.Observed {
			x.Observed = append(x.Observed, observation(o.Name, o.Value))
		}
		for _, m := range g.AtLeast {
			have := r.gate.Values[m.Metric]
			k := Minimum{Metric: m.Metric, N: m.N}
			if n, ok := have.Number.Int64(); ok && !have.Null && have.Kind == gate.Count {
				k.Have = &n
			}
			x.AtLeast = append(x.AtLeast, k)
			if k.Have != nil && *k.Have >= m.N {
				continue
			}
			if x.Status != GateNoData {
				x.Why = ""
			}
			x.Status = GateNoData
			x.Why = sentences(x.Why, shortage(k, have))
		}
		out = append(out, x)
	}
	return out, nil
}

func shortage(m Minimum, have gate.Value) string {
	if m.Have == nil {
		return fmt.Sprintf("%s does not exist: %s, and the gate needs at least %d.", m.Metric, have.Why, m.N)
	}
	return fmt.Sprintf("%s is %d, and the gate needs at least %d.", m.Metric, *m.Have, m.N)
}

func sentences(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

func observation(name string, v gate.Value) Observation {
	o := Observation{Metric: name, Text: v.String()}
	switch {
	case v.Null:
		o.Why = v.Why
	case v.Kind != gate.Truth && v.Kind != gate.Text:
		o.Value = new(v.Number.Float64())
	}
	if v.Share != nil {
		o.Numerator, o.Denominator = &v.Share.Numerator, &v.Share.Denominator
	}
	return o
}

// GatesFailed lists the gates that did not pass, failures before those without
// data.
func (r *Result) GatesFailed() []Gate {
	var failed, without []Gate
	for _, g := range r.Gates {
		switch g.Status {
		case GateFailed:
			failed = append(failed, g)
		case GateNoData:
			without = append(without, g)
		}
	}
	return append(failed, without...)
}
