package result

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// result puts together what was gathered.
func (s *scan) result() (*Result, error) {
	d := &s.p.Declaration
	complete, reason := s.complete()
	s.checkWhole(complete)
	r := &Result{Format: Format, PlanDigest: s.p.Digest, Name: s.p.Name, Generation: s.open.Generation, Exploratory: s.open.Exploratory,
		Earlier: nonNil(s.open.Earlier), Evidence: []Evidence{}, Gates: []Gate{}, Footer: Footer{statementFootnote}}
	m := mode{planner: d.Planner != nil || d.Plans != nil, live: d.Live != nil}
	for _, p := range s.pairs {
		p.judge(s.rule(), s.block)
		s.total.pair(p, s.block)
		s.groups[p.transform].pair(p, s.block)
	}
	routes := m.live && len(d.Live.Route) > 0
	r.Aggregate = s.total.all.group(s.block, m)
	r.Controls = s.total.control.controls(m, routes)
	r.Transforms = []Transform{}
	for _, name := range s.transforms() {
		g := s.groups[name]
		r.Transforms = append(r.Transforms, Transform{Name: name, Figures: g.all.group(s.block, m), Controls: g.control.controls(m, routes)})
	}
	if s.audit != nil {
		a := *s.audit
		a.Listed = nonNil(a.Listed)
		r.Collisions = &Collisions{Mode: d.Audit, Found: a}
	}
	if routes {
		r.Placement = s.placement()
	}
	if m.live {
		r.Paired, r.Quality = s.paired(), s.quality()
	}
	s.logEvidence(r)
	r.Run = s.run(m)
	r.Supplementary = s.supplementary(m)
	r.Claims = s.claims(r, m)
	r.Conformance = Conformance{Methodology: Methodology, Mode: "offline", Complete: complete, Reason: reason,
		Violations: s.broken.sorted(), Deviations: nonNil(d.Deviations), Attestations: nonNil(d.Attestations)}
	if m.live {
		r.Conformance.Mode = "live"
	}
	switch {
	case len(r.Conformance.Violations) > 0:
		r.Conformance.Status = StatusNonconform
	case !complete:
		r.Conformance.Status = StatusIncomplete
	case m.live:
		r.Conformance.Status = StatusLive
	default:
		r.Conformance.Status = StatusOffline
	}
	r.gate = s.env(r)
	var err error
	if r.Gates, err = judgeGates(s.p.Gates, r); err == nil {
		err = s.failed
	}
	return r, err
}

// nonNil gives an empty list where there is none: a table without rows is not
// an absent one.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (s *scan) rule() string {
	if s.p.Declaration.Live == nil {
		return ""
	}
	return s.p.Declaration.Live.Contamination
}

// complete tells whether the run came to its end with everything that the plan
// asks for.
func (s *scan) complete() (bool, string) {
	d := &s.p.Declaration
	switch {
	case s.close == nil:
		return false, whyInterrupted
	case s.close.Status != "complete":
		return false, s.close.Reason
	case s.items != d.Manifest.Items:
		return false, fmt.Sprintf("%s: %d of %d", whyClosedWithout, s.items, d.Manifest.Items)
	case d.Live != nil && int64(len(s.pairs)) != d.Manifest.Items:
		return false, fmt.Sprintf("the run was closed with %d of %d pairs", len(s.pairs), d.Manifest.Items)
	case s.audit == nil && d.Audit != "":
		return false, "the run was closed without the audit of collisions"
	case len(s.evidence) != len(d.Evidence):
		return false, fmt.Sprintf("the run was closed with %d of %d logs", len(s.evidence), len(d.Evidence))
	}
	return true, ""
}

