package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/spec"
)

// aTrial picks the first kept trial of a combination that was detected,
// anUndetected the first that was not, and aDiscarded the first that was not
// kept.
const (
	aTrial       = `trial {"purpose": "trials", "kept": true, "detected": true}`
	aDiscarded   = `trial {"purpose": "trials", "kept": false}`
	anUndetected = `trial {"purpose": "trials", "kept": true, "detected": false, "profile": "step"}`
)

// topologyRules are those of sections 3.1 and 3.2.
func topologyRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-3.1-4", spec.Marks, "every trial has its Fault Onset on record",
			breaks("a trial without its onset", aTrial, "cut onset_ns").edge(),
			breaks("an onset of null", aTrial, "null onset_ns"),
			keeps("a trial with its onset", aTrial, `shift {"onset_ns": 0}`).edge()),
		rule("FD-3.1-5", spec.Marks, "every Detection Event and false detection was emitted by a component of the declared detector",
			breaks("a signal of the injector", aTrial, `put event.component "injector"`).edge(),
			breaks("a false detection of the harness", "false_detection", `put events.0.component "harness"`),
			keeps("a signal of the detector", aTrial, `put event.component "detector"`).edge()),
		rule("FD-3.2-1", spec.Stops, "the detector is read back before the first trial and held against the plan",
			breaks("a detector that is not configured as the plan says", "readback all", `put detector "sha256:00"`),
			breaks("nothing was read back", "readback all", "drop").edge(),
			keeps("one reading before the first trial", `readback {"moment": "begin"}`).edge(),
			keeps("a detector that cannot be read, and an attestation in its place", "readback all", `put detector ""`).on(BaseReal)),
		rule("FD-3.2-2", spec.Stops, "the detector is read back before and after every trial, and no reading differs from the first",
			breaks("a threshold that changed before the last segment", "readback last", `put detector "sha256:00"`),
			breaks("one reading around a trial", aTrial, "put readbacks 1").edge(),
			keeps("two readings around a trial", aTrial, "put readbacks 2").edge(),
			keeps("a detector that cannot be read, and an attestation in its place", "readback all", `put detector ""`).on(BaseReal)),
		rule("FD-3.2-3", spec.Marks, "a series that was declared anew names every declaration before it",
			breaks("a second generation that says nothing of the first", "open", "put generation 2").edge(),
			breaks("the first declaration is left out of three", "open",
				`set {"generation": 3, "earlier": [{"generation": 2, "changed": [{"path": "declaration.detector", "old": "0.07", "new": "0.08"}]}]}`),
			breaks("two earlier declarations in the wrong order", "open", `set {"generation": 3, "earlier": `+earlier(2, 1)+`}`),
			keeps("two earlier declarations in their order", "open", `set {"generation": 3, "earlier": `+earlier(1, 2)+`}`),
			keeps("a second generation with what was changed", "open",
				`set {"generation": 2, "earlier": [{"generation": 1, "changed": [{"path": "declaration.detector", "old": "0.07", "new": "0.08"}]}]}`).edge()),
	}
}

// earlier lists two generations before the third.
func earlier(first, second int) string {
	const change = `, "changed": [{"path": "declaration.detector", "old": "0.07", "new": "0.08"}]}`
	return fmt.Sprintf(`[{"generation": %d%s, {"generation": %d%s]`, first, change, second, change)
}
