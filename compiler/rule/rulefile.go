package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
	"github.com/hashicorp/hcl/v2"
)

// ruleFile is a rule file held against the counters that the detector exports
// and against the alerts that the signal can be.
type ruleFile struct {
	c      *Context
	l      *list
	review *promrules.Review
	needed []bool // beside review.Rules: whether the signal depends on it
	fed    []string
	place  *hcl.Range // of the argument rules
	name   string

	emissions []emission
	faults    []predicate.Fault
}

// reviewed holds the rule file against what the scenario exports. It is nil
// where that cannot be known.
func (c *Context) reviewed() (*promrules.Review, error) {
	p := c.Declaration.Detector.Prometheus
	if c.RuleFile == nil || p == nil || !c.Knows(Detector) {
		return nil, nil
	}
	config := promrules.Config{
		FileName: p.RulesFile, Total: promrules.Counter{Name: p.Total}, Job: p.Job, Instance: p.Instance, Labels: p.Labels,
		ScrapeInterval: p.ScrapeInterval, EvaluationInterval: p.EvaluationInterval, ResetEvery: p.CounterResets, MissedScrapes: p.ScrapeFailures,
	}
	var shares []bool
	for _, i := range c.Declaration.Detector.Indicators {
		config.Counters = append(config.Counters, promrules.Counter{Name: i.Exports})
		shares = append(shares, c.isRate(i.Indicator))
	}
	return c.RuleFile.Review(config, shares)
}

func (c *Context) isRate(indicator string) bool {
	return slices.ContainsFunc(c.Declaration.Indicators, func(i plan.Indicator) bool { return i.Name == indicator && i.Kind == "rate" })
}

// exported checks that every counter that the rules read is fed, and that the
// signal's alerts can see it.
func exported(c *Context, l *list) {
	p := c.Declaration.Detector.Prometheus
	r := ruleFile{c: c, l: l, fed: []string{p.Total}, place: at(c.Detector, "", "rules"), name: p.RulesFile}
	sound := true
	for i, b := range c.Detector.All("indicator") {
		name := c.Declaration.Detector.Indicators[i].Exports
		switch {
		case name == "":
			l.err(b.DefRange.Ptr(), "Indicator that is not exported",
				"The rules read counters. Say which one holds this indicator: exports = \"llm_%s_total\".", b.Labels[0])
			sound = false
		case slices.Contains(r.fed, name):
			l.err(at(b, "", "exports"), "Counter exported twice", "%q already holds something else. Give each indicator a counter of its own.", name)
			sound = false
		}
		r.fed = append(r.fed, name)
	}
	if !sound || !c.Knows(Signal) {
		return
	}
	var err error
	if r.review, err = c.reviewed(); err != nil {
		l.err(c.Detector.DefRange.Ptr(), "Exporter that cannot be", "%s.", err)
	}
	if r.review == nil {
		return
	}
	if c.Attribution != nil {
		r.emissions, r.faults = c.emissions(), c.appliedFaults()
	}
	r.needed = r.review.Needs(r.mayBeSignal)
	reported := r.missing()
	if c.Live() {
		// What else is scraped, and under which labels, only the running
		// detector knows.
		r.settled()
		return
	}
	r.unmatched()
	r.overNothing(reported)
	r.settled()
	r.groupings()
}

// mayBeSignal tells whether an alert of the file can meet the attribution in
// some trial.
func (r *ruleFile) mayBeSignal(i int) bool {
	if len(r.faults) == 0 || len(r.emissions) == 0 {
		return true
	}
	var possible []string
	for _, rule := range r.review.Rules {
		if rule.Alert == i {
			possible = rule.Labels
		}
	}
	for _, e := range r.emissions {
		if e.alert != i {
			continue
		}
		known := func(field string) bool {
			label, ok := strings.CutPrefix(field, "signal.labels.")
			return e.known(field) || ok && !r.c.Live() && !slices.Contains(possible, label) // it is absent then
		}
		for _, f := range r.faults {
			for _, status := range []string{"firing", "resolved"} {
				e.signal.Status = status
				if r.c.Attribution.Decide(e.signal, f, known) != predicate.False {
					return true
				}
			}
		}
	}
	return false
}

