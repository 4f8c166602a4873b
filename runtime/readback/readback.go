package readback

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/drivers"
	"github.com/fdbench/fdbench/runtime/random"
)

// Reading is what was read of an environment at one instant: a SHA-256 of each
// part, as "sha256:" and hex. A part that cannot be read is "".
type Reading struct {
	Detector   string
	Serving    string // the deployment with any fault that acts on it
	Population string
}

// Expected is the reading of a world that is as the plan declares it, with no
// fault applied. The error is that of a detector that cannot be made.
//
// What a deployment and a detector say that run by themselves cannot be told
// from a plan: the first reading of such a series is what the others are held
// against.
func Expected(p *plan.Plan) (Reading, error) {
	if p.Declaration.Serving.Endpoint != nil {
		return Reading{Population: plan.PopulationDigest(p)}, nil
	}
	r := Reading{Serving: Deployment{Declared: plan.DeploymentDigest(p)}.Digest(), Population: plan.PopulationDigest(p)}
	d, err := drivers.New(p, func(purpose string) *random.Stream { return random.New("read back", purpose) }, func(detector.Signal) {})
	if err != nil {
		return Reading{}, err
	}
	if c, ok := d.(detector.Configured); ok {
		var s detector.Settings
		c.Settings(&s)
		for _, ind := range p.Declaration.Detector.Indicators {
			Indicator(&s, &p.Declaration, ind, ind.Sampling)
		}
		r.Detector = s.Digest()
	}
	return r, nil
}

// Indicator writes how the detector gets one of its indicators: what is
// computed, by which method or judge, and of which share of the responses.
func Indicator(s *detector.Settings, d *plan.Declaration, ind plan.DetectorIndicator, sampling exact.Number) {
	s.Text("computes", ind.Indicator)
	for _, i := range d.Indicators {
		if i.Name == ind.Indicator {
			s.Text("method", i.Method())
		}
	}
	s.Text("judge", ind.JudgeModel+" "+ind.JudgeVersion)
	s.Text("sampling", sampling.String())
}

// Deployment is the state of a deployment that a reading tells of.
type Deployment struct {
	Declared string // plan.DeploymentDigest of what it was started from
	Replaced string // which of its parts are no longer those that it was started with, "" for none
	Fault    Fault
}

// Fault is a fault that acts on a deployment; the zero value is none. A fault
// acts until the last response that it changed was answered.
type Fault struct {
	Class    string
	Fraction exact.Number
	Profile  string
}

// Settings writes the state.
func (d Deployment) Settings(s *detector.Settings) {
	s.Text("deployment", d.Declared)
	s.Text("replaced", d.Replaced)
	if d.Fault.Class == "" {
		s.Text("fault", "none")
		return
	}
	s.Text("fault", d.Fault.Class)
	s.Text("fraction", d.Fault.Fraction.String())
	s.Text("profile", d.Fault.Profile)
}

// Digest is the SHA-256 of the state.
func (d Deployment) Digest() string {
	var s detector.Settings
	d.Settings(&s)
	return s.Digest()
}
