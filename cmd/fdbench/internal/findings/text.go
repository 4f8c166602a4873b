package findings

import (
	"fmt"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
)

// Text writes the report for a person: the findings of each scenario, what was
// set aside in it, and a line that counts them.
func Text(to terminal.Stream, r *Report) {
	for _, f := range r.Fixed {
		fmt.Fprintf(to, "%s %s\n", r.verb(), f)
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		view.Diagnostics(to, s.List, s.Sources)
		for _, g := range s.Ignored {
			at := g.Diagnostic.Subject // without one it could not have been set aside
			fmt.Fprintf(to, "ignored %s:%d: %s (%s): %s\n", at.Filename, at.Start.Line, g.Diagnostic.Summary, g.Diagnostic.Rule, g.Reason)
		}
		fmt.Fprintf(to, "%s: %s\n", s.Path, tally(s.List, len(s.Ignored)))
	}
}
