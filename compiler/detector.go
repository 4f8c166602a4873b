package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
)

// detector is a decoded detector block.
type detector struct {
	ok         bool
	block      *lang.Block
	plan       plan.Detector
	indicators []*indicator // beside plan.Indicators
	rules      *promrules.RuleFile
}

func (c *compilation) detector(s *symbol) *detector {
	if v, ok := c.detectors[s]; ok {
		return v
	}
	v := &detector{block: s.block}
	c.detectors[s] = v
	d := c.decode(s.block)
	v.plan = plan.Detector{
		Name: s.name, Kind: s.block.Labels[0], Version: d.text("version"), Adaptive: d.flag("adaptive"),
		Alerts: []plan.Alert{},
	}
	for _, b := range s.block.All("indicator") {
		c.detectorIndicator(d, v, b)
	}
	switch v.plan.Kind {
	case "threshold":
		v.plan.Evaluate = d.longer("evaluate")
		v.plan.Windows = d.text("windows")
		for _, b := range s.block.All("alert") {
			c.thresholdAlert(d, v, b)
		}
	case "ewma":
		for _, b := range s.block.All("alert") {
			c.ewmaAlert(d, v, b)
		}
	case "cusum":
		for _, b := range s.block.All("alert") {
			c.cusumAlert(d, v, b)
		}
	case "prometheus_rules":
		c.prometheus(d, v)
	default:
		c.liveDetector(d, v)
	}
	if b := s.block.One("alertmanager"); b != nil {
		c.alertmanager(d, v, b)
	}
	v.ok = !d.bad
	return v
}

func (c *compilation) detectorIndicator(parent *decoder, v *detector, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	p := plan.DetectorIndicator{Label: b.Labels[0]}
	var i *indicator
	if s := d.ref("method"); s != nil {
		i = c.indicator(s)
		p.Indicator = s.name
		d.bad = d.bad || !i.ok
	}
	w, ok := parsed(d, "window", `a duration such as "5m", or "200 requests"`, quantity.ParseWindow)
	p.Window = plan.Window{Duration: w.Duration, Requests: w.Requests}
	if ok && w.Duration <= 0 && w.Requests <= 0 {
		d.refuse("window", "Empty window", "An aggregation window is longer than nothing.")
	}
	if ok && (w.Duration > maxSpan || w.Requests > maxCount) {
		d.refuse("window", "Window out of range", "A window is at most 10 years, or 1000000000 requests.")
	}
	if n := d.share("sampling", false); n != nil {
		p.Sampling = *n
	}
	if b.Schema.Attr("exports") != nil {
		p.Exports = d.text("exports")
	}
	if j := b.One("judge"); j != nil {
		n := c.decode(j)
		p.JudgeModel, p.JudgeVersion = n.text("model"), n.text("version")
		d.bad = d.bad || n.bad
	}
	v.plan.Indicators = append(v.plan.Indicators, p)
	v.indicators = append(v.indicators, i)
}

// maxSpan bounds every duration of a scenario, so that sums of thousands of
// them still fit into exact.Duration's 292 years for any sane series and
// overflow only where the budget says so.
const maxSpan = 3650 * exact.Day

// alert starts a decoded alert: its name and the label of the detector's
// indicator that it watches.
func (c *compilation) alert(v *detector, b *lang.Block) (*decoder, plan.Alert) {
	d := c.decode(b)
	a := plan.Alert{Name: b.Labels[0]}
	s := d.ref("indicator")
	if s == nil {
		return d, a
	}
	var labels []string
	for _, i := range v.plan.Indicators {
		if i.Indicator == "" {
			return d, a // its method could not be read, and might be this one
		}
		if i.Indicator == s.name {
			labels = append(labels, i.Label)
		}
	}
	switch {
	case len(labels) == 0:
		d.refuse("indicator", "Indicator that is not computed",
			fmt.Sprintf("The detector has no indicator block with method = indicator.%s, so no alert can watch it. Add one, with its window.", s.name))
	case len(labels) > 1:
		d.refuse("indicator", "Indicator in two windows",
			fmt.Sprintf("The detector computes indicator.%s more than once (%s), so this alert is ambiguous. Use one detector block for each.", s.name, strings.Join(labels, ", ")))
	default:
		a.Indicator = labels[0]
	}
	return d, a
}

