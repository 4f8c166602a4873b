package measure

import "github.com/fdbench/fdbench/spec"

// clockRules are those of section 3.5.
func clockRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-3.5-1", spec.Marks, "every latency is computed again as its Detection Event minus its Fault Onset",
			breaks("a duration that the detector reports", aTrial, `put latency_s "1"`),
			breaks("an event one nanosecond later than its latency says", aTrial, `shift {"event.at": 1}`).edge(),
			keeps("an event received one nanosecond later, where the emitter's stamp counts", "plan", `put declaration.signal.event_clock "emitter"`,
				aTrial, `shift {"event.at": 1}`).edge()),
		rule("FD-3.5-2", spec.Marks, "the offset is measured before, between and after the trials of each load, and each bound holds its own stamps",
			breaks("no measurement", "clock all", "drop").on(BaseReal),
			breaks("none before the first trial", `clock {"moment": "before"}`, "drop").on(BaseReal),
			breaks("none between the trials", `clock all {"moment": "between"}`, "drop").on(BaseReal),
			breaks("one of before the trials among them", `clock {"moment": "between"}`, `put moment "before"`).on(BaseReal),
			breaks("none after the last trial", `clock last {"moment": "after"}`, "drop").on(BaseReal),
			breaks("a bound one nanosecond below its stamps", "clock", `set {"offset_ns": -40000, "delay_ns": 90000, "bound_ns": 84999}`).on(BaseReal).edge(),
			breaks("a bound that rounds half of an odd delay down", "clock", `set {"offset_ns": -40000, "delay_ns": 90001, "bound_ns": 85000}`).on(BaseReal).edge(),
			keeps("a bound that its stamps give", "clock", `set {"offset_ns": -40000, "delay_ns": 90000, "bound_ns": 85000}`).on(BaseReal).edge(),
			keeps("a bound that rounds half of an odd delay up", "clock", `set {"offset_ns": -40000, "delay_ns": 90001, "bound_ns": 85001}`).on(BaseReal).edge()),
		rule("FD-3.5-6", spec.Marks, "the identities of the hosts that stamp onset and event are compared",
			breaks("one host declared and two on record", "open", `put hosts.detector "boot 93d2e7"`).on(BaseOneHost).edge(),
			keeps("the same host twice", "open", `put hosts {"apparatus": "boot 93d2e7", "detector": "boot 93d2e7"}`).on(BaseOneHost).edge()),
	}
}
