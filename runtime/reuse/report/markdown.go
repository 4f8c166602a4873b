package report

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/report/prose"
	"github.com/fdbench/fdbench/runtime/report/table"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// Markdown is the full report.
func (p *Report) Markdown() []byte {
	m := &markdown{r: p.r}
	m.top()
	m.what()
	m.gates()
	m.rates()
	m.transforms()
	m.controls()
	m.paired()
	m.evidence()
	m.placement()
	m.quality()
	m.supplementary()
	m.f("---\n\n%s\n", m.r.Footer.Statement)
	return []byte(prose.Printable(m.b.String()))
}

type markdown struct {
	r      *result.Result
	b      strings.Builder
	n      int
	tables int
}

func (m *markdown) f(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

// section begins one, numbered as it comes.
func (m *markdown) section(title string) {
	m.n++
	m.f("## %d. %s\n\n", m.n, title)
}

// table writes a table under a caption that says what its figures may be
// called. The claim is one of the result's.
func (m *markdown) table(title, claim string, t *table.Table) {
	if len(t.Rows) == 0 {
		return
	}
	m.tables++
	m.f("**Table %d. %s** (%s; %s)\n\n", m.tables, table.Cell(title), heading(m.r), claim)
	t.Markdown(&m.b)
}

func (m *markdown) item(name, value string) {
	if value != "" {
		m.f("- %s: %s\n", name, value)
	}
}

// top says what the figures may be called before any of them.
func (m *markdown) top() {
	r := m.r
	m.f("# %s: KV reuse, %s\n\n", table.Cell(r.Name), heading(r))
	for _, s := range sentences(r) {
		m.f("%s\n\n", s)
	}
	if s := incomplete(r); s != "" {
		m.f("**%s**\n\n", s)
	}
	if r.Run.Controls == 0 && (r.Run.Planner != nil || r.Run.Live != nil) {
		m.f("**%s**\n\n", controlsMissing)
	}
	for _, x := range r.Run.Targets {
		if x.OptedIn {
			m.f("**Requests went to %s at %s, outside of the confined address ranges; the command line let them through.**\n\n", table.Cell(x.Name), table.Cell(x.Address))
		}
	}
}

func (m *markdown) what() {
	r, x := m.r, &m.r.Run
	m.section("What this is")
	m.item("status", heading(r))
	m.item("plan", table.Code(r.PlanDigest))
	m.item("manifest", fmt.Sprintf("%s, %s items, %s", table.Cell(x.Manifest), grouped(x.Items), table.Code(x.ManifestSHA256)))
	m.item("tokenizer", table.Cell(x.Tokenizer+", "+x.TokenizerVersion))
	m.item("block size", fmt.Sprintf("%d tokens; a trailing partial block is in no block rate", x.BlockSize))
	m.item("donors of the exact index", map[string]string{"item": "those of the same item", "corpus": "those of the whole manifest"}[x.Scope])
	planner := "none"
	if x.Planner != nil {
		planner = *x.Planner
	}
	m.item("planner", table.Cell(planner))
	m.item("computed by", table.Cell(x.Engine))
	if r.Generation > 1 {
		m.item("generation", fmt.Sprintf("%d: what its predecessors declared otherwise stands at the end", r.Generation))
	}
	if l := x.Live; l != nil {
		version := l.EngineVersion
		if version == "" {
			version = "version not declared"
		}
		model := l.Model
		if model == "" {
			model = "not known yet"
		}
		m.item("engine", table.Cell(fmt.Sprintf("%s, %s, model %s, driver %s", l.Engine, version, model, l.Driver)))
		m.item("order", fmt.Sprintf("%s: %s pairs cold first, %s warm first", strings.ReplaceAll(l.Order, "_", " "), grouped(l.ColdFirst), grouped(l.WarmFirst)))
		m.item("hit", fmt.Sprintf("%d confirmed tokens or more, by %s", l.HitThreshold, strings.ReplaceAll(l.Signal, "_", " ")))
		m.item("contamination", contamination(l, len(r.Evidence) > 0))
		m.item("answers", fmt.Sprintf("at most %d tokens, temperature %s, %s at a time", l.MaxTokens, l.Temperature, plural(int64(l.Concurrency), "pair")))
	}
	m.f("\n")
	c := &r.Conformance
	t := &table.Table{Head: []string{"requirement", "what it asks", "what happened"}}
	for i := range c.Violations {
		t.Add(c.Violations[i].Rule, asks(c.Violations[i].Rule), violation(&c.Violations[i]))
	}
	m.table("Requirements that this run breaks", "each makes the result nonconformant", t)
	t = &table.Table{Head: []string{"requirement", "why it is not followed"}}
	for _, d := range c.Deviations {
		t.Add(d.Rule, d.Because)
	}
	m.table("Recommendations that are not followed", "in the author's words", t)
	t = &table.Table{Head: []string{"subject", "by", "statement"}}
	for _, a := range c.Attestations {
		t.Add(a.Subject, a.By, a.Statement)
	}
	m.table("Attested, not verified", "no program can decide these", t)
	t = &table.Table{Head: []string{"target", "address"}}
	for _, a := range x.Targets {
		t.Add(a.Name, a.Address)
	}
	m.table("Addresses that requests went to", "as they resolved", t)
}

func contamination(l *result.Live, logs bool) string {
	s := "a cold request with a cached token"
	if l.Contamination == "block" {
		s = "a cold request with more than a block of cached tokens"
	}
	if logs {
		s += " or with a materialisation in a log"
	}
	return s + ", or a reset that failed"
}

func (m *markdown) gates() {
	if len(m.r.Gates) == 0 {
		return
	}
	m.section("Gates")
	t := &table.Table{Head: []string{"gate", "outcome", "condition", "observed", "why"}}
	for i := range m.r.Gates {
		g := &m.r.Gates[i]
		t.Add(g.Name, gateWords(g), g.Condition, observed(g), g.Why)
	}
	m.table("Conditions of the scenario", "one without data is no pass", t)
}

// rates are the four figures that are kept apart.
func (m *markdown) rates() {
	m.section("Exact, candidate, eligible, confirmed")
	m.f("Four figures, none of which stands for another. Each is a sum over all requests divided by another: one division.\n\n")
	g, c := &m.r.Aggregate, &m.r.Claims
	t := &table.Table{Head: []string{"figure", ">blocks", ">rate", "of", ">of all tokens", "what it may be called"}}
	t.Add("exact", grouped(g.ExactBlocks), percent(g.ExactRate.Value), of(&g.ExactRate), percent(g.ExactTokenRate.Value), c.Exact)
	t.Add("exact, before the first miss", grouped(g.PrefixBlocks), percent(g.PrefixRate.Value), of(&g.PrefixRate), "", "what a prefix cache could hold")
	t.Add("candidate", optionalCount(g.CandidateBlocks), percentRate(g.CandidateRate), of(g.CandidateRate), percentRate(g.CandidateTokenRate), c.Candidate)
	t.Add("eligible", optionalCount(g.EligibleBlocks), percentRate(g.EligibleRate), of(g.EligibleRate), percentRate(g.EligibleTokenRate), c.Eligible)
	t.Add("confirmed", optionalCount(g.ConfirmedBlocks), percentRate(g.ConfirmedRate), of(g.ConfirmedRate), "", c.Confirmed)
	m.table("All requests", fmt.Sprintf("%s requests, %s tokens, %s full blocks", grouped(g.Requests), grouped(g.PromptTokens), grouped(g.TotalBlocks)), t)
	t = &table.Table{Head: []string{"lift", ">value", "from", "less"}}
	if l := g.EligibleLift; l != nil {
		t.Add("eligible less exact", points(l), fraction(&l.Rate), fraction(&l.Less))
	}
	if l := g.ConfirmedLift; l != nil {
		t.Add("confirmed less exact", points(l), fraction(&l.Rate), fraction(&l.Less))
	}
	m.table("Lifts over the exact baseline", "both rates over the same requests; a negative one is printed as such", t)
}

func percentRate(r *result.Rate) string {
	if r == nil {
		return "none"
	}
	return percent(r.Value)
}

// of is the denominator with the coverage: "723 blocks, 16 of 16 requests
// measured".
func of(r *result.Rate) string {
	if r == nil {
		return "not measured"
	}
	return grouped(r.Denominator) + " blocks, " + coverage(r, "requests")
}

func (m *markdown) transforms() {
	if len(m.r.Transforms) == 0 {
		return
	}
	m.section("By transform")
	t := &table.Table{Head: []string{"transform", ">requests", ">blocks", ">exact", ">candidate", ">eligible", ">eligible lift", ">confirmed", ">measured"}}
	for i := range m.r.Transforms {
		name, x := m.r.Transforms[i].Name, &m.r.Transforms[i].Figures
		confirmed, measured := "none", "none"
		if r := x.ConfirmedRate; r != nil {
			confirmed, measured = fmt.Sprintf("%d/%d", r.Numerator, r.Denominator), fmt.Sprintf("%d/%d", r.Measured, r.Of)
		}
		t.Add(name, grouped(x.Requests), grouped(x.TotalBlocks), grouped(x.ExactBlocks), optionalCount(x.CandidateBlocks), optionalCount(x.EligibleBlocks), points(x.EligibleLift), confirmed, measured)
	}
	m.table("Blocks of each transform", "exact: "+m.r.Claims.Exact+"; eligible: "+m.r.Claims.Eligible, t)
}

func (m *markdown) controls() {
	c := &m.r.Controls
	m.section("Negative controls")
	if c.Count == 0 {
		if n := m.r.Run.Controls; n > 0 {
			m.f("None of the manifest's %s was measured.\n\n", plural(n, "control"))
		} else {
			m.f("The manifest has none.\n\n")
		}
	} else {
		m.f("%s with %s: donors that have nothing to do with the recipient. What is found in them was found where nothing is.\n\n", plural(c.Count, "control"), plural(c.Blocks, "full block"))
		t := &table.Table{Head: []string{"figure", ">value", "numbers"}}
		for _, x := range []struct {
			name, unit string
			r          *result.Rate
		}{
			{"eligible: the main signal of safety", "blocks", c.EligibleRate},
			{"exact", "blocks", c.ExactRate},
			{"confirmed by the backend", "blocks", c.ConfirmedRate},
			{"placed semantically", "controls", c.PlacementRate},
		} {
			if x.r != nil {
				t.Add(x.name, percent(x.r.Value), fraction(x.r)+" "+x.unit+", "+coverage(x.r, "controls"))
			}
		}
		m.table("What was found in controls", "near 0 where the cache leaves them alone", t)
	}
	x := m.r.Collisions
	if x == nil {
		m.f("The manifest's blocks were not audited for collisions.\n\n")
		return
	}
	f := &x.Found
	m.f("Collision audit (%s): %s violations in %s donor blocks of %s documents, %s distinct; %s boilerplate blocks are exempt, and with them %s that a control shares with its own donors.\n\n", x.Mode,
		grouped(f.Violations), grouped(f.DonorBlocks), grouped(f.Origins), grouped(f.Distinct), grouped(f.Boilerplate), grouped(f.Exempt))
	t := &table.Table{Head: []string{"kind", "item", ">block", "found in"}}
	for _, c := range f.Listed {
		t.Add(strings.ReplaceAll(c.Kind, "_", " "), c.ItemID, grouped(c.Block), c.Origin)
	}
	m.table("Collisions", "the first of them", t)
}

func (m *markdown) paired() {
	m.section("Time to the first token")
	p := m.r.Paired
	if p == nil {
		m.f("Nothing was sent, so there is no time and no speed-up.\n\n")
		return
	}
	confidence := m.r.Supplementary.Estimators.Confidence
	m.f("**Headline: blended speed-up, mean of cold by warm over every clean pair that is no control, hits and misses: %s.**\n\n", speedup(p.Blended, confidence))
	m.item("median of the same ratios", speedup(p.BlendedMedian, confidence))
	m.item("hit rate", whole(p.HitRate, "pairs", "pairs"))
	m.item("hits alone, which are no headline", fmt.Sprintf("%s, at a hit rate of %s", speedup(p.HitOnly, confidence), percentRate(p.HitRate)))
	control := speedup(p.Control, confidence)
	if p.ControlDeviation != nil {
		control += fmt.Sprintf("; off 1 by %s", score(p.ControlDeviation))
	}
	m.item("negative controls, which should sit at 1", control)
	m.f("\n")
	t := &table.Table{Head: []string{"arm", ">median", ">95th percentile", ">pairs"}}
	t.Add("cold", milliseconds(p.ColdP50), milliseconds(p.ColdP95), grouped(p.Percentiles))
	t.Add("warm", milliseconds(p.WarmP50), milliseconds(p.WarmP95), grouped(p.Percentiles))
	m.table("Each arm", "for information; the pairs decide", t)
	t = &table.Table{Head: []string{"pairs", ">number"}}
	for _, x := range pairCounts(p) {
		t.Add(x.Name, grouped(x.N))
	}
	m.table("What became of the pairs", "contaminated and failed ones are in no figure", t)
}

func pairCounts(p *result.Paired) []result.Count {
	return []result.Count{{Name: "in all", N: p.Total}, {Name: "used", N: p.Used}, {Name: "of them, controls", N: p.Controls},
		{Name: "contaminated", N: p.Contaminated}, {Name: "failed", N: p.Errored}, {Name: "clean, without two times", N: p.Untimed},
		{Name: "not checked for contamination", N: p.Unchecked}}
}

func (m *markdown) evidence() {
	if len(m.r.Evidence) == 0 {
		return
	}
	m.section("What the engines' logs say")
	whose := "The run sent nothing, so no request of a log is its own, and what a log shows is of whoever wrote it."
	if m.r.Run.Live != nil {
		whose = "It has to be a warm request of this run, since a log may hold other runs, donors and warm-ups; the counts are those of the whole log."
	}
	m.f("Materialised semantic reuse takes a hit and a materialisation of more than 0, of one and the same request. %s The reading of the whole log, a hit and a materialisation anywhere, stands beside it.\n\n", whose)
	t := &table.Table{Head: []string{"engine", "log", ">requests", ">hits", ">materialisations", ">tokens", ">units", ">with both", ">of this run", "materialised semantic reuse", "whole-log reading", "suffix-only execution", ">errors", ">malformed"}}
	for i := range m.r.Evidence {
		e := &m.r.Evidence[i]
		x := &e.Summary
		suffix := "not shown"
		if e.Suffix {
			suffix = fmt.Sprintf("shown for %s", grouped(e.SuffixOnly(m.r.Run.Live != nil)))
		}
		t.Add(x.Engine, x.Log, grouped(x.Requests), grouped(x.SemanticHits), grouped(x.Materializations), grouped(x.MaterializedTokens), grouped(x.MaterializedUnits),
			grouped(x.MaterializedReuse), grouped(e.Own), reading(e), truth(&x.WholeLog), suffix, grouped(x.Errors), grouped(x.Malformed))
	}
	m.table("Evidence of each log", "by request, and as a whole", t)
}

func (m *markdown) placement() {
	p := m.r.Placement
	if p == nil {
		return
	}
	m.section("Placement")
	m.f("Where a gateway says that it sent warm requests. A placement is no materialisation: it does not say that an engine reused anything.\n\n")
	m.item("placed semantically", whole(&p.Semantic, "requests with a placement", "requests"))
	m.f("\n")
	t := &table.Table{Head: []string{"outcome", ">requests"}}
	for _, x := range p.Outcomes {
		t.Add(x.Name, grouped(x.N))
	}
	m.table("Outcomes", m.r.Claims.Placement, t)
	t = &table.Table{Head: []string{"endpoint", ">requests"}}
	for _, x := range p.Endpoints {
		t.Add(x.Name, grouped(x.N))
	}
	m.table("Endpoints", m.r.Claims.Placement, t)
}

func (m *markdown) quality() {
	q := m.r.Quality
	if q == nil {
		return
	}
	m.section("Outputs")
	m.item("against the answers, warm", fmt.Sprintf("passed with a recall of %s or more: %s", q.Threshold, whole(q.PassRate, "outputs", "outputs")))
	m.item("against the answers, cold", whole(q.ColdPass, "outputs", "outputs"))
	m.item("mean recall, token F1, ROUGE-L", fmt.Sprintf("%s, %s, %s", score(q.Score), score(q.F1), score(q.RougeL)))
	m.item("outputs without a word", grouped(q.Empty))
	if q.Truncated > 0 {
		m.item("outputs that were kept and compared in part", grouped(q.Truncated))
	}
	switch {
	case q.Mean == nil:
		m.item("warm against cold", "none: no clean pair has two outputs")
	case q.Floor == nil:
		m.item("warm against cold", fmt.Sprintf("ROUGE-L %s over %s pairs, which says nothing by itself: no noise floor is declared to judge it by", score(&q.Mean.Value), grouped(q.Pairs)))
	default:
		m.item("warm against cold", fmt.Sprintf("ROUGE-L %s (%s to %s) over %s pairs; two cold runs of one prompt give %s, so the drop is %s, and the excess over the floor's interval %s",
			score(&q.Mean.Value), score(&q.Mean.Low), score(&q.Mean.High), grouped(q.Pairs), q.Floor.Mean.Decimal(4), score(q.Drop), score(q.Excess)))
		m.item("noise floor", fmt.Sprintf("%s, %s pairs, %s", table.Cell(q.Floor.File), grouped(q.Floor.Pairs), table.Code(q.Floor.SHA256)))
	}
	m.f("\n")
}

func (m *markdown) supplementary() {
	s := &m.r.Supplementary
	m.section("Supplementary")
	m.f("Outside the metric contract.\n\n")
	m.item("aggregates", table.Cell(s.Estimators.Aggregate))
	if m.r.Paired != nil {
		m.item("percentiles", table.Cell(s.Estimators.Percentile))
		m.item("intervals", table.Cell(s.Estimators.Interval))
		m.item("server and declared tokenizer count other full blocks", whole(s.TokenSources, "warm requests", "requests"))
		m.item("speed-up by the engine's own times, median", speedup(s.EngineTTFT, s.Estimators.Confidence))
		m.item("median time in the engine's queue", fmt.Sprintf("cold %s, warm %s", milliseconds(s.QueueCold), milliseconds(s.QueueWarm)))
		m.item("resets that failed", grouped(s.ResetsFailed))
		m.item("donors that failed", grouped(s.DonorsFailed))
	}
	m.f("\n")
	for _, x := range []struct {
		title, head string
		rows        []result.Count
	}{
		{"What the backend attributes the reuse of warm requests to", "mechanism", s.Mechanisms},
		{"Requests that were not answered", "how they ended", s.Failures},
	} {
		t := &table.Table{Head: []string{x.head, ">requests"}}
		for _, c := range x.rows {
			t.Add(c.Name, grouped(c.N))
		}
		m.table(x.title, "supplementary", t)
	}
	t := &table.Table{Head: []string{"reason", ">actions"}}
	for _, x := range s.Invalid {
		t.Add(strings.ReplaceAll(x.Reason, "_", " "), grouped(x.N))
	}
	m.table("Copies of the plan that no donor could serve", "they count as not copied", t)
	t = &table.Table{Head: []string{"endpoint", "counter", ">increase", "remark"}}
	for _, x := range s.Counters {
		t.Add(x.URL, x.Name, optionalFloat(x.Delta), x.Why)
	}
	m.table("The engines' own counters while the pairs ran", "warm-up and donors included", t)
	if len(m.r.Earlier) > 0 {
		t := &table.Table{Head: []string{"generation", "what the next one declared otherwise", "before", "after"}}
		for _, e := range m.r.Earlier {
			for _, c := range e.Changed {
				t.Add(fmt.Sprint(e.Generation), c.Path, c.Old, c.New)
			}
		}
		m.table("Earlier generations", "from the lock", t)
	}
}
