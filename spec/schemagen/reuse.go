package schemagen

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/runtime/reuse/audit"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// reuseEnums are the enums of what a reuse block leaves behind. What an author
// may write is taken from the language.
func reuseEnums() map[string][]string {
	reuse := schema.Top("reuse")
	live := reuse.Block("live")
	arms := []string{record.Cold, record.Warm}
	enums := map[string][]string{
		"plan.Reuse.Format":              {plan.ReuseFormat},
		"plan.ReuseDeclaration.Audit":    declared(reuse, "audit"),
		"plan.ReuseDeclaration.Scope":    declared(reuse, "scope"),
		"plan.ReuseDocuments.Selection":  declared(reuse.Block("documents"), "selection"),
		"plan.ReusePlanner.Name":         reuse.Block("planner").KindNames(),
		"plan.ReuseEvidence.Engine":      reuse.Block("evidence").KindNames(),
		"plan.ReuseLive.Driver":          live.KindNames(),
		"plan.RouteHeader.Tells":         live.Kinds[0].Block("route").AttrNames(),
		"record.Reset.Arm":               arms,
		"record.Arm.Arm":                 arms,
		"record.Arm.Reset":               {"ok", "failed", "none"},
		"record.Counters.Moment":         {"before", "after"},
		"record.Evidence.Engine":         evidence.Engines(),
		"record.Joined.Arm":              arms,
		"record.Collision.Kind":          {audit.Phantom, audit.Overlap},
		"result.Result.Format":           {result.Format},
		"result.Conformance.Status":      {result.StatusOffline, result.StatusLive, result.StatusNonconform, result.StatusIncomplete},
		"result.Conformance.Methodology": {result.Methodology},
		"result.Conformance.Mode":        {"offline", "live"},
		"result.Violation.Effect":        {string(spec.MarksRun)},
		"result.Claims.Exact":            {result.ClaimExact},
		"result.Claims.Candidate":        {result.ClaimCandidate, result.ClaimNothing},
		"result.Claims.Eligible":         {result.ClaimEligible, result.ClaimNothing},
		"result.Claims.Confirmed":        {result.ClaimCombined, result.ClaimSplit, result.ClaimNothing},
		"result.Claims.Placement":        {result.ClaimPlacement, result.ClaimNothing},
		"result.Claims.Timing":           {result.ClaimTiming, result.ClaimNothing},
		"result.Run.Scope":               declared(reuse, "scope"),
		"result.Live.Driver":             live.KindNames(),
		"result.Collisions.Mode":         declared(reuse, "audit"),
		"result.Gate.Status":             {result.GatePassed, result.GateFailed, result.GateNoData},
	}
	for field, name := range map[string]string{"Engine": "engine", "Order": "order", "Contamination": "contamination", "Signal": "signal"} {
		values := declared(live.Kinds[0], name)
		enums["plan.ReuseLive."+field], enums["result.Live."+field] = values, values
	}
	return enums
}

// declared are the values that an argument may have.
func declared(b *schema.Block, name string) []string {
	values := b.Attr(name).Enum
	if len(values) == 0 {
		panic(fmt.Sprintf("schemagen: any value may be written for %s of %s", name, b.Type))
	}
	return values
}
