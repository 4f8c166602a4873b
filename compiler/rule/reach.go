package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
)

// reachable warns of alerts with a limit that their indicator can never meet,
// or meets whatever happens: a series with one measures nothing for days. It
// decides about limits that are written in the scenario; those of a rule file
// are decided with the file.
func reachable(c *Context, l *list) {
	d := &c.Declaration.Detector
	if c.RuleFile != nil || !c.Knows(Detector) {
		return
	}
	blocks := c.Detector.All("alert")
	if len(blocks) != len(d.Alerts) {
		return
	}
	for i, a := range d.Alerts {
		ind, ok := watchedBy(d, a)
		if !ok {
			continue
		}
		if a.Threshold != nil && a.Comparator != "" {
			c.limitMet(l, blocks[i], a, ind)
		}
		c.enoughResponses(l, blocks[i], a, ind)
	}
}

func watchedBy(d *plan.Detector, a plan.Alert) (plan.DetectorIndicator, bool) {
	for _, ind := range d.Indicators {
		if ind.Label == a.Indicator {
			return ind, true
		}
	}
	return plan.DetectorIndicator{}, false
}

// limitMet looks at the values that an indicator can have: a rate those from 0
// to 1, and without a fault what the deployment is expected to give.
func (c *Context) limitMet(l *list, b *lang.Block, a plan.Alert, ind plan.DetectorIndicator) {
	place, limit := at(b, "", a.Comparator), *a.Threshold
	kind := ""
	for _, x := range c.Declaration.Indicators {
		if x.Name == ind.Indicator {
			kind = x.Kind
		}
	}
	words := map[string]string{"above": "above", "at_least": "at least", "below": "below"}[a.Comparator]
	if kind == "rate" {
		const remedy = "Write a limit between what the deployment gives without a fault and what it gives with one."
		least, most := meets(a.Comparator, exact.Int(0), limit), meets(a.Comparator, exact.Int(1), limit)
		switch {
		case !least && !most:
			l.warn(place, "Alert that cannot fire",
				"indicator.%s is a rate, from 0 to 1, and never %s %s, so no trial can detect anything by the alert %s. %s", ind.Indicator, words, limit, a.Name, remedy)
			return
		case least && most:
			l.warn(place, "Alert that fires all the time",
				"indicator.%s is a rate, from 0 to 1, and always %s %s. With the alert %s the detector never comes to rest, so no quiet period ends. %s", ind.Indicator, words, limit, a.Name, remedy)
			return
		}
	}
	base, ok := c.expectedMean(ind.Indicator)
	if ok && (meets(a.Comparator, base, limit) || base.Cmp(limit) == 0) {
		l.warn(place, "Alert that fires without a fault",
			"Without a fault indicator.%s is expected to be %s, and the alert %s fires where it is %s %s: it fires most of the time, and a quiet period waits until it does not. Write a limit on the other side of %s, at some distance.",
			ind.Indicator, base.Decimal(4), a.Name, words, limit, base.Decimal(4))
	}
}

func meets(comparator string, value, limit exact.Number) bool {
	switch cmp := value.Cmp(limit); comparator {
	case "above":
		return cmp > 0
	case "at_least":
		return cmp >= 0
	default:
		return cmp < 0
	}
}

// expectedMean is what a faulted indicator is expected to be without a fault;
// of a running deployment that is known only when it has been measured.
func (c *Context) expectedMean(indicator string) (exact.Number, bool) {
	if c.Live() || !c.Knows(Matrix) {
		return exact.Number{}, false
	}
	for _, k := range c.Classes {
		if k.Indicator.Name == indicator {
			return k.Baseline, true
		}
	}
	return exact.Number{}, false
}

// enoughResponses holds the least number of responses of an alert against what
// a window has at the highest load.
func (c *Context) enoughResponses(l *list, b *lang.Block, a plan.Alert, ind plan.DetectorIndicator) {
	if a.MinResponses <= 1 || !c.Knows(Load) {
		return
	}
	least, most, where := exact.Int(a.MinResponses), exact.Int(ind.Window.Requests), "a window has"
	if ind.Window.Requests == 0 {
		if len(c.Declaration.Load.Points) == 0 {
			return
		}
		var rate exact.Number
		for _, p := range c.Declaration.Load.Points {
			if p.Rate.Cmp(rate) > 0 {
				rate = p.Rate
			}
		}
		most = ind.Window.Duration.Seconds().Mul(rate).Mul(ind.Sampling)
		where = fmt.Sprintf("at the highest load, %s req/s, a window of %s has", rate, ind.Window.Duration)
	}
	if most.Cmp(least) < 0 {
		l.warn(at(b, "", "min_responses"), "Alert that cannot fire",
			"The alert %s asks for %d responses, and %s %s of them, so it fires at no load. Lower min_responses, or lengthen the window.", a.Name, a.MinResponses, where, most.Decimal(2))
	}
}
