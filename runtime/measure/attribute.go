package measure

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
)

// AttributionError says that a plan's attribution criterion cannot be read, so
// that no Detection Event can be checked.
type AttributionError struct{ Criterion, Reason string }

func (e *AttributionError) Error() string {
	return fmt.Sprintf("the plan's attribution %q cannot be read: %s", e.Criterion, e.Reason)
}

// attribution is the declared criterion, to be asked again (FD-4.1-4).
type attribution struct {
	signal    string // the declared type
	criterion *predicate.Attribution
	classes   []string                     // that the plan applies, in its order
	faults    map[string][]predicate.Fault // by class, one for each profile that it is applied with
	alerts    map[string]bool              // names of those that the detector has
	emitters  []string                     // components of the detector that emit; nil where they are not known
}

func newAttribution(p *plan.Plan) (*attribution, error) {
	s := p.Declaration.Signal
	criterion, err := predicate.CompileAttribution(s.Attribution)
	if err != nil {
		return nil, &AttributionError{s.Attribution, err.Message}
	}
	a := &attribution{signal: s.Type, criterion: criterion, faults: make(map[string][]predicate.Fault), alerts: make(map[string]bool),
		emitters: emitters(&p.Declaration.Detector)}
	for _, x := range p.Declaration.Detector.Alerts {
		a.alerts[x.Name] = true
	}
	indicators := make(map[string]string)
	for _, fc := range p.Declaration.FaultClasses {
		indicators[fc.Name] = fc.Indicator
	}
	add := func(class, profile string) {
		f := predicate.Fault{Class: class, Indicator: indicators[class], Profile: profile}
		if a.faults[class] == nil {
			a.classes = append(a.classes, class)
		}
		if !slices.Contains(a.faults[class], f) {
			a.faults[class] = append(a.faults[class], f)
		}
	}
	for _, t := range p.Combinations.Trials {
		add(t.Class, t.Profile.Name)
	}
	for _, q := range p.Combinations.Searches {
		add(q.Class, q.Profile.Name)
	}
	if m := p.Declaration.Masking; m != nil {
		for _, t := range m.Targets {
			add(t.Class, maskingProfile)
		}
	}
	return a, nil
}

// maskingProfile is what masking is measured with.
const maskingProfile = "step"

// applies tells whether the plan applies a class with a profile.
func (a *attribution) applies(class, profile string) bool {
	return slices.ContainsFunc(a.faults[class], func(f predicate.Fault) bool { return f.Profile == profile })
}

// gives tells whether the criterion gives a signal to a fault.
func (a *attribution) gives(s *detector.Signal, f predicate.Fault) bool {
	if s.Type != a.signal {
		return false
	}
	ok, err := a.criterion.Match(predicate.Signal{Type: s.Type, Component: s.Component, Status: s.Status, Labels: s.Labels,
		Value: s.Value, Reason: s.Reason, Repeat: s.Repeat, NoData: s.NoData}, f)
	return ok && err == nil
}

// emitters are the components by which a detector of a kind names itself in
// what it emits (FD-3.1-5).
func emitters(d *plan.Detector) []string {
	switch d.Kind {
	case "threshold", "ewma", "cusum":
		return []string{"detector"}
	case "prometheus_rules":
		if d.Manager != nil {
			return []string{"alertmanager"}
		}
		return []string{"rules"}
	}
	return nil
}

// emits tells whether a signal is of the declared detector.
func (a *attribution) emits(s *detector.Signal) bool {
	return a.emitters == nil && s.Component != "" || slices.Contains(a.emitters, s.Component)
}

// foreign tells whether a signal names an alert that the declared detector does
// not have. Where no alerts are declared, none is foreign.
func (a *attribution) foreign(s *detector.Signal) bool {
	return len(a.alerts) > 0 && !a.alerts[s.Labels["alertname"]]
}

// givesClass tells whether the criterion gives a signal to a class with any of
// its profiles.
func (a *attribution) givesClass(s *detector.Signal, class string) bool {
	return slices.ContainsFunc(a.faults[class], func(f predicate.Fault) bool { return a.gives(s, f) })
}

