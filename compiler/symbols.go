package compiler

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/stdlib"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// symbol is a block that an expression can name.
type symbol struct {
	kind  string // block type: "detector"
	name  string
	block *lang.Block
	lib   bool // of the standard library
}

func (s *symbol) String() string { return s.kind + "." + s.name }

// refType carries a reference to a block through an expression, so that a
// conditional can choose between two of them.
var refType = cty.CapsuleWithOps("reference", symbolGoType, &cty.CapsuleOps{
	GoString: func(v any) string { return v.(*symbol).String() },
})

// kinds are the block types that can be named, in the order of the reference.
var kinds = []string{
	"indicator", "fault_class", "profile", "population", "serving", "apparatus",
	"detector", "environment", "signal", "series", "reuse", "gate",
}

// roots are all words that a traversal may begin with.
var roots = append([]string{"var", "local"}, kinds...)

// table holds the named blocks of one document by kind and name.
type table map[string]map[string]*symbol

func newTable(doc *lang.Document, lib bool) table {
	t := make(table, len(kinds))
	for _, k := range kinds {
		t[k] = map[string]*symbol{}
	}
	for _, b := range doc.Blocks {
		m, ok := t[b.Type]
		if !ok || len(b.Labels) == 0 {
			continue
		}
		name := b.Labels[len(b.Labels)-1]
		if m[name] == nil {
			m[name] = &symbol{kind: b.Type, name: name, block: b, lib: lib}
		}
	}
	return t
}

// library is the standard library, read at the first question about a name
// that the scenario does not define.
var library = sync.OnceValues(func() (table, *lang.Document) {
	var files []lang.Source
	for _, f := range stdlib.Files() {
		files = append(files, lang.Source{Name: f.Name, Bytes: f.Data})
	}
	doc, diags := lang.ParseLibrary(files)
	if diags.HasErrors() {
		panic("compiler: the standard library: " + diags.Err().Error())
	}
	return newTable(doc, true), doc
})

// lookup finds a block by kind and name: the scenario's own before the
// library's.
func (c *compilation) lookup(kind, name string) *symbol {
	if s := c.own[kind][name]; s != nil {
		return s
	}
	switch kind {
	case "indicator", "fault_class", "profile", "population", "gate":
		lib, _ := library()
		return lib[kind][name]
	}
	return nil
}

// names lists what can be named under a root, the scenario's first.
func (c *compilation) names(root string) []string {
	switch root {
	case "var":
		return sortedKeys(c.variables)
	case "local":
		return sortedKeys(c.locals)
	}
	list := sortedKeys(c.own[root])
	lib, _ := library()
	list = append(list, sortedKeys(lib[root])...)
	// A gate may be called what no reference can hold.
	return slices.DeleteFunc(list, func(name string) bool { return !hclsyntax.ValidIdentifier(name) })
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// errorAt adds an error at a place.
func (c *compilation) errorAt(r hcl.Range, rule, summary, detail string) {
	c.diags.Add(diag.Diagnostic{Severity: diag.Error, Rule: rule, Summary: summary, Detail: detail, Subject: &r})
}

// errors counts the errors so far. Only what came since the last question is
// looked at, so that many series do not make many messages slow.
func (c *compilation) errors() int {
	for ; c.counted < len(c.diags); c.counted++ {
		if c.diags[c.counted].Severity == diag.Error {
			c.errorCount++
		}
	}
	return c.errorCount
}
