package compare

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
)

// The requirements that are decided here. Each has a rule in Rules.
const (
	ruleKeys         = "FD-1.2-3"
	ruleDiffers      = "FD-1.2-4"
	ruleOrganisation = "FD-1.2-6"
	ruleReduced      = "FD-1.2-10"
	ruleSeries       = "FD-3.2-3"
)

// refusals lists every reason why two results are not compared: first what
// they are, then what they were measured with.
func refusals(c *Comparison, a, b Input) []Refusal {
	d := &decision{c: c, a: a.Result, b: b.Result, out: []Refusal{}}
	d.methodology()
	d.reportable(a)
	d.reportable(b)
	d.contradiction()
	d.each(d.fit)
	d.alike()
	d.environment()
	d.keys()
	return d.out
}

type decision struct {
	c    *Comparison
	a, b *measure.Result
	out  []Refusal
	// barred tells that something is refused that no study lifts.
	barred bool
}

func (d *decision) add(r Refusal) {
	if r.Differences == nil {
		r.Differences = []Difference{}
	}
	d.out = append(d.out, r)
}

func (d *decision) each(f func(name string, r *measure.Result)) {
	f(d.c.A.Name, d.a)
	f(d.c.B.Name, d.b)
}

func (d *decision) methodology() {
	if x, y := d.a.Conformance.Methodology, d.b.Conformance.Methodology; x != y {
		d.add(Refusal{Reason: ReasonMethodology,
			Summary:     fmt.Sprintf("they follow different methodologies: %s and %s", orNone(x), orNone(y)),
			Why:         "Figures of two methodologies have no quantity in common.",
			Remedy:      "Compare results of one methodology.",
			Differences: []Difference{value("methodology", x, y)}})
	}
}

// reportable refuses a bare result of which no report may be made: what may not
// be printed alone may not be printed beside something else either.
func (d *decision) reportable(in Input) {
	if len(in.Omissions) == 0 {
		return
	}
	const shown = 3
	var parts []string
	for i, o := range in.Omissions {
		if i == shown {
			parts = append(parts, fmt.Sprintf("and %d more", len(in.Omissions)-shown))
			break
		}
		parts = append(parts, o.String())
	}
	d.add(Refusal{Reason: ReasonUnreportable,
		Summary: in.Name + " leaves out or misstates what has to be reported: " + strings.Join(parts, "; "),
		Why:     "Figures that must not be reported without something do not stand in a comparison without it.",
		Remedy:  "Name the folder of the run: its figures are recomputed there."})
}

// contradiction refuses two results of one journal that are not the same: a
// journal gives one result.
func (d *decision) contradiction() {
	if d.c.SameRun && !bytes.Equal(measure.Encode(d.a), measure.Encode(d.b)) {
		d.add(Refusal{Reason: ReasonContradiction,
			Summary: "both name the same journal, and they are not the same result",
			Why:     "A journal gives one result, so at least one of the two was edited, or made by another version of this program.",
			Remedy:  "Name the folders of the runs: their figures are recomputed there."})
	}
}

// fit asks of each result what it needs for any comparison.
func (d *decision) fit(name string, r *measure.Result) {
	f := &r.Conformance
	if r.Exploratory {
		d.add(Refusal{Reason: ReasonExploratory,
			Summary: name + " is exploratory",
			Why:     "It was run without the scenario's lock, so nothing shows that its declaration was not chosen after its figures were seen.",
			Remedy:  "Run it again without --explore."})
	}
	broken := breaking(f.Violations)
	switch {
	case !f.Complete:
		d.add(Refusal{Reason: ReasonIncomplete,
			Summary: name + " is incomplete",
			Why:     "It did not do all that its plan asks for, so its rows count less than they say.",
			Remedy:  "Run the same command again to complete it; where it came to its end, its report says what is missing."})
	case len(broken) > 0:
		d.add(Refusal{Reason: ReasonNonconformant,
			Summary: fmt.Sprintf("%s breaks %s", name, strings.Join(broken, ", ")),
			Why:     "A value that was not measured by the procedures is not the quantity that it is named after.",
			Remedy:  "\"fdbench report\" says what happened. Run it again once that is mended."})
	case f.Status == measure.StatusNonconform:
		d.add(Refusal{Reason: ReasonNonconformant,
			Summary: name + " is nonconformant",
			Why:     "A value that was not measured by the procedures is not the quantity that it is named after.",
			Remedy:  "\"fdbench report\" says what happened. Run it again once that is mended."})
	}
	if simulated := f.Status == measure.StatusSimulated; f.Status != measure.StatusNonconform && simulated != (f.Time != "real") {
		d.add(Refusal{Rule: ruleReduced, Reason: ReasonStatus,
			Summary: fmt.Sprintf("%s calls itself %s and ran in %s time", name, f.Status, orNone(f.Time)),
			Why:     "A series in virtual time is simulated, and never passed on as a result under the methodology.",
			Remedy:  "Name the folder of the run: its status is recomputed there."})
	}
	if len(f.Reductions) > 0 && (f.Status == measure.StatusConformant || f.Status == measure.StatusErrorBound) {
		d.add(Refusal{Rule: ruleReduced, Reason: ReasonReduced,
			Summary: fmt.Sprintf("%s calls itself %s and lists reductions", name, f.Status),
			Why:     "A reduced series is never passed on as a result under the methodology.",
			Remedy:  "Name the folder of the run: its status is recomputed there."})
	}
}

