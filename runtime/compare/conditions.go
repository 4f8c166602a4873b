package compare

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
)

// conditions lists what was declared differently outside of the five keys:
// section 1.2 does not ask for it to be the same, and a reader has to know. It
// also finds the fault classes that have one name and two definitions.
func (c *Comparison) conditions(a, b Input) {
	c.redefined(a, b)
	var x, y map[string]string
	if c.FromPlans = a.Plan != nil && b.Plan != nil; c.FromPlans {
		x, y = chosen(a.Plan), chosen(b.Plan)
	} else {
		x, y = declared(a.Result), declared(b.Result)
	}
	for _, d := range between(x, y) {
		if c.covered(d, a.Result) {
			continue
		}
		d.Path = strings.TrimPrefix(d.Path, "declaration.")
		c.Conditions = append(c.Conditions, d)
	}
}

// chosen is what an author chose in a plan. The share of responses that a
// magnitude takes follows from the deployment.
func chosen(p *plan.Plan) map[string]string {
	flat := plan.Flatten(p)
	for path, v := range flat {
		switch {
		case strings.HasPrefix(path, "declaration.masking.targets[") && strings.HasSuffix(path, "].fraction"):
			delete(flat, path)
		case strings.HasPrefix(path, "trials."):
			if before, after, ok := strings.Cut(v, ", share "); ok {
				_, after, _ = strings.Cut(after, ", ")
				flat[path] = before + ", " + after
			}
		}
	}
	return flat
}

// declared is what a result itself says of its declaration.
func declared(r *measure.Result) map[string]string {
	quiet := ""
	if len(r.Quiet) > 0 {
		quiet = r.Quiet[0].Rule
	}
	b, err := json.Marshal(map[string]any{
		"apparatus": r.Apparatus, "fault_classes": r.FaultClasses, "indicators": r.Indicators,
		"environment": map[string]any{"kind": r.Topology.Kind, "clocks": r.Clocks.Arrangement, "caching_proof": r.Caching.Proof},
		"deviations":  rules(r.Conformance.Deviations), "quiet": quiet,
	})
	if err != nil {
		panic("compare: a result does not encode: " + err.Error())
	}
	out := map[string]string{}
	for path, v := range flatten(b, false) {
		out["declaration."+path] = v
	}
	return out
}

func rules(list []measure.Deviation) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Rule)
	}
	return out
}

// inKeys are the parts of a declaration that the five keys hold.
var inKeys = []string{
	"serving.", "detector.", "signal.", "population.", "load.arrivals",
	"environment.name", "environment.organisation", "environment.sut_boundary", "environment.path", "environment.inject_at",
	"environment.observe_at", "environment.position", "environment.guardrails", "environment.caching",
}

// covered tells whether a difference stands in a key already, or shows in the
// rows of the tables.
func (c *Comparison) covered(d Difference, r *measure.Result) bool {
	if d.Path == "estimators.engine" {
		return true
	}
	for _, group := range []string{"trials.", "threshold."} {
		if strings.HasPrefix(d.Path, group) {
			return c.TwoLists || d.A == nil || d.B == nil // of rows that only one has
		}
	}
	path, ok := strings.CutPrefix(d.Path, "declaration.")
	if !ok {
		name, isFile := strings.CutPrefix(d.Path, "files.")
		return isFile && responses(r) == name
	}
	if path == "environment.caching_proof" {
		return false
	}
	for _, p := range inKeys {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	if strings.HasPrefix(path, "load.points[") {
		return c.TwoLists || strings.HasSuffix(path, "].rate") || d.A == nil || d.B == nil
	}
	if name, ok := strings.CutPrefix(path, "indicators["); ok {
		name, _, _ = strings.Cut(name, "]")
		for _, used := range r.Detector.Indicators {
			if used.Indicator == name {
				return true
			}
		}
	}
	return false
}

// responses is the file that the deployment of a result answers from.
func responses(r *measure.Result) string {
	var v struct {
		Serving plan.Serving `json:"serving"`
	}
	if json.Unmarshal(r.Comparability.ServingConfiguration.Value, &v) != nil {
		return ""
	}
	return v.Serving.Responses
}

// redefined finds the fault classes whose rows must not be matched: those of
// one name with two definitions, of the class or of the indicator that it
// moves, or with two files of replacements.
func (c *Comparison) redefined(a, b Input) {
	for _, x := range a.Result.FaultClasses {
		for _, y := range b.Result.FaultClasses {
			if x.Name != y.Name {
				continue
			}
			if !same(definition(a, x), definition(b, y)) {
				c.Redefined = append(c.Redefined, x.Name)
			}
		}
	}
}

// definition is all that a magnitude of a class depends on.
func definition(in Input, fc plan.FaultClass) any {
	d := struct {
		Class     plan.FaultClass
		Indicator plan.Indicator
		Replaced  string
	}{Class: fc}
	for _, ind := range in.Result.Indicators {
		if ind.Name == fc.Indicator {
			d.Indicator = ind
		}
	}
	if in.Plan != nil && fc.Replace != "" {
		for _, f := range in.Plan.Inputs.Files {
			if f.Name == fc.Replace {
				d.Replaced = f.SHA256
			}
		}
	}
	return d
}

func same(x, y any) bool {
	a, errA := json.Marshal(x)
	b, errB := json.Marshal(y)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
