package compiler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/hashicorp/hcl/v2"
)

// maxFile bounds one data file of a scenario.
const maxFile = 1 << 30

// inputFile is a file of the scenario's folder, read once.
type inputFile struct {
	name   string
	bytes  []byte // with LF line ends
	sha256 string
	role   string
	err    error
	rows   []corpus.Row
	read   bool // rows were parsed, and problems reported
}

// fileName reads a path argument: relative to the scenario's folder, with
// slashes, and not leaving it.
func (c *compilation) fileName(d *decoder, arg string) string {
	name := d.text(arg)
	if name == "" {
		if d.usable(arg) && d.given(arg) {
			d.refuse(arg, "Empty file name", "Name a file of the scenario's folder.")
		}
		return ""
	}
	why := ""
	switch {
	case strings.Contains(name, `\`):
		why = "Write folders with slashes, so that the scenario reads the same everywhere."
	case path.IsAbs(name) || len(name) > 1 && name[1] == ':':
		why = "A path is relative to the scenario's folder, so that the scenario can be moved."
	case !fs.ValidPath(path.Clean(name)) || path.Clean(name) == ".":
		why = "A scenario reads files of its own folder only. Copy the file there."
	}
	if why != "" {
		d.c.errorAt(d.at(arg), "LANG-file", "File outside of the scenario", fmt.Sprintf("%q is not read. %s", name, why))
		d.fail(arg)
		return ""
	}
	return path.Clean(name)
}

// file reads a file of the scenario's folder. It is nil where that failed,
// which is then reported at the argument.
func (c *compilation) file(d *decoder, arg, name, role string) *inputFile {
	f := c.files[name]
	if f == nil {
		f = &inputFile{name: name, role: role}
		c.files[name] = f
		var raw []byte
		if raw, f.err = c.readFile(name); f.err == nil {
			f.bytes, f.sha256 = dataset.Normalize(raw)
		}
	}
	if f.err != nil {
		d.c.errorAt(d.at(arg), "LANG-file", "Cannot read a file", c.fileError(f))
		d.fail(arg)
		return nil
	}
	return f
}

var errTooLarge = errors.New("too large")

func (c *compilation) readFile(name string) ([]byte, error) {
	if c.doc.Root == "" {
		if b, ok := c.options.Files[name]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(c.doc.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if info.Size() > maxFile {
		return nil, errTooLarge
	}
	return io.ReadAll(f)
}

// filesBeside lists the files of the folder where a file was looked for, for a
// suggestion.
func (c *compilation) filesBeside(name string) []string {
	if c.doc.Root == "" {
		return slices.Sorted(maps.Keys(c.options.Files))
	}
	root, err := os.OpenRoot(c.doc.Root)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), path.Dir(name))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, path.Join(path.Dir(name), e.Name()))
		}
	}
	return names
}

func (c *compilation) fileError(f *inputFile) string {
	cause := f.err
	var pe *fs.PathError
	if errors.As(cause, &pe) {
		cause = pe.Err
	}
	switch {
	case errors.Is(f.err, fs.ErrNotExist):
		text := fmt.Sprintf("There is no %s in the scenario's folder.", f.name)
		if near := suggest.Nearest(f.name, c.filesBeside(f.name)); near != "" {
			text += fmt.Sprintf(" Did you mean %q?", near)
		}
		return text
	case errors.Is(f.err, errTooLarge):
		return fmt.Sprintf("%s is larger than 1 GiB.", f.name)
	case strings.Contains(cause.Error(), "escapes"):
		return fmt.Sprintf("%s leads out of the scenario's folder. Copy the file into it.", f.name)
	}
	return fmt.Sprintf("Reading %s failed: %v.", f.name, cause)
}

// rows reads a file of responses and reports each bad line with its number.
func (c *compilation) rows(d *decoder, arg, name, role string) *inputFile {
	f := c.file(d, arg, name, role)
	if f == nil {
		return nil
	}
	if !f.read {
		f.read = true
		var problems []corpus.Problem
		f.rows, problems = corpus.Read(bytes.NewReader(f.bytes))
		c.problems(d.at(arg), f, problems)
		switch {
		case len(problems) > 0:
			f.rows = nil
		case len(bytes.TrimSpace(f.bytes)) == 0:
			d.c.emptyFile(d.at(arg), f, fmt.Sprintf("%s is empty. It needs one JSON object a line, such as {\"prompt\": \"...\", \"response\": \"...\"}.", name))
		case len(f.rows) == 0:
			d.c.errorAt(d.at(arg), "LANG-responses", "No usable responses", fmt.Sprintf("%s has no line with a response.", name))
		}
	}
	if len(f.rows) == 0 {
		d.fail(arg)
		return nil
	}
	return f
}

// shown is how many bad lines of one file are reported one by one.
const shown = 10

// problems reports the bad lines of a file, each line once, however many blocks
// read it.
func (c *compilation) problems(r hcl.Range, f *inputFile, problems []corpus.Problem) {
	if c.reported == nil {
		c.reported = map[badLine]bool{}
	}
	var fresh []corpus.Problem
	for _, p := range problems {
		if at := (badLine{f.name, p.Line}); !c.reported[at] {
			c.reported[at] = true
			fresh = append(fresh, p)
		}
	}
	c.listProblems(r, f, fresh, "Bad line in a file", "Bad lines in a file", "bad lines")
}

// emptyFile reports a file without content, once.
func (c *compilation) emptyFile(r hcl.Range, f *inputFile, detail string) {
	if c.reported == nil {
		c.reported = map[badLine]bool{}
	}
	if at := (badLine{file: f.name}); !c.reported[at] {
		c.reported[at] = true
		c.errorAt(r, "LANG-responses", "Empty file", detail)
	}
}

// badLine is a line of an input file; line 0 stands for the file as a whole.
type badLine struct {
	file string
	line int
}

// unpaired reports responses that have no counterpart in a replacement file.
func (c *compilation) unpaired(r hcl.Range, f *inputFile, problems []corpus.Problem) {
	c.listProblems(r, f, problems, "Response without a counterpart", "Responses without a counterpart", "responses without a counterpart")
}

// listProblems makes one diagnostic of what is wrong with a file's lines.
func (c *compilation) listProblems(r hcl.Range, f *inputFile, problems []corpus.Problem, one, several, lines string) {
	switch len(problems) {
	case 0:
		return
	case 1:
		c.errorAt(r, "LANG-responses", one, fmt.Sprintf("%s, line %d: %s", f.name, problems[0].Line, sentence(problems[0].Message)))
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %d %s:", f.name, len(problems), lines)
	for _, p := range problems[:min(len(problems), shown)] {
		fmt.Fprintf(&b, "\n  line %d: %s", p.Line, sentence(p.Message))
	}
	if more := len(problems) - shown; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	c.errorAt(r, "LANG-responses", several, b.String())
}

// countPrompts counts the prompts of a population file.
func (c *compilation) countPrompts(d *decoder, f *inputFile) int {
	n := 0
	bad := []corpus.Problem{}
	for i, line := range bytes.Split(f.bytes, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row struct {
			Prompt *string `json:"prompt"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			bad = append(bad, corpus.Problem{Line: i + 1, Message: "this is not a JSON object with a \"prompt\" that is a text"})
		} else if row.Prompt == nil {
			bad = append(bad, corpus.Problem{Line: i + 1, Message: "the object has no \"prompt\""})
		} else {
			n++
		}
	}
	c.problems(d.at("source"), f, bad)
	if len(bad) == 0 && n == 0 {
		c.emptyFile(d.at("source"), f, fmt.Sprintf("%s has no prompt. It needs one JSON object a line, such as {\"prompt\": \"...\"}.", f.name))
	}
	if n == 0 || len(bad) > 0 {
		d.fail("source")
	}
	return n
}