// breaking lists the rules whose violations leave no result. One that
// discarded a trial, which was repeated, or that withheld a value does not.
func breaking(list []measure.Violation) []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range list {
		switch spec.Effect(v.Effect) {
		case spec.Discards, spec.Withholds, spec.Warns:
			continue
		}
		if !seen[v.Rule] {
			seen[v.Rule] = true
			out = append(out, v.Rule)
		}
	}
	return out
}

// alike asks that both are of one kind.
func (d *decision) alike() {
	x, y := len(d.a.Conformance.Reductions), len(d.b.Conformance.Reductions)
	if (x > 0) != (y > 0) {
		reduced, full := d.c.A.Name, d.c.B.Name
		if y > 0 {
			reduced, full = full, reduced
		}
		d.add(Refusal{Rule: ruleReduced, Reason: ReasonReduced,
			Summary: fmt.Sprintf("%s is a reduced series and %s is not", reduced, full),
			Why:     "Beside a full series, a reduced one would pass for a result under the methodology. It is for screening.",
			Remedy:  fmt.Sprintf("Compare %s with another reduced series, or run it in full: without its reduced block.", reduced)})
	}
}

// environment asks that both come from one environment of one organisation.
func (d *decision) environment() {
	var diff []Difference
	add := func(path, x, y string) {
		if x != y {
			diff = append(diff, value(path, x, y))
		}
	}
	add("organisation", organisation(d.a), organisation(d.b))
	add("environment", d.c.A.Environment, d.c.B.Environment)
	if len(diff) > 0 {
		what := diff[0].Path
		d.add(Refusal{Rule: ruleOrganisation, Reason: ReasonEnvironment, Differences: diff,
			Summary: "they come from different " + what + "s",
			Why:     "A value carries no meaning outside of the environment that it was measured in, and ranks nobody across organisations. No study lifts that.",
			Remedy:  "Compare results of one environment. Where it is the same one, give it one name in both scenarios."})
	}
	if x, y := d.a.Conformance.Time, d.b.Conformance.Time; x != y {
		d.add(Refusal{Rule: ruleOrganisation, Reason: ReasonTime, Differences: []Difference{value("time", x, y)},
			Summary: "one ran in virtual time and the other in real time",
			Why:     "The model of a deployment is another environment than the deployment, and a value carries no meaning outside of its own.",
			Remedy:  "Compare two simulated series, or two that were measured."})
	}
}

// keys decides about the five keys.
func (d *decision) keys() {
	d.each(func(name string, r *measure.Result) {
		for _, key := range Factors {
			if f := fault(keyOf(r, key)); f != "" {
				d.add(Refusal{Rule: ruleKeys, Reason: ReasonKeyMissing, Key: key,
					Summary: fmt.Sprintf("the %s of %s %s", words(key), name, f),
					Why:     "Whether two results are comparable shows in all five keys, and without one of them it does not show.",
					Remedy:  "Name the folder of the run: its keys are recomputed there."})
			}
		}
	})
	if d.missing() {
		return
	}
	d.barred = len(d.out) > 0
	changed := false
	for _, k := range d.c.Keys {
		if k.Same {
			continue
		}
		if k.Name == d.c.Study {
			changed = true
		} else {
			d.differs(k)
		}
		if k.Name == DetectorConfiguration {
			d.series(k)
		}
	}
	if d.c.Study != "" && !changed {
		d.add(Refusal{Rule: ruleDiffers, Reason: ReasonNoChange, Key: d.c.Study,
			Summary: fmt.Sprintf("the %s is the same in both, so there is no change to study", words(d.c.Study)),
			Why:     "A study allows the key that it names to differ, and no other.",
			Remedy:  "Compare without --study, or name the key that differs."})
	}
}

