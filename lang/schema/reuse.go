package schema

// reuseBlock measures the reuse of a KV cache by the metric contract (KV rows
// of package spec).
var reuseBlock = &Block{
	Type: "reuse", Labels: name("The name of the block, of its lock and of its result. A series may not have it too."), Unique: true, Since: 1,
	Requirements: req("KV-0-1"), Refused: reuseRefused,
	Doc: "A measurement of KV-cache reuse: what is reusable word for word, what a planner finds, what a backend could take over, and what a backend confirms. Each has its own figures.",
	Attrs: []*Attr{
		description("the measurement"),
		{Name: "manifest", Type: File, Since: 1, Doc: "A JSONL file with one item a line: donors, and the recipient that is measured. In its place stands a documents block."},
		{Name: "block_size", Type: Number, Default: "16", Unit: "tokens", Since: 1, Requirements: req("KV-1-1"), Doc: "How many tokens a block of the KV cache holds, 1 or more."},
		{Name: "tokenizer", Type: String, Default: `"stable"`, Since: 1, Doc: "What counts tokens offline: `stable`, which belongs to no model, or the vocabulary of one, such as `cl100k_base`."},
		{Name: "scope", Type: String, Default: `"item"`, Enum: []string{"item", "corpus"}, Since: 1, Requirements: req("KV-2-1"), Doc: "Whose donors the exact baseline holds a recipient against: those of its own item, or those of the whole manifest."},
		{Name: "audit", Type: String, Default: `"full"`, Enum: []string{"full", "controls"}, Since: 1, Doc: "How blocks are looked through for collisions: `full` holds the blocks of all documents in memory, `controls` looks at each control and its own donors, in constant memory."},
		{Name: "plans", Type: File, Since: 1, Requirements: req("KV-3-1"), Doc: "A JSONL file with the plan that a planner made for each item, in place of a planner block."},
		{Name: "planner_name", Type: String, Since: 1, Requirements: req("KV-3-1"), Doc: "With `plans`: the planner that made them, with its version, for every result."},
		{Name: "calibration", Type: File, Since: 1, Requirements: req("KV-8-8"), Doc: "A noise floor, as `fdbench calibrate` writes it: how much two cold answers to one prompt differ. It has to be of the same protocol as the live block."},
		{Name: "quality_threshold", Type: Number, Default: "0.6", Since: 1, Doc: "From which score on, out of 1, an output passes against the answers of its item."},
		{Name: "seed", Type: String, Default: `"1"`, Since: 1, Doc: "The seed of every random stream of the measurement: the order of the arms, and the intervals."},
		because("the measurement departs from a recommendation", `{ "KV-7-3" = "the controls are in a manifest of their own" }`),
	},
	Blocks: []*Block{documentsBlock, plannerBlock, reuseLiveBlock, evidenceBlock},
}

var documentsBlock = &Block{
	Type: "documents", Max: 1, Since: 1,
	Doc: "Makes the manifest from documents of one's own, in place of a file.",
	Attrs: []*Attr{
		{Name: "source", Type: File, Required: true, Since: 1, Doc: "A JSONL file with one document a line: `id`, `text`, and where they exist `question`, `answers` and `domain`."},
		{Name: "dataset", Type: String, Default: `"documents"`, Since: 1, Doc: "A name for the documents, which every item carries."},
		{Name: "transforms", Type: Strings, Since: 1, Doc: "How donors become recipients, such as `[\"exact_repeat\", \"negative_control\"]`. All of them where absent."},
		{Name: "max_segments", Type: Number, Default: "4", Unit: "segments", Since: 1, Doc: "Into how many parts a document is cut at most."},
		{Name: "min_segment", Type: Number, Default: "400", Unit: "characters", Since: 1, Doc: "How long a part is at least."},
		{Name: "selection", Type: String, Default: `"cross_domain"`, Enum: []string{"cross_domain", "adjacent"}, Since: 1, Doc: "Where the donor of a negative control comes from: with `cross_domain` the next document of another domain, with `adjacent` simply the next document, which is often alike."},
	},
}

