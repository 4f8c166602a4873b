package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// Markdown is the full report.
func Markdown(r *measure.Result) []byte {
	m := &markdown{r: r}
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
	m.footer()
	return []byte(m.b.String())
}

type markdown struct {
	r *measure.Result
	b strings.Builder
}

func (m *markdown) f(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

func (m *markdown) table(t *table) { t.markdown(&m.b) }

func (m *markdown) section(title string) { m.f("## %s\n\n", title) }

func (m *markdown) item(name, value string) {
	if value != "" {
		m.f("- %s: %s\n", name, value)
	}
}

func (m *markdown) conformance() {
	r, c := m.r, &m.r.Conformance
	m.f("# %s: fault detection, %s\n\n", cell(r.Series), heading(r))
	m.f("%s\n\n", sentence(r))
	if s := incomplete(r); s != "" {
		m.f("**%s**\n\n", s)
	}
	m.section("1. What this is")
	m.item("status", heading(r))
	m.item("methodology", c.Methodology)
	m.item("time", c.Time)
	m.item("plan", "`"+r.PlanDigest+"`")
	generation := fmt.Sprint(r.Generation)
	if r.Generation > 1 {
		generation += fmt.Sprintf(" of this series: %s before it", plural(r.Generation-1, "generation"))
	}
	m.item("generation", generation)
	for _, g := range r.Earlier {
		m.item(fmt.Sprintf("what generation %d changed", g.Generation+1), cell(changes(g)))
	}
	if r.Exploratory {
		m.item("exploratory", "run without the lock, so nothing shows that the declaration was not changed in between")
	}
	if len(c.Reductions) == 0 {
		m.item("reductions", "none")
	}
	for _, x := range c.Reductions {
		m.item("reduced", cell(reduction(x)))
	}
	if len(c.Deviations) == 0 {
		m.item("deviations", "none")
	}
	for _, x := range c.Deviations {
		m.item("deviation from "+x.Rule, cell(x.Because))
	}
	for _, x := range c.Attested {
		m.item("attested by "+cell(x.By)+", not verified", cell(x.Subject)+": "+cell(x.Statement))
	}
	if len(c.Violations) == 0 {
		m.item("violations", "none")
	}
	m.f("\n")
	if len(c.Violations) > 0 {
		m.f("Requirements that this run breaks:\n\n")
		t := &table{head: []string{"requirement", "what happened"}}
		for _, v := range c.Violations {
			t.add(v.Rule, v.Detail)
		}
		m.table(t)
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
	t := &table{head: []string{"key", "value", "SHA-256"}}
	short := func(k measure.Key) string { return strings.TrimPrefix(k.SHA256, "sha256:")[:16] + "…" }
	d := &m.r.Detector
	t.add("observation point", m.r.Topology.ObservationPoint, short(c.ObservationPoint))
	t.add("detector configuration", "section 4", short(c.DetectorConfiguration))
	t.add("serving configuration", serving(c.ServingConfiguration.Value), short(c.ServingConfiguration))
	t.add("request population", population(c.RequestPopulation.Value), short(c.RequestPopulation))
	t.add("offered load", offered(c.OfferedLoad.Value), short(c.OfferedLoad))
	m.table(t)
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

// setup writes sections 3 to 7: topology, detector, signal, clocks, caching.
func (m *markdown) setup() {
	r := m.r
	t := &r.Topology
	m.section("3. Topology and faults")
	m.item("environment", cell(t.Environment)+" ("+t.Kind+")")
	m.item("System Under Test boundary", t.SUTBoundary)
	m.item("path of a response", cell(strings.Join(t.Path, " → ")))
	m.item("Fault Injection Point", cell(t.InjectionPoint))
	m.item("Observation Point", cell(t.ObservationPoint))
	m.item("relative position", positions[t.Position])
	m.item("apparatus", fmt.Sprintf("%s (%s), sampling %s, achieved magnitude verified by the method %q",
		cell(r.Apparatus.Name), r.Apparatus.Kind, r.Apparatus.Sampling, r.Apparatus.Verify))
	for _, fc := range r.FaultClasses {
		how := ""
		switch {
		case fc.Transform != "":
			how = ", responses changed by " + cell(fc.Transform)
		case fc.Replace != "":
			how = ", responses replaced from " + cell(fc.Replace)
		}
		m.item("fault class "+cell(fc.Name), fmt.Sprintf("moves %s %s%s", cell(fc.Indicator), fc.Direction, how))
	}
	m.f("\n")

	d := &r.Detector
	m.section("4. Detector under test")
	m.f("%s, kind %s, version %s.\n\n", cell(d.Name), d.Kind, orNone(cell(d.Version)))
	it := &table{head: []string{"indicator", "unit", "method", "window", "sampling", "judge"}}
	for _, di := range d.Indicators {
		ind := indicator(r, di.Indicator)
		judge := "none"
		if di.JudgeModel != "" {
			judge = di.JudgeModel + " " + di.JudgeVersion
		}
		it.add(di.Label, unitWords(ind), method(ind), window(di.Window), di.Sampling.String(), judge)
	}
	m.table(it)
	for _, a := range d.Alerts {
		m.item("alert "+cell(a.Name), alert(a))
	}
	if p := d.Prometheus; p != nil {
		m.item("rules", fmt.Sprintf("%s, scraped every %s, evaluated every %s", cell(p.RulesFile), p.ScrapeInterval, p.EvaluationInterval))
	}
	if a := d.Manager; a != nil {
		m.item("notification", fmt.Sprintf("group_wait %s, group_interval %s, repeat_interval %s", a.GroupWait, a.GroupInterval, a.RepeatInterval))
	}
	m.f("\n")

	m.section("5. Detection signal")
	m.item("signal", cell(r.Signal.Name))
	m.item("type", r.Signal.Type)
	m.item("emitted by", cell(r.Signal.Component))
	m.item("attributed to a fault where", code(r.Signal.Attribution))
	m.item("event time", "stamped by the "+r.Signal.EventClock)
	m.f("\n")

	m.section("6. Clocks")
	m.item("arrangement", r.Clocks.Arrangement)
	if r.Clocks.MaxOffset != nil {
		m.item("largest offset", secs(*r.Clocks.MaxOffset)+" s")
	}
	if ok := r.Clocks.OnePercent; ok != nil {
		m.item("below one percent of the smallest latency", map[bool]string{true: "yes", false: "no: the offset stands as an error bound on every latency"}[*ok])
	}
	m.f("\n%s\n\n", r.Clocks.Note)

	m.section("7. Response caching")
	m.item("approach", r.Caching.Approach)
	m.item("proof", cell(r.Caching.Proof))
	m.f("\n")
}

var positions = map[string]string{
	"same":           "the two points are the same",
	"fip_upstream":   "faults are injected upstream of the Observation Point",
	"fip_downstream": "faults are injected downstream of the Observation Point, where the detector cannot observe them; only Boundary Masking is measured",
}

func indicator(r *measure.Result, name string) plan.Indicator {
	for _, ind := range r.Indicators {
		if ind.Name == name {
			return ind
		}
	}
	return plan.Indicator{Name: name}
}

func method(ind plan.Indicator) string {
	if ind.Scorer != "" {
		return ind.Scorer
	}
	return ind.Predicate
}

func window(w plan.Window) string {
	if w.Requests > 0 {
		return fmt.Sprintf("%d requests", w.Requests)
	}
	return w.Duration.String()
}

func alert(a plan.Alert) string {
	if a.Expr != "" {
		s := code(a.Expr)
		if a.For > 0 {
			s += " for " + a.For.String()
		}
		return s
	}
	s := cell(a.Indicator) + " " + strings.ReplaceAll(a.Comparator, "_", " ")
	for _, x := range []struct {
		name  string
		value fmt.Stringer
		set   bool
	}{
		{"", a.Threshold, a.Threshold != nil}, {"lambda", a.Lambda, a.Lambda != nil}, {"limit", a.Limit, a.Limit != nil},
		{"reference", a.Reference, a.Reference != nil}, {"decision", a.Decision, a.Decision != nil},
		{"for", a.For, a.For > 0}, {"keep firing for", a.KeepFiring, a.KeepFiring > 0},
	} {
		if x.set {
			s += strings.TrimRight(" "+x.name, " ") + " " + x.value.String()
		}
	}
	return strings.Join(strings.Fields(s), " ")
}

func orNone(s string) string {
	if s == "" {
		return "not stated"
	}
	return s
}
