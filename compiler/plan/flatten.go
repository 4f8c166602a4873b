package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Flatten lists what a lock compares: the declaration, the matrix, the
// estimators and the digests of the data files, each value under the path that
// a person would look for ("declaration.trials.count"). Forecasts are left
// out, since a better forecast changes no measurement.
func Flatten(p *Plan) map[string]string {
	m := make(map[string]string)
	flattenInto(m, "declaration", p.Declaration)
	flattenInto(m, "estimators", p.Estimators)
	for _, f := range p.Inputs.Files {
		if f.Role != "scenario" {
			m["files."+f.Name] = f.SHA256
		}
	}
	load := func(i int) string { return p.Declaration.Load.Points[i].Rate.String() + " req/s" }
	for _, c := range p.Combinations.Trials {
		key := fmt.Sprintf("trials.%s: %s %s, %s, %s", c.Fault, c.Class, c.Magnitude, c.Profile.Name, load(c.Load))
		m[key] = fmt.Sprintf("%d trials in at most %d attempts, share %s, timeout %s, verified over %s",
			c.Trials, c.Attempts, c.Fraction, c.Timeout, c.Verification)
	}
	for _, s := range p.Combinations.Searches {
		lower := s.Lower.String()
		if s.Floor {
			lower = "floor"
		}
		key := fmt.Sprintf("threshold.%s: %s, %s, %s", s.Threshold, s.Class, s.Profile.Name, load(s.Load))
		m[key] = fmt.Sprintf("%s..%s to %s at %s, %d trials in at most %d attempts, timeout %s, verified over %s",
			lower, s.Upper, s.Resolution, s.TargetText, s.Trials, s.Attempts, s.Timeout, s.Verification)
	}
	return m
}

func flattenInto(m map[string]string, path string, v any) {
	var tree any
	if err := json.Unmarshal(mustCanonical(v), &tree); err != nil {
		panic("plan: " + err.Error())
	}
	walk(m, path, tree)
}

func walk(m map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			walk(m, path+"."+name, item)
		}
		if len(v) == 0 {
			m[path] = "{}"
		}
	case []any:
		seen := make(map[string]bool, len(v))
		for i, item := range v {
			name := itemName(item, i)
			if seen[name] {
				name = strconv.Itoa(i)
			}
			seen[name] = true
			walk(m, path+"["+name+"]", item)
		}
		if len(v) == 0 {
			m[path] = "[]"
		}
	case string:
		m[path] = v
	case float64:
		m[path] = strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		m[path] = strconv.FormatBool(v)
	case nil:
		m[path] = "null"
	}
}

// itemName addresses a member of a list by its name where it has one, so that
// an inserted member does not rename the ones behind it.
func itemName(v any, i int) string {
	if o, ok := v.(map[string]any); ok {
		for _, key := range []string{"name", "label", "rate", "place"} {
			if s, ok := o[key].(string); ok && s != "" {
				return s
			}
		}
		if s, ok := o["indicator"].(string); ok && s != "" {
			return s
		}
	}
	return strconv.Itoa(i)
}
