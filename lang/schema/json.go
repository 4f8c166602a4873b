package schema

import "github.com/fdbench/fdbench/internal/plainjson"

type jsonBlock struct {
	Type         string        `json:"type"`
	Kind         string        `json:"kind,omitempty"`
	Doc          string        `json:"doc"`
	Since        int           `json:"since"`
	Labels       []jsonLabel   `json:"labels,omitempty"`
	Min          int           `json:"min,omitempty"`
	Max          int           `json:"max,omitempty"`
	Unique       bool          `json:"unique,omitempty"`
	Free         bool          `json:"free,omitempty"`
	Requirements []string      `json:"requirements,omitempty"`
	Arguments    []jsonAttr    `json:"arguments,omitempty"`
	Groups       []jsonGroup   `json:"groups,omitempty"`
	Refused      []jsonRefused `json:"refused,omitempty"`
	Kinds        []jsonBlock   `json:"kinds,omitempty"`
	Blocks       []jsonBlock   `json:"blocks,omitempty"`
}

type jsonLabel struct {
	Name       string `json:"name"`
	Doc        string `json:"doc"`
	Identifier bool   `json:"identifier,omitempty"`
}

type jsonAttr struct {
	Name         string   `json:"name"`
	Type         Type     `json:"type"`
	Required     bool     `json:"required,omitempty"`
	Literal      bool     `json:"literal,omitempty"`
	Default      string   `json:"default,omitempty"`
	Unit         string   `json:"unit,omitempty"`
	Doc          string   `json:"doc"`
	Since        int      `json:"since"`
	Enum         []string `json:"enum,omitempty"`
	Refs         []string `json:"refs,omitempty"`
	Requirements []string `json:"requirements,omitempty"`
}

type jsonGroup struct {
	Names []string `json:"names"`
	Min   int      `json:"min"`
	Max   int      `json:"max"`
	IfAny bool     `json:"if_any,omitempty"`
}

type jsonRefused struct {
	Names       []string `json:"names"`
	Requirement string   `json:"requirement"`
	Why         string   `json:"why"`
}

// JSON returns the block schema for machines, such as editors. The same build
// returns the same bytes.
func JSON() []byte {
	out := struct {
		Format   string      `json:"format"`
		Language int         `json:"language"`
		Blocks   []jsonBlock `json:"blocks"`
	}{"fdbench.language/1", Version, jsonBlocks(root.Blocks)}
	return plainjson.MustIndent(out) // strings, numbers and bools
}

func jsonBlocks(blocks []*Block) []jsonBlock {
	out := make([]jsonBlock, 0, len(blocks))
	for _, s := range blocks {
		j := jsonBlock{
			Type: s.Type, Kind: s.Kind, Doc: s.Doc, Since: s.Since, Min: s.Min, Max: s.Max,
			Unique: s.Unique, Free: s.Free, Requirements: s.Requirements,
			Kinds: jsonBlocks(s.Kinds), Blocks: jsonBlocks(s.Blocks),
		}
		for _, l := range s.Labels {
			j.Labels = append(j.Labels, jsonLabel(l))
		}
		for _, a := range s.Attrs {
			j.Arguments = append(j.Arguments, jsonAttr{
				Name: a.Name, Type: a.Type, Required: a.Required, Literal: a.Literal, Default: a.Default, Unit: a.Unit,
				Doc: a.Doc, Since: a.Since, Enum: a.Enum, Refs: a.Refs, Requirements: a.Requirements,
			})
		}
		for _, g := range s.Groups {
			j.Groups = append(j.Groups, jsonGroup(g))
		}
		for _, r := range s.Refused {
			j.Refused = append(j.Refused, jsonRefused(r))
		}
		out = append(out, j)
	}
	return out
}
