package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/report/table"
)

// setup writes sections 3 to 7: topology, detector, signal, clocks, caching.
func (m *markdown) setup() {
	r := m.r
	t := &r.Topology
	m.section("3. Topology and faults")
	m.item("environment", table.Cell(t.Environment)+" ("+t.Kind+")")
	m.item("System Under Test boundary", t.SUTBoundary)
	m.item("path of a response", table.Cell(strings.Join(t.Path, " → ")))
	m.item("Fault Injection Point", table.Cell(t.InjectionPoint))
	m.item("Observation Point", table.Cell(t.ObservationPoint))
	m.item("relative position", positions[t.Position])
	m.item("apparatus", fmt.Sprintf("%s (%s), sampling %s, achieved magnitude verified by the method %q",
		table.Cell(r.Apparatus.Name), r.Apparatus.Kind, r.Apparatus.Sampling, r.Apparatus.Verify))
	m.item("Fault Onset", onset(&r.Onset))
	for _, fc := range r.FaultClasses {
		how := ""
		switch {
		case fc.Transform != "":
			how = ", responses changed by " + table.Cell(fc.Transform)
		case fc.Replace != "":
			how = ", responses replaced from " + table.Cell(fc.Replace)
		}
		m.item("fault class "+table.Cell(fc.Name), fmt.Sprintf("moves %s %s%s", table.Cell(fc.Indicator), fc.Direction, how))
	}
	if len(r.Targets) == 0 {
		m.item("targets", "none: no request left the process")
	}
	m.f("\n")
	if len(r.Targets) > 0 {
		tt := &table.Table{Head: []string{"target", "address", "confined"}}
		for _, x := range r.Targets {
			confined := "yes"
			if x.OptedIn {
				confined = optedIn
			}
			tt.Add(x.Name, x.Address, confined)
		}
		m.table("Addresses that the harness talked to", "Confined are loopback, private and benchmarking ranges.", tt)
	}

	d := &r.Detector
	m.section("4. Detector under test")
	m.f("%s, kind %s, version %s.\n\n", table.Cell(d.Name), d.Kind, orNone(table.Cell(d.Version)))
	it := &table.Table{Head: []string{"indicator", "unit", "method", "window", "sampling", "judge"}}
	for _, di := range d.Indicators {
		ind := indicator(r, di.Indicator)
		judge := "none"
		if di.JudgeModel != "" {
			judge = di.JudgeModel + " " + di.JudgeVersion
		}
		it.Add(di.Label, unitWords(ind), method(ind), window(di.Window), di.Sampling.String(), judge)
	}
	m.table("Indicators that the detector computes", "", it)
	if d.Evaluate > 0 {
		m.item("evaluated", "every "+d.Evaluate.String())
	}
	m.item("windows", d.Windows)
	if d.Adaptive {
		m.item("adaptive", "yes, it learns while it runs")
	}
	for _, a := range d.Alerts {
		m.item("alert "+table.Cell(a.Name), alert(a))
	}
	if p := d.Prometheus; p != nil {
		m.prometheus(p)
	}
	if a := d.Manager; a != nil {
		m.item("notification", fmt.Sprintf("group_by [%s], group_wait %s, group_interval %s, repeat_interval %s, send_resolved %t",
			table.Cell(strings.Join(a.GroupBy, ", ")), a.GroupWait, a.GroupInterval, a.RepeatInterval, a.SendResolved)+
			set("maintenance", a.Maintenance, a.Maintenance > 0)+set("cleanup", a.Cleanup, a.Cleanup > 0))
	}
	m.readback()
	m.item("not taken in", table.Cell(missedWords(r)))
	m.f("\n")

	m.section("5. Detection signal")
	m.item("signal", table.Cell(r.Signal.Name))
	m.item("type", r.Signal.Type)
	m.item("emitted by", table.Cell(r.Signal.Component))
	m.item("attributed to a fault where", table.Code(r.Signal.Attribution))
	m.item("event time", "stamped by the "+r.Signal.EventClock)
	m.f("\n")

	m.clocks()

	m.section("7. Response caching")
	m.item("approach", r.Caching.Approach)
	m.item("proof", table.Cell(r.Caching.Proof))
	m.f("\n")
}

// onset says who stamps Fault Onset and how finely.
func onset(o *measure.Onset) string {
	if o.Source == "" {
		return "who stamps it is not on record"
	}
	resolution := figure.Span(o.ResolutionS)
	if o.ResolutionS < 1e-3 {
		resolution = figure.Significant(o.ResolutionS*1e9, figure.Digits) + " ns"
	}
	return fmt.Sprintf("stamped by the %s, with a resolution of %s", table.Cell(o.Source), resolution)
}

// readback says what the environment said of itself, and how often. A part
// that cannot be read back is attested instead.
func (m *markdown) readback() {
	b := &m.r.Readback
	if b.Readings == 0 {
		m.item("read back", "never: nothing shows that the configuration stayed as it was")
		return
	}
	for _, x := range []struct {
		what   string
		digest *string
	}{{"detector configuration", b.Detector}, {"serving configuration", b.Serving}, {"request population", b.Population}} {
		if x.digest == nil {
			m.item(x.what, "cannot be read back; that it stayed as it was is attested, not verified")
		} else {
			m.item(x.what+" as read back", "`"+*x.digest+"`")
		}
	}
	m.item("readings", fmt.Sprintf("%s, and %s between them", grouped(int64(b.Readings)), plural(b.Changes, "change")))
}

