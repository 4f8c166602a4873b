package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/probing"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/openai"
)

type probeCmd struct {
	Model       string            `required:"" help:"The model to ask, by the name that the deployment gives it." placeholder:"NAME"`
	Prompt      string            `required:"" help:"What to ask." placeholder:"TEXT"`
	System      string            `help:"A message of the system before the prompt." placeholder:"TEXT"`
	Stream      bool              `help:"Ask for the answer as a stream of events."`
	Completions bool              `help:"Use completions, and not chat completions."`
	Body        map[string]string `help:"A further member of the request's body, as JSON, such as temperature=0.5. May be repeated." placeholder:"NAME=JSON" mapsep:"none"`
	Header      []string          `help:"A further header of the request. May be repeated." placeholder:"NAME:VALUE" sep:"none"`
	KeyEnv      string            `help:"The environment variable that holds the deployment's key." placeholder:"VAR"`
	Timeout     time.Duration     `help:"The longest time for the whole." default:"60s" placeholder:"TIME"`
	AllowTarget bool              `help:"Let an address outside of the ranges of a test environment through."`
	JSON        bool              `name:"json" help:"Print a JSON object."`
	URL         string            `arg:"" name:"url" help:"The deployment, such as http://127.0.0.1:8000; /v1 is added where the path does not end in it."`
}

func (*probeCmd) Help() string {
	return `Sends one request and prints everything that was seen of it. Times are counted from the instant at which the request was to be sent, on a monotonic clock. The exit code is 1 where the answer is an error, also one that came inside a stream with status 200.

Examples:

    fdbench probe http://127.0.0.1:8000 --model tinylm --prompt "Tell me about Rome." --stream
    fdbench probe http://127.0.0.1:8000 --model tinylm --prompt "Give me a JSON record of Rome." --body temperature=2 --json
    fdbench probe https://10.0.0.7/v1 --model mixtral --prompt "Hello." --key-env LAB_KEY`
}

func (c *probeCmd) Run(a *app) error {
	r, s, err := c.request()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	target, err := probing.Resolve(ctx, net.DefaultResolver, c.URL, c.AllowTarget)
	if err != nil {
		return targetError(err)
	}
	if target.Allowed {
		fmt.Fprintf(a.Err, "Note: %s is %s, as --allow-target says.\n", target.Host, target.Where())
	}
	s.BaseURL, s.Dial = target.BaseURL, target.DialContext
	client := openai.NewClient(s)
	defer client.Close()
	path := "chat/completions"
	if c.Completions {
		path = "completions"
	}
	report := probing.NewReport(target, client.URL(path), s.Key, client.Do(ctx, r))
	if c.JSON {
		err = plainjson.Write(a.Out, report)
	} else {
		err = report.Text(a.Out)
	}
	return probeError(ctx, report, err)
}

// targetError gives an error of a target its exit code.
func targetError(err error) error {
	var form *probing.FormError
	var outside *confine.OutsideError
	var host *confine.HostError
	switch {
	case errors.As(err, &form):
		return usage("%w", err)
	case errors.As(err, &outside):
		return refused(fmt.Errorf("%w with --allow-target", err))
	case errors.As(err, &host):
		return refused(err)
	}
	return fmt.Errorf("the deployment's address was not found: %w", err)
}

// probeError says what was wrong with the answer, where something was.
func probeError(ctx context.Context, r *probing.Report, err error) error {
	switch {
	case err != nil || r.Outcome == openai.OK:
		return err
	case ctx.Err() != nil:
		return exit(exitInterrupted)
	}
	err = fmt.Errorf("the request failed (%s): %s", r.Outcome, *r.Error)
	if remedy := r.Remedy(); remedy != "" {
		err = fmt.Errorf("%w; %s", err, remedy)
	}
	return err
}

// request reads the flags.
func (c *probeCmd) request() (openai.Request, openai.Settings, error) {
	r := openai.Request{Model: c.Model, Prompt: c.Prompt, System: c.System, Chat: !c.Completions, Stream: c.Stream}
	s := openai.Settings{Timeout: c.Timeout, Header: http.Header{}}
	if c.System != "" && c.Completions {
		return r, s, usage("completions take one text: put what --system says into --prompt")
	}
	if c.Timeout <= 0 {
		return r, s, usage("--timeout is to be longer than 0")
	}
	for name, value := range c.Body {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			return r, s, usage("--body %s=%s is not JSON: %v; text stands in quotes, such as '%s=\"%s\"'", name, value, err, name, value)
		}
		if r.Extra == nil {
			r.Extra = map[string]any{}
		}
		r.Extra[name] = json.RawMessage(value)
	}
	for _, h := range c.Header {
		name, value, ok := strings.Cut(h, ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if !ok || name == "" {
			return r, s, usage("--header %q is not of the form NAME:VALUE", h)
		}
		if name == "Authorization" {
			return r, s, usage("a key on the command line can be read by others: put it into an environment variable, and name that with --key-env")
		}
		s.Header.Add(name, strings.TrimSpace(value))
	}
	key, err := secret("--key-env", c.KeyEnv)
	s.Key = key
	return r, s, err
}

// secret reads the environment variable that a flag names, "" where the flag
// is not given.
func secret(flag, variable string) (string, error) {
	if variable == "" {
		return "", nil
	}
	v := os.Getenv(variable)
	if v == "" {
		return "", usage("%s names the environment variable %s, which is not set", flag, variable)
	}
	return v, nil
}
