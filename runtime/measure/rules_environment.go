package measure

import "github.com/fdbench/fdbench/spec"

// environmentRules are those of sections 1 and 7.
func environmentRules() []spec.Rule {
	return []spec.Rule{
		rule("FD-1.1-3", spec.Marks, "the kind of the environment and the time that the series ran in are held against each other",
			breaks("a production environment", "plan", `put declaration.environment.kind "production"`).on(BaseReal).edge(),
			breaks("real time in a simulated environment", "plan", `put declaration.environment.kind "simulated"`).on(BaseReal),
			breaks("real time claimed for a simulated deployment", "open", `put time "real"`),
			breaks("virtual time claimed for a deployment that runs by itself", "open",
				`set {"time": "virtual", "hosts": {"apparatus": "virtual", "detector": "virtual"}, "targets": []}`).on(BaseReal),
			keeps("a test environment of continuous integration", "plan", `put declaration.environment.kind "ci"`).on(BaseReal).edge()),
		rule("FD-1.2-2", spec.Marks, "the digest of the environment beside each Baseline Interval is held against that of the plan, and so is the first reading of the deployment",
			breaks("a baseline of another environment", "baseline", `put environment "sha256:00"`).edge(),
			breaks("another deployment than the plan declares", "readback all", `put serving "sha256:00"`),
			keeps("each load's own baseline").edge()),
		rule("FD-1.2-7", spec.Marks, "the journal has to come to its end, with every part of the plan in it",
			breaks("a run that ended early", "close", `set {"status": "incomplete", "reason": "the disk was full"}`).edge(),
			breaks("a journal without its end", "close", "drop"),
			breaks("nine of ten sham trials", `trial last {"purpose": "sham"}`, "drop").edge(),
			breaks("no sham trials", `trial all {"purpose": "sham"}`, "drop"),
			keeps("a sham trial that was discarded, and stands on record", `trial last {"purpose": "sham"}`,
				`set {"kept": false, "discard": "load_violation", "requests": 6000}`).edge(),
			keeps("a run that came to its end", "close", `set {"status": "complete", "reason": ""}`).edge()),
		rule("FD-7-1", spec.Marks, "every address that requests and faults went to lies in a confined range, or the command line let it through",
			breaks("the first address behind a private range", "open", `put targets.0.address "172.32.0.0:8000"`).on(BaseReal).edge(),
			breaks("a name that was not resolved", "open", `put targets.0.address "llm.example.com:443"`).on(BaseReal),
			breaks("no address on record", "open", "put targets []").on(BaseReal),
			breaks("an address of a series in virtual time, which talks to nothing", "open",
				`set {"targets": [{"name": "serving.mixtral", "address": "127.0.0.1:8000", "allowed": false}]}`),
			keeps("the last address of a private range", "open", `put targets.0.address "172.31.255.255:8000"`).on(BaseReal).edge(),
			keeps("an address that the command line let through", "open", `put targets.0 {"name": "serving.mixtral", "address": "203.0.113.9:443", "allowed": true}`).on(BaseReal)),
	}
}
