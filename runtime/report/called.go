package report

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
)

// heading is what a result is called, and sentence what that means. Only a
// result that keeps every requirement is called one under the methodology
// (FD-1.2-10). Whatever else it is, a reduced series is called reduced
// (FD-1.2-9), and one without a lock exploratory.
func heading(r *measure.Result) string {
	s := "not a result under the methodology"
	switch r.Conformance.Status {
	case measure.StatusSimulated:
		s = "simulated"
	case measure.StatusReduced:
		s = "reduced series"
	case measure.StatusErrorBound:
		s = "result under the methodology, with an error bound on every latency"
	case measure.StatusConformant:
		s = "result under the methodology"
	}
	if len(r.Conformance.Reductions) > 0 && r.Conformance.Status != measure.StatusReduced {
		s += ", reduced series"
	}
	if r.Exploratory {
		s += ", exploratory"
	}
	return s
}

func sentence(r *measure.Result) string {
	switch r.Conformance.Status {
	case measure.StatusSimulated:
		return "Run in virtual time: the figures describe a detector in front of the model of a deployment, not of a running one. " +
			"They are not a result under the methodology."
	case measure.StatusReduced:
		return "A reduced series for screening. It is not a result under the methodology."
	case measure.StatusErrorBound:
		return "The clocks' offset could not be kept below one percent of the smallest latency, so it stands as an error bound on every latency."
	case measure.StatusConformant:
		return "Every requirement that the compiler and the journal can show is kept."
	}
	return "It breaks the requirements listed below."
}

// incomplete is a sentence for a run that did not do all that was planned, or "".
func incomplete(r *measure.Result) string {
	if r.Conformance.Complete {
		return ""
	}
	return "The run is incomplete: it did not do all that the plan asks for. Rows below count only what was done."
}

var reductionNames = map[string]string{
	"trials": "trials", "load_points": "load points", "search_resolution": "search resolution", "search": "threshold",
}

// Reduction is a reduction in words, as every output has it.
func Reduction(x measure.Reduction) string {
	name := reductionNames[x.What]
	if name == "" {
		name = strings.ReplaceAll(x.What, "_", " ")
	}
	return fmt.Sprintf("%s: %s instead of %s", name, x.Planned, x.Required)
}

// reductions lists them in one sentence with the author's reason, "" where
// there are none.
func reductions(r *measure.Result) string {
	var parts []string
	for _, x := range r.Conformance.Reductions {
		parts = append(parts, Reduction(x))
	}
	s := strings.Join(parts, "; ")
	if reason := strings.TrimSpace(r.Conformance.ReducedReason); s != "" && reason != "" {
		s += "; reason: " + reason
	}
	return s
}

// exploratory says what a run without the lock lacks.
const exploratory = "Exploratory: run without the lock, so nothing shows that the declaration was not changed in between, and it is not to be compared with anything."

// optedIn says of a target what letting it through means (FD-7-1).
const optedIn = "OUTSIDE THE CONFINED RANGES, let through by the command line"

// Words that stand in place of a value that must not be published.
const (
	withheldLatencyWords   = "withheld: no false detection rate (FD-5.4-6)"
	withheldThresholdWords = "withheld: no false detection rate (FD-5.4-7)"
)

// withheldLatency tells whether a row has no values because no False Detection
// Rate accompanies them.
func withheldLatency(l *measure.Latency) bool {
	return l.Withheld != "" && l.MedianS == nil && l.P95S == nil && l.MeanS == nil
}

// withheldThreshold tells the same of a threshold. The steps of its search
// would give it away.
func withheldThreshold(t *measure.Threshold) bool {
	return t.Withheld != "" && t.UpperBound == nil && len(t.Trace) == 0
}

// effect says what a violation led to.
func effect(v measure.Violation) string {
	if v.Effect == "" {
		return string(spec.Marks)
	}
	return v.Effect
}

// asks is what a requirement asks for, "" for a rule of another table.
func asks(rule string) string {
	q, _ := spec.Lookup(rule)
	return q.Text
}

// subject is what an attestation is about: a row of the table by its id, where
// the scenario wrote "fd_7_1".
func subject(a measure.Attested) string {
	for _, q := range spec.FaultDetection() {
		if sameRow(a.Subject, q.ID) {
			return q.ID
		}
	}
	return a.Subject
}
