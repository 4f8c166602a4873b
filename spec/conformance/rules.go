package conformance

import (
	"slices"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	reusereport "github.com/fdbench/fdbench/runtime/reuse/report"
	reuseresult "github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// Registry is the list of rules of one package.
type Registry struct {
	Package string       // "compiler/rule"
	Stages  []spec.Stage // at which the package decides
	Kinds   []string     // of examples that it can be shown, such as spec.InScenario
	// Early tells that its rules come before the moments that the table names:
	// they forbid what could only break a row later, or warn of it.
	Early bool
	Rules []spec.Rule
}

// Registries lists the packages that enforce, in the order of a series' life
// and of that of a run of a reuse block.
func Registries() []Registry {
	scenario := []string{spec.InScenario}
	return []Registry{
		{"compiler/rule", []spec.Stage{spec.Lint, spec.Compile}, scenario, false, rule.Registered()},
		{"compiler/rule", []spec.Stage{spec.Lint, spec.Compile}, scenario, true, rule.Early()},
		{"runtime/measure", []spec.Stage{spec.Run}, []string{spec.InJournal, spec.InPlan}, false, measure.Rules()},
		{"runtime/report", []spec.Stage{spec.Report}, []string{spec.InResult}, false, report.Rules()},
		{"runtime/compare", []spec.Stage{spec.Compare}, []string{spec.InComparison}, false, compare.Rules()},
		{"runtime/reuse/result", []spec.Stage{spec.Run}, []string{spec.InJournal, spec.InPlan}, false, reuseresult.Rules()},
		{"runtime/reuse/report", []spec.Stage{spec.Report}, []string{spec.InResult}, false, reusereport.Rules()},
	}
}

// Rules returns every registered rule, by row of the table and then by stage.
func Rules() []spec.Rule {
	var all []spec.Rule
	for _, r := range Registries() {
		all = append(all, r.Rules...)
	}
	slices.SortStableFunc(all, func(a, b spec.Rule) int {
		if a.ID != b.ID {
			return spec.Order(a.ID) - spec.Order(b.ID)
		}
		return slices.Index(Stages, a.Stage) - slices.Index(Stages, b.Stage)
	})
	return all
}

// Stages are the moments at which a requirement can be decided, in the order
// of a series' life.
var Stages = []spec.Stage{spec.Lint, spec.Compile, spec.Run, spec.Report, spec.Compare}
