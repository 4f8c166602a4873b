package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
)

// compileOptions are those of one command line: --var goes before the
// environment's FDBENCH_VAR_ variables.
func compileOptions(vars map[string]string, series string) compiler.Options {
	o := compiler.Options{Variables: vars, Series: series}
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "FDBENCH_VAR_") {
			o.Env = append(o.Env, e)
		}
	}
	return o
}

// compile compiles a scenario and shows what is to be said about it on
// standard error.
func compile(a *app, path string, o compiler.Options) (*compiler.Result, error) {
	result, diags := compiler.CompilePath(path, o)
	view.Diagnostics(a.Err, diags, result.Document.Sources())
	if code := codeOfDiagnostics(diags); code != exitDone {
		return nil, exit(code)
	}
	if len(result.Plans) == 0 {
		return nil, refused(fmt.Errorf("%s has no series block, so there is nothing to plan or to run", path))
	}
	return result, nil
}

// unreadable are the rules that say that there is no scenario to judge.
var unreadable = map[string]bool{
	"LANG-no-such-path": true, "LANG-unreadable-file": true, "LANG-file-too-large": true, "LANG-no-files": true, "LANG-file-name": true,
}

// codeOfDiagnostics tells a file that cannot be read from a scenario that is
// refused.
func codeOfDiagnostics(diags diag.List) int {
	if !diags.HasErrors() {
		return exitDone
	}
	for _, d := range diags {
		if d.Severity == diag.Error && !unreadable[d.Rule] {
			return exitRefused
		}
	}
	return exitFailed
}
