package execute

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
)

// Names of the files in a run's folder. They are those of every run.
const (
	PlanFile    = folder.PlanFile
	JournalFile = folder.JournalFile
	ResultFile  = folder.ResultFile
	ReportFile  = folder.ReportFile
)

// kind is what the plans of this package are for.
var kind = folder.Kind{Noun: "reuse block"}

// prepare makes the folder, or finds in it the same plan.
func prepare(dir string, p *plan.Reuse) error {
	return folder.Prepare(dir, folder.Plan{
		Kind:   kind,
		Digest: p.Digest,
		Text:   plan.EncodeReuse(p),
		Decode: func(b []byte) (string, string, error) {
			old, err := plan.DecodeReuse(b)
			if err != nil {
				return "", "", err
			}
			return old.Name, old.Digest, nil
		},
	})
}
