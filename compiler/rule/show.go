package rule

import (
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// shown is an example, and whether it breaks the rule.
type shown struct {
	spec.Example
	bad bool
}

func bad(name, text string) shown {
	return shown{spec.Example{Name: name, In: spec.InScenario, Text: text}, true}
}

func good(name, text string) shown {
	return shown{spec.Example{Name: name, In: spec.InScenario, Text: text}, false}
}

// edge marks an example that lies on the boundary, or next to it.
func (s shown) edge() shown {
	s.Edge = true
	return s
}

// lab changes the example whose environment is no simulation.
func (s shown) lab() shown {
	s.Base = Lab
	return s
}

// warned is a violation that is warned of, though the rule's others are refused.
func (s shown) warned() shown {
	s.Effect = spec.Warns
	return s
}

// refused is a violation that is refused, though the rule's others are warned of.
func (s shown) refused() shown {
	s.Effect = spec.Refuses
	return s
}

// live changes the example that measures a running deployment.
func (s shown) live() shown {
	s.Base = Live
	return s
}

// vouched are the two examples of a row with an attested part: a series in a
// laboratory without the attestation, and one with it.
func vouched(label string) []shown {
	return []shown{
		bad("nobody vouches for it", "series \"example\" {\n  # no attestation of "+label+"\n  remove \"attest\" \""+label+"\" {}\n}\n").lab().edge(),
		good("somebody vouches for it", "series \"example\" {\n  attest \""+label+"\" {\n    by        = \"the owner of the laboratory\"\n    statement = \"I have looked, and it is so.\"\n  }\n}\n").lab().edge(),
	}
}

// demanded are the two where a series without the attestation is refused,
// though the rule's other violations are warned of.
func demanded(label string) []shown {
	pair := vouched(label)
	pair[0] = pair[0].refused()
	return pair
}

// row makes a rule of the table's row with that id; how is what is looked at.
// The stage is that of the row before a run, or reading where it has none.
func row(id, how string, examples ...shown) Rule {
	q, _ := spec.Lookup(id)
	r := Rule{Rule: spec.Rule{ID: id, Stage: spec.Lint, How: how, Effect: spec.Refuses}}
	if q.At(spec.Compile) {
		r.Stage = spec.Compile
	}
	switch q.Level {
	case spec.Should:
		r.Effect = spec.Warns
	case spec.May:
		r.Effect = spec.Permission
	}
	return r.show(examples...)
}

// hint makes a rule that only warns, whatever the level of its row: the row is
// decided later, and the scenario shows what is to be expected.
func hint(id, how string, examples ...shown) Rule {
	r := row(id, how, examples...)
	r.Effect = spec.Warns
	return r
}

func (r Rule) show(examples ...shown) Rule {
	for _, s := range examples {
		if s.bad {
			r.Bad = append(r.Bad, s.Example)
		} else {
			r.Good = append(r.Good, s.Example)
		}
	}
	return r
}

// check gives the rule a check that collects into a list.
func (r Rule) check(f func(*Context, *list)) Rule {
	id := r.ID
	r.Check = func(c *Context) diag.List {
		l := list{id: id}
		f(c, &l)
		return l.diags
	}
	return r
}

// atLast is check for one that looks at what the other rules have found.
func (r Rule) atLast(f func(*Context, *list)) Rule {
	r = r.check(f)
	r.last = true
	return r
}

// reuse changes the example that measures KV reuse.
func (s shown) reuse() shown {
	s.Base = Reuse
	return s
}

// reuseCheck gives the rule a check of reuse blocks that collects into a list.
func (r Rule) reuseCheck(f func(*ReuseContext, *list)) Rule {
	id := r.ID
	r.Reuse = func(c *ReuseContext) diag.List {
		l := list{id: id}
		f(c, &l)
		return l.diags
	}
	return r
}
