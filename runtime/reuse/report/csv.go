package report

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// CSV returns one file for each table of a result, by name. Every row carries
// the reuse block, what the result is called and what its figures may be taken
// for, so that a table that travels alone still says what it is. A value that
// does not exist is an empty cell.
func (p *Report) CSV() map[string][]byte {
	r := p.r
	w := &csvWriter{r: r, files: map[string][]byte{}}

	w.begin("group", "figure", "numerator", "denominator", "value", "measured", "of", "claim")
	w.group("all", &r.Aggregate, &r.Controls)
	for i := range r.Transforms {
		w.group(r.Transforms[i].Name, &r.Transforms[i].Figures, &r.Transforms[i].Controls)
	}
	w.end("rates.csv")

	w.begin("group", "figure", "n", "claim")
	w.counts("all", &r.Aggregate)
	for i := range r.Transforms {
		w.counts(r.Transforms[i].Name, &r.Transforms[i].Figures)
	}
	w.end("counts.csv")

	w.begin("gate", "outcome", "condition", "why")
	for _, g := range r.Gates {
		w.row(g.Name, g.Status, g.Condition, g.Why)
	}
	w.end("gates.csv")

	if x := r.Paired; x != nil {
		w.begin("figure", "value", "low", "high", "n", "documents", "hit_rate")
		rate := ""
		if x.HitRate != nil {
			rate = number(x.HitRate.Value)
		}
		for _, f := range []struct {
			name string
			i    *result.Interval
		}{
			{"blended_ttft_speedup_mean", x.Blended}, {"blended_ttft_speedup_median", x.BlendedMedian}, {"hit_only_ttft_speedup_mean", x.HitOnly},
			{"negative_control_ttft_speedup_mean", x.Control},
		} {
			if f.i == nil {
				w.row(f.name, "", "", "", "0", "0", rate)
				continue
			}
			w.row(f.name, number(&f.i.Value), number(&f.i.Low), number(&f.i.High), strconv.Itoa(f.i.N), strconv.Itoa(f.i.Clusters), rate)
		}
		for _, f := range []struct {
			name string
			v    *float64
		}{{"ttft_cold_p50_ms", x.ColdP50}, {"ttft_cold_p95_ms", x.ColdP95}, {"ttft_warm_p50_ms", x.WarmP50}, {"ttft_warm_p95_ms", x.WarmP95}} {
			w.row(f.name, number(f.v), "", "", count(&x.Percentiles), "", rate)
		}
		w.end("paired.csv")
	}
	if x := r.Placement; x != nil {
		w.begin("kind", "name", "requests", "claim")
		for _, o := range x.Outcomes {
			w.row("outcome", o.Name, count(&o.N), r.Claims.Placement)
		}
		for _, o := range x.Endpoints {
			w.row("endpoint", o.Name, count(&o.N), r.Claims.Placement)
		}
		w.end("placement.csv")
	}
	if len(r.Evidence) > 0 {
		w.begin("engine", "log", "requests", "semantic_hits", "materialization_events", "materialized_tokens", "materialized_units", "materialized_requests",
			"own_materialized_requests", "materialized_semantic_kv_reuse", "whole_log_reading", "suffix_execution_proven", "engine_errors", "malformed_lines")
		for _, e := range r.Evidence {
			x := &e.Summary
			w.row(x.Engine, x.Log, count(&x.Requests), count(&x.SemanticHits), count(&x.Materializations), count(&x.MaterializedTokens), count(&x.MaterializedUnits),
				count(&x.MaterializedReuse), count(&e.Own), strconv.FormatBool(e.Reuse), strconv.FormatBool(x.WholeLog), strconv.FormatBool(e.Suffix), count(&x.Errors), count(&x.Malformed))
		}
		w.end("evidence.csv")
	}
	return w.files
}

type csvWriter struct {
	r     *result.Result
	files map[string][]byte
	buf   bytes.Buffer
	csv   *csv.Writer
}

