package measure

import "github.com/fdbench/fdbench/spec"

// trafficRules are those of section 3.3.
func trafficRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-3.3-1", spec.Marks, "the requests of a kept trial are held against the load, within one percent over the trial and five over each of its windows",
			breaks("one request more than one percent above", anUndetected, "put requests 12121").edge(),
			breaks("a trial that ran at half the load", anUndetected, "put requests 6000"),
			breaks("a window with 631 requests instead of 600", anUndetected, "put offered_windows.most 631"),
			breaks("windows that were not counted", anUndetected, "put offered_windows.windows 0"),
			breaks("a trial that does not say how late its requests were sent", aTrial, "null traffic").on(BaseReal),
			keeps("one percent above", anUndetected, "put requests 12120").edge(),
			keeps("a window with 630 requests instead of 600", anUndetected, "put offered_windows.most 630")),
		rule("FD-3.3-2", spec.Stops, "the digest of the population is read back before and after every trial, and no reading differs from the plan or the first",
			breaks("other prompts before the last segment", "readback last", `put population "sha256:00"`).edge(),
			breaks("other prompts than the plan declares", "readback all", `put population "sha256:00"`),
			keeps("the same prompts throughout").edge()),
		rule("FD-3.3-7", spec.Stops, "the responses that a cache gave are counted, and there are none",
			breaks("one response from a cache", aTrial, "put cached 1").edge(),
			breaks("caching that is neither disabled nor kept from hitting", "plan", `put declaration.environment.caching "enabled"`),
			keeps("no response from a cache", aTrial, "put cached 0").edge(),
			keeps("prompts that are made unique", "plan", `put declaration.environment.caching "no_hit_population"`)),
	}
}
