package compiler

import (
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// CheckExample compiles the scenario that an example of package rule changes,
// in memory, and returns everything that is said of it. Notes are among it,
// which break nothing: an example that keeps its rule may have notes of other
// rules. The error is that of an example that cannot be worked in.
func CheckExample(e spec.Example) (diag.List, error) {
	files, err := rule.Files(e)
	if err != nil {
		return nil, err
	}
	_, diags := compileMemory(files, Options{Check: true})
	return diags, nil
}

// compileMemory compiles files that lie nowhere.
func compileMemory(files map[string][]byte, o Options) (*Result, diag.List) {
	var sources []lang.Source
	folder := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, lang.Ext) {
			sources = append(sources, lang.Source{Name: name, Bytes: files[name]})
		} else {
			folder[name] = files[name]
		}
	}
	o.Files = folder
	doc, diags := lang.Parse(sources)
	return CompileLoaded(doc, diags, o)
}
