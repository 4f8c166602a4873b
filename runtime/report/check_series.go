package report

import (
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/measure"
)

// The clauses that a footer must have (FD-1.1-1, FD-1.2-6).
const (
	noVerdict = "do not say whether the detector is adequate for any purpose"
	noMeaning = "carry no meaning outside it"
	noRanking = "not made for ranking detectors across organisations"
)

// verdict finds words that judge a detector. The methodology has none: it
// describes (FD-1.1-1).
var verdict = regexp.MustCompile(`(?i)\b(pass(ed|es)?|fail(ed|s)?|(in)?adequate(ly)?|(un)?acceptable|satisfactory|SLO|winner)\b`)

var sha256Text = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// naming checks under which name the result is passed on.
func (c *checker) naming() {
	f := &c.r.Conformance
	statement := c.r.Footer.Statement
	if !strings.Contains(statement, noVerdict) {
		c.omit("FD-1.1-1", "footer.statement", "the report does not say that its values are no statement on whether the detector is adequate")
	}
	for _, x := range [][2]string{{"footer.statement", strings.ReplaceAll(statement, noVerdict, "")}, {"conformance.methodology", f.Methodology}, {"supplementary.note", c.r.Supplementary.Note}} {
		if w := verdict.FindString(x[1]); w != "" {
			c.omit("FD-1.1-1", x[0], "the report judges with the word %q; it describes a detector and sets no threshold of acceptance", w)
		}
	}
	if !strings.Contains(statement, noMeaning) || !strings.Contains(statement, noRanking) {
		c.omit("FD-1.2-6", "footer.statement", "the report does not say that its values mean nothing outside their environment and rank no detectors")
	}
	if c.r.Topology.Kind != kindSimulated && !c.attested("FD-1.2-6") {
		c.omit("FD-1.2-6", "conformance.attestations", "nobody attests what the values are used for")
	}
	if !sha256Text.MatchString(c.r.PlanDigest) || !sha256Text.MatchString(c.r.Footer.JournalSHA256) || c.r.Series == "" {
		c.omit("FD-1.2-1", "plan_digest", "the report does not name the one series, plan and journal that its values are of")
	}
	if n := len(c.r.Earlier); !c.r.Exploratory && n != c.r.Generation-1 && !c.violated("", "FD-3.2-3") {
		c.omit("FD-4.1-6", "generation", "this is generation %d of its series, and the declarations of %s before it are reported", c.r.Generation, plural(n, "generation"))
	}
	for i, x := range f.Reductions {
		if x.What == "" || x.Required == "" || x.Planned == "" {
			c.omit("FD-1.2-9", place("conformance.reductions", i, ""), "a reduction is listed without what was reduced, from what and to what")
		}
	}
	if !c.reasoned() {
		c.omit("FD-1.2-9", "conformance.reduced_reason", "the series is reduced, and the reason is not stated")
	}
	if n := len(c.offered); n > 0 && n < 4 && !c.reduced("load_points") {
		c.omit("FD-1.2-9", "conformance.reductions", "the series has %s instead of four, and this reduction is not stated", plural(n, "load point"))
	}
	c.status()
}

// status compares the name with what the other members give. A name that
// promises less than they give is wrong as well.
func (c *checker) status() {
	f := &c.r.Conformance
	const where = "conformance.status"
	if w := verdict.FindString(f.Status); w != "" {
		c.omit("FD-1.1-1", where, "the status judges with the word %q; it describes a detector and sets no threshold of acceptance", w)
		return
	}
	want := measure.StatusConformant
	switch {
	case f.Time != "real" || c.modelled():
		want = measure.StatusSimulated
	case len(f.Violations) > 0:
		want = measure.StatusNonconform
	case len(f.Reductions) > 0:
		want = measure.StatusReduced
	case c.boundNeeded():
		want = measure.StatusErrorBound
	}
	conformant := f.Status == measure.StatusConformant || f.Status == measure.StatusErrorBound
	switch {
	case !f.Complete && len(f.Violations) == 0:
		c.omit("FD-1.2-10", "conformance.complete", "the run is called incomplete, and nothing says what is missing")
	case c.r.Exploratory && f.Time == "real" && !c.violated("", "FD-4.1-5"):
		c.omit("FD-4.1-6", "exploratory", "the run kept no lock, and nothing says that its declaration may have been changed")
	case f.Time == "real" && c.modelled():
		c.omit("FD-1.2-10", "conformance.time", "the time is reported as real, and the apparatus or the deployment is a model")
	case f.Status == want:
	case conformant && c.violated("", "FD-3.4-4", "FD-3.4-5"):
		c.omit("FD-3.4-5", where, "the apparatus told the detector of an injection, and the series is called %s", f.Status)
	case conformant && c.violated("", "FD-4.1-5", "FD-4.1-6"):
		c.omit("FD-4.1-6", where, "the declaration of the signal was changed, and the series is called %s", f.Status)
	case want == measure.StatusErrorBound:
		c.omit("FD-3.5-5", where, "the clock offset stands as an error bound on every latency, and the result is called %s", f.Status)
	case f.Status == measure.StatusReduced && len(f.Reductions) == 0 && want == measure.StatusConformant:
		c.omit("FD-1.2-9", where, "the series is called reduced, and what was reduced is not stated")
	default:
		c.omit("FD-1.2-10", where, "the result is called %s, and what it says of its run makes it %s", f.Status, want)
	}
}