// attributed asks the criterion again for the Detection Event of a trial. A
// repetition, and a signal that the absence of data raised, are no Detection
// Event whatever the criterion says (AMB-12, AMB-29).
func (c *computer) attributed(e journal.Entry, t *journal.TrialRecord, subject string) {
	f := predicate.Fault{Class: t.Class, Indicator: c.classes[t.Class].Indicator, Profile: t.Profile}
	switch {
	case !c.attribution.emits(t.Event):
		c.breach("FD-3.1-5", subject, fmt.Sprintf("a Detection Event was emitted by %q, which is no part of the declared detector", t.Event.Component), e.Line)
	case !c.attribution.gives(t.Event, f):
		c.breach("FD-5.1-4", subject, "the declared attribution does not give a trial's Detection Event to its fault", e.Line)
	case c.attribution.foreign(t.Event):
		c.breach("FD-5.1-4", subject, "a Detection Event is of an alert that the declared detector does not have", e.Line)
	case t.Event.Repeat || t.Event.NoData:
		c.breach("FD-5.1-4", subject, "a repetition, or a signal that missing data raised, counts as a Detection Event", e.Line)
	}
}

// emissions checks an observation of false detections against the signals that
// it spells out, and returns what to count: never fewer than those (FD-5.4-2,
// FD-5.4-5).
func (c *computer) emissions(e journal.Entry, r *journal.FalseDetectionRecord, label string) (count, edges int, classes []journal.ClassCount) {
	var all journal.ClassCount
	classes = make([]journal.ClassCount, len(c.attribution.classes))
	for i := range r.Events {
		s := &r.Events[i]
		if s.At <= r.From || s.At > r.To {
			c.breach("FD-5.4-2", label, "a false detection on record lies outside its observation", e.Line)
		}
		if !c.attribution.emits(s) {
			c.breach("FD-3.1-5", label, fmt.Sprintf("a false detection was emitted by %q, which is no part of the declared detector", s.Component), e.Line)
		}
		declared := false
		for j, class := range c.attribution.classes {
			if c.attribution.givesClass(s, class) {
				declared = true
				tally(&classes[j], s)
			}
		}
		if !declared {
			c.breach("FD-5.4-2", label, "an emission counts as a false detection, and the declared attribution gives it to no fault of the plan", e.Line)
		}
		if c.attribution.foreign(s) {
			c.breach("FD-5.4-2", label, "a false detection is of an alert that the declared detector does not have", e.Line)
		}
		tally(&all, s)
	}
	complete := len(r.Events) < journal.MaxEvents
	agree := func(spelled, recorded journal.ClassCount) bool {
		if complete {
			return spelled.Count == recorded.Count && spelled.Edges == recorded.Edges
		}
		return spelled.Count <= recorded.Count && spelled.Edges <= recorded.Edges
	}
	count, edges = max(r.Count, all.Count), max(r.Edges, all.Edges)
	if !agree(all, journal.ClassCount{Count: r.Count, Edges: r.Edges}) {
		c.breach("FD-5.4-2", label, "the count of false detections is not that of the emissions on record", e.Line)
	}
	sum := 0
	for i, class := range c.attribution.classes {
		var recorded journal.ClassCount
		for _, x := range r.Classes {
			if x.Class == class {
				recorded = x
			}
		}
		if recorded.Class == "" || !agree(classes[i], recorded) {
			c.breach("FD-5.4-2", label, "the false detections of a class are not what the attribution makes of the emissions on record", e.Line)
		}
		classes[i] = journal.ClassCount{Class: class, Count: max(classes[i].Count, recorded.Count), Edges: max(classes[i].Edges, recorded.Edges)}
		sum += classes[i].Count
	}
	if sum < count {
		c.breach("FD-5.4-2", label, "fewer false detections are given to the classes than were counted", e.Line)
	}
	return count, edges, classes
}

func tally(n *journal.ClassCount, s *detector.Signal) {
	n.Count++
	if !s.Repeat {
		n.Edges++
	}
}

// plausible tells whether the figures of an observation can be at all. bounded
// tells that it says when it began and ended.
func (a *attribution) plausible(r *journal.FalseDetectionRecord, bounded bool) bool {
	if r.To < r.From || r.Count < 0 || r.Edges < 0 || r.Edges > r.Count || r.Active < 0 || r.Blind < 0 || bounded && (r.Active > r.To-r.From || r.Blind > r.To-r.From) || len(r.Events) > journal.MaxEvents {
		return false
	}
	seen := make(map[string]bool)
	for _, x := range r.Classes {
		if a.faults[x.Class] == nil || seen[x.Class] || x.Count < 0 || x.Count > r.Count || x.Edges < 0 || x.Edges > x.Count {
			return false
		}
		seen[x.Class] = true
	}
	return true
}
