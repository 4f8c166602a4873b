package findings

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/lang/diag"
)

// A runner of GitHub Actions undoes these escapes, in the message and in the
// values before it.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes a workflow command for each finding, which GitHub shows beside
// the line. Paths are relative to the working directory, where that is the
// root of the repository. What was set aside is left out.
func GitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		texts := newTexts(s.Files)
		for j := range s.List {
			d := &s.List[j]
			at := s.place()
			if d.Subject != nil {
				at = *d.Subject
			}
			b.WriteString(command(d, at, texts, r.Dir))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func command(d *diag.Diagnostic, at hcl.Range, texts texts, dir string) string {
	name := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning"}[d.Severity]
	if name == "" {
		name = "notice"
	}
	reg := texts.region(at)
	title := d.Summary
	if d.Rule != "" {
		title += " (" + d.Rule + ")"
	}
	values := []string{
		"file=" + propertyEscapes.Replace(relative(dir, at.Filename)),
		fmt.Sprintf("line=%d", reg.startLine), fmt.Sprintf("endLine=%d", reg.endLine),
	}
	// Columns of a place on several lines would be read as those of one line.
	if reg.startLine == reg.endLine {
		values = append(values, fmt.Sprintf("col=%d", reg.startColumn), fmt.Sprintf("endColumn=%d", reg.endColumn))
	}
	values = append(values, "title="+propertyEscapes.Replace(title))
	return fmt.Sprintf("::%s %s::%s\n", name, strings.Join(values, ","), messageEscapes.Replace(d.Detail))
}

// relative is the path of a file from a folder, with forward slashes; the
// file's own path where it lies elsewhere.
func relative(dir, name string) string {
	rel, ok := below(dir, name)
	if !ok {
		rel = name
	}
	return filepath.ToSlash(rel)
}

// below is the path of a file from a folder, false where it does not lie below.
func below(dir, name string) (string, bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}
