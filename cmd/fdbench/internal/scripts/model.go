package scripts

import (
	"strings"

	"github.com/alecthomas/kong"
)

// verb is a command that can be run: "plan", or "stdlib show".
type verb struct {
	path  string
	node  *kong.Node
	flags []*kong.Flag
}

// verbs lists the leaves of the grammar in its order.
func verbs(app *kong.Application) []verb {
	var out []verb
	for _, n := range app.Leaves(true) {
		v := verb{path: path(n), node: n}
		for _, group := range n.AllFlags(true) {
			v.flags = append(v.flags, group...)
		}
		out = append(out, v)
	}
	return out
}

// path is a command without the program's name.
func path(n *kong.Node) string {
	if n.Parent == nil || n.Parent.Type == kong.ApplicationNode {
		return n.Name
	}
	return path(n.Parent) + " " + n.Name
}

// words are the permitted values of a flag or an argument; nil where any is.
func words(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return strings.Split(v.Enum, ",")
}

// arguments are the permitted words of all positional arguments.
func arguments(n *kong.Node) []string {
	var out []string
	for _, p := range n.Positional {
		out = append(out, words(p)...)
	}
	return out
}

// placeholder is the name of a flag's value, "" for a switch.
func placeholder(f *kong.Flag) string {
	if f.IsBool() {
		return ""
	}
	if f.PlaceHolder != "" {
		return f.PlaceHolder
	}
	return strings.ToUpper(f.Name)
}
