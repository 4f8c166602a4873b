package schema

// Version is the language version that this build reads.
const Version = 1

// Language returns the root: a block without a type whose nested blocks are
// those that a file may hold. The result is shared: do not change it.
func Language() *Block { return root }

var root = &Block{
	Doc:   "A scenario: one file that ends in .fdb.hcl, or all such files of a folder.",
	Since: 1,
	Blocks: []*Block{
		fdbenchBlock, variableBlock, localsBlock,
		indicatorBlock, faultClassBlock, profileBlock, populationBlock,
		servingBlock, apparatusBlock, detectorBlock,
		environmentBlock, signalBlock, seriesBlock,
		reuseBlock, gateBlock,
	},
}

// Top returns the top-level block of that type, or nil.
func Top(typ string) *Block { return root.Block(typ) }

func name(doc string) []Label { return []Label{{Name: "NAME", Doc: doc, Identifier: true}} }

func label(doc string) []Label { return []Label{{Name: "LABEL", Doc: doc, Identifier: true}} }

func req(ids ...string) []string { return ids }

func description(of string) *Attr {
	return &Attr{Name: "description", Type: String, Since: 1, Doc: "One sentence on " + of + ", for the report."}
}

func because(of, example string) *Attr {
	return &Attr{Name: "because", Type: Object, Since: 1, Doc: "Why " + of + ", as a text, or by the id of the warning that a reason answers: `" + example + "`. It turns the warning into a deviation that the report states."}
}

var fdbenchBlock = &Block{
	Type: "fdbench", Min: 1, Max: 1, Since: 1,
	Doc: "Says which version of the language the scenario is written in. There is exactly one in a scenario.",
	Attrs: []*Attr{
		{Name: "language", Type: Number, Required: true, Since: 1, Literal: true,
			Doc: "The language version, a whole number. This build reads version 1."},
	},
}

var variableBlock = &Block{
	Type: "variable", Labels: name("The name behind `var.`."), Unique: true, Since: 1,
	Doc: "An input that the command line or an environment variable FDBENCH_VAR_NAME may set.",
	Attrs: []*Attr{
		{Name: "type", Type: TypeExpr, Required: true, Since: 1, Doc: "What the value has to be: `string`, `number`, `bool`, `list(number)`, `object({...})`."},
		{Name: "default", Type: Any, Since: 1, Doc: "The value where none is given. A variable without a default has to be given."},
		description("the variable"),
	},
	Blocks: []*Block{{
		Type: "validation", Since: 1,
		Doc: "A condition that the value has to meet.",
		Attrs: []*Attr{
			{Name: "condition", Type: Bool, Required: true, Since: 1, Doc: "An expression over `var.NAME` that is true for a good value."},
			{Name: "error_message", Type: String, Required: true, Since: 1, Doc: "What to tell the author where the condition is false."},
		},
	}},
}

var localsBlock = &Block{
	Type: "locals", Since: 1, Free: true,
	Doc: "Named values, used as `local.NAME`. Any argument name may be chosen.",
}

var indicatorBlock = &Block{
	Type: "indicator", Labels: name("The name behind `indicator.`."), Unique: true, Since: 1,
	Requirements: req("FD-3.2-4", "FD-3.2-5"),
	Doc:          "A quantity computed from the text of one response. Its mean over a window is what a fault shifts and a detector watches.",
	Groups:       []Group{{Names: []string{"scorer", "predicate"}, Min: 1, Max: 1}},
	Attrs: []*Attr{
		description("what the indicator measures"),
		{Name: "kind", Type: String, Required: true, Since: 1, Enum: []string{"rate", "mean"}, Doc: "`rate` scores a response 0 or 1; `mean` gives it a whole number of units."},
		{Name: "unit", Type: String, Default: `"1"`, Since: 1, Doc: "The unit of the indicator and of every magnitude of a fault in it."},
		{Name: "scorer", Type: String, Since: 1, Requirements: req("FD-3.2-5"), Doc: "A scorer of the runtime, with its version, such as `refusal/1`."},
		{Name: "predicate", Type: Predicate, Literal: true, Since: 1, Requirements: req("FD-3.2-5"), Doc: "A condition over `response` that is true where a response counts. Only a rate may have one."},
		{Name: "params", Type: Object, Default: "{}", Since: 1, Doc: "Settings of the scorer."},
		{Name: "planning_baseline", Type: Number, Since: 1, Doc: "The mean to expect before a Baseline Interval has been run. It serves estimates only, never a result."},
	},
}