func (s *scan) run(m mode) Run {
	d := &s.p.Declaration
	r := Run{Manifest: d.Manifest.File, ManifestSHA256: d.Manifest.SHA256, Items: d.Manifest.Items, Measured: s.items, Controls: d.Manifest.Controls,
		Tokenizer: d.Tokenizer.Name, TokenizerVersion: d.Tokenizer.Version, BlockSize: d.BlockSize, Scope: d.Scope,
		PlannedItems: s.total.all.planned, Engine: s.open.Engine, Targets: []Target{}, Rules: nonNil(s.p.Rules)}
	if d.Manifest.Documents != nil {
		r.Manifest = "made from " + d.Manifest.Documents.File
	}
	switch {
	case d.Plans != nil:
		r.Planner = new(d.Plans.Planner)
	case d.Planner != nil:
		r.Planner = new(plannerName(d.Planner))
	}
	for _, t := range s.open.Targets {
		r.Targets = append(r.Targets, Target{t.Name, t.Address, t.Allowed})
	}
	if m.live {
		l := d.Live
		x := Live{Driver: l.Driver, Model: cmp.Or(l.Model, s.model), Engine: l.Engine, EngineVersion: l.EngineVersion, Order: l.Order, Resets: len(l.Reset),
			HitThreshold: l.HitThreshold, Contamination: l.Contamination, Signal: l.Signal, MaxTokens: l.MaxTokens, Temperature: l.Temperature,
			Concurrency: l.Concurrency}
		for _, p := range s.pairs {
			switch {
			case p.cold.there && p.cold.first:
				x.ColdFirst++
			case p.warm.there && p.warm.first:
				x.WarmFirst++
			}
		}
		r.Live = &x
	}
	return r
}

// plannerName names a built-in planner with what it was given.
func plannerName(p *plan.ReusePlanner) string {
	switch {
	case p.Name == "span":
		return fmt.Sprintf("span, runs of %d tokens or more", p.MinRun)
	case p.Gated:
		return p.Name + ", matches with a matched neighbour only"
	}
	return p.Name
}

func (s *scan) claims(r *Result, m mode) Claims {
	c := Claims{Exact: ClaimExact, Candidate: ClaimNothing, Eligible: ClaimNothing, Confirmed: ClaimNothing, Placement: ClaimNothing, Timing: ClaimNothing}
	if m.planner {
		c.Candidate, c.Eligible = ClaimCandidate, ClaimEligible
	}
	if n := r.Confirmation.Measured; n > 0 {
		c.Confirmed = ClaimCombined
		if r.Confirmation.Split == n {
			c.Confirmed = ClaimSplit
		}
	}
	if r.Placement != nil {
		c.Placement = ClaimPlacement
	}
	if m.live {
		c.Timing = ClaimTiming
	}
	return c
}

// split counts the requests of which the backend says how much is semantic
// reuse (KV-5-5).
func (s *scan) split() int64 {
	n := int64(0)
	for _, p := range s.pairs {
		if p.state == clean && p.measured(s.block) && p.warm.fuzzy.ok {
			n++
		}
	}
	return n
}

func (s *scan) placement() *Placement {
	x := &Placement{Outcomes: []Count{}, Endpoints: []Count{}}
	outcomes, endpoints := map[string]int64{}, map[string]int64{}
	for _, p := range s.pairs {
		if !p.warm.there {
			continue
		}
		x.Requests++
		if o := p.outcome(); o != "" {
			x.Told++
			outcomes[o]++
		}
		if w := p.warm.route; w != nil && w.Endpoint != "" {
			endpoints[w.Endpoint]++
		}
	}
	x.Outcomes, x.Endpoints = counts(outcomes), counts(endpoints)
	x.Semantic = rate(outcomes[semanticPlacement], x.Told, x.Told, x.Requests)
	return x
}

// counts lists a map, the most frequent first.
func counts(m map[string]int64) []Count {
	out := []Count{}
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return out
}

// logEvidence takes over what the logs say, each with both readings.
func (s *scan) logEvidence(r *Result) {
	live := s.p.Declaration.Live != nil
	c := Confirmation{Logs: len(s.evidence)}
	if len(s.evidence) > 0 {
		c = Confirmation{Logs: len(s.evidence), SemanticHits: new(int64(0)), Materializations: new(int64(0)), MaterializedTokens: new(int64(0)),
			MaterializedUnits: new(int64(0)), MaterializedRequests: new(int64(0)), Reuse: new(false), Suffix: new(false), SuffixRequests: new(int64(0)), Errors: new(int64(0))}
	}
	for _, x := range s.evidence {
		x.Rejections, x.Unknown = nonNil(x.Rejections), nonNil(x.Unknown)
		j := s.joined[x.Log]
		e := Evidence{Summary: x, Joined: j.n, Own: j.reused, OwnSuffix: j.suffix}
		e.Reuse, e.Suffix = e.Materialized(live) > 0, e.SuffixOnly(live) > 0
		r.Evidence = append(r.Evidence, e)
		*c.SemanticHits += x.SemanticHits
		*c.Materializations += x.Materializations
		*c.MaterializedTokens += x.MaterializedTokens
		*c.MaterializedUnits += x.MaterializedUnits
		if !live {
			*c.MaterializedRequests += e.Materialized(live)
			*c.SuffixRequests += e.SuffixOnly(live)
		}
		*c.Errors += x.Errors
		*c.Reuse = *c.Reuse || e.Reuse
		*c.Suffix = *c.Suffix || e.Suffix
	}
	if live && len(s.evidence) > 0 {
		// Two logs may tell of one and the same request.
		for _, p := range s.pairs {
			if p.reused {
				*c.MaterializedRequests++
			}
			if p.suffix {
				*c.SuffixRequests++
			}
		}
	}
	c.Measured, c.Split = s.total.all.measured, s.split()
	r.Confirmation = c
}

