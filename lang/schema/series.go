package schema

var seriesBlock = &Block{
	Type: "series", Labels: name("The name of the series, of its lock and of its result."), Unique: true, Since: 1,
	Requirements: req("FD-1.2-7"), Refused: seriesRefused,
	Doc: "A benchmark: every class, magnitude, profile and load, with the trials, quiet periods and observations that the methodology asks for.",
	Attrs: []*Attr{
		{Name: "environment", Type: Ref, Refs: []string{"environment"}, Required: true, Since: 1, Requirements: req("FD-1.2-1", "FD-3.1-1"), Doc: "Where it takes place."},
		{Name: "population", Type: Ref, Refs: []string{"population"}, Required: true, Since: 1, Requirements: req("FD-3.1-2", "FD-3.3-2"), Doc: "What is requested."},
		{Name: "detector", Type: Ref, Refs: []string{"detector"}, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "What is tested."},
		{Name: "signal", Type: Ref, Refs: []string{"signal"}, Required: true, Since: 1, Requirements: req("FD-4.1-1"), Doc: "What counts as a detection."},
		{Name: "seed", Type: String, Default: `"1"`, Since: 1, Doc: "The seed of every random stream of the series."},
		description("the series"),
		{Name: "max_combinations", Type: Number, Default: "10000", Since: 1, Doc: "The most combinations of class, magnitude, profile and load that the series may expand to."},
	},
	Blocks: []*Block{
		{
			Type: "load", Min: 1, Max: 1, Since: 1, Requirements: req("FD-3.1-2", "FD-3.3-1", "FD-6-5"), Refused: loadRefused,
			Doc: "The offered load. Requests are sent at these rates whether or not earlier ones have been answered.",
			Attrs: []*Attr{
				{Name: "points", Type: Sweep, Required: true, Since: 1, Requirements: req("FD-3.1-2", "FD-3.3-4", "FD-3.3-5"), Doc: "The rates: a sweep, or a list of rates. At least four, over at least two orders of magnitude."},
				{Name: "representative", Type: Rate, Since: 1, Requirements: req("FD-3.3-6"), Doc: "The point that is typical of the intended deployment."},
				{Name: "arrivals", Type: String, Default: `"constant"`, Enum: []string{"constant", "poisson"}, Since: 1, Requirements: req("FD-3.3-1", "FD-6-5"), Doc: "How requests are spaced."},
				because("the load points depart from a recommendation", `{ "FD-3.3-5" = "the machine takes no more" }`),
			},
		},
		{
			Type: "baseline", Min: 1, Max: 1, Since: 1, Requirements: req("FD-4.2-1"), Refused: baselineRefused,
			Doc: "The Baseline Interval, run at each load before the first fault.",
			Attrs: []*Attr{
				{Name: "interval", Type: Span, Required: true, Since: 1, Requirements: req("FD-4.2-2", "FD-4.2-3"), Doc: "Its length: at least ten windows and at least 300 s."},
			},
		},
		{
			Type: "quiet", Min: 1, Max: 1, Since: 1, Requirements: req("FD-4.3-2"), Refused: quietRefused,
			Doc: "The quiet period between trials. It ends when the indicators are back and the alerts are clear.",
			Attrs: []*Attr{
				{Name: "at_least", Type: Duration, Required: true, Since: 1, Requirements: req("FD-4.3-2", "FD-4.3-3", "FD-4.3-4"), Doc: "The shortest quiet period."},
				{Name: "at_most", Type: Duration, Required: true, Since: 1, Requirements: req("FD-4.3-3"), Doc: "When to give up waiting."},
				{Name: "windows", Type: Number, Default: "4", Unit: "windows", Since: 1, Requirements: req("FD-4.3-3"), Doc: "The mean of so many last windows has to be back within one standard deviation of the baseline."},
			},
		},
		{
			Type: "trials", Min: 1, Max: 1, Since: 1, Requirements: req("FD-5.1-8", "FD-5.1-9"), Refused: trialsRefused,
			Doc: "How trials are run.",
			Attrs: []*Attr{
				{Name: "count", Type: Number, Required: true, Unit: "trials", Since: 1, Requirements: req("FD-5.1-8"), Doc: "How many trials a combination keeps. At least twenty."},
				{Name: "timeout", Type: Span, Required: true, Since: 1, Requirements: req("FD-5.1-9", "FD-5.1-10"), Doc: "When a trial counts as undetected. At least twenty windows."},
				{Name: "attempts", Type: Number, Unit: "trials", Since: 1, Requirements: req("FD-3.4-8"), Doc: "How many trials may be started to keep `count`. One and a half times `count`, rounded up, where absent."},
				{Name: "verification", Type: Span, Default: `"10 windows"`, Since: 1, Requirements: req("FD-3.4-6"), Doc: "How long the achieved magnitude is measured for."},
			},
		},
		{
			Type: "fault", Labels: label("A name for the fault within the series."), Unique: true, Since: 1, Requirements: req("FD-1.1-2", "FD-5.1-1"), Refused: faultRefused,
			Doc: "A fault whose detection latency and coverage are measured.",
			Attrs: []*Attr{
				{Name: "class", Type: Ref, Refs: []string{"fault_class"}, Required: true, Since: 1, Requirements: req("FD-1.1-2"), Doc: "What happens."},
				{Name: "magnitudes", Type: Sweep, Required: true, Since: 1, Requirements: req("FD-1.1-2", "FD-4.2-6"), Doc: "How far the indicator's mean shifts: absolute, in its unit. A list of numbers, or a sweep."},
				{Name: "profiles", Type: Profiles, Required: true, Since: 1, Requirements: req("FD-1.1-2", "FD-5.1-1"), Doc: "How the shift comes about: shapes, or references to profile blocks."},
				because("a magnitude is finer than a window can show", `{ "FD-4.2-7" = "the next window is taken" }`),
			},
		},
		{
			Type: "threshold", Labels: label("A name for the search within the series."), Unique: true, Since: 1, Requirements: req("FD-5.3-1"), Refused: thresholdRefused,
			Doc: "A binary search for the smallest magnitude that is detected often enough.",
			Attrs: []*Attr{
				{Name: "class", Type: Ref, Refs: []string{"fault_class"}, Required: true, Since: 1, Requirements: req("FD-1.1-2", "FD-5.3-15"), Doc: "What happens."},
				{Name: "profile", Type: Profile, Required: true, Since: 1, Requirements: req("FD-1.1-2", "FD-5.3-15"), Doc: "How the shift comes about: a shape, or a reference to a profile block."},
				{Name: "target", Type: Ratio, Required: true, Since: 1, Requirements: req("FD-5.3-2"), Doc: "The Detection Coverage to reach, above 0 and at most 1."},
				{Name: "resolution", Type: Number, Required: true, Since: 1, Requirements: req("FD-5.3-8"), Doc: "The search ends when its interval is smaller, in the indicator's unit."},
				{Name: "lower", Type: NumberOrWord, Enum: []string{"floor"}, Required: true, Since: 1, Requirements: req("FD-5.3-4", "FD-5.3-5"), Doc: "Where the search begins below: a magnitude, or `floor` for two standard deviations of the baseline."},
				{Name: "upper", Type: Number, Required: true, Since: 1, Requirements: req("FD-5.3-3"), Doc: "Where the search begins above, in the indicator's unit."},
				because("the resolution is finer than magnitudes are achieved", `{ "FD-5.3-8" = "a step of its own is wanted" }`),
			},
		},
		{
			Type: "false_detection", Min: 1, Max: 1, Since: 1, Requirements: req("FD-5.4-3", "FD-5.4-1"), Refused: falseDetectionRefused,
			Doc: "The observation without a fault, at each load. It lasts at least as long as faults were applied.",
			Attrs: []*Attr{
				{Name: "at_least", Type: Duration, Required: true, Since: 1, Requirements: req("FD-5.4-4"), Doc: "The shortest observation at each load."},
			},
		},
		{
			Type: "masking", Max: 1, Since: 1, Requirements: req("FD-5.5-5", "FD-5.5-1"), Refused: maskingRefused,
			Doc: "Measures how much of a fault is lost between the injection point and the observation point.",
			Attrs: []*Attr{
				{Name: "trials", Type: Number, Required: true, Unit: "trials", Since: 1, Requirements: req("FD-5.5-5"), Doc: "How many trials. At least twenty."},
				{Name: "class", Type: Ref, Refs: []string{"fault_class"}, Since: 1, Doc: "The fault class. Every class of the series where absent."},
				{Name: "magnitude", Type: Number, Since: 1, Requirements: req("FD-5.5-1"), Doc: "The magnitude, in the indicator's unit. The largest of the class where absent."},
			},
		},
		{
			Type: "sham", Max: 1, Since: 1,
			Doc: "Trials without a fault that go through the same procedure. They always run; the block changes how many.",
			Attrs: []*Attr{
				{Name: "trials", Type: Number, Default: "20", Unit: "trials", Since: 1, Doc: "How many at each load."},
			},
		},
		{
			Type: "reduced", Max: 1, Since: 1, Requirements: req("FD-1.2-8", "FD-1.2-9", "FD-1.2-10"), Refused: reducedRefused,
			Doc: "Asks for a reduced series, for screening. What is reduced is worked out by the compiler, and the result is never one under the methodology.",
			Attrs: []*Attr{
				{Name: "reason", Type: String, Required: true, Since: 1, Requirements: req("FD-1.2-9"), Doc: "Why."},
			},
		},
		{
			Type: "attest", Labels: label("The requirement, with _ in place of - and of the dot: `fd_3_4_4`."), Unique: true, Since: 1,
			Doc: "A statement on the part of a requirement that no program can decide. An environment that is not simulated needs one for each such requirement.",
			Attrs: []*Attr{
				{Name: "by", Type: String, Required: true, Since: 1, Doc: "Who states it: a name or a role."},
				{Name: "statement", Type: String, Required: true, Since: 1, Doc: "What is stated, in three words or more. The report gives it as attested, never as verified."},
			},
		},
	},
}
