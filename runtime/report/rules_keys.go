package report

import "github.com/fdbench/fdbench/spec"

var keyRules = []spec.Rule{
	{
		ID:  "FD-1.2-5",
		How: "each of the five keys has its value and the digest of it",
		Bad: examples{
			ex("no request population", `comparability
  set {"request_population": null}`),
			edge("a digest of something else", `comparability
  set {"observation_point": {"value": "gateway", "sha256": "sha256:319ea077fe98008c"}}`),
		},
		Good: examples{edge("the digest of the value", `comparability
  set {"observation_point": {"value": "gateway", "sha256": "sha256:319ea077fe98008cd260c55907ede9e9576c5d8646e6bcfa0320fc2fd6a1d148"}}`)},
	},
	{
		ID:  "FD-6-1",
		How: "the Observation Point is named, as in its comparability key",
		Bad: examples{
			ex("no member for it", `topology
  set {"observation_point": null}`),
			edge("an empty name", `topology
  set {"observation_point": ""}`),
		},
		Good: examples{edge("its name", `topology
  set {"observation_point": "gateway"}`)},
	},
	{
		ID:  "FD-6-2",
		How: "the detector stands there with its indicators and alerts, as in its comparability key",
		Bad: examples{
			ex("the digest alone", `detector
  drop`),
			edge("no alerts", `detector
  set {"alerts": []}`),
			ex("another version", `detector
  set {"version": "1.1"}`),
		},
		Good: examples{edge("with its alerts", `detector
  set {"version": "1"}`)},
	},
	{
		ID:  "FD-6-3",
		How: "the deployment stands there with its kind, configuration and boundary, and outside a simulation somebody attests that this is all",
		Bad: examples{
			edge("no configuration", `comparability
  set {"serving_configuration": {"value": {"serving": {"configuration": ""}}}}`),
			ex("no boundary", `comparability
  set {"serving_configuration": {"value": {"sut_boundary": ""}}}`),
			ex("nobody attests it", `conformance
  set {"attestations": [{"subject": "fd_7_1", "by": "author", "statement": "a lab of its own"}, {"subject": "fd_1_2_6", "by": "author", "statement": "for our own use"}]}`),
		},
		Good: examples{edge("a configuration without a setting", `comparability
  set {"serving_configuration": {"value": {"serving": {"configuration": "{}"}}}}`)},
	},
	{
		ID:  "FD-6-4",
		How: "the population has its name, origin, salt, provenance and digest",
		Bad: examples{
			edge("no provenance", `comparability
  set {"request_population": {"value": {"provenance": ""}}}`),
			ex("no digest", `comparability
  set {"request_population": {"value": {"digest": ""}}}`),
		},
		Good: examples{edge("with its provenance", `comparability
  set {"request_population": {"value": {"provenance": "synthetic"}}}`)},
	},
	{
		ID:  "FD-6-5",
		How: "the load points and the way in which requests arrive",
		Bad: examples{
			ex("no load points", `comparability
  set {"offered_load": {"value": {"points": []}}}`),
			edge("no word on how requests arrive", `comparability
  set {"offered_load": {"value": {"arrivals": ""}}}`),
		},
		Good: examples{edge("how requests arrive", `comparability
  set {"offered_load": {"value": {"arrivals": "constant"}}}`)},
	},
}
