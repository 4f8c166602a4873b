package live

import (
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang"
)

// TestScenarios compiles what the tests of this folder run, wherever they are
// skipped too.
func TestScenarios(t *testing.T) {
	for name, write := range map[string]func(*stack){
		"streams": func(s *stack) { s.write(classes(), "2s", true, shortSeries(classes(), "50 req/s")) },
		"plain":   func(s *stack) { s.write(classes(), "2s", false, shortSeries(classes(), "50 req/s")) },
		"series":  func(s *stack) { s.write(refusals(), seriesWindow, true, fullSeries) },
		"faults":  func(s *stack) { s.write(refusals(), seriesWindow, true, eventful) },
		"clock":   func(s *stack) { s.write(refusals(), steppingWindow, false, stepping) },
		"virtual": func(s *stack) {
			s.write(refusals(), seriesWindow, true, fullSeries)
			file(s.t, s.dir, "live.fdb.hcl", s.virtual(rounded(t, "0.019466667")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t)
			write(s)
			doc, diags := lang.Load(s.dir)
			if !diags.HasErrors() {
				var result *compiler.Result
				if result, diags = compiler.Compile(doc, compiler.Options{}); !diags.HasErrors() && len(result.Plans) != 1 {
					t.Errorf("%d plans", len(result.Plans))
				}
			}
			for _, d := range diags {
				if diags.HasErrors() {
					t.Errorf("%s: %s (%s)", d.Summary, d.Detail, d.Rule)
				}
			}
		})
	}
}
