package reporttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/report"
)

// mutations changes each member of a result in turn, the first element of each
// list, and gives the whole to f with what was done to which kind of member.
func mutations(b []byte, f func(kind, change string, mutant []byte)) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return err
	}
	emit := func(kind, change string) {
		m, err := json.Marshal(root)
		if err == nil {
			f(kind, change, m)
		}
	}
	var walk func(v any, kind string)
	walk = func(v any, kind string) {
		switch v := v.(type) {
		case map[string]any:
			if strings.HasSuffix(kind, ".value") { // of a comparability key: its digest covers it
				return
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				old, at := v[name], strings.TrimPrefix(kind+"."+name, ".")
				for _, x := range changed(old) {
					v[name] = x.value
					emit(at, x.change)
				}
				delete(v, name)
				emit(at, "removed")
				v[name] = old
				walk(old, at)
			}
		case []any:
			if len(v) > 0 {
				walk(v[0], kind)
			}
		}
	}
	walk(root, "")
	return nil
}

type mutant struct {
	change string
	value  any
}

func changed(old any) []mutant {
	switch old := old.(type) {
	case bool:
		return []mutant{{"turned", !old}}
	case string:
		return []mutant{{"emptied", ""}, {"another", old + "x"}}
	case json.Number:
		f, _ := old.Float64()
		return []mutant{{"null", nil}, {"more", json.Number(fmt.Sprintf("%g", f+1))}, {"less", json.Number(fmt.Sprintf("%g", f-1))}}
	case []any:
		return []mutant{{"emptied", []any{}}}
	case map[string]any:
		return []mutant{{"null", nil}}
	}
	return nil
}

// spared are the members of which a report cannot see that they were changed,
// by their beginning, with the reason. What is measured is recomputed from the
// journal by fdbench verify; here only what contradicts itself shows.
var spared = map[string]string{
	"supplementary.":       "outside the methodology; left out, it is printed as none",
	"traffic":              "how the requests of the harness went: beside the methodology, and measured again by verify",
	"reception":            "measured: how many messages of the detector could not be used; an older journal has none on record",
	"clocks.apply_span_s":  "null where the apparatus stamps the onset itself; verify measures the journal again",
	"clocks.poll_period_s": "null on a host that is not polled; verify measures the journal again",

	"apparatus.": "no row asks for it in the report", "fault_classes.": "no row asks for more than the name and the indicator",
	"onset.": "checked when the journal is read (FD-3.4-1, FD-3.4-2)", "readback": "checked when the journal is read (FD-3.2-2); the report says so where it is missing",
	"caching.proof": "prose", "clocks.note": "prose", "clocks.method": "prose", "quiet.rule": "prose", "footer.statement": "prose: clauses are looked for",
	"masking.method": "prose", "conformance.attestations": "prose, and the subjects that a report needs are looked for",
	"conformance.deviations": "nothing else in a result repeats them", "conformance.methodology": "a name", "footer.journal": "a file name, or the digest of a file",
	"series": "a name", "targets.name": "a name",
	"conformance.reduced_reason": "a full series has none",
	"conformance.reductions":     "a full series has none: no list is an empty one", "conformance.violations": "this series has none: no list is an empty one",
	"earlier_generations": "the first generation has none before it", "targets.opted_in": "a confined address need not be let through, and may be",

	"baseline.": "measured, or a standard deviation at the other point", "clocks.max_offset_s": "measured", "clocks.probes": "measured",
	"clocks.apparatus_host": "an identity", "clocks.detector_host": "an identity",
	"false_detection.": "measured: only the order of count, period and time under fault shows", "latency.mean_s": "measured, and no mean is allowed (FD-5.1-16)",
	"latency.median_s": "measured", "latency.p95_s": "measured", "latency.timeout_s": "declared", "latency.estimator": "a name",
	"latency.error_bound_s": "null where there is none", "quiet.": "measured: only the order of the lengths shows",
	"masking": "measured; and whether a plan has masking trials does not stand in a result", "threshold": "measured; and whether a plan has a search does not stand in a result",
	"detector.": "empty where a kind of detector has no such setting", "indicators.": "those that the detector does not compute",
	"latency.withheld": "empty: nothing is withheld",
}

// sparing is the longest beginning of a kind of member that is spared.
func sparing(kind string) string {
	best := ""
	for prefix := range spared {
		if strings.HasPrefix(kind, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return best
}

// Every member of a result that is changed, emptied or taken away is missed,
// but for those that are spared for a reason.
func TestNoMemberIsChangedUnseen(t *testing.T) {
	b, err := Original("")
	if err != nil {
		t.Fatal(err)
	}
	n, seen, used := 0, 0, map[string]bool{}
	err = mutations(b, func(kind, change string, mutant []byte) {
		n++
		if _, err := report.Read(mutant); err != nil {
			seen++
		} else if prefix := sparing(kind); prefix == "" {
			t.Errorf("%s %s: the report is made all the same", kind, change)
		} else {
			used[prefix] = true
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for prefix := range spared {
		if !used[prefix] {
			t.Errorf("%s is spared for nothing", prefix)
		}
	}
	t.Logf("%d of %d changes are seen", seen, n)
}
