package deployment

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"strings"
	"time"
)

// generateRequest holds the members of SGLang's own protocol that have a
// meaning here. ignore_eos is taken and has no effect: a text ends where it
// ends.
type generateRequest struct {
	Text     json.RawMessage `json:"text"`
	Sampling struct {
		Temperature *float64 `json:"temperature"`
		TopP        *float64 `json:"top_p"`
		TopK        *int     `json:"top_k"`
		MinP        *float64 `json:"min_p"`
		MaxTokens   *int     `json:"max_new_tokens"`
		N           *int     `json:"n"`
	} `json:"sampling_params"`
	Stream  bool   `json:"stream"`
	ID      string `json:"rid"`
	Logprob bool   `json:"return_logprob"`
}

// generate answers in the form of SGLang's own protocol.
func (d *Deployment) generate(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	var q generateRequest
	if !read(w, r, &q) {
		return
	}
	p := q.Sampling
	if p.TopK != nil && *p.TopK == -1 { // all of them, in that protocol
		p.TopK = new(0)
	}
	sampling, system := d.settings(&request{Temperature: p.Temperature, TopP: p.TopP, TopK: p.TopK, MinP: p.MinP, MaxTokens: p.MaxTokens})
	var text string
	var err error
	switch {
	case json.Unmarshal(q.Text, &text) != nil || text == "":
		err = bad("text is to be one text that is not empty")
	case q.Logprob:
		err = bad("return_logprob: answers here have no probabilities")
	case p.N != nil && *p.N != 1:
		err = bad("n is 1 here, and not %d", *p.N)
	default:
		err = sampling.Check()
	}
	if err != nil {
		fail(w, err)
		return
	}
	if system != "" {
		text = system + "\n" + text
	}
	d.answer(w, r, &call{
		job:     job{prompt: text, sampling: sampling, raw: true},
		arrived: arrived, name: given("", q.ID, r.Header.Get("X-Request-Id")),
		out: &generated{d: d, w: w, stream: q.Stream},
	})
}

// generated writes one answer in the form of SGLang's own protocol: every
// event repeats the text so far.
type generated struct {
	d      *Deployment
	w      http.ResponseWriter
	stream bool
	id     string
	text   strings.Builder
	ids    []uint32 // of the pieces: hashes, as there is no vocabulary
}

func (g *generated) begin(id string) {
	g.id = id
	if g.stream {
		streamed(g.w)
	}
}

func (g *generated) piece(s string) bool {
	g.text.WriteString(s)
	h := fnv.New32a()
	h.Write([]byte(s))
	g.ids = append(g.ids, h.Sum32()&0x7fffffff)
	if !g.stream {
		return true
	}
	return sendJSON(g.w, g.object(map[string]any{"id": g.id, "finish_reason": nil, "completion_tokens": len(g.ids)}))
}

func (g *generated) end(o outcome) {
	finish := map[string]any{"type": o.finish}
	if o.finish == "length" {
		finish["length"] = o.completion
	}
	meta := map[string]any{
		"id": g.id, "finish_reason": finish, "prompt_tokens": o.prompt, "completion_tokens": o.completion,
		"e2e_latency": o.whole.Seconds(),
	}
	if !g.d.o.Faults.Silent {
		details := map[string]any{"device": o.reused.prefix, "host": 0}
		if o.reused.looked {
			details["fuzzy"] = o.reused.fuzzy()
		}
		meta["cached_tokens"], meta["cached_tokens_details"] = o.reused.cached(), details
	}
	if g.d.o.EngineTimes {
		meta["time_to_first_token_ms"], meta["queue_time_ms"] = milliseconds(o.ttft), milliseconds(o.queue)
	}
	body := g.object(meta)
	if !g.stream {
		g.w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(g.w).Encode(body)
		return
	}
	if sendJSON(g.w, body) {
		send(g.w, []byte("[DONE]"))
	}
}

func (g *generated) object(meta map[string]any) map[string]any {
	ids := g.ids
	if ids == nil {
		ids = []uint32{}
	}
	return map[string]any{"text": g.text.String(), "output_ids": ids, "meta_info": meta}
}

func (d *Deployment) modelInfo(w http.ResponseWriter, r *http.Request) {
	reply(w, map[string]any{"model_path": d.o.Model, "tokenizer_path": d.o.Model, "is_generation": true})
}

func (d *Deployment) serverInfo(w http.ResponseWriter, r *http.Request) {
	info := map[string]any{"model_path": d.o.Model, "served_model_name": d.o.Model, "version": "fdbench " + d.o.Engine.Name()}
	if t, ok := d.o.Engine.(*textEngine); ok {
		info["page_size"], info["disable_radix_cache"] = t.cache.o.BlockSize, t.cache.o.Mode == None
	}
	reply(w, info)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
