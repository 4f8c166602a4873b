package measure

import "github.com/fdbench/fdbench/spec"

// latencyRules are those of sections 5.1 and 5.2.
func latencyRules() []spec.Rule {
	const last = `trial last {"purpose": "trials", "combination": 2}`
	return []spec.Rule{
		rule("FD-5.1-2", spec.Marks, "the first trial of each load follows a quiet period",
			breaks("a first trial during the warm-up", "trial", "previous quiet", "drop").edge(),
			keeps("a first trial after a quiet period that waited for the detector", "trial", "previous quiet", `set {"waited_for": ["detector"]}`).edge()),
		rule("FD-5.1-3", spec.Marks, "every fault is announced before it is applied, and the trial is of the announced one",
			breaks("a fault that nobody announced", "apply", "drop").edge(),
			breaks("another magnitude than announced", "apply", `put magnitude "0.3"`),
			breaks("another share of responses than planned", "apply", `put fraction "0.051"`),
			keeps("a fault that was announced", "apply", `shift {"at_ns": 0}`).edge()),
		rule("FD-5.1-4", spec.Marks, "the declared attribution is asked again for every Detection Event, and an undetected trial was observed to its timeout",
			breaks("the first alert of any kind", aTrial, `put event.labels {"alertname": "AnswersShort"}`),
			breaks("an event before the first changed response", aTrial, `shift {"first_affected_ns": 86400000000000}`),
			breaks("a detection without any changed response", aTrial, "put first_affected_ns -1"),
			breaks("one nanosecond short of the timeout", anUndetected, `shift {"removal_requested_ns": -1, "removal_confirmed_ns": -1, "offered_windows.windows": -1}`).edge(),
			breaks("an event that was emitted before the onset", aTrial, `shift {"event.emitted_at": -1000000000000}`),
			breaks("an event that was received before it was emitted", aTrial, `shift {"event.emitted_at": 1000000000000}`),
			breaks("an event after the fault was removed", "plan", `put declaration.signal.event_clock "emitter"`, aTrial, `shift {"event.at": 1000000000000}`),
			keeps("observed exactly to a timeout of 1199 s", "plan", `put combinations.trials.0.timeout "1199"`,
				`trial all {"combination": 0, "kept": true, "detected": false}`,
				`shift {"removal_requested_ns": -1000000000, "removal_confirmed_ns": -1000000000, "offered_windows.windows": -1, "requests": -10}`).edge()),
		rule("FD-5.1-5", spec.Marks, "every trial says whether it was detected, and has its event where it was",
			breaks("an outcome of null", aTrial, "null detected").edge(),
			breaks("detected without an event", aTrial, "null event"),
			keeps("an outcome", aTrial, "put detected true").edge()),
		rule("FD-5.1-6", spec.Marks, "the last fault of a segment is removed, and a quiet period follows it",
			breaks("no quiet period after the last trial", last, "next quiet", "drop").edge(),
			keeps("a quiet period after the last trial that waited for the detector", last, "next quiet", `set {"waited_for": ["detector"]}`).edge()),
		rule("FD-5.1-7", spec.Marks, "the kept trials of every combination are counted and held against the plan",
			breaks("nineteen of twenty trials", last, "previous apply", "drop", last, "drop").edge(),
			breaks("an attempt that is not on record", last, `shift {"attempt": 1}`),
			keeps("eighteen of eighteen trials in a reduced series", "plan", "put combinations.trials.2.trials 18", last, "previous apply", "drop", last, "drop").on(BaseReduced).edge()),
		rule("FD-5.1-8", spec.Marks, "the trials of every combination and search are held against twenty, unless the series is listed as reduced",
			breaks("nineteen trials in a full series", "plan", "put declaration.reductions []").on(BaseReduced).edge(),
			keeps("nineteen trials in a series that is listed as reduced", "plan", "put combinations.trials.2.trials 19",
				`put declaration.reductions [{"what": "trials", "required": "20", "planned": "19"}]`, last, "previous apply", "drop", last, "drop"),
			keeps("twenty trials in a full series").edge()),
		rule("FD-5.1-11", spec.Marks, "a trial is discarded for the causes of the plan only, and a signal after the timeout is no detection",
			breaks("a trial left out for its timeout", `trial {"purpose": "trials", "kept": false}`, `put discard "timeout"`).edge(),
			keeps("a trial left out for want of responses", aDiscarded, `put discard "observation_gap"`, "put verification.n 0", "put verification.observed_n 0").edge()),
		rule("FD-5.2-1", spec.Marks, "every trial counts once, for latency and coverage alike",
			breaks("a trial that is on record twice", aTrial, "copy").edge(),
			keeps("every trial once", aTrial, `shift {"attempt": 0}`).edge()),
	}
}
