package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/runtime/execute"
)

// Progress shows how far a run has come.
type Progress struct {
	line   *terminal.Line
	series string
}

// NewProgress returns a view of one series' run. now is the clock, time.Now
// outside of tests.
func NewProgress(to terminal.Stream, series string, now func() time.Time) *Progress {
	return &Progress{terminal.NewLine(to, now), series}
}

// Event shows one event.
func (p *Progress) Event(e execute.Event) {
	phase := strings.ReplaceAll(e.Phase, "_", " ")
	if e.Replayed {
		phase += " (kept from before)"
	}
	trials, time := thousands(e.Trials), e.TestTime.Words()
	p.line.Set(fmt.Sprintf("%s: %s at %s", p.series, phase, e.Load),
		fmt.Sprintf("%s trials kept, %s of test time", trials, time),
		fmt.Sprintf("%s trials, %s", trials, time))
}

// Clear takes the line away.
func (p *Progress) Clear() { p.line.Clear() }
