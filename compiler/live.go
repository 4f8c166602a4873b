package compiler

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/stdlib/text"
	"github.com/hashicorp/hcl/v2"
)

// wiring is the rule on how the parts of a live environment fit together.
const wiring = "LANG-live"

// live tells whether the series measures a deployment that runs by itself.
func (s *series) live() bool { return s.plan.Declaration.Serving.Endpoint != nil }

// wire checks that the parts of a series are all of a simulation or all of the
// world outside, and that those outside find one another.
func (s *series) wire() {
	if !s.ctx.Knows(rule.Environment, rule.Detector) || s.detector == nil {
		return
	}
	d := &s.plan.Declaration
	outside := d.Detector.Live != nil
	apparatus := d.Apparatus.Kind != "simulated"
	switch {
	case s.live() && !apparatus:
		s.miswired(s.ctx.Apparatus.LabelRanges[0], "Apparatus of a simulation",
			"serving.%s runs by itself, and a simulated apparatus acts inside of a simulated deployment only. Write apparatus \"proxy\", which changes responses on their way, or \"http\" or \"command\", which set a mechanism of the deployment.", d.Serving.Name)
	case !s.live() && apparatus:
		s.miswired(s.ctx.Apparatus.LabelRanges[0], "Apparatus without a deployment",
			"serving.%s exists only in virtual time, where nothing can be proxied or called. Write apparatus \"simulated\", or serving \"openai\" with the deployment's address.", d.Serving.Name)
	case s.live() && !outside:
		s.miswired(s.ctx.Detector.LabelRanges[0], "Detector of a simulation",
			"serving.%s runs by itself, and detector %q is computed in virtual time. Write detector \"prometheus\", \"webhook\", \"poll\" or \"command\": the detector that watches the deployment.", d.Serving.Name, d.Detector.Kind)
	case !s.live() && outside:
		s.miswired(s.ctx.Detector.LabelRanges[0], "Detector without a deployment",
			"detector.%s runs by itself and cannot see serving.%s, which exists only in virtual time. A rule file is tried in virtual time by detector \"prometheus_rules\".", d.Detector.Name, d.Serving.Name)
	case s.live():
		s.wireLive()
	}
}

func (s *series) miswired(place hcl.Range, summary, format string, args ...any) {
	s.c.errorAt(place, wiring, summary, fmt.Sprintf(format, args...))
	s.d.bad = true
}

func (s *series) wireLive() {
	d := &s.plan.Declaration
	if d.Environment.Kind == "simulated" {
		s.miswired(s.c.decode(s.ctx.Environment).at("kind"), "Simulation of a running deployment",
			"serving.%s runs by itself, so the environment is no simulation. Write kind = \"lab\" or \"ci\".", d.Serving.Name)
	}
	for _, b := range s.ctx.Environment.All("guardrail") {
		s.c.diags.Add(diag.Diagnostic{Severity: diag.Note, Rule: wiring, Summary: "Share that is measured", Subject: b.DefRange.Ptr(),
			Detail: "A running guardrail restores what it restores, whatever \"masks\" says. The masking block of the series measures it."})
	}
	s.addresses()
	switch d.Apparatus.Kind {
	case "proxy":
		s.changeable()
	default:
		s.levels()
	}
}

// address is one end of a connection as a scenario writes it.
type address struct {
	what     string
	hostPort string
	place    hcl.Range
	listens  bool
}

