package schema

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
)

// Type is what the value of an argument has to be. Where it names an embedded
// language, the value is a string in that language.
type Type string

// The types of arguments.
const (
	String       Type = "string"
	Number       Type = "number"
	Bool         Type = "bool"
	Any          Type = "any"             // any value
	Object       Type = "object"          // an object of strings, numbers and bools
	Strings      Type = "list of strings" // a list of strings
	Numbers      Type = "list of numbers" // a list of numbers
	TypeExpr     Type = "type"            // a type: string, number, list(string), object({...})
	Ref          Type = "reference"       // a traversal such as detector.alerts
	File         Type = "file"            // a path relative to the scenario's folder
	Duration     Type = "duration"        // "90s", "1h30m"
	Rate         Type = "rate"            // "10 req/s"
	Ratio        Type = "ratio"           // "18/20", "90%", 0.9
	Window       Type = "window"          // "5m" or "200 requests"
	Span         Type = "span"            // "50m" or "20 windows"
	Sweep        Type = "sweep"           // "1..100 req/s in 4 log steps", or a list
	Profile      Type = "profile"         // "ramp 2m"
	Profiles     Type = "profiles"        // a list of profiles or references to profile blocks
	Distribution Type = "distribution"    // "lognormal 1.2s, 0.5"
	Predicate    Type = "predicate"       // a boolean expression over declared fields
	NumberOrWord Type = "number or word"  // a number, or one of Enum
	Condition    Type = "condition"       // a boolean expression over the figures of a result
	Tokens       Type = "tokens"          // "64 tokens"
	Addresses    Type = "addresses"       // an address of a server, or a list of them
)

// Attr describes one argument of a block.
type Attr struct {
	Name     string
	Type     Type
	Required bool
	// Default is the value of an absent argument, as it would be written in a
	// scenario. It is "" where absence has a meaning of its own, which Doc
	// then gives.
	Default string
	// Unit is the unit of a bare number, "" where it has none.
	Unit string
	// Doc is one or two sentences.
	Doc string
	// Since is the language version that brought the argument.
	Since int
	// Requirements are the ids that the argument serves.
	Requirements []string
	// Enum lists the permitted words of a String, or those that a
	// NumberOrWord takes besides a number.
	Enum []string
	// Refs lists the block types that a Ref may point to.
	Refs []string
	// Literal demands a string without interpolation, because an error inside
	// it points at the very character.
	Literal bool
}

// Label describes one label of a block.
type Label struct {
	Name string
	Doc  string
	// Identifier demands a name that can be written in a reference.
	Identifier bool
}

// Group is a set of arguments of which at least Min and at most Max are set.
// With IfAny it may also be left out whole.
type Group struct {
	Names    []string
	Min, Max int
	IfAny    bool
}

// Block describes one block type, or one kind of it.
type Block struct {
	Type   string
	Labels []Label
	// Kind is the first label of this variant of a kind-dependent block.
	Kind string
	// Kinds are the variants of a block whose body depends on its first label.
	// Such a block has no Attrs of its own.
	Kinds []*Block
	Doc   string
	// Since is the language version that brought the block.
	Since        int
	Requirements []string
	Attrs        []*Attr
	Blocks       []*Block
	// Min and Max bound how many such blocks the parent holds; a Max of 0 is
	// any number.
	Min, Max int
	// Free permits any argument name, as in locals.
	Free bool
	// Unique forbids two such blocks with the same last label in one parent.
	Unique bool
	Groups []Group
	// Refused lists names that a requirement forbids here.
	Refused []Refused

	once   sync.Once
	attrs  map[string]*Attr
	blocks map[string]*Block
	kinds  map[string]*Block
	body   *hcl.BodySchema
}

func (b *Block) index() {
	b.once.Do(func() {
		b.attrs = make(map[string]*Attr, len(b.Attrs))
		b.blocks = make(map[string]*Block, len(b.Blocks))
		b.kinds = make(map[string]*Block, len(b.Kinds))
		b.body = &hcl.BodySchema{}
		for _, a := range b.Attrs {
			b.attrs[a.Name] = a
			b.body.Attributes = append(b.body.Attributes, hcl.AttributeSchema{Name: a.Name, Required: a.Required})
		}
		for _, c := range b.Blocks {
			b.blocks[c.Type] = c
			h := hcl.BlockHeaderSchema{Type: c.Type}
			for _, l := range c.Labels {
				h.LabelNames = append(h.LabelNames, l.Name)
			}
			b.body.Blocks = append(b.body.Blocks, h)
		}
		for _, k := range b.Kinds {
			b.kinds[k.Kind] = k
		}
	})
}

// Attr returns the argument of that name, or nil.
func (b *Block) Attr(name string) *Attr {
	b.index()
	return b.attrs[name]
}

// Block returns the nested block of that type, or nil.
func (b *Block) Block(typ string) *Block {
	b.index()
	return b.blocks[typ]
}

// Variant returns the body that a block with the given first label has: the
// kind of that name, nil for an unknown kind, and b itself where the body does
// not depend on the label.
func (b *Block) Variant(first string) *Block {
	if len(b.Kinds) == 0 {
		return b
	}
	b.index()
	return b.kinds[first]
}

// Body returns the HCL form of the schema. The result is shared: do not
// change it.
func (b *Block) Body() *hcl.BodySchema {
	b.index()
	return b.body
}

// KindNames lists the kinds in the order of the reference.
func (b *Block) KindNames() []string {
	names := make([]string, len(b.Kinds))
	for i, k := range b.Kinds {
		names[i] = k.Kind
	}
	return names
}

// AttrNames lists the arguments in the order of the reference.
func (b *Block) AttrNames() []string {
	names := make([]string, len(b.Attrs))
	for i, a := range b.Attrs {
		names[i] = a.Name
	}
	return names
}

// BlockNames lists the nested blocks in the order of the reference.
func (b *Block) BlockNames() []string {
	names := make([]string, len(b.Blocks))
	for i, c := range b.Blocks {
		names[i] = c.Type
	}
	return names
}
