package schema

var environmentBlock = &Block{
	Type: "environment", Labels: name("The name behind `environment.`."), Unique: true, Since: 1,
	Requirements: req("FD-1.2-1", "FD-3.1-1", "FD-1.1-3"), Refused: environmentRefused,
	Doc: "Where the measurement takes place: the deployment, the apparatus, and the way that a response travels.",
	Attrs: []*Attr{
		{Name: "kind", Type: String, Required: true, Enum: []string{"simulated", "lab", "ci"}, Since: 1, Requirements: req("FD-1.1-3", "FD-7-1"), Doc: "What sort of environment it is. Production is not among them: benchmarking is confined to a test environment. In one that is not `simulated` somebody vouches, in attest blocks of the series, for what cannot be measured."},
		{Name: "sut_boundary", Type: String, Required: true, Enum: []string{"model_engine", "application_gateway", "ai_firewall", "compound_system"}, Since: 1, Requirements: req("FD-3.1-3"), Doc: "Where the system under test ends."},
		{Name: "serving", Type: Ref, Refs: []string{"serving"}, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "The serving deployment."},
		{Name: "apparatus", Type: Ref, Refs: []string{"apparatus"}, Required: true, Since: 1, Requirements: req("FD-3.1-1", "FD-3.1-4"), Doc: "The injection apparatus."},
		{Name: "path", Type: Strings, Required: true, Since: 1, Requirements: req("FD-3.1-6"), Doc: "The places that a response passes, in order, such as `[\"engine\", \"guardrail\", \"gateway\"]`."},
		{Name: "inject_at", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-4", "FD-3.1-6"), Doc: "The Fault Injection Point: a place of the path."},
		{Name: "observe_at", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-6", "FD-6-1"), Doc: "The Observation Point: a place of the path."},
		description("the environment"),
		{Name: "organisation", Type: String, Since: 1, Requirements: req("FD-1.2-6"), Doc: "Whose environment it is. Results of different organisations are not compared."},
	},
	Blocks: []*Block{
		{
			Type: "guardrail", Labels: []Label{{Name: "LABEL", Doc: "The place of the path where it stands."}}, Unique: true, Since: 1, Requirements: req("FD-3.1-8"),
			Doc: "Something on the path that undoes part of a fault.",
			Attrs: []*Attr{
				{Name: "masks", Type: Number, Required: true, Since: 1, Doc: "The share of affected responses that it restores, from 0 to 1."},
				{Name: "class", Type: Ref, Refs: []string{"fault_class"}, Since: 1, Doc: "The only fault class that it acts on. Every class where absent."},
			},
		},
		{
			Type: "caching", Min: 1, Max: 1, Since: 1, Requirements: req("FD-3.3-7", "FD-3.3-8"), Refused: cachingRefused,
			Doc: "How it is made sure that no cache answers.",
			Attrs: []*Attr{
				{Name: "approach", Type: String, Required: true, Enum: []string{"disabled", "no_hit_population"}, Since: 1, Requirements: req("FD-3.3-7", "FD-3.3-8"), Doc: "Caching is off, or the population is built so that a hit cannot occur."},
				{Name: "proof", Type: String, Since: 1, Requirements: req("FD-3.3-7"), Doc: "What shows it."},
			},
		},
		{
			Type: "clocks", Min: 1, Max: 1, Since: 1, Requirements: req("FD-3.5-6", "FD-3.5-2", "FD-3.5-7"), Refused: clocksRefused,
			Doc: "How the clocks of the apparatus and the detector relate.",
			Attrs: []*Attr{
				{Name: "arrangement", Type: String, Required: true, Enum: []string{"same_host", "probed", "chrony"}, Since: 1, Requirements: req("FD-3.5-6", "FD-3.5-2", "FD-3.5-7"), Doc: "Both stamps come from one host, or the offset between the hosts is measured: by probes that a responder at the detector's host answers, or from what chrony says on both."},
				{Name: "responder", Type: String, Since: 1, Requirements: req("FD-3.5-2"), Doc: "With `probed`: the HOST:PORT of the responder at the detector's host."},
			},
		},
	},
}

var signalBlock = &Block{
	Type: "signal", Labels: name("The name behind `signal.`."), Unique: true, Since: 1,
	Requirements: req("FD-4.1-1"), Refused: signalRefused,
	Doc: "What counts as a Detection Event. It is declared before the first trial and never changes.",
	Attrs: []*Attr{
		{Name: "type", Type: String, Required: true, Enum: []string{"alert"}, Since: 1, Requirements: req("FD-4.1-2"), Doc: "The type of the signal."},
		{Name: "component", Type: Ref, Refs: []string{"detector"}, Required: true, Since: 1, Requirements: req("FD-4.1-3"), Doc: "The component that emits it."},
		{Name: "event_clock", Type: String, Default: `"receiver"`, Enum: []string{"receiver", "emitter"}, Since: 1, Requirements: req("FD-3.5-1"), Doc: "Whose stamp is the time of the event."},
		{Name: "attribution", Type: Predicate, Literal: true, Required: true, Since: 1, Requirements: req("FD-4.1-4", "FD-4.4-1"), Doc: "A condition over `signal` and `fault` that is true where the signal is due to the fault."},
	},
}
