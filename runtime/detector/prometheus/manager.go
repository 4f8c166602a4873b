package prometheus

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/confine"
)

// cleanupTick is how often an Alertmanager before 0.32 removes empty groups.
const cleanupTick = 30 * time.Second

// cleanupOf is how long an Alertmanager of a version may keep an empty group. A
// version that cannot be read counts as an old one.
func cleanupOf(version string) time.Duration {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n == 2 && (major > 0 || minor >= 32) {
		return 0
	}
	return cleanupTick
}

// managerConfig is what decides of an Alertmanager's configuration.
type managerConfig struct {
	Route     route `yaml:"route"`
	Receivers []struct {
		Name     string          `yaml:"name"`
		Webhooks []webhookConfig `yaml:"webhook_configs"`
	} `yaml:"receivers"`
}

type webhookConfig struct {
	receiver     string
	URL          string `yaml:"url"`
	SendResolved *bool  `yaml:"send_resolved"`
	MaxAlerts    int    `yaml:"max_alerts"`
}

func (w *webhookConfig) resolves() bool { return w.SendResolved == nil || *w.SendResolved }

// hidden tells of an address that Alertmanager does not show, as it does not
// since 0.26.
func (w *webhookConfig) hidden() bool { return w.URL == "" || strings.HasPrefix(w.URL, "<secret") }

// route is a node of the routing tree, with what it inherits filled in.
type route struct {
	Receiver string            `yaml:"receiver"`
	GroupBy  []string          `yaml:"group_by"`
	Match    map[string]string `yaml:"match"`
	MatchRE  map[string]string `yaml:"match_re"`
	Matchers []string          `yaml:"matchers"`
	Continue bool              `yaml:"continue"`
	Wait     string            `yaml:"group_wait"`
	Interval string            `yaml:"group_interval"`
	Repeat   string            `yaml:"repeat_interval"`
	Muted    []string          `yaml:"mute_time_intervals"`
	Active   []string          `yaml:"active_time_intervals"`
	Routes   []*route          `yaml:"routes"`

	matchers               []matcher
	wait, interval, repeat int64
}

type matcher struct{ name, op, value string }

func parseManager(text string) (*managerConfig, error) {
	c := &managerConfig{}
	if err := yaml.Unmarshal([]byte(text), c); err != nil {
		return nil, fmt.Errorf("the configuration that Alertmanager shows cannot be read: %w", err)
	}
	for i := range c.Receivers {
		for j := range c.Receivers[i].Webhooks {
			c.Receivers[i].Webhooks[j].receiver = c.Receivers[i].Name
		}
	}
	top := &route{wait: int64(30 * time.Second), interval: int64(5 * time.Minute), repeat: int64(4 * time.Hour)}
	if err := c.Route.inherit(top); err != nil {
		return nil, fmt.Errorf("the configuration that Alertmanager shows cannot be read: %w", err)
	}
	return c, nil
}

func (r *route) inherit(from *route) error {
	if r.Receiver == "" {
		r.Receiver = from.Receiver
	}
	if r.GroupBy == nil {
		r.GroupBy = from.GroupBy
	}
	for _, d := range []struct {
		text string
		to   *int64
		from int64
	}{{r.Wait, &r.wait, from.wait}, {r.Interval, &r.interval, from.interval}, {r.Repeat, &r.repeat, from.repeat}} {
		*d.to = d.from
		if d.text != "" {
			v, err := model.ParseDuration(d.text)
			if err != nil {
				return err
			}
			*d.to = int64(v)
		}
	}
	for name, value := range r.Match {
		r.matchers = append(r.matchers, matcher{name, "=", value})
	}
	for name, value := range r.MatchRE {
		r.matchers = append(r.matchers, matcher{name, "=~", value})
	}
	for _, text := range r.Matchers {
		m, err := parseMatcher(text)
		if err != nil {
			return err
		}
		r.matchers = append(r.matchers, m)
	}
	r.Routes = slices.DeleteFunc(r.Routes, func(child *route) bool { return child == nil }) // "- " alone
	for _, child := range r.Routes {
		if err := child.inherit(r); err != nil {
			return err
		}
	}
	return nil
}

var matcherForm = regexp.MustCompile(`^\s*("(?:[^"\\]|\\.)*"|[^=!~"\s]+)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|.*?)\s*$`)

