package launch

import (
	"errors"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// RefusedError is an input that is not acceptable as it is, unlike a file
// system or a deployment that failed.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// Refused tells whether an error of a run means that the scenario, the plan,
// the journal, the lock or the folder is not acceptable, or that what was
// measured lacks something that has to be reported.
func Refused(err error) bool {
	return is[*RefusedError](err) || is[*folder.OtherPlanError](err) || is[*folder.ModeError](err) || is[*plan.EditedError](err) ||
		is[*plan.ChangedError](err) || is[*journal.ChainError](err) || is[*journal.PlanError](err) ||
		is[*omission.Error](err) || refusedReuse(err)
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
