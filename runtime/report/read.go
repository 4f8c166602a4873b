package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// Read makes the report of a result.json. Besides what [Build] checks, every
// member has to be there, since one that is left out must not be read as 0, and
// no other one may be: a result has no room for a verdict or a ranking. Errors
// are *[omission.Error] and those of the encoding.
func Read(b []byte) (*Report, error) {
	var have, want any
	if err := decodeNumbers(b, &have); err != nil {
		return nil, fmt.Errorf("this is no result: %w", err)
	}
	d := differ{}
	have = d.coverages(have)
	known, err := json.Marshal(have)
	if err != nil {
		return nil, err
	}
	var r measure.Result
	if err := json.Unmarshal(known, &r); err != nil {
		return nil, fmt.Errorf("this is no result: %w", err)
	}
	if r.Format != measure.Format {
		return nil, fmt.Errorf("this is no result: its format is %q, and that of a result is %q", r.Format, measure.Format)
	}
	if slices.ContainsFunc(r.Coverage, func(c measure.Coverage) bool { return c.Magnitude == "" }) {
		return nil, refusal(&r, omissions(&r)) // it has no form to compare with
	}
	if err := decodeNumbers(measure.Encode(&r), &want); err != nil {
		return nil, err
	}
	d.compare("", "", have, want)
	if d.err != nil {
		return nil, d.err
	}
	if list := omission.Sort(append(d.list, omissions(&r)...)); len(list) > 0 {
		return nil, refusal(&r, list)
	}
	return &Report{&r}, nil
}

func decodeNumbers(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}

// coverages returns a result without the members of its coverages that no
// coverage has, for their type takes no others, and notes them.
func (d *differ) coverages(result any) any {
	members, _ := result.(map[string]any)
	rows, ok := members["coverage"].([]any)
	if !ok {
		return result
	}
	var shape map[string]any
	b, err := json.Marshal(measure.Coverage{}.JSONShape())
	if err == nil {
		err = json.Unmarshal(b, &shape)
	}
	if err != nil {
		panic("report: the shape of a coverage: " + err.Error())
	}
	cleaned := make([]any, len(rows))
	for i, row := range rows {
		cleaned[i] = row
		have, ok := row.(map[string]any)
		if !ok {
			continue
		}
		own := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(have)) {
			if _, known := shape[name]; known {
				own[name] = have[name]
			} else {
				d.extra(place("coverage", i, name), name)
			}
		}
		cleaned[i] = own
	}
	without := maps.Clone(members)
	without["coverage"] = cleaned
	return without
}

// differ finds members that are missing or too many. kind is the path without
// indexes: "latency.trials".
type differ struct {
	list []omission.Omission
	err  error
}

func (d *differ) compare(path, kind string, have, want any) {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok || opaque(kind) {
			return // null where there is an object: its members are empty, and omissions sees that
		}
		names := make([]string, 0, len(w)+len(h))
		for name := range w {
			names = append(names, name)
		}
		for name := range h {
			if _, known := w[name]; !known {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			x, there := h[name]
			y, known := w[name]
			at, of := join(path, name), join(kind, name)
			switch {
			case !known:
				d.extra(at, name)
			case y != nil && x == nil:
				d.missing(at, of)
			case x == nil && slices.Contains(lists, at):
				d.missing(at, of)
			case !there: // null, and omissions asks what that means there
			default:
				d.compare(at, of, x, y)
			}
		}
	case []any:
		h, _ := have.([]any)
		for i := range min(len(h), len(w)) {
			if h[i] == nil && w[i] != nil {
				d.missing(fmt.Sprintf("%s[%d]", path, i), kind)
				continue
			}
			d.compare(fmt.Sprintf("%s[%d]", path, i), kind, h[i], w[i])
		}
	}
}

// lists are the tables of a result: one without rows is an empty list.
var lists = []string{"baseline", "quiet", "latency", "coverage", "threshold", "false_detection", "masking"}

// opaque are members that hold JSON of the plan's, which omissions reads.
func opaque(kind string) bool {
	return strings.HasPrefix(kind, "comparability.") && strings.HasSuffix(kind, ".value")
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// extra names the row that a member offends which no result has.
func (d *differ) extra(at, name string) {
	words := strings.ReplaceAll(name, "_", " ")
	switch {
	case verdict.MatchString(words):
		d.list = append(d.list, omission.Omission{Rule: "FD-1.1-1", Where: at, Detail: "the result carries a verdict; it describes a detector and sets no threshold of acceptance"})
	case slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool { return slices.Contains(ranking, w) }):
		d.list = append(d.list, omission.Omission{Rule: "FD-1.2-6", Where: at, Detail: "the result carries a ranking; its values mean nothing outside their environment and rank no detectors"})
	case d.err == nil:
		d.err = fmt.Errorf("a result has no member %q: it is of another version of fdbench, or edited", at)
	}
}

