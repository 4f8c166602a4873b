package measure_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/spec"
)

// lists are the members of the table that are lists: an edit goes into their
// first element.
var lists = []string{"indicators.", "targets."}

// Each member that a requirement asks a record to hold is a violation of that
// requirement where it is missing, and the journal is measured all the same.
func TestMissingMembers(t *testing.T) {
	all := measure.Wanted()
	if len(all) < 75 {
		t.Fatalf("%d members", len(all))
	}
	for _, m := range all {
		kind, path, rule := m[0], m[1], m[2]
		for _, l := range lists {
			path = strings.Replace(path, l, l+"0.", 1)
		}
		pick := kind
		if kind == "trial" {
			pick += ` {"purpose": "masking", "kept": true, "detected": true}`
		}
		ids, err := example.Check(spec.Example{Base: measure.BaseReal, Text: pick + "\n  cut " + path})
		if err != nil || !slices.Contains(ids, rule) {
			t.Errorf("%s without %s: breaks %v, want %s (%v)", kind, path, ids, rule, err)
		}
		if len(ids) > 2 {
			t.Errorf("%s without %s: one missing member breaks %v", kind, path, ids)
		}
	}
}
