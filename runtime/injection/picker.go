package injection

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

// Settings of one application of a fault. Instants and spans are nanoseconds.
type Settings struct {
	Onset    int64
	Profile  plan.Profile
	Fraction exact.Number // of requests on the plateau, in (0, 1]
	Verify   int64        // how long the full magnitude is verified, in on phases only
	Quota    bool         // and not Bernoulli (AMB-06)
	Block    int64        // requests in one permuted block of the quota; 0: as many as the verification window expects
	Spacing  float64      // mean time between requests
	Stream   *random.Stream
}

// Picker decides for one request after the other, at its start, so that those
// in flight at onset stay clean and those in flight at removal keep their
// change. It is not safe for concurrent use.
type Picker struct {
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
}

// Begin makes a picker.
//
// A block of the quota holds as many requests as the verification window
// expects, so that the number of picks in the window is fixed and their order
// in it is random (AMB-06); Settings.Block sets another size.
func Begin(s Settings) Picker {
	p := Picker{profile: s.Profile, onset: s.Onset, quota: s.Quota, stream: s.Stream, size: s.Block}
	p.fraction = s.Fraction.Float64()
	p.chance = random.ChanceOf(s.Fraction.Rat())
	p.plateau = s.Onset + int64(s.Profile.Ramp)
	p.mass = s.Stream.Float64()
	p.mark = s.Stream.Float64()
	p.from, p.to = p.plateau, p.until(s.Verify)
	if p.size == 0 {
		p.size = max(1, int64(math.Round(float64(p.onTime(p.to))/s.Spacing)))
	}
	return p
}

// Window is the verification window: from the plateau on, until the full
// magnitude has lasted for as long as it is verified (AMB-07, AMB-11).
func (p *Picker) Window() (from, to int64) { return p.from, p.to }

// Cut ends the verification window at an instant, where it has not ended yet.
func (p *Picker) Cut(at int64) { p.to = min(p.to, at) }

// on tells whether the profile intends the full magnitude at instant t after
// the plateau has begun.
func (p *Picker) on(t int64) bool {
	switch p.profile.Shape {
	case "pulse":
		return t < p.onset+int64(p.profile.On)
	case "intermittent":
		return (t-p.onset)%int64(p.profile.On+p.profile.Off) < int64(p.profile.On)
	}
	return true
}

// until is the instant at which the full magnitude has lasted for so long
// (AMB-11): an intermittent fault takes longer, a pulse ends.
func (p *Picker) until(verify int64) int64 {
	on, off := int64(p.profile.On), int64(p.profile.Off)
	switch p.profile.Shape {
	case "pulse":
		verify = min(verify, on)
	case "intermittent":
		return p.plateau + verify + max(0, verify-1)/on*off
	}
	return p.plateau + verify
}

// onTime is how long the profile intends the full magnitude between the
// plateau and instant t.
func (p *Picker) onTime(t int64) int64 {
	if p.profile.Shape != "intermittent" {
		return t - p.plateau
	}
	on, cycle := int64(p.profile.On), int64(p.profile.On+p.profile.Off)
	return (t-p.plateau)/cycle*on + min((t-p.plateau)%cycle, on)
}

// Verifies tells whether a request that starts at t counts for the achieved
// magnitude: it lies in the window, in an on-phase (AMB-11).
func (p *Picker) Verifies(t int64) bool { return t >= p.from && t < p.to && p.on(t) }

// Pick decides for the request that starts at t, at onset or later.
func (p *Picker) Pick(t int64) bool {
	if t < p.plateau {
		share := p.fraction * (float64(t-p.onset) / float64(p.plateau-p.onset))
		if !p.quota {
			return p.stream.Float64() < share
		}
		return p.rising(share)
	}
	if !p.on(t) {
		return false
	}
	if !p.quota {
		return p.stream.Hit(p.chance)
	}
	if p.left == 0 {
		p.mass += p.fraction * float64(p.size)
		n := math.Floor(p.mass)
		p.mass -= n
		p.need, p.left = int64(n), p.size
	}
	hit := int64(p.stream.Below(uint64(p.left))) < p.need
	p.left--
	if hit {
		p.need--
	}
	return hit
}

// rising keeps the number of picks within one of the intended mass while the
// fraction changes: each unit of mass has one pick at a random place in it.
func (p *Picker) rising(share float64) bool {
	p.rise += share
	hit := p.rise >= p.mark
	if hit {
		p.mark = math.Floor(p.mark) + 1 + p.stream.Float64()
	}
	return hit
}

// Seed is the seed with which the transform of a fault class changes one
// response: it depends on the application and on what was asked, and not on
// the order in which requests come.
func Seed(trial, key string) uint64 {
	h := sha256.New()
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(trial)))
	h.Write(n[:])
	h.Write([]byte(trial))
	h.Write([]byte(key))
	return binary.BigEndian.Uint64(h.Sum(nil))
}
