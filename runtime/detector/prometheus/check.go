package prometheus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// clockLimit is by how much a server's clock may differ from this one's before
// it is worth a word: the precision of what its answers tell.
const clockLimit = time.Second

// Check implements driver.Detector. It changes nothing; Try does.
func (d *Detector) Check(ctx context.Context) []driver.Problem {
	c := &checker{d: d, ctx: ctx}
	if d.live.Listen != "" && d.receiver == nil {
		c.problems = webhook.CheckListen(d.live.Listen, d.o.Options)
	}
	c.server()
	if d.manager != "" {
		c.alertmanager()
	}
	return c.problems
}

// Notes are remarks on the detector that are no problems.
func (d *Detector) Notes(ctx context.Context) []string {
	if d.manager == "" {
		return nil
	}
	s, _, err := d.status(ctx)
	if err != nil {
		return nil
	}
	var out []string
	if k := cleanupOf(s.Version.Version); k > 0 {
		out = append(out, fmt.Sprintf("Alertmanager %s keeps an emptied notification group for up to %v, in which a new alert waits for group_interval; "+
			"a trial begins only when the group is gone. From version 0.32 on groups go at once.", s.Version.Version, k))
	}
	c, err := parseManager(s.Config.Original)
	if err != nil {
		return out
	}
	if lingerOf(cleanupOf(s.Version.Version), c.leading(d.followed(), c.ours(d.receiverURL()))) > 0 {
		out = append(out, fmt.Sprintf("Prometheus sends an alert that has ended again for %v, which brings the group back in this Alertmanager; "+
			"since an alert in such a group waits for up to group_interval, each trial is followed by a quiet period of that length. "+
			"Alertmanager 0.32 and a group_interval close to group_wait both do without it.", resentFor))
	}
	if d.live.Listen != "" && len(c.reaching(d.receiverURL())) == 0 &&
		slices.ContainsFunc(c.webhooks(), func(w webhookConfig) bool { return w.hidden() }) {
		out = append(out, fmt.Sprintf("Alertmanager %s does not show the addresses of its webhooks, so only a test alert can tell whether one leads to %s.",
			s.Version.Version, d.receiverURL()))
	}
	return out
}

type checker struct {
	d        *Detector
	ctx      context.Context
	problems []driver.Problem
}

func (c *checker) add(rule, what, remedy string) {
	c.problems = append(c.problems, driver.Problem{Rule: rule, Part: "detector", What: what, Remedy: remedy})
}

// failed says why a server does not answer as it should. member is where the
// scenario has its address.
func (c *checker) failed(server, member string, err error) {
	var gone *fetch.UnreachableError
	var status *fetch.StatusError
	var shape *fetch.ShapeError
	var outside *confine.OutsideError
	var host *confine.HostError
	switch {
	case c.ctx.Err() != nil:
		c.add("", fmt.Sprintf("%s was not checked: %v.", server, c.ctx.Err()), "Check again.")
	case errors.As(err, &outside), errors.As(err, &host):
		c.add("FD-7-1", fmt.Sprintf("%s is not asked: %v.", server, inner(err)), fmt.Sprintf("Correct %s in the detector block, or let the host through on the command line.", member))
	case errors.As(err, &gone):
		c.add("FD-3.1-5", sentence(err), fmt.Sprintf("Start %s, or correct %s in the detector block.", server, member))
	case errors.As(err, &status) && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
		c.add("FD-3.1-5", sentence(err), fmt.Sprintf("%s asks for credentials: put a bearer token into an environment variable and name that in key_env.", server))
	case errors.As(err, &status), errors.As(err, &shape):
		c.add("FD-3.1-5", fmt.Sprintf("There is no %s at that address: %v.", server, err), fmt.Sprintf("Write the base address of %s in %s, without /api.", server, member))
	default:
		c.add("FD-3.1-5", sentence(err), fmt.Sprintf("Look at the log of %s.", server))
	}
}

func inner(err error) error {
	var gone *fetch.UnreachableError
	if errors.As(err, &gone) {
		return gone.Cause
	}
	return err
}

