package conformance

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/spec"
)

// RefusedByName tells whether a violation of a row is nothing but a name that
// the language refuses under the row's id. It shows that the name is on the
// list, and that the language has no place for what it stands for; another
// name for the same thing would be an unknown one.
func RefusedByName(id string, x spec.Example) bool {
	if x.In != spec.InScenario {
		return false
	}
	f, diags := hclsyntax.ParseConfig([]byte(x.Text), "example", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	return refusedIn(f.Body.(*hclsyntax.Body), schema.Language(), id)
}

func refusedIn(body *hclsyntax.Body, in *schema.Block, id string) bool {
	if in == nil {
		return false
	}
	names := func(name string) bool {
		r := in.RefusedName(name)
		return r != nil && r.Requirement == id
	}
	for name := range body.Attributes {
		if names(name) {
			return true
		}
	}
	return slices.ContainsFunc(body.Blocks, func(b *hclsyntax.Block) bool {
		inner := in.Block(b.Type)
		if inner == nil {
			return names(b.Type)
		}
		if len(inner.Kinds) > 0 && len(b.Labels) > 0 {
			if i := slices.IndexFunc(inner.Kinds, func(k *schema.Block) bool { return k.Kind == b.Labels[0] }); i >= 0 {
				inner = inner.Kinds[i]
			}
		}
		return refusedIn(b.Body, inner, id)
	})
}