// where names a line of the rule file and the rule that it belongs to.
func (r *ruleFile) where(rule promrules.ReviewedRule, line int) string {
	kind := "the alert"
	if rule.Alert < 0 {
		kind = "the recording rule"
	}
	return fmt.Sprintf("line %d of %s, %s %s", line, r.name, kind, rule.Name)
}

// missing refuses names that nothing exports or records, where the signal
// depends on them, and returns those.
func (r *ruleFile) missing() map[string]bool {
	seen := map[string]bool{}
	for i, rule := range r.review.Rules {
		for _, e := range rule.Empty {
			if !r.needed[i] || !e.Unknown || seen[e.Name] || e.Name == "" && seen[e.Text] {
				continue
			}
			seen[e.Name], seen[e.Text] = true, true
			if e.Name == "" {
				r.l.err(r.place, "Selector that nothing matches",
					"The rules in %s read %s, and no series has such a name (%s). There are: %s. Select one of them.",
					r.name, e.Text, r.where(rule, e.Line), strings.Join(r.names(), ", "))
				continue
			}
			place, remedy := r.remedy(e.Name)
			r.l.err(place, "Counter that nobody exports",
				"The rules in %s read %s, which no indicator of the detector exports and no rule records, so it would be empty (%s). There are: %s. %s",
				r.name, e.Name, r.where(rule, e.Line), strings.Join(r.names(), ", "), remedy)
		}
	}
	return seen
}

// names are all that the rules can read, beside what Prometheus writes.
func (r *ruleFile) names() []string {
	all := slices.Clone(r.fed)
	for _, record := range r.c.RuleFile.Records {
		if !slices.Contains(all, record.Name) {
			all = append(all, record.Name)
		}
	}
	return all
}

// remedy says what most likely mends a missing name, and where: a name in the
// scenario that the rules do not read yet, or else one in the rule file.
func (r *ruleFile) remedy(missing string) (*hcl.Range, string) {
	near := suggest.Nearest(missing, r.names())
	exported := slices.Contains(r.fed, near)
	switch {
	case near == "":
		return r.place, fmt.Sprintf("If you compute this counter from responses, add an indicator block with exports = %q and the method that counts it. Otherwise take the rule out of this copy of the file.", missing)
	case exported && !slices.Contains(r.c.RuleFile.Metrics, near) && near == r.fed[0]:
		return metricPlace(r.c, near), fmt.Sprintf("Did you mean total = %q?", missing)
	case exported && !slices.Contains(r.c.RuleFile.Metrics, near):
		return metricPlace(r.c, near), fmt.Sprintf("Did you mean exports = %q?", missing)
	}
	for _, record := range r.c.RuleFile.Records {
		if record.Name == near {
			return r.place, fmt.Sprintf("Did you mean %s, which line %d records?", near, record.Line)
		}
	}
	return r.place, fmt.Sprintf("Did you mean %s?", near)
}

// overNothing warns once of all rules that read what is not there and that the
// signal does not need. What is reported already is not said twice.
func (r *ruleFile) overNothing(reported map[string]bool) {
	const most = 8
	var named []string
	for i, rule := range r.review.Rules {
		more := slices.IndexFunc(rule.Empty, func(e promrules.EmptySelector) bool { return !reported[e.Name] && !reported[e.Text] })
		if r.needed[i] || more < 0 {
			continue
		}
		e := rule.Empty[more]
		named = append(named, fmt.Sprintf("%s (line %d: %s)", rule.Name, e.Line, e.Text))
	}
	if len(named) == 0 {
		return
	}
	more := ""
	if len(named) > most {
		more = fmt.Sprintf(" and %d more", len(named)-most)
		named = named[:most]
	}
	r.l.warn(r.place, "Rules over nothing",
		"These rules in %s read samples that the detector does not export, so they are evaluated over nothing: %s%s. The signal does not depend on them. Where you compute a counter from responses, add an indicator block that exports it; the others can be taken out of this copy of the file.",
		r.name, strings.Join(named, ", "), more)
}

