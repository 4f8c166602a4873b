package main

import (
	"fmt"
	"io"

	"github.com/fdbench/fdbench/spec/pages"
)

type explainCmd struct {
	All bool   `help:"Explain every requirement and every rule of the language, as a page in Markdown."`
	ID  string `arg:"" optional:"" name:"id" help:"A requirement or a rule, such as FD-5.1-8 or LANG-unknown-block."`
}

func (*explainCmd) Help() string {
	return `The ids stand in the findings of "fdbench lint" and in reports.

Examples:

    fdbench explain FD-5.1-8
    fdbench explain LANG-unknown-block
    fdbench explain --all`
}

func (c *explainCmd) Run(a *app) error {
	switch {
	case c.All && c.ID == "":
		_, err := fmt.Fprintf(a.Out, "%s\n%s", pages.Requirements(), pages.Language())
		return err
	case c.All || c.ID == "":
		return usage("name one requirement or rule, or ask for all of them with --all")
	}
	text, ok := pages.Explain(c.ID)
	if !ok {
		return usage("there is no requirement or rule %q%s; \"fdbench explain --all\" lists them", c.ID, pages.Nearest(c.ID))
	}
	_, err := io.WriteString(a.Out, text)
	return err
}
