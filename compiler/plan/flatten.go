package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flatten lists what a lock compares: the declaration, the matrix, the
// estimators and the digests of the data files, each value under the path that
// a person would look for ("declaration.trials.count").
//
// It leaves out what changes no measurement: forecasts, descriptions and the
// wording of reasons, and whether a span was written in windows or in time,
// since every load point has it resolved.
func Flatten(p *Plan) map[string]string {
	m := make(map[string]string)
	flattenInto(m, "declaration", guarded(p.Declaration))
	for path := range m {
		for _, form := range []string{"baseline.interval.", "trials.timeout.", "trials.verification."} {
			if strings.HasPrefix(path, "declaration."+form) {
				delete(m, path)
			}
		}
	}
	flattenInto(m, "estimators", p.Estimators)
	for _, f := range p.Inputs.Files {
		// The text of a rule file is part of the declaration.
		if f.Role != "scenario" && f.Role != "rules" {
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

// Key is the digest of what a lock guards, and of the series' name under which
// it does so. Unlike the plan's digest it stays the same when a comment, a
// description or the layout of a scenario changes, so random streams that are
// seeded with it give such a scenario the same results.
func Key(p *Plan) string {
	return Digest(Format+"/key", []byte(p.Series), mustCanonical(Flatten(p)))
}

// guarded is a copy of a declaration without what a lock does not compare.
func guarded(d Declaration) Declaration {
	d.Environment.Description = ""
	d.ReducedReason = ""
	d.Deviations, d.Attestations = unworded(d.Deviations, d.Attestations)
	return d
}

// unworded are copies without the wording, which changes no measurement.
func unworded(deviations []Deviation, attestations []Attestation) ([]Deviation, []Attestation) {
	deviations, attestations = slices.Clone(deviations), slices.Clone(attestations)
	for i := range deviations {
		deviations[i].Because = ""
	}
	for i := range attestations {
		attestations[i].Statement = ""
	}
	return deviations, attestations
}

// FlattenReuse is Flatten for a reuse block: its declaration, with the digests
// of all that it names, its gates, and how figures are computed.
func FlattenReuse(p *Reuse) map[string]string {
	m := make(map[string]string)
	d := p.Declaration
	d.Description = ""
	d.Deviations, d.Attestations = unworded(d.Deviations, d.Attestations)
	flattenInto(m, "declaration", d)
	flattenInto(m, "gates", p.Gates)
	flattenInto(m, "estimators", p.Estimators)
	return m
}

func flattenInto(m map[string]string, path string, v any) {
	var tree any
	if err := json.Unmarshal(mustCanonical(v), &tree); err != nil {
		panic("plan: " + err.Error())
	}
	walk(m, path, tree)
}

// walk adds the values below path. What is empty is left out, as what does not
// exist is, so that a first member of a list is one difference and not two.
func walk(m map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			walk(m, path+"."+name, item)
		}
	case []any:
		seen := make(map[string]int, len(v))
		for i, item := range v {
			name := itemName(item, i)
			if seen[name]++; seen[name] > 1 {
				name += " #" + strconv.Itoa(seen[name])
			}
			walk(m, path+"["+name+"]", item)
		}
	case string:
		if v != "" {
			m[path] = v
		}
	case float64:
		m[path] = strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		m[path] = strconv.FormatBool(v)
	}
}

// itemName addresses a member of a list by what it is about, so that another
// value in it is a changed value, and an inserted member does not rename the
// ones behind it. A load point is its rate.
func itemName(v any, i int) string {
	o, ok := v.(map[string]any)
	if !ok {
		return strconv.Itoa(i)
	}
	text := func(key string) string { s, _ := o[key].(string); return s }
	if place := text("place"); place != "" {
		if class := text("class"); class != "" {
			return place + ", " + class
		}
		return place
	}
	for _, key := range []string{"name", "label", "indicator", "class", "subject", "rule", "what", "rate", "log", "header", "metric"} {
		if s := text(key); s != "" {
			return s
		}
	}
	return strconv.Itoa(i)
}
