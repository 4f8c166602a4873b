package report

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
)

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
	m.item("Fault Onset", onset(&r.Onset))
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
	if len(r.Targets) == 0 {
		m.item("targets", "none: no request left the process")
	}
	m.f("\n")
	if len(r.Targets) > 0 {
		tt := &table{head: []string{"target", "address", "confined"}}
		for _, x := range r.Targets {
			confined := "yes"
			if x.OptedIn {
				confined = optedIn
			}
			tt.add(x.Name, x.Address, confined)
		}
		m.table("Addresses that the harness talked to", "Confined are loopback, private and benchmarking ranges.", tt)
	}

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
	m.table("Indicators that the detector computes", "", it)
	for _, a := range d.Alerts {
		m.item("alert "+cell(a.Name), alert(a))
	}
	if p := d.Prometheus; p != nil {
		m.item("rules", fmt.Sprintf("%s, scraped every %s, evaluated every %s", cell(p.RulesFile), p.ScrapeInterval, p.EvaluationInterval))
	}
	if a := d.Manager; a != nil {
		m.item("notification", fmt.Sprintf("group_wait %s, group_interval %s, repeat_interval %s", a.GroupWait, a.GroupInterval, a.RepeatInterval))
	}
	m.readback()
	m.f("\n")

	m.section("5. Detection signal")
	m.item("signal", cell(r.Signal.Name))
	m.item("type", r.Signal.Type)
	m.item("emitted by", cell(r.Signal.Component))
	m.item("attributed to a fault where", code(r.Signal.Attribution))
	m.item("event time", "stamped by the "+r.Signal.EventClock)
	m.f("\n")

	m.clocks()

	m.section("7. Response caching")
	m.item("approach", r.Caching.Approach)
	m.item("proof", cell(r.Caching.Proof))
	m.f("\n")
}

// onset says who stamps Fault Onset and how finely.
func onset(o *measure.Onset) string {
	if o.Source == "" {
		return "who stamps it is not on record"
	}
	resolution := span(o.ResolutionS)
	if o.ResolutionS < 1e-3 {
		resolution = significant(o.ResolutionS*1e9, digits) + " ns"
	}
	return fmt.Sprintf("stamped by the %s, with a resolution of %s", cell(o.Source), resolution)
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
	m.item("host that stamps Fault Onset", cell(k.Apparatus))
	m.item("host that stamps the Detection Event", cell(k.Detector))
	if k.Method != "" {
		m.item("offset measured by", fmt.Sprintf("%s, %s", cell(k.Method), plural(k.Probes, "probe")))
	}
	if k.MaxOffset != nil {
		m.item("largest offset", significant(*k.MaxOffset, digits)+" s")
	}
	if ok := k.OnePercent; ok != nil {
		m.item("below one percent of the smallest latency", map[bool]string{true: "yes", false: "no: the offset stands as an error bound on every latency"}[*ok])
	}
	m.f("\n%s\n\n", k.Note)
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