func (c *compilation) thresholdAlert(parent *decoder, v *detector, b *lang.Block) {
	d, a := c.alert(v, b)
	defer func() { parent.bad = parent.bad || d.bad }()
	for _, name := range []string{"above", "at_least", "below"} {
		if d.given(name) {
			a.Comparator, a.Threshold = name, d.number(name)
		}
	}
	a.For, a.KeepFiring = d.span("for"), d.span("keep_firing_for")
	a.MinResponses = d.count("min_responses", 0)
	v.plan.Alerts = append(v.plan.Alerts, a)
}

// span reads a duration of at least 0.
func (d *decoder) span(name string) exact.Duration {
	v := d.duration(name)
	if v < 0 || v > maxSpan {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q is at least 0s and at most 10 years.", name))
		return 0
	}
	return v
}

func (c *compilation) chart(d *decoder, v *detector, a *plan.Alert) {
	a.Center, a.SD = d.number("center"), d.positive("sd")
	a.Sides = d.text("sides")
	w, ok := parsed(d, "learn", `a number of windows such as "20 windows"`, quantity.ParseSpan)
	if !ok {
		return
	}
	n, whole := w.Windows.Int64()
	switch {
	case a.Center != nil && a.SD != nil:
		// Nothing is left to learn.
	case !w.InWindows() || !w.Windows.IsInt() || !whole || n < 2 || n > maxCount:
		d.refuse("learn", "Whole number of windows expected", "A chart learns from at least 2 whole windows: write \"20 windows\".")
	default:
		a.Learn = n
	}
}

func (c *compilation) ewmaAlert(parent *decoder, v *detector, b *lang.Block) {
	d, a := c.alert(v, b)
	defer func() { parent.bad = parent.bad || d.bad }()
	a.Lambda, a.Limit = d.share("lambda", false), d.positive("limit")
	c.chart(d, v, &a)
	v.plan.Alerts = append(v.plan.Alerts, a)
}

func (c *compilation) cusumAlert(parent *decoder, v *detector, b *lang.Block) {
	d, a := c.alert(v, b)
	defer func() { parent.bad = parent.bad || d.bad }()
	a.Decision, a.Reset = d.positive("decision"), d.flag("reset_on_alarm")
	if d.given("up") {
		c.perResponse(d, v, &a)
	} else {
		a.Reference = d.positiveOrZero("reference")
		c.chart(d, v, &a)
	}
	v.plan.Alerts = append(v.plan.Alerts, a)
}

// perResponse reads a cumulative sum of whole numbers over single responses.
func (c *compilation) perResponse(d *decoder, v *detector, a *plan.Alert) {
	a.Up, a.Down = d.count("up", 1), d.count("down", 1)
	if a.Decision != nil && !a.Decision.IsInt() {
		d.refuse("decision", "Whole number expected", "With \"up\" and \"down\" the sum moves in whole numbers, so the decision is one too.")
	}
	for _, name := range []string{"center", "sd", "learn", "sides"} {
		if d.given(name) {
			d.refuse(name, "Setting of another chart", fmt.Sprintf("With \"up\" and \"down\" the chart counts responses, and %q means nothing.", name))
		}
	}
	i := slices.IndexFunc(v.plan.Indicators, func(i plan.DetectorIndicator) bool { return i.Label == a.Indicator })
	if i >= 0 && v.indicators[i] != nil && v.indicators[i].plan.Kind == "mean" {
		d.refuse("up", "Count of a mean", "Only the responses of a rate count as good or bad. Use \"reference\" for a mean.")
	}
	a.Sides = "up"
}

