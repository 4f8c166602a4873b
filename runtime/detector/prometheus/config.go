package prometheus

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/fdbench/fdbench/runtime/detector"
)

// deciding are Prometheus's flags that change what a rule finds or when an alert
// is sent. Ports, paths and log levels do not.
var deciding = []string{"query.lookback-delta", "query.timeout", "query.max-samples", "query.max-concurrency", "enable-feature",
	"rules.alert.for-outage-tolerance", "rules.alert.for-grace-period", "rules.alert.resend-delay", "rules.max-concurrent-evals",
	"alertmanager.notification-queue-capacity", "alertmanager.notification-batch-size", "scrape.adjust-timestamps", "scrape.timestamp-tolerance"}

// vmDeciding are the beginnings of the flags of vmalert that do.
var vmDeciding = []string{"evaluationInterval", "external.label", "rule", "datasource.", "notifier.", "remoteRead.", "remoteWrite.", "disableAlertgroupLabel", "promscrape."}

// Configuration is the digest of the running configuration (FD-3.2-2): the
// configuration that Prometheus shows and those of its flags that decide, the
// rules as they are loaded, and Alertmanager's configuration and silences.
// The servers take secrets out of what they show, and what is hashed is what
// they show.
func (d *Detector) Configuration(ctx context.Context) (string, error) {
	s, err := d.settings(ctx)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = string(s.Bytes())
	if d.first == "" {
		d.first = d.last
	}
	return s.Digest(), nil
}

// Change tells where the configuration that was read last differs from the one
// that was read first, or "" where it does not. It fits world.Explaining.
func (d *Detector) Change() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return detector.Difference([]byte(d.first), []byte(d.last))
}

func (d *Detector) settings(ctx context.Context) (*detector.Settings, error) {
	s := &detector.Settings{}
	version, err := d.version(ctx)
	if err != nil {
		return nil, err
	}
	s.Text("rules by", version)
	if err := d.serverSettings(ctx, s); err != nil {
		return nil, err
	}
	groups, _, err := d.rules(ctx, "")
	if err != nil {
		return nil, err
	}
	ruleSettings(groups, s)
	if d.manager == "" {
		return s, nil
	}
	status, _, err := d.status(ctx)
	if err != nil {
		return nil, err
	}
	s.Text("alertmanager", status.Version.Version)
	lines("alertmanager configuration", status.Config.Original, s)
	silences, err := d.silences(ctx)
	if err != nil {
		return nil, err
	}
	var silent []string
	for i := range silences {
		var m []string
		for _, one := range silences[i].matchers() {
			m = append(m, one.name+one.op+strconv.Quote(one.value))
		}
		slices.Sort(m)
		silent = append(silent, strings.Join(m, ", "))
	}
	slices.Sort(silent)
	for _, one := range silent {
		s.Text("silence", one)
	}
	return s, nil
}

// serverSettings writes configuration and flags, of either server.
func (d *Detector) serverSettings(ctx context.Context, s *detector.Settings) error {
	config, _, err := ask[struct {
		YAML string `json:"yaml"`
	}](ctx, d.client, d.api+"/api/v1/status/config")
	if absent(err) {
		return d.vmSettings(ctx, s)
	}
	if err != nil {
		return err
	}
	lines("configuration", config.YAML, s)
	flags, _, err := ask[map[string]string](ctx, d.client, d.api+"/api/v1/status/flags")
	if err != nil {
		return err
	}
	for _, name := range deciding {
		if v, ok := flags[name]; ok {
			s.Text("--"+name, v)
		}
	}
	return nil
}

func (d *Detector) vmSettings(ctx context.Context, s *detector.Settings) error {
	a, err := d.client.Get(ctx, d.api+"/flags")
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	flags := strings.Split(string(a.Body), "\n")
	sort.Strings(flags)
	for _, line := range flags {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "-"), "=")
		if !ok || !slices.ContainsFunc(vmDeciding, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		if v, err := strconv.Unquote(value); err == nil {
			value = v
		}
		s.Text("-"+name, userinfo.ReplaceAllString(value, "//***@"))
	}
	return nil
}

// ruleSettings writes the loaded rules without their state, in the order in
// which they are evaluated within each group.
func ruleSettings(groups []ruleGroup, s *detector.Settings) {
	groups = slices.Clone(groups)
	sort.SliceStable(groups, func(i, j int) bool {
		if groups[i].File != groups[j].File {
			return groups[i].File < groups[j].File
		}
		return groups[i].Name < groups[j].Name
	})
	for i := range groups {
		g := &groups[i]
		s.Text("group", g.Name)
		s.Text("  file", g.File)
		s.Int("  interval", seconds(g.Interval))
		s.Int("  limit", seconds(g.Limit)/1e9)
		for j := range g.Rules {
			r := &g.Rules[j]
			s.Text("  "+r.Type, r.Name)
			s.Text("    expr", canonical(r.Query))
			s.Int("    for", seconds(r.Duration))
			s.Int("    keep_firing_for", r.keep())
			for _, m := range []struct {
				name string
				of   map[string]string
			}{{"label", r.Labels}, {"annotation", r.Annotations}} {
				for _, k := range slices.Sorted(maps.Keys(m.of)) {
					s.Text("    "+m.name+" "+k, m.of[k])
				}
			}
		}
	}
}

// lines writes a text line by line, so that a change names the line.
func lines(key, text string, s *detector.Settings) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		s.Text(key, userinfo.ReplaceAllString(strings.TrimRight(line, "\n"), "//***@"))
	}
}

// userinfo is the name and password of a URL, which old servers show.
var userinfo = regexp.MustCompile(`//[^/@\s]+@`)

// canonical is an expression in one form. What Prometheus's parser does not know,
// such as an extension of vmalert, keeps its text but for white space.
func canonical(query string) string {
	if e, err := promqlParser.ParseExpr(query); err == nil {
		return e.String()
	}
	return strings.Join(strings.Fields(query), " ")
}

var promqlParser = parser.NewParser(parser.Options{EnableExperimentalFunctions: true})
