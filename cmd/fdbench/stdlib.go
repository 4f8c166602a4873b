package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/library"
	"github.com/fdbench/fdbench/stdlib"
)

type stdlibCmd struct {
	List stdlibListCmd `cmd:"" help:"List what the standard library has."`
	Show stdlibShowCmd `cmd:"" help:"Print the source of a definition, to copy and to change."`
}

func (*stdlibCmd) Help() string {
	return `The standard library is written in the scenario language. A definition of the same kind and name in a scenario goes before it.

Examples:

    fdbench stdlib list
    fdbench stdlib show fault_class.refusal`
}

type stdlibListCmd struct {
	Kind string `arg:"" optional:"" help:"Only this kind: indicator, fault_class, profile or population."`
}

func (*stdlibListCmd) Help() string {
	return `Example:

    fdbench stdlib list fault_class`
}

func (c *stdlibListCmd) Run(a *app) error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	found := false
	for _, e := range stdlib.Entries() {
		if c.Kind == "" || c.Kind == e.Kind {
			found = true
			fmt.Fprintf(w, "%s.%s\t%s\n", e.Kind, e.Name, e.Description)
		}
	}
	if !found {
		return usage("the standard library has no kind %q; its kinds are %s", c.Kind, strings.Join(library.Kinds(), ", "))
	}
	return w.Flush()
}

type stdlibShowCmd struct {
	Name string `arg:"" help:"A name from the list: with its kind (fault_class.refusal), or without where only one kind has it."`
}

func (*stdlibShowCmd) Help() string {
	return `Example:

    fdbench stdlib show indicator.refusal_rate > my-indicator.fdb.hcl`
}

func (c *stdlibShowCmd) Run(a *app) error {
	found := library.Find(c.Name)
	switch {
	case len(found) == 0:
		return usage("the standard library has no %q%s; \"fdbench stdlib list\" shows what it has", c.Name, library.Nearest(c.Name))
	case len(found) > 1:
		var names []string
		for _, e := range found {
			names = append(names, e.Kind+"."+e.Name)
		}
		return usage("%q is the name of several definitions: %s", c.Name, strings.Join(names, ", "))
	}
	source, _, _ := stdlib.Lookup(found[0].Kind, found[0].Name)
	_, err := a.Out.Write(source)
	return err
}