// parseMatcher reads name="value" and its kin, quoted or not.
func parseMatcher(text string) (matcher, error) {
	p := matcherForm.FindStringSubmatch(text)
	if p == nil {
		return matcher{}, fmt.Errorf("%q is no matcher", text)
	}
	bare := func(s string) string {
		if v, err := strconv.Unquote(s); err == nil {
			return v
		}
		return s
	}
	return matcher{bare(p[1]), p[2], bare(p[3])}, nil
}

// matches tells what a matcher makes of labels of which only some are known.
func (m *matcher) matches(known map[string]string) predicate.Truth {
	value, ok := known[m.name]
	if !ok {
		return predicate.Unknown
	}
	truth := predicate.False
	switch m.op {
	case "=", "!=":
		if value == m.value {
			truth = predicate.True
		}
	default:
		re, err := regexp.Compile("^(?:" + m.value + ")$")
		if err != nil {
			return predicate.Unknown
		}
		if re.MatchString(value) {
			truth = predicate.True
		}
	}
	if m.op[0] == '!' {
		return truth.Not()
	}
	return truth
}

func matchAll(matchers []matcher, known map[string]string) predicate.Truth {
	truth := predicate.True
	for i := range matchers {
		switch matchers[i].matches(known) {
		case predicate.False:
			return predicate.False
		case predicate.Unknown:
			truth = predicate.Unknown
		}
	}
	return truth
}

// possible are the routes that an alert with these labels, and perhaps others,
// can take, and whether it takes one for certain.
func (r *route) possible(known map[string]string) (routes []*route, certain bool) {
	truth := matchAll(r.matchers, known)
	if truth == predicate.False {
		return nil, false
	}
	held := false // by a child, for certain
	for _, child := range r.Routes {
		more, sure := child.possible(known)
		routes = append(routes, more...)
		held = held || sure
		if sure && !child.Continue {
			break
		}
	}
	if !held {
		routes = append(routes, r)
	}
	return routes, truth == predicate.True
}

func (r *route) each(f func(*route)) {
	f(r)
	for _, child := range r.Routes {
		child.each(f)
	}
}

// slowest is the longest time that a group of some routes may have to wait for
// its next flush.
func slowest(routes []*route) int64 {
	var d int64
	for _, r := range routes {
		d = max(d, r.wait, r.interval)
	}
	return d
}

// all are the routes of the whole tree.
func (c *managerConfig) all() []*route {
	var out []*route
	c.Route.each(func(r *route) { out = append(out, r) })
	return out
}

// ours are the names of the receivers that lead to ours; nil where the
// configuration does not tell, since some address is hidden or none fits.
func (c *managerConfig) ours(receiver string) map[string]bool {
	reached := c.reaching(receiver)
	if len(reached) == 0 || slices.ContainsFunc(c.webhooks(), func(w webhookConfig) bool { return w.hidden() }) {
		return nil
	}
	out := map[string]bool{}
	for _, w := range reached {
		out[w.receiver] = true
	}
	return out
}

// leading are the routes by which the alerts may come to our receiver. The other
// routes of an Alertmanager, which serves others too, say nothing of when ours
// hears. Where the configuration does not tell, they are all.
func (c *managerConfig) leading(alerts []wanted, ours map[string]bool) []*route {
	var out []*route
	for i := range alerts {
		possible, _ := c.Route.possible(alerts[i].known())
		for _, r := range possible {
			if (ours == nil || ours[r.Receiver]) && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	if len(out) == 0 {
		return c.all()
	}
	return out
}

func (c *managerConfig) shortestRepeat() int64 {
	d := c.Route.repeat
	c.Route.each(func(r *route) { d = min(d, r.repeat) })
	return d
}

// webhooks are all webhooks of all receivers.
func (c *managerConfig) webhooks() []webhookConfig {
	var out []webhookConfig
	for _, r := range c.Receivers {
		out = append(out, r.Webhooks...)
	}
	return out
}

// reaching are the webhooks that lead to an address. Host names are not held
// against each other: in another network namespace the same host has another.
func (c *managerConfig) reaching(ours string) []webhookConfig {
	us, err := url.Parse(ours)
	if err != nil || ours == "" {
		return nil
	}
	var out []webhookConfig
	for _, w := range c.webhooks() {
		if u, err := url.Parse(w.URL); err == nil && !w.hidden() && confine.Port(u) == confine.Port(us) && u.Path == us.Path {
			out = append(out, w)
		}
	}
	return out
}

// receiverURL is where the receiver is reached from this host; "" without one.
func (d *Detector) receiverURL() string {
	switch {
	case d.receiver != nil:
		return d.receiver.URL()
	case d.live.Listen != "":
		return "http://" + d.live.Listen + d.live.Path
	}
	return ""
}
