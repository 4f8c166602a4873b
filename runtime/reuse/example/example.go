package example

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	series "github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// PlanKind is the kind of the first item of a run, which is its plan. A text
// that picks it changes the plan, which is sealed again; the journal follows.
const PlanKind = "plan"

// Original returns a valid run: its plan, and behind it the entries of its
// journal, the opening one first. The caller owns the slice, not the data.
func Original(base string) ([]edit.Item, error) {
	make, ok := originals[base]
	if !ok {
		return nil, fmt.Errorf("there is no run %q to change", base)
	}
	items, err := make()
	return append([]edit.Item(nil), items...), err
}

// Result carries out an example on a run and computes its result.
func Result(x spec.Example) (*result.Result, error) {
	items, err := Original(x.Base)
	if err != nil {
		return nil, err
	}
	if items, err = edit.Apply(items, x.Text); err != nil {
		return nil, err
	}
	return Compute(items)
}

// Check carries out an example of a run and returns the rules that it breaks
// then, in the order of the table. An error says that the example cannot be
// carried out, or that its journal is refused.
func Check(x spec.Example) ([]string, error) {
	r, err := Result(x)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, v := range r.Conformance.Violations {
		ids = append(ids, v.Rule)
	}
	return ids, nil
}

// Compute computes the result of a run: its plan, and behind it the entries of
// its journal.
func Compute(items []edit.Item) (*result.Result, error) {
	p, entries, err := Follow(items)
	if err != nil {
		return nil, err
	}
	return result.Compute(p, bytes.NewReader(Journal(entries)))
}

// Follow takes a run apart. Where its plan was changed it is sealed again, and
// the entries get the new digest in place of the old.
func Follow(items []edit.Item) (*plan.Reuse, []edit.Item, error) {
	if len(items) < 2 || items[0].Kind != PlanKind || items[1].Kind != journal.KindOpen {
		return nil, nil, errors.New("a run begins with its plan and its opening entry")
	}
	p := new(plan.Reuse)
	if err := json.Unmarshal(items[0].Data, p); err != nil {
		return nil, nil, err
	}
	sealed := p.Digest
	plan.SealReuse(p)
	entries := make([]edit.Item, len(items)-1)
	for i, it := range items[1:] {
		it.Data = bytes.ReplaceAll(it.Data, []byte(sealed), []byte(p.Digest))
		entries[i] = it
	}
	return p, entries, nil
}

// Journal writes entries as a journal whose chain holds, however wrong they
// are. A journal is the same for a series and for a reuse block.
func Journal(entries []edit.Item) []byte { return series.Journal(entries) }

// OriginalResult is a valid result, as result.json has it.
func OriginalResult(base string) (json.RawMessage, error) {
	items, err := Original(base)
	if err != nil {
		return nil, err
	}
	r, err := Compute(items)
	if err != nil {
		return nil, err
	}
	return result.Encode(r), nil
}

// Omissions carries out an example on a result and returns what no report can
// be made for. See [reporttest.Results.Omissions].
func Omissions(x spec.Example) ([]omission.Omission, error) { return results.Omissions(x) }

// CheckResult carries out an example on a result and returns the rows that no
// report can be made for. See [reporttest.Results.Check].
func CheckResult(x spec.Example) ([]string, error) { return results.Check(x) }

var results = reporttest.Results{Original: OriginalResult, Read: func(b []byte) error { _, err := report.Read(b); return err }}
