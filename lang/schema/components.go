package schema

var (
	latencyAttr       = &Attr{Name: "latency", Type: Distribution, Default: `"constant 0s"`, Since: 1, Doc: "How long a response takes."}
	modelAttr         = &Attr{Name: "model", Type: String, Since: 1, Requirements: req("FD-6-3"), Doc: "The model that the deployment stands for."}
	configurationAttr = &Attr{Name: "configuration", Type: Object, Default: "{}", Since: 1, Requirements: req("FD-6-3"), Doc: "Further settings of the deployment, such as the sampling temperature. They are hashed and reported."}
)

func kindName(kinds, of string) []Label {
	return []Label{
		{Name: "KIND", Doc: kinds},
		{Name: "NAME", Doc: "The name behind `" + of + ".`.", Identifier: true},
	}
}

var servingBlock = &Block{
	Type: "serving", Labels: kindName("How the deployment comes about.", "serving"), Unique: true, Since: 1,
	Requirements: req("FD-3.1-1", "FD-3.1-3", "FD-6-3"),
	Doc:          "The serving deployment that the requests go to.",
	Kinds: []*Block{
		{
			Type: "serving", Kind: "simulated", Since: 1,
			Doc:   "A deployment that exists only in virtual time. Its answers have no text: each behaviour says how an indicator is distributed.",
			Attrs: []*Attr{latencyAttr, modelAttr, configurationAttr},
			Blocks: []*Block{{
				Type: "behaviour", Since: 1,
				Doc:    "How one indicator is distributed over the responses without a fault.",
				Groups: []Group{{Names: []string{"rate", "distribution"}, Min: 1, Max: 1}},
				Attrs: []*Attr{
					{Name: "indicator", Type: Ref, Refs: []string{"indicator"}, Required: true, Since: 1, Doc: "The indicator."},
					{Name: "rate", Type: Number, Since: 1, Doc: "The share of responses that score 1, from 0 to 1. For a rate indicator."},
					{Name: "distribution", Type: Distribution, Since: 1, Doc: "The distribution of the score. For a mean indicator."},
				},
			}},
		},
		{
			Type: "serving", Kind: "recorded", Since: 1,
			Doc: "A deployment that answers with real responses from a file, drawn with replacement.",
			Attrs: []*Attr{
				{Name: "responses", Type: File, Required: true, Since: 1, Doc: "A JSONL file with a `response` and optionally a `prompt`, `id` and `label` a line."},
				latencyAttr, modelAttr, configurationAttr,
			},
		},
		servingOpenAI,
	},
}

// samplingAttrs belong to an apparatus that changes responses itself.
var samplingAttrs = []*Attr{
	{Name: "sampling", Type: String, Default: `"quota"`, Enum: []string{"quota", "bernoulli"}, Since: 1, Requirements: req("FD-3.4-6", "FD-3.4-7"), Doc: "How the affected responses are chosen: `quota` holds the share in every block of responses, `bernoulli` draws each on its own."},
	{Name: "block", Type: Number, Default: "0", Unit: "responses", Since: 1, Doc: "How many responses a quota is held over, in random order; 0 for as many as the verification window expects."},
	{Name: "verify", Type: String, Default: `"paired"`, Enum: []string{"paired", "observed"}, Since: 1, Requirements: req("FD-3.4-6"), Doc: "How the achieved magnitude is measured: `paired` compares each response before and after the apparatus, `observed` takes the mean at the injection point less its baseline."},
}

var apparatusBlock = &Block{
	Type: "apparatus", Labels: kindName("How faults are applied.", "apparatus"), Unique: true, Since: 1,
	Requirements: req("FD-3.1-4", "FD-3.4-1", "FD-3.4-3"),
	Doc:          "The injection apparatus: it applies a fault, removes it, and measures how large it came out.",
	Kinds: append([]*Block{{
		Type: "apparatus", Kind: "simulated", Since: 1, Refused: apparatusRefused,
		Doc:   "Acts inside a simulated or recorded deployment.",
		Attrs: samplingAttrs,
	}}, liveApparatuses...),
}

var (
	adaptiveAttr = &Attr{Name: "adaptive", Type: Bool, Default: "false", Since: 1, Requirements: req("FD-3.2-2"), Doc: "True where the detector changes its own thresholds while it runs."}
	versionAttr  = &Attr{Name: "version", Type: String, Since: 1, Requirements: req("FD-6-2"), Doc: "The version of the detector."}
	alertRef     = &Attr{Name: "indicator", Type: Ref, Refs: []string{"indicator"}, Required: true, Since: 1, Requirements: req("FD-3.2-8"), Doc: "The indicator that the alert watches."}
	centerAttr   = &Attr{Name: "center", Type: Number, Since: 1, Doc: "The mean without a fault, in the indicator's unit. Learned where absent."}
	sdAttr       = &Attr{Name: "sd", Type: Number, Since: 1, Doc: "The standard deviation of a window's mean without a fault, in the indicator's unit. Learned where absent."}
	learnAttr    = &Attr{Name: "learn", Type: Span, Default: `"20 windows"`, Since: 1, Doc: "How long center and sd are learned before the chart starts."}
	sidesAttr    = &Attr{Name: "sides", Type: String, Default: `"both"`, Enum: []string{"up", "down", "both"}, Since: 1, Doc: "Which shifts raise an alarm."}
)

