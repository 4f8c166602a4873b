package ignore

import "github.com/fdbench/fdbench/lang"

// Rules explains the rules about directives, for `fdbench explain`. Its
// examples are worked into a complete scenario.
func Rules() []lang.Rule { return append([]lang.Rule(nil), rules...) }

const why = "A comment that is thought to set a finding aside, and does not, misleads whoever reads it."

var rules = []lang.Rule{
	{ID: "LANG-ignore-form", What: "A comment that sets a finding aside is \"# fdbench:ignore ID reason\", at the end of a line or right above an argument or block.", Why: why,
		Bad:  "# fdbench:ignore\nlocals {\n  a = 1\n}\n",
		Good: "# Nothing is ignored here.\nlocals {\n  a = 1\n}\n"},
	{ID: "LANG-ignore-unknown", What: "A comment that sets a finding aside names rules that exist.", Why: why,
		Bad:  "# fdbench:ignore LANG-hiden-character the mark is part of the test\nlocals {\n  a = \"x\u202ey\"\n}\n",
		Good: "# fdbench:ignore LANG-hidden-character the mark is part of the test\nlocals {\n  a = \"x\u202ey\"\n}\n"},
	{ID: "LANG-ignore-reason", What: "A comment that sets a finding aside gives a reason: three letters at least, and no placeholder such as \"todo\".", Why: "In a year nobody knows why it was set aside, and nobody dares to take the comment out.",
		Bad:  "# fdbench:ignore LANG-hidden-character\nlocals {\n  a = \"x\u202ey\"\n}\n",
		Good: "# fdbench:ignore LANG-hidden-character the mark is part of the test\nlocals {\n  a = \"x\u202ey\"\n}\n"},
	{ID: "LANG-ignore-must", What: "What is an error cannot be set aside by a comment.", Why: "A series that breaks a MUST would be reported as if it kept it.",
		Bad:  "locals {\n  a = b # fdbench:ignore LANG-unknown-name it is defined elsewhere\n}\n",
		Good: "locals {\n  a = \"b\"\n}\n"},
	{ID: "LANG-ignore-unused", What: "A comment that sets a finding aside has one to set aside.", Why: "One that was left behind would hide the next finding of its kind.",
		Bad:  "locals {\n  a = 1 # fdbench:ignore LANG-hidden-character there was one\n}\n",
		Good: "locals {\n  a = 1\n}\n"},
}
