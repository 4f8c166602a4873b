package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/spec"
)

func TestRefusedNamesAreFreeAndExplained(t *testing.T) {
	seen := 0
	walk(func(path string, b *Block) {
		var names []string
		for _, r := range b.Refused {
			seen++
			if _, ok := spec.Lookup(r.Requirement); !ok {
				t.Errorf("%s refuses %v by %s, which is no requirement", path, r.Names, r.Requirement)
			}
			if !strings.HasSuffix(r.Why, ".") || !strings.Contains(r.Why, ". ") || len(r.Names) == 0 {
				t.Errorf("%s refuses %v without a reason and a remedy: %q", path, r.Names, r.Why)
			}
			for _, n := range r.Names {
				if slices.Contains(names, n) || n != strings.ToLower(n) {
					t.Errorf("%s refuses %q twice, or with a capital", path, n)
				}
				names = append(names, n)
				if b.Attr(n) != nil || b.Block(n) != nil {
					t.Errorf("%s refuses %q, which it has", path, n)
				}
				if got := b.RefusedName(strings.ToUpper(n)); got == nil || got.Requirement != r.Requirement {
					t.Errorf("%s does not find %q", path, n)
				}
			}
		}
		for _, n := range append(b.AttrNames(), b.BlockNames()...) {
			if b.RefusedName(n) != nil {
				t.Errorf("%s refuses its own %q", path, n)
			}
		}
	})
	if seen < 30 {
		t.Errorf("%d refusals are in the schema", seen)
	}
	if root.RefusedName("offset") != nil {
		t.Error("the top level refuses what the clocks block refuses")
	}
}

func TestReferenceListsWhatIsRefused(t *testing.T) {
	text, machine := string(Reference()), string(JSON())
	walk(func(path string, b *Block) {
		for _, r := range b.Refused {
			if !strings.Contains(text, "- `"+strings.Join(r.Names, "`, `")+"` ("+r.Requirement+"): "+r.Why) {
				t.Errorf("the reference does not list %v of %s", r.Names, path)
			}
			if !strings.Contains(machine, `"requirement": "`+r.Requirement+`"`) {
				t.Errorf("the machine form does not list %v of %s", r.Names, path)
			}
		}
	})
}

// TestRequiredServesARow: what is lacking is reported under
// the first requirement, so that one has to be a row, and no SHOULD, which
// would only warn.
func TestRequiredServesARow(t *testing.T) {
	check := func(path string, ids []string) {
		if len(ids) == 0 {
			return
		}
		q, ok := spec.Lookup(ids[0])
		if !ok || q.Level == spec.Should || q.Level == spec.May {
			t.Errorf("%s is missed under %s, which is %q", path, ids[0], q.Level)
		}
	}
	walk(func(path string, b *Block) {
		for _, a := range b.Attrs {
			if a.Required {
				check(path+"."+a.Name, a.Requirements)
			}
		}
		if b.Min > 0 {
			check(path, b.Requirements)
		}
	})
}
