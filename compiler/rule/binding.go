package rule

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/hashicorp/hcl/v2"
)

// otherIndicator refuses a criterion that an alert on one indicator meets while
// a fault of another one is applied, though some alert watches that one: the
// signal would count as a detection of what it does not see (AMB-20). Where
// nothing watches the fault's indicator the author is warned elsewhere, since
// the fault can then only be seen through what else it changes.
func (c *Context) otherIndicator(l *list, place *hcl.Range) bool {
	emissions := c.emissions()
	for _, f := range c.everyFault() {
		if !slices.ContainsFunc(emissions, func(e emission) bool { return e.indicator == f.Indicator }) {
			continue
		}
		for _, e := range emissions {
			e.signal.Status = "firing"
			if e.indicator == "" || e.indicator == f.Indicator || c.Attribution.Decide(e.signal, f, e.known) != predicate.True {
				continue
			}
			name := e.signal.Labels["alertname"]
			l.err(place, "Attribution to another indicator",
				"With fault_class.%s applied, which shifts indicator.%s, the alert %s meets the criterion too, and it watches indicator.%s: a false alarm there would count as a detection here. Name the alert of each: fault.indicator == %q and signal.labels.alertname == %q and signal.status == \"firing\".",
				f.Class, f.Indicator, name, e.indicator, f.Indicator, c.alertOn(emissions, f.Indicator))
			return true
		}
	}
	return false
}

// alertOn is the first alert on an indicator.
func (c *Context) alertOn(emissions []emission, indicator string) string {
	for _, e := range emissions {
		if e.indicator == indicator {
			return e.signal.Labels["alertname"]
		}
	}
	return "NAME"
}

// everyFault are the faults that a trial may apply, each class and profile.
func (c *Context) everyFault() []predicate.Fault {
	var all []predicate.Fault
	add := func(class, profile string) {
		f := predicate.Fault{Class: class, Indicator: c.Classes[class].Indicator.Name, Profile: profile}
		if f.Indicator != "" && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	for _, f := range c.Faults {
		for _, p := range f.Profiles {
			add(f.Class, p.Name)
		}
	}
	for _, t := range c.Thresholds {
		add(t.Class, t.Profile.Name)
	}
	return all
}

// watches is the indicator that an alert of the detector watches: the declared
// one, or for a rule the only one whose counter stands in its expression. It is
// "" where that cannot be told, as for a rule over recorded series.
func (c *Context) watches(label, expression string) string {
	found := ""
	for _, i := range c.Declaration.Detector.Indicators {
		mine := i.Label == label
		if c.RuleFile != nil {
			mine = i.Exports != "" && counterIn(expression, i.Exports)
		}
		switch {
		case !mine || found == i.Indicator:
		case found != "":
			return ""
		default:
			found = i.Indicator
		}
	}
	return found
}

// counterIn tells whether an expression names a counter, as a whole word.
func counterIn(expression, counter string) bool {
	inName := func(b byte) bool {
		return b == '_' || b == ':' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	}
	for rest := expression; counter != ""; {
		i := strings.Index(rest, counter)
		if i < 0 {
			return false
		}
		end := i + len(counter)
		if (i == 0 || !inName(rest[i-1])) && (end == len(rest) || !inName(rest[end])) {
			return true
		}
		rest = rest[i+1:]
		if inName(expression[len(expression)-len(rest)-1]) {
			// The rest of this word is no beginning of another.
			rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r < 0x80 && inName(byte(r)) })
		}
	}
	return false
}
