package rule

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/hashicorp/hcl/v2"
)

// promWatch is a snippet that gives the example a rule file in place of its
// detector, with the given body, and the times that its window of 5m asks for.
func promWatch(body string) string {
	if !strings.Contains(body, "rules =") {
		body = "  rules = \"alerts.yml\"\n\n" + body
	}
	return `detector "prometheus_rules" "rules" {
` + body + `
}

signal "page" { component = detector.rules }

series "example" {
  detector = detector.rules
  baseline { interval = "150m" }
  quiet {
    at_least = "15m"
    at_most  = "4h"
  }
  trials { timeout = "2h" }
}`
}

// Section 3.2.
var detectorRules = []Rule{
	{ID: "FD-3.2-1", How: "the detector's configuration is part of the sealed plan", Why: "A configuration that is still open can be fitted to the results."},
	check("FD-3.2-2", "the plan is sealed, and the lock keeps it",
		"Latencies of a detector that changes on the way are those of no detector.",
		`detector "threshold" "watch" { adaptive = true }`,
		`detector "threshold" "watch" { adaptive = false }`,
		func(c *Context, l *list) {
			if c.Knows(Detector) && c.Declaration.Detector.Adaptive {
				l.note(at(c.Detector, "", "adaptive"), "Detector that learns",
					"The configuration is frozen, but what the detector has learned is not: its latencies and false detections depend on what came before. The report says so.")
			}
		}),
	check("FD-3.2-4", "the detector block lists them",
		"A detector that reads an indicator nobody declared is not the detector in the record.",
		promWatch(`  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refused_total"
  }`),
		promWatch(`  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }`),
		indicatorsDeclared),
	{ID: "FD-3.2-5", How: "every indicator refers to a block with a versioned scorer or a predicate", Why: "The same name computed in two ways gives two baselines."},
	{
		ID: "FD-3.2-6", How: "declared for each indicator; 1 where absent", Why: "A detector that looks at one response in ten needs ten times the requests for the same evidence.",
		Bad: `detector "threshold" "watch" {
  indicator "refusals" { sampling = 0 }
}`,
		Good: `detector "threshold" "watch" {
  indicator "refusals" { sampling = 0.1 }
}`,
	},
	check("FD-3.2-7", "declared for each indicator, and no smaller than what a rule file looks back",
		"Every minimum of the methodology counts in aggregation windows. With too small a window the baseline, the timeout and the quiet period are all too short.",
		promWatch(`  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "1m"
    exports = "llm_refusals_total"
  }`),
		promWatch(`  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }`),
		func(c *Context, l *list) {
			if c.RuleFile == nil {
				return
			}
			var largest exact.Duration
			place := c.Detector.DefRange.Ptr()
			for i, b := range c.Detector.All("indicator") {
				w := c.Declaration.Detector.Indicators[i].Window
				if w.Requests > 0 {
					l.err(at(b, "", "window"), "Window in requests",
						"Prometheus aggregates over time, and this window counts requests. Write the time that the rules look back: window = %q.", c.RuleFile.MaxRange)
					return
				}
				if w.Duration >= largest {
					largest, place = w.Duration, at(b, "", "window")
				}
			}
			if c.RuleFile.MaxRange > largest {
				l.err(place, "Window smaller than the rules'",
					"The rules in %s look back %s, through recording rules and offsets, and the largest declared window is %s. Write window = %q here, since every minimum counts in this window.",
					c.Declaration.Detector.Prometheus.RulesFile, c.RuleFile.MaxRange, largest, c.RuleFile.MaxRange)
			}
		}),
	check("FD-3.2-8", "every alert has its limit, in the detector block or in the rule file",
		"Two detectors that differ only in a threshold differ in everything that is measured.",
		promWatch(`  rules = "recording.yml"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }`),
		promWatch(`  rules = "alerts.yml"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }`),
		func(c *Context, l *list) {
			if c.RuleFile == nil {
				return
			}
			if len(c.RuleFile.Alerts) == 0 {
				l.err(at(c.Detector, "", "rules"), "Rule file without an alert", "%s has no alerting rule, so nothing can be detected.", c.Declaration.Detector.Prometheus.RulesFile)
			}
			for _, a := range c.RuleFile.Alerts {
				if len(a.Thresholds) == 0 {
					l.warn(at(c.Detector, "", "rules"), "Alert without a threshold",
						"The rule %s (line %d of %s) compares with no number: %s. The report then names no threshold for it.", a.Name, a.Line, c.Declaration.Detector.Prometheus.RulesFile, a.Expr)
				}
			}
		}),
	check("FD-3.2-9", "every judge has a fixed version",
		"A judge behind a moving name is another judge next week, and the indicator with it.",
		`detector "threshold" "watch" {
  indicator "refusals" {
    judge {
      model   = "judge-large"
      version = "latest"
    }
  }
}`,
		`detector "threshold" "watch" {
  indicator "refusals" {
    judge {
      model   = "judge-large"
      version = "2026-03-01"
    }
  }
}`,
		func(c *Context, l *list) {
			if !c.Knows(Detector) {
				return
			}
			for _, b := range c.Detector.All("indicator") {
				j := b.One("judge")
				if j == nil {
					continue
				}
				for i := range c.Declaration.Detector.Indicators {
					d := c.Declaration.Detector.Indicators[i]
					if d.Label != b.Labels[0] {
						continue
					}
					if moving(d.JudgeVersion) {
						l.err(at(j, "", "version"), "Moving version of a judge",
							"%q names whatever is newest, so the judge may change within the series. Write the version or the digest that is used.", d.JudgeVersion)
					}
				}
			}
		}),
}

