package promrules

import (
	"fmt"
	"maps"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
	"github.com/fdbench/fdbench/runtime/random"
)

// Counter is a counter that the deployment exports. Its series carries the
// labels of the Config and job and instance of the target as well.
type Counter struct {
	Name   string
	Labels map[string]string
}

// Config is a Prometheus, what it scrapes, and what becomes of its alerts.
type Config struct {
	FileName string // as Prometheus is given it: it decides the phase of the groups
	Rules    []byte // the rule file, YAML

	// Counters has one entry for each declared indicator, in the order of
	// Observe's scores. A counter is the sum of the scores, so it is the number
	// of bad responses for a rate, and the numerator of a mean.
	Counters []Counter
	Total    Counter // counts every response; a Name of "" is llm_responses_total

	ScrapeInterval     exact.Duration // whole milliseconds; zero is Prometheus's 1m
	EvaluationInterval exact.Duration // of groups without an interval of their own; zero is Prometheus's 1m
	ScrapePhase        exact.Duration // the instant of the first scrape, below ScrapeInterval

	// MissedScrapes is the probability that a scrape fails, from 0 to 1. A
	// failed scrape ends the target's series with staleness markers and sets up
	// to 0, until the next that succeeds.
	MissedScrapes exact.Number
	ResetEvery    exact.Duration // the counters start at zero again at each multiple of this; zero is never
	Stream        *random.Stream // one draw for each scrape where MissedScrapes is above zero

	// Alertmanager receives the alerts and sends the signals. Without one, each
	// signal is the rule's own: component "rules".
	Alertmanager *alertmanager.Config

	// Epoch is the world's instant zero, nanoseconds since 1970; zero is
	// DefaultEpoch. The phase of a group and functions such as hour() follow
	// from it.
	Epoch int64

	Job, Instance string // labels of the target; "llm" and "deployment:9090" where empty

	// Labels are on every counter, the total included, as a deployment's own
	// constant labels are. A counter's own label of the same name wins.
	Labels map[string]string

	// Annotations asks for the annotations of the alerts that Alerts returns.
	// No signal depends on them, and expanding templates takes time.
	Annotations bool
}

// DefaultEpoch is 2026-01-01 00:00:00 UTC.
const DefaultEpoch = 1767225600 * int64(time.Second)

// resendDelay is Prometheus's --rules.alert.resend-delay, and resolvedKept how
// long it goes on sending a resolved alert.
const (
	resendDelay  = int64(time.Minute)
	resolvedKept = int64(15 * time.Minute)
)

// complete checks a Config and fills in what it leaves to Prometheus.
func (c Config) complete() (Config, error) {
	zero := func(d *exact.Duration) {
		if *d == 0 {
			*d = exact.Minute
		}
	}
	zero(&c.ScrapeInterval)
	zero(&c.EvaluationInterval)
	text := func(s *string, to string) {
		if *s == "" {
			*s = to
		}
	}
	text(&c.Total.Name, "llm_responses_total")
	text(&c.Job, "llm")
	text(&c.Instance, "deployment:9090")
	if c.Epoch == 0 {
		c.Epoch = DefaultEpoch
	}
	for _, d := range []struct {
		name  string
		value exact.Duration
		least exact.Duration
	}{
		{"scrape interval", c.ScrapeInterval, exact.Millisecond},
		{"evaluation interval", c.EvaluationInterval, exact.Millisecond},
		{"scrape phase", c.ScrapePhase, 0},
		{"interval between counter resets", c.ResetEvery, 0},
	} {
		switch {
		case d.value < d.least:
			return c, fmt.Errorf("the %s is %s; it cannot be below %s", d.name, d.value, d.least)
		case d.value%exact.Millisecond != 0 && d.least > 0:
			return c, fmt.Errorf("the %s is %s; Prometheus knows no instants between milliseconds", d.name, d.value)
		}
	}
	switch {
	case c.ScrapePhase >= c.ScrapeInterval:
		return c, fmt.Errorf("the scrape phase is %s; it must be below the scrape interval, %s", c.ScrapePhase, c.ScrapeInterval)
	case c.MissedScrapes.Sign() < 0 || c.MissedScrapes.Cmp(exact.Int(1)) > 0:
		return c, fmt.Errorf("the share of missed scrapes is %s; it must be from 0 to 1", c.MissedScrapes)
	case c.MissedScrapes.Sign() > 0 && c.Stream == nil:
		return c, fmt.Errorf("scrapes are to be missed, but there is no stream of random numbers to draw them from")
	case c.Epoch < 0:
		return c, fmt.Errorf("the epoch lies before 1970")
	case len(c.Counters) > 64:
		return c, fmt.Errorf("%d counters; a detector has at most 64 indicators", len(c.Counters))
	}
	if c.Alertmanager != nil {
		if err := c.Alertmanager.Validate(); err != nil {
			return c, err
		}
	}
	return c, nil
}

// IsLabelName tells whether a text can be the name of a label.
func IsLabelName(name string) bool { return utf8Names.IsValidLabelName(name) && name != metricName }

// series gives the labels that a counter has once it has been scraped. As
// Prometheus does it, labels of the target win, and those that they displace
// are kept with the prefix "exported_".
func (c Config) series(k Counter) (labels.Labels, error) {
	if !utf8Names.IsValidMetricName(k.Name) {
		return labels.EmptyLabels(), fmt.Errorf("%q is not a name for a counter", k.Name)
	}
	b := labels.NewBuilder(labels.EmptyLabels())
	all := maps.Clone(c.Labels)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, k.Labels)
	for _, name := range sortedKeys(all) {
		v := all[name]
		switch {
		case !IsLabelName(name):
			return labels.EmptyLabels(), fmt.Errorf("counter %s: %q is not a name for a label", k.Name, name)
		case !model.LabelValue(v).IsValid():
			return labels.EmptyLabels(), fmt.Errorf("counter %s: the value of label %q is not UTF-8", k.Name, name)
		}
		b.Set(name, v)
	}
	for _, t := range []struct{ name, value string }{{"job", c.Job}, {"instance", c.Instance}} {
		if old := b.Get(t.name); old != "" {
			exported := "exported_" + t.name
			for all[exported] != "" {
				exported = "exported_" + exported
			}
			b.Set(exported, old)
		}
		b.Set(t.name, t.value)
	}
	b.Set(metricName, k.Name)
	return b.Labels(), nil
}
