package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/runtime/report/prose"
	"github.com/fdbench/fdbench/runtime/report/table"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// TextOptions shape the summary on a terminal.
type TextOptions = prose.Options

// Text writes the summary that follows a run: what the figures may be called
// first, then the gates, the four figures, and what was sent.
func (p *Report) Text(w io.Writer, o TextOptions) error {
	t := &summary{p.r, prose.NewPage(o)}
	t.top()
	t.rates()
	t.live()
	t.gates()
	t.WriteString("\n")
	t.Para("  ", p.r.Footer.Statement, color.Faint)
	_, err := io.WriteString(w, t.String())
	return err
}

type summary struct {
	r *result.Result
	*prose.Page
}

// shownViolations is how many violations the summary lists; the report has all.
const shownViolations = 8

func (t *summary) top() {
	r := t.r
	tone := color.FgYellow
	switch r.Conformance.Status {
	case result.StatusLive:
		tone = color.FgGreen
	case result.StatusNonconform, result.StatusIncomplete:
		tone = color.FgRed
	}
	t.WriteString(t.Paint(prose.Printable(r.Name), color.Bold) + ": " + t.Paint(heading(r), tone, color.Bold) + "\n")
	for _, s := range sentences(r) {
		t.Para("  ", s)
	}
	if s := incomplete(r); s != "" {
		t.Para("  ", s, color.FgRed)
	}
	for i := range r.Conformance.Violations {
		if i == shownViolations {
			t.Para("  ", fmt.Sprintf("and %d more in the report", len(r.Conformance.Violations)-i), color.FgRed)
			break
		}
		t.Para("  "+r.Conformance.Violations[i].Rule+"  ", violation(&r.Conformance.Violations[i]), color.FgRed)
	}
	for _, x := range r.Conformance.Deviations {
		t.Para("  deviation from "+x.Rule+"  ", x.Because)
	}
	for _, x := range r.Run.Targets {
		if x.OptedIn {
			t.Para("  target  ", x.Name+" at "+x.Address+" is outside of the confined address ranges", color.FgRed)
		}
	}
}

// rates are the four figures that are kept apart, each with what it may be
// called.
func (t *summary) rates() {
	r, g := t.r, &t.r.Aggregate
	planner := "no planner"
	if r.Run.Planner != nil {
		planner = "planner " + *r.Run.Planner
	}
	t.WriteString("\n")
	t.Para("", fmt.Sprintf("%s requests, %s tokens, %s full blocks of %d tokens (tokenizer %s, %s)", grouped(g.Requests), grouped(g.PromptTokens), grouped(g.TotalBlocks),
		r.Run.BlockSize, r.Run.Tokenizer, planner), color.Bold)
	tab := &table.Table{Head: []string{"figure", ">rate", ">blocks", ">of", "requests measured", ">lift over exact", "what it is"}}
	add := func(name string, rate *result.Rate, l *result.Lift, claim string) {
		if rate == nil {
			tab.Add(name, "none", "", "", "", "", claim)
			return
		}
		gain := ""
		if l != nil {
			gain = points(l)
		}
		tab.Add(name, percent(rate.Value), grouped(rate.Numerator), grouped(rate.Denominator), fmt.Sprintf("%s of %s", grouped(rate.Measured), grouped(rate.Of)), gain, claim)
	}
	add("exact", &g.ExactRate, nil, r.Claims.Exact)
	add("candidate", g.CandidateRate, nil, r.Claims.Candidate)
	add("eligible", g.EligibleRate, g.EligibleLift, r.Claims.Eligible)
	add("confirmed", g.ConfirmedRate, g.ConfirmedLift, r.Claims.Confirmed)
	claims := []string{}
	if tab.Width() > t.Width {
		for _, row := range tab.Rows {
			claims = append(claims, row[0]+": "+row[len(row)-1])
		}
		tab.Cut()
	}
	tab.Text(&t.Builder, "  ", func(row, _ int, s string) string {
		if row < 0 {
			return t.Paint(s, color.Faint)
		}
		return s
	})
	for _, s := range claims {
		t.Para("    ", s, color.Faint)
	}
	c := &r.Controls
	switch {
	case r.Run.Controls == 0 && (r.Run.Planner != nil || r.Run.Live != nil):
		t.Para("  controls    ", controlsMissing, color.FgYellow)
	case c.EligibleRate != nil:
		tone := []color.Attribute{}
		if c.EligibleRate.Numerator > 0 {
			tone = append(tone, color.FgYellow)
		}
		t.Para("  controls    ", "eligible "+whole(c.EligibleRate, "blocks", "controls"), tone...)
	case c.Count > 0:
		t.Para("  controls    ", "exact "+whole(c.ExactRate, "blocks", "controls"))
	}
	if c.ConfirmedRate != nil {
		t.Para("              ", "confirmed "+whole(c.ConfirmedRate, "blocks", "controls"))
	}
	if x := r.Collisions; x != nil && x.Found.Violations > 0 {
		t.Para("  collisions  ", fmt.Sprintf("%s blocks stand where they must not; the report lists them", grouped(x.Found.Violations)), color.FgRed)
	}
	if n := g.InvalidActions; n != nil && *n > 0 {
		t.Para("  plan        ", fmt.Sprintf("%s that no donor could serve, counted as not copied", strings.Replace(plural(*n, "copy"), "copys", "copies", 1)), color.FgYellow)
	}
}

