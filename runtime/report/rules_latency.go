package report

import "github.com/fdbench/fdbench/spec"

var latencyRules = []spec.Rule{
	{
		ID:  "FD-5.1-1",
		How: "each latency has its class, magnitude and profile, once",
		Bad: examples{
			edge("pooled over magnitudes", "latency"+row+"  set {\"magnitude\": \"\"}"),
			ex("no profile", "latency"+row+"  set {\"profile\": null}"),
			ex("a class that is not described", "latency"+row+"  set {\"class\": \"any\"}"),
		},
		Good: examples{edge("of one magnitude", "latency"+row+"  set {\"magnitude\": \"0.2\"}")},
	},
	{
		ID:  "FD-5.1-8",
		How: "each latency rests on the twenty trials or more that were planned, or a violation says why not",
		Bad: examples{
			edge("nineteen trials, and nothing says why", nineteen),
			ex("none at one of the loads", "latency"+row+"  drop\ncoverage"+row+"  drop"),
		},
		Good: examples{
			edge("twenty trials", again("latency", `set {"trials": 20}`)),
			ex("nineteen trials, and a violation that says why", nineteen+nonconformant("FD-3.4-8", marks, "refusal, 0.2, step, 10 req/s: 19 of 20 trials were kept")),
		},
	},
	{
		ID:   "FD-5.1-11",
		How:  "the undetected trials of a latency are among the trials of its coverage",
		Bad:  examples{edge("18 of 18, beside two that were not detected", again("coverage", `set {"detected": 18, "trials": 18}`))},
		Good: examples{edge("18 of 20, beside two that were not detected", again("coverage", `set {"detected": 18, "trials": 20}`))},
	},
	{
		ID:  "FD-5.1-12",
		How: "every latency of at least one detected trial has a median",
		Bad: examples{
			edge("no median of one detected trial", detected(1, "120")+"latency"+row+"  null median_s"),
			ex("a median before the onset", counted+"latency"+row+"  set {\"median_s\": -1}"),
		},
		Good: examples{
			edge("no median of no detected trial", detected(0, "null")),
			ex("a median of one detected trial", detected(1, "120")),
		},
	},
	{
		ID:  "FD-5.1-13",
		How: "every latency of at least one detected trial has a 95th percentile, not below its median, with its estimator and whether it is the largest",
		Bad: examples{
			edge("no percentile of one detected trial", detected(1, "120")+"latency"+row+"  null p95_s"),
			ex("a percentile below the median", again("latency", `set {"p95_s": 119}`)),
			ex("no estimator", again("latency", `set {"estimator": ""}`)),
			ex("the largest of nineteen, not marked", again("latency", `set {"detected": 19, "undetected": 1, "p95_is_max": false}
coverage`+row+`  set {"detected": 19}`)),
		},
		Good: examples{
			edge("no percentile of no detected trial", detected(0, "null")),
			ex("a percentile of one detected trial", detected(1, "120")),
		},
	},
	{
		ID:  "FD-5.1-14",
		How: "the number of trials stands beside the latency, and it is that of its detected and undetected ones",
		Bad: examples{
			ex("no number of trials", again("latency", `set {"trials": null}`)),
			edge("one too few", again("latency", `set {"trials": 19}`)),
		},
		Good: examples{edge("as many as were detected and not detected", again("latency", `set {"trials": 20}`))},
	},
	{
		ID:  "FD-5.1-15",
		How: "the number of undetected trials stands beside the latency, and it is what the detected ones leave",
		Bad: examples{
			ex("no number of undetected trials", again("latency", `set {"undetected": null}`)),
			edge("one too few", again("latency", `set {"undetected": 1}`)),
		},
		Good: examples{edge("what the detected ones leave", again("latency", `set {"undetected": 2}`))},
	},
	{
		ID:     "FD-5.1-16",
		How:    "a latency is reported with a mean or without one",
		Effect: spec.Permission,
		Good: examples{
			edge("no mean", again("latency", `null mean_s`)),
			ex("a mean", again("latency", `set {"mean_s": 140}`)),
		},
	},
	{
		ID:  "FD-5.1-17",
		How: "no figure exists without a detected trial, none is above the timeout, and no mean is larger than the quantiles and the timeout let one be",
		Bad: examples{
			edge("a percentile just above the timeout", again("latency", `set {"timeout_s": 1200, "p95_s": 1200.001}`)),
			ex("a median of no detected trial", detected(0, "1200")),
			ex("the timeout among the values of a mean", again("latency", `set {"trials": 20, "detected": 4, "undetected": 16, "median_s": 100, "p95_s": 200, "mean_s": 980}
coverage`+row+`  set {"detected": 4}`)),
		},
		Good: examples{
			edge("a percentile at the timeout", again("latency", `set {"timeout_s": 1200, "p95_s": 1200}`)),
			ex("none of no detected trial", detected(0, "null")),
		},
	},
}

