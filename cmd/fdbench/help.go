package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

type helpCmd struct {
	Verb []string `arg:"" optional:"" name:"verb" help:"A verb, such as run or \"stdlib show\"."`
}

func (*helpCmd) Help() string {
	return `The same as --help behind the verb.

Example:

    fdbench help run`
}

func (c *helpCmd) Run(a *app) error {
	line := new(commandLine)
	parser, err := newParser(line, a.Streams)
	if err != nil {
		return err
	}
	node := parser.Model.Node
	for _, word := range c.Verb {
		if node = child(node, word); node == nil {
			return usage("there is no verb %q; \"fdbench help\" lists them", strings.Join(c.Verb, " "))
		}
	}
	// Showing a page ends the parsing by way of helpShown.
	_, err = parser.Parse(append(c.Verb, "--help"))
	return err
}

func child(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Type == kong.CommandNode && c.Name == name {
			return c
		}
	}
	return nil
}
