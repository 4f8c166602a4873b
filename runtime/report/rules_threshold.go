package report

import "github.com/fdbench/fdbench/spec"

var thresholdRules = []spec.Rule{
	{
		ID:  "FD-5.3-9",
		How: "a threshold that was found is the last magnitude that met its target",
		Bad: examples{
			edge("the middle of the last interval", searched(`set {"upper_bound": "0.2925"}`)),
			ex("no value", searched(`null upper_bound`)),
			ex("a value above the bound", searched(`set {"status": "above_bound"}`)),
			ex("an incomplete search, and nothing says why", searched(`set {"status": "incomplete"}
  null upper_bound`)),
		},
		Good: examples{edge("the upper bound of the last interval", searched(`set {"upper_bound": "0.3"}`))},
	},
	{
		ID:  "FD-5.3-10",
		How: "each threshold has a target in (0, 1]",
		Bad: examples{
			ex("no target", searched(`set {"target": null}`)),
			edge("more than all trials", searched(`set {"target": "21/20"}`)),
		},
		Good: examples{edge("all trials", searched(`set {"target": "20/20"}`))},
	},
	{
		ID:  "FD-5.3-11",
		How: "each threshold has a resolution, and its last interval is smaller",
		Bad: examples{
			ex("no resolution", searched(`set {"resolution": null}`)),
			edge("an interval as wide as the resolution", searched(`set {"resolution": "0.015"}`)),
		},
		Good: examples{edge("an interval just smaller", searched(`set {"resolution": "0.01501"}`))},
	},
	{
		ID:  "FD-5.3-12",
		How: "each threshold carries the standard deviation of its indicator at its load, or a violation says why there is none",
		Bad: examples{
			ex("no standard deviation", searched(`null baseline_sd`)),
			on("searches", edge("that of another load", floored("0.01")+"threshold {\"load\": \"10 req/s\"}\n  set {\"baseline_sd\": \"0.0101\"}")),
		},
		Good: examples{on("searches", edge("that of its load", floored("0.01")))},
	},
	{
		ID:  "FD-5.3-13",
		How: "the outcome is one of four, and none was found from bounds below two standard deviations",
		Bad: examples{
			ex("no outcome", searched(`set {"status": null}`)),
			on("searches", edge("found from a bound just below two standard deviations", floored("0.14251"))),
		},
		Good: examples{
			on("searches", edge("found from a bound of exactly two standard deviations", floored("0.1425"))),
			ex("below the floor", searched(`set {"status": "below_floor"}
  null upper_bound`)),
		},
	},
	{
		ID:  "FD-5.3-14",
		How: "below the floor there is no magnitude",
		Bad: examples{edge("below the floor, with a magnitude", searched(`set {"status": "below_floor"}`))},
		Good: examples{edge("below the floor, without one", searched(`set {"status": "below_floor"}
  null upper_bound`))},
	},
	{
		ID:  "FD-5.3-15",
		How: "each threshold has its class, profile and load, and none is left out at a load",
		Bad: examples{
			ex("no load", searched(`set {"load": null}`)),
			ex("none at one of the loads", `threshold {"load": "10 req/s"}
  drop`),
			edge("an empty profile", searched(`set {"profile": ""}`)),
		},
		Good: examples{edge("its profile", searched(`set {"profile": "step"}`))},
	},
}

// searched changes a threshold of 0.3 whose last interval is 0.015 wide.
func searched(change string) string {
	return `threshold {"load": "10 req/s"}
  set {"status": "found", "upper_bound": "0.3", "target": "18/20", "resolution": "0.02", "trace": ` + steps + `}
  ` + change
}

const steps = `[{"role": "upper", "magnitude": "0.3", "detected": 20, "trials": 20, "met": true}, {"role": "lower", "magnitude": "0.285", "detected": 10, "trials": 20, "met": false}]`

// floored gives that threshold and its baseline a standard deviation.
func floored(sd string) string {
	return searched(`set {"baseline_sd": "`+sd+`"}`) + `
baseline {"load": "10 req/s", "indicator": "refusal_rate", "point": "observation"}
  set {"sd": "` + sd + `"}
`
}

