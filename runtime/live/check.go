package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
)

// CheckServing asks a deployment as a run would ask it, twice the same, and
// says what would spoil a series: nobody there, a wrong key or model, another
// protocol, no stream where one was asked for, a cache. baseURL is the plan's
// or that of the deployment behind the apparatus.
func CheckServing(ctx context.Context, p *plan.Plan, baseURL string, target confine.Target, key, prompt string) []driver.Problem {
	f := &Factory{plan: p, o: Options{Target: target, Key: key}}
	e := p.Declaration.Serving.Endpoint
	if e.Body != "" {
		if err := json.Unmarshal([]byte(e.Body), &f.extra); err != nil {
			return []driver.Problem{{Part: "serving", What: "the further members of a request are no JSON object: " + err.Error(), Remedy: "correct the body of the serving block"}}
		}
	}
	s := f.settings()
	s.BaseURL = baseURL
	client := openai.NewClient(s)
	defer client.Close()
	model := p.Declaration.Serving.Model
	r := openai.Request{Model: model, Prompt: prompt, Chat: e.API != "completions", Stream: e.Stream, Extra: f.extra}
	rec := client.Do(ctx, r)
	problem := func(rule, what, remedy string) []driver.Problem {
		return []driver.Problem{{Rule: rule, Part: "serving", What: what, Remedy: remedy}}
	}
	keyed := "name the environment variable of the key with key_env"
	if e.KeyEnv != "" {
		keyed = "set the environment variable " + e.KeyEnv + " to the deployment's key"
	} else if e.KeyFile != "" {
		keyed = "put the deployment's key into the file " + e.KeyFile
	}
	switch o := rec.Outcome; {
	case o == openai.Cancelled:
		return nil // by who asked
	case o == openai.Refused:
		return problem("", fmt.Sprintf("nothing answers at %s: %s", baseURL, rec.Detail), "start the deployment, or correct base_url")
	case o == openai.Timeout:
		return problem("", fmt.Sprintf("the deployment at %s did not answer in time: %s", baseURL, rec.Detail), "look at the deployment, or allow it more time in the serving block")
	case o == openai.Cut:
		return problem("", fmt.Sprintf("the deployment at %s broke off its answer: %s", baseURL, rec.Detail), "look at the log of the deployment, and of what lies before it")
	case rec.Status == http.StatusUnauthorized || rec.Status == http.StatusForbidden:
		return problem("", fmt.Sprintf("the deployment at %s refuses the key (%s)", baseURL, rec.Detail), keyed)
	case rec.Status == http.StatusBadGateway || rec.Status == http.StatusServiceUnavailable || rec.Status == http.StatusGatewayTimeout:
		return problem("", fmt.Sprintf("what answers at %s cannot reach the deployment (%s)", baseURL, rec.Detail), "start the deployment, and look at what lies between")
	case o == openai.HTTPError && names(rec.Detail, model):
		what := fmt.Sprintf("the deployment at %s has no model %q", baseURL, model)
		remedy := "correct the model of the serving block"
		if have := models(ctx, client, s); len(have) > 0 {
			remedy += "; there is " + strings.Join(have, ", ")
		}
		return problem("", what, remedy)
	case rec.Status == http.StatusNotFound || rec.Status == http.StatusMethodNotAllowed:
		return problem("", fmt.Sprintf("%s is not an OpenAI-compatible endpoint: it answers %s", client.URL(path(e)), rec.Detail), "correct base_url: /v1/"+path(e)+" is asked for below it")
	case o == openai.HTTPError:
		return problem("", fmt.Sprintf("the deployment at %s refuses a request: %s", baseURL, rec.Detail), "correct the body of the serving block")
	case o == openai.StreamError:
		return problem("", fmt.Sprintf("the deployment at %s answers with an error: %s", baseURL, rec.Detail), "look at the log of the deployment")
	case o == openai.Malformed:
		return problem("", fmt.Sprintf("%s does not answer as an OpenAI-compatible endpoint does: %s", client.URL(path(e)), rec.Detail), "correct base_url")
	}
	var out []driver.Problem
	if e.Stream && rec.Answer.Events == 0 {
		out = append(out, problem("", fmt.Sprintf("the deployment at %s was asked for a stream and answers in one piece", baseURL), "write stream = false in the serving block")...)
	}
	if rec.Answer.Content == "" && rec.Answer.Reasoning == "" && len(rec.Answer.ToolCalls) == 0 {
		out = append(out, problem("", fmt.Sprintf("the deployment at %s answered %q with nothing", baseURL, prompt), "look at the limits of the answer in the body of the serving block")...)
	}
	if again := client.Do(ctx, r); again.Outcome == openai.OK && p.Declaration.Environment.Caching == "disabled" && answeredByCache(again.Header) {
		out = append(out, problem("FD-3.3-7", fmt.Sprintf("a cache answered the same prompt the second time at %s, and caching is declared as disabled", baseURL),
			"switch the cache off, or declare the no-hit population")...)
	}
	return out
}

func path(e *plan.Endpoint) string {
	if e.API == "completions" {
		return "completions"
	}
	return "chat/completions"
}

// names tells whether an error speaks of the model.
func names(detail, model string) bool {
	d := strings.ToLower(detail)
	return strings.Contains(d, "model_not_found") || strings.Contains(d, "model") && strings.Contains(d, strings.ToLower(model))
}

// mostModels bounds how many models an answer lists.
const mostModels = 10

// models asks which models there are.
func models(ctx context.Context, client *openai.Client, s openai.Settings) []string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, client.URL("models"), nil)
	if err != nil {
		return nil
	}
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Key)
	}
	t := &http.Transport{DialContext: s.Dial}
	defer t.CloseIdleConnections()
	resp, err := t.RoundTrip(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&list) != nil {
		return nil
	}
	var out []string
	for _, m := range list.Data {
		if len(out) == mostModels {
			return append(out, "...")
		}
		out = append(out, fmt.Sprintf("%q", m.ID))
	}
	return out
}
