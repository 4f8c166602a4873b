package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// serveReuse are the flags of a deployment that reuse is measured on.
type serveReuse struct {
	Reuse       string  `help:"What the cache reuses where no model answers: prefix (the beginning of an earlier prompt, in whole blocks), semantic (that, and whole blocks from anywhere in one) or none. Default: prefix." placeholder:"MODE"`
	BlockSize   int     `help:"Tokens of a prompt that are cached together where no model answers. Default: 16." placeholder:"N"`
	Tokenizer   string  `help:"What counts the tokens of prompts where no model answers: words, or a tokenizer of reuse blocks, such as stable. Default: words." placeholder:"NAME"`
	ReuseLeak   float64 `help:"A fault: for this share of prompts, the cache takes an unrelated one for them. The answer is fast and wrong." placeholder:"SHARE"`
	ReuseMiss   float64 `help:"A fault: this share of prompts reuses nothing of what the cache has." placeholder:"SHARE"`
	ReuseSticky bool    `help:"A fault: resets succeed and forget nothing."`
	ReuseSilent bool    `help:"A fault: usage does not say how many tokens were cached."`
	Engine      string  `help:"Whose log lines, request ids and counters to have: vllm, sglang or trtllm." default:"vllm" placeholder:"NAME"`
	EngineLog   string  `help:"A file to add lines to in which the engine tells what it reuses. Not with --answers model." placeholder:"FILE"`
	EngineTimes bool    `help:"Tell the engine's own times with each answer."`
	Worker      string  `name:"route-headers" help:"Tell in headers of each answer how a router placed it, with this name of a worker." placeholder:"WORKER"`
	FlushOpen   bool    `help:"Let POST /flush_cache and /reset_prefix_cache in without a token, as engines on a machine of their own do. Not with --remote."`
}

const serveReuseHelp = `For reuse blocks, prompts are cached without a model too (--reuse), and what a cache can do wrong can be asked for (--reuse-leak and the like). A prompt of P tokens of which C are cached gets its first token after first + prefill*(P-C), times the factor of sigma: the true speed-up of every pair is known. At temperature 0 the answer to a prompt is always the same. Beside OpenAI's protocol there is SGLang's own:

    POST     /generate           {"text": "...", "sampling_params": {"max_new_tokens": 16}, "stream": true}
    POST     /flush_cache        empties the cache
    GET      /get_server_info, /get_model_info

    fdbench serve --answers extract --reuse semantic --tokenizer stable --latency first=5ms,prefill=20us,token=1ms
    fdbench serve --answers extract --reuse semantic --engine vllm --engine-log vllm.log`

// apply puts the flags into the options, and returns the cache of an engine
// without a model.
func (c *serveReuse) apply(o *deployment.Options, model bool, keep int) (deployment.Reuse, error) {
	r := deployment.Reuse{Mode: deployment.Mode(c.Reuse), BlockSize: c.BlockSize, Keep: keep}
	o.Faults = deployment.Faults{Leak: c.ReuseLeak, Miss: c.ReuseMiss, Sticky: c.ReuseSticky, Silent: c.ReuseSilent}
	o.EngineTimes, o.Worker, o.FlushOpen = c.EngineTimes, c.Worker, c.FlushOpen
	if model {
		for _, x := range []struct {
			set  bool
			flag string
		}{{c.Reuse != "", "--reuse"}, {c.BlockSize != 0, "--block-size"}, {c.Tokenizer != "", "--tokenizer"}, {c.ReuseLeak != 0, "--reuse-leak"},
			{c.ReuseMiss != 0, "--reuse-miss"}, {c.EngineLog != "", "--engine-log"}} {
			if x.set {
				return r, usage("%s is for answers without a model: the model has a cache and a tokenizer of its own; add --answers extract, template or a file", x.flag)
			}
		}
	}
	var err error
	if o.Flavour, err = deployment.ParseFlavour(c.Engine); err != nil {
		return r, usage("--engine: %v", err)
	}
	if err := r.Check(); err != nil {
		return r, usage("%v", err)
	}
	if err := o.Faults.Check(); err != nil {
		return r, usage("%v", err)
	}
	if (keep == 0 || r.Mode == deployment.None) && (c.ReuseLeak > 0 || c.ReuseMiss > 0) {
		return r, usage("--reuse-leak and --reuse-miss need a cache: leave out --reuse none and --cache 0")
	}
	if c.Tokenizer != "" && c.Tokenizer != "words" {
		if r.Tokenizer, err = tokens.Lookup(c.Tokenizer); err != nil {
			return r, usage("--tokenizer: %v; or words", err)
		}
	}
	if strings.ContainsFunc(c.Worker, func(r rune) bool { return r < ' ' || r > '~' }) {
		return r, usage("--route-headers %q cannot stand in a header; use plain letters", c.Worker)
	}
	return r, nil
}

// openLog opens the engine's log, nil where there is none.
func (c *serveReuse) openLog() (io.WriteCloser, error) {
	if c.EngineLog == "" {
		return nil, nil
	}
	return os.OpenFile(c.EngineLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

// ready is what the line of readiness adds: what is not as it is by default.
func (c *serveReuse) ready(r deployment.Reuse) string {
	var b strings.Builder
	if c.Reuse != "" {
		fmt.Fprintf(&b, " reuse=%s", c.Reuse)
	}
	if c.BlockSize != 0 {
		fmt.Fprintf(&b, " block_size=%d", c.BlockSize)
	}
	if r.Tokenizer != nil {
		fmt.Fprintf(&b, " tokenizer=%s", r.Tokenizer.Name())
	}
	var faults []string
	for _, x := range []struct {
		name  string
		share float64
	}{{"leak", c.ReuseLeak}, {"miss", c.ReuseMiss}} {
		if x.share > 0 {
			faults = append(faults, x.name+":"+strconv.FormatFloat(x.share, 'g', -1, 64))
		}
	}
	if c.ReuseSticky {
		faults = append(faults, "sticky")
	}
	if c.ReuseSilent {
		faults = append(faults, "silent")
	}
	if len(faults) > 0 {
		fmt.Fprintf(&b, " faults=%s", strings.Join(faults, ","))
	}
	return b.String()
}
