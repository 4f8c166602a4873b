package compare

import "github.com/fdbench/fdbench/spec"

// Rules lists the requirements that are decided when two results are set side
// by side. The examples change the second of two equal results; what their Base
// may ask for says package comparetest.
func Rules() []spec.Rule {
	rules := []spec.Rule{
		{
			ID:  ruleKeys,
			How: "both results have all five keys, and each key's digest is that of its value",
			Bad: []spec.Example{
				edge("no digest of the request population", "", "comparability\n  set {\"request_population\": {\"sha256\": null}}"),
				example("no offered load", "", "comparability\n  set {\"offered_load\": null}"),
				example("a digest that is not of its value", "", "comparability\n  set {\"observation_point\": {\"sha256\": \"sha256:0\"}}"),
				example("a detector without a value, in a study of it", "study=detector_configuration",
					"comparability\n  set {\"detector_configuration\": {\"value\": null}}"),
			},
			Good: []spec.Example{
				edge("the digest of the observation point, made again", "", "comparability\n  set {\"observation_point\": {\"value\": \"gateway\"}}"),
			},
		},
		{
			ID:  ruleDiffers,
			How: "the digests of the five keys are equal in pairs, but for the one that a study names",
			Bad: []spec.Example{
				edge("a load of 10.01 requests a second beside 10", "", "comparability\n  put offered_load.value.points.0 \"10.01 req/s\""),
				example("another observation point", "", "comparability\n  put observation_point.value \"guardrail\""),
				example("another judge version", "",
					"comparability\n  put detector_configuration.value.detector.indicators.0.judge_version \"2\"\ntop\n  set {\"generation\": 2}"),
				example("another model behind the deployment", "", "comparability\n  put serving_configuration.value.serving.model \"mixtral-2\""),
				example("another request population", "", "comparability\n  put request_population.value.digest \"sha256:34\""),
				example("poisson arrivals beside constant ones", "", "comparability\n  put offered_load.value.arrivals \"poisson\""),
				example("a second key in a study of the deployment", "study=serving_configuration",
					"comparability\n  put serving_configuration.value.serving.model \"mixtral-2\"\n  put request_population.value.salt \"none\""),
				example("a study of a deployment that is the same", "study=serving_configuration", "top\n  set {\"series\": \"other\"}"),
			},
			Good: []spec.Example{
				edge("10 requests a second in both", "", "comparability\n  put offered_load.value.points.0 \"10 req/s\""),
				example("other figures under the same keys", "", "latency\n  set {\"median_s\": 61.5}"),
				example("a study of the deployment, which alone differs", "study=serving_configuration",
					"comparability\n  put serving_configuration.value.serving.model \"mixtral-2\""),
				example("a study of the load, as two lists", "study=offered_load",
					"comparability\n  put offered_load.value.points.0 \"20 req/s\""),
			},
		},
		{
			ID:  ruleOrganisation,
			How: "organisation, environment and kind of time are the same in both, whatever a study names",
			Bad: []spec.Example{
				edge("a study of the deployment with another organisation's", "study=serving_configuration",
					"comparability\n  put serving_configuration.value.serving.model \"mixtral-2\"\n  put serving_configuration.value.organisation \"elsewhere\""),
				example("another organisation", "", "comparability\n  put serving_configuration.value.organisation \"elsewhere\""),
				example("another environment", "study=serving_configuration",
					"topology\n  set {\"environment\": \"elsewhere\"}\ncomparability\n  put serving_configuration.value.environment \"elsewhere\""),
				example("virtual time beside real time", "real", "conformance\n  set {\"status\": \"simulated\", \"time\": \"virtual\"}"),
			},
			Good: []spec.Example{
				edge("a study of the deployment of the same organisation", "study=serving_configuration",
					"comparability\n  put serving_configuration.value.serving.model \"mixtral-2\"\n  put serving_configuration.value.organisation \"\""),
			},
		},
		{
			ID:  ruleReduced,
			How: "both are reduced or neither is, and none that lists a reduction or ran in virtual time calls itself a result",
			Bad: []spec.Example{
				edge("a reduced series beside a full one", "",
					"conformance\n  set {\"reductions\": [{\"what\": \"trials\", \"required\": \"20\", \"planned\": \"19\"}]}"),
				example("a full series beside a reduced one", "reduced", "conformance\n  set {\"reductions\": []}"),
				example("a simulated series that calls itself conformant", "", "conformance\n  set {\"status\": \"conformant\"}"),
				example("a measured series that calls itself simulated", "real", "conformance\n  set {\"status\": \"simulated\"}"),
				example("a reduced series that calls itself conformant", "real reduced", "conformance\n  set {\"status\": \"conformant\"}"),
			},
			Good: []spec.Example{
				edge("two reduced series", "reduced", "conformance\n  set {\"reductions\": [{\"what\": \"trials\", \"required\": \"20\", \"planned\": \"19\"}]}"),
				example("two results under the methodology", "real", "top\n  set {\"generation\": 2}"),
			},
		},
		{
			ID:  ruleSeries,
			How: "two detectors are two series, by name or by generation, and stand beside one another only in a study",
			Bad: []spec.Example{
				edge("a threshold of 0.08 in place of 0.07, in the same generation", "study=detector_configuration",
					"comparability\n  put detector_configuration.value.detector.alerts.0.threshold \"0.08\""),
				example("another judge model in the same generation", "study=detector_configuration",
					"comparability\n  put detector_configuration.value.detector.indicators.0.judge_model \"judge-2\""),
				example("an alerting rule that waits, in the same generation", "study=detector_configuration",
					"comparability\n  put detector_configuration.value.detector.alerts.0.for \"60\""),
				example("half of the responses sampled, in the same generation", "study=detector_configuration",
					"comparability\n  put detector_configuration.value.detector.indicators.0.sampling \"0.5\""),
				example("a changed threshold, outside of a study", "",
					"comparability\n  put detector_configuration.value.detector.alerts.0.threshold \"0.08\"\ntop\n  set {\"generation\": 2}"),
			},
			Good: []spec.Example{
				edge("a threshold of 0.08 in place of 0.07, in the next generation", "study=detector_configuration",
					"comparability\n  put detector_configuration.value.detector.alerts.0.threshold \"0.08\"\ntop\n  set {\"generation\": 2}"),
			},
		},
	}
	for i := range rules {
		rules[i].Stage, rules[i].Effect = spec.Compare, spec.NoCompare
	}
	return rules
}

func example(name, base, text string) spec.Example {
	return spec.Example{Name: name, In: spec.InComparison, Base: base, Text: text}
}

func edge(name, base, text string) spec.Example {
	x := example(name, base, text)
	x.Edge = true
	return x
}