func (s *scan) supplementary(m mode) Supplementary {
	e := &s.p.Estimators
	x := Supplementary{Note: supplementaryWords, Estimators: Estimators{e.Aggregate, e.Percentile, e.Interval, e.Confidence},
		Invalid: []record.Reason{}, Mechanisms: []Count{}, Failures: []Count{}, Counters: []Window{}}
	for _, c := range counts(s.reasons) {
		x.Invalid = append(x.Invalid, record.Reason{Reason: c.Name, N: c.N})
	}
	if !m.live {
		return x
	}
	mechanisms, failures := map[string]int64{}, map[string]int64{}
	var told, differ int64
	for _, p := range s.pairs {
		for _, a := range []*arm{&p.cold, &p.warm} {
			if a.there && !a.answered {
				failures[a.outcome]++
			}
			if a.reset == "failed" {
				x.ResetsFailed++
			}
			x.DonorsFailed += int64(a.donorsFailed)
		}
		if p.state != clean {
			continue
		}
		mechanisms[p.mechanism()]++
		switch more := p.warm.cached.ok && !p.measured(s.block); {
		case more, p.warm.prompt.ok && p.warm.prompt.n/s.block != p.blocks:
			told, differ = told+1, differ+1
		case p.warm.prompt.ok:
			told++
		}
	}
	x.Mechanisms, x.Failures = counts(mechanisms), counts(failures)
	x.TokenSources = new(rate(differ, told, told, int64(len(s.pairs))))
	x.Counters = s.windows()
	s.engineTimes(&x)
	return x
}

// windows are the differences of the engines' counters.
func (s *scan) windows() []Window {
	out := []Window{}
	before := map[string]record.Counters{}
	for _, c := range s.counters {
		if c.Moment == "before" {
			before[c.URL] = c
			continue
		}
		b, ok := before[c.URL]
		switch {
		case !ok:
			out = append(out, Window{URL: c.URL, Why: "they were not read before the pairs"})
			continue
		case b.Detail != "":
			out = append(out, Window{URL: c.URL, Why: "before the pairs: " + b.Detail})
			continue
		case c.Detail != "":
			out = append(out, Window{URL: c.URL, Why: "after the pairs: " + c.Detail})
			continue
		}
		for _, name := range names(b.Values, c.Values) {
			w := Window{URL: c.URL, Name: name}
			from, to := valueOf(b.Values, name), valueOf(c.Values, name)
			switch {
			case from == nil:
				w.Why = "it was not there before the pairs"
			case to == nil:
				w.Why = "it was not there after the pairs"
			case *to < *from:
				w.Reset, w.Why = true, "it was set back meanwhile"
			default:
				w.Delta = new(*to - *from)
			}
			out = append(out, w)
		}
	}
	return out
}

// names are those of the counters of either reading, sorted.
func names(readings ...[]record.Counter) []string {
	var out []string
	for _, r := range readings {
		for _, c := range r {
			out = append(out, c.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// valueOf is what a reading has for a counter; nil where it has none.
func valueOf(reading []record.Counter, name string) *float64 {
	i := slices.IndexFunc(reading, func(c record.Counter) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &reading[i].Value
}

// Interrupted tells whether the run did not come to its end, so that the same
// command goes on with it.
func (r *Result) Interrupted() bool { return r.Conformance.Reason == whyInterrupted }