var ranking = []string{"rank", "ranks", "ranking", "leaderboard", "score", "place"}

// missing names the row that wants a member.
func (d *differ) missing(at, kind string) {
	if nullable[kind] {
		return // absent is null, and omissions asks what null means there
	}
	if rule := wanted[kind]; rule != "" {
		d.list = append(d.list, omission.Omission{Rule: rule, Where: at, Detail: "the member is missing, so its value is not reported"})
	} else if d.err == nil {
		d.err = fmt.Errorf("the result lacks the member %q: it is of another version of fdbench, or edited", at)
	}
}

// nullable are objects and lists that may be absent as a whole.
var nullable = map[string]bool{"earlier_generations": true, "targets": true, "readback": true, "traffic": true}

// wanted is the row that wants each member which cannot be null.
var wanted = map[string]string{
	"plan_digest": "FD-1.2-1", "series": "FD-1.2-1",
	"conformance.status": "FD-1.2-10", "conformance.time": "FD-1.2-10", "conformance.reductions": "FD-1.2-9", "conformance.reduced_reason": "FD-1.2-9",
	"conformance.attestations": "FD-7-1", "conformance.violations": "FD-1.2-10",
	"comparability.observation_point": "FD-1.2-5", "comparability.detector_configuration": "FD-1.2-5",
	"comparability.serving_configuration": "FD-1.2-5", "comparability.request_population": "FD-1.2-5", "comparability.offered_load": "FD-1.2-5",
	"comparability.observation_point.sha256": "FD-1.2-5", "comparability.detector_configuration.sha256": "FD-1.2-5",
	"comparability.serving_configuration.sha256": "FD-1.2-5", "comparability.request_population.sha256": "FD-1.2-5",
	"comparability.offered_load.sha256": "FD-1.2-5", "comparability.observation_point.value": "FD-1.2-5",
	"comparability.detector_configuration.value": "FD-1.2-5", "comparability.serving_configuration.value": "FD-1.2-5",
	"comparability.request_population.value": "FD-1.2-5", "comparability.offered_load.value": "FD-1.2-5",
	"topology.environment": "FD-1.2-1", "topology.kind": "FD-7-1", "topology.observation_point": "FD-6-1",
	"topology.injection_point": "FD-3.1-7", "topology.relative_position": "FD-3.1-7", "topology.path": "FD-3.1-7",
	"detector": "FD-6-2", "signal.attribution": "FD-4.4-2", "caching": "FD-3.3-8", "caching.approach": "FD-3.3-8",
	"clocks": "FD-3.5-7", "clocks.arrangement": "FD-3.5-7", "clocks.method": "FD-3.5-3", "clocks.probes": "FD-3.5-3",
	"baseline": "FD-4.2-6", "quiet": "FD-4.3-5", "latency": "FD-5.1-12", "coverage": "FD-5.2-3", "threshold": "FD-5.3-9", "false_detection": "FD-5.4-5",
	"masking": "FD-5.5-6", "baseline.load": "FD-3.3-3",
	"quiet.load": "FD-3.3-3", "quiet.rule": "FD-4.3-5", "quiet.periods": "FD-4.3-5",
	"latency.class": "FD-5.1-1", "latency.profile": "FD-5.1-1", "latency.magnitude": "FD-5.1-1", "latency.load": "FD-3.3-3",
	"latency.trials": "FD-5.1-14", "latency.undetected": "FD-5.1-15", "latency.estimator": "FD-5.1-13", "latency.below_2sd": "FD-4.2-7",
	"coverage.class": "FD-5.2-5", "coverage.profile": "FD-5.2-5", "coverage.magnitude": "FD-5.2-4", "coverage.load": "FD-3.3-3",
	"coverage.detected": "FD-5.2-3", "coverage.trials": "FD-5.2-3", "coverage.below_2sd": "FD-4.2-7",
	"threshold.class": "FD-5.3-15", "threshold.profile": "FD-5.3-15", "threshold.load": "FD-5.3-15", "threshold.status": "FD-5.3-13",
	"threshold.target": "FD-5.3-10", "threshold.resolution": "FD-5.3-11",
	"false_detection.load": "FD-3.3-3", "false_detection.count": "FD-5.4-5", "false_detection.period_s": "FD-5.4-5",
	"false_detection.time_under_fault_s": "FD-5.4-4", "false_detection.required_s": "FD-5.4-4",
	"masking.load": "FD-3.3-3", "masking.status": "FD-5.5-8", "masking.method": "FD-5.5-7", "masking.trials": "FD-5.5-5", "masking.below_2sd": "FD-4.2-7",
	"footer": "FD-1.2-6", "footer.statement": "FD-1.2-6",
}
