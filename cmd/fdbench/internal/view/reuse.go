package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
)

// Reuse writes the plan of a reuse block in a few lines: what is measured, what
// is sent, by which gates it is judged, the lock as [Lock] puts it, and the
// digest.
func Reuse(to terminal.Stream, p *plan.Reuse, lock string) {
	line := labelled(to, "Reuse block", p.Name)
	d := &p.Declaration
	line("manifest", "%s", manifestLine(&d.Manifest))
	line("blocks", "of %s, tokenizer %s; donors of %s", tokens(int64(d.BlockSize)), d.Tokenizer.Name,
		map[string]string{"item": "the same item", "corpus": "the whole manifest"}[d.Scope])
	line("planner", "%s", plannerLine(d))
	line("requests", "%s", requestLine(d))
	for _, e := range d.Evidence {
		line("evidence", "%s, %s", e.Log, e.Engine)
	}
	if c := d.Calibration; c != nil {
		line("noise floor", "%s: ROUGE-L %s over %s", c.File, c.Mean.Decimal(4), countOf(c.Pairs, "pair"))
	}
	if len(p.Gates) == 0 {
		line("gates", "none")
	}
	for _, g := range p.Gates {
		text := g.Name + ": " + g.Condition
		for _, m := range g.AtLeast {
			text += fmt.Sprintf("; needs %s of %d or more", m.Metric, m.N)
		}
		line("gate", "%s", text)
	}
	for _, v := range d.Deviations {
		line("deviation", "%s: %s", v.Rule, v.Because)
	}
	line("lock", "%s", strings.Replace(lock, "from the first trial on", "from the first row on", 1))
	line("plan", "%s", p.Digest)
}

func manifestLine(m *plan.ReuseManifest) string {
	name := m.File
	if m.Documents != nil {
		name = "made from " + m.Documents.File
	}
	return fmt.Sprintf("%s: %s, of them %s", name, countOf(m.Items, "item"), countOf(m.Controls, "negative control"))
}

func plannerLine(d *plan.ReuseDeclaration) string {
	switch {
	case d.Plans != nil:
		return fmt.Sprintf("%s, from %s", d.Plans.Planner, d.Plans.File)
	case d.Planner == nil:
		return "none: no candidate and no eligible block is counted"
	case d.Planner.Name == "span":
		return fmt.Sprintf("span, runs of %s or more", tokens(int64(d.Planner.MinRun)))
	}
	if d.Planner.Gated {
		return d.Planner.Name + ", matches with a matched neighbour only"
	}
	return d.Planner.Name
}

// requestLine says how many requests a run sends. How many donors an item has
// is only known from its line.
func requestLine(d *plan.ReuseDeclaration) string {
	l := d.Live
	if l == nil {
		return "none: offline"
	}
	resets := "no reset"
	if n := len(l.Reset); n > 0 {
		resets = fmt.Sprintf("%s before each arm", countOf(int64(n), "reset"))
	}
	model := l.Model
	if model == "" {
		model = "the one model that it lists"
	}
	return fmt.Sprintf("%s to %s (%s, %s): %s of a cold and a warm request, %s, donors before each warm one; %s; %s at a time",
		countOf(2*d.Manifest.Items, "recipient"), l.Endpoint.BaseURL, l.Engine, model, countOf(d.Manifest.Items, "pair"),
		strings.ReplaceAll(l.Order, "_", " "), resets, countOf(int64(l.Concurrency), "pair"))
}

func tokens(n int64) string { return countOf(n, "token") }

func countOf(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(int(n)) + " " + what + "s"
}

// ReuseProgress shows how far the run of a reuse block has come.
type ReuseProgress struct {
	line  *terminal.Line
	name  string
	now   func() time.Time
	phase string
	begun time.Time
}

// NewReuseProgress returns a view of one run. now is the clock, time.Now
// outside of tests.
func NewReuseProgress(to terminal.Stream, name string, now func() time.Time) *ReuseProgress {
	return &ReuseProgress{line: terminal.NewLine(to, now), name: name, now: now}
}

// phases are what is done, in words.
var phases = map[string]string{execute.PhaseItems: "rows of the manifest", execute.PhaseCheck: "asking the endpoint", execute.PhaseWarmup: "warm-up",
	execute.PhasePairs: "pairs", execute.PhaseAudit: "collision audit", execute.PhaseEvidence: "logs"}

// Event shows one event.
func (p *ReuseProgress) Event(e execute.Event) {
	if e.Phase != p.phase {
		p.phase, p.begun = e.Phase, p.now()
	}
	title := p.name + ": " + phases[e.Phase]
	if e.Of == 0 {
		p.line.Set(title)
		return
	}
	done := fmt.Sprintf("%s of %s", thousands(int(e.Done)), thousands(int(e.Of)))
	if e.Kept > 0 {
		done += fmt.Sprintf(" (%s kept from before)", thousands(int(e.Kept)))
	}
	p.line.Set(title, done+p.rate(e), done)
}

// rate is how fast it goes and how long it still takes, from what was done
// since the phase began.
func (p *ReuseProgress) rate(e execute.Event) string {
	took, n := p.now().Sub(p.begun), e.Done-e.Kept
	if took < time.Second || n <= 0 {
		return ""
	}
	left := time.Duration(float64(took) / float64(n) * float64(e.Of-e.Done))
	text := fmt.Sprintf(", %.3g a second", float64(n)/took.Seconds())
	if left >= time.Second {
		text += ", about " + exact.Duration(left.Round(time.Second)).Words() + " left"
	}
	return text
}

// Clear takes the line away.
func (p *ReuseProgress) Clear() { p.line.Clear() }
