package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/tap"
)

type tapCmd struct {
	Upstream string `help:"Pass requests on to this deployment: http, https, or h2c for HTTP/2 without TLS." placeholder:"URL"`
	Listen   string `help:"Where requests come in; port 0 takes a free one." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	Log      string `help:"Read responses from a file of JSON lines instead, and go on as it grows, also across rotation; \"-\" reads standard input." placeholder:"FILE"`
	All      bool   `name:"from-start" help:"With --log: count what the file holds already."`
	Metrics  string `help:"Where /metrics is; port 0 takes a free one." default:"127.0.0.1:9464" placeholder:"HOST:PORT"`
	Remote   bool   `help:"Allow --listen and --metrics to open addresses that are not loopback."`

	Indicator   []string          `help:"An indicator to compute, and its counter where it is not llm_NAME_total. May be repeated." placeholder:"NAME[=COUNTER]"`
	Sampling    map[string]string `help:"The share of responses that an indicator looks at. May be repeated. Default: 1." placeholder:"NAME=SHARE" mapsep:"none"`
	Total       string            `help:"The counter of all responses. Default: llm_responses_total." placeholder:"COUNTER"`
	Label       map[string]string `help:"A label on every counter of responses. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	ModelLabel  *string           `help:"The label for the model's name; \"\" for none. Default: model, and none for a scenario." placeholder:"NAME"`
	Model       []string          `help:"A model whose counters are there from the beginning. May be repeated." placeholder:"NAME"`
	Seed        string            `help:"Decides with a request's number whether the request is sampled." default:"1" placeholder:"TEXT"`
	CountErrors bool              `help:"Count requests without a whole answer as responses."`
	FirstToken  bool              `name:"time-to-first-token" help:"Export a histogram of the time to the first content of streams."`
	Queue       int               `help:"How many responses may wait to be scored." default:"4096" placeholder:"N"`

	OTLP         string        `name:"otlp" help:"Push metrics and evaluation events by OTLP over HTTP to this base; /v1/metrics and /v1/logs are appended." placeholder:"URL"`
	OTLPInterval time.Duration `name:"otlp-interval" help:"The time between two pushes." default:"10s" placeholder:"TIME"`
	OTLPHeaders  string        `name:"otlp-headers-env" help:"The environment variable with headers for OTLP, such as api-key=K,tenant=T." placeholder:"VAR"`
	AllowTarget  bool          `help:"Let addresses outside of the ranges of a test environment through."`

	Detector string            `help:"The detector of the scenario, where it has several." placeholder:"NAME"`
	Var      map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Scenario string            `arg:"" optional:"" help:"A scenario whose detector says which indicators are exported, under which names, with which sampling and labels."`
}

func (*tapCmd) Help() string {
	return `Stands at an observation point, computes indicators of the responses that pass, and exports them for a detector. Responses are scored after they have passed, by the scorers of the harness, and pass byte for byte and at once.

A response that is not sampled counts as a response and adds nothing to the sum, as in a scenario's detector. One that could not be scored in time counts nowhere but in tap_unscored_total, and is said on standard error: the detector then sees fewer responses than declared.

A log has a JSON object on each line, with "response", and optionally "prompt", "id", "model", "finish_reason" and "error".

One line on standard output says when the tap is ready. SIGINT or SIGTERM ends it after what is on its way was answered, scored and pushed.

Examples:

    fdbench tap --upstream http://127.0.0.1:8001 --indicator refusal_rate=llm_refusals_total
    fdbench tap scenarios/prometheus-rules --upstream http://127.0.0.1:8001 --listen 127.0.0.1:8000
    fdbench tap --log /var/log/gateway/responses.jsonl --indicator refusal_rate --sampling refusal_rate=0.1
    fdbench tap --upstream http://127.0.0.1:8001 --indicator refusal_rate --otlp http://127.0.0.1:4318`
}

func (c *tapCmd) Run(a *app) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	o.Warn = func(message string) { fmt.Fprintln(a.Err, "Warning: "+sentence(message)) }
	e, err := tap.New(ctx, o)
	if err != nil {
		return tapError(err)
	}
	err = e.Run(ctx, func() {
		if addr := e.ProxyAddr(); addr != "" {
			fmt.Fprintf(a.Out, "listening proxy=%s metrics=%s\n", addr, e.MetricsAddr())
		} else {
			fmt.Fprintf(a.Out, "listening log=%s metrics=%s\n", c.Log, e.MetricsAddr())
		}
	})
	return tapError(err)
}

