package result

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec"
)

// violations are the rows of the table that a journal breaks, each once.
type violations struct{ list []Violation }

// add notes one more violation of a rule. The first one is spelled out.
func (v *violations) add(rule, subject, format string, args ...any) {
	for i := range v.list {
		if v.list[i].Rule == rule {
			v.list[i].Count++
			return
		}
	}
	v.list = append(v.list, Violation{Rule: rule, Subject: subject, Detail: fmt.Sprintf(format, args...), Effect: string(spec.MarksRun), Count: 1})
}

// sorted lists them in the order of the table.
func (v *violations) sorted() []Violation {
	out := slices.Clone(v.list)
	slices.SortStableFunc(out, func(a, b Violation) int { return spec.Order(a.Rule) - spec.Order(b.Rule) })
	if out == nil {
		out = []Violation{}
	}
	return out
}

// scopeItem and engines, as plans name them.
const (
	scopeItem  = "item"
	engineVLLM = "vllm"
	engineTRT  = "trtllm"
)

// checkItem holds a row against what a row can be.
func (s *scan) checkItem(x *record.Item) {
	full := x.PromptTokens / s.block
	if x.TotalBlocks != full || x.PromptTokens < 0 {
		s.broken.add("KV-1-1", x.ItemID, "%d tokens in blocks of %d have %d full blocks, and the row has %d", x.PromptTokens, s.block, full, x.TotalBlocks)
	}
	if x.ExactBlocks > max(x.TotalBlocks, full) || x.Candidate > max(x.TotalBlocks, full) {
		s.broken.add("KV-1-2", x.ItemID, "%d exact hits and %d candidates of %d full blocks: a partial block was counted", x.ExactBlocks, x.Candidate, x.TotalBlocks)
	}
	if x.ExactBlocks < 0 || x.ExactBlocks > 0 && x.Donors == 0 && s.p.Declaration.Scope == scopeItem {
		s.broken.add("KV-2-1", x.ItemID, "%d exact hits of an item with %d donors", x.ExactBlocks, x.Donors)
	}
	if x.PrefixBlocks < 0 || x.PrefixBlocks > max(x.ExactBlocks, 0) {
		s.broken.add("KV-2-3", x.ItemID, "%d hits before the first miss, of %d exact hits", x.PrefixBlocks, x.ExactBlocks)
	}
	d := &s.p.Declaration
	switch {
	case x.Planned && d.Planner == nil && d.Plans == nil:
		s.broken.add("KV-3-1", x.ItemID, "the row has a plan, and no planner is declared")
	case !x.Planned && d.Planner != nil:
		s.broken.add("KV-3-1", x.ItemID, "the row has no plan, and the planner %q looks at every item", d.Planner.Name)
	case !x.Planned && (x.Candidate != 0 || x.Eligible != 0), x.Candidate < 0:
		s.broken.add("KV-3-1", x.ItemID, "%d candidates of an item without a plan", x.Candidate)
	}
	if x.Eligible < 0 || x.Eligible > x.Candidate {
		s.broken.add("KV-4-1", x.ItemID, "%d eligible blocks of %d candidates", x.Eligible, x.Candidate)
	}
	if x.Control && x.ExactBlocks > 0 && x.Donors > 0 && d.Scope == scopeItem {
		s.broken.add("KV-7-1", x.ItemID, "a control shares %d full blocks with its own donors", x.ExactBlocks)
	}
}

