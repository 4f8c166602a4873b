package conformance

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// ReadingsPage is the page in Markdown with every strict reading.
func ReadingsPage() []byte {
	var b bytes.Buffer
	b.WriteString("# How ambiguities of the methodology are read\n\n" +
		"Made by `.ci/generate` from `readings.json`; do not edit. Where the text leaves something open, the strictest sense that can\n" +
		"be carried out is taken. A reading that departs from it says so and names the record that gives the reasons.\n\n")
	differ := 0
	for _, r := range spec.Readings() {
		if r.Differs != nil {
			differ++
		}
	}
	fmt.Fprintf(&b, "%d readings, of which %d depart from the strictest one.\n", len(spec.Readings()), differ)
	for _, r := range spec.Readings() {
		fmt.Fprintf(&b, "\n### %s\n\n**%s** %s\n\n", r.ID, r.Question, r.Reading)
		if r.Differs != nil {
			fmt.Fprintf(&b, "Departs from the strictest reading: %s Reasons: [%s](decisions/%s.md).\n\n", r.Differs.How, r.Differs.Decision, r.Differs.Decision)
		}
		rows := make([]string, len(r.Rows))
		for i, id := range r.Rows {
			rows[i] = fmt.Sprintf("[%s](requirements.md#%s)", id, Anchor(id))
		}
		fmt.Fprintf(&b, "- rows: %s\n- decided in: %s\n- shown by: %s\n", strings.Join(rows, ", "), code(r.Decided), code(r.Tests))
	}
	return b.Bytes()
}

// Anchor is the fragment of a row's heading, as hosts of repositories make it:
// in small letters, without dots, "fd-51-8" for "FD-5.1-8".
func Anchor(id string) string {
	return strings.ToLower(strings.ReplaceAll(id, ".", ""))
}

func code(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "`" + n + "`"
	}
	return strings.Join(quoted, ", ")
}
