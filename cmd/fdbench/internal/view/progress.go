package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/execute"
)

// Progress shows how far a run has come.
type Progress struct {
	line   *terminal.Line
	series string
	now    func() time.Time

	expected time.Duration // of the whole series; 0 where test time is no wall time
	begun    time.Time
	before   time.Duration // test time that was there already
}

// NewProgress returns a view of one series' run. now is the clock, time.Now
// outside of tests.
func NewProgress(to terminal.Stream, series string, now func() time.Time) *Progress {
	return &Progress{line: terminal.NewLine(to, now), series: series, now: now}
}

// Expect says that the series runs in real time and about how long it takes as
// a whole.
func (p *Progress) Expect(whole time.Duration) { p.expected, p.begun = whole, p.now() }

// Event shows one event.
func (p *Progress) Event(e execute.Event) {
	phase := strings.ReplaceAll(e.Phase, "_", " ")
	if e.Replayed {
		phase += " (kept from before)"
	}
	trials, time := thousands(e.Trials), e.TestTime.Words()
	if e.Replayed {
		p.before = durationOf(e)
	} else if left, end := p.left(e); left != "" && e.TestTime == 0 {
		p.line.Set(fmt.Sprintf("%s: %s at %s", p.series, phase, e.Load), left+end, cmp.Or(strings.TrimPrefix(end, ", "), left))
		return
	} else if left != "" {
		p.line.Set(fmt.Sprintf("%s: %s at %s", p.series, phase, e.Load),
			fmt.Sprintf("%s trials kept after %s, %s%s", trials, time, left, end),
			fmt.Sprintf("%s trials, %s%s", trials, left, end),
			fmt.Sprintf("%s trials%s", trials, cmp.Or(end, ", "+left)))
		return
	}
	p.line.Set(fmt.Sprintf("%s: %s at %s", p.series, phase, e.Load),
		fmt.Sprintf("%s trials kept, %s of test time", trials, time),
		fmt.Sprintf("%s trials, %s", trials, time))
}

func durationOf(e execute.Event) time.Duration { return time.Duration(e.TestTime) }

// left says about how long a series in real time still takes, and until when, by
// the plan's expectation and by how much slower or faster it has gone so far.
func (p *Progress) left(e execute.Event) (left, end string) {
	if p.expected == 0 || !e.Real {
		return "", ""
	}
	rest := p.expected - durationOf(e)
	if done := durationOf(e) - p.before; done > 0 {
		rest = time.Duration(float64(rest) * float64(p.now().Sub(p.begun)) / float64(done))
	}
	if rest < time.Minute {
		return "nearly done", ""
	}
	return fmt.Sprintf("about %s left", exact.Duration(rest).Words()), ", until " + p.now().Add(rest).Format("Mon 15:04")
}

// Clear takes the line away.
func (p *Progress) Clear() { p.line.Clear() }