var plannerBlock = &Block{
	Type: "planner", Labels: []Label{{Name: "KIND", Doc: "The planner."}}, Max: 1, Since: 1, Requirements: req("KV-3-1", "KV-4-1"),
	Doc: "A built-in deterministic planner. It finds copies of tokens and knows no model, so its figures are those of a planner of this kind and of no other.",
	Kinds: []*Block{
		{
			Type: "planner", Kind: "span", Since: 1, Requirements: req("KV-3-1"),
			Doc: "Copies the longest run of tokens that a donor has, from left to right, wherever it stands in the donor.",
			Attrs: []*Attr{
				{Name: "min_run", Type: Number, Unit: "tokens", Since: 1, Doc: "The shortest run that is copied. The block size where absent."},
			},
		},
		{
			Type: "planner", Kind: "chunk", Since: 1, Requirements: req("KV-3-1"),
			Doc: "Copies chunks of the block size whose tokens a donor has at the same grid; each chunk of a donor is used once.",
			Attrs: []*Attr{
				{Name: "gated", Type: Bool, Default: "false", Since: 1, Doc: "Whether a chunk without a copied neighbour is dropped."},
			},
		},
	},
}

var evidenceBlock = &Block{
	Type: "evidence", Labels: []Label{{Name: "ENGINE", Doc: "Whose log it is."}}, Since: 1, Requirements: req("KV-5-6"),
	Doc: "A log in which an engine tells what it materialised. It is joined with the run's own requests by their ids.",
	Kinds: []*Block{
		evidenceOf("vllm", "The log of vLLM.", "KV-5-7"),
		evidenceOf("trtllm", "The audit of TensorRT-LLM, one JSON object a line. It counts units, which are no tokens.", "KV-5-8"),
		evidenceOf("sglang", "The log of SGLang. It shows registrations and hits; what was confirmed is told by the cached tokens of the response.", "KV-5-10"),
		evidenceOf("lmcache", "The log of LMCache, an exact cache. There is no semantic hit in it.", "KV-5-6"),
		evidenceOf("audit", "The audit of a connector, one JSON object a line.", "KV-5-6"),
	},
}

func evidenceOf(kind, doc, id string) *Block {
	return &Block{
		Type: "evidence", Kind: kind, Since: 1, Requirements: req(id), Doc: doc,
		Attrs: []*Attr{
			{Name: "log", Type: File, Required: true, Since: 1, Doc: "The file. Offline it is there before the run, and its digest is in the plan; with a live block the engine writes it, and it is read after the last request."},
		},
	}
}

var gateBlock = &Block{
	Type: "gate", Labels: []Label{{Name: "NAME", Doc: "What the gate asks for, in the words of the report. It may have spaces, unless another gate refers to it."}}, Unique: true, Since: 1,
	Requirements: req("KV-7-2", "KV-8-7"), Refused: gateRefused,
	Doc:    "A condition on the result of a reuse block. A gate fails where its condition is false, and where a figure that it names does not exist; the run then ends with exit code 5.",
	Groups: []Group{{Names: []string{"condition", "use"}, Min: 1, Max: 1}},
	Attrs: []*Attr{
		description("what the gate is for"),
		{Name: "on", Type: Ref, Refs: []string{"reuse"}, Since: 1, Doc: "The reuse block whose result it looks at. A gate without it only serves others, which name it in `use`."},
		{Name: "condition", Type: Condition, Literal: true, Since: 1, Doc: "What has to be true of the figures, such as `\"negative_control_semantic_eligible_rate <= 0.01\"`. With `limit` it may name that."},
		{Name: "use", Type: Ref, Refs: []string{"gate"}, Since: 1, Doc: "A gate whose condition is taken over, of the standard library or of the scenario: `gate.controls_ineligible`. Where a gate of the scenario has the name of one of the library, that name means the library's in its own `use`, and the scenario's in every other."},
		{Name: "limit", Type: Number, Since: 1, Doc: "The value that `limit` in the condition stands for. With `use` it replaces that of the other gate."},
		{Name: "at_least", Type: Object, Default: "{}", Since: 1, Doc: "The least values of counts, such as `{ pairs_used = 20 }`. Below one of them the gate has no data. With `use` they are added to those of the other gate, and replace them."},
	},
}
