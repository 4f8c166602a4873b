package report

import (
	"slices"

	"github.com/fdbench/fdbench/spec"
)

// Rules lists the requirements that a report is held against, in the order of
// the table, each with results that break it and results that keep it. The
// examples are for the originals of package reporttest.
func Rules() []spec.Rule {
	all := slices.Concat(seriesRules, environmentRules, baselineRules, latencyRules, coverageRules, thresholdRules, falseRules, maskingRules, keyRules)
	for i := range all {
		all[i].Stage = spec.Report
		if all[i].Effect == "" {
			all[i].Effect = spec.NoReport
		}
	}
	slices.SortStableFunc(all, func(a, b spec.Rule) int { return spec.Order(a.ID) - spec.Order(b.ID) })
	return all
}

// ex is an example on the usual original, a full series in real time on two
// hosts.
func ex(name, text string) spec.Example {
	return spec.Example{Name: name, In: spec.InResult, Text: text}
}

// edge is one that lies on the boundary of its rule, or next to it.
func edge(name, text string) spec.Example {
	e := ex(name, text)
	e.Edge = true
	return e
}

// on gives an example another original.
func on(base string, e spec.Example) spec.Example {
	e.Base = base
	return e
}

type examples = []spec.Example

// row picks a latency and the coverage of the same trials, which the examples
// of sections 5.1 and 5.2 change.
const row = ` {"class": "refusal", "magnitude": "0.2", "profile": "step", "load": "10 req/s"}
`

// counted is a row of twenty trials of which eighteen were detected. Two more
// were discarded and repeated.
const counted = "latency" + row +
	`  set {"trials": 20, "detected": 18, "undetected": 2, "discarded": 2, "attempts": 22, "required": 20, "median_s": 120, "p95_s": 300, "mean_s": 140, "p95_is_max": true}
coverage` + row +
	`  set {"detected": 18, "trials": 20}
`

// again picks the latency or the coverage of counted once more.
func again(list, change string) string { return counted + list + row + "  " + change }

// nonconformant is a run that lists a violation and is called accordingly.
func nonconformant(rule, effect, detail string) string {
	return `conformance
  set {"status": "nonconformant", "violations": [{"rule": "` + rule + `", "effect": "` + effect + `", "detail": "` + detail + `"}]}
`
}

const (
	marks     = string(spec.Marks)
	withholds = string(spec.Withholds)
)