// endpoints lists the addresses of a live series.
func (s *series) endpoints() []address {
	d := &s.plan.Declaration
	var list []address
	add := func(what, text string, b *lang.Block, attr string, listens bool) {
		if text == "" || b == nil {
			return
		}
		at := hostPortOf(text)
		if at != "" {
			list = append(list, address{what: what, hostPort: at, place: s.c.decode(b).at(attr), listens: listens})
		}
	}
	add("base_url", d.Serving.Endpoint.BaseURL, s.ctx.Serving, "base_url", false)
	if p := d.Apparatus.Proxy; p != nil {
		add("the proxy", p.Listen, s.ctx.Apparatus, "listen", true)
		add("upstream", p.Upstream, s.ctx.Apparatus, "upstream", false)
	}
	if p := d.Apparatus.HTTP; p != nil {
		for _, call := range []struct{ typ, url string }{{"apply", p.Apply.URL}, {"remove", p.Remove.URL}, {"check", p.Check.URL}} {
			add("the "+call.typ+" call", call.url, s.ctx.Apparatus.One(call.typ), "url", false)
		}
	}
	l := d.Detector.Live
	add("the receiver", l.Listen, s.ctx.Detector.One("receiver"), "listen", true)
	add("the detector's url", l.URL, s.ctx.Detector, "url", false)
	add("the alertmanager's url", l.Alertmanager, s.ctx.Detector.One("alertmanager"), "url", false)
	add("configuration_url", l.Configuration, s.ctx.Detector, "configuration_url", false)
	add("the responder", d.Environment.Responder, s.ctx.Environment.One("clocks"), "responder", false)
	return list
}

