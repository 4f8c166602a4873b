package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// heading is what a result is called.
func heading(r *result.Result) string {
	s := r.Conformance.Status
	if s == result.StatusNonconform || s == result.StatusIncomplete {
		s += ", " + r.Conformance.Mode
	}
	if r.Exploratory {
		s += ", exploratory"
	}
	return s
}

// sentences say what the figures may be called, before any of them.
func sentences(r *result.Result) []string {
	var out []string
	c := &r.Claims
	switch {
	case r.Run.Live == nil && r.Run.Planner == nil:
		out = append(out, "Counted in the manifest alone: no planner looked at it, and no engine confirmed anything.")
	case r.Run.Live == nil:
		out = append(out, "Offline proxy: nothing here was confirmed by an engine. Candidates are discovery evidence; eligible blocks are those that an engine could take over.")
	case c.Confirmed == result.ClaimSplit:
		out = append(out, "Live: confirmed blocks are those that the backend itself reports as cached, and it tells prefix reuse from semantic reuse.")
	case c.Confirmed == result.ClaimCombined:
		out = append(out, "Live: confirmed blocks are those that the backend itself reports as cached. It reports exact and semantic reuse in one field, so this is confirmed reuse, and not semantic reuse alone.")
	default:
		out = append(out, "Live, and the backend reported no cached tokens of a clean request: nothing here is confirmed.")
	}
	if r.Run.Live != nil && r.Run.Planner != nil {
		out = append(out, "Candidate and eligible blocks remain an offline proxy.")
	}
	if r.Run.Live != nil && r.Run.Live.Resets == 0 {
		out = append(out, "No reset was declared, so nothing emptied the cache between the arms: a warm request may have found the prompt of its own cold one.")
	}
	if r.Exploratory {
		out = append(out, "Exploratory: the run left the scenario's lock alone, so nothing keeps its declaration from having followed its figures.")
	}
	return out
}

// incomplete says why a run is not complete, or "".
func incomplete(r *result.Result) string {
	if r.Conformance.Complete {
		return ""
	}
	return "Incomplete: " + r.Conformance.Reason + "."
}

// controlsMissing is said where a lift or a speed-up stands without a control.
const controlsMissing = "No negative control: nothing shows that what has nothing in common is left alone, so no lift and no speed-up is to be taken for useful."

// grouped prints a whole number with its thousands set apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func optionalCount(n *int64) string {
	if n == nil {
		return "none"
	}
	return grouped(*n)
}

// percent prints a share of 1 with two decimals.
func percent(v *float64) string {
	if v == nil {
		return "none"
	}
	return figure.Two(*v*100) + "%"
}

// points prints a difference of shares in percentage points, signed.
func points(l *result.Lift) string {
	if l == nil || l.Value == nil {
		return "none"
	}
	s := figure.Two(*l.Value * 100)
	if *l.Value > 0 {
		s = "+" + s
	}
	return s + " points"
}

// fraction prints a rate with both its sides.
func fraction(r *result.Rate) string {
	if r == nil {
		return "none"
	}
	return grouped(r.Numerator) + " of " + grouped(r.Denominator)
}

// coverage says of how many of how many requests a rate is.
func coverage(r *result.Rate, what string) string {
	if r == nil {
		return "not measured"
	}
	return fmt.Sprintf("%s of %s %s measured", grouped(r.Measured), grouped(r.Of), what)
}

// whole is a rate in one phrase: "48.55%, 351 of 723 blocks, 16 of 16 requests
// measured".
func whole(r *result.Rate, unit, what string) string {
	if r == nil {
		return "none"
	}
	return fmt.Sprintf("%s, %s %s, %s", percent(r.Value), fraction(r), unit, coverage(r, what))
}

// times prints a speed-up.
func times(v float64) string { return figure.Significant(v, 4) + "x" }

// speedup is a statistic with its interval and what it is over.
func speedup(i *result.Interval, confidence exact.Number) string {
	if i == nil {
		return "none"
	}
	s := fmt.Sprintf("%s (%s interval %s to %s, n = %s of %s", times(i.Value), percentOf(confidence), times(i.Low), times(i.High), plural(int64(i.N), "pair"), plural(int64(i.Clusters), "document"))
	if i.Few {
		s += ", too few for an interval to say much"
	}
	return s + ")"
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

func percentOf(n exact.Number) string { return n.Mul(exact.Int(100)).Decimal(2) + "%" }

func score(v *float64) string {
	if v == nil {
		return "none"
	}
	return strconv.FormatFloat(*v, 'f', 4, 64)
}

func milliseconds(v *float64) string {
	if v == nil {
		return "none"
	}
	return figure.Significant(*v, 4) + " ms"
}

// truth is a finding that may not exist.
func truth(b *bool) string {
	switch {
	case b == nil:
		return "no log was read"
	case *b:
		return "yes"
	}
	return "not shown"
}

// asks is what a row asks for.
func asks(rule string) string {
	q, _ := spec.Lookup(rule)
	return q.Text
}

func violation(v *result.Violation) string {
	s := v.Detail
	if v.Subject != "" {
		s = v.Subject + ": " + s
	}
	if v.Count > 1 {
		s += fmt.Sprintf(" (and %s more)", grouped(v.Count-1))
	}
	return s
}

// gateWords is how a gate went, in one phrase.
func gateWords(g *result.Gate) string {
	return map[string]string{result.GatePassed: "passed", result.GateFailed: "FAILED", result.GateNoData: "NO DATA"}[g.Status]
}

func observed(g *result.Gate) string {
	var parts []string
	for _, o := range g.Observed {
		parts = append(parts, o.Metric+" = "+o.Text)
	}
	return strings.Join(parts, ", ")
}

func reading(e *result.Evidence) string {
	switch {
	case e.Reuse:
		return "shown"
	case e.Summary.MaterializedReuse > 0:
		return "not shown: the requests of the log that have both are not this run's warm ones"
	case e.Summary.WholeLog:
		return "not shown: a hit and a materialisation are in the log, and never of one request"
	}
	return "not shown"
}

// own says how much of a log is of the run itself: it may hold other runs,
// donors and warm-ups.
func own(r *result.Result, e *result.Evidence) string {
	if r.Run.Live == nil {
		return "; the run sent none of them"
	}
	return fmt.Sprintf("; of this run's own it names %s, and of the warm ones %s both", grouped(e.Joined), map[bool]string{true: "1 has", false: grouped(e.Own) + " have"}[e.Own == 1])
}