var faultClassBlock = &Block{
	Type: "fault_class", Labels: name("The name behind `fault_class.`."), Unique: true, Since: 1,
	Requirements: req("FD-1.1-2"),
	Doc:          "A way in which a deployment answers differently: the indicator that it shifts, and what becomes of the text of a response.",
	Groups:       []Group{{Names: []string{"transform", "replace"}, Min: 0, Max: 1}},
	Attrs: []*Attr{
		description("the fault"),
		{Name: "indicator", Type: Ref, Refs: []string{"indicator"}, Required: true, Since: 1, Requirements: req("FD-1.1-2"), Doc: "The indicator that the fault shifts."},
		{Name: "direction", Type: String, Required: true, Since: 1, Requirements: req("FD-1.1-2"), Enum: []string{"up", "down"}, Doc: "The sign of the shift."},
		{Name: "transform", Type: String, Since: 1, Doc: "A transform of the runtime, with its version, that turns the text of a response into what the faulty deployment would have answered. Neither it nor replace is needed of a class that a mechanism of the deployment brings about."},
		{Name: "replace", Type: File, Since: 1, Doc: "A file of responses with the same ids or prompts, which answer instead."},
		{Name: "params", Type: Object, Default: "{}", Since: 1, Doc: "Settings of the transform."},
		{Name: "scale", Type: Number, Since: 1, Doc: "What a simulated deployment multiplies the score of an affected response by. Only for a mean indicator."},
		{Name: "seen_in", Type: Strings, Default: "[]", Since: 1, Doc: "Short references to public incidents of this kind."},
	},
}

var profileBlock = &Block{
	Type: "profile", Labels: name("The name behind `profile.`."), Unique: true, Since: 1,
	Doc: "A named course of a fault's magnitude over time.",
	Attrs: []*Attr{
		{Name: "shape", Type: Profile, Literal: true, Required: true, Since: 1, Doc: "The course: `step`, `ramp D`, `pulse D`, `intermittent ON OFF` or `drift D`."},
		description("the profile"),
	},
}

var populationBlock = &Block{
	Type: "population", Labels: name("The name behind `population.`."), Unique: true, Since: 1,
	Requirements: req("FD-3.3-2", "FD-6-4"),
	Doc:          "The requests that the generator draws from. It stays the same for a whole series.",
	Groups:       []Group{{Names: []string{"source", "generator"}, Min: 1, Max: 1}},
	Attrs: []*Attr{
		{Name: "source", Type: File, Since: 1, Doc: "A JSONL file with one `prompt` a line."},
		{Name: "generator", Type: String, Since: 1, Doc: "A built-in generator, with its version, such as `template/1`."},
		{Name: "salt", Type: String, Default: `"nonce"`, Enum: []string{"nonce", "none"}, Since: 1, Requirements: req("FD-3.3-7"), Doc: "`nonce` makes every prompt unique, so that no response cache can answer it."},
		{Name: "provenance", Type: String, Required: true, Enum: []string{"synthetic", "public", "licensed"}, Since: 1, Requirements: req("FD-7-1", "FD-6-4"), Doc: "Where the prompts come from. Prompts of users are not among them."},
		{Name: "size", Type: Number, Unit: "prompts", Since: 1, Doc: "How many prompts a generator makes. A source has as many as it has lines."},
		description("the population"),
	},
}