var falseRules = []spec.Rule{
	{
		ID:  "FD-5.4-4",
		How: "the period is at least the time under fault of its load, or a violation says that it is not",
		Bad: examples{
			edge("a millisecond short, and nothing says so", observed("7199.999")),
			edge("a period asked for that is a millisecond short", observed("7200")+`false_detection {"load": "10 req/s"}
  set {"required_s": 7199.999}`),
		},
		Good: examples{
			edge("exactly as long", observed("7200")),
			ex("shorter, and a violation that says so", observed("3600")+nonconformant("FD-5.4-4", marks, "10 req/s: false detections were observed for 1h, and faults were applied for 2h in all")),
		},
	},
	{
		ID:  "FD-5.4-5",
		How: "each load has the count of false detections and the period",
		Bad: examples{
			ex("no count", observed("7200")+`false_detection {"load": "10 req/s"}
  set {"count": null}`),
			edge("a period of no time", observed("7200")+`false_detection {"load": "10 req/s"}
  set {"period_s": 0, "time_under_fault_s": 0}`),
		},
		Good: examples{edge("none in two hours", observed("7200")+`false_detection {"load": "10 req/s"}
  set {"count": 0, "edges": 0}`)},
	},
	{
		ID:     "FD-5.4-6",
		How:    "a latency without a False Detection Rate of its load has no value, and a violation says why",
		Effect: spec.Withholds,
		Bad: examples{
			edge("a latency without it", unobserved+nonconformant("FD-5.4-3", marks, "10 req/s: no observation of false detections is on record")),
			ex("withheld, and nothing says why", unobserved+silent+nonconformant("FD-5.4-7", withholds, "10 req/s: the threshold is withheld")),
		},
		Good: examples{edge("withheld", unobserved+silent+nonconformant("FD-5.4-3", marks, "10 req/s: no observation of false detections is on record"))},
	},
	{
		ID:     "FD-5.4-7",
		How:    "a threshold without a False Detection Rate of its load has no value, and a violation says why",
		Effect: spec.Withholds,
		Bad: examples{
			on("searches", edge("a threshold without it", noObservation+nonconformant("FD-5.4-3", marks, "10 req/s: no observation of false detections is on record"))),
			on("searches", ex("withheld, and nothing says why", noObservation+silentThreshold)),
			on("searches", ex("withheld, beside the steps of its search", noObservation+stepsLeft+
				nonconformant("FD-5.4-7", withholds, "10 req/s: no False Detection Rate of this load accompanies it"))),
		},
		Good: examples{on("searches", edge("withheld", noObservation+silentThreshold+
			nonconformant("FD-5.4-7", withholds, "10 req/s: no False Detection Rate of this load accompanies it")))},
	},
}

// observed is a load with two hours under fault, observed for so many seconds.
func observed(period string) string {
	return `false_detection {"load": "10 req/s"}
  set {"count": 2, "edges": 2, "period_s": ` + period + `, "required_s": 7200, "time_under_fault_s": 7200}
`
}

const (
	noObservation = `false_detection {"load": "10 req/s"}
  drop
`
	// unobserved leaves values of latencies alone at the load.
	unobserved = noObservation + silentThreshold
	silent     = `latency all {"load": "10 req/s"}
  set {"withheld": "FD-5.4-6"}
  null median_s
  null p95_s
  null mean_s
`
	silentThreshold = `threshold {"load": "10 req/s"}
  set {"withheld": "FD-5.4-7", "trace": []}
  null upper_bound
`
	stepsLeft = `threshold {"load": "10 req/s"}
  set {"withheld": "FD-5.4-7"}
  null upper_bound
`
)

var maskingRules = []spec.Rule{
	{
		ID:  "FD-5.5-5",
		How: "each masking rests on the twenty trials or more that were planned, or a violation says why not",
		Bad: examples{
			edge("nineteen trials, and nothing says why", masked(`set {"trials": 19, "status": "incomplete"}`)),
			ex("none at one of the loads", `masking {"load": "10 req/s"}
  drop`),
		},
		Good: examples{edge("twenty trials", masked(`set {"trials": 20}`)), ex("nineteen, and a violation that says why", masked(`set {"trials": 19, "status": "incomplete"}`)+nonconformant("FD-5.5-5", marks, "refusal, 0.2, 10 req/s: 19 of 20 masking trials were kept"))},
	},
	{
		ID:  "FD-5.5-6",
		How: "the value is there and lies in the interval that the order of its trials gives to a median",
		Bad: examples{
			ex("no value", masked(`null median`)),
			edge("a value just outside", masked(`set {"median": 0.2001}`)),
		},
		Good: examples{
			edge("a value at its end", masked(`set {"median": 0.2}`)),
			ex("an amplification, not cut off at 0", masked(`set {"median": -0.05}`)),
		},
	},
	{
		ID:  "FD-5.5-7",
		How: "each masking says how both points were measured",
		Bad: examples{
			ex("no member for it", masked(`set {"method": null}`)),
			edge("an empty method", masked(`set {"method": ""}`)),
		},
		Good: examples{edge("a method", masked(`set {"method": "refusal/1 at both points"}`))},
	},
	{
		ID:  "FD-5.5-8",
		How: "masking is not applicable where the points are the same, and only there",
		Bad: examples{
			on("same point", edge("a masking of 0 at one point", `masking {"load": "10 req/s", "class": "refusal"}
  set {"status": "value", "median": 0}`)),
			on("same point", ex("no word on it", `masking {"load": "10 req/s"}
  drop`)),
			ex("two points, and not applicable", `masking {"load": "10 req/s"}
  set {"status": "not_applicable"}`),
		},
		Good: examples{on("same point", edge("not applicable at one point", `masking {"load": "10 req/s", "class": "refusal"}
  set {"status": "not_applicable"}`))},
	},
}

// masked changes a masking whose trials give the interval from -0.1 to 0.2.
func masked(change string) string {
	return `supplementary
  set {"masking": [{"row": {"class": "refusal", "profile": "step", "magnitude": "0.2", "load": "10 req/s"}, "low": -0.1, "high": 0.2}]}
masking {"load": "10 req/s"}
  set {"median": 0.1}
  ` + change + "\n"
}
