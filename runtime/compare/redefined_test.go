package compare_test

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/compare"
)

// A class that puts in answers of a file is another one with another file, and
// not by the file's name (FD-1.2-4, AMB-36).
func TestReplacementsOfAnotherFile(t *testing.T) {
	with := func(name, digest string) compare.Input {
		return load(t, written(t, small, declare(func(p *plan.Plan) {
			fc := &p.Declaration.FaultClasses[0]
			fc.Transform, fc.Replace = "replace/1", name
			p.Inputs.Files = append(p.Inputs.Files, plan.InputFile{Name: name, SHA256: digest, Role: "replacements"})
		})))
	}
	a := with("wrong.jsonl", "sha256:aa")
	for _, x := range []struct {
		name string
		b    compare.Input
		same bool
	}{
		{"the same file", with("wrong.jsonl", "sha256:aa"), true},
		{"another file of the same name", with("wrong.jsonl", "sha256:ab"), false},
		{"another name", with("other.jsonl", "sha256:ab"), false},
	} {
		c := compare.Compare(a, x.b, "")
		if !c.Comparable || x.same != (len(c.Redefined) == 0) || !x.same && !slices.Equal(c.Redefined, []string{"refusal"}) {
			t.Errorf("%s: comparable %t, redefined %v, %v", x.name, c.Comparable, c.Redefined, c.Refusals)
		}
		for _, r := range c.Coverage {
			if matched := r.A != nil && r.B != nil; r.Row.Class == "refusal" && matched != x.same {
				t.Errorf("%s: %v matched %t", x.name, r.Row, matched)
			}
		}
	}
}
