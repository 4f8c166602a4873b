package findings

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/ignore"
)

// Report is what one call found.
type Report struct {
	Scenarios []Scenario
	// Fixed is what was repaired before the rest was looked for.
	Fixed []Fixed
	// Dry tells that the repairs were not written.
	Dry bool
	// Version is that of the program.
	Version string
	// Dir is the working directory, an absolute path.
	Dir string
	// FailLevel is the mildest severity that fails the call; the zero value lets
	// everything pass.
	FailLevel diag.Severity
	// ExitCode is what the call will end with, and Failed tells that it is so
	// because something could not be read.
	ExitCode int
	Failed   bool
}

// Scenario is what was found in one scenario. All places name files as the
// caller would.
type Scenario struct {
	// Path is the scenario as the caller named it.
	Path    string
	List    diag.List
	Ignored []ignore.Ignored
	// Files are the scenario's files in their order.
	Files   []File
	Sources *diag.Sources
}

// File is a file of a scenario.
type File struct {
	Name string
	// Text is what places count in, and Raw what the file holds.
	Text, Raw []byte
}

// Fixed is a repair.
type Fixed struct {
	Rule, Summary string
	// File and Line are where it was made, in the text of that moment.
	File string
	Line int
	// Old and New are the replaced text and what stands there now.
	Old, New string
}

// String is the repair in one line.
func (f Fixed) String() string {
	what := fmt.Sprintf("%s is now %s", short(f.Old), short(f.New))
	switch {
	case strings.TrimSpace(f.New) == "":
		what = "took out " + short(f.Old)
	case strings.TrimSpace(f.Old) == "":
		what = "put in " + short(f.New)
	}
	return fmt.Sprintf("%s:%d: %s (%s): %s", f.File, f.Line, f.Summary, f.Rule, what)
}

// short is a text in one line.
func short(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// Of collects what a compilation said of a scenario.
func Of(path string, result *compiler.Result, list diag.List) Scenario {
	doc := result.Document
	s := Scenario{Path: path, Ignored: make([]ignore.Ignored, 0, len(result.Ignored))}
	var aside, comments diag.List
	for _, i := range result.Ignored {
		aside.Add(i.Diagnostic)
		comments.Add(diag.Diagnostic{Subject: &i.Directive})
	}
	found := func(l diag.List) view.Found { return view.Found{Root: doc.Root, List: l, Sources: doc.Sources()} }
	all, sources := view.FromCaller(found(list), found(aside), found(comments))
	n, m := len(list), len(aside)
	s.List, aside, comments = all[:n:n], all[n:n+m], all[n+m:]
	for i, d := range aside {
		s.Ignored = append(s.Ignored, ignore.Ignored{Diagnostic: d, Reason: result.Ignored[i].Reason, Directive: *comments[i].Subject})
	}
	s.Sources = sources
	for _, f := range doc.Files {
		name := filepath.Join(doc.Root, filepath.FromSlash(f.Name))
		s.Files = append(s.Files, File{Name: name, Text: f.Bytes, Raw: f.Raw})
		if sources.Bytes(name) == nil {
			sources.Add(name, f.Bytes, func(offset int) string { return doc.Sources().Context(f.Name, offset) })
		}
	}
	return s
}

// place is where a finding is shown that has no place of its own: the
// beginning of the scenario's first file, or its path where it has none.
func (s *Scenario) place() hcl.Range {
	name := s.Path
	if len(s.Files) > 0 {
		name = s.Files[0].Name
	}
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// fails tells whether a finding fails the call.
func (r *Report) fails(d *diag.Diagnostic) bool {
	return r.FailLevel != 0 && d.Severity <= r.FailLevel
}

// Ignored is how many findings were set aside.
func (r *Report) Ignored() int {
	n := 0
	for i := range r.Scenarios {
		n += len(r.Scenarios[i].Ignored)
	}
	return n
}

// Summary is what was found, in one line: "2 errors, 1 warning, 1 ignored".
func (r *Report) Summary() string {
	var all diag.List
	for i := range r.Scenarios {
		all = append(all, r.Scenarios[i].List...)
	}
	text := tally(all, r.Ignored())
	if n := len(r.Fixed); n > 0 {
		text += fmt.Sprintf(", %d %s", n, r.verb())
	}
	return text
}

// verb says what became of the repairs.
func (r *Report) verb() string {
	if r.Dry {
		return "to fix"
	}
	return "fixed"
}

// tally counts findings in words.
func tally(l diag.List, ignored int) string {
	text := l.Tally()
	switch {
	case text == "":
		text = "no problems"
	case !l.HasErrors():
		text = "no errors, " + text
	}
	if ignored > 0 {
		text += fmt.Sprintf(", %d ignored", ignored)
	}
	return text
}

// Forms are the names of the forms that Write knows, the one for people apart.
func Forms() []string { return []string{"json", "sarif", "github", "junit"} }

// Write writes the report in one of the forms, and returns the error of w.
func Write(w io.Writer, form string, r *Report) error {
	switch form {
	case "json":
		return JSON(w, r)
	case "sarif":
		return SARIF(w, r)
	case "github":
		return GitHub(w, r)
	case "junit":
		return JUnit(w, r)
	}
	return fmt.Errorf("findings: there is no form %q", form)
}
