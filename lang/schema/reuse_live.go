package schema

// The live part of a reuse block: cold and warm arms against a running
// endpoint.

var reuseLiveBlock = &Block{
	Type: "live", Labels: []Label{{Name: "KIND", Doc: "The protocol."}}, Max: 1, Since: 1, Requirements: req("KV-5-1", "KV-8-1"),
	Doc: "Sends every recipient twice to a running endpoint: cold, with nothing of its item in the cache, and warm, after its donors.",
	Kinds: []*Block{
		{
			Type: "live", Kind: "openai", Since: 1, Requirements: req("KV-5-1", "KV-8-1"), Refused: reuseLiveRefused,
			Doc: "An endpoint that speaks the OpenAI protocol: an engine, or a gateway in front of engines.",
			Attrs: append([]*Attr{
				reuseBaseURL(`/v1` + "` is appended where the path does not end in it"),
				{Name: "model", Type: String, Default: `""`, Since: 1, Doc: "The name of the model, as a request asks for it. Where it is absent the endpoint has to list exactly one, and that one is asked for."},
				{Name: "api", Type: String, Default: `"chat"`, Enum: []string{"chat", "completions"}, Since: 1, Doc: "Which of the two requests is sent: `chat` with a message of the user, `completions` with a prompt."},
				{Name: "body", Type: Any, Default: "{}", Since: 1, Doc: "An object with further members of a request. They are hashed and reported."},
				engineAttr(`"other"`),
			}, reuseLiveAttrs...),
			Blocks: []*Block{timeoutsBlock, routeBlock},
		},
		{
			Type: "live", Kind: "sglang", Since: 1, Requirements: req("KV-5-4", "KV-5-10"), Refused: reuseLiveRefused,
			Doc: "SGLang's own protocol: requests go to `/generate`, whose answers tell the cached tokens.",
			Attrs: append([]*Attr{
				reuseBaseURL(""),
				{Name: "model", Type: String, Default: `""`, Since: 1, Doc: "The name of the model that the server is asked whether it has; absent, the one that it names. A request does not carry it."},
				engineAttr(`"sglang"`),
			}, reuseLiveAttrs...),
			Blocks: []*Block{timeoutsBlock, routeBlock},
		},
	},
}

func reuseBaseURL(more string) *Attr {
	doc := "Where the requests go, such as `\"http://127.0.0.1:8000\"`"
	if more != "" {
		doc += "; `" + more
	}
	return &Attr{Name: "base_url", Type: String, Required: true, Since: 1, Doc: doc + ". An address outside of loopback, private and benchmarking networks is refused, unless the command line lets it through."}
}

func engineAttr(def string) *Attr {
	return &Attr{Name: "engine", Type: String, Default: def, Enum: []string{"vllm", "sglang", "trtllm", "other"}, Since: 1, Doc: "Which engine answers. It decides how what it says is read."}
}

// reuseLiveAttrs are those that both protocols have.
var reuseLiveAttrs = []*Attr{
	{Name: "engine_version", Type: String, Default: `""`, Since: 1, Doc: "The version of the engine, for the report and for the noise floor."},
	{Name: "headers", Type: Object, Default: "{}", Since: 1, Doc: "Further headers of a request, such as a tenant that a gateway asks for. A key is no header: see `key_env`."},
	{Name: "key_env", Type: String, Since: 1, Doc: "The name of the environment variable that holds the key, sent as a bearer token. The key itself is in no plan, journal or report."},
	{Name: "key_file", Type: String, Since: 1, Doc: "The path of the file that holds the key, read when a run begins, in place of `key_env`."},
	{Name: "donors", Type: Addresses, Default: "[]", Since: 1, Doc: "Where donors are sent, where that is not `base_url`: the workers behind a gateway, of which a donor's id picks one."},
	{Name: "reset", Type: Addresses, Default: "[]", Since: 1, Doc: "What empties the cache: each address is sent a POST before each arm, and has to answer with 2xx. Without one, nothing keeps a cold arm cold but the prompts themselves."},
	{Name: "reset_token_env", Type: String, Since: 1, Doc: "The name of the environment variable with the token that `reset` asks for, sent as a bearer token."},
	{Name: "order", Type: String, Default: `"counterbalanced"`, Enum: []string{"counterbalanced", "cold_first"}, Since: 1, Doc: "Which arm comes first: in half of the pairs each, drawn by the seed, or always the cold one, which takes warm-up and drift for speed."},
	{Name: "hit_threshold", Type: Tokens, Default: `"64 tokens"`, Since: 1, Doc: "From how many confirmed tokens on a warm request counts as a hit."},
	{Name: "contamination", Type: String, Default: `"any"`, Enum: []string{"any", "block"}, Since: 1, Doc: "When a cold arm is contaminated: with any cached token, or with more of them than one block."},
	{Name: "signal", Type: String, Default: `"cached_tokens"`, Enum: []string{"cached_tokens", "evidence"}, Since: 1, Doc: "What a hit is counted from: the cached tokens that the backend reports, or what its log says of the request."},
	{Name: "max_tokens", Type: Number, Default: "64", Unit: "tokens", Since: 1, Doc: "The length of a recipient's answer."},
	{Name: "donor_max_tokens", Type: Number, Default: "1", Unit: "tokens", Since: 1, Doc: "The length of a donor's answer, which nobody reads."},
	{Name: "temperature", Type: Number, Default: "0", Since: 1, Doc: "The temperature of every request."},
	{Name: "warmup", Type: Number, Default: "2", Unit: "requests", Since: 1, Doc: "How many requests are sent before the first item and thrown away."},
	{Name: "cooldown", Type: Duration, Default: `"0s"`, Since: 1, Doc: "The pause between the arms of a pair."},
	{Name: "donor_delay", Type: Duration, Default: `"0s"`, Since: 1, Doc: "The pause between the donors and their recipient."},
	{Name: "concurrency", Type: Number, Default: "1", Unit: "pairs", Since: 1, Doc: "How many pairs are under way at a time. With `reset` it is 1, since a reset empties the cache for all."},
	{Name: "metrics", Type: Addresses, Default: "[]", Since: 1, Doc: "Prometheus expositions of the engines, read before the first and after the last pair."},
}

var timeoutsBlock = servingOpenAI.Block("timeouts")

var routeBlock = &Block{
	Type: "route", Max: 1, Since: 1, Requirements: req("KV-6-1"),
	Doc: "Which headers of an answer tell where a gateway placed the request. The first that an answer has counts. A placement is no materialisation.",
	Attrs: []*Attr{
		routeAttr("outcome", `["x-synapse-route-outcome", "x-synapse-route", "x-semblend-routing-path", "x-semrouter-path", "x-semantic-route", "x-gateway-route", "x-route"]`, "how it was placed"),
		routeAttr("endpoint", `["x-synapse-route-worker", "x-semblend-routing-worker"]`, "where it was sent"),
		routeAttr("semantic_score", `["x-synapse-route-similarity", "x-semblend-routing-similarity"]`, "how near the donor is by meaning"),
		routeAttr("total_score", "[]", "the score that decided"),
		routeAttr("reason", "[]", "why"),
	},
}

func routeAttr(name, def, tells string) *Attr {
	return &Attr{Name: name, Type: Strings, Default: def, Since: 1, Requirements: req("KV-6-1"), Doc: "The headers that tell " + tells + "."}
}