func (d *decision) missing() bool {
	for _, r := range d.out {
		if r.Reason == ReasonKeyMissing {
			return true
		}
	}
	return false
}

func (d *decision) differs(k Key) {
	r := Refusal{Rule: ruleDiffers, Reason: ReasonKeyDiffers, Key: k.Name, Differences: k.Differences,
		Summary: fmt.Sprintf("the %s differs", words(k.Name)),
		Why:     "Results are not compared where any of the five keys differs: one could not say what a difference between the values comes from.",
		Remedy:  fmt.Sprintf("Measure both with the same %s. %s", words(k.Name), d.study(k))}
	if d.c.Study != "" {
		r.Summary += fmt.Sprintf(", and the study is of the %s alone", words(d.c.Study))
		r.Remedy = fmt.Sprintf("Measure again with the %s of the other one, so that the %s is all that differs.", words(k.Name), words(d.c.Study))
	}
	d.add(r)
}

// study says how a change of a key can be described: by a command only where
// it would not be refused in its turn.
func (d *decision) study(k Key) string {
	differing := 0
	for _, other := range d.c.Keys {
		if !other.Same {
			differing++
		}
	}
	switch {
	case d.barred:
		return "A study of it would be refused as well, for what else stands here."
	case differing > 1:
		return fmt.Sprintf("A study is of one of the five, with the other four the same, and here %d differ.", differing)
	case k.Name == DetectorConfiguration && d.oneSeries() && !onlySignal(k):
		return fmt.Sprintf("To describe what a change of it does, run the changed detector with --new-series or under another series name, and compare with --study %s.", k.Name)
	}
	return fmt.Sprintf("To describe what a change of it does, with the other four keys the same: --study %s.", k.Name)
}

// oneSeries tells whether both are called the same generation of one series.
func (d *decision) oneSeries() bool {
	return d.a.Series == d.b.Series && d.a.Generation == d.b.Generation
}

// onlySignal tells whether two detectors differ in the declared signal alone,
// which is another measure of the same detector.
func onlySignal(k Key) bool {
	changed := kinds(k.Differences)
	return len(changed) == 1 && changed[0] == kindSignal
}

// series asks that a changed detector has begun another series: another name,
// or another generation of the same one.
func (d *decision) series(k Key) {
	if onlySignal(k) {
		return
	}
	what := strings.Join(kinds(k.Differences), ", ")
	r := Refusal{Rule: ruleSeries, Reason: ReasonSeries, Key: k.Name}
	switch {
	case d.oneSeries():
		r.Summary = fmt.Sprintf("two detectors are called generation %d of the series %q (changed: %s)", d.a.Generation, d.a.Series, what)
		r.Why = "A changed threshold, sampling rate, judge model or alerting rule begins a new series. What one series is called has one detector."
		r.Remedy = "Keep the scenario's lock, and run the changed detector with --new-series or under another name."
	case d.c.Study == DetectorConfiguration:
		return
	default:
		r.Summary = fmt.Sprintf("they are two series, since the detector was changed (%s)", what)
		r.Why = "A changed threshold, sampling rate, judge model or alerting rule begins a new series, whose values do not continue those of the one before."
		r.Remedy = d.study(k)
	}
	d.add(r)
}

func value(path, a, b string) Difference {
	d := Difference{Path: path}
	if a != "" {
		d.A = &a
	}
	if b != "" {
		d.B = &b
	}
	return d
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// organisation is the one that the serving configuration names; "" without.
func organisation(r *measure.Result) string {
	if v, ok := parse(r.Comparability.ServingConfiguration.Value); ok {
		if o, ok := v.(map[string]any); ok {
			s, _ := o["organisation"].(string)
			return s
		}
	}
	return ""
}
