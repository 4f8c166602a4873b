package main

import (
	"io"
	"strings"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/spec/pages"
)

type explainCmd struct {
	All bool   `help:"Explain every requirement, as a page in Markdown."`
	ID  string `arg:"" optional:"" name:"id" help:"A requirement, such as FD-5.1-8."`
}

func (*explainCmd) Help() string {
	return `The ids stand in the findings of "fdbench lint" and in reports.

Examples:

    fdbench explain FD-5.1-8
    fdbench explain --all`
}

func (c *explainCmd) Run(a *app) error {
	switch {
	case c.All && c.ID == "":
		_, err := a.Out.Write(pages.Requirements())
		return err
	case c.All || c.ID == "":
		return usage("name one requirement, or ask for all of them with --all")
	}
	text, ok := rule.Explain(c.ID)
	if !ok && strings.HasPrefix(strings.ToUpper(c.ID), "LANG-") {
		return usage("%s belongs to the language itself: the finding says what to write, and the language reference has the rest", c.ID)
	}
	if !ok {
		return usage("there is no requirement %q%s; \"fdbench explain --all\" lists them", c.ID, pages.Nearest(c.ID))
	}
	_, err := io.WriteString(a.Out, text)
	return err
}
