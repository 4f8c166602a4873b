package measure

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
)

// servingKey is everything about the deployment that could make one result
// incomparable with another.
type servingKey struct {
	Serving     plan.Serving   `json:"serving"`
	Responses   string         `json:"responses_sha256"`
	Environment string         `json:"environment"`
	Owner       string         `json:"organisation"`
	SUTBoundary string         `json:"sut_boundary"`
	Path        []string       `json:"path"`
	InjectAt    string         `json:"inject_at"`
	Guardrails  []guardrailKey `json:"guardrails"`
	Caching     string         `json:"caching"`
	Engine      string         `json:"engine"`
}

// guardrailKey leaves out whether the guardrail acts, which follows from the
// two points: another Observation Point is not another deployment.
type guardrailKey struct {
	Place string       `json:"place"`
	Masks exact.Number `json:"masks"`
	Class string       `json:"class"`
}

func guardrails(list []plan.Guardrail) []guardrailKey {
	out := []guardrailKey{}
	for _, g := range list {
		out = append(out, guardrailKey{g.Place, g.Masks, g.Class})
	}
	return out
}

// detectorKey takes in how each indicator is computed, and the declared signal:
// another signal is another measure of the same detector, and no value of the
// one says anything about the other.
type detectorKey struct {
	Detector   plan.Detector    `json:"detector"`
	Indicators []plan.Indicator `json:"indicators"`
	Signal     plan.Signal      `json:"signal"`
}

// computed lists the definitions of the indicators that the detector computes.
func computed(d *plan.Declaration) []plan.Indicator {
	out := []plan.Indicator{}
	for _, ind := range d.Indicators {
		for _, used := range d.Detector.Indicators {
			if used.Indicator == ind.Name {
				out = append(out, ind)
				break
			}
		}
	}
	return out
}

type loadKey struct {
	Points   []string `json:"points"`
	Arrivals string   `json:"arrivals"`
}

// comparability makes the five keys of section 1.2 (FD-1.2-3, FD-1.2-5), each
// with the SHA-256 of its canonical JSON.
func comparability(p *plan.Plan) Comparability {
	d := &p.Declaration
	load := loadKey{Points: []string{}, Arrivals: d.Load.Arrivals}
	for _, x := range d.Load.Points {
		load.Points = append(load.Points, x.Rate.String()+" req/s")
	}
	return Comparability{
		ObservationPoint:      key(d.Environment.ObserveAt),
		DetectorConfiguration: key(detectorKey{d.Detector, computed(d), d.Signal}),
		ServingConfiguration: key(servingKey{
			Serving:     d.Serving,
			Responses:   inputDigest(p, d.Serving.Responses),
			Environment: d.Environment.Name,
			Owner:       d.Environment.Organisation,
			SUTBoundary: d.Environment.SUTBoundary,
			Path:        append([]string{}, d.Environment.Path...),
			InjectAt:    d.Environment.InjectAt,
			Guardrails:  guardrails(d.Environment.Guardrails),
			Caching:     d.Environment.Caching,
			Engine:      p.Estimators.Engine,
		}),
		RequestPopulation: key(d.Population),
		OfferedLoad:       key(load),
	}
}

func inputDigest(p *plan.Plan, name string) string {
	for _, f := range p.Inputs.Files {
		if name != "" && f.Name == name {
			return f.SHA256
		}
	}
	return ""
}

func key(value any) Key {
	b, err := plan.Canonical(value)
	if err != nil {
		panic("measure: a comparability key does not encode: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return Key{Value: b, SHA256: "sha256:" + hex.EncodeToString(sum[:])}
}