func detectorIndicator(exports bool) *Block {
	b := &Block{
		Type: "indicator", Labels: label("A name for the indicator within the detector."), Min: 1, Unique: true, Since: 1,
		Requirements: req("FD-3.2-4"), Refused: detectorIndicatorRefused,
		Doc: "An indicator that the detector computes.",
		Attrs: []*Attr{
			{Name: "method", Type: Ref, Refs: []string{"indicator"}, Required: true, Since: 1, Requirements: req("FD-3.2-5"), Doc: "The indicator block that says how it is computed."},
			{Name: "window", Type: Window, Required: true, Since: 1, Requirements: req("FD-3.2-7"), Doc: "The aggregation window, in time or in requests."},
			{Name: "sampling", Type: Number, Default: "1", Since: 1, Requirements: req("FD-3.2-6"), Doc: "The share of responses that the detector looks at, above 0 and at most 1."},
		},
		Blocks: []*Block{{
			Type: "judge", Max: 1, Since: 1, Requirements: req("FD-3.2-9"),
			Doc: "The model that judges the responses, where one does.",
			Attrs: []*Attr{
				{Name: "model", Type: String, Required: true, Since: 1, Requirements: req("FD-3.2-9"), Doc: "The model."},
				{Name: "version", Type: String, Required: true, Since: 1, Requirements: req("FD-3.2-9"), Doc: "Its version or digest. A moving name such as `latest` says nothing."},
			},
		}},
	}
	if exports {
		b.Attrs = append(b.Attrs, &Attr{Name: "exports", Type: String, Since: 1, Doc: "The counter that the rules read this indicator from."})
	}
	return b
}

func alertmanagerBlock() *Block {
	return &Block{
		Type: "alertmanager", Max: 1, Since: 1,
		Doc: "Models Alertmanager's grouping and repetition between the rules and the receiver.",
		Attrs: []*Attr{
			{Name: "group_by", Type: Strings, Default: "[]", Since: 1, Doc: "The labels that alerts are grouped by; `[\"...\"]` groups by all."},
			{Name: "group_wait", Type: Duration, Default: `"30s"`, Since: 1, Doc: "How long the first notification of a group waits."},
			{Name: "group_interval", Type: Duration, Default: `"5m"`, Since: 1, Doc: "How long a change of a group waits."},
			{Name: "repeat_interval", Type: Duration, Default: `"4h"`, Since: 1, Doc: "When an unchanged notification is repeated."},
			{Name: "send_resolved", Type: Bool, Default: "true", Since: 1, Doc: "Whether the end of an alert is notified."},
			{Name: "maintenance", Type: Duration, Default: `"0s"`, Since: 1, Doc: "A pause of the receiver that delays every notification."},
		},
	}
}

