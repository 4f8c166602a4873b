package virtual

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// fault is the simulated apparatus at work: it picks requests at their start,
// so that those in flight at onset stay clean and those in flight at removal
// keep their change.
type fault struct {
	injection.Picker
	active  bool
	spec    world.Fault
	twin    []int32
	class   int
	column  int // of the class's indicator
	onset   int64
	quota   bool
	pending int64 // requests of the window that are not answered yet
	altered int64 // changed responses that are on their way
	applied world.Applied
}

// begin makes a fault effective at instant now. spacing is the mean time
// between requests, block the size of the quota's blocks.
func (f *fault) begin(now int64, spec world.Fault, block int64, spacing float64, s *random.Stream) {
	f.active, f.onset = true, now
	f.Picker = injection.Begin(injection.Settings{Onset: now, Profile: spec.Profile, Fraction: spec.Fraction, Verify: spec.Verify,
		Quota: f.quota, Block: block, Spacing: spacing, Stream: s})
	f.pending, f.altered = 0, 0
	from, to := f.Window()
	f.applied = world.Applied{FirstAffected: -1, From: from, To: to}
}

// guard is the chance that a guardrail on the way restores a changed response.
func guard(p *plan.Plan, class string) random.Chance {
	pass := exact.Int(1)
	for _, g := range p.Declaration.Environment.Guardrails {
		if g.Acts && (g.Class == "" || g.Class == class) {
			pass = pass.Mul(exact.Int(1).Sub(g.Masks))
		}
	}
	return random.ChanceOf(exact.Int(1).Sub(pass).Rat())
}