func (w *csvWriter) begin(names ...string) {
	w.buf.Reset()
	w.csv = csv.NewWriter(&w.buf)
	w.write("reuse", "status", names)
}

func (w *csvWriter) row(cells ...string) { w.write(w.r.Name, heading(w.r), cells) }

// write adds a record. A bytes.Buffer takes everything, so there is no error.
func (w *csvWriter) write(name, status string, cells []string) {
	_ = w.csv.Write(append([]string{name, status}, cells...))
}

func (w *csvWriter) end(name string) {
	w.csv.Flush()
	w.files[name] = bytes.Clone(w.buf.Bytes())
}

// group writes the rates of a group and of its controls.
func (w *csvWriter) group(name string, g *result.Group, c *result.Controls) {
	x := &w.r.Claims
	for _, f := range []struct {
		name  string
		r     *result.Rate
		claim string
	}{
		{"exact_block_hit_rate", &g.ExactRate, x.Exact},
		{"exact_prefix_block_hit_rate", &g.PrefixRate, x.Exact},
		{"exact_token_weighted_reuse_rate", &g.ExactTokenRate, x.Exact},
		{"semantic_candidate_block_rate", g.CandidateRate, x.Candidate},
		{"semantic_candidate_token_weighted_reuse_rate", g.CandidateTokenRate, x.Candidate},
		{"semantic_eligible_block_rate", g.EligibleRate, x.Eligible},
		{"semantic_eligible_token_weighted_reuse_rate", g.EligibleTokenRate, x.Eligible},
		{"backend_confirmed_block_rate", g.ConfirmedRate, x.Confirmed},
		{"negative_control_exact_block_hit_rate", c.ExactRate, x.Exact},
		{"negative_control_semantic_eligible_rate", c.EligibleRate, x.Eligible},
		{"negative_control_backend_confirmed_rate", c.ConfirmedRate, x.Confirmed},
	} {
		if f.r == nil {
			w.row(name, f.name, "", "", "", "", "", f.claim)
			continue
		}
		w.row(name, f.name, count(&f.r.Numerator), count(&f.r.Denominator), number(f.r.Value), count(&f.r.Measured), count(&f.r.Of), f.claim)
	}
	for _, f := range []struct {
		name  string
		l     *result.Lift
		claim string
	}{{"semantic_eligible_lift", g.EligibleLift, x.Eligible}, {"backend_confirmed_lift", g.ConfirmedLift, x.Confirmed}} {
		if f.l == nil {
			w.row(name, f.name, "", "", "", "", "", f.claim)
			continue
		}
		w.row(name, f.name, "", "", number(f.l.Value), count(&f.l.Rate.Measured), count(&f.l.Rate.Of), f.claim)
	}
}

func (w *csvWriter) counts(name string, g *result.Group) {
	x := &w.r.Claims
	for _, f := range []struct {
		name, claim string
		n           *int64
	}{
		{"request_count", x.Exact, &g.Requests}, {"prompt_tokens", x.Exact, &g.PromptTokens}, {"total_blocks", x.Exact, &g.TotalBlocks},
		{"exact_hit_blocks", x.Exact, &g.ExactBlocks}, {"exact_prefix_hit_blocks", x.Exact, &g.PrefixBlocks},
		{"semantic_candidate_blocks", x.Candidate, g.CandidateBlocks}, {"semantic_eligible_blocks", x.Eligible, g.EligibleBlocks},
		{"plan_invalid_actions", x.Candidate, g.InvalidActions}, {"backend_measured_requests", x.Confirmed, g.ConfirmedRequests},
		{"backend_confirmed_blocks", x.Confirmed, g.ConfirmedBlocks}, {"backend_confirmed_tokens", x.Confirmed, g.ConfirmedTokens},
	} {
		w.row(name, f.name, count(f.n), f.claim)
	}
}

func count(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// number prints a figure in full, as result.json has it.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
