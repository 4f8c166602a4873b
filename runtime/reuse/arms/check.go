package arms

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
)

// greeting is the prompt of a preflight.
const greeting = "Preflight, please ignore: say hello."

// Check finds the model where none is declared, asks every endpoint as a run would ask it, and calls the resets, and
// says in plain words what would spoil the run: nobody there, a wrong key or
// model, another protocol, answers without a stream or without usage, a reset
// that is missing or refused, counters that cannot be read, an engine that is
// of another version than declared. It empties the cache, as a run does.
//
// The error joins *Problem values; it is the context's where that ended.
func (r *Runner) Check(ctx context.Context) error {
	var list []error
	for _, e := range r.endpoints() {
		part := "donors"
		if e == r.main {
			part = "live"
		}
		for _, p := range e.check(ctx) {
			p.Part = part
			list = append(list, p)
		}
	}
	for _, u := range r.live.Reset {
		if p := r.checkReset(ctx, u); p != nil {
			list = append(list, p)
		}
	}
	for _, u := range r.live.Metrics {
		if _, err := r.scrape(ctx, u); err != nil {
			list = append(list, &Problem{"metrics", fmt.Sprintf("the counters at %s cannot be read: %s", u, r.clean(err.Error())), "correct metrics in the live block, or leave it out"})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(list...)
}

func (r *Runner) checkReset(ctx context.Context, u string) *Problem {
	problem := func(what, remedy string) *Problem { return &Problem{"reset", what, remedy} }
	status, err := r.postReset(ctx, u)
	switch {
	case err == nil:
		return nil
	case status == 0:
		return problem(fmt.Sprintf("the reset at %s gets no answer: %s", u, r.clean(err.Error())), "start the engine, or correct reset in the live block")
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		remedy := "name the environment variable of its token with reset_token_env"
		if env := r.live.ResetTokenEnv; env != "" {
			remedy = "set the environment variable " + env + " to its token"
		}
		return problem(fmt.Sprintf("the reset at %s is refused (%v)", u, err), remedy)
	case hopeless(status):
		return problem(fmt.Sprintf("there is no reset at %s (%v)", u, err), "correct reset in the live block; with vLLM it is /reset_prefix_cache in its development mode, with SGLang /flush_cache")
	}
	return problem(fmt.Sprintf("the reset at %s failed (%v)", u, err), "wait until the engine answers no other requests")
}

func (e *endpoint) check(ctx context.Context) []*Problem {
	var list []*Problem
	if e.r.live.Driver == SGLang {
		list = e.checkSGLang(ctx)
	} else {
		list = e.checkModels(ctx)
	}
	if len(list) > 0 {
		return list // one mistake, one message
	}
	rec := e.ask(ctx, question{id: e.r.requestID("preflight", 0, recipient, e.base), prompt: greeting, tokens: e.r.live.MaxTokens})
	if p := e.judge(&rec); p != nil {
		return []*Problem{p}
	}
	return e.checkVersion(ctx)
}

// keyed says what to do about a key.
func (e *endpoint) keyed() string {
	d := &e.r.live.Endpoint
	switch {
	case d.KeyEnv != "":
		return "set the environment variable " + d.KeyEnv + " to the endpoint's key"
	case d.KeyFile != "":
		return "put the endpoint's key into the file " + d.KeyFile
	}
	return "name the environment variable of the key with key_env in the live block"
}

// judge says what is wrong with an answer.
func (e *endpoint) judge(rec *openai.Record) *Problem {
	detail := rec.Detail
	problem := func(remedy, format string, args ...any) *Problem {
		return &Problem{What: fmt.Sprintf(format, args...), Remedy: remedy}
	}
	media, _, _ := mime.ParseMediaType(rec.Header.Get("Content-Type"))
	switch o := rec.Outcome; {
	case o == openai.Cancelled:
		return nil // by who asked
	case o == openai.Refused:
		return problem("start the engine, or correct base_url", "nothing answers at %s: %s", e.base, detail)
	case o == openai.Timeout:
		return problem("look at the engine, or allow it more time in the live block", "the endpoint at %s did not answer in time: %s", e.base, detail)
	case o == openai.Cut:
		return problem("look at the log of the engine, and of what lies before it", "the endpoint at %s broke off its answer: %s", e.base, detail)
	case rec.Status == http.StatusUnauthorized || rec.Status == http.StatusForbidden:
		return problem(e.keyed(), "the endpoint at %s refuses the key (%s)", e.base, detail)
	case rec.Status == http.StatusBadGateway || rec.Status == http.StatusServiceUnavailable || rec.Status == http.StatusGatewayTimeout:
		return problem("start the engine, and look at what lies between", "what answers at %s cannot reach the engine (%s)", e.base, detail)
	case o == openai.HTTPError && e.r.live.Driver == OpenAI && strings.Contains(strings.ToLower(detail), "model"):
		return problem("correct model in the live block", "the endpoint at %s refuses the model %q (%s)", e.base, e.r.model, detail)
	case rec.Status == http.StatusNotFound || rec.Status == http.StatusMethodNotAllowed:
		return problem("correct base_url or the driver of the live block", "the endpoint at %s does not speak the protocol of the %s driver: it answers %s", e.base, e.r.live.Driver, detail)
	case o == openai.HTTPError:
		return problem("correct body in the live block", "the endpoint at %s refuses a request: %s", e.base, detail)
	case o == openai.StreamError:
		return problem("look at the log of the engine", "the endpoint at %s answers with an error: %s", e.base, detail)
	case o == openai.Malformed:
		return problem("correct base_url or the driver of the live block", "the endpoint at %s does not answer as the %s driver expects: %s", e.base, e.r.live.Driver, detail)
	case media == "application/json":
		return problem("let it stream: without a first token there is no time to it", "the endpoint at %s answers in one piece", e.base)
	case rec.Stamps.FirstContent < 0:
		return problem("raise max_tokens in the live block, where the model thinks first", "the endpoint at %s answered without any text", e.base)
	case rec.Answer.Usage == nil:
		return problem("let it report usage (it was asked to with stream_options.include_usage): without it no cached token and no contamination can be seen",
			"the endpoint at %s reports no usage", e.base)
	}
	return nil
}

// checkModels asks for the list of models, where there is one.
func (e *endpoint) checkModels(ctx context.Context) []*Problem {
	status, body, err := e.get(ctx, e.client.URL("models"))
	if err != nil || status == http.StatusUnauthorized || status == http.StatusForbidden {
		rec := openai.Record{Outcome: openai.Refused, Status: status}
		if err == nil {
			rec.Outcome, rec.Detail = openai.HTTPError, (&statusError{status, e.r.excerpt(body)}).Error()
		} else if ctx.Err() != nil {
			return nil
		} else {
			rec.Detail = e.r.clean(err.Error())
		}
		return []*Problem{e.judge(&rec)}
	}
	var names []string
	if status == http.StatusOK {
		names = models(body)
	}
	switch n := len(names); {
	case e.r.model == "" && n == 1:
		e.r.model = names[0]
		return nil
	case e.r.model == "" && n == 0:
		return []*Problem{{What: fmt.Sprintf("the live block names no model, and the endpoint at %s lists none", e.base), Remedy: "write model in the live block"}}
	case e.r.model == "":
		return []*Problem{{What: fmt.Sprintf("the live block names no model, and the endpoint at %s has %d", e.base, n),
			Remedy: "write model in the live block; there is " + listed(names)}}
	case n == 0 || slices.Contains(names, e.r.model):
		return nil // where there is no list, the request that follows tells
	}
	remedy := "correct model in the live block"
	if e.r.live.Model == "" {
		remedy = "write the model that is meant into the live block" // another endpoint named it
	}
	return []*Problem{{What: fmt.Sprintf("the endpoint at %s has no model %q", e.base, e.r.model), Remedy: remedy + "; there is " + listed(names)}}
}
