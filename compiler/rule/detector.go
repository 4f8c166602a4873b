package rule

import (
	"regexp"
	"slices"
	"strconv"
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

// rulesWith is the example with a rule file, in which one indicator is
// exported as the given counter over the given window.
func rulesWith(file, window, counter string) string {
	return promWatch(`  rules = "` + file + `"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "` + window + `"
    exports = "` + counter + `"
  }`)
}

// judged is the example with a judge.
func judged(model, version string) string {
	return `detector "threshold" "watch" {
  indicator "refusals" {
    judge {
      model   = "` + model + `"
      version = "` + version + `"
    }
  }
}`
}

// limited is the example's alert with another limit.
func limited(limit string) string {
	return `detector "threshold" "watch" {
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    ` + limit + `
    remove "above" {}
  }
}`
}

// counted is the example with a window of a hundred requests and an alert that
// asks for at least n.
func counted(n int) string {
	return `detector "threshold" "watch" {
  indicator "refusals" { window = "100 requests" }
  alert "RefusalsHigh" { min_responses = ` + strconv.Itoa(n) + ` }
}
series "example" {
  trials { timeout = "20 windows" }
}`
}

// Section 3.2.
var detectorRules = []Rule{
	row("FD-3.2-1", "the detector's configuration is part of the sealed plan, and nothing in it is left to the run",
		bad("a configuration that tunes itself before the first trial", `detector "threshold" "watch" { auto_tune = true }`).edge(),
		good("a fixed configuration", `detector "threshold" "watch" { version = "1" }`).edge(),
	).show(vouched("fd_3_2_1")...),
	hint("FD-3.2-2", "the plan is sealed, and the lock keeps it; a detector that learns is named",
		bad("a detector that learns", `detector "threshold" "watch" { adaptive = true }`).edge(),
		good("a detector that does not", `detector "threshold" "watch" { adaptive = false }`).edge(),
	).show(demanded("fd_3_2_2")...).check(func(c *Context, l *list) {
		if c.Knows(Detector) && c.Declaration.Detector.Adaptive {
			l.note(at(c.Detector, "", "adaptive"), "Detector that learns",
				"The configuration is frozen, but what the detector has learned is not: its latencies and false detections depend on what came before. The report says so.")
		}
	}),
	row("FD-3.2-4", "the detector block lists them, and a rule file reads no other",
		bad("no indicator", `detector "threshold" "watch" {
  # no indicator block
  remove "indicator" {}
}`),
		bad("a counter that no indicator exports", rulesWith("alerts.yml", "5m", "llm_refused_total")).edge(),
		good("the counter that the rules read", rulesWith("alerts.yml", "5m", "llm_refusals_total")).edge(),
	).check(indicatorsDeclared),
	row("FD-3.2-5", "every indicator refers to a block with a versioned scorer or a predicate",
		bad("an indicator without a method", `detector "threshold" "watch" {
  indicator "refusals" {
    window = "1m"
    remove "method" {}
  }
}`).edge(),
		bad("a method that says nothing", `indicator "refusal_rate" {
  kind = "rate"
  # neither a scorer nor a predicate
  remove "scorer" {}
}`),
		good("a method", `detector "threshold" "watch" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }
}`).edge()),
	row("FD-3.2-6", "declared for each indicator, above 0 and at most 1; 1 where absent",
		bad("a rate of 0", `detector "threshold" "watch" {
  indicator "refusals" { sampling = 0 }
}`),
		bad("a rate above 1", `detector "threshold" "watch" {
  indicator "refusals" { sampling = 1.0001 }
}`).edge(),
		bad("a rate in words", `detector "threshold" "watch" {
  indicator "refusals" { sampling = "50%" }
}`),
		bad("sampled, and no rate", `detector "threshold" "watch" {
  indicator "refusals" { sampled = true }
}`),
		good("every response", `detector "threshold" "watch" {
  indicator "refusals" { sampling = 1 }
}`).edge(),
		good("half of the responses", `detector "threshold" "watch" {
  indicator "refusals" { sampling = 0.5 }
}`),
	).check(sampled),
	row("FD-3.2-7", "declared for each indicator, and no smaller than what a rule file looks back",
		bad("no window", `detector "threshold" "watch" {
  indicator "refusals" {
    method = indicator.refusal_rate
    remove "window" {}
  }
}`),
		bad("a window of 0 s", `detector "threshold" "watch" {
  indicator "refusals" { window = "0s" }
}`),
		bad("a window smaller than the rules'", rulesWith("alerts.yml", "299s", "llm_refusals_total")).edge(),
		good("the window of the rules", rulesWith("alerts.yml", "300s", "llm_refusals_total")).edge(),
		good("a window of a minute", `detector "threshold" "watch" {
  indicator "refusals" { window = "1m" }
}`),
	).check(wideWindow),
	row("FD-3.2-8", "every alert has its limit, in the detector block or in the rule file",
		bad("an alert without a limit", `detector "threshold" "watch" {
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    remove "above" {}
  }
}`).edge(),
		bad("a rule file without an alert", rulesWith("recording.yml", "5m", "llm_refusals_total")),
		good("an alert with a limit", `detector "threshold" "watch" {
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}`).edge(),
		good("a rule file with an alert", rulesWith("alerts.yml", "5m", "llm_refusals_total")),
		bad("a rate above 1", limited("above = 1.0")).edge().warned(),
		good("a rate of at least 1", limited("at_least = 1.0")).edge(),
		bad("a rate of at least 0", limited("at_least = 0")).warned(),
		bad("a rate below a limit above 1", limited("below = 1.0001")).warned(),
		bad("a limit where the deployment is without a fault", limited("above = 0.02")).edge().warned(),
		good("a limit above what the deployment gives", limited("above = 0.0201")).edge(),
		bad("any refusal at all", limited("above = 0")).warned(),
		bad("more responses than a window has at the highest load", limited("above = 0.08\n    min_responses = 6001")).edge().warned(),
		good("as many responses as a window has at the highest load", limited("above = 0.08\n    min_responses = 6000")).edge(),
		bad("more responses than a window counts", counted(101)).edge().warned(),
		good("as many responses as a window counts", counted(100)).edge(),
		bad("a rate above 1 at another detector", foreignAlert("    above     = 1.5", `  receiver { listen = "127.0.0.1:9105" }`)).live().warned(),
		bad("an alert of another detector without a limit", foreignAlert("", `  receiver { listen = "127.0.0.1:9105" }`)).live(),
		good("a rule in the detector's own words", foreignAlert("    rule      = \"avg_over(refusals, 5m) > 0.08\"", `  receiver { listen = "127.0.0.1:9105" }`)).live(),
	).check(func(c *Context, l *list) {
		limits(c, l)
		reachable(c, l)
	}),
	row("FD-3.2-9", "every judge has a fixed version",
		bad("latest", judged("judge-large", "latest")),
		bad("a moving tag", judged("judge-large", "judge@latest")).edge(),
		bad("a model by a moving name", judged("judge-large-latest", "2")),
		bad("no version", `detector "threshold" "watch" {
  indicator "refusals" {
    judge {
      model = "judge-large"
    }
  }
}`),
		good("a date", judged("judge-large", "judge@2026-03-01")).edge(),
		good("a digest", judged("judge-large:latest", "sha256:0123456789abcdef")),
	).check(fixedJudges),
}

func wideWindow(c *Context, l *list) {
	if c.RuleFile == nil {
		return
	}
	var largest exact.Duration
	place := c.Detector.DefRange.Ptr()
	for i, b := range c.Detector.All("indicator") {
		w := c.Declaration.Detector.Indicators[i].Window
		if w.Requests <= 0 && w.Duration <= 0 {
			return // it could not be read, and might be the one
		}
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
}

func limits(c *Context, l *list) {
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
}

func fixedJudges(c *Context, l *list) {
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
