package measure

import "github.com/fdbench/fdbench/spec"

// maskingRules are those of section 5.5.
func maskingRules() []spec.Rule {
	const (
		masked = `trial {"purpose": "masking", "kept": true}`
		last   = `trial last {"purpose": "masking", "kept": true}`

		oneLess = `set {"verification": {"n": 2999, "observed_n": 2999, "sum_before": 60, "sum_injection": 660, "sum_observation": 510, "achieved": "600/2999"}}`
	)
	return []spec.Rule{
		rule("FD-5.5-1", spec.Marks, "the magnitude of every masking trial is known where the fault is applied",
			breaks("a masking trial that measured no response", masked, "put verification.n 0", "put verification.observed_n 0").edge(),
			keeps("a masking trial with one response less", masked, oneLess).edge()),
		rule("FD-5.5-2", spec.Marks, "the interval and the number of responses are the same at both points",
			breaks("one nanosecond longer at the observation point", masked, `shift {"verification.observed_to_ns": 1}`).edge(),
			breaks("one response less at the observation point", masked, `shift {"verification.observed_n": -1}`),
			keeps("one response less at both points", masked, oneLess).edge()),
		rule("FD-5.5-3", spec.Marks, "the method that each indicator was measured by is the plan's at both points",
			breaks("a judge where the detector looks", "baseline", `put indicators.1.method "judge/2"`).edge(),
			keeps("the same method at both points", "baseline", `put indicators.1.method "refusal/1"`).edge()),
		rule("FD-5.5-4", spec.Marks, "a quiet period lies between any two masking trials",
			breaks("two masking trials back to back", `trial {"purpose": "masking", "attempt": 5}`, "previous quiet", "drop").edge(),
			keeps("a quiet period between them", `trial {"purpose": "masking", "attempt": 5}`, "previous quiet", `set {"waited_for": ["detector"]}`).edge()),
		rule("FD-5.5-5", spec.Marks, "the kept masking trials are counted and held against twenty and the plan",
			breaks("nineteen masking trials", last, "previous apply", "drop", last, "drop").edge(),
			breaks("a plan with nineteen masking trials", "plan", "put declaration.masking.trials 19"),
			keeps("twenty masking trials", last, `shift {"attempt": 0}`).edge()),
	}
}
