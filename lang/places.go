package lang

import (
	"slices"

	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/lang/suggest"
)

// place is a block of the schema with the way to it.
type place struct {
	path  string // "series, trials"
	top   string // "series"
	block *schema.Block
}

// places finds the blocks that have a given argument or nested block.
type places struct {
	attrs, blocks map[string][]place
}

var elsewhere = newPlaces(schema.Language())

func newPlaces(root *schema.Block) places {
	p := places{attrs: map[string][]place{}, blocks: map[string][]place{}}
	var walk func(b *schema.Block, path, top string)
	walk = func(b *schema.Block, path, top string) {
		for _, a := range b.Attrs {
			p.attrs[a.Name] = append(p.attrs[a.Name], place{path, top, b})
		}
		for _, c := range b.Blocks {
			p.blocks[c.Type] = append(p.blocks[c.Type], place{path, top, b})
			next, first := c.Type, top
			if path != "" {
				next = path + " > " + c.Type
			} else {
				first = c.Type
			}
			for _, k := range c.Kinds {
				walk(k, next+" "+k.Kind, first)
			}
			walk(c, next, first)
		}
	}
	walk(root, "", "")
	return p
}

// within lists the places below one top-level block first, and all where it
// has none.
func within(all []place, top string) (paths []string, near bool) {
	for _, p := range all {
		if p.top == top && p.path != "" {
			paths = append(paths, p.path)
		}
	}
	if len(paths) > 0 {
		return paths, true
	}
	for _, p := range all {
		if p.path != "" {
			paths = append(paths, p.path)
		}
	}
	return paths, false
}

// oneOf joins words for a sentence: "a, b or c". More than four are cut.
func oneOf(words []string) string {
	words = slices.Clone(words)
	if len(words) > 4 {
		words = append(words[:3], "others")
	}
	return suggest.Or(words)
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = `"` + w + `"`
	}
	return out
}