// modelled tells whether the apparatus or the deployment is a model, which
// nothing else in a result can make real.
func (c *checker) modelled() bool {
	var v struct {
		Serving plan.Serving `json:"serving"`
	}
	_ = json.Unmarshal(c.r.Comparability.ServingConfiguration.Value, &v) // keys says what is wrong with it
	return c.r.Apparatus.Kind == kindSimulated || v.Serving.Kind == kindSimulated || v.Serving.Kind == "recorded"
}

// approaches to response caching (FD-3.3-7).
var approaches = map[string]bool{"disabled": true, "no_hit_population": true}

// environment checks what the environment is and that the harness kept to it.
func (c *checker) environment() {
	t := &c.r.Topology
	inject, observe := slices.Index(t.Path, t.InjectionPoint), slices.Index(t.Path, t.ObservationPoint)
	position := "fip_upstream"
	switch {
	case inject == observe:
		position = positionSame
	case inject > observe:
		position = "fip_downstream"
	}
	switch {
	case t.Position == "" || positions[t.Position] == "":
		c.omit("FD-3.1-7", "topology.relative_position", "the position of the Fault Injection Point relative to the Observation Point is not reported")
	case inject >= 0 && observe >= 0 && t.Position != position:
		c.omit("FD-3.1-7", "topology.relative_position", "the points are reported as %q, and their order on the path is %q", t.Position, position)
	}
	if !approaches[c.r.Caching.Approach] {
		c.omit("FD-3.3-8", "caching.approach", "which of the two approaches to response caching was used is not reported")
	}
	said := c.violated("", "FD-1.1-3", "FD-7-1")
	if !slices.Contains([]string{kindSimulated, "lab", "ci"}, t.Kind) {
		if said {
			return
		}
		c.omit("FD-7-1", "topology.kind", "the kind of environment is %q; benchmarking is confined to simulated, lab and ci", t.Kind)
	} else if t.Kind != kindSimulated && !c.attested("FD-7-1") {
		c.omit("FD-7-1", "conformance.attestations", "nobody attests that the environment is a test environment")
	}
	if c.r.Conformance.Time == "real" && len(c.r.Targets) == 0 && !said {
		c.omit("FD-7-1", "targets", "the series was run in real time, and what the harness talked to is not reported")
	}
	for i, x := range c.r.Targets {
		address, err := netip.ParseAddrPort(x.Address)
		_, confined := confine.Check(address.Addr())
		switch {
		case said:
		case x.Name == "" || err != nil:
			c.omit("FD-7-1", place("targets", i, "address"), "the harness talked to a target whose name or address is not reported")
		case !confined && !x.OptedIn:
			c.omit("FD-7-1", place("targets", i, "opted_in"), "the harness talked to %s at %s, outside the confined ranges, and nothing says that the command line let it through", x.Name, x.Address)
		}
	}
}

const positionSame = "same"

// signal checks that the attribution criterion stands in the report. A series
// applies several faults, one after the other, and may be made up of several
// classes (FD-4.4-2).
func (c *checker) signal() {
	if c.r.Signal.Attribution == "" {
		c.omit("FD-4.4-2", "signal.attribution", "the criterion by which a signal is attributed to one of the faults is not reported")
	}
}

// boundNeeded tells whether every latency has to carry the clock offset.
func (c *checker) boundNeeded() bool {
	ok := c.r.Clocks.OnePercent
	return ok != nil && !*ok
}

