// Package reporttest applies the examples of package report's rules to valid
// results and says which requirements the report then breaks.
//
// It is for tests. It imports runtime/{measure,report,report/omission,
// internal/synthetic} and spec, spec/edit.
package reporttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/spec"
)

// loads are four points over two orders of magnitude: a full series.
var loads = []int64{1, 10, 30, 100}

// originals are the valid results that examples change, by the name that an
// example calls its base.
var originals = map[string]func() (json.RawMessage, error){
	"":           of(synthetic.Options{Time: "real", Loads: loads}),
	"one host":   of(synthetic.Options{Time: "real", Loads: loads, Clocks: "same_host"}),
	"same point": of(synthetic.Options{Time: "real", Loads: loads, Position: "same"}),
	"searches":   of(synthetic.Options{Time: "real", Loads: loads, NoTrials: true, NoMasking: true}),
	"reduced":    of(synthetic.Options{Time: "real", Loads: []int64{10, 100}, Reduced: true}),
	"virtual":    of(synthetic.Options{Loads: loads}),
}

// Bases lists the names of the originals.
func Bases() []string {
	return []string{"", "one host", "same point", "searches", "reduced", "virtual"}
}

// Original is a valid result, as result.json has it.
func Original(base string) (json.RawMessage, error) {
	f := originals[base]
	if f == nil {
		return nil, fmt.Errorf("there is no original %q", base)
	}
	return f()
}

func of(o synthetic.Options) func() (json.RawMessage, error) {
	return sync.OnceValues(func() (json.RawMessage, error) {
		dir, err := os.MkdirTemp("", "report")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		c := synthetic.New(o)
		b, err := c.Write(dir)
		if err != nil {
			return nil, err
		}
		r, err := measure.Compute(c.Plan, bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return measure.Encode(r), nil
	})
}

// Check applies an example and returns the rows that no report can be made
// for. See [Results.Check].
func Check(e spec.Example) ([]string, error) { return results.Check(e) }

// Omissions applies an example and returns what no report can be made for. See
// [Results.Omissions].
func Omissions(e spec.Example) ([]omission.Omission, error) { return results.Omissions(e) }

var results = Results{Original, func(b []byte) error { _, err := report.Read(b); return err }}
