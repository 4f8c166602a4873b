package diag

import (
	"github.com/hashicorp/hcl/v2"
)

// The JSON form has the names of OpenTofu's `validate -json`, so that tools
// which read one read the other; "rule" and "fix" are added.

// JSONReport is the JSON form of a list of diagnostics.
type JSONReport struct {
	FormatVersion string           `json:"format_version"`
	Valid         bool             `json:"valid"`
	ErrorCount    int              `json:"error_count"`
	WarningCount  int              `json:"warning_count"`
	Diagnostics   []JSONDiagnostic `json:"diagnostics"`
}

// JSONDiagnostic is one diagnostic. Lines and columns count from 1, columns in
// characters as a reader sees them; bytes count from 0; an end is exclusive.
type JSONDiagnostic struct {
	Severity string       `json:"severity"`
	Rule     string       `json:"rule,omitempty"`
	Summary  string       `json:"summary"`
	Detail   string       `json:"detail"`
	Range    *JSONRange   `json:"range,omitempty"`
	Snippet  *JSONSnippet `json:"snippet,omitempty"`
	Fix      *JSONFix     `json:"fix,omitempty"`
}

// JSONRange is a place in a file.
type JSONRange struct {
	Filename string  `json:"filename"`
	Start    JSONPos `json:"start"`
	End      JSONPos `json:"end"`
}

// JSONPos is a point in a file.
type JSONPos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// JSONSnippet is the source around a subject. The highlight offsets are bytes
// into Code.
type JSONSnippet struct {
	Context              *string     `json:"context"`
	Code                 string      `json:"code"`
	StartLine            int         `json:"start_line"`
	HighlightStartOffset int         `json:"highlight_start_offset"`
	HighlightEndOffset   int         `json:"highlight_end_offset"`
	Values               []JSONValue `json:"values"`
}

// JSONValue is an expression and what is known of it.
type JSONValue struct {
	Traversal string `json:"traversal"`
	Statement string `json:"statement"`
}

// JSONFix is a replacement that repairs the mistake.
type JSONFix struct {
	Range JSONRange `json:"range"`
	Text  string    `json:"text"`
}

// Report returns the JSON form of the list as a value.
func Report(l List, src *Sources) JSONReport {
	r := JSONReport{
		FormatVersion: "1.0",
		Valid:         !l.HasErrors(),
		ErrorCount:    l.Count(Error),
		WarningCount:  l.Count(Warning),
		Diagnostics:   make([]JSONDiagnostic, 0, len(l)),
	}
	for i := range l {
		r.Diagnostics = append(r.Diagnostics, jsonOf(&l[i], src))
	}
	return r
}

func jsonOf(d *Diagnostic, src *Sources) JSONDiagnostic {
	out := JSONDiagnostic{Severity: d.Severity.String(), Rule: d.Rule, Summary: d.Summary, Detail: d.Detail}
	if d.Subject != nil {
		r := JSONRangeOf(*d.Subject)
		out.Range = &r
	}
	if d.Fix != nil {
		out.Fix = &JSONFix{Range: JSONRangeOf(d.Fix.Range), Text: d.Fix.Text}
	}
	s, ok := snippetOf(d, src)
	if !ok {
		return out
	}
	out.Snippet = &JSONSnippet{
		Code:                 string(s.code),
		StartLine:            s.startLine,
		HighlightStartOffset: s.from,
		HighlightEndOffset:   s.to,
		Values:               make([]JSONValue, 0, len(d.Values)),
	}
	if s.context != "" {
		out.Snippet.Context = &s.context
	}
	for _, v := range d.Values {
		out.Snippet.Values = append(out.Snippet.Values, JSONValue{Traversal: v.Expr, Statement: v.Text})
	}
	return out
}

// JSONRangeOf is the JSON form of a place.
func JSONRangeOf(r hcl.Range) JSONRange {
	pos := func(p hcl.Pos) JSONPos { return JSONPos{p.Line, p.Column, p.Byte} }
	return JSONRange{Filename: r.Filename, Start: pos(r.Start), End: pos(r.End)}
}
