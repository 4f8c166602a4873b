package measure_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	b, err := os.ReadFile("../../spec/" + name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(name)
}

func validate(t *testing.T, s *jsonschema.Schema, what string, b []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return s.Validate(doc)
}

// Plans, journals and results keep to the schemas in spec/.
func TestEverythingKeepsToItsSchema(t *testing.T) {
	plans, lines, results := schema(t, "plan.schema.json"), schema(t, "journal.schema.json"), schema(t, "result.schema.json")
	unfinished := synthetic.New(synthetic.Options{Loads: []int64{10}})
	unfinished.Records = unfinished.Records[:len(unfinished.Records)/2]
	for name, c := range map[string]*synthetic.Case{
		"full":       synthetic.New(synthetic.Options{}),
		"reduced":    synthetic.New(synthetic.Options{Reduced: true, Loads: []int64{10}}),
		"same point": synthetic.New(synthetic.Options{Position: "same", NoMasking: true, Loads: []int64{10}}),
		"unfinished": unfinished,
	} {
		if err := validate(t, plans, name, plan.Encode(c.Plan)); err != nil {
			t.Errorf("%s: plan: %v", name, err)
		}
		b, err := c.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(b) {
			if n++; n%7 != 0 && n > 40 {
				continue
			}
			if err := validate(t, lines, name, line); err != nil {
				t.Errorf("%s: journal line %d: %v", name, n, err)
			}
		}
		r, err := measure.Compute(c.Plan, bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, results, name, measure.Encode(r)); err != nil {
			t.Errorf("%s: result: %v", name, err)
		}
	}
	bad := measure.Encode(&measure.Result{Format: measure.Format})
	if validate(t, results, "empty", bad) == nil {
		t.Error("a result without a status is valid")
	}
	if validate(t, lines, "kind", []byte(`{"n":0,"prev":"","kind":"`+journal.KindCommit+`","data":{},"hash":""}`)) == nil {
		t.Error("a line without its hashes is valid")
	}
}
