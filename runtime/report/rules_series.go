package report

import "github.com/fdbench/fdbench/spec"

// statement is the footer of every report.
const statement = "These values characterise one detector in one declared environment. They " + noMeaning + ", are " + noRanking + ", and " + noVerdict + "."

var seriesRules = []spec.Rule{
	{
		ID:  "FD-1.1-1",
		How: "no member and no sentence of the result judges, and the footer says that it does not",
		Bad: examples{
			edge("the footer ends in a verdict", "footer\n  set {\"statement\": \""+statement+" The detector passes.\"}"),
			ex("a row says that it passed", "latency"+row+"  set {\"passed\": true}"),
			ex("a status that is a verdict", "conformance\n  set {\"status\": \"pass\"}"),
		},
		Good: examples{edge("the footer as it is", "footer\n  set {\"statement\": \""+statement+"\"}")},
	},
	{
		ID:  "FD-1.2-1",
		How: "one plan, one environment under its own serving configuration, and one row for each combination",
		Bad: examples{
			edge("the name of another environment", `topology
  set {"environment": "lab-2"}`),
			ex("a combination twice, as from two runs", "latency"+row+"  copy"),
			ex("no plan", `top
  set {"plan_digest": ""}`),
		},
		Good: examples{edge("the environment's own name", `topology
  set {"environment": "lab"}`)},
	},
	{
		ID:  "FD-1.2-6",
		How: "the footer says what the values are no measure of, no member ranks, and outside a simulation somebody attests their use",
		Bad: examples{
			edge("a footer that does not speak of ranking", "footer\n  set {\"statement\": \"They "+noMeaning+" and "+noVerdict+".\"}"),
			ex("a row with a rank", "coverage"+row+"  set {\"rank\": 1}"),
			ex("nobody attests the use", `conformance
  set {"attestations": [{"subject": "fd_6_3", "by": "author", "statement": "this is all of it"}, {"subject": "fd_7_1", "by": "author", "statement": "a lab of its own"}]}`),
		},
		Good: examples{edge("a footer that does", "footer\n  set {\"statement\": \""+statement+"\"}")},
	},
	{
		ID:  "FD-1.2-9",
		How: "fewer than twenty planned trials or four load points stand on the list of reductions, each with what it was reduced from and to",
		Bad: examples{
			edge("nineteen planned trials, and no reduction", again("latency", `set {"trials": 19, "required": 19, "undetected": 1, "attempts": 21}
coverage`+row+`  set {"trials": 19}`)),
			on("reduced", ex("two load points, and no reduction", `conformance
  set {"status": "conformant", "reductions": []}`)),
			on("reduced", ex("a reduction without its reason", `conformance
  set {"reduced_reason": " "}`)),
			on("reduced", ex("a reduction without what it was reduced to", `conformance
  set {"reductions": [{"what": "load_points", "required": "4", "planned": ""}]}`)),
		},
		Good: examples{
			edge("twenty planned trials", again("latency", `set {"required": 20}`)),
			on("reduced", ex("two load points, as stated", `conformance
  set {"reductions": [{"what": "load_points", "required": "4", "planned": "2"}]}`)),
			on("reduced", ex("two load points, with the reason of the deviation", `conformance
  set {"reduced_reason": "", "reductions": [{"what": "load_points", "required": "4", "planned": "2"}], "deviations": [{"rule": "FD-3.3-4", "because": "the machine takes no more"}]}`)),
		},
	},
	{
		ID:  "FD-1.2-10",
		How: "the status is the one that reductions, violations and the kind of time give",
		Bad: examples{
			on("reduced", edge("a reduced series called conformant", `conformance
  set {"status": "conformant"}`)),
			on("virtual", ex("a simulation called conformant", `conformance
  set {"status": "conformant"}`)),
			ex("a simulated apparatus in a result called conformant", `apparatus
  set {"kind": "simulated"}`),
			ex("a violation in a result called conformant", `conformance
  set {"violations": [{"rule": "FD-4.3-2", "effect": "marks the series", "detail": "10 req/s: a quiet period was shorter than the plan declares"}]}`),
		},
		Good: examples{
			on("reduced", edge("a reduced series called reduced", `conformance
  set {"status": "reduced"}`)),
			ex("a violation in a result called nonconformant", nonconformant("FD-4.3-2", marks, "10 req/s: a quiet period was shorter than the plan declares")),
		},
	},
	{
		ID:  "FD-3.4-5",
		How: "a result that lists a marker does not pass as conformant",
		Bad: examples{edge("a marker, and the series stays conformant", `conformance
  set {"violations": [{"rule": "FD-3.4-4", "effect": "stops the series", "detail": "the response carries the header x-fault"}]}`)},
		Good: examples{edge("a marker, and the series is nonconformant", nonconformant("FD-3.4-4", string(spec.Stops), "the response carries the header x-fault"))},
	},
	{
		ID:  "FD-4.1-6",
		How: "the signal that is reported is the one that the series declared, and a changed declaration leaves no conformant result",
		Bad: examples{
			edge("figures of another signal", `signal
  set {"name": "ticket"}`),
			ex("another attribution", `signal
  set {"attribution": "signal.status == \"firing\""}`),
			ex("a changed declaration, and the series stays conformant", `conformance
  set {"violations": [{"rule": "FD-4.1-5", "effect": "marks the series", "detail": "the declaration was changed"}]}`),
		},
		Good: examples{edge("the declared signal", `signal
  set {"name": "page"}`)},
	},
	{
		ID:  "FD-4.4-2",
		How: "the attribution criterion stands in the report",
		Bad: examples{edge("no criterion", `signal
  set {"attribution": ""}`)},
		Good: examples{edge("its name and its criterion", `signal
  set {"name": "page"}`)},
	},
}