// clocks is section 6.
func (m *markdown) clocks() {
	k := &m.r.Clocks
	m.section("6. Clocks")
	m.item("arrangement", k.Arrangement)
	m.item("host that stamps Fault Onset", table.Cell(k.Apparatus))
	m.item("host that stamps the Detection Event", table.Cell(k.Detector))
	if k.Method != "" {
		m.item("offset measured by", fmt.Sprintf("%s, %s", table.Cell(k.Method), plural(k.Probes, "probe")))
	}
	if k.MaxOffset != nil {
		m.item("largest offset", figure.Significant(*k.MaxOffset, figure.Digits)+" s")
	}
	if k.Poll != nil {
		m.item("by how much a signal may be received late, since the detector is asked at intervals", figure.Significant(*k.Poll, figure.Digits)+" s")
	}
	if k.Span != nil {
		m.item("by how much a fault may have come into force earlier than its onset, since a call applies it", figure.Significant(*k.Span, figure.Digits)+" s")
	}
	if ok := k.OnePercent; ok != nil {
		m.item("below one percent of the smallest latency", map[bool]string{true: "yes", false: "no: " + boundWords(k) + " stands as an error bound on every latency"}[*ok])
	}
	m.f("\n%s\n\n", k.Note)
}

// boundWords names what the error bound of a latency is made of (AMB-14).
func boundWords(k *measure.Clocks) string {
	var parts []string
	if k.MaxOffset != nil || k.Poll == nil && k.Span == nil {
		parts = append(parts, "the offset")
	}
	if k.Poll != nil {
		parts = append(parts, "the detector's period")
	}
	if k.Span != nil {
		parts = append(parts, "the length of the apply call")
	}
	switch len(parts) {
	case 1:
		return parts[0]
	case 2:
		return "the sum of " + parts[0] + " and " + parts[1]
	}
	return "the sum of " + parts[0] + ", " + parts[1] + " and " + parts[2]
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

// alert spells out every setting of an alerting rule: two that differ in one of
// them are two detectors (FD-3.2-8, FD-6-2).
func alert(a plan.Alert) string {
	if a.Expr != "" {
		return table.Code(a.Expr) + set("for", a.For, a.For > 0) + set("keep_firing_for", a.KeepFiring, a.KeepFiring > 0)
	}
	s := table.Cell(a.Indicator)
	if a.Comparator != "" {
		s += " " + strings.ReplaceAll(a.Comparator, "_", " ")
	}
	if a.Threshold != nil {
		s += " " + a.Threshold.String()
	}
	for _, x := range []struct {
		name  string
		value *exact.Number
	}{{"lambda", a.Lambda}, {"limit", a.Limit}, {"reference", a.Reference}, {"decision", a.Decision}, {"center", a.Center}, {"sd", a.SD}} {
		if x.value != nil {
			s += set(x.name, x.value, true)
		}
	}
	return s + set("up", whole(a.Up), a.Up != 0) + set("down", whole(a.Down), a.Down != 0) + set("learn", whole(a.Learn), a.Learn != 0) +
		set("sides", words(a.Sides), a.Sides != "") + set("reset_on_alarm", words(strconv.FormatBool(a.Reset)), a.Decision != nil || a.Reset) +
		set("min_responses", whole(a.MinResponses), a.MinResponses != 0) + set("for", a.For, a.For > 0) + set("keep_firing_for", a.KeepFiring, a.KeepFiring > 0)
}

// set is a setting with its name as a scenario has it, "" where it has none.
func set(name string, value fmt.Stringer, has bool) string {
	if !has {
		return ""
	}
	return ", " + name + " " + value.String()
}

type (
	whole int64
	words string
)

func (n whole) String() string { return strconv.FormatInt(int64(n), 10) }
func (s words) String() string { return table.Cell(string(s)) }

// prometheus spells out what a rule file is evaluated on, and the file.
func (m *markdown) prometheus(p *plan.Prometheus) {
	m.item("rules", fmt.Sprintf("%s, scraped every %s, evaluated every %s", table.Cell(p.RulesFile), p.ScrapeInterval, p.EvaluationInterval)+
		set("total", words(p.Total), p.Total != "")+set("job", words(p.Job), p.Job != "")+set("instance", words(p.Instance), p.Instance != "")+
		set("labels", words(labels(p.Labels)), len(p.Labels) > 0)+
		set("scrape_failures", p.ScrapeFailures, p.ScrapeFailures.Sign() != 0)+set("counter_resets", p.CounterResets, p.CounterResets > 0))
	if p.Rules == "" {
		return
	}
	fence := "~~~"
	for strings.Contains(p.Rules, fence) {
		fence += "~"
	}
	m.f("\n%syaml\n%s\n%s\n\n", fence, strings.TrimRight(p.Rules, "\n"), fence)
}

func labels(m map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+"="+m[name])
	}
	return strings.Join(parts, " ")
}

func orNone(s string) string {
	if s == "" {
		return "not stated"
	}
	return s
}
