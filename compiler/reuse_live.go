package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/zclconf/go-cty/cty"
)

// armMembers are those of a request's body that come from elsewhere in the
// live part of a reuse block.
var armMembers = map[string]string{
	"model":          "Write model = \"...\" beside it.",
	"messages":       "The manifest gives it.",
	"prompt":         "The manifest gives it.",
	"text":           "The manifest gives it.",
	"stream":         "Answers come as a stream, so that the first token has a time.",
	"stream_options": "A stream is always asked for its usage.",
	"n":              "A request gets one answer.",
	"max_tokens":     "Write max_tokens = ... beside it.",
	"temperature":    "Write temperature = ... beside it.",
	"request_id":     "Each request has an id of its own, by which logs are joined.",
}

// placements are words that people write for a signal which is a placement.
var placements = []string{"route", "routing", "placement", "gateway", "router", "semantic_placement"}

// readLive reads the arms against a running endpoint.
func (r *reuse) readLive() {
	b := r.block.One("live")
	if b == nil {
		return
	}
	r.live, r.ctx.Live = b, b
	r.sub(b, rule.LiveArms, func(d *decoder) {
		v := &plan.ReuseLive{
			Driver: b.Name(), Model: d.text("model"), Engine: d.text("engine"), EngineVersion: d.text("engine_version"),
			Endpoint: plan.Endpoint{
				BaseURL: d.target("base_url"), API: "generate", Stream: true, Headers: d.headers("headers"), Late: "late", Body: "{}",
			},
			Donors: d.addresses("donors"), Reset: d.addresses("reset"), ResetTokenEnv: d.variable("reset_token_env"),
			Order: d.text("order"), HitThreshold: d.tokens("hit_threshold"), Contamination: d.text("contamination"), Signal: r.signal(d),
			MaxTokens: int(d.count("max_tokens", 1)), DonorTokens: int(d.count("donor_max_tokens", 1)),
			Warmup: int(d.count("warmup", 0)), Cooldown: d.pause("cooldown"), DonorDelay: d.pause("donor_delay"),
			Concurrency: int(d.count("concurrency", 1)), Route: []plan.RouteHeader{}, Metrics: d.addresses("metrics"),
		}
		r.plan.Declaration.Live = v
		if b.Name() == "openai" {
			v.Endpoint.API = d.text("api")
			r.c.members(d, &v.Endpoint, armMembers)
		}
		d.credentials(&v.Endpoint)
		d.timeouts(&v.Endpoint)
		if n := d.positiveOrZero("temperature"); n != nil {
			v.Temperature = *n
			if n.Cmp(exact.Int(100)) > 0 {
				d.refuse("temperature", "Number out of range", fmt.Sprintf("%q is at most 100; this is %s.", "temperature", n))
			}
		}
		r.readRoute(d, v)
		switch {
		case !d.usable("reset", "concurrency", "reset_token_env"):
		case len(v.Reset) > 0 && v.Concurrency > 1:
			r.conflict(d, "concurrency", "Reset under other pairs", "A reset empties the cache for all pairs that are under way, so with one there is a pair at a time: write concurrency = 1, or leave the reset out.")
		case len(v.Reset) == 0 && v.ResetTokenEnv != "":
			r.conflict(d, "reset_token_env", "Token without a reset", "There is no reset that would ask for it. Write reset = \"...\", or leave the line out.")
		}
		if d.usable("hit_threshold") && v.HitThreshold == 0 {
			d.refuse("hit_threshold", "Threshold that everything reaches", "With 0 tokens every request is a hit, one with nothing from the cache too. Write 1 token or more.")
		}
	})
}

// signal reads what a hit is counted from. A placement is no hit, whatever it
// is called (KV-6-3).
func (r *reuse) signal(d *decoder) string {
	v, set := d.raw("signal")
	if !set {
		return ""
	}
	if v.Type() == cty.String && slices.Contains(placements, strings.ToLower(v.AsString())) {
		r.c.errorAt(d.at("signal"), "KV-6-3", "Placement taken for a hit", "Where a gateway sent a request says nothing of what the engine took from its cache. Write signal = \"cached_tokens\", or signal = \"evidence\" for what its log says; placements have a table of their own.")
		d.fix("signal", `"cached_tokens"`)
		d.fail("signal")
		return ""
	}
	return d.text("signal")
}

// readRoute reads which headers tell a placement, in the order in which they
// are looked for.
func (r *reuse) readRoute(parent *decoder, v *plan.ReuseLive) {
	b := parent.b.One("route")
	if b == nil {
		return
	}
	d := r.c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	seen := map[string]bool{}
	for _, tells := range []string{"outcome", "endpoint", "semantic_score", "total_score", "reason"} {
		for i, header := range d.texts(tells) {
			low := strings.ToLower(header)
			switch at := d.itemAt(tells, i); {
			case !headerName.MatchString(header):
				r.c.errorAt(at, "LANG-range", "Not a header", fmt.Sprintf("%q is no name for a header.", header))
				d.fail(tells)
			case seen[low]:
				r.c.errorAt(at, "LANG-range", "Header given twice", fmt.Sprintf("%s is named already. A header tells one thing: keep one.", header))
				d.fail(tells)
			default:
				seen[low] = true
				v.Route = append(v.Route, plan.RouteHeader{Header: low, Tells: tells})
			}
		}
	}
	if len(seen) == 0 && !d.bad {
		r.c.errorAt(b.DefRange, "LANG-reuse", "Route without a header", "Nothing tells where a request was placed. Name a header, or leave the block out.")
		d.bad = true
	}
}

// maxPause bounds the pauses of a pair.
const maxPause = 24 * exact.Hour

func (d *decoder) pause(name string) exact.Duration {
	v := d.duration(name)
	if v > maxPause {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q is at most a day.", name))
	}
	return v
}