var baselineRules = []spec.Rule{
	{
		ID:  "FD-4.2-6",
		How: "every magnitude is a plain number in its indicator's unit, and the baseline mean that it is a change from is reported",
		Bad: examples{
			ex("twice the baseline", "latency"+row+"  set {\"magnitude\": \"2x\"}"),
			ex("half as much again", "coverage"+row+"  set {\"magnitude\": \"+50%\"}"),
			edge("no mean at the injection point", `baseline {"load": "10 req/s", "indicator": "refusal_rate", "point": "injection"}
  null mean`),
		},
		Good: examples{edge("a mean of zero is a mean", `baseline {"load": "10 req/s", "indicator": "refusal_rate", "point": "injection"}
  set {"mean": "0"}`)},
	},
	{
		ID:  "FD-4.2-7",
		How: "the mark of each row is the one that its magnitude and twice the standard deviation give, in exact numbers",
		Bad: examples{edge("a magnitude just below two standard deviations, not marked", deviation("0.0250001", false))},
		Good: examples{
			edge("a magnitude of exactly two standard deviations, not marked", deviation("0.025", false)),
			ex("one below, marked", deviation("0.0250001", true)),
		},
	},
	{
		ID:  "FD-4.2-9",
		How: "a marked row carries the standard deviation of its load",
		Bad: examples{
			edge("marked, and without it", deviation("0.0250001", true)+`latency {"class": "refusal", "magnitude": "0.05", "profile": "step", "load": "10 req/s"}
  null baseline_sd`),
			ex("marked, and with that of another load", deviation("0.0250001", true)+`latency {"class": "refusal", "magnitude": "0.05", "profile": "step", "load": "10 req/s"}
  set {"baseline_sd": "0.026"}`),
			ex("a masking that is marked, and without it", `masking {"load": "10 req/s"}
  set {"below_2sd": true}
  null baseline_sd`),
		},
		Good: examples{edge("marked, and with it", deviation("0.0250001", true))},
	},
	{
		ID:  "FD-4.3-5",
		How: "each load has the rule of its quiet periods and how long they were",
		Bad: examples{
			ex("no quiet period at a load", `quiet {"load": "10 req/s"}
  drop`),
			edge("the rule alone", `quiet {"load": "10 req/s"}
  null median_s`),
			ex("lengths without the rule", `quiet {"load": "10 req/s"}
  set {"rule": ""}`),
		},
		Good: examples{edge("the rule with its lengths", `quiet {"load": "10 req/s"}
  set {"min_s": 600, "median_s": 600, "max_s": 600}`)},
	},
}

// deviation gives the refusals at one load a standard deviation, and the rows
// of magnitude 0.05 their mark.
func deviation(sd string, below bool) string {
	mark := "false"
	if below {
		mark = "true"
	}
	return `baseline {"load": "10 req/s", "indicator": "refusal_rate", "point": "observation"}
  set {"sd": "` + sd + `"}
masking {"load": "10 req/s"}
  set {"baseline_sd": "` + sd + `"}
threshold {"load": "10 req/s"}
  set {"baseline_sd": "` + sd + `", "status": "below_floor"}
  null upper_bound
latency all {"load": "10 req/s", "class": "refusal"}
  set {"baseline_sd": "` + sd + `"}
coverage all {"load": "10 req/s", "class": "refusal"}
  set {"baseline_sd": "` + sd + `"}
latency all {"load": "10 req/s", "class": "refusal", "magnitude": "0.05"}
  set {"below_2sd": ` + mark + `}
coverage all {"load": "10 req/s", "class": "refusal", "magnitude": "0.05"}
  set {"below_2sd": ` + mark + `}
`
}
