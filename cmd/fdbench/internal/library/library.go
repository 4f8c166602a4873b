// Package library looks definitions of the standard library up by the names
// that an author gives.
//
// It imports stdlib and lang/suggest.
package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/stdlib"
)

// Kinds lists the kinds of definitions in the library's order.
func Kinds() []string {
	var kinds []string
	for _, e := range stdlib.Entries() {
		if !slices.Contains(kinds, e.Kind) {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

// Find returns the definitions that a name stands for: "kind.name" or "name".
func Find(name string) []stdlib.Entry {
	var found []stdlib.Entry
	for _, e := range stdlib.Entries() {
		if e.Name == name || e.Kind+"."+e.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// Nearest is " (did you mean X?)" for a name that is nearly one, and "".
func Nearest(name string) string {
	var names []string
	for _, e := range stdlib.Entries() {
		if strings.Contains(name, ".") {
			names = append(names, e.Kind+"."+e.Name)
		} else {
			names = append(names, e.Name)
		}
	}
	if n := suggest.Nearest(name, names); n != "" {
		return fmt.Sprintf(" (did you mean %s?)", n)
	}
	return ""
}