func (c *compilation) alertmanager(parent *decoder, v *detector, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	v.plan.Manager = &plan.Alertmanager{
		GroupBy: nonNil(d.texts("group_by")), GroupWait: d.span("group_wait"), GroupInterval: d.longer("group_interval"),
		RepeatInterval: d.longer("repeat_interval"), SendResolved: d.flag("send_resolved"),
	}
	if v.plan.Live == nil {
		v.plan.Manager.Maintenance = d.span("maintenance")
		return
	}
	v.plan.Manager.Cleanup, v.plan.Live.Alertmanager = d.span("cleanup"), d.target("url")
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// prometheus reads the settings of a rule file and the file itself. Its alerts
// become those of the plan, with their expressions.
func (c *compilation) prometheus(d *decoder, v *detector) {
	p := &plan.Prometheus{
		ScrapeInterval: d.longer("scrape_interval"), EvaluationInterval: d.longer("evaluation_interval"),
		CounterResets: d.span("counter_resets"), Total: d.text("total"), Job: d.text("job"), Instance: d.text("instance"), Labels: constantLabels(d),
	}
	if n := d.share("scrape_failures", true); n != nil {
		p.ScrapeFailures = *n
		if n.Cmp(exact.Int(1)) == 0 {
			d.refuse("scrape_failures", "Share out of range", "With every scrape failing the rules see nothing. Write a share below 1.")
		}
	}
	c.ruleFile(d, v, p)
}

// ruleFile reads the rule file of a detector, whose alerts become those of the
// plan.
func (c *compilation) ruleFile(d *decoder, v *detector, p *plan.Prometheus) {
	v.plan.Prometheus = p
	name := c.fileName(d, "rules")
	if name == "" {
		return
	}
	f := c.file(d, "rules", name, "rules")
	if f == nil {
		return
	}
	p.RulesFile, p.Rules = name, string(f.bytes)
	c.doc.Sources().Add(name, f.bytes, nil)
	rules, errs := promrules.Parse(name, f.bytes)
	for _, err := range errs {
		c.ruleFileError(d, f, err)
	}
	if rules == nil {
		d.fail("rules")
		return
	}
	v.rules = rules
	p.MaxRange = rules.MaxRange
	for _, a := range rules.Alerts {
		v.plan.Alerts = append(v.plan.Alerts, plan.Alert{
			Name: a.Name, Expr: a.Expr, For: a.For, KeepFiring: a.KeepFiringFor,
		})
	}
}

// constantLabels reads the labels that every exported counter carries.
func constantLabels(d *decoder) map[string]string {
	all := d.params("labels")
	for _, name := range sortedKeys(all) {
		switch {
		case name == "job" || name == "instance":
			d.refuse("labels", "Label with an argument of its own", fmt.Sprintf("Write %s = %q beside \"labels\": Prometheus itself gives every sample this label.", name, all[name]))
		case name == "le" || name == "quantile" || strings.HasPrefix(name, "__"):
			d.refuse("labels", "Reserved label", fmt.Sprintf("%q is not a label of a counter.", name))
		case !promrules.IsLabelName(name):
			d.refuse("labels", "Not a label", fmt.Sprintf("%q is not a name for a label.", name))
		case all[name] == "":
			d.refuse("labels", "Empty label", fmt.Sprintf("To Prometheus a label without a value is no label. Give %q a value, or leave it out.", name))
		}
	}
	return all
}

// ruleFileError points at the line of the rule file itself where it is known.
func (c *compilation) ruleFileError(d *decoder, f *inputFile, err error) {
	e, ok := err.(*promrules.RuleError)
	if !ok || e.Line == 0 {
		message := err.Error()
		if ok {
			message = e.Message
		}
		c.errorAt(d.at("rules"), "LANG-rules", "Rule file does not load", fmt.Sprintf("%s: %s", f.name, sentence(message)))
		return
	}
	from := 0
	for line := 1; line < e.Line; line++ {
		i := strings.IndexByte(string(f.bytes[from:]), '\n')
		if i < 0 {
			break
		}
		from += i + 1
	}
	to := from
	for to < len(f.bytes) && f.bytes[to] != '\n' {
		to++
	}
	if e.Column > 1 && from+e.Column-1 < to {
		from += e.Column - 1
	}
	summary := "Rule file does not load"
	if e.Unsupported {
		summary = "Rule that cannot be simulated"
	}
	c.errorAt(c.doc.Sources().Range(f.name, from, to), "LANG-rules", summary, sentence(e.Message))
}
