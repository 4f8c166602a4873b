package main

import (
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/scoring"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/stdlib/corpus"
)

type scoreCmd struct {
	Fault     string            `help:"Show what this fault class makes of each response, and how that scores." placeholder:"CLASS"`
	JSON      bool              `name:"json" help:"Print a JSON object."`
	Scenario  string            `help:"Use the definitions of this scenario, or of a file with definitions alone, beside the standard library." placeholder:"PATH"`
	Var       map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Indicator string            `arg:"" help:"An indicator, such as refusal_rate."`
	File      string            `arg:"" help:"Responses in JSON lines: objects with \"response\" and optionally \"prompt\" and \"id\"; \"-\" reads standard input."`
}

func (*scoreCmd) Help() string {
	return `A rate scores a response 0 or 1, a mean its count.

Examples:

    fdbench score refusal_rate scenarios/recorded/responses.jsonl
    fdbench score refusal_rate answers.jsonl --fault refusal --json
    zcat answers.jsonl.gz | fdbench score refusal_rate -`
}

func (c *scoreCmd) Run(a *app) error {
	var doc *lang.Document
	folder := "."
	if c.Scenario != "" {
		var diags diag.List
		doc, diags = loadDefinitions(c.Scenario)
		if diags.HasErrors() {
			show(a.Err, diags, doc)
			return exit(codeOfDiagnostics(diags))
		}
		folder = doc.Root
	}
	defs := compiler.Define(doc, compileOptions(c.Var, ""))
	indicator, err := definition(a, defs, doc, "indicator", c.Indicator, defs.Indicator)
	if err != nil {
		return err
	}
	var class *plan.FaultClass
	if c.Fault != "" {
		f, err := definition(a, defs, doc, "fault_class", c.Fault, defs.FaultClass)
		if err != nil {
			return err
		}
		class = &f
	}
	name := c.File
	var rows []corpus.Row
	if name == "-" {
		name = "standard input"
		rows, err = scoring.Read(name, a.In)
	} else {
		rows, err = scoring.ReadFile(name)
	}
	if err != nil {
		return err
	}
	report, err := scoring.Score(name, rows, indicator, class, folder)
	if err != nil {
		return err
	}
	if c.JSON {
		return plainjson.Write(a.Out, report)
	}
	return view.Score(a.Out, report)
}

// loadDefinitions reads a scenario, or a file with definitions and without the
// fdbench block, such as "fdbench stdlib show" prints.
func loadDefinitions(path string) (*lang.Document, diag.List) {
	doc, diags := lang.Load(path)
	if !diags.HasErrors() || codeOfDiagnostics(diags) == exitFailed {
		return doc, diags
	}
	var files []lang.Source
	for _, f := range doc.Files {
		files = append(files, lang.Source{Name: f.Name, Bytes: f.Bytes})
	}
	library, more := lang.ParseLibrary(files)
	if more.HasErrors() {
		return doc, diags
	}
	library.Root = doc.Root
	return library, more
}

// definition looks a name up, which may be given as in a reference.
func definition[T any](a *app, defs *compiler.Definitions, doc *lang.Document, kind, name string, get func(string) (T, bool)) (T, error) {
	name = strings.TrimPrefix(name, kind+".")
	v, ok := get(name)
	if diags := defs.Diagnostics(); diags.HasErrors() {
		show(a.Err, diags, doc)
		return v, exit(exitRefused)
	}
	if !ok {
		what, near := strings.ReplaceAll(kind, "_", " "), ""
		if n := suggest.Nearest(name, defs.Names(kind)); n != "" {
			near = " (did you mean " + n + "?)"
		}
		return v, usage("there is no %s %q%s; there are %s", what, name, near, strings.Join(defs.Names(kind), ", "))
	}
	return v, nil
}
