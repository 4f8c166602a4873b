package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/scoring"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/tinylm"
)

type serveCmd struct {
	Listen        string  `help:"Where to listen; port 0 takes a free one." default:"127.0.0.1:8000" placeholder:"HOST:PORT"`
	Remote        bool    `help:"Allow --listen to open an address that is not loopback. It needs --key-env."`
	Answers       string  `help:"What answers: model (the built-in language model), template (its training texts, drawn at random), extract (a sentence of the prompt that fits its question), or a file of responses in JSON lines." default:"model" placeholder:"KIND"`
	Model         string  `help:"The name by which the model is asked for. Default: tinylm, template, extract or recorded, by what answers." placeholder:"NAME"`
	Latency       string  `help:"How long answers take: to the first token, for each uncached token of the prompt, for each further token, and the sigma of one log-normal factor a request." placeholder:"first=T,prefill=T,token=T,sigma=S"`
	Temperature   float64 `help:"Of requests that name none. 0 takes the likeliest token each time." default:"0.8" placeholder:"T"`
	TopK          int     `help:"Draw from the K likeliest tokens; 0 for all." placeholder:"K"`
	TopP          float64 `help:"Draw from the fewest tokens whose probabilities reach P; 0 for all." placeholder:"P"`
	MinP          float64 `help:"Draw from the tokens at least this likely, relative to the likeliest; 0 for all." placeholder:"P"`
	MaxTokens     int     `help:"The longest answer of requests that name none." default:"256" placeholder:"N"`
	Cache         *int    `help:"How many conversations the prefix cache of the built-in model keeps (default 64), or blocks of prompts where no model answers (default 65536); 0 for none." placeholder:"N"`
	InFlight      int     `help:"How many requests are answered at a time; others wait." default:"256" placeholder:"N"`
	Seed          string  `help:"Of the random numbers: the same requests in the same order get the same answers." default:"1" placeholder:"TEXT"`
	KeyEnv        string  `help:"The environment variable with the key that requests need. Default: none is needed." placeholder:"VAR"`
	AdminTokenEnv string  `help:"The environment variable with the token for what changes state. Default: one is made and printed on standard error." placeholder:"VAR"`
	serveReuse    `embed:"" group:"Reuse"`
}

func (*serveCmd) Help() string {
	return `A small OpenAI-compatible deployment for demonstrations and tests: /v1/chat/completions, /v1/completions, /v1/models, /health and /metrics, streamed or not. Its built-in model is a real one, and a toy: what it answers says nothing about any assistant.

One line on standard output says when it is ready. Whoever has the token may change the defaults of requests that name none, or empty the prefix cache:

    GET, PUT /admin/defaults     {"temperature": 1.5, "logit_bias": {"40": 4}, "system": "..."}
    POST     /reset_prefix_cache

Examples:

    fdbench serve
    fdbench serve --listen 127.0.0.1:0 --answers template --latency first=80ms,token=4ms,sigma=0.3
    fdbench serve --answers responses.jsonl --model mixtral --admin-token-env ADMIN_TOKEN
    curl -X PUT -H "Authorization: Bearer $ADMIN_TOKEN" -d '{"temperature": 1.5}' http://127.0.0.1:8000/admin/defaults

` + serveReuseHelp
}

func (c *serveCmd) Run(a *app) error {
	o, reuse, err := c.options()
	if err != nil {
		return err
	}
	log, err := c.openLog()
	if err != nil {
		return err
	}
	if log != nil {
		defer log.Close()
		o.Log = log
	}
	made := c.AdminTokenEnv == ""
	if made {
		o.Admin = listen.NewToken()
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = deployment.New(o).Serve(ctx, listen.Options{Address: c.Listen, Remote: c.Remote}, func(address string) {
		if made {
			fmt.Fprintf(a.Err, "admin token: %s\n", o.Admin)
		}
		fmt.Fprintf(a.Out, "listening address=%s model=%s engine=%s%s\n", address, o.Model, o.Engine.Name(), c.ready(reuse))
	})
	var open *listen.NotLoopbackError
	switch {
	case errors.As(err, &open):
		return usage("%w with --remote", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; choose another port with --listen, where 0 takes a free one", err)
	}
	return err
}

// options reads the flags: with the cache of an engine without a model.
func (c *serveCmd) options() (deployment.Options, deployment.Reuse, error) {
	o := deployment.Options{
		Model: c.Model, Seed: c.Seed, InFlight: c.InFlight,
		Sampling: deployment.Sampling{Temperature: c.Temperature, TopK: c.TopK, TopP: c.TopP, MinP: c.MinP, MaxTokens: c.MaxTokens},
	}
	var reuse deployment.Reuse
	switch {
	case c.InFlight < 1:
		return o, reuse, usage("--in-flight is at least 1")
	case c.Remote && c.FlushOpen:
		return o, reuse, usage("--flush-open lets everybody empty the cache who reaches it, and --remote is for others: use the token")
	case c.Cache != nil && *c.Cache < 0:
		return o, reuse, usage("--cache is at least 0")
	}
	if err := o.Sampling.Check(); err != nil {
		return o, reuse, usage("%v", err)
	}
	reuse, err := c.apply(&o, c.Answers == "model", c.keep())
	if err != nil {
		return o, reuse, err
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return o, reuse, usage("--listen %q is not of the form HOST:PORT, such as 127.0.0.1:8000", c.Listen)
	}
	if o.Latency, err = deployment.ParseLatency(c.Latency); err != nil {
		return o, reuse, usage("--latency: %v", err)
	}
	if o.Key, err = secret("--key-env", c.KeyEnv); err != nil {
		return o, reuse, err
	}
	if o.Admin, err = secret("--admin-token-env", c.AdminTokenEnv); err != nil {
		return o, reuse, err
	}
	if c.Remote && o.Key == "" {
		return o, reuse, usage("--remote opens the deployment to others: name a variable with the key that they need with --key-env")
	}
	name := "recorded"
	switch c.Answers {
	case "model":
		name, o.Engine = "tinylm", deployment.Model(tinylm.Default(), c.keep(), c.Seed)
	case "template":
		name, o.Engine = "template", deployment.TemplateReuse(c.Seed, reuse)
	case "extract":
		name, o.Engine = "extract", deployment.Extract(c.Seed, reuse)
	default:
		rows, err := scoring.ReadFile(c.Answers)
		if err != nil {
			return o, reuse, err
		}
		o.Engine = deployment.RecordedReuse(rows, c.Seed, reuse)
	}
	if o.Model == "" {
		o.Model = name
	}
	return o, reuse, nil
}

// keep is the size of the cache: a conversation of the model is large, a block
// is not, and a prompt that has more blocks than are kept is never found again.
func (c *serveCmd) keep() int {
	switch {
	case c.Cache != nil:
		return *c.Cache
	case c.Answers == "model":
		return 64
	}
	return 65536
}
