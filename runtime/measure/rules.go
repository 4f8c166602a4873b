package measure

import (
	"slices"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/spec"
)

// Rules returns the rules that a result is decided by: every requirement that
// a run can break. Each is broken and kept by examples that package
// runtime/measure/example carries out. The caller owns the slice.
func Rules() []spec.Rule { return slices.Clone(registered()) }

// registered lists them by section of the methodology.
var registered = sync.OnceValue(func() []spec.Rule {
	return slices.Concat(environmentRules(), topologyRules(), trafficRules(), apparatusRules(), clockRules(), declarationRules(),
		baselineRules(), quietRules(), latencyRules(), searchRules(), falseDetectionRules(), maskingRules())
})

var byID = sync.OnceValue(func() map[string]spec.Rule {
	m := make(map[string]spec.Rule)
	for _, r := range registered() {
		m[r.ID] = r
	}
	return m
})

func lookup(id string) (spec.Rule, bool) {
	r, ok := byID()[id]
	return r, ok
}

// Bases of examples: valid series that their texts change.
const (
	BaseVirtual  = ""         // in virtual time, one load, masking trials and a search from the floor
	BaseReal     = "real"     // in real time: two hosts, probed clocks, everything attested
	BaseOneHost  = "one host" // in real time on one host
	BaseDeclared = "declared" // in virtual time, the search from 0.08 to 0.4 by 0.02
	BaseFloor    = "floor"    // in virtual time, the search for 3 of 20, which its floor meets
	BaseReduced  = "reduced"  // in virtual time, nineteen trials, listed as a reduction
)

// shown is an example in the list of a rule.
type shown struct {
	spec.Example
	breaks bool
}

// rule is a rule of the moment at which all of this package's are decided.
func rule(id string, effect spec.Effect, how string, examples ...shown) spec.Rule {
	r := spec.Rule{ID: id, Stage: spec.Run, How: how, Effect: effect}
	for _, x := range examples {
		if x.breaks {
			r.Bad = append(r.Bad, x.Example)
		} else {
			r.Good = append(r.Good, x.Example)
		}
	}
	return r
}

// breaks and keeps are examples; lines are the text, whose lines below a pick
// are indented here.
func breaks(name string, lines ...string) shown {
	return shown{spec.Example{Name: name, In: where(lines), Text: indent(lines)}, true}
}

func keeps(name string, lines ...string) shown {
	return shown{spec.Example{Name: name, In: where(lines), Text: indent(lines)}, false}
}

func (x shown) edge() shown {
	x.Edge = true
	return x
}

func (x shown) on(base string) shown {
	x.Base = base
	return x
}

// verbs begin the lines that change what was picked.
var verbs = []string{"set", "null", "put", "cut", "shift", "drop", "copy", "before", "after", "next", "previous"}

func indent(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if first, _, _ := strings.Cut(l, " "); slices.Contains(verbs, first) {
			b.WriteString("  ")
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

// where tells what an example changes: a plan, which the journal then follows,
// or a journal.
func where(lines []string) string {
	in := spec.InJournal
	for _, l := range lines {
		first, _, _ := strings.Cut(l, " ")
		switch {
		case slices.Contains(verbs, first):
		case first == planItem:
			in = spec.InPlan
		default:
			return spec.InJournal
		}
	}
	return in
}

// planItem is the kind under which an example picks the plan.
const planItem = "plan"
