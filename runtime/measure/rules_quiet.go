package measure

import "github.com/fdbench/fdbench/spec"

// quietRules are those of sections 4.3 and 4.4.
func quietRules() []spec.Rule {
	const fifth = `trial {"purpose": "trials", "attempt": 5}`
	return []spec.Rule{
		rule("FD-4.3-1", spec.Marks, "every fault that was applied has its removal on record before the next quiet period",
			breaks("a removal that is not confirmed", aTrial, "cut removal_confirmed_ns").edge(),
			breaks("a fault without any record of its removal", `trial {"purpose": "sham"}`, "before apply "+
				`{"trial": "by hand", "class": "refusal", "magnitude": "0.2", "fraction": "0.2", "at_ns": 1}`),
			keeps("a removal that is confirmed", aTrial, `shift {"removal_confirmed_ns": 0}`).edge()),
		rule("FD-4.3-2", spec.Marks, "a quiet period lies between any two trials, lasts as long as the plan declares and begins after the removal",
			breaks("two trials back to back", fifth, "previous quiet", "drop"),
			breaks("a nanosecond less than ten minutes", "quiet", "put to_ns 599999999999").edge(),
			breaks("a trial a nanosecond before the quiet period is over", fifth, "previous quiet", `shift {"to_ns": 1}`).edge(),
			keeps("ten minutes", "quiet", "put to_ns 600000000000").edge()),
		rule("FD-4.3-3", spec.Stops, "a quiet period ends only when every affected indicator is back within one standard deviation",
			breaks("an indicator that is not back", fifth, "previous quiet", `set {"reached": false, "waited_for": ["refusal_rate"]}`).edge(),
			breaks("a gate that opened too soon", fifth, "previous quiet", `put last.0.windows [[600, 600], [600, 600], [600, 600], [600, 600]]`),
			breaks("a gate that looked at three windows", fifth, "previous quiet", `put last.0.windows [[12, 600], [12, 600], [12, 600]]`),
			keeps("an indicator that took its time", fifth, "previous quiet", `set {"reached": true, "waited_for": ["refusal_rate"]}`).edge()),
		rule("FD-4.3-4", spec.Stops, "the detector is asked for its alert state at the end of each quiet period",
			breaks("one alert that fires", fifth, "previous quiet", "put state.firing 1").edge(),
			breaks("an alert whose hold time runs", fifth, "previous quiet", "put state.pending 1"),
			keeps("no alert any more", fifth, "previous quiet", `set {"waited_for": ["detector"]}`).edge()),
		rule("FD-4.4-1", spec.Marks, "no fault is applied before the removal of the one before it is confirmed",
			breaks("two faults at once", aTrial, "before apply "+
				`{"trial": "by hand", "class": "verbosity_down", "magnitude": "-2", "fraction": "0.05", "at_ns": 1}`).edge(),
			keeps("one fault at a time", aTrial, `shift {"apply_requested_ns": 0}`).edge()),
	}
}