var detectorBlock = &Block{
	Type: "detector", Labels: kindName("What makes the decisions.", "detector"), Unique: true, Since: 1,
	Requirements: req("FD-3.1-5", "FD-3.2-1", "FD-6-2"),
	Doc:          "The device under test: it samples responses at the observation point and raises alerts. Its configuration is frozen for a series.",
	Kinds: append([]*Block{
		{
			Type: "detector", Kind: "threshold", Since: 1, Refused: detectorRefused,
			Doc: "Compares the mean of a window with a fixed limit.",
			Attrs: []*Attr{
				adaptiveAttr, versionAttr,
				{Name: "evaluate", Type: Duration, Default: `"1s"`, Since: 1, Doc: "How often the alerts are evaluated."},
				{Name: "windows", Type: String, Default: `"sliding"`, Enum: []string{"sliding", "tumbling"}, Since: 1, Doc: "Whether a window slides or starts afresh when it is full."},
			},
			Blocks: []*Block{
				detectorIndicator(false),
				{
					Type: "alert", Labels: label("The name of the alert, which its signal carries as `alertname`."), Min: 1, Unique: true, Since: 1, Requirements: req("FD-3.2-8"),
					Doc:    "A limit.",
					Groups: []Group{{Names: []string{"above", "at_least", "below"}, Min: 1, Max: 1}},
					Attrs: []*Attr{
						alertRef,
						{Name: "above", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean is greater."},
						{Name: "at_least", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean is greater or equal."},
						{Name: "below", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean is less."},
						{Name: "for", Type: Duration, Default: `"0s"`, Since: 1, Requirements: req("FD-3.2-8"), Doc: "How long the condition has to hold first."},
						{Name: "keep_firing_for", Type: Duration, Default: `"0s"`, Since: 1, Doc: "How long the alert goes on after the condition ended."},
						{Name: "min_responses", Type: Number, Default: "1", Unit: "responses", Since: 1, Doc: "A window with fewer responses is not evaluated."},
					},
				},
				alertmanagerBlock(),
			},
		},
		{
			Type: "detector", Kind: "ewma", Since: 1, Refused: detectorRefused,
			Doc:   "An exponentially weighted moving average chart, with one point a window.",
			Attrs: []*Attr{adaptiveAttr, versionAttr},
			Blocks: []*Block{
				detectorIndicator(false),
				{
					Type: "alert", Labels: label("The name of the alert, which its signal carries as `alertname`."), Min: 1, Unique: true, Since: 1, Requirements: req("FD-3.2-8"),
					Doc: "A chart.",
					Attrs: []*Attr{
						alertRef,
						{Name: "lambda", Type: Number, Required: true, Since: 1, Requirements: req("FD-3.2-8"), Doc: "The weight of the newest point, above 0 and at most 1."},
						{Name: "limit", Type: Number, Required: true, Unit: "sd", Since: 1, Requirements: req("FD-3.2-8"), Doc: "The distance of the control limit from the center, in standard deviations of the chart."},
						centerAttr, sdAttr, learnAttr, sidesAttr,
					},
				},
			},
		},
		{
			Type: "detector", Kind: "cusum", Since: 1, Refused: detectorRefused,
			Doc:   "A cumulative sum chart, with one point a window, or one a response.",
			Attrs: []*Attr{adaptiveAttr, versionAttr},
			Blocks: []*Block{
				detectorIndicator(false),
				{
					Type: "alert", Labels: label("The name of the alert, which its signal carries as `alertname`."), Min: 1, Unique: true, Since: 1, Requirements: req("FD-3.2-8"),
					Doc: "A chart. With `up` and `down` it adds whole numbers for every response instead.",
					Groups: []Group{
						{Names: []string{"up", "down"}, Min: 2, Max: 2, IfAny: true},
						{Names: []string{"reference", "up"}, Min: 1, Max: 1},
					},
					Attrs: []*Attr{
						alertRef,
						{Name: "reference", Type: Number, Unit: "sd", Since: 1, Requirements: req("FD-3.2-8"), Doc: "The allowance k that is subtracted from every point, in sd."},
						{Name: "decision", Type: Number, Required: true, Unit: "sd", Since: 1, Requirements: req("FD-3.2-8"), Doc: "The decision interval h, in sd; with `up` and `down`, the whole number at which the alarm is raised."},
						centerAttr, sdAttr, learnAttr, sidesAttr,
						{Name: "up", Type: Number, Since: 1, Doc: "What a response that scores 1 adds. Give it together with `down`."},
						{Name: "down", Type: Number, Since: 1, Doc: "What a response that scores 0 subtracts. Give it together with `up`."},
						{Name: "reset_on_alarm", Type: Bool, Default: "false", Since: 1, Doc: "Whether the sum starts again at 0 after an alarm."},
					},
				},
			},
		},
		{
			Type: "detector", Kind: "prometheus_rules", Since: 1, Refused: detectorRefused,
			Doc: "The user's own rule file, evaluated by Prometheus's rule engine over counters scraped in virtual time.",
			Attrs: []*Attr{
				adaptiveAttr, versionAttr,
				{Name: "rules", Type: File, Required: true, Since: 1, Requirements: req("FD-3.2-8"), Doc: "The rule file."},
				{Name: "scrape_interval", Type: Duration, Default: `"15s"`, Since: 1, Doc: "How often the counters are scraped."},
				{Name: "evaluation_interval", Type: Duration, Default: `"15s"`, Since: 1, Doc: "How often a group without an interval of its own is evaluated."},
				{Name: "scrape_failures", Type: Number, Default: "0", Since: 1, Doc: "The share of scrapes that fail, from 0 to 1."},
				{Name: "counter_resets", Type: Duration, Since: 1, Doc: "How often the exporter restarts and its counters begin again at 0. Never where absent."},
				{Name: "total", Type: String, Default: `"llm_responses_total"`, Since: 1, Doc: "The counter of all responses."},
				{Name: "job", Type: String, Default: `"llm"`, Since: 1, Doc: "The `job` label of every scraped sample."},
				{Name: "instance", Type: String, Default: `"deployment:9090"`, Since: 1, Doc: "The `instance` label of every scraped sample."},
				{Name: "labels", Type: Object, Default: "{}", Since: 1, Doc: "Further labels, the same on every exported counter, such as `{ model_name = \"m\" }`. Rules that select by a label which no sample has are refused."},
			},
			Blocks: []*Block{detectorIndicator(true), alertmanagerBlock()},
		},
	}, liveDetectors...),
}
