package rule

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/hashicorp/hcl/v2"
)

// sampler is a snippet that gives the live example an apparatus which calls
// the deployment, with the given body, at the only point that the harness sees.
func sampler(body string) string {
	return `apparatus "http" "sampler" {
` + body + `
}

environment "lab" {
  apparatus = apparatus.sampler
  inject_at = "gateway"
}

series "example" {
  threshold "refusals" {
    lower      = 0.1
    resolution = 0.06
  }
  remove "masking" {}
}`
}

// Calls of a sampler.
const (
	applyCall = `  apply {
    method = "PUT"
    url    = "http://127.0.0.1:8000/admin/defaults"
    body   = "{\"temperature\": {magnitude}}"
  }`
	removeCall = `  remove {
    method = "PUT"
    url    = "http://127.0.0.1:8000/admin/defaults"
    body   = "{\"temperature\": 0.8}"
  }`
	checkCall = `  check { url = "http://127.0.0.1:8000/admin/defaults" }`
)

// foreign is a snippet that gives the live example a detector of another make,
// with the given body.
func foreign(body string) string {
	return foreignAlert("    above     = 0.08", body)
}

// foreignAlert is foreign with the given limit of the alert.
func foreignAlert(limit, body string) string {
	return `detector "webhook" "other" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "5m"
  }
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
` + limit + `
  }
` + body + `
}
signal "page" {
  component   = detector.other
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}
series "example" { detector = detector.other }`
}

// coldConnections is a live example with a connection for every request and the
// given highest load.
func coldConnections(top string) string {
	return `serving "openai" "endpoint" { connections = "new" }
series "example" {
  load { points = ["1 req/s", "10 req/s", "21.5 req/s", "` + top + `"] }
}`
}

// The ports that a machine has for connections that it opens, and how long one
// is held after it was closed: the defaults of Linux.
var (
	ephemeralPorts = exact.Int(60999 - 32768 + 1)
	timeWait       = exact.Int(60)
)

// keepsUp tells what may keep the generator from offering the declared rate to
// a running deployment.
func keepsUp(c *Context, l *list) {
	e := c.Declaration.Serving.Endpoint
	if e == nil || !c.Knows(Load, Environment) || len(c.Declaration.Load.Points) == 0 {
		return
	}
	points := c.Declaration.Load.Points
	top := points[len(points)-1]
	if most := ephemeralPorts.Div(timeWait); e.Cold && top.Rate.Cmp(most) > 0 {
		l.warn(at(c.Serving, "", "connections"), "Connections that run out",
			"At %s req/s every request opens a connection of its own, and a machine has about 28 thousand ports to open them from, each of which is held for a minute: from %s req/s on, requests fail within the first minute. Write connections = \"reused\", or lower the load.", top.Rate, most.Decimal(0))
	}
	if e.InFlight > 0 {
		l.note(at(c.Serving, "", "in_flight"), "Loop that may close",
			"At %s req/s, %d requests are in flight when answers take %s s. Slower answers reach the limit, and then the load is no longer the declared one and the trial is repeated.", top.Rate, e.InFlight, exact.Int(int64(e.InFlight)).Div(top.Rate).Decimal(3))
	}
}

// leased refuses a lease that outlasts a trial: it would end nothing.
func leased(c *Context, l *list) {
	a := c.Declaration.Apparatus
	if a.Lease <= 0 || !c.Knows(Load, Detector, Timeout, Environment) {
		return
	}
	for _, p := range c.Declaration.Load.Points {
		if a.Lease > p.Timeout {
			l.err(at(c.Apparatus, "", "lease"), "Lease longer than a trial",
				"At %s req/s a trial removes its fault after %s at the latest, and a lease of %s would leave it longer than that behind a harness that is gone. Write a lease of at most %s; a few seconds will do.", p.Rate, p.Timeout, a.Lease, p.Timeout)
			return
		}
	}
}

// speaksToDetector refuses a call of the apparatus that goes to the detector.
func speaksToDetector(c *Context, l *list) {
	h, v := c.Declaration.Apparatus.HTTP, c.Declaration.Detector.Live
	if h == nil || v == nil || !c.Knows(Environment, Detector) {
		return
	}
	detector := map[string]bool{}
	for _, text := range []string{v.URL, v.Alertmanager, v.Configuration} {
		if at := hostOf(text); at != "" {
			detector[at] = true
		}
	}
	for _, call := range []struct {
		typ string
		plan.HTTPCall
	}{{"apply", h.Apply}, {"remove", h.Remove}, {"check", h.Check}} {
		if detector[hostOf(call.URL)] {
			l.err(at(c.Apparatus, call.typ, "url"), "Apparatus that calls the detector",
				"%s is where detector.%s is. A detector that is told of a fault measures the message: the apparatus speaks to it only through the behaviour of the deployment. Call the deployment.", hostOf(call.URL), c.Declaration.Detector.Name)
		}
	}
}