// moving tells whether a version name stands for another thing every week.
func moving(version string) bool {
	switch strings.ToLower(strings.TrimSpace(version)) {
	case "", "latest", "newest", "stable", "current", "main", "master", "head", "nightly", "edge", "dev", "default", "auto", "beta", "preview", "unknown", "any", "*":
		return true
	}
	return strings.HasSuffix(strings.ToLower(version), "-latest") || strings.HasSuffix(strings.ToLower(version), ":latest")
}

func indicatorsDeclared(c *Context, l *list) {
	if !c.Knows(Detector) {
		return
	}
	if c.RuleFile != nil {
		exported(c, l)
	}
	if !c.Knows(Matrix) {
		return
	}
	for _, b := range append(slices.Clone(c.Series.All("fault")), c.Series.All("threshold")...) {
		class := classOf(c, b)
		k, ok := c.Classes[class]
		if !ok {
			continue
		}
		if !slices.ContainsFunc(c.Declaration.Detector.Indicators, func(i plan.DetectorIndicator) bool { return i.Indicator == k.Indicator.Name }) {
			l.warn(at(b, "", "class"), "Indicator that is not watched",
				"The detector computes no indicator.%s, which fault_class.%s shifts. It can detect this fault only through what else the fault changes.", k.Indicator.Name, class)
		}
	}
}

// exported checks that every counter that the rules read is fed.
func exported(c *Context, l *list) {
	p := c.Declaration.Detector.Prometheus
	fed := []string{p.Total}
	for i, b := range c.Detector.All("indicator") {
		name := c.Declaration.Detector.Indicators[i].Exports
		if name == "" {
			l.err(b.DefRange.Ptr(), "Indicator that is not exported",
				"The rules read counters. Say which one holds this indicator: exports = \"llm_%s_total\".", b.Labels[0])
			continue
		}
		if slices.Contains(fed, name) {
			l.err(at(b, "", "exports"), "Counter exported twice", "%q already holds something else. Give each indicator a counter of its own.", name)
		}
		fed = append(fed, name)
	}
	for _, m := range c.RuleFile.Metrics {
		if slices.Contains(fed, m) || m == "up" || m == "ALERTS" || m == "ALERTS_FOR_STATE" || strings.HasPrefix(m, "scrape_") {
			continue
		}
		detail := "The rules in %s read %s, which no indicator of the detector exports and which would be empty. There are: %s."
		if n := suggest.Nearest(m, fed); n != "" {
			l.err(metricPlace(c, n), "Counter that nobody exports", detail+" Did you mean exports = %q?", p.RulesFile, m, strings.Join(fed, ", "), m)
			continue
		}
		l.err(at(c.Detector, "", "rules"), "Counter that nobody exports", detail+" Add an indicator block with exports = %q.", p.RulesFile, m, strings.Join(fed, ", "), m)
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

// classOf is the name of the class that a fault or threshold block refers to.
func classOf(c *Context, b *lang.Block) string {
	for _, f := range c.Faults {
		if f.Block == b {
			return f.Class
		}
	}
	for _, t := range c.Thresholds {
		if t.Block == b {
			return t.Class
		}
	}
	return ""
}
