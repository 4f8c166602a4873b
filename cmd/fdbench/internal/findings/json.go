package findings

import (
	"io"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/diag"
)

// jsonReport is diag.JSONReport with what was set aside and repaired.
type jsonReport struct {
	diag.JSONReport
	IgnoredCount int           `json:"ignored_count"`
	Ignored      []jsonIgnored `json:"ignored"`
	Fixed        []jsonFixed   `json:"fixed,omitempty"`
}

type jsonIgnored struct {
	diag.JSONDiagnostic
	Reason string `json:"reason"`
	// Comment is the place of the comment that set it aside.
	Comment diag.JSONRange `json:"comment"`
}

type jsonFixed struct {
	Rule     string `json:"rule"`
	Summary  string `json:"summary"`
	Filename string `json:"filename"`
	Line     int    `json:"line"`
	Old      string `json:"old"`
	New      string `json:"new"`
}

// JSON writes one document for all scenarios, in the shape that OpenTofu's
// validate -json has, with what was set aside apart.
func JSON(w io.Writer, r *Report) error {
	out := jsonReport{JSONReport: diag.Report(nil, nil), Ignored: []jsonIgnored{}}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		part := diag.Report(s.List, s.Sources)
		out.Valid = out.Valid && part.Valid
		out.ErrorCount += part.ErrorCount
		out.WarningCount += part.WarningCount
		out.Diagnostics = append(out.Diagnostics, part.Diagnostics...)
		for _, g := range s.Ignored {
			one := diag.Report(diag.List{g.Diagnostic}, s.Sources).Diagnostics[0]
			out.Ignored = append(out.Ignored, jsonIgnored{one, g.Reason, diag.JSONRangeOf(g.Directive)})
		}
	}
	out.IgnoredCount = len(out.Ignored)
	for _, f := range r.Fixed {
		out.Fixed = append(out.Fixed, jsonFixed{f.Rule, f.Summary, f.File, f.Line, f.Old, f.New})
	}
	return plainjson.Write(w, out)
}