// hostOf is the host and port of a URL, with the spellings of loopback made
// equal; "" where there is none.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if text == "" || err != nil || u.Host == "" {
		return ""
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if host == "localhost" || host == "::1" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = u.Scheme
	}
	return host + ":" + port
}

// seenAtInjection refuses an arrangement in which nothing measures the
// indicator at the injection point: an apparatus that calls the deployment has
// no responses, and the harness has those of the observation point.
func seenAtInjection(c *Context, l *list) {
	switch c.Declaration.Apparatus.Kind {
	case "http", "command":
	default:
		return
	}
	e := c.Declaration.Environment
	if c.Knows(Environment) && e.Position != "same" {
		l.err(at(c.Environment, "", "inject_at"), "Injection point that nobody sees",
			"The achieved magnitude is measured at the injection point, and with apparatus %q nothing sees the responses at %q: the harness has those of %q. Where the mechanism acts there as well, write inject_at = %q; otherwise let the proxy apply the fault.", c.Declaration.Apparatus.Kind, e.InjectAt, e.ObserveAt, e.ObserveAt)
	}
}

// polled notes by how much a latency is uncertain because the detector is
// asked and does not tell (AMB-14).
func polled(c *Context, l *list) {
	v := c.Declaration.Detector.Live
	if v == nil || !c.Knows(Detector) || v.Interval <= 0 || v.Listen != "" {
		return
	}
	l.note(at(c.Detector, "", "interval"), "Signal that is asked for",
		"The detector is asked every %s, so an event may be so much older than the answer that tells of it. That is added to the clock offset, and one percent of the smallest latency has to be more; otherwise every latency carries it as its error bound.", v.Interval)
}

// hosts checks the arrangement of the clocks against the addresses.
func hosts(c *Context, l *list) {
	v, e := c.Declaration.Detector.Live, c.Declaration.Environment
	if v == nil || !c.Knows(Detector, Environment, Signal) || e.Clocks != "same_host" || c.Declaration.Signal.EventClock != "emitter" {
		return
	}
	for _, text := range []string{v.URL, v.Alertmanager} {
		u, err := url.Parse(text)
		if err != nil {
			continue
		}
		ip, err := netip.ParseAddr(u.Hostname())
		if err != nil || ip.Unmap().IsLoopback() {
			continue
		}
		l.err(arrangementOf(c.Environment), "Two hosts declared as one",
			"The event is stamped by the detector at %s, and the onset here; that is another address than this machine's own. Write arrangement = \"probed\" with a responder there, or \"chrony\"; or let the receiver stamp the event: event_clock = \"receiver\".", ip)
		return
	}
}

func arrangementOf(environment *lang.Block) *hcl.Range {
	return at(environment, "clocks", "arrangement")
}

// probes checks that what is to be probed can be found.
func probes(c *Context, l *list) {
	e := c.Declaration.Environment
	if c.Declaration.Detector.Live == nil || !c.Knows(Environment, Detector) || e.Clocks != "probed" || e.Responder != "" {
		return
	}
	l.err(arrangementOf(c.Environment), "Offset that nothing measures",
		"The offset between the clocks is measured by probes, and nothing says where they are answered. Write responder = \"HOST:PORT\" of the detector's host.")
}

// twoVoices notes that an alert is seen twice: in the state of the rules, which
// are looked at, and in Alertmanager's notification.
func twoVoices(c *Context, l *list) {
	d := c.Declaration.Detector
	if d.Live == nil || d.Prometheus == nil || d.Manager == nil || c.Attribution == nil || strings.Contains(c.Attribution.Text(), "signal.component") {
		return
	}
	l.note(at(c.Signal, "", "attribution"), "Alert that is seen twice",
		"The state of the rules is looked at every %s and Alertmanager notifies; whichever comes first is the Detection Event. Add signal.component == \"alertmanager\" for the notification, which is what reaches a person, or signal.component == \"rules\" for the rules.", d.Live.Interval)
}
