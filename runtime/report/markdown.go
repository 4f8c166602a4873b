package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/prose"
	"github.com/fdbench/fdbench/runtime/report/table"
)

// Markdown is the full report.
func (p *Report) Markdown() []byte {
	m := &markdown{r: p.r}
	m.top()
	m.conformance()
	m.comparability()
	m.setup()
	m.baseline()
	m.quiet()
	m.latency()
	m.coverage()
	m.threshold()
	m.falseDetection()
	m.masking()
	m.supplementary()
	m.traffic()
	m.footer()
	return []byte(prose.Printable(m.b.String()))
}

type markdown struct {
	r      *measure.Result
	b      strings.Builder
	tables int
}

func (m *markdown) f(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

// table writes a table under a caption that says what the result may be called
// (FD-1.2-9), at which load and over how many trials. The title is a plain
// text; the sentences behind it are Markdown.
func (m *markdown) table(title, sentences string, t *table.Table) {
	m.tables++
	m.f("**Table %d. %s** (%s).", m.tables, table.Cell(title), heading(m.r))
	if sentences != "" {
		m.f(" %s", sentences)
	}
	m.f("\n\n")
	t.Markdown(&m.b)
}

func (m *markdown) section(title string) { m.f("## %s\n\n", title) }

func (m *markdown) item(name, value string) {
	if value != "" {
		m.f("- %s: %s\n", name, value)
	}
}

// top says what the figures may be called before any of them.
func (m *markdown) top() {
	r := m.r
	m.f("# %s: fault detection, %s\n\n", table.Cell(r.Series), heading(r))
	m.f("%s\n\n", sentence(r))
	if len(r.Conformance.Reductions) > 0 {
		m.f("Reduced against a full series:\n\n")
		for _, x := range r.Conformance.Reductions {
			m.f("- %s\n", table.Cell(Reduction(x)))
		}
		m.item("reason, in the author's words", table.Cell(r.Conformance.ReducedReason))
		m.f("\n")
	}
	if s := incomplete(r); s != "" {
		m.f("**%s**\n\n", s)
	}
	if r.Exploratory {
		m.f("**%s**\n\n", exploratory)
	}
	for _, x := range r.Targets {
		if x.OptedIn {
			m.f("**The harness talked to %s at %s: %s.**\n\n", table.Cell(x.Name), table.Cell(x.Address), optedIn)
		}
	}
}

func (m *markdown) conformance() {
	r, c := m.r, &m.r.Conformance
	m.section("1. What this is")
	m.item("status", heading(r))
	m.item("methodology", c.Methodology)
	m.item("time", c.Time)
	m.item("plan", "`"+r.PlanDigest+"`")
	generation := fmt.Sprint(r.Generation)
	if r.Generation == 0 {
		generation = "none, since no lock was kept"
	}
	if r.Generation > 1 {
		generation += fmt.Sprintf(" of this series: %s before it", plural(r.Generation-1, "generation"))
	}
	m.item("generation", generation)
	for _, g := range r.Earlier {
		m.item(fmt.Sprintf("what generation %d changed", g.Generation+1), table.Cell(changes(g)))
	}
	if len(c.Reductions) == 0 {
		m.item("reductions", "none")
	}
	for _, x := range c.Reductions {
		m.item("reduced", table.Cell(Reduction(x)))
	}
	m.item("reason of the reductions", table.Cell(c.ReducedReason))
	if len(c.Deviations) == 0 {
		m.item("deviations", "none")
	}
	for _, x := range c.Deviations {
		m.item("deviation from "+x.Rule, table.Cell(x.Because))
	}
	if len(c.Violations) == 0 {
		m.item("violations", "none that the compiler or the journal shows")
	}
	m.f("\n")
	if len(c.Violations) > 0 {
		t := &table.Table{Head: []string{"requirement", "what it asks", "what happened", "what came of it"}}
		for _, v := range c.Violations {
			t.Add(v.Rule, asks(v.Rule), v.Detail, effect(v))
		}
		m.table("Requirements that this run breaks", "", t)
	}
	if len(c.Attested) > 0 {
		t := &table.Table{Head: []string{"requirement", "by", "statement"}}
		for _, x := range c.Attested {
			t.Add(subject(x), x.By, x.Statement)
		}
		m.table("Attested, not verified", "Nobody but those who state it answers for these; no program can decide them.", t)
	}
}

// changes says what was declared otherwise in a generation, and how the next
// one has it.
func changes(g journal.Generation) string {
	if len(g.Changed) == 0 {
		return "nothing that was declared"
	}
	var parts []string
	for _, c := range g.Changed {
		parts = append(parts, fmt.Sprintf("%s was %s and became %s", c.Path, value(c.Old), value(c.New)))
	}
	return strings.Join(parts, "; ")
}

// value is a declared value in a sentence: its first line, shortened.
func value(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if r := []rune(line); len(r) > 60 {
		line, more = string(r[:60]), true
	}
	if more {
		line += "…"
	}
	if line == "" {
		return "absent"
	}
	return line
}

func (m *markdown) comparability() {
	m.section("2. Comparability")
	m.f("Two results may be compared only where all five of these are the same.\n\n")
	c := &m.r.Comparability
	t := &table.Table{Head: []string{"key", "value", "SHA-256"}}
	short := func(k measure.Key) string { return strings.TrimPrefix(k.SHA256, "sha256:")[:16] + "…" }
	d := &m.r.Detector
	t.Add("observation point", m.r.Topology.ObservationPoint, short(c.ObservationPoint))
	t.Add("detector configuration", "section 4", short(c.DetectorConfiguration))
	t.Add("serving configuration", serving(c.ServingConfiguration.Value), short(c.ServingConfiguration))
	t.Add("request population", population(c.RequestPopulation.Value), short(c.RequestPopulation))
	t.Add("offered load", offered(c.OfferedLoad.Value), short(c.OfferedLoad))
	m.table("The five comparability keys", "", t)
	if d.Adaptive {
		m.f("The detector learns while it runs, so its figures depend on the state that it had reached.\n\n")
	}
}

func serving(raw json.RawMessage) string {
	var v struct {
		Serving     plan.Serving     `json:"serving"`
		SUTBoundary string           `json:"sut_boundary"`
		Guardrails  []plan.Guardrail `json:"guardrails"`
	}
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	s := fmt.Sprintf("%s, %s", v.Serving.Name, v.Serving.Kind)
	if v.Serving.Model != "" {
		s += ", model " + v.Serving.Model
	}
	if v.Serving.Rows > 0 {
		s += fmt.Sprintf(", %d responses of %s", v.Serving.Rows, v.Serving.Responses)
	}
	if v.Serving.Configuration != "{}" {
		s += ", configured as " + v.Serving.Configuration
	}
	for _, g := range v.Guardrails {
		s += fmt.Sprintf(", guardrail at %s masks %s", g.Place, g.Masks)
	}
	return s
}

func population(raw json.RawMessage) string {
	var p plan.Population
	if json.Unmarshal(raw, &p) != nil {
		return ""
	}
	from := p.Generator
	if p.Source != "" {
		from = p.Source
	}
	s := fmt.Sprintf("%s: %s", p.Name, from)
	if p.Size > 0 {
		s += fmt.Sprintf(", %d prompts", p.Size)
	}
	return s + fmt.Sprintf(", salt %s, %s", p.Salt, p.Provenance)
}

func offered(raw json.RawMessage) string {
	var v struct {
		Points   []string `json:"points"`
		Arrivals string   `json:"arrivals"`
	}
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return strings.Join(v.Points, ", ") + "; arrivals " + v.Arrivals
}
