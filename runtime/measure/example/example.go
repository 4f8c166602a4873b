package example

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/readback"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// PlanKind is the kind of the first item, which is the plan. A text that picks
// it changes the plan, which is sealed again; the journal follows: it names
// the new plan and the digests of what it declares.
const PlanKind = "plan"

// Small is a valid series in real time that is reduced to four trials a
// combination: small enough to be measured thousands of times.
const Small = "small"

// options are those of the valid series.
func options(base string) (synthetic.Options, bool) {
	o := synthetic.Options{Loads: []int64{10}}
	switch base {
	case measure.BaseVirtual:
	case measure.BaseReal:
		o.Time = "real"
	case measure.BaseOneHost:
		o.Time, o.Clocks = "real", "same_host"
	case measure.BaseDeclared:
		o.Lower, o.Upper = "0.08", "0.4"
	case measure.BaseFloor:
		o.Target = "3/20"
	case measure.BaseReduced:
		o.Trials = 19
	case Small:
		o.Time, o.Trials, o.Reduced = "real", 4, true
	default:
		return o, false
	}
	return o, true
}

var (
	mu        sync.Mutex
	originals = map[string][]edit.Item{}
)

// Original returns a valid series: its plan, and behind it the entries of its
// journal, the opening one first. The caller owns the slice, not the data.
func Original(base string) ([]edit.Item, error) {
	o, ok := options(base)
	if !ok {
		return nil, fmt.Errorf("there is no series %q to change", base)
	}
	mu.Lock()
	defer mu.Unlock()
	if items := originals[base]; items != nil {
		return append([]edit.Item(nil), items...), nil
	}
	c := synthetic.New(o)
	if base == measure.BaseReduced {
		c.Plan.Declaration.Reductions = []plan.Reduction{{What: "trials", Required: "20", Planned: "19"}}
		plan.Seal(c.Plan)
		c.Open.PlanDigest = c.Plan.Digest
	}
	c.Open.Format = journal.Format
	items := []edit.Item{{Kind: PlanKind, Data: plan.Encode(c.Plan)}}
	add := func(kind string, data any) error {
		b, err := json.Marshal(data)
		items = append(items, edit.Item{Kind: kind, Data: b})
		return err
	}
	if err := add(journal.KindOpen, c.Open); err != nil {
		return nil, err
	}
	for _, r := range c.Records {
		if err := add(r.Kind, r.Data); err != nil {
			return nil, err
		}
	}
	originals[base] = items
	return append([]edit.Item(nil), items...), nil
}

// Check carries out an example and returns the rules that the series breaks
// then, each once, in the order of the table. A journal that is measured with
// a plan that it is not of breaks FD-4.1-6. An error says that the example
// cannot be carried out, or that its journal is refused.
func Check(x spec.Example) ([]string, error) {
	r, err := Result(x)
	var pe *journal.PlanError
	if errors.As(err, &pe) {
		return []string{"FD-4.1-6"}, nil
	}
	if err != nil {
		return nil, err
	}
	return Broken(r), nil
}

// Broken lists the rules that a result breaks, each once.
func Broken(r *measure.Result) []string {
	var ids []string
	for _, v := range r.Conformance.Violations {
		if len(ids) == 0 || ids[len(ids)-1] != v.Rule {
			ids = append(ids, v.Rule)
		}
	}
	return ids
}

// Result carries out an example and measures it.
func Result(x spec.Example) (*measure.Result, error) {
	items, err := Original(x.Base)
	if err != nil {
		return nil, err
	}
	if items, err = edit.Apply(items, x.Text); err != nil {
		return nil, err
	}
	return Measure(items)
}

// Measure measures a series: its plan, and behind it the entries of its
// journal.
func Measure(items []edit.Item) (*measure.Result, error) {
	p, entries, err := Follow(items)
	if err != nil {
		return nil, err
	}
	return measure.Compute(p, bytes.NewReader(Journal(entries)))
}

// Follow takes a series apart. Where its plan was changed it is sealed again,
// and the entries get the new digests in place of the old.
func Follow(items []edit.Item) (*plan.Plan, []edit.Item, error) {
	if len(items) < 2 || items[0].Kind != PlanKind || items[1].Kind != journal.KindOpen {
		return nil, nil, fmt.Errorf("a series begins with its plan and its opening entry")
	}
	p := new(plan.Plan)
	if err := json.Unmarshal(items[0].Data, p); err != nil {
		return nil, nil, err
	}
	entries, sealed := items[1:], p.Digest
	plan.Seal(p)
	if p.Digest == sealed {
		return p, entries, nil
	}
	old, err := original(sealed)
	if err != nil {
		return nil, nil, err
	}
	before, err := digests(old)
	if err != nil {
		return nil, nil, err
	}
	after, err := digests(p)
	if err != nil {
		return nil, nil, err
	}
	followed := make([]edit.Item, len(entries))
	for i, it := range entries {
		for j := range before {
			it.Data = bytes.ReplaceAll(it.Data, []byte(before[j]), []byte(after[j]))
		}
		followed[i] = it
	}
	return p, followed, nil
}

// original is the plan of a valid series by its digest.
func original(digest string) (*plan.Plan, error) {
	mu.Lock()
	defer mu.Unlock()
	for _, items := range originals {
		p, err := plan.Decode(items[0].Data)
		if err == nil && p.Digest == digest {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the plan %s is of no valid series", digest)
}

// digests are what a journal repeats of its plan.
func digests(p *plan.Plan) ([]string, error) {
	r, err := readback.Expected(p)
	if err != nil {
		return nil, err
	}
	return []string{p.Digest, plan.EnvironmentDigest(p), r.Detector, r.Serving, r.Population}, nil
}

// Journal writes entries as a journal whose chain holds, however wrong they
// are.
func Journal(entries []edit.Item) []byte {
	var open struct {
		PlanDigest string `json:"plan_digest"`
	}
	if len(entries) > 0 && json.Unmarshal(entries[0].Data, &open) != nil {
		open.PlanDigest = "" // its reader says so
	}
	var out, line []byte
	prev := journal.PlanLink(open.PlanDigest)
	for n, it := range entries {
		line = append(line[:0], `{"n":`...)
		line = strconv.AppendInt(line, int64(n), 10)
		line = append(line, `,"prev":"`+prev+`","kind":"`+it.Kind+`","data":`...)
		line = append(line, it.Data...)
		sum := sha256.Sum256(line)
		prev = hex.EncodeToString(sum[:])
		out = append(append(out, line...), `,"hash":"`+prev+"\"}\n"...)
	}
	return out
}
