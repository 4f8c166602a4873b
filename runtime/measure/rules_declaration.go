package measure

import "github.com/fdbench/fdbench/spec"

// declarationRules are those of section 4.1.
func declarationRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-4.1-5", spec.Marks, "the lock keeps the declaration, and a run in real time without it, or by another engine, shows nothing of that",
			breaks("a run in real time without the lock", "open", "put exploratory true").on(BaseReal).edge(),
			breaks("another engine than the plan's", "open", `put engine "synthetic/2"`),
			keeps("a run in real time with the lock", "open", "put exploratory false").on(BaseReal).edge(),
			keeps("a simulation without the lock, for trying things out", "open", "put exploratory true")),
		rule("FD-4.1-6", spec.Refuses, "the journal names the plan that it is of, and no other one is measured with it",
			breaks("a journal measured with a plan that it is not of", "open",
				`put plan_digest "sha256:0000000000000000000000000000000000000000000000000000000000000000"`).edge(),
			keeps("a journal measured with its own plan").edge()),
	}
}
