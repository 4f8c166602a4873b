package lang

// Rule explains one rule of the language's shape and syntax, for
// `fdbench explain`. Rules about values belong to the compiler.
type Rule struct {
	ID string
	// What the rule asks, and Why it is there; both are sentences.
	What, Why string
	// Bad is a text that breaks the rule and Good one that keeps it, both for
	// a file of the standard library, which needs no fdbench block. They are
	// "" where the rule is about files rather than about their text.
	Bad, Good string
}

// Rules returns the rules of this package in a fixed order.
func Rules() []Rule { return append([]Rule(nil), rules...) }

const goodProfile = "profile \"p\" {\n  shape = \"step\"\n}\n"

var rules = []Rule{
	{"LANG-unknown-block", "A block has one of the types that its place knows.", "A misspelt block would be ignored, and with it what it declares.",
		"profil \"p\" {\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-unknown-argument", "An argument has one of the names that its block knows.", "A misspelt argument would be ignored, and its default would be used in silence.",
		"profile \"p\" {\n  shape = \"step\"\n  descripton = \"At once.\"\n}\n", "profile \"p\" {\n  shape       = \"step\"\n  description = \"At once.\"\n}\n"},
	{"LANG-unknown-kind", "The first label of a serving, apparatus or detector block is one of the kinds that exist.", "The kind decides which arguments the block takes.",
		"serving \"simulatd\" \"s\" {\n}\n", "serving \"simulated\" \"s\" {\n}\n"},
	{"LANG-missing-block", "A scenario holds an fdbench block. What else is missing is reported under the requirement that asks for it.", "What is not declared before a run could be chosen after it.", "", ""},
	{"LANG-missing-argument", "A block sets every argument that has no default. Where a requirement of the methodology asks for it, the finding has the id of that requirement.", "What is not declared before a run could be chosen after it.",
		"profile \"p\" {\n}\n", goodProfile},
	{"LANG-missing-label", "A block has all of its labels.", "References need its name.",
		"profile {\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-extra-label", "A block has no more labels than its type takes.", "A label that means nothing misleads the reader.",
		"profile \"p\" \"q\" {\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-invalid-name", "A name begins with a letter and goes on with letters, digits, _ and -.", "Other names cannot be written in a reference.",
		"profile \"1 p\" {\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-too-many-blocks", "A block stands no more often than its place allows.", "Of two declarations, which one holds would depend on their order.",
		"fdbench { language = 1 }\nfdbench { language = 1 }\n", "fdbench { language = 1 }\n"},
	{"LANG-duplicate-name", "No two blocks of a type have the same name, and no two locals.", "A reference could mean either.",
		goodProfile + goodProfile, goodProfile},
	{"LANG-duplicate-argument", "An argument is set once in a block.", "Of two values, which one holds would depend on their order.",
		"profile \"p\" {\n  shape = \"step\"\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-exclusive-arguments", "Of arguments that exclude each other, one is set.", "They answer the same question in different ways.",
		"population \"p\" {\n  source     = \"a.jsonl\"\n  generator  = \"template/1\"\n  provenance = \"synthetic\"\n}\n", "population \"p\" {\n  generator  = \"template/1\"\n  provenance = \"synthetic\"\n}\n"},
	{"LANG-incomplete-arguments", "Arguments that belong together are set together.", "One of them means nothing without the other.",
		"detector \"cusum\" \"d\" {\n  indicator \"i\" {\n    method = indicator.i\n    window = \"5m\"\n  }\n  alert \"a\" {\n    indicator = indicator.i\n    decision  = 40\n    up        = 9\n  }\n}\n",
		"detector \"cusum\" \"d\" {\n  indicator \"i\" {\n    method = indicator.i\n    window = \"5m\"\n  }\n  alert \"a\" {\n    indicator = indicator.i\n    decision  = 40\n    up        = 9\n    down      = 1\n  }\n}\n"},
	{"LANG-not-literal", "Conditions and profile shapes are texts in quotes without ${...}.", "What a signal means is readable where it is declared, and an error in it points at the very character.",
		"profile \"p\" {\n  shape = \"ramp ${local.d}\"\n}\n", "profile \"p\" {\n  shape = \"ramp 2m\"\n}\n"},
	{"LANG-language-version", "The language version is a whole number that is written out.", "It is read before anything else.",
		"fdbench { language = \"1\" }\n", "fdbench { language = 1 }\n"},
	{"LANG-newer-language", "A scenario is read by an fdbench that knows its language version.", "What an older fdbench does not know it could not check.",
		"fdbench { language = 99 }\n", "fdbench { language = 1 }\n"},
	{"LANG-hidden-character", "A text has no control characters and no marks that reorder or hide text.", "A reviewer would see something else than what is run.",
		"locals {\n  a = \"x\u202ey\"\n}\n", "locals {\n  a = \"x\\u202ey\"\n}\n"},
	{"LANG-too-deep", "Brackets are nested at most 200 deep, and an expression has at most 2,000 operators.", "Deeper ones would exhaust the reader's stack.",
		"", ""},
	{"LANG-encoding", "A scenario is UTF-8.", "Another encoding would mean other characters on other machines.",
		"locals {\n  a = \"\xe9\"\n}\n", "locals {\n  a = \"é\"\n}\n"},
	{"LANG-no-such-path", "The path of a scenario exists.", "There is nothing to read otherwise.", "", ""},
	{"LANG-no-files", "A scenario's folder holds at least one file that ends in .fdb.hcl.", "Folders are not searched recursively, so that it is plain what belongs to a scenario.", "", ""},
	{"LANG-file-name", "The name of a scenario file ends in .fdb.hcl.", "Editors and the formatter know it by its name.", "", ""},
	{"LANG-file-too-large", "A scenario file has at most 4 MiB.", "A larger one is a mistake, or belongs into several files, which are read in parallel.", "", ""},
	{"LANG-unreadable-file", "A scenario's files are regular files that may be read.", "A pipe or a device would give another scenario each time.", "", ""},
	{"LANG-format", "The formatter leaves the meaning of a file alone.", "It compares the tokens before and after, and gives up where they differ.", "", ""},
	{"LANG-syntax", "A file is a sequence of arguments and blocks.", "Nothing else has a meaning.",
		"locals {\n  a\n}\n", "locals {\n  a = 1\n}\n"},
	{"LANG-invalid-character", "Outside of texts and comments stand only the characters of the language.", "Single and curly quotes are the most frequent mistake: texts stand in straight double quotes.",
		"locals {\n  a = 'x'\n}\n", "locals {\n  a = \"x\"\n}\n"},
	{"LANG-unclosed-string", "A text in quotes ends on the line where it begins.", "Otherwise a forgotten quote would swallow the rest of the file.",
		"locals {\n  a = \"x\n}\n", "locals {\n  a = \"x\"\n}\n"},
	{"LANG-invalid-string", "Names and labels in quotes hold no ${...}.", "They are known before anything is evaluated.",
		"profile \"${x}\" {\n  shape = \"step\"\n}\n", goodProfile},
	{"LANG-invalid-escape", "A backslash in a text begins one of the escapes that exist.", "An unknown one is mostly a forgotten second backslash.",
		"locals {\n  a = \"\\d\"\n}\n", "locals {\n  a = \"\\\\d\"\n}\n"},
	{"LANG-unclosed-block", "Every block is closed.", "Otherwise what follows would belong to it.",
		"profile \"p\" {\n  shape = \"step\"\n", goodProfile},
	{"LANG-single-line-block", "A block in one line holds one argument.", "More would be hard to read.",
		"locals { a = 1 b = 2 }\n", "locals {\n  a = 1\n  b = 2\n}\n"},
	{"LANG-quoted-name", "The name of an argument has no quotes.", "There is one way to write it.",
		"locals {\n  \"a\" = 1\n}\n", "locals {\n  a = 1\n}\n"},
	{"LANG-block-header", "A block is its type, its labels in quotes and an opening brace on the same line.", "There is one way to write it.",
		"profile = {\n}\nlocals \"a\" = {\n}\n", goodProfile},
	{"LANG-missing-newline", "An argument or block ends its line.", "Two on a line are mostly a forgotten comma of a list.",
		"locals {\n  a = 1 2\n}\n", "locals {\n  a = [1, 2]\n}\n"},
	{"LANG-comma", "No comma follows an argument.", "Arguments are separated by line ends.",
		"locals {\n  a = 1,\n}\n", "locals {\n  a = 1\n}\n"},
	{"LANG-missing-value", "An equals sign is followed by a value.", "An argument without a value would have to be guessed.",
		"locals {\n  a =\n}\n", "locals {\n  a = 1\n}\n"},
	{"LANG-missing-comma", "The items of a list and the arguments of a call are separated by commas.", "Without them it would not be plain where one ends.",
		"locals {\n  a = [1 2]\n}\n", "locals {\n  a = [1, 2]\n}\n"},
	{"LANG-missing-equals", "The attributes of an object are name = value pairs.", "A name alone would have no value.",
		"locals {\n  a = { b 1 }\n}\n", "locals {\n  a = { b = 1 }\n}\n"},
	{"LANG-unclosed-bracket", "Every bracket is closed.", "Otherwise what follows would belong to it.",
		"locals {\n  a = f(1\n", "locals {\n  a = f(1)\n}\n"},
	{"LANG-template", "Inside of ${...} stands one expression.", "Several would have no meaning; $${ stands for the characters themselves.",
		"locals {\n  a = \"${b c}\"\n}\n", "locals {\n  a = \"${b} ${c}\"\n}\n"},
	{"LANG-operator", "An expression uses the operators that exist.", "There are no bitwise operators and no powers.",
		"locals {\n  a = 1 & 2\n}\n", "locals {\n  a = 1 + 2\n}\n"},
	{"LANG-invalid-number", "A number is written in digits.", "Numbers are kept exactly as they are written.", "", ""},
}
