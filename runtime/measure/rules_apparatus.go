package measure

import "github.com/fdbench/fdbench/spec"

// aFifth picks a trial of the magnitude 0.2: 600 of 3000 responses. 660 are
// exactly ten percent more than intended.
const aFifth = `trial {"purpose": "trials", "kept": true, "magnitude": "0.2"}`

// One attempt of the first combination was discarded, and repeated.
const lastOfFirst = `trial last {"purpose": "trials", "combination": 0, "kept": true}`

// apparatusRules are those of section 3.4.
func apparatusRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-3.4-1", spec.Marks, "the resolution of the onset's clock is measured and held against 1 ms",
			breaks("1.001 ms", "open", "put onset.resolution_ns 1001000").edge(),
			breaks("a resolution that was not measured", "open", "cut onset.resolution_ns"),
			keeps("1 ms", "open", "put onset.resolution_ns 1000000").edge()),
		rule("FD-3.4-2", spec.Marks, "the journal says where the stamps of Fault Onset come from, and that is the apparatus",
			breaks("an onset that the detector gave", "open", `put onset.source "detector"`).edge(),
			keeps("an onset that the apparatus gave", "open", `put onset.source "apparatus"`).edge()),
		rule("FD-3.4-3", spec.Stops, "the deployment is read back after each removal and held against the reading before the first fault",
			breaks("a deployment that kept a part of the fault", "readback last", "copy", `set {"moment": "after", "serving": "sha256:00"}`).edge(),
			keeps("a deployment that is back", "readback last", "copy", `set {"moment": "after"}`).edge()),
		rule("FD-3.4-4", spec.Stops, "responses are searched for headers and fields that the fault-free deployment does not send",
			breaks("a header that names the fault", aTrial, `set {"markers": ["x-fault-id"]}`).edge(),
			keeps("no such header", aTrial, `set {"markers": []}`).edge()),
		rule("FD-3.4-5", spec.Marks, "a series in which the detector could know of a fault is not conformant, whatever else it holds",
			breaks("a marker in one trial of a series that is otherwise good", aTrial, `set {"markers": ["x-fault-id"]}`).on(BaseReal).edge(),
			keeps("a series without a marker", aTrial, `set {"markers": []}`).on(BaseReal).edge()),
		rule("FD-3.4-6", spec.Marks, "the achieved magnitude is computed again from its sums, and its window lies within the application and lasts as long as planned",
			breaks("a magnitude copied from the intended one", aFifth, `shift {"verification.sum_injection": 1}`),
			breaks("a window that is a nanosecond too short", aFifth, `shift {"verification.to_ns": -1, "verification.observed_to_ns": -1}`).edge(),
			breaks("a window that ends after the removal", aFifth, `shift {"verification.to_ns": 2000000000000}`),
			breaks("no sums", aFifth, "cut verification.sum_injection"),
			breaks("twenty responses in place of 3000", aFifth, `set {"verification": {"n": 20, "sum_before": 0, "sum_injection": 4, "achieved": "0.2"}}`),
			breaks("one response beyond one percent less than the load gives", aFifth,
				`set {"verification": {"n": 2969, "sum_before": 60, "sum_injection": 654, "achieved": "594/2969"}}`).edge(),
			keeps("one percent less than the load gives", aFifth, `set {"verification": {"n": 2970, "sum_before": 60, "sum_injection": 654, "achieved": "0.2"}}`).edge(),
			keeps("a window exactly as long as planned, a second later", anUndetected, `shift {"verification.from_ns": 1000000000, "verification.to_ns": 1000000000}`).edge()),
		rule("FD-3.4-7", spec.Marks, "ten times the difference between achieved and intended magnitude is held against the intended one, in fractions; a trial beyond it is discarded",
			breaks("661 of 3000 responses kept for 0.2", aFifth, `set {"verification": {"n": 3000, "sum_before": 60, "sum_injection": 721, "achieved": "661/3000"}}`).edge(),
			breaks("half the magnitude kept", aFifth, `set {"verification": {"n": 3000, "sum_before": 60, "sum_injection": 360, "achieved": "0.1"}}`),
			keeps("0.22 kept for 0.2", aFifth, `set {"verification": {"n": 3000, "sum_before": 60, "sum_injection": 720, "achieved": "0.22"}}`).edge(),
			keeps("0.18 kept for 0.2", aFifth, `set {"verification": {"n": 3000, "sum_before": 60, "sum_injection": 600, "achieved": "0.18"}}`)),
		rule("FD-3.4-8", spec.Marks, "the kept trials of every combination with a discarded one are counted",
			breaks("a discarded trial that was not repeated", lastOfFirst, "previous apply", "drop", lastOfFirst, "drop"),
			breaks("a trial kept with a cause to discard it", aTrial, `put discard "load_violation"`).edge(),
			keeps("a trial discarded for want of responses, and repeated", aDiscarded, `put discard "observation_gap"`, "put verification.n 0", "put verification.observed_n 0").edge()),
	}
}
