package main

import (
	"fmt"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/spec/pages"
)

type explainCmd struct {
	All      bool   `help:"Explain every requirement of the fault-detection methodology." xor:"all"`
	Reuse    bool   `help:"Explain every requirement of the metric contract for KV reuse." xor:"all"`
	Language bool   `help:"Explain every rule of the language." xor:"all"`
	Format   string `help:"Form of the explanation: text, md or json." enum:"text,md,json" default:"text" placeholder:"FORM"`
	Examples bool   `help:"Show every example, and each whole, with its set-up."`
	ID       string `arg:"" optional:"" name:"id" help:"A requirement or a rule, such as FD-5.1-8, KV-5-6 or LANG-unknown-block."`
}

func (*explainCmd) Help() string {
	return `The ids stand in the findings of "fdbench lint" and in reports. An explanation says what a requirement asks, what is wrong with a result where it is broken, where its boundary lies, at which moments it is enforced, and shows an example that breaks it and one that keeps it.

Examples:

    fdbench explain FD-5.1-8
    fdbench explain KV-8-2
    fdbench explain LANG-unknown-block
    fdbench explain --all --format md
    fdbench explain --all --format json | jq '.[] | select(.attest) | .id'`
}

func (c *explainCmd) Run(a *app) error {
	every := c.All || c.Reuse || c.Language
	if every == (c.ID != "") {
		return usage("name one requirement or rule, or ask for all of them with --all, --reuse or --language")
	}
	if !every {
		e, ok := pages.Find(c.ID)
		if !ok {
			return usage("there is no requirement or rule %q%s; \"fdbench explain\" with --all, --reuse or --language lists them", c.ID, pages.Nearest(c.ID))
		}
		return c.one(a, e)
	}
	entries, page := pages.Methodology, pages.Requirements
	switch {
	case c.Reuse:
		entries, page = pages.Contract, pages.ReuseRequirements
	case c.Language:
		entries, page = pages.Language, pages.LanguagePage
	}
	switch c.Format {
	case "md":
		_, err := a.Out.Write(page())
		return err
	case "json":
		_, err := a.Out.Write(pages.JSON(entries()))
		return err
	}
	for i, e := range entries() {
		if i > 0 {
			fmt.Fprint(a.Out, "\n\n")
		}
		if err := view.Explain(a.Out, e, c.Examples); err != nil {
			return err
		}
	}
	return nil
}

func (c *explainCmd) one(a *app, e pages.Entry) (err error) {
	switch c.Format {
	case "md":
		_, err = a.Out.Write(e.Markdown())
	case "json":
		_, err = a.Out.Write(pages.JSON(e))
	default:
		err = view.Explain(a.Out, e, c.Examples)
	}
	return err
}