// live is what requests showed.
func (t *summary) live() {
	r := t.r
	confidence := r.Supplementary.Estimators.Confidence
	if p := r.Paired; p != nil {
		t.WriteString("\n")
		t.Para("", "Time to the first token, pairs of a cold and a warm request", color.Bold)
		t.Para("  blended     ", "speed-up, hits and misses: "+speedup(p.Blended, confidence), color.Bold)
		t.Para("  hits        ", "hit rate "+whole(p.HitRate, "pairs", "pairs"))
		if p.HitOnly != nil {
			t.Para("              ", fmt.Sprintf("hits alone, no headline: %s, at a hit rate of %s", speedup(p.HitOnly, confidence), percentRate(p.HitRate)))
		}
		t.Para("  controls    ", speedup(p.Control, confidence))
		t.Para("  cold        ", fmt.Sprintf("median %s, 95th percentile %s", milliseconds(p.ColdP50), milliseconds(p.ColdP95)))
		t.Para("  warm        ", fmt.Sprintf("median %s, 95th percentile %s", milliseconds(p.WarmP50), milliseconds(p.WarmP95)))
		tone := []color.Attribute{}
		if p.Contaminated+p.Errored+p.Unchecked > 0 {
			tone = append(tone, color.FgYellow)
		}
		t.Para("  pairs       ", fmt.Sprintf("%s used of %s; %s contaminated, %s failed, %s without two times, %s not checked for contamination",
			grouped(p.Used), grouped(p.Total), grouped(p.Contaminated), grouped(p.Errored), grouped(p.Untimed), grouped(p.Unchecked)), tone...)
	}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		t.Para("  evidence    ", fmt.Sprintf("%s (%s): materialised semantic reuse %s; %s of its %s have both a hit and a materialisation%s", e.Summary.Log, e.Summary.Engine, reading(e), grouped(e.Summary.MaterializedReuse), plural(e.Summary.Requests, "request"), own(t.r, e)))
	}
	if p := r.Placement; p != nil {
		t.Para("  placement   ", "semantic "+whole(&p.Semantic, "requests with a placement", "requests")+"; "+result.ClaimPlacement)
	}
	if q := r.Quality; q != nil && q.Mean != nil {
		s := fmt.Sprintf("warm against cold ROUGE-L %s over %s pairs", score(&q.Mean.Value), grouped(q.Pairs))
		if q.Floor == nil {
			s += "; no noise floor to judge it by"
		} else {
			s += fmt.Sprintf("; the noise floor is %s, so the drop is %s", q.Floor.Mean.Decimal(4), score(q.Drop))
		}
		t.Para("  outputs     ", s)
	}
}

func (t *summary) gates() {
	if len(t.r.Gates) == 0 {
		return
	}
	t.WriteString("\n")
	t.Para("", "Gates", color.Bold)
	for i := range t.r.Gates {
		g := &t.r.Gates[i]
		tone := color.FgGreen
		if g.Status != result.GatePassed {
			tone = color.FgRed
		}
		t.Para("  "+gateWords(g)+strings.Repeat(" ", 9-len(gateWords(g))), g.Name+": "+g.Condition, tone)
		if g.Status != result.GatePassed {
			t.Para("           ", g.Why)
		}
		if s := observed(g); s != "" {
			t.Para("           ", s, color.Faint)
		}
	}
}

func optionalFloat(v *float64) string {
	if v == nil {
		return "none"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
