package evidence

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Statements says in plain sentences what a log proves, and what it does not
// prove though it may look like it.
func Statements(e record.Evidence) (proven, not []string) {
	say := func(format string, a ...any) { proven = append(proven, fmt.Sprintf(format, a...)) }
	deny := func(format string, a ...any) { not = append(not, fmt.Sprintf(format, a...)) }
	if e.Requests == 0 && e.SemanticHits == 0 && e.Materializations == 0 {
		deny("The log has no evidence: nothing in it has the form that %s writes.", e.Engine)
		return proven, not
	}
	if e.Engine == LMCache {
		if e.MaterializedTokens > 0 {
			say("LMCache loaded KV: %s in %s.", counted(e.MaterializedTokens, "token", "tokens"), counted(e.Materializations, "load", "loads"))
		}
		deny("LMCache matches contents exactly: nothing here is semantic reuse. It is the baseline.")
		return proven, not
	}
	if e.DonorRegistrations > 0 {
		say("%s registered, whose KV can be found.", counted(e.DonorRegistrations, "donor", "donors"))
	}
	if e.SemanticHits > 0 {
		say("%s: donors were found, which is no reuse yet.", counted(e.SemanticHits, "semantic hit", "semantic hits"))
	}
	if e.MaterializedReuse > 0 {
		say("%s reused semantic KV: a hit and a materialisation of more than 0 in one request.", counted(e.MaterializedReuse, "request", "requests"))
	} else {
		deny("No request has both a hit and a materialisation, so no semantic reuse of KV is shown.")
		if e.WholeLog {
			deny("The log as a whole has both, but of different requests, of hits that offer nothing, or in lines that name no request: together they prove nothing.")
		}
	}
	if e.HitsAlone > 0 {
		deny("%s with a hit, and nothing about a materialisation: found is not loaded.", counted(e.HitsAlone, "request", "requests"))
	}
	if e.DiscoveryOnly > 0 {
		deny("%s without a token to load: discovery only.", counted(e.DiscoveryOnly, "hit", "hits"))
	}
	if e.MaterializedAlone > 0 {
		deny("%s with a materialisation and no hit: the log contradicts itself there, or lacks lines.", counted(e.MaterializedAlone, "request", "requests"))
	}
	if n := e.Unattributed.Hits + e.Unattributed.Materializations; n > 0 {
		deny("%s without the name of a request: of whom is not known.", counted(n, "event", "events"))
	}
	switch {
	case e.BoundariesProven > 0:
		say("%s with a blend boundary of the engine and a materialisation: it executed the suffix alone.", counted(e.BoundariesProven, "request", "requests"))
	case e.MaterializedReuse > 0:
		deny("No such request has a blend boundary of the engine: that the engine executed the suffix alone is not shown.")
	}
	switch e.Engine {
	case SGLang:
		if e.Materializations == 0 {
			deny("Logs of SGLang prove registrations and hits, and this one has no materialisation.")
		}
		deny("The primary figure for SGLang is not in its log: it is the cached tokens that the server reports.")
	case TRTLLM:
		deny("TensorRT-LLM counts units, not tokens: no token figure follows from this log.")
	}
	return proven, not
}

func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