// nineteen is a row in which one of twenty planned trials is missing.
const nineteen = counted + "latency" + row + `  set {"trials": 19, "undetected": 1, "attempts": 21}
coverage` + row + `  set {"trials": 19}
`

// detected is a row with n detected trials of twenty, all of one latency.
func detected(n int, latency string) string {
	values := `"median_s": ` + latency + `, "p95_s": ` + latency + `, "mean_s": ` + latency
	text := counted + "latency" + row + "  set {\"detected\": " + count(n) + ", \"undetected\": " + count(20-n) + ", \"p95_is_max\": "
	if n > 0 {
		text += "true, "
	} else {
		text += "false, "
	}
	return text + values + "}\ncoverage" + row + "  set {\"detected\": " + count(n) + "}\n"
}

var coverageRules = []spec.Rule{
	{
		ID:  "FD-5.2-1",
		How: "each combination has a latency and a coverage, of the same trials",
		Bad: examples{
			edge("one detected trial fewer than the latency has", again("coverage", `set {"detected": 17}`)),
			ex("a coverage without a latency", "latency"+row+"  drop"),
			ex("a latency without a coverage", "coverage"+row+"  drop"),
		},
		Good: examples{edge("as many as the latency has", again("coverage", `set {"detected": 18}`))},
	},
	{
		ID:   "FD-5.2-2",
		How:  "the denominator is the trials that were kept, not the attempts",
		Bad:  examples{edge("divided by the attempts", again("coverage", `set {"trials": 22}`))},
		Good: examples{edge("divided by the trials", again("coverage", `set {"trials": 20}`))},
	},
	{
		ID:  "FD-5.2-3",
		How: "numerator and denominator are there, and the one is not above the other",
		Bad: examples{
			ex("no denominator", again("coverage", `set {"trials": null}`)),
			edge("21 of 20", again("coverage", `set {"detected": 21}`)),
		},
		Good: examples{edge("20 of 20", detected(20, "120")+"latency"+row+"  set {\"p95_is_max\": false}")},
	},
	{
		ID:  "FD-5.2-4",
		How: "each coverage has its magnitude",
		Bad: examples{
			edge("pooled over magnitudes", "coverage"+row+"  set {\"magnitude\": \"\"}"),
			ex("no member for it", "coverage"+row+"  set {\"magnitude\": null}"),
		},
		Good: examples{edge("of one magnitude", "coverage"+row+"  set {\"magnitude\": \"0.2\"}")},
	},
	{
		ID:  "FD-5.2-5",
		How: "each coverage has its class and profile, once",
		Bad: examples{
			edge("an empty profile", "coverage"+row+"  set {\"profile\": \"\"}"),
			ex("no class", "coverage"+row+"  set {\"class\": null}"),
		},
		Good: examples{edge("its profile", "coverage"+row+"  set {\"profile\": \"step\"}")},
	},
}
