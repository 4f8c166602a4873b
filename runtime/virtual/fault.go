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
	size     int64 // requests in one block of the quota
	stream   *random.Stream

	need, left int64   // quota on the plateau: picks and requests left in this block
	mass       float64 // quota on the plateau: fraction of a pick carried over to the next block
	rise, mark float64 // quota on a rising fraction: intended picks so far, and at how many the next falls

	from, to int64 // verification window
	pending  int64 // requests of the window that are not answered yet
	altered  int64 // changed responses that are on their way
	applied  world.Applied
}

// begin makes a fault effective at instant now. spacing is the mean time
// between requests.
//
// A block of the quota holds as many requests as the verification window
// expects, so that the number of picks in the window is fixed and their order
// in it is random (AMB-06); block sets another size.
func (f *fault) begin(now int64, spec world.Fault, block int64, spacing float64, s *random.Stream) {
	p := spec.Profile
	f.active, f.onset, f.profile, f.stream = true, now, p, s
	f.fraction = spec.Fraction.Float64()
	f.chance = random.ChanceOf(spec.Fraction.Rat())
	f.plateau = now + int64(p.Ramp)
	f.need, f.left = 0, 0
	f.mass = s.Float64()
	f.rise, f.mark = 0, s.Float64()
	f.from, f.to = f.plateau, f.until(spec.Verify)
	f.size = block
	if block == 0 {
		f.size = max(1, int64(math.Round(float64(f.onTime(f.to))/spacing)))
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

// until is the instant at which the full magnitude has lasted for so long
// (AMB-11): an intermittent fault takes longer, a pulse ends.
func (f *fault) until(verify int64) int64 {
	on, off := int64(f.profile.On), int64(f.profile.Off)
	switch f.profile.Shape {
	case "pulse":
		verify = min(verify, on)
	case "intermittent":
		return f.plateau + verify + max(0, verify-1)/on*off
	}
	return f.plateau + verify
}

// onTime is how long the profile intends the full magnitude between the
// plateau and instant t.
func (f *fault) onTime(t int64) int64 {
	if f.profile.Shape != "intermittent" {
		return t - f.plateau
	}
	on, cycle := int64(f.profile.On), int64(f.profile.On+f.profile.Off)
	return (t-f.plateau)/cycle*on + min((t-f.plateau)%cycle, on)
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
		f.mass += f.fraction * float64(f.size)
		n := math.Floor(f.mass)
		f.mass -= n
		f.need, f.left = int64(n), f.size
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
	f.rise += share
	hit := f.rise >= f.mark
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
