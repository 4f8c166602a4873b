package arms

import (
	"net/http"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// What a header of a gateway tells (plan.RouteHeader.Tells).
const (
	TellsOutcome       = "outcome"
	TellsEndpoint      = "endpoint"
	TellsSemanticScore = "semantic_score"
	TellsTotalScore    = "total_score"
	TellsReason        = "reason"
)

// aliases are short names of outcomes.
var aliases = map[string]string{"semantic": "semantic_placement", "cold": "cold_route", "exact": "exact_route", "fail_open": "error_fallback"}

// maxHeader bounds what is kept of a header, in bytes.
const maxHeader = 1 << 10

// placement reads where a gateway says that it placed a request (KV-6-1). Of
// several headers that tell the same, the one declared first counts. It is nil
// where none of the declared headers came: a placement that nobody told is
// unknown, and is not counted as one that did not happen.
func (r *Runner) placement(h http.Header) *record.Route {
	var out *record.Route
	told := map[string]bool{}
	for _, d := range r.live.Route {
		v := strings.TrimSpace(h.Get(d.Header))
		if v == "" {
			continue
		}
		if len(v) > maxHeader {
			v = strings.ToValidUTF8(v[:maxHeader], "")
		}
		v = r.clean(strings.ToValidUTF8(v, "\uFFFD"))
		if out == nil {
			out = new(record.Route)
		} else {
			out.Header += "\n"
		}
		out.Header += d.Header + ": " + v
		if told[d.Tells] {
			continue
		}
		told[d.Tells] = true
		switch d.Tells {
		case TellsOutcome:
			out.Outcome = outcome(v)
		case TellsEndpoint:
			out.Endpoint = v
		case TellsSemanticScore:
			out.SemanticScore = score(v)
		case TellsTotalScore:
			out.TotalScore = score(v)
		case TellsReason:
			out.Reason = v
		}
	}
	return out
}

func outcome(v string) string {
	v = strings.ToLower(v)
	if long, ok := aliases[v]; ok {
		return long
	}
	return v
}

// score reads a decimal; what is none is no score, and stays readable in
// Header.
func score(v string) *exact.Number {
	if strings.Contains(v, "/") {
		return nil
	}
	n, err := exact.Parse(v)
	if err != nil {
		return nil
	}
	return &n
}