// hostPortOf is the host and port of a URL or of a plain address, with the
// names of one loopback address made equal.
func hostPortOf(text string) string {
	host, port := "", ""
	if strings.Contains(text, "://") {
		u, err := url.Parse(braced.ReplaceAllString(text, "x"))
		if err != nil {
			return ""
		}
		host, port = strings.ToLower(u.Hostname()), confine.Port(u)
	} else if h, p, err := net.SplitHostPort(text); err == nil {
		host, port = strings.ToLower(h), p
	}
	switch host {
	case "localhost", "::1", "localhost.":
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// addresses refuses two listeners at one place, and requests that lead to the
// wrong one.
func (s *series) addresses() {
	list := s.endpoints()
	d := &s.plan.Declaration
	at := func(what string) string {
		for _, a := range list {
			if a.what == what {
				return a.hostPort
			}
		}
		return ""
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.hostPort != b.hostPort {
				continue
			}
			switch {
			case a.listens && b.listens:
				s.miswired(a.place, "Port listed twice", "%s and %s both listen at %s. Give each a port of its own.", upper(b.what), a.what, a.hostPort)
			case a.what == "upstream" && b.what == "the proxy":
				s.miswired(a.place, "Proxy that asks itself", "The proxy listens at %s and passes requests on to the same place, so that none would ever be answered. Write the address of the deployment behind it.", a.hostPort)
			case a.listens != b.listens && !(b.what == "base_url" && a.what == "the proxy"):
				listener, caller := a, b
				if b.listens {
					listener, caller = b, a
				}
				s.miswired(caller.place, "Address of a listener of the harness", "%s leads to %s, where %s of the harness listens. Write the address of the service that is meant.", upper(caller.what), caller.hostPort, strings.TrimPrefix(listener.what, "the "))
			}
		}
	}
	if d.Apparatus.Proxy == nil {
		return
	}
	base := s.c.decode(s.ctx.Serving).at("base_url")
	switch at("base_url") {
	case "":
	case at("upstream"):
		s.miswired(base, "Requests that pass by the proxy",
			"base_url and the proxy's upstream are both %s, so requests reach the deployment without passing the apparatus, and no fault would ever be applied. Point base_url at the observation point, and that at the proxy, which listens at %s.", at("upstream"), d.Apparatus.Proxy.Listen)
	case at("the proxy"):
		if d.Environment.Position != "same" {
			s.miswired(base, "Observation point that is not passed",
				"base_url is the proxy itself, so a response passes %q and not %q, where the detector observes. Point base_url at what stands at the observation point, such as fdbench tap, and that at the proxy; or write observe_at = %q.", d.Environment.InjectAt, d.Environment.ObserveAt, d.Environment.InjectAt)
		}
	}
}

func upper(s string) string {
	if s == "" || strings.HasPrefix(s, "base_url") || strings.HasPrefix(s, "configuration_url") || s == "upstream" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// changeable checks that the proxy can make each class's change, in a stream
// where answers come as one.
func (s *series) changeable() {
	for _, f := range s.classes {
		if f.plan.Transform == "" {
			s.miswired(s.placeOfClass(f), "Class that the proxy cannot apply",
				"The proxy changes the text of an answer by a transform, and fault_class.%s has none. Choose a class with a transform, or apparatus \"http\" or \"command\".", f.plan.Name)
			continue
		}
		if t, ok := text.LookupTransform(f.plan.Transform); ok && t.Stream == nil && s.plan.Declaration.Serving.Endpoint.Stream {
			s.miswired(s.placeOfClass(f), "Class without a streaming form",
				"Answers are streamed, and %s of fault_class.%s needs the whole text before the first word. Write stream = false in serving.%s, or choose another class.", t.ID, f.plan.Name, s.plan.Declaration.Serving.Name)
		}
	}
}

// levels checks that an apparatus that sets a mechanism has a level for every
// magnitude, and is asked for nothing that it cannot do.
func (s *series) levels() {
	a := &s.plan.Declaration.Apparatus
	needed := len(a.Levels) > 0 || a.HTTP != nil && strings.Contains(a.HTTP.Apply.URL+a.HTTP.Apply.Body, "{level}")
	has := func(class string, m exact.Number) bool {
		return slices.ContainsFunc(a.Levels, func(l plan.Level) bool { return l.Class == class && l.Magnitude.Cmp(m) == 0 })
	}
	missing := func(place hcl.Range, class string, m exact.Number) {
		s.miswired(place, "Magnitude without a level",
			"apparatus.%s sets a mechanism of the deployment, and nothing says which value gives fault_class.%s a magnitude of %s. Add to it: level { class = fault_class.%s, magnitude = %s, value = ... } on lines of their own.", a.Name, class, m, class, m)
	}
	for _, f := range s.ctx.Faults {
		for i, m := range f.Magnitudes {
			if needed && f.Class != "" && !has(f.Class, m) {
				missing(f.Places[i], f.Class, m)
			}
		}
		for _, p := range f.Profiles {
			s.steady(s.c.decode(f.Block).at("profiles"), p)
		}
	}
	for _, t := range s.ctx.Thresholds {
		s.steady(s.c.decode(t.Block).at("profile"), t.Profile)
		if needed {
			s.miswired(t.Block.DefRange, "Search between levels",
				"A search tries magnitudes that nobody wrote down, and apparatus.%s knows those that have a level. Leave the threshold block out, or give the mechanism {magnitude} and no level.", a.Name)
		}
	}
	if s.masking != nil && needed && s.maskMagnitude != nil {
		for _, f := range s.classes {
			if (s.maskClass == nil || s.maskClass == f) && !has(f.plan.Name, *s.maskMagnitude) {
				missing(s.c.decode(s.masking).at("magnitude"), f.plan.Name, *s.maskMagnitude)
			}
		}
	}
}

// steady refuses a course that an apparatus which is called once cannot take.
func (s *series) steady(place hcl.Range, p plan.Profile) {
	if p.Shape != "step" && p.Shape != "" {
		s.miswired(place, "Course that the apparatus cannot take",
			"apparatus.%s is called once to apply a fault and once to remove it, so its faults are steps; %q needs the proxy.", s.plan.Declaration.Apparatus.Name, p.Name)
	}
}

// realTime says before anything runs how long a live series takes.
func (s *series) realTime() {
	if !s.live() {
		return
	}
	b := &s.plan.Budget
	s.c.diags.Add(diag.Diagnostic{
		Severity: diag.Note, Rule: "LANG-budget", Summary: "Real time", Subject: s.block.DefRange.Ptr(),
		Detail: fmt.Sprintf("The series runs in real time: %s are expected, %s at best and %s at worst, for %d trials.", b.Expected.Words(), b.Best.Words(), b.Worst.Words(), b.Trials),
	})
}
