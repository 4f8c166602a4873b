// Package comparetest carries out the examples of package compare. It is for
// tests.
//
// It imports compiler/plan, runtime/{compare,measure}, spec, spec/edit and
// runtime/internal/synthetic.
package comparetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// CheckExample sets the usual result beside itself with the example's changes,
// and returns the requirements that are refused, in order and each once.
func CheckExample(x spec.Example) ([]string, error) {
	c, err := Example(x)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, r := range c.Refusals {
		id := r.Rule
		if id == "" {
			id = r.Reason
		}
		if n := len(ids); n == 0 || ids[n-1] != id {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Example compares as CheckExample does. Words in the example's Base choose the
// original and the mode:
//
//	real           measured in real time; in virtual time without
//	reduced        a reduced series
//	study=FACTOR   the change is that of a study
//
// The digest of a key whose value an example changes is made again, as a run of
// the changed declaration has it; one that the example itself changes stays.
func Example(x spec.Example) (*compare.Comparison, error) {
	if x.In != spec.InComparison {
		return nil, fmt.Errorf("the example %q changes a %s and no comparison", x.Name, x.In)
	}
	real, reduced, study := false, false, ""
	for _, word := range strings.Fields(x.Base) {
		name, factor, _ := strings.Cut(word, "=")
		switch name {
		case "real":
			real = true
		case "reduced":
			reduced = true
		case "study":
			key, ok := compare.Factor(factor)
			if !ok {
				return nil, fmt.Errorf("the example %q studies %q, which is no factor", x.Name, factor)
			}
			study = key
		default:
			return nil, fmt.Errorf("the example %q asks for an original that is %q", x.Name, word)
		}
	}
	first, err := original(real, reduced)
	if err != nil {
		return nil, err
	}
	changed, err := edit.Object(measure.Encode(first), x.Text)
	if err != nil {
		return nil, fmt.Errorf("the example %q: %w", x.Name, err)
	}
	second, err := measure.Decode(changed)
	if err != nil {
		return nil, fmt.Errorf("the example %q: %w", x.Name, err)
	}
	// As another run has it: two results of one journal are the same.
	if second.Footer.JournalSHA256 == first.Footer.JournalSHA256 {
		second.Footer.JournalSHA256 = sum([]byte(first.Footer.JournalSHA256))
	}
	if err := reseal(first, second); err != nil {
		return nil, fmt.Errorf("the example %q: %w", x.Name, err)
	}
	return compare.Compare(compare.Input{Name: "A", Result: first}, compare.Input{Name: "B", Result: second}, study), nil
}

// originals are measured once, as the bytes that result.json would have.
var originals sync.Map

// original is the unchanged result of one kind; the caller owns it.
func original(real, reduced bool) (*measure.Result, error) {
	key := [2]bool{real, reduced}
	have, ok := originals.Load(key)
	if !ok {
		o := synthetic.Options{Loads: []int64{10}, Reduced: reduced}
		if real {
			o.Time = "real"
		}
		r, err := Result(o)
		if err != nil {
			return nil, err
		}
		have, _ = originals.LoadOrStore(key, measure.Encode(r))
	}
	return measure.Decode(have.([]byte))
}

// Result measures a made-up run.
func Result(o synthetic.Options) (*measure.Result, error) {
	dir, err := os.MkdirTemp("", "comparetest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := synthetic.New(o)
	b, err := c.Write(dir)
	if err != nil {
		return nil, err
	}
	return measure.Compute(c.Plan, bytes.NewReader(b))
}

func reseal(original, second *measure.Result) error {
	a, b := keys(original), keys(second)
	for i := range b {
		if len(b[i].Value) == 0 || b[i].SHA256 != a[i].SHA256 {
			continue
		}
		if string(bytes.TrimSpace(b[i].Value)) == "null" {
			continue
		}
		sum, err := Digest(b[i].Value)
		if err != nil {
			return err
		}
		b[i].SHA256 = sum
	}
	return nil
}

func keys(r *measure.Result) []*measure.Key {
	c := &r.Comparability
	return []*measure.Key{&c.ObservationPoint, &c.DetectorConfiguration, &c.ServingConfiguration, &c.RequestPopulation, &c.OfferedLoad}
}

// Digest is that of a key's value.
func Digest(value json.RawMessage) (string, error) {
	b, err := plan.Canonicalize(value)
	if err != nil {
		return "", err
	}
	return sum(b), nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(s[:])
}
