package compiler

import (
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/ignore"
)

// LanguageRules explains the rules about values, for `fdbench explain`; those
// about shape and syntax are lang.Rules. An example is worked into a complete
// scenario as rule.Example does it, and is "" where the rule is about what lies
// outside of the scenario's text.
func LanguageRules() []lang.Rule {
	return append(append([]lang.Rule(nil), languageRules...), ignore.Rules()...)
}

var languageRules = []lang.Rule{
	{ID: "LANG-attest", What: "An attestation is about a requirement of which a part cannot be measured, says who vouches for it, and says something. There is one for a requirement.",
		Why:  "The report gives it to readers who were not there.",
		Bad:  "series \"example\" {\n  attest \"fd_3_4_4\" {\n    by        = \"the owner of the laboratory\"\n    statement = \"n/a\"\n  }\n}\n",
		Good: "series \"example\" {\n  attest \"fd_3_4_4\" {\n    by        = \"the owner of the laboratory\"\n    statement = \"The injector has no route to the monitoring network.\"\n  }\n}\n"},
	{ID: "LANG-behaviour", What: "A simulated deployment says how each indicator behaves that is faulted or computed.",
		Why:  "It has no text from which an indicator could be computed.",
		Bad:  "serving \"simulated\" \"model\" {\n  behaviour {\n    indicator = indicator.json_invalid_rate\n    rate      = 0.02\n  }\n}\n",
		Good: "serving \"simulated\" \"model\" {\n  behaviour {\n    indicator = indicator.refusal_rate\n    rate      = 0.02\n  }\n}\n"},
	{ID: "LANG-cycle", What: "No value needs itself, directly or through others.", Why: "It could not be computed.",
		Bad: "locals {\n  a = local.b\n  b = local.a\n}\n", Good: "locals {\n  a = local.b\n  b = 1\n}\n"},
	{ID: "LANG-expression", What: "An expression can be evaluated.", Why: "Everything in a scenario is known before a run.",
		Bad: "locals {\n  a = [for x in 5 : x]\n}\n", Good: "locals {\n  a = [for x in [5] : x]\n}\n"},
	{ID: "LANG-file", What: "A file that a scenario names lies in the scenario's folder and can be read.",
		Why:  "A scenario can be moved, and is the same on every machine.",
		Bad:  "detector \"prometheus_rules\" \"other\" {\n  rules           = \"../alerts.yml\"\n  scrape_interval = \"15s\"\n\n  indicator \"refusals\" {\n    method  = indicator.refusal_rate\n    window  = \"5m\"\n    exports = \"llm_refusals_total\"\n  }\n}\n",
		Good: "detector \"prometheus_rules\" \"other\" {\n  rules           = \"alerts.yml\"\n  scrape_interval = \"15s\"\n\n  indicator \"refusals\" {\n    method  = indicator.refusal_rate\n    window  = \"5m\"\n    exports = \"llm_refusals_total\"\n  }\n}\n"},
	{ID: "LANG-function-argument", What: "A function gets as many arguments as it takes, of the types that it takes.", Why: "A guess at what was meant could be wrong.",
		Bad: "locals {\n  a = upper([1])\n}\n", Good: "locals {\n  a = upper(\"x\")\n}\n"},
	{ID: "LANG-function-call", What: "A call of a function succeeds.", Why: "Its value is needed.",
		Bad: "locals {\n  a = jsondecode(\"{\")\n}\n", Good: "locals {\n  a = jsondecode(\"{}\")\n}\n"},
	{ID: "LANG-index", What: "An index exists in the list or map that it is used on.", Why: "There is no value to take instead.",
		Bad: "locals {\n  a = [1, 2][2]\n}\n", Good: "locals {\n  a = [1, 2][1]\n}\n"},
	{ID: "LANG-magnitude", What: "A magnitude is a change that the fault class can make in this deployment: not 0, of its sign, and no larger than with every response affected.",
		Why:  "A fault that cannot be applied cannot be detected, and would be counted as missed.",
		Bad:  "series \"example\" {\n  fault \"refusals\" {\n    magnitudes = [0.99]\n  }\n}\n",
		Good: "series \"example\" {\n  fault \"refusals\" {\n    magnitudes = [0.1]\n  }\n}\n"},
	{ID: "LANG-matrix", What: "A series has no more combinations than max_combinations.", Why: "A sweep with one value too many costs weeks of test time, and its size does not show.",
		Bad: "series \"example\" {\n  max_combinations = 1\n}\n", Good: "series \"example\" {\n  max_combinations = 1000\n}\n"},
	{ID: "LANG-null", What: "A value that is needed is not null, and known before a run. Where a requirement of the methodology asks for it, the finding has the id of that requirement.", Why: "Nothing can be measured against it otherwise.",
		Bad: "detector \"threshold\" \"watch\" {\n  evaluate = null\n}\n", Good: "detector \"threshold\" \"watch\" {\n  evaluate = \"5s\"\n}\n"},
	{ID: "LANG-number", What: "A number lies between 1e-15 and 1e15, or is 0, and is not divided by 0.", Why: "Numbers are kept as exact fractions all the way into the plan.",
		Bad: "detector \"threshold\" \"watch\" {\n  alert \"RefusalsHigh\" {\n    above = 1 / 0\n  }\n}\n", Good: "detector \"threshold\" \"watch\" {\n  alert \"RefusalsHigh\" {\n    above = 0.08\n  }\n}\n"},
	{ID: "LANG-predicate", What: "A condition is true or false, and reads only what its place offers.", Why: "It is checked before a run, so that no trial is lost to a mistake in it.",
		Bad:  "signal \"page\" {\n  attribution = \"signal.labels.alertname\"\n}\n",
		Good: "signal \"page\" {\n  attribution = \"signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'\"\n}\n"},
	{ID: "LANG-quantity", What: "A duration, rate, ratio, sweep or profile is written in its grammar, with a unit where it has one.", Why: "A bare number leaves open what it counts.",
		Bad: "detector \"threshold\" \"watch\" {\n  evaluate = \"5 parsecs\"\n}\n", Good: "detector \"threshold\" \"watch\" {\n  evaluate = \"5s\"\n}\n"},
	{ID: "LANG-range", What: "A value lies within the limits of its argument, and is not given twice.", Why: "Outside of them the argument has no meaning.",
		Bad:  "series \"example\" {\n  fault \"refusals\" {\n    profiles = [\"step\", \"step\"]\n  }\n}\n",
		Good: "series \"example\" {\n  fault \"refusals\" {\n    profiles = [\"step\"]\n  }\n}\n"},
	{ID: "LANG-reference", What: "A reference is written without quotes, is complete, and names a thing of the kind that its place takes.", Why: "There is one way to write it, and it is checked.",
		Bad: "series \"example\" {\n  detector = \"watch\"\n}\n", Good: "series \"example\" {\n  detector = detector.watch\n}\n"},
	{ID: "LANG-responses", What: "Each line of a file of responses or prompts is a JSON object with a \"response\" or a \"prompt\", and there is at least one.",
		Why: "A line that was skipped in silence would change every rate."},
	{ID: "LANG-rules", What: "A rule file loads in Prometheus and holds only what can be simulated exactly.", Why: "A rule that did not run would look like one that never fires."},
	{ID: "LANG-type", What: "A value has the type that its place takes. Where a requirement of the methodology asks for it, the finding has the id of that requirement.", Why: "A silent conversion could mean something else than was written.",
		Bad: "series \"example\" {\n  seed = 5\n}\n", Good: "series \"example\" {\n  seed = \"5\"\n}\n"},
	{ID: "LANG-unknown-function", What: "A function is one of those that the language has.", Why: "They depend on their arguments alone, so that the same scenario gives the same plan.",
		Bad: "locals {\n  a = timestamp()\n}\n", Good: "locals {\n  a = join(\"-\", [\"x\", \"y\"])\n}\n"},
	{ID: "LANG-unknown-name", What: "A name in an expression is one that the scenario or the language has.", Why: "A text is written in quotes; without them it is a name.",
		Bad: "locals {\n  a = hello\n}\n", Good: "locals {\n  a = \"hello\"\n}\n"},
	{ID: "LANG-unknown-reference", What: "What a reference names exists.", Why: "A misspelt name would be found only in the run.",
		Bad: "series \"example\" {\n  detector = detector.wotch\n}\n", Good: "series \"example\" {\n  detector = detector.watch\n}\n"},
	{ID: "LANG-unused-reason", What: "A \"because\" stands where a recommendation is set aside.", Why: "Whoever reads it would look in the report for a departure that is not there.",
		Bad: "series \"example\" {\n  load {\n    because = \"It is quiet at night.\"\n  }\n}\n", Good: "series \"example\" {\n  load {\n    points = \"1..100 req/s in 4 log steps\"\n  }\n}\n"},
	{ID: "LANG-validation", What: "A variable keeps the conditions of its validation blocks.", Why: "Its author wrote down what it may be.",
		Bad:  "variable \"v\" {\n  type    = number\n  default = 2\n\n  validation {\n    condition     = var.v < 1\n    error_message = \"It has to be below 1.\"\n  }\n}\n",
		Good: "variable \"v\" {\n  type    = number\n  default = 0.5\n\n  validation {\n    condition     = var.v < 1\n    error_message = \"It has to be below 1.\"\n  }\n}\n"},
	{ID: "LANG-variable", What: "A variable has a value: a default, --var NAME=VALUE or FDBENCH_VAR_NAME. The command line sets no variable that the scenario lacks.", Why: "A misspelt --var would run the default in silence.",
		Bad: "variable \"v\" {\n  type = number\n}\n", Good: "variable \"v\" {\n  type    = number\n  default = 1\n}\n"},
}
