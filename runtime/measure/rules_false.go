package measure

import "github.com/fdbench/fdbench/spec"

// falseDetectionRules are those of section 5.4.
func falseDetectionRules() []spec.Rule {
	none := breaks("no observation of false detections", "false_detection", "drop").edge()
	one := keeps("an observation at each load, an hour longer than planned", "false_detection", `shift {"to_ns": 3600000000000, "requests": 36000}`,
		"next commit", `shift {"at_ns": 3600000000000}`).edge()
	return []spec.Rule{
		rule("FD-5.4-1", spec.Marks, "an observation of false detections begins after a quiet period, and no fault is applied in it",
			breaks("an observation right after a fault", "false_detection", "previous quiet", "drop").edge(),
			breaks("a fault within the observation", "false_detection", "before apply "+
				`{"trial": "by hand", "class": "refusal", "magnitude": "0.2", "fraction": "0.2", "at_ns": 1}`),
			keeps("an observation after a quiet period that waited for the detector", "false_detection", "previous quiet", `set {"waited_for": ["detector"]}`).edge()),
		rule("FD-5.4-2", spec.Marks, "every emission of the declared signal over the declared period is counted, and the counts are those of the emissions on record",
			breaks("a period a second shorter than declared", "plan", `put declaration.false_detection.at_least "145021"`).edge(),
			keeps("a period exactly as long as declared", "plan", `put declaration.false_detection.at_least "145020"`).edge(),
			breaks("one emission left out", "false_detection", "cut events.0").edge(),
			keeps("every emission", "false_detection", "put active_ns 0").edge()),
		rule("FD-5.4-3", spec.Marks, "every load has its observation of false detections", none, one),
		rule("FD-5.4-4", spec.Marks, "the observed time is held against the declared one and the time under fault of all trials at the load",
			breaks("one nanosecond less than the time under fault", "false_detection", `shift {"to_ns": -1}`).edge(),
			keeps("exactly the time under fault, of which one trial has a second less", "plan", `put combinations.trials.0.timeout "1199"`,
				`trial {"combination": 0, "kept": true, "detected": false}`,
				`shift {"removal_requested_ns": -1000000000, "removal_confirmed_ns": -1000000000, "offered_windows.windows": -1, "requests": -10}`,
				"false_detection", `shift {"to_ns": -1000000000, "requests": -10}`).edge()),
		rule("FD-5.4-6", spec.Withholds, "a latency stands beside the False Detection Rate of its load, or is withheld", none, one),
		rule("FD-5.4-7", spec.Withholds, "a threshold stands beside the False Detection Rate of its load, or is withheld", none, one),
	}
}
