package offline

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/blocks"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/spec/refdata"
)

// tokenized reads the reference's items as tokens.
func tokenized(t *testing.T, fixture string) (ids []string, recipients [][]uint32, donors [][]blocks.Donor) {
	t.Helper()
	m, err := New(declaration(1), "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(fixture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := manifest.NewReader(f)
	for it, err := r.Next(); it != nil; it, err = r.Next() {
		if err != nil {
			t.Fatal(err)
		}
		var ds []blocks.Donor
		for _, d := range it.Donors {
			ds = append(ds, blocks.Donor{ID: d.DonorID, Tokens: m.tok.Append(nil, d.Text)})
		}
		ids = append(ids, it.ItemID)
		recipients = append(recipients, m.tok.Append(nil, it.Recipient))
		donors = append(donors, ds)
	}
	return ids, recipients, donors
}

// TestReferenceActions holds the planners' very actions against the reference's
// plans, and what they cover in single tokens.
func TestReferenceActions(t *testing.T) {
	ref, fixture := readReference(t)
	ids, recipients, donors := tokenized(t, fixture)
	if len(ids) != 16 {
		t.Fatalf("%d items", len(ids))
	}
	for _, name := range []string{"span", "chunk"} {
		f, err := os.Open(refdata.Path(t, "data/reuse/plan-"+name+"-b16.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		plans, err := blocks.OpenPlans(f, 16)
		if err != nil {
			t.Fatal(err)
		}
		if plans.Planner() != name || plans.Items() != 16 {
			t.Errorf("%d plans of %q", plans.Items(), plans.Planner())
		}
		planner, err := blocks.NewPlanner(plan.ReusePlanner{Name: name}, 16)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			at, ok := plans.Find(id)
			if !ok {
				t.Fatalf("%s: item %s has no plan", name, id)
			}
			want, err := plans.Read(nil, at)
			if err != nil {
				t.Fatal(err)
			}
			if got := planner.Plan(nil, recipients[i], donors[i]); !slices.Equal(got, want) {
				t.Errorf("%s, item %s: %v, want %v", name, id, got, want)
			}
		}
	}
	var cover blocks.Cover
	for text, want := range ref.BlockSizes {
		size, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range map[string]plan.ReusePlanner{
			"span": {Name: "span"}, "span_min4": {Name: "span", MinRun: 4}, "chunk": {Name: "chunk"}, "chunk_gated": {Name: "chunk", Gated: true},
		} {
			planner, err := blocks.NewPlanner(p, size)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want.Requests {
				for k, d := range donors[i] {
					if int64(len(d.Tokens)) != w.DonorToks[k] {
						t.Errorf("item %s: donor %d has %d tokens, want %d", ids[i], k, len(d.Tokens), w.DonorToks[k])
					}
				}
				v := cover.Measure(size, recipients[i], donors[i], planner.Plan(nil, recipients[i], donors[i]))
				if v.Copied != w.Plans[name].Copied || v.Donors != w.Plans[name].Donors {
					t.Errorf("block size %d, %s, item %s: %+v, want %+v", size, name, ids[i], v, w.Plans[name])
				}
			}
		}
	}
}
