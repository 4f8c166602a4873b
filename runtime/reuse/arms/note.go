package arms

import (
	"mime"
	"strings"

	"github.com/fdbench/fdbench/internal/redact"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/quality"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// note fills in what was seen of the measured request. Only an answer that came
// whole has times and scores; tokens that a server told before it failed are
// kept, since they may tell of a cache.
func (r *Runner) note(a *record.Arm, it *manifest.Item, rec *openai.Record) {
	a.Outcome, a.EngineID = string(rec.Outcome), r.clean(rec.Answer.ID)
	if rec.Detail != "" {
		if a.Detail != "" {
			a.Detail += "; "
		}
		a.Detail += rec.Detail
	}
	a.Finish = r.clean(rec.Answer.FinishReason)
	if u := rec.Answer.Usage; u != nil {
		if u.PromptTokens > 0 { // a prompt has tokens: a 0 is a server that does not count
			a.PromptTokens = &u.PromptTokens
		}
		a.CachedTokens, a.FuzzyTokens = counted(u.CachedTokens), counted(u.FuzzyTokens)
	}
	if t := rec.Answer.Times; t != nil {
		a.EngineTTFT, a.Queue = t.TTFT, t.Queue
	}
	a.Route = r.placement(rec.Header)
	a.Output, a.Truncated = shorten(r.clean(rec.Answer.Content))
	if rec.Outcome != openai.OK {
		return
	}
	s := rec.Stamps
	a.Latency = between(s.Sent, s.End)
	if media, _, _ := mime.ParseMediaType(rec.Header.Get("Content-Type")); media != "application/json" {
		a.TTFT = between(s.Sent, s.FirstContent) // an answer in one piece has no first token
	}
	a.Quality = quality.Judge(a.Output, it.Answers, r.plan.Declaration.Quality)
}

// counted is a count that can be one.
func counted(n *int64) *int64 {
	if n != nil && *n >= 0 {
		return n
	}
	return nil
}

// between is the time between two stamps that were both set, in their order.
func between(from, to int64) *int64 {
	if from < 0 || to < from {
		return nil
	}
	d := to - from
	return &d
}

// shorten keeps the beginning of an output, up to a whole character.
func shorten(s string) (string, bool) {
	if len(s) <= record.MaxOutput {
		return s, false
	}
	return strings.ToValidUTF8(s[:record.MaxOutput], ""), true
}

// clean takes the secrets of the run out of what others wrote.
func (r *Runner) clean(s string) string {
	return redact.Text(redact.Text(s, "(key)", r.key), "(reset token)", r.token)
}
