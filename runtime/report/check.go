package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/spec"
)

// checker gathers what a result lacks.
type checker struct {
	r        *measure.Result
	list     []omission.Omission
	offered  []string // the load points of the declared offered load
	arrivals string
	classes  map[string]string // fault class to indicator
	stopped  bool              // the result says that the series did not come to its end
}

func newChecker(r *measure.Result) *checker {
	c := &checker{r: r, classes: map[string]string{}}
	var load struct {
		Points   []string `json:"points"`
		Arrivals string   `json:"arrivals"`
	}
	if json.Unmarshal(r.Comparability.OfferedLoad.Value, &load) == nil {
		c.offered, c.arrivals = load.Points, load.Arrivals
	}
	for _, fc := range r.FaultClasses {
		c.classes[fc.Name] = fc.Indicator
	}
	for _, v := range r.Conformance.Violations {
		c.stopped = c.stopped || v.Rule == measure.RuleSeries || v.Effect == string(spec.Stops)
	}
	return c
}

// omit records an omission. The detail is a sentence without its end.
func (c *checker) omit(rule, where, detail string, args ...any) {
	c.list = append(c.list, omission.Omission{Rule: rule, Where: where, Detail: fmt.Sprintf(detail, args...)})
}

// explained tells whether the result says itself that something could not be
// measured at a load: as a series that stopped, or by a violation of one of
// these rules that names the load or no load at all.
func (c *checker) explained(load string, rules ...string) bool {
	return c.stopped || c.violated(load, rules...)
}

func (c *checker) violated(load string, rules ...string) bool {
	return slices.ContainsFunc(c.r.Conformance.Violations, func(v measure.Violation) bool {
		return slices.Contains(rules, v.Rule) && (load == "" || !strings.Contains(v.Detail, loadUnit) || names(v.Detail, load))
	})
}

const loadUnit = "req/s"

// names tells whether a sentence names a load: "10 req/s" is no part of
// "110 req/s" or "0.10 req/s".
func names(sentence, load string) bool {
	for rest := sentence; ; {
		i := strings.Index(rest, load)
		if i < 0 {
			return false
		}
		if i == 0 || !strings.ContainsRune("0123456789.", rune(rest[i-1])) {
			return true
		}
		rest = rest[i+len(load):]
	}
}

// reduced tells whether the result lists a reduction of a kind.
func (c *checker) reduced(what string) bool {
	return slices.ContainsFunc(c.r.Conformance.Reductions, func(x measure.Reduction) bool { return x.What == what })
}

// attested tells whether the part of a row that no program decides is stated
// by somebody. Subjects are written "fd_7_1" in a scenario.
func (c *checker) attested(rule string) bool {
	return slices.ContainsFunc(c.r.Conformance.Attested, func(a measure.Attested) bool {
		return sameRow(a.Subject, rule) && a.By != "" && a.Statement != ""
	})
}

func sameRow(subject, rule string) bool {
	plain := strings.NewReplacer("-", "_", ".", "_")
	return strings.EqualFold(plain.Replace(subject), plain.Replace(rule))
}

// base is the baseline row of a class's indicator at a point.
func (c *checker) base(load, class, point string) *measure.Baseline {
	for i := range c.r.Baseline {
		b := &c.r.Baseline[i]
		if b.Load == load && b.Indicator == c.classes[class] && b.Point == point {
			return b
		}
	}
	return nil
}

// baselineSD is the standard deviation that a class's magnitudes are compared
// with: that of its indicator as the detector sees it (AMB-02).
func (c *checker) baselineSD(load, class string) *string {
	if b := c.base(load, class, "observation"); b != nil {
		return b.SD
	}
	return nil
}

// noBaseline are the rules whose violation says that a baseline is missing.
var noBaseline = []string{"FD-1.2-2", "FD-4.2-1", "FD-4.2-2", "FD-4.2-3", "FD-4.2-4", "FD-4.2-5"}

// fewer are the rules whose violation says that trials are missing.
var fewer = []string{"FD-3.4-8", "FD-4.3-3", "FD-4.3-4", "FD-5.1-7", "FD-5.1-8", "FD-5.5-5"}

// unsearched are the rules whose violation says why a search has no outcome.
var unsearched = slices.Concat(fewer, noBaseline, []string{"FD-5.3-3", "FD-5.3-4", "FD-5.3-5", "FD-5.3-6", "FD-5.3-7", "FD-5.3-8"})

// unmasked are those whose violation says why a masking has too few trials.
var unmasked = slices.Concat(fewer, noBaseline, []string{"FD-5.5-1", "FD-5.5-2", "FD-5.5-3", "FD-5.5-4"})

// decimal is the number that a figure of the result is written as.
func decimal(v float64) exact.Number {
	if n, err := exact.Parse(strconv.FormatFloat(v, 'g', -1, 64)); err == nil {
		return n
	}
	n, _ := exact.FromFloat(v)
	return n
}

// numberOf parses an exact decimal of the result.
func numberOf(s *string) (exact.Number, bool) {
	if s == nil {
		return exact.Number{}, false
	}
	n, err := exact.Parse(*s)
	return n, err == nil
}

// targetOf reads a target coverage as it is declared: "18/20", "0.9", "90%".
func targetOf(s string) (exact.Number, bool) {
	n, err := quantity.ParseRatio(s)
	return n, err == nil && n.Sign() > 0 && n.Cmp(exact.Int(1)) <= 0
}

// canonical is a value in canonical JSON, or "" where it has none.
func canonical(v any) string {
	b, err := plan.Canonical(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// place is the path of an element's member: "latency[3].median_s".
func place(list string, i int, member string) string {
	p := fmt.Sprintf("%s[%d]", list, i)
	if member != "" {
		p += "." + member
	}
	return p
}
