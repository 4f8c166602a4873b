package measure

import "github.com/fdbench/fdbench/spec"

// latencyRules are those of sections 5.1 and 5.2.
func latencyRules() []spec.Rule {
	const last = `trial last {"purpose": "trials", "combination": 2}`
	return []spec.Rule{
		rule("FD-5.1-2", spec.Marks, "the first trial of each load follows a quiet period",
			breaks("a first trial during the warm-up", "trial", "previous quiet", "drop").edge(),
			keeps("a first trial after a quiet period", "trial", "previous quiet", `shift {"to_ns": 0}`).edge()),
		rule("FD-5.1-3", spec.Marks, "every fault is announced before it is applied, and the trial is of the announced one",
			breaks("a fault that nobody announced", "apply", "drop").edge(),
			breaks("another magnitude than announced", "apply", `put magnitude "0.3"`),
			breaks("another share of responses than planned", "apply", `put fraction "0.051"`),
			keeps("a fault that was announced", "apply", `shift {"at_ns": 0}`).edge()),
		rule("FD-5.1-4", spec.Marks, "the declared attribution is asked again for every Detection Event, and an undetected trial was observed to its timeout",
			breaks("the first alert of any kind", aTrial, `put event.labels {"alertname": "AnswersShort"}`),
			breaks("an event before the first changed response", aTrial, `shift {"first_affected_ns": 86400000000000}`),
			breaks("one nanosecond short of the timeout", anUndetected, `shift {"removal_requested_ns": -1, "removal_confirmed_ns": -1, "offered_windows.windows": -1}`).edge(),
			keeps("observed to the timeout", anUndetected, `shift {"removal_requested_ns": 0}`).edge()),
		rule("FD-5.1-5", spec.Marks, "every trial says whether it was detected, and has its event where it was",
			breaks("an outcome of null", aTrial, "null detected").edge(),
			breaks("detected without an event", aTrial, "null event"),
			keeps("an outcome", aTrial, "put detected true").edge()),
		rule("FD-5.1-6", spec.Marks, "the last fault of a segment is removed, and a quiet period follows it",
			breaks("no quiet period after the last trial", last, "next quiet", "drop").edge(),
			keeps("a quiet period after the last trial", last, "next quiet", `shift {"to_ns": 0}`).edge()),
		rule("FD-5.1-7", spec.Marks, "the kept trials of every combination are counted and held against the plan",
			breaks("nineteen of twenty trials", last, "previous apply", "drop", last, "drop").edge(),
			breaks("an attempt that is not on record", last, `shift {"attempt": 1}`),
			keeps("twenty of twenty trials", last, `shift {"attempt": 0}`).edge()),
		rule("FD-5.1-8", spec.Marks, "the trials of every combination and search are held against twenty, unless the series is listed as reduced",
			breaks("nineteen trials in a full series", "plan", "put declaration.reductions []").on(BaseReduced).edge(),
			keeps("nineteen trials in a series that is listed as reduced").on(BaseReduced),
			keeps("twenty trials in a full series").edge()),
		rule("FD-5.1-11", spec.Marks, "a trial is discarded for the causes of the plan only, and a signal after the timeout is no detection",
			breaks("a trial left out for its timeout", `trial {"purpose": "trials", "kept": false}`, `put discard "timeout"`).edge(),
			keeps("a trial left out for its magnitude", `trial {"purpose": "trials", "kept": false}`, `put discard "magnitude"`).edge()),
		rule("FD-5.2-1", spec.Marks, "every trial counts once, for latency and coverage alike",
			breaks("a trial that is on record twice", aTrial, "copy").edge(),
			keeps("every trial once", aTrial, `shift {"attempt": 0}`).edge()),
	}
}
