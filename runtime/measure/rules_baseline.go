package measure

import "github.com/fdbench/fdbench/spec"

// shortWindows gives the detector windows of a tenth of a Baseline Interval,
// which lasts as many seconds. The windows of the trials were not counted then,
// and those of the observation of false detections are so many.
func shortWindows(window, interval, ns, shift, requests, observed string) []string {
	return []string{"plan",
		"put declaration.detector.indicators.0.window.duration " + window, "put declaration.detector.indicators.1.window.duration " + window,
		"put declaration.load.points.0.window " + window, "put declaration.load.points.0.baseline " + interval,
		"baseline", "put indicators.0.window_ns " + ns, "put indicators.1.window_ns " + ns, "put indicators.2.window_ns " + ns,
		"put indicators.3.window_ns " + ns, `shift {"to_ns": ` + shift + "}", "put requests " + requests,
		"trial all", `put offered_windows {"window_ns": 0, "windows": 0, "fewest": 0, "most": 0}`,
		"false_detection", `put answered_windows {"window_ns": ` + ns + `, "windows": ` + observed + `, "silent": 0}`}
}

// baselineRules are those of section 4.2. The indicators of a record are the
// refusal rate at the injection and at the observation point, then words.
func baselineRules() []spec.Rule {
	const empty = "[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]"
	return []spec.Rule{
		rule("FD-4.2-1", spec.Marks, "every load has a Baseline Interval, and all of them come before the first fault",
			breaks("a load without a baseline", "baseline", "drop").edge(),
			keeps("a baseline a second after the quiet period", "baseline", `shift {"from_ns": 1000000000, "to_ns": 1000000000}`,
				"next commit", `shift {"at_ns": 1000000000}`).edge()),
		rule("FD-4.2-2", spec.Marks, "the length of each Baseline Interval is held against ten aggregation windows and the plan, and its windows with responses are counted",
			breaks("599 s with windows of 60 s", "baseline", `shift {"to_ns": -1000000000}`),
			breaks("nine windows with responses", "baseline", "put indicators.2.windows.3 [0,0]").edge(),
			keeps("310 s with windows of 31 s", shortWindows(`"31"`, `"310"`, "31000000000", "-290000000000", "3100", "4546")...).on(BaseReal).edge()),
		rule("FD-4.2-3", spec.Marks, "the length of each Baseline Interval is held against 300 s",
			breaks("299 s", shortWindows(`"29.9"`, `"299"`, "29900000000", "-301000000000", "2990", "4713")...).on(BaseReal).edge(),
			keeps("300 s", shortWindows(`"30"`, `"300"`, "30000000000", "-300000000000", "3000", "4698")...).on(BaseReal).edge()),
		rule("FD-4.2-4", spec.Marks, "every faulted indicator has its mean at the injection point",
			breaks("no mean of the refusal rate where the apparatus acts", "baseline", "cut indicators.0").edge(),
			breaks("no indicators at all", "baseline", "cut indicators"),
			keeps("a mean of every indicator", "baseline", "put indicators.0.windows.0 [12,600]").edge()),
		rule("FD-4.2-5", spec.Marks, "every faulted indicator has a standard deviation over at least two windows",
			breaks("responses in a single window", "baseline", "put indicators.2.windows [[72000,600],[0,0],"+empty+"]").edge(),
			breaks("no windows", "baseline", "cut indicators.2.windows"),
			keeps("responses in every window", "baseline", "put indicators.2.windows.0 [72000,600]").edge()),
		rule("FD-4.2-7", spec.Marks, "the standard deviation that magnitudes are compared with is on record where the detector looks",
			breaks("no baseline at the observation point", "baseline", "cut indicators.3").edge(),
			keeps("a baseline at both points", "baseline", "put indicators.3.windows.0 [72000,600]").edge()),
		rule("FD-4.2-8", spec.Permission, "trials below two standard deviations are measured like any other, and marked",
			keeps("a magnitude of 2 words where words vary by 25", "baseline", "put indicators.3.windows [[60000,600],[90000,600],[60000,600],"+
				"[90000,600],[60000,600],[90000,600],[60000,600],[90000,600],[60000,600],[90000,600]]").edge()),
	}
}
