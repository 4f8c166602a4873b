package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
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
	check("FD-3.2-6", "declared for each indicator; 1 where absent",
		"A detector that looks at one response in ten needs ten times the requests for the same evidence.",
		`detector "threshold" "watch" {
  indicator "refusals" { sampling = 0 }
}`,
		`detector "threshold" "watch" {
  indicator "refusals" { sampling = 0.1 }
}`,
		sampled),
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
						"Prometheus aggregates over time, and this window counts requests. Write the time that the rules look back: window = %q.", c.ruleRange())
					return
				}
				if w.Duration >= largest {
					largest, place = w.Duration, at(b, "", "window")
				}
			}
			if longest := c.ruleRange(); longest > largest {
				l.err(place, "Window smaller than the rules'",
					"The rules in %s look back %s, through recording rules and offsets, and the largest declared window is %s. Write window = %q here, since every minimum counts in this window.",
					c.Declaration.Detector.Prometheus.RulesFile, longest, largest, longest)
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
			known := c.settledAlerts()
			for i, a := range c.RuleFile.Alerts {
				if len(a.Thresholds) == 0 && !known[i] {
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
					switch {
					case moving(d.JudgeVersion):
						l.err(at(j, "", "version"), "Moving version of a judge",
							"%q may name another judge tomorrow, so the judge may change within the series. Write the version or the digest that is used.", d.JudgeVersion)
					case floats(d.JudgeModel) && !digest.MatchString(d.JudgeVersion):
						l.err(at(j, "", "model"), "Moving name of a judge",
							"The model %q may be another one tomorrow, whatever its version is called. Write the model that is used, or its digest (sha256:...) as the version.", d.JudgeModel)
					}
				}
			}
		}),
}

// moving tells whether a version name stands for another thing every week.
func moving(version string) bool {
	switch strings.ToLower(strings.TrimSpace(version)) {
	case "", "head", "edge", "dev", "default", "auto", "beta", "preview", "unknown", "any", "*":
		return true
	}
	return floats(version)
}

var (
	digest = regexp.MustCompile(`(?i)\bsha256:[0-9a-f]{6,}\b`)
	word   = regexp.MustCompile(`[a-z]+`)
)

// floats tells whether a name has a word of a moving tag in it and no digest:
// "gpt-4:latest" does, and "latex-2" does not.
func floats(name string) bool {
	if digest.MatchString(name) {
		return false
	}
	for _, w := range word.FindAllString(strings.ToLower(name), -1) {
		switch w {
		case "latest", "newest", "current", "stable", "main", "master", "nightly":
			return true
		}
	}
	return false
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
