package arms

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// Drivers (plan.ReuseLive.Driver).
const (
	OpenAI = "openai"
	SGLang = "sglang"
)

// endpoint is one place that answers requests.
type endpoint struct {
	r      *Runner
	base   string
	client *openai.Client
	extra  map[string]any // further members of every body, as declared
}

func (r *Runner) endpoint(base string) (*endpoint, error) {
	for _, e := range append(r.donors, r.main) {
		if e != nil && e.base == base {
			return e, nil
		}
	}
	d := &r.live.Endpoint
	h := http.Header{}
	for name, v := range d.Headers {
		h.Set(name, v)
	}
	if d.Cold {
		h.Set("Connection", "close")
	}
	e := &endpoint{r: r, base: base, extra: map[string]any{}}
	if d.Body != "" {
		dec := json.NewDecoder(bytes.NewReader([]byte(d.Body)))
		dec.UseNumber()
		if err := dec.Decode(&e.extra); err != nil {
			return nil, fmt.Errorf("the further members of a request are no JSON object: %w; correct the body of the live block", err)
		}
	}
	e.client = openai.NewClient(openai.Settings{BaseURL: base, Header: h, Key: r.key, MaxBody: longestAnswer(r.live),
		HeaderTimeout: time.Duration(d.Header), GapTimeout: time.Duration(d.Gap), Timeout: time.Duration(d.Whole),
		Connections: max(r.live.Concurrency, 1) + 1, Dial: r.dial})
	return e, nil
}

// longestAnswer bounds an answer in bytes, of which none is kept but its text.
// SGLang repeats in each event all text and tokens before it, some 16 bytes a
// token, so that an honest answer grows with the square of its length.
func longestAnswer(l *plan.ReuseLive) int64 {
	const least, most = 64 << 20, 1 << 20
	if l.Driver != SGLang {
		return least
	}
	n := int64(min(max(l.MaxTokens, l.DonorTokens, warmupTokens), most))
	return max(least, n*(2<<10+8*n))
}

// question is one request.
type question struct {
	id     string
	prompt string
	tokens int            // of the answer, at most
	item   *manifest.Item // that it belongs to; nil for none
}

// ask sends a request. What went wrong is the record's outcome.
func (e *endpoint) ask(ctx context.Context, q question) openai.Record {
	rec := e.send(ctx, q)
	rec.Detail = e.r.clean(rec.Detail)
	return rec
}

func (e *endpoint) send(ctx context.Context, q question) openai.Record {
	h := http.Header{"X-Request-Id": {q.id}}
	e.route(h, q.item)
	if e.r.live.Driver == SGLang {
		body, err := e.generate(q)
		if err != nil {
			return openai.Record{Outcome: openai.Malformed, Detail: err.Error()}
		}
		return e.client.Exchange(ctx, root(e.base)+"/generate", h, body, new(generated))
	}
	extra := maps.Clone(e.extra)
	limit := "max_tokens"
	if _, ok := extra["max_completion_tokens"]; ok {
		limit = "max_completion_tokens" // the name that newer models insist on
	}
	extra[limit] = q.tokens
	extra["temperature"] = number(e.r.live.Temperature)
	if e.r.live.Engine == "vllm" {
		extra["request_id"] = q.id // a gateway may not pass the header on; others refuse the member
	}
	d := &e.r.live.Endpoint
	return e.client.Do(ctx, openai.Request{Model: e.r.model, Prompt: q.prompt, Chat: d.API != "completions", Stream: d.Stream, Extra: extra, Header: h})
}

// tenancy names the headers by which gateways keep tenants and templates
// apart, with the members of an item's metadata that say more of it than the
// declaration.
var tenancy = []struct {
	header  string
	members []string
}{{"X-Tenant-Id", []string{"tenant", "tenant_id"}}, {"X-Chat-Template-Id", []string{"template", "template_id"}}}

// route sets those headers that the declaration has for an item that says
// otherwise.
func (e *endpoint) route(h http.Header, item *manifest.Item) {
	if item == nil {
		return
	}
	declared := map[string]bool{}
	for name := range e.r.live.Endpoint.Headers {
		declared[http.CanonicalHeaderKey(name)] = true
	}
	for _, t := range tenancy {
		if !declared[t.header] {
			continue
		}
		for _, m := range t.members {
			var v string
			if json.Unmarshal(item.Metadata[m], &v) == nil && v != "" {
				h.Set(t.header, v)
				break
			}
		}
	}
}

// number writes a number as JSON.
func number(n exact.Number) json.RawMessage {
	if s := n.String(); json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return json.RawMessage(strconv.FormatFloat(n.Float64(), 'g', -1, 64))
}
