package compare

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
)

// The five keys of section 1.2, and the factors that a study may name.
const (
	ObservationPoint      = "observation_point"
	DetectorConfiguration = "detector_configuration"
	ServingConfiguration  = "serving_configuration"
	RequestPopulation     = "request_population"
	OfferedLoad           = "offered_load"
)

// Factors are the keys in the order of section 1.2.
var Factors = []string{ObservationPoint, DetectorConfiguration, ServingConfiguration, RequestPopulation, OfferedLoad}

var aliases = map[string]string{
	"detector": DetectorConfiguration, "dut_config": DetectorConfiguration,
	"serving": ServingConfiguration, "deployment": ServingConfiguration,
	"population": RequestPopulation, "load": OfferedLoad,
}

// Factor returns the key that a name or an alias stands for: detector and
// dut_config, serving and deployment, population, load. It is false where the
// name is none.
func Factor(name string) (string, bool) {
	name = strings.ReplaceAll(name, "-", "_")
	if key := aliases[name]; key != "" {
		return key, true
	}
	for _, f := range Factors {
		if f == name {
			return f, true
		}
	}
	return "", false
}

// words is a key as it is written in a sentence.
func words(key string) string { return strings.ReplaceAll(key, "_", " ") }

func keyOf(r *measure.Result, name string) measure.Key {
	c := &r.Comparability
	switch name {
	case ObservationPoint:
		return c.ObservationPoint
	case DetectorConfiguration:
		return c.DetectorConfiguration
	case ServingConfiguration:
		return c.ServingConfiguration
	case RequestPopulation:
		return c.RequestPopulation
	}
	return c.OfferedLoad
}

// keys compares the five keys by digest.
func keys(a, b *measure.Result) []Key {
	out := make([]Key, 0, len(Factors))
	for _, name := range Factors {
		x, y := keyOf(a, name), keyOf(b, name)
		k := Key{Name: name, Same: x.SHA256 == y.SHA256, SHA256A: x.SHA256, SHA256B: y.SHA256, Differences: []Difference{}}
		if !k.Same {
			k.Differences = differences(x.Value, y.Value)
		}
		out = append(out, k)
	}
	return out
}

// fault says what is wrong with a key of a result, or "".
func fault(k measure.Key) string {
	if v := bytes.TrimSpace(k.Value); len(v) == 0 || bytes.Equal(v, []byte("null")) || bytes.Equal(v, []byte(`""`)) {
		return "has no value"
	}
	if k.SHA256 == "" {
		return "has no digest"
	}
	// A result.json is indented; the digest is of the canonical form.
	b, err := plan.Canonicalize(k.Value)
	if err != nil {
		return "has a value without a canonical form: " + err.Error()
	}
	sum := sha256.Sum256(b)
	if want := "sha256:" + hex.EncodeToString(sum[:]); k.SHA256 != want {
		return fmt.Sprintf("has the digest %s, and that of its value is %s", plan.Short(k.SHA256), plan.Short(want))
	}
	return ""
}

const kindSignal = "declared signal"

// kinds names what of a detector's configuration changed, in the words of
// section 3.2: threshold, sampling rate, judge model, alerting rule.
func kinds(differences []Difference) []string {
	var out []string
	add := func(s string) {
		for _, have := range out {
			if have == s {
				return
			}
		}
		out = append(out, s)
	}
	for _, d := range differences {
		last := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
		switch {
		case strings.HasPrefix(d.Path, "signal."):
			add(kindSignal)
		case strings.HasPrefix(last, "judge_"):
			add("judge model")
		case last == "sampling":
			add("sampling rate")
		case last == "threshold" || last == "limit" || last == "decision":
			add("threshold")
		case strings.HasPrefix(d.Path, "detector.alerts[") || strings.HasPrefix(d.Path, "detector.prometheus."):
			add("alerting rule")
		case strings.HasPrefix(d.Path, "indicators["):
			add("indicator")
		default:
			add("configuration")
		}
	}
	return out
}