// clocks checks section 3.5.
func (c *checker) clocks() {
	k := &c.r.Clocks
	switch {
	case k.Arrangement != "same_host" && k.Arrangement != "probed" && k.Arrangement != "chrony":
		c.omit("FD-3.5-7", "clocks.arrangement", "neither one host nor two whose offset is measured is reported as the arrangement of the clocks")
		return
	case k.Arrangement == "same_host":
		if k.Apparatus != k.Detector && !c.violated("", "FD-3.5-6") {
			c.omit("FD-3.5-7", "clocks.arrangement", "the arrangement is reported as one host, and the stamps come from %q and %q", k.Apparatus, k.Detector)
		}
		c.onePercent(exact.Number{})
		return
	case c.r.Conformance.Time != "real":
		return
	}
	missing := c.explained("", "FD-3.5-2")
	if k.MaxOffset == nil || k.Probes <= 0 || k.Method == "" {
		if !missing {
			c.omit("FD-3.5-3", "clocks.max_offset_s", "the clocks are on two hosts, and the largest offset, how it was measured or how often is not reported")
		}
		return
	}
	c.onePercent(decimal(*k.MaxOffset))
}

// onePercent holds the offset of the clocks, the period of a detector that is
// asked at intervals, and the span of the apply call against the smallest
// latency (AMB-14).
func (c *checker) onePercent(offset exact.Number) {
	k := &c.r.Clocks
	what := "the clock offset"
	if p := c.polled(); p != nil {
		offset, what = offset.Add(*p), boundWords(k)
	}
	if k.Span != nil {
		offset, what = offset.Add(decimal(*k.Span)), boundWords(k)
	}
	smallest, any := c.smallestLatency()
	if kind := c.r.Apparatus.Kind; any && k.Span == nil && (kind == "http" || kind == "command") && c.r.Conformance.Time == "real" {
		c.omit("FD-3.5-4", "clocks.apply_span_s", "a call applies the faults, and the report does not say how long it took, within which they came into force")
	}
	switch {
	case !any || offset.Sign() == 0 && k.OnePercent == nil && k.Arrangement == "same_host":
	case k.OnePercent == nil:
		c.omit("FD-3.5-4", "clocks.one_percent_ok", "latencies are reported, and not whether %s is below one percent of the smallest", what)
	case *k.OnePercent && offset.Mul(hundred).Cmp(decimal(smallest)) >= 0:
		c.omit("FD-3.5-4", "clocks.one_percent_ok", "%s of %s s is not smaller than one percent of a latency of %s s", what, offset, number(&smallest))
	case !*k.OnePercent:
		for i, l := range c.r.Latency {
			if l.ErrorBoundS == nil || decimal(*l.ErrorBoundS).Cmp(offset) < 0 {
				c.omit("FD-3.5-5", place("latency", i, "error_bound_s"), "the latency of %s does not carry %s as its error bound", rowName(l.Class, l.Magnitude, l.Profile, l.Load), what)
			}
		}
	}
}

// polled is by how much signals may have been received late because the
// detector is asked at intervals, nil where they are delivered. A detector that
// can only be asked has a period, whatever the result says.
func (c *checker) polled() *exact.Number {
	k, d := &c.r.Clocks, &c.r.Detector
	if c.r.Conformance.Time != "real" {
		return nil
	}
	var period exact.Number
	if k.Poll != nil {
		period = decimal(*k.Poll)
	}
	if v := d.Live; v != nil && (d.Kind == "poll" || d.Kind == "command" || d.Kind == "prometheus" && v.Listen == "") && period.Cmp(v.Interval.Seconds()) < 0 {
		c.omit("FD-3.5-4", "clocks.poll_period_s", "the detector is asked every %s, and the report does not say that a signal may be received as late", v.Interval)
		period = v.Interval.Seconds()
	}
	if period.Sign() == 0 {
		return nil
	}
	return &period
}

// smallestLatency is the smallest that is printed. The rule itself is about
// every single trial; measure decides it from the journal.
func (c *checker) smallestLatency() (smallest float64, any bool) {
	for _, l := range c.r.Latency {
		for _, v := range []*float64{l.MedianS, l.P95S, l.MeanS} {
			if v != nil && *v > 0 && (!any || *v < smallest) {
				smallest, any = *v, true
			}
		}
	}
	return smallest, any
}

// reasoned tells whether every reduction has its reason: that of the series, or
// of fewer load points the one with which FD-3.3-4 is set aside.
func (c *checker) reasoned() bool {
	f := &c.r.Conformance
	if strings.TrimSpace(f.ReducedReason) != "" {
		return true
	}
	for _, x := range f.Reductions {
		aside := func(d measure.Deviation) bool { return d.Rule == "FD-3.3-4" && strings.TrimSpace(d.Because) != "" }
		if x.What != "load_points" || !slices.ContainsFunc(f.Deviations, aside) {
			return false
		}
	}
	return true
}
