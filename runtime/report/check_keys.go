package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
)

// keys checks the five comparability keys (FD-1.2-5) and what each has to hold
// (FD-6-1 to FD-6-5). Where a key lacks something, its digest is not compared.
func (c *checker) keys() {
	k := &c.r.Comparability
	for _, x := range []struct {
		name, words string
		key         measure.Key
		content     func(where string, raw json.RawMessage) bool
	}{
		{"observation_point", "Observation Point", k.ObservationPoint, c.observationPoint},
		{"detector_configuration", "detector configuration", k.DetectorConfiguration, c.detectorConfiguration},
		{"serving_configuration", "serving configuration", k.ServingConfiguration, c.servingConfiguration},
		{"request_population", "request population", k.RequestPopulation, c.population},
		{"offered_load", "offered load", k.OfferedLoad, c.offeredLoad},
	} {
		where := "comparability." + x.name
		switch {
		case len(x.key.Value) == 0 || string(x.key.Value) == "null":
			c.omit("FD-1.2-5", where+".value", "the %s is not reported, so nobody can judge whether a comparison is valid", x.words)
		case x.key.SHA256 == "":
			c.omit("FD-1.2-5", where+".sha256", "the %s has no digest to compare it by", x.words)
		case !x.content(where+".value", x.key.Value):
		case x.key.SHA256 != digest(x.key.Value):
			c.omit("FD-1.2-5", where+".sha256", "the digest of the %s is not that of its value", x.words)
		}
	}
}

func digest(raw json.RawMessage) string {
	b, err := plan.Canonicalize(raw)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (c *checker) observationPoint(where string, raw json.RawMessage) bool {
	var name string
	if json.Unmarshal(raw, &name) != nil || name == "" {
		c.omit("FD-6-1", where, "the Observation Point has no name")
		return false
	}
	if t := &c.r.Topology; t.ObservationPoint != name {
		c.omit("FD-6-1", "topology.observation_point", "the Observation Point is not reported as the %q that results are compared by", name)
	}
	return true
}

func (c *checker) detectorConfiguration(where string, raw json.RawMessage) bool {
	var v struct {
		Detector   *plan.Detector   `json:"detector"`
		Indicators []plan.Indicator `json:"indicators"`
		Signal     *plan.Signal     `json:"signal"`
	}
	if json.Unmarshal(raw, &v) != nil || v.Detector == nil || len(v.Indicators) == 0 || v.Signal == nil {
		c.omit("FD-6-2", where, "the detector's configuration stands there without its settings, its indicators or its signal")
		return false
	}
	d := &c.r.Detector
	switch {
	case d.Name == "" || d.Kind == "" || len(d.Indicators) == 0 || len(d.Alerts) == 0:
		c.omit("FD-6-2", "detector", "the detector is reported without its name, its kind, its indicators or its alerts; a digest alone is not enough")
	case canonical(d) != canonical(v.Detector):
		c.omit("FD-6-2", "detector", "the detector that is reported is not the one that results are compared by")
	default:
		for _, want := range v.Indicators {
			if !slices.ContainsFunc(c.r.Indicators, func(have plan.Indicator) bool { return canonical(have) == canonical(want) }) {
				c.omit("FD-6-2", "indicators", "how the detector computes %s is not reported as it is compared by", want.Name)
			}
		}
	}
	// Signal and key part where figures are made again with another signal
	// than the one that was declared.
	if s := &c.r.Signal; s.Attribution != "" && canonical(s) != canonical(v.Signal) {
		c.omit("FD-4.1-6", "signal", "the signal %q that is reported is not the one that the series declared; a signal chosen after results were seen makes it invalid", s.Name)
	}
	return true
}

func (c *checker) servingConfiguration(where string, raw json.RawMessage) bool {
	var v struct {
		Serving     plan.Serving `json:"serving"`
		Environment string       `json:"environment"`
		SUTBoundary string       `json:"sut_boundary"`
		Path        []string     `json:"path"`
		InjectAt    string       `json:"inject_at"`
		Caching     string       `json:"caching"`
	}
	bad := json.Unmarshal(raw, &v) != nil
	switch s := &v.Serving; {
	case bad || s.Name == "" || s.Kind == "" || s.Configuration == "" || v.SUTBoundary == "":
		c.omit("FD-6-3", where, "the deployment is reported without its name, its kind, its configuration or its System Under Test boundary")
		return false
	case c.r.Topology.Kind != kindSimulated && !c.attested("FD-6-3"):
		c.omit("FD-6-3", "conformance.attestations", "nobody attests that the reported configuration is all there is to the deployment")
	}
	t := &c.r.Topology
	if t.SUTBoundary != v.SUTBoundary {
		c.omit("FD-6-3", "topology.sut_boundary", "the boundary of the System Under Test is not reported as the %q that results are compared by", v.SUTBoundary)
	}
	if t.InjectionPoint != v.InjectAt || !slices.Equal(t.Path, v.Path) {
		c.omit("FD-3.1-7", "topology.path", "the path of a response and the Fault Injection Point are not reported as those that results are compared by")
	}
	if a := c.r.Caching.Approach; v.Caching != a && approaches[a] {
		c.omit("FD-3.3-8", "caching.approach", "the approach to response caching is reported as %q, and results are compared by %q", a, v.Caching)
	}
	if t.Environment == "" || t.Environment != v.Environment {
		c.omit("FD-1.2-1", "topology.environment", "the report names the environment %q, and its serving configuration is of %q: a result is of one environment", t.Environment, v.Environment)
	}
	return true
}

const kindSimulated = "simulated"

func (c *checker) population(where string, raw json.RawMessage) bool {
	var p plan.Population
	if json.Unmarshal(raw, &p) != nil || p.Name == "" || p.Source+p.Generator == "" || p.Salt == "" || p.Provenance == "" || p.Digest == "" {
		c.omit("FD-6-4", where, "the request population is reported without its name, its origin, its salt, its provenance or its digest")
		return false
	}
	return true
}

func (c *checker) offeredLoad(where string, _ json.RawMessage) bool {
	if len(c.offered) == 0 || slices.Contains(c.offered, "") || c.arrivals == "" {
		c.omit("FD-6-5", where, "the offered load is reported without its load points or without how requests arrive")
		return false
	}
	return true
}
