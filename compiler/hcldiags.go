package compiler

import (
	"github.com/fdbench/fdbench/lang/suggest"
	"strings"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/hashicorp/hcl/v2"
)

// reworded gives HCL's summaries the words of this language: HCL calls every
// name a variable and every field an attribute.
var reworded = map[string][2]string{
	"Unsupported attribute":                 {"LANG-unknown-reference", "Unknown field"},
	"Call to unknown function":              {"LANG-unknown-function", "Unknown function"},
	"Invalid function argument":             {"LANG-function-argument", "Wrong function argument"},
	"Not enough function arguments":         {"LANG-function-argument", "Too few function arguments"},
	"Too many function arguments":           {"LANG-function-argument", "Too many function arguments"},
	"Error in function call":                {"LANG-function-call", "Function call failed"},
	"Invalid index":                         {"LANG-index", "Wrong index"},
	"Invalid operand":                       {"LANG-type", "Wrong operand"},
	"Invalid template interpolation value":  {"LANG-type", "Wrong value in a text"},
	"Inconsistent conditional result types": {"LANG-type", "Two types in a conditional"},
	"Incorrect condition type":              {"LANG-type", "Condition is not true or false"},
	"Division by zero":                      {"LANG-number", "Division by zero"},
	"Unknown variable":                      {"LANG-unknown-name", "Unknown name"},
}

var fieldWords = strings.NewReplacer("does not have an attribute", "has no field", "an attribute", "a field", "attributes", "fields", "attribute", "field")

func (c *compilation) hclDiags(list hcl.Diagnostics) {
	for _, d := range list {
		if d.Severity != hcl.DiagError {
			continue
		}
		rule, summary := "LANG-expression", d.Summary
		if w, ok := reworded[d.Summary]; ok {
			rule, summary = w[0], w[1]
		}
		detail := fieldWords.Replace(d.Detail)
		if rule == "LANG-unknown-function" {
			detail = unknownFunction(d.Detail)
		}
		c.diags.Add(diag.Diagnostic{Severity: diag.Error, Rule: rule, Summary: summary, Detail: detail, Subject: d.Subject, Context: d.Context})
		if rule == "LANG-unknown-function" && d.Subject != nil {
			name := functionName(d.Detail)
			c.fixName(*d.Subject, name, suggest.Only(name, FunctionNames()))
		}
	}
}

// functionName is the first name in quotes.
func functionName(detail string) string {
	_, rest, _ := strings.Cut(detail, `"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// unknownFunction replaces HCL's own suggestion, which takes the first name
// that is near, by the nearest.
func unknownFunction(detail string) string {
	name := functionName(detail)
	text := "There is no function \"" + name + "\"."
	if n := suggest.Nearest(name, FunctionNames()); n != "" {
		return text + " Did you mean \"" + n + "\"?"
	}
	switch name {
	case "timestamp", "uuid", "env", "file", "now", "random":
		return text + " A scenario is a pure text: the same files always give the same plan, so there is no clock, no random source, no environment and no reading of files."
	}
	return text + " The functions are: " + strings.Join(FunctionNames(), ", ") + "."
}
