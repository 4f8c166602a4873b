package execute

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
)

// Names of the files in a run's folder.
const (
	PlanFile    = folder.PlanFile
	JournalFile = folder.JournalFile
	ResultFile  = folder.ResultFile
	ReportFile  = folder.ReportFile
)

// prepare makes the folder, or finds in it the same plan. A declaration does
// not change once a trial has run (FD-4.1-5), and a result is of one detector
// in one environment (FD-1.2-1).
func prepare(dir string, p *plan.Plan) error {
	return folder.Prepare(dir, folder.Plan{
		Kind:   folder.Kind{Noun: "series", EditedRule: "FD-4.1-5", OtherRule: "FD-4.1-5, FD-1.2-1"},
		Digest: p.Digest,
		Text:   plan.Encode(p),
		Decode: func(b []byte) (string, string, error) {
			old, err := plan.Decode(b)
			if err != nil {
				return "", "", err
			}
			return old.Series, old.Digest, nil
		},
	})
}
