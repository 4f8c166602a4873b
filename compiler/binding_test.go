package compiler

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
)

// A criterion has to bind the signal to the indicator of the fault (AMB-20).
func TestAttributionToAnotherIndicator(t *testing.T) {
	const (
		two = `serving "simulated" "both" {
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}
environment "lab" { serving = serving.both }
detector "threshold" "watch" {
  indicator "broken" {
    method = indicator.json_invalid_rate
    window = "1m"
  }
  alert "BrokenJSON" {
    indicator = indicator.json_invalid_rate
    above     = 0.2
  }
}
`
		both = `series "example" {
  fault "broken" {
    class      = fault_class.json_invalid
    magnitudes = [0.3]
    profiles   = ["step"]
  }
}
`
		other = "error FD-4.1-4 Attribution to another indicator"
	)
	for name, test := range map[string]struct {
		more, attribution string
		want              []string
	}{
		"any alert":                {"", "signal.status == 'firing'", []string{other}},
		"either alert":             {"", "signal.labels.alertname in ['RefusalsHigh', 'BrokenJSON'] and signal.status == 'firing'", []string{other}},
		"the other alert":          {"", "signal.labels.alertname == 'BrokenJSON' and signal.status == 'firing'", []string{other}},
		"the right alert":          {"", "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'", nil},
		"two faults, one alert":    {both, "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'", []string{other}},
		"two faults, each its own": {both, "signal.status == 'firing' and (fault.indicator == 'refusal_rate' and signal.labels.alertname == 'RefusalsHigh' or fault.indicator == 'json_invalid_rate' and signal.labels.alertname == 'BrokenJSON')", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileMemory(example(t, two+test.more+"signal \"page\" { attribution = \""+test.attribution+"\" }\n"), Options{Check: true})
			wantBrief(t, diags, test.want...)
		})
	}
}

// Where nothing watches the fault's indicator, it can be seen only through what
// else it changes, and another alert may detect it; that has a warning.
func TestAttributionWithoutAWatcher(t *testing.T) {
	_, diags := compileMemory(example(t, `serving "simulated" "both" {
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}
environment "lab" { serving = serving.both }
series "example" {
  fault "broken" {
    class      = fault_class.json_invalid
    magnitudes = [0.3]
    profiles   = ["step"]
  }
}
`), Options{Check: true})
	wantBrief(t, diags, "warning FD-3.2-4 Indicator that is not watched")
}

// In a rule file the counter in an alert's expression says what it watches.
func TestAttributionToAnotherCounter(t *testing.T) {
	const rules = `groups:
  - name: both
    rules:
      - alert: RefusalsHigh
        expr: rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > 0.08
      - alert: BrokenJSON
        expr: EXPR > 0.2
`
	for name, test := range map[string]struct{ expr, want string }{
		"another counter":   {"rate(llm_broken_total[5m]) / rate(llm_responses_total[5m])", "error FD-4.1-4 Attribution to another indicator"},
		"both counters":     {"(rate(llm_broken_total[5m]) + rate(llm_refusals_total[5m])) / rate(llm_responses_total[5m])", ""},
		"only the total":    {"rate(llm_responses_total[5m]) / 1000", ""},
		"the right counter": {"rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m])", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := example(t, `serving "simulated" "both" {
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}
environment "lab" { serving = serving.both }
detector "prometheus_rules" "rules" {
  rules = "both.yml"
  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }
  indicator "broken" {
    method  = indicator.json_invalid_rate
    window  = "5m"
    exports = "llm_broken_total"
  }
}
signal "page" {
  component   = detector.rules
  attribution = "signal.labels.alertname in ['RefusalsHigh', 'BrokenJSON'] and signal.status == 'firing'"
}
series "example" {
  detector = detector.rules
  baseline { interval = "150m" }
  quiet {
    at_least = "15m"
    at_most  = "4h"
  }
  trials { timeout = "2h" }
}
`)
			files["both.yml"] = []byte(strings.Replace(rules, "EXPR", test.expr, 1))
			_, diags := compileMemory(files, Options{Check: true})
			got := false
			for _, d := range diags {
				got = got || d.Rule == "FD-4.1-4" && d.Severity == diag.Error
			}
			if got != (test.want != "") {
				t.Errorf("want %q, got:\n%s", test.want, listText(diags))
			}
		})
	}
}

func TestTargetBetweenTwoCounts(t *testing.T) {
	for target, want := range map[string][]string{
		"0.925": {"note FD-5.3-2 Target between two counts"},
		"0.95":  nil,
		"1":     nil,
	} {
		_, diags := compileMemory(example(t, "series \"example\" {\n  threshold \"refusals\" { target = "+target+" }\n}\n"), Options{Check: true})
		wantBrief(t, diags, want...)
		for _, d := range diags {
			if !strings.Contains(d.Detail, "is 18.5, so at least 19 detections") {
				t.Errorf("target %s: %s", target, d.Detail)
			}
		}
	}
}