// checkArm holds a request against what a backend can report.
func (s *scan) checkArm(x *record.Arm) {
	switch cached, prompt, fuzzy := of(x.CachedTokens), of(x.PromptTokens), of(x.FuzzyTokens); {
	case cached.ok && cached.n < 0, prompt.ok && prompt.n < 0, fuzzy.ok && fuzzy.n < 0:
		s.broken.add("KV-5-4", x.ItemID, "a count of tokens is negative")
	case cached.ok && prompt.ok && cached.n > prompt.n:
		s.broken.add("KV-5-4", x.ItemID, "%d cached tokens of a prompt of %d", cached.n, prompt.n)
	case fuzzy.ok && (!cached.ok || fuzzy.n > cached.n):
		s.broken.add("KV-5-4", x.ItemID, "%d tokens of semantic reuse, and %d cached tokens in all", fuzzy.n, cached.n)
	}
	live := s.p.Declaration.Live
	switch {
	case x.Route != nil && len(live.Route) == 0:
		s.broken.add("KV-6-1", x.ItemID, "a placement is on record, and no header is declared that tells one")
	case x.Route != nil && x.Route.Header == "":
		s.broken.add("KV-6-1", x.ItemID, "a placement %q without the header that tells it", x.Route.Outcome)
	}
	said := s.reset[x.ItemID+"\x1f"+x.Arm]
	switch {
	case len(live.Reset) == 0 && x.Reset != "none":
		s.broken.add("KV-8-6", x.ItemID, "the %s request says of its reset %q, and no reset is declared", x.Arm, x.Reset)
	case len(live.Reset) > 0 && said == "":
		s.broken.add("KV-8-6", x.ItemID, "no reset is on record before the %s request", x.Arm)
	case len(live.Reset) > 0 && said != x.Reset:
		s.broken.add("KV-8-6", x.ItemID, "the reset before the %s request is on record as %q, and the request says %q", x.Arm, said, x.Reset)
	}
}

// logs holds the summary of a log against itself.
func (s *scan) logs(x *record.Evidence) {
	if x.WholeLog != (x.SemanticHitsWhole > 0 && (x.EventsWhole > 0 || x.TokensWhole > 0 || x.MaterializedUnits > 0)) {
		s.broken.add("KV-5-6", x.Log, "read as a whole the log is said to show reuse: %t, and it has %d hits, and %d materialisations of %d tokens and %d units",
			x.WholeLog, x.SemanticHitsWhole, x.EventsWhole, x.TokensWhole, x.MaterializedUnits)
	}
	if x.MaterializedReuse < 0 || x.MaterializedReuse+x.MaterializedAlone+x.HitsAlone > x.Requests {
		s.broken.add("KV-5-6", x.Log, "%d requests with reuse, %d with a materialisation alone and %d with a hit alone, of %d requests",
			x.MaterializedReuse, x.MaterializedAlone, x.HitsAlone, x.Requests)
	}
	if x.Engine == engineVLLM && x.MaterializedReuse > min(x.SemanticHits, x.Materializations+x.LoadAdvertisements) {
		s.broken.add("KV-5-7", x.Log, "%d requests with reuse, of %d hits and %d materialisations", x.MaterializedReuse, x.SemanticHits, x.Materializations)
	}
	if x.Engine == engineTRT {
		switch {
		case x.MaterializedTokens != 0:
			s.broken.add("KV-5-8", x.Log, "%d materialised tokens of an engine that counts units", x.MaterializedTokens)
		case x.MaterializedReuse > min(x.SemanticHits, x.Materializations):
			s.broken.add("KV-5-8", x.Log, "%d requests with reuse, of %d lookups that found something and %d materialisations", x.MaterializedReuse, x.SemanticHits, x.Materializations)
		}
	}
	if x.BoundariesProven < 0 || x.BoundariesProven > min(x.EngineBoundaries, x.Materializations) {
		s.broken.add("KV-5-9", x.Log, "%d requests with a boundary and a materialisation, of %d boundaries and %d materialisations",
			x.BoundariesProven, x.EngineBoundaries, x.Materializations)
	}
}

// audited looks for controls that share a block with their donors.
func (s *scan) audited(x *record.Audit) {
	if s.p.Declaration.Scope == scopeItem {
		return // their rows show it
	}
	for _, c := range x.Listed {
		if c.Kind == controlOverlap {
			s.broken.add("KV-7-1", c.ItemID, "block %d of a control is one of its own donors'", c.Block)
		}
	}
}

const controlOverlap = "negative_control_overlap"

// checkWhole looks at what only shows at the end.
func (s *scan) checkWhole(complete bool) {
	for _, x := range s.evidence {
		if j := s.joined[x.Log]; j.n > x.Requests || j.reused > x.MaterializedReuse {
			s.broken.add("KV-5-6", x.Log, "%d requests of the run's own, of which %d have reuse, in a log that names %d requests, of which %d have", j.n, j.reused, x.Requests, x.MaterializedReuse)
		}
	}
	m := &s.p.Declaration.Manifest
	if complete && s.total.control.n != m.Controls {
		s.broken.add("KV-7-1", "", "%d controls are on record, and the manifest has %d", s.total.control.n, m.Controls)
	}
}
