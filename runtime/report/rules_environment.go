package report

import "github.com/fdbench/fdbench/spec"

var environmentRules = []spec.Rule{
	{
		ID:  "FD-3.1-7",
		How: "the relative position is reported, and it is the one that the path of a response gives",
		Bad: examples{
			ex("no position", `topology
  set {"relative_position": null}`),
			edge("a position that the path contradicts", `topology
  set {"relative_position": "fip_downstream"}`),
			edge("a path without the guardrail, which results are compared by", `topology
  set {"path": ["engine", "gateway"]}`),
		},
		Good: examples{
			edge("the position on the path", `topology
  set {"relative_position": "fip_upstream"}`),
			edge("the path that results are compared by", `topology
  set {"path": ["engine", "guardrail", "gateway"]}`),
		},
	},
	{
		ID:  "FD-3.3-3",
		How: "every row of baselines, quiet periods, latencies, coverages, false detections and masking names one of the offered loads",
		Bad: examples{
			ex("a latency without its load", "latency"+row+"  set {\"load\": null}"),
			edge("a load that was not offered", "latency"+row+"  set {\"load\": \"11 req/s\"}"),
		},
		Good: examples{edge("a load that was offered", "latency"+row+"  set {\"load\": \"10 req/s\"}")},
	},
	{
		ID:  "FD-3.3-8",
		How: "the approach is one of the two that section 3.3 allows",
		Bad: examples{
			ex("no approach", `caching
  set {"approach": null}`),
			edge("an approach that is none", `caching
  set {"approach": "enabled"}`),
		},
		Good: examples{edge("one of the two", `caching
  set {"approach": "disabled"}`)},
	},
	{
		ID:  "FD-3.5-3",
		How: "with two hosts the largest offset is there, with how it was measured and how often, or the violation that says that it was not",
		Bad: examples{
			ex("no offset", `clocks
  null max_offset_s`),
			edge("an offset of no measurement", `clocks
  set {"probes": 0}`),
		},
		Good: examples{edge("an offset of one measurement", `clocks
  set {"probes": 1}`)},
	},
	{
		ID:  "FD-3.5-4",
		How: "a hundred times the offset is below every latency that is printed, in exact numbers, wherever the report says so",
		Bad: examples{
			edge("10 ms beside 1 s", clockEdge("0.01")),
			edge("a detector that is asked every 5 ms, beside an offset of 5 ms and 1 s", clockEdge("0.005")+polledEvery("0.005")),
			edge("an apply call of 5 ms, beside an offset of 5 ms and 1 s", clockEdge("0.005")+appliedFor("0.005")),
			ex("faults that a call applies, and no word on its length", "apparatus\n  set {\"kind\": \"http\"}"),
			on("one host", ex("a detector that is asked, and no word on one percent", counted+polledEvery("0.005"))),
		},
		Good: examples{
			edge("9.999 ms beside 1 s", clockEdge("0.009999")),
			edge("a detector that is asked every 4.999 ms, beside an offset of 5 ms and 1 s", clockEdge("0.005")+polledEvery("0.004999")),
			edge("an apply call of 4.999 ms, beside an offset of 5 ms and 1 s", clockEdge("0.005")+appliedFor("0.004999")),
		},
	},
	{
		ID:  "FD-3.5-5",
		How: "where the one percent is not kept, every latency row carries the offset, and the status says so",
		Bad: examples{
			edge("one row without it", bounded5+"latency"+row+"  null error_bound_s"),
			ex("a bound without the period at which the detector is asked", bounded5+polledEvery("0.001")),
			ex("a bound without the length of the apply call", bounded5+appliedFor("0.001")),
			ex("a bound smaller than the offset", bounded5+"latency"+row+"  set {\"error_bound_s\": 4.999}"),
			ex("a status that does not speak of it", bounded5+"conformance\n  set {\"status\": \"conformant\"}"),
		},
		Good: examples{edge("every row with it", bounded5)},
	},
	{
		ID:  "FD-3.5-7",
		How: "the arrangement is reported, and one host is one host",
		Bad: examples{
			on("one host", ex("no arrangement", `clocks
  set {"arrangement": null}`)),
			on("one host", edge("one host, and two stamp", `clocks
  set {"apparatus_host": "boot a", "detector_host": "boot b"}`)),
		},
		Good: examples{on("one host", edge("one host", `clocks
  set {"apparatus_host": "boot a", "detector_host": "boot a"}`))},
	},
	{
		ID:  "FD-7-1",
		How: "the kind of environment, who attests that it is one for tests, and every target with its address",
		Bad: examples{
			edge("an environment in production", `topology
  set {"kind": "production"}`),
			ex("a test environment that nobody attests", `conformance
  set {"attestations": [{"subject": "fd_6_3", "by": "author", "statement": "this is all of it"}, {"subject": "fd_1_2_6", "by": "author", "statement": "for our own use"}]}`),
			ex("a target without its address", `targets
  set {"address": ""}`),
			ex("a public address that nobody let through", `targets
  set {"address": "203.0.114.7:443"}`),
		},
		Good: examples{
			edge("an environment in continuous integration", `topology
  set {"kind": "ci"}`),
			ex("a public address that the command line let through", `targets
  set {"address": "203.0.114.7:443", "opted_in": true}`),
		},
	},
}

// clockEdge sets the largest offset beside a smallest latency of one second.
func clockEdge(offset string) string {
	return counted + "latency" + row + `  set {"median_s": 1, "p95_s": 300, "mean_s": 140}
clocks
  set {"max_offset_s": ` + offset + `, "one_percent_ok": true}`
}

// polledEvery adds a detector that is asked at intervals of so many seconds.
func polledEvery(period string) string {
	return `
clocks
  set {"poll_period_s": ` + period + `}
`
}

// appliedFor gives the call that applies a fault a length, in seconds.
func appliedFor(span string) string {
	return `
clocks
  set {"apply_span_s": ` + span + `}
`
}

// bounded5 is a series in which an offset of five seconds stands as a bound.
const bounded5 = `clocks
  set {"max_offset_s": 5, "one_percent_ok": false}
conformance
  set {"status": "conformant_with_error_bound"}
latency all
  set {"error_bound_s": 5}
`
