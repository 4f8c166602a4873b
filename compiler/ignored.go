package compiler

import (
	"sync"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/ignore"
	"github.com/fdbench/fdbench/spec"
)

// CompileLoaded goes on where a document has been read: with what lang said of
// its shape it compiles it, unless the shape is wrong, and takes what comments in the
// scenario set aside out of the diagnostics. CompilePath is lang.Load and this.
func CompileLoaded(doc *lang.Document, diags diag.List, o Options) (*Result, diag.List) {
	result := &Result{Document: doc}
	complete := !diags.HasErrors()
	if complete {
		var more diag.List
		result, more = Compile(doc, o)
		diags.Extend(more)
	}
	diags, result.Ignored = ignore.Apply(doc, diags, ignore.Options{
		Known: ruleIDs(),
		// What the other series would give is not in the list.
		Complete: complete && o.Series == "",
	})
	diags.Sort()
	return result, diags
}

// ruleIDs are the ids that a finding can have.
var ruleIDs = sync.OnceValue(func() []string {
	var ids []string
	for _, r := range spec.Requirements() {
		ids = append(ids, r.ID)
	}
	for _, list := range [][]lang.Rule{lang.Rules(), LanguageRules()} {
		for _, r := range list {
			ids = append(ids, r.ID)
		}
	}
	return ids
})