// sentence makes a sentence of an error. An address at its beginning is not a
// word to be capitalised.
func sentence(err error) string {
	text := err.Error()
	if first, _, _ := strings.Cut(text, " "); text == "" || strings.Contains(first, "://") {
		return text + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// clock compares the clock of a server with this one's (FD-3.5-2).
func (c *checker) clock(server string, a *fetch.Answer) {
	ahead, bound, ok := a.Offset()
	if !ok || ahead.Abs()-bound <= clockLimit {
		return
	}
	way := "ahead of"
	if ahead < 0 {
		way = "behind"
	}
	c.add("FD-3.5-2", fmt.Sprintf("The clock of %s is about %v %s this one.", server, ahead.Abs().Round(time.Second), way),
		"Synchronise both hosts (chrony, NTP): since when an alert fires is told by that clock.")
}

func (c *checker) server() {
	groups, a, err := c.d.rules(c.ctx, "")
	if err != nil {
		if absent(err) {
			var s managerStatus
			if _, e := c.d.client.JSON(c.ctx, c.d.api+"/api/v2/status", &s); e == nil && s.Config.Original != "" {
				c.add("FD-3.1-5", fmt.Sprintf("At %s there is an Alertmanager, not a Prometheus.", shown(c.d.api)),
					"Write the address of Prometheus in url, and this one in alertmanager.")
				return
			}
		}
		c.failed("Prometheus", "url", err)
		return
	}
	c.clock("Prometheus", a)
	c.rules(groups)
	version, err := c.d.version(c.ctx)
	if err != nil {
		c.failed("Prometheus", "url", err)
		return
	}
	if version == "" {
		return // vmalert stores no series and sees no targets
	}
	c.counters()
	if c.d.manager != "" {
		c.notifies()
	}
}

// shown is an address without a password.
func shown(address string) string {
	u, err := fetch.Parse(address)
	if err != nil {
		return "that address"
	}
	return fetch.Shown(u)
}

// counters looks for the series that the indicators are exported as (FD-3.2-4).
func (c *checker) counters() {
	var names []string
	for _, i := range c.d.plan.Indicators {
		names = append(names, i.Exports)
	}
	if p := c.d.plan.Prometheus; p != nil {
		names = append(names, p.Total)
	}
	var missing []string
	for _, name := range names {
		if name == "" || slices.Contains(missing, name) {
			continue
		}
		n, err := c.d.count(c.ctx, fmt.Sprintf("{__name__=%q}", name))
		if err != nil {
			c.add("FD-3.2-4", fmt.Sprintf("Prometheus cannot be asked for %s: %v.", name, err), "Look at the log of Prometheus.")
			continue
		}
		if n == 0 {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return
	}
	what := fmt.Sprintf("Prometheus has no series %s, which the indicators are exported as.", strings.Join(missing, " and no series "))
	remedy := "Let Prometheus scrape what exports them (fdbench tap at the observation point), or correct exports and total."
	data, _, err := ask[struct {
		Targets []struct {
			Health    string `json:"health"`
			ScrapeURL string `json:"scrapeUrl"`
			LastError string `json:"lastError"`
		} `json:"activeTargets"`
	}](c.ctx, c.d.client, c.d.api+"/api/v1/targets?state=active")
	if err == nil {
		var down []string
		for _, t := range data.Targets {
			if t.Health != "up" {
				why := t.LastError
				if why == "" {
					why = "not scraped yet"
				}
				down = append(down, fmt.Sprintf("%s (%s)", shown(t.ScrapeURL), why))
			}
		}
		switch {
		case len(data.Targets) == 0:
			what += " It has no targets at all."
		case down != nil:
			what += " These targets are not up: " + strings.Join(down, ", ") + "."
			remedy = "Start what is to be scraped there. " + remedy
		}
	}
	c.add("FD-3.2-4", what, remedy)
}

// notifies looks whether Prometheus sends alerts to the declared Alertmanager.
func (c *checker) notifies() {
	data, _, err := ask[struct {
		Active []struct {
			URL string `json:"url"`
		} `json:"activeAlertmanagers"`
	}](c.ctx, c.d.client, c.d.api+"/api/v1/alertmanagers")
	if err != nil {
		c.failed("Prometheus", "url", err)
		return
	}
	ours, _ := url.Parse(c.d.manager)
	var others []string
	for _, a := range data.Active {
		u, err := url.Parse(a.URL)
		if err != nil {
			continue
		}
		// Another name for the same host is common, another port is not.
		if confine.Port(u) == confine.Port(ours) {
			return
		}
		others = append(others, u.Host)
	}
	what := fmt.Sprintf("Prometheus sends no alerts to the Alertmanager at %s", shown(c.d.manager))
	if others != nil {
		what += ", but to " + strings.Join(others, " and ")
	}
	c.add("FD-3.1-5", what+".", "Name it in Prometheus's configuration (alerting: alertmanagers), or correct alertmanager in the detector block.")
}

// words prints nanoseconds as Prometheus writes durations.
func words(ns int64) string { return exact.Duration(ns).String() }