// tapError gives an error of a tap its exit code and its remedy.
func tapError(err error) error {
	var open *listen.NotLoopbackError
	var outside *confine.OutsideError
	var host *confine.HostError
	var option *tap.OptionError
	switch {
	case errors.As(err, &open):
		return usage("%w with --remote", err)
	case errors.As(err, &option):
		return usage("%w", err)
	case errors.As(err, &outside):
		return refused(fmt.Errorf("%w with --allow-target", err))
	case errors.As(err, &host):
		return refused(err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; choose another port, where 0 takes a free one", err)
	}
	return err
}

// options reads the flags.
func (c *tapCmd) options(a *app) (tap.Options, error) {
	o := tap.Options{
		Total: c.Total, Labels: c.Label, ModelLabel: "model", Models: c.Model, Seed: c.Seed,
		CountErrors: c.CountErrors, FirstToken: c.FirstToken, Queue: c.Queue,
		Upstream: c.Upstream, AllowTargets: c.AllowTarget,
		Proxy:   listen.Options{Address: c.Listen, Remote: c.Remote},
		Metrics: listen.Options{Address: c.Metrics, Remote: c.Remote},
		Log:     c.Log, FromStart: c.All,
	}
	switch {
	case (c.Upstream == "") == (c.Log == ""):
		return o, usage("a tap stands before a deployment, with --upstream, or reads a log, with --log: name one of them")
	case c.All && (c.Log == "" || c.Log == "-"):
		return o, usage("--from-start is for a --log that is a file")
	case c.Queue < 1:
		return o, usage("--queue is at least 1")
	}
	for _, f := range [][2]string{{"--listen", c.Listen}, {"--metrics", c.Metrics}} {
		if _, _, err := net.SplitHostPort(f[1]); err != nil {
			return o, usage("%s %q is not of the form HOST:PORT, such as 127.0.0.1:8080", f[0], f[1])
		}
	}
	if c.Log == "-" {
		o.Log, o.In = "", a.In
	}
	if c.OTLP == "" && c.OTLPHeaders != "" {
		return o, usage("--otlp-headers-env is for --otlp")
	}
	if c.OTLP != "" {
		h, err := c.headers()
		if err != nil {
			return o, err
		}
		if c.OTLPInterval <= 0 {
			return o, usage("--otlp-interval is to be longer than 0")
		}
		o.OTLP = &tap.OTLP{Endpoint: c.OTLP, Interval: c.OTLPInterval, Header: h, Version: buildVersion()}
	}
	var err error
	if c.Scenario != "" {
		err = c.fromScenario(a, &o)
	} else {
		err = c.fromLibrary(a, &o)
	}
	if err == nil && c.ModelLabel != nil {
		o.ModelLabel = *c.ModelLabel
	}
	if err == nil && o.ModelLabel == "" && len(c.Model) > 0 {
		err = usage("--model names models whose counters begin at 0, and models are not told apart: name their label with --model-label")
	}
	return o, err
}

// headers reads a list as the environment variable OTEL_EXPORTER_OTLP_HEADERS
// has it. No error repeats a part of it.
func (c *tapCmd) headers() (http.Header, error) {
	text, err := secret("--otlp-headers-env", c.OTLPHeaders)
	if err != nil || text == "" {
		return nil, err
	}
	h := http.Header{}
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || err != nil || name == "" {
			return nil, usage("%s is not of the form NAME=VALUE,NAME=VALUE, with what is special in URLs written as %%XX", c.OTLPHeaders)
		}
		h.Set(name, value)
	}
	return h, nil
}

// fromLibrary takes the indicators that --indicator names.
func (c *tapCmd) fromLibrary(a *app, o *tap.Options) error {
	if c.Detector != "" || len(c.Var) > 0 {
		return usage("--detector and --var are for a scenario")
	}
	if len(c.Indicator) == 0 {
		return usage("a tap needs something to compute: name an indicator, such as --indicator refusal_rate, or a scenario")
	}
	defs := compiler.Define(nil, compileOptions(nil, ""))
	for _, text := range c.Indicator {
		name, counter, named := strings.Cut(text, "=")
		if named && counter == "" {
			return usage("--indicator %s names no counter after the =", text)
		}
		i, err := definition(a, defs, nil, "indicator", name, defs.Indicator)
		if err != nil {
			return err
		}
		ind, err := tap.Of(i)
		if err != nil {
			return err
		}
		ind.Counter = counter
		o.Indicators = append(o.Indicators, ind)
	}
	return c.sampling(o)
}

// sampling sets what --sampling says of indicators.
func (c *tapCmd) sampling(o *tap.Options) error {
	for name, text := range c.Sampling {
		share, err := exact.Parse(text)
		if err != nil || share.Sign() <= 0 || share.Cmp(exact.Int(1)) > 0 {
			return usage("--sampling %s=%s is no share: write a number above 0 and at most 1", name, text)
		}
		found := false
		for i := range o.Indicators {
			if o.Indicators[i].Name == strings.TrimPrefix(name, "indicator.") {
				o.Indicators[i].Sampling, found = share, true
			}
		}
		if !found {
			return usage("--sampling is for %s, which no --indicator names", name)
		}
	}
	return nil
}

// fromScenario takes the detector of a scenario.
func (c *tapCmd) fromScenario(a *app, o *tap.Options) error {
	if len(c.Indicator) > 0 || len(c.Sampling) > 0 || c.Total != "" {
		return usage("the scenario says which indicators are exported, under which names and with which sampling: leave --indicator, --sampling and --total away")
	}
	d, err := c.detector(a)
	if err != nil {
		return err
	}
	return o.FromDetector(d)
}

// detector finds the declaration with the detector that is meant.
func (c *tapCmd) detector(a *app) (*plan.Declaration, error) {
	result, err := compile(a, c.Scenario, compileOptions(c.Var, ""))
	if err != nil {
		return nil, err
	}
	var all []*plan.Declaration
	var names []string
	for _, p := range result.Plans {
		d := &p.Declaration
		if !slices.Contains(names, d.Detector.Name) {
			names = append(names, d.Detector.Name)
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(x, y *plan.Declaration) int { return cmp.Compare(x.Detector.Name, y.Detector.Name) })
	slices.Sort(names)
	name := strings.TrimPrefix(c.Detector, "detector.")
	if name == "" && len(all) > 1 {
		return nil, usage("the series of %s have several detectors (%s): choose one with --detector", c.Scenario, strings.Join(names, ", "))
	}
	for _, d := range all {
		if name == "" || d.Detector.Name == name {
			return d, nil
		}
	}
	near := ""
	if n := suggest.Nearest(name, names); n != "" {
		near = " (did you mean " + n + "?)"
	}
	return nil, usage("no series of %s has a detector %q%s; there are %s", c.Scenario, name, near, strings.Join(names, ", "))
}
