package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang"
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

// show writes diagnostics for a person, with the names of files as the caller
// would give them.
func show(to terminal.Stream, diags diag.List, doc *lang.Document) {
	if doc == nil {
		doc = &lang.Document{}
	}
	view.Findings(to, view.Found{Root: doc.Root, List: diags, Sources: doc.Sources()})
}

// compile compiles a scenario and shows what is to be said about it on
// standard error.
func compile(a *app, path string, o compiler.Options) (*compiler.Result, error) {
	result, diags := compiler.CompilePath(path, o)
	show(a.Err, diags, result.Document)
	if code := codeOfDiagnostics(diags); code != exitDone {
		return nil, exit(code)
	}
	if len(result.Plans)+len(result.Reuses) == 0 {
		return nil, refused(fmt.Errorf("%s has no series and no reuse block, so there is nothing to plan or to run", path))
	}
	return result, nil
}

// locked are the changes of a declaration that a finding lists.
const locked = 5

// lockFindings says where the series of a scenario were declared otherwise when
// their first trials began, and which locks cannot be trusted.
func lockFindings(path string, result *compiler.Result) diag.List {
	jobs, err := launch.OfScenario(path, "", result)
	if err != nil {
		return diag.List{lockError(err)}
	}
	var out diag.List
	for _, j := range jobs {
		s, err := launch.FindLock(j)
		if err != nil {
			// It is the same for the other series.
			return append(out, lockError(err))
		}
		if len(s.Diffs) > 0 {
			out.Add(lockWarning(s, result.Document, j))
		}
	}
	return out
}

// lockRule asks that what defines a series is declared before its first trial.
const lockRule = "FD-4.1-5"

func lockError(err error) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Rule: lockRule, Summary: "Lock cannot be used", Detail: sentence(remedy(err))}
}

func lockWarning(s *launch.LockState, doc *lang.Document, j launch.Job) diag.Diagnostic {
	kind, what, begun, rule := "series", "series", "first trial", lockRule
	if j.Reuse != nil {
		kind, what, begun, rule = "reuse", "reuse block", "first row or request", "LANG-reuse"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Generation %d of %s %q was declared otherwise when its %s began, as %s shows:", s.Generation, what, j.Name(), begun, s.Path)
	for i, d := range s.Diffs {
		if i == locked {
			fmt.Fprintf(&b, "\n  and %d more", len(s.Diffs)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", d)
	}
	b.WriteString("\nA run is refused. Restore the declaration, begin the next generation with \"fdbench run --new-series\", or try the scenario out with --explore.")
	w := diag.Diagnostic{Severity: diag.Warning, Rule: rule, Summary: "Declaration differs from the lock", Detail: b.String()}
	for _, block := range doc.All(kind) {
		if block.Name() == j.Name() {
			w.Subject = &block.DefRange
		}
	}
	return w
}

// sentence gives a text the full stop that it may lack.
func sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!)\n") {
		return text
	}
	return text + "."
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
