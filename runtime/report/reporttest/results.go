package reporttest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// Results are the results of a methodology that examples of its reports change.
type Results struct {
	Original func(base string) (json.RawMessage, error)
	Read     func(result []byte) error // the error of the report that is made of it
}

// Check applies an example and returns the rows that no report can be made
// for, in order and each once; none where the report is made. The error is
// that of an example that cannot be applied, or that leaves no result.
func (r Results) Check(e spec.Example) ([]string, error) {
	list, err := r.Omissions(e)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return (&omission.Error{Omissions: list}).Rules(), nil
}

// Omissions applies an example and returns what no report can be made for, each
// with its place; none where the report is made. The error is that of Check.
func (r Results) Omissions(e spec.Example) ([]omission.Omission, error) {
	if e.In != spec.InResult {
		return nil, fmt.Errorf("an example in a %s is not one of a report", e.In)
	}
	original, err := r.Original(e.Base)
	if err != nil {
		return nil, err
	}
	changed, err := edit.Object(original, e.Text)
	if err != nil {
		return nil, err
	}
	err = r.Read(changed)
	var o *omission.Error
	if errors.As(err, &o) {
		return o.Omissions, nil
	}
	return nil, err
}
