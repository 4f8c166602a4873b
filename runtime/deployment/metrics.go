package deployment

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// counters count since the start.
type counters struct {
	answered, failed              atomic.Int64 // requests
	prompt, cached, prefix, fuzzy atomic.Int64 // tokens of prompts
	lookups                       atomic.Int64 // tokens that were looked up beyond the prefix
	missed, leaked                atomic.Int64 // prompts
}

// take counts a prompt that was taken in.
func (c *counters) take(tokens int, r *reused) {
	c.prompt.Add(int64(tokens))
	c.cached.Add(int64(r.cached()))
	c.prefix.Add(int64(r.prefix))
	c.lookups.Add(int64(tokens - r.prefix))
	c.fuzzy.Add(int64(r.fuzzy()))
	if r.missed {
		c.missed.Add(1)
	}
	if r.leaked {
		c.leaked.Add(1)
	}
}

func (d *Deployment) metrics(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	c := &d.counters
	e := exposition{w}
	e.counter("fdbench_serve_requests_total", "Requests that were answered.", c.answered.Load())
	e.counter("fdbench_serve_failed_total", "Requests that were refused or whose client went away.", c.failed.Load())
	e.counter("fdbench_serve_prompt_tokens_total", "Tokens of prompts.", c.prompt.Load())
	e.counter("fdbench_serve_prompt_tokens_cached_total", "Tokens of prompts that the prefix cache had.", c.cached.Load())
	if t, ok := d.o.Engine.(*textEngine); ok {
		o := t.cache.o
		e.head("fdbench_serve_reuse_info", "gauge", "What the cache reuses.")
		fmt.Fprintf(w, "fdbench_serve_reuse_info{mode=%s,block_size=\"%d\",keep=\"%d\",tokenizer=%s} 1\n", label(string(o.Mode)), o.BlockSize, o.Keep, label(o.tokenizerName()))
	}
	if list := d.o.Faults.names(); len(list) > 0 {
		e.head("fdbench_serve_fault", "gauge", "What the cache was told to do wrong.")
		for _, f := range list {
			fmt.Fprintf(w, "fdbench_serve_fault{kind=%s} %s\n", label(f[0]), f[1])
		}
		e.counter("fdbench_serve_leaked_total", "Prompts that were taken for another one.", c.leaked.Load())
		e.counter("fdbench_serve_missed_total", "Prompts that reused nothing of what the cache had.", c.missed.Load())
	}
	if d.o.Flavour != VLLM {
		return
	}
	model := "model_name=" + label(d.o.Model)
	for _, x := range []struct {
		name, help string
		v          int64
	}{
		{"vllm:prefix_cache_queries_total", "Tokens that were looked up in the prefix cache.", c.prompt.Load()},
		{"vllm:prefix_cache_hits_total", "Tokens that the prefix cache had.", c.prefix.Load()},
		{"vllm:external_prefix_cache_queries_total", "Tokens that were looked up beyond the prefix cache.", c.lookups.Load()},
		{"vllm:external_prefix_cache_hits_total", "Tokens that were had from beyond the prefix cache.", c.fuzzy.Load()},
	} {
		e.head(x.name, "counter", x.help)
		fmt.Fprintf(w, "%s{%s} %d\n", x.name, model, x.v)
	}
	e.head("vllm:prompt_tokens_by_source_total", "counter", "Tokens of prompts, by where their keys and values come from.")
	for _, x := range []struct {
		source string
		v      int64
	}{{"external_kv_transfer", c.fuzzy.Load()}, {"local_cache_hit", c.prefix.Load()}, {"local_compute", c.prompt.Load() - c.cached.Load()}} {
		fmt.Fprintf(w, "vllm:prompt_tokens_by_source_total{%s,source=%s} %d\n", model, label(x.source), x.v)
	}
}

// exposition writes the text format of Prometheus.
type exposition struct{ w http.ResponseWriter }

func (e exposition) head(name, kind, help string) {
	fmt.Fprintf(e.w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e exposition) counter(name, help string, v int64) {
	e.head(name, "counter", help)
	fmt.Fprintf(e.w, "%s %d\n", name, v)
}

func label(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(v) + `"`
}
