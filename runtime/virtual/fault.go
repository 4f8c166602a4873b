package virtual

import (
	"math"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// fault is the simulated apparatus at work: it picks requests at their start,
// so that those in flight at onset stay clean and those in flight at removal
// keep their change.
type fault struct {
	active   bool
	twin     []int32
	class    int
	column   int // of the class's indicator
	profile  plan.Profile
	onset    int64
	plateau  int64
	fraction float64
	chance   random.Chance
	quota    bool
	block    int64
	stream   *random.Stream

	need, left int64   // quota on a constant fraction: picks and requests left in this block
	mass       float64 // quota: intended picks so far, fractional part carried over
	mark       float64 // quota on a rising fraction: the mass at which the next pick falls

	from, to int64 // verification window
	pending  int64 // requests of the window that are not answered yet
	altered  int64 // changed responses that are on their way
	applied  world.Applied
}

// begin makes a fault effective at instant now.
func (f *fault) begin(now int64, spec world.Fault, s *random.Stream) {
	p := spec.Profile
	f.active, f.onset, f.profile, f.stream = true, now, p, s
	f.fraction = spec.Fraction.Float64()
	f.chance = random.ChanceOf(spec.Fraction.Rat())
	f.plateau = now + int64(p.Ramp)
	f.need, f.left = 0, 0
	f.mass = s.Float64()
	f.mark = s.Float64()
	f.from, f.to = f.plateau, f.plateau+spec.Verify
	if p.Shape == "pulse" {
		f.to = min(f.to, now+int64(p.On))
	}
	f.pending, f.altered = 0, 0
	f.applied = world.Applied{FirstAffected: -1, From: f.from, To: f.to}
}

// on tells whether the profile intends the full magnitude at instant t after
// the plateau has begun.
func (f *fault) on(t int64) bool {
	switch f.profile.Shape {
	case "pulse":
		return t < f.onset+int64(f.profile.On)
	case "intermittent":
		return (t-f.onset)%int64(f.profile.On+f.profile.Off) < int64(f.profile.On)
	}
	return true
}

// verifies tells whether a request that starts at t counts for the achieved
// magnitude: it lies in the window, in an on-phase (AMB-11).
func (f *fault) verifies(t int64) bool { return t >= f.from && t < f.to && f.on(t) }

// pick decides for the request that starts at t.
func (f *fault) pick(t int64) bool {
	if t < f.plateau {
		share := f.fraction * (float64(t-f.onset) / float64(f.plateau-f.onset))
		if !f.quota {
			return f.stream.Float64() < share
		}
		return f.rising(share)
	}
	if !f.on(t) {
		return false
	}
	if !f.quota {
		return f.stream.Hit(f.chance)
	}
	if f.left == 0 {
		f.mass += f.fraction * float64(f.block)
		n := math.Floor(f.mass)
		f.mass -= n
		f.need, f.left = int64(n), f.block
	}
	hit := int64(f.stream.Below(uint64(f.left))) < f.need
	f.left--
	if hit {
		f.need--
	}
	return hit
}

// rising keeps the number of picks within one of the intended mass while the
// fraction changes: each unit of mass has one pick at a random place in it.
func (f *fault) rising(share float64) bool {
	f.mass += share
	hit := f.mass >= f.mark
	if hit {
		f.mark = math.Floor(f.mark) + 1 + f.stream.Float64()
	}
	return hit
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