// settled warns of alerts whose state is known before the run.
func (r *ruleFile) settled() {
	for i, rule := range r.review.Rules {
		if rule.Alert < 0 {
			continue
		}
		switch {
		case rule.Outcome == promrules.Always && len(rule.Empty) > 0 && r.c.Live():
			// What is not there in a simulation may be scraped.
		case rule.Outcome == promrules.Always && (!r.needed[i] || len(rule.Empty) == 0):
			r.l.warn(r.place, "Alert that fires all the time",
				"%s (line %d of %s) fires whether or not a fault is applied: %s. The detector then never comes to rest, so no quiet period ends. Take the rule out of this copy of the file, or mend its expression.",
				rule.Name, rule.Line, r.name, rule.Why)
		case rule.Outcome == promrules.Never && r.needed[i] && !r.readsNothing(i) && !r.c.Live():
			r.l.warn(r.place, "Alert that cannot fire",
				"%s (line %d of %s) never fires, whatever fault is applied: %s. No trial can detect anything by it.",
				rule.Name, rule.Line, r.name, rule.Why)
		}
	}
}

// readsNothing tells whether a selector of a rule, or of one that the signal
// needs, finds nothing: that has been said, and what follows from it need not be.
func (r *ruleFile) readsNothing(i int) bool {
	if len(r.review.Rules[i].Empty) > 0 {
		return true
	}
	for j, rule := range r.review.Rules {
		if r.needed[j] && rule.Alert < 0 && len(rule.Empty) > 0 {
			return true
		}
	}
	return false
}

// ruleRange is how far back the alerts look that can find anything: one over
// nothing asks for no window.
func (c *Context) ruleRange() exact.Duration {
	review, err := c.reviewed()
	if review == nil || err != nil {
		return c.RuleFile.MaxRange
	}
	var longest exact.Duration
	for _, rule := range review.Rules {
		if rule.Alert >= 0 && (rule.Outcome != promrules.Never || len(rule.Empty) == 0 || c.Live() && !unknownNames(rule)) {
			longest = max(longest, c.RuleFile.Alerts[rule.Alert].Range)
		}
	}
	return longest
}

// unknownNames tells whether a rule reads a name that nothing declares.
func unknownNames(rule promrules.ReviewedRule) bool {
	return slices.ContainsFunc(rule.Empty, func(e promrules.EmptySelector) bool { return e.Unknown })
}

// settledAlerts are the alerts, by index, that fire all the time or read what
// is not there. Other words are said about those.
func (c *Context) settledAlerts() map[int]bool {
	settled := map[int]bool{}
	if review, err := c.reviewed(); review != nil && err == nil {
		for _, rule := range review.Rules {
			if rule.Outcome == promrules.Always || len(rule.Empty) > 0 {
				settled[rule.Alert] = true
			}
		}
	}
	return settled
}

// sampled notes that the rules see a rate shrunk by the detector's sampling.
func sampled(c *Context, l *list) {
	p := c.Declaration.Detector.Prometheus
	if p == nil || !c.Knows(Detector) {
		return
	}
	for i, b := range c.Detector.All("indicator") {
		d := c.Declaration.Detector.Indicators[i]
		if d.Sampling.Sign() > 0 && d.Sampling.Cmp(exact.Int(1)) < 0 {
			l.note(at(b, "", "sampling"), "Counter of a sample",
				"%s counts only the sampled share of the responses and %s counts them all, so their ratio is %s times the indicator. A threshold in the rules has to be as much smaller.",
				d.Exports, p.Total, d.Sampling)
		}
	}
}

// metricPlace is where a counter's name is written.
func metricPlace(c *Context, counter string) *hcl.Range {
	for i, b := range c.Detector.All("indicator") {
		if c.Declaration.Detector.Indicators[i].Exports == counter {
			return at(b, "", "exports")
		}
	}
	if c.Detector.Attr("total") != nil {
		return at(c.Detector, "", "total")
	}
	return at(c.Detector, "", "rules")
}
