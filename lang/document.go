package lang

import (
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/schema"
)

// Document is a scenario as it was written.
type Document struct {
	// Root is the folder that relative paths in the scenario start from; it is
	// "" for a document that was parsed in memory.
	Root string
	// Files are in byte order of their names.
	Files []*File
	// Blocks are the top-level blocks, in the order of the files.
	Blocks []*Block

	sources *diag.Sources
}

// File is one file of a scenario.
type File struct {
	// Name has slashes and is relative to the document's Root.
	Name string
	// Bytes are what was read, without a byte order mark and with LF line
	// ends. Every range counts in them.
	Bytes []byte
	// Raw is what was read, with what Bytes lacks. A tool that writes the file
	// or points into it for another program needs it. Line n of one is line n of
	// the other.
	Raw []byte
	// SHA256 is the digest of Bytes, in hex.
	SHA256 string

	body    *hclsyntax.Body
	sources *diag.Sources
}

// Block is one block of a scenario.
type Block struct {
	Type   string
	Labels []string
	// Schema is the schema of the block, already chosen by its kind.
	Schema *schema.Block
	Attrs  map[string]*Attr
	// AttrOrder lists the names of Attrs as they were written.
	AttrOrder []string
	// Blocks are the nested blocks as they were written.
	Blocks      []*Block
	DefRange    hcl.Range
	TypeRange   hcl.Range
	LabelRanges []hcl.Range
	Body        *hclsyntax.Body

	file  *File
	close hcl.Range // its closing brace
}

// Attr is one argument of a block.
type Attr struct {
	Name      string
	Expr      hclsyntax.Expression
	Range     hcl.Range
	NameRange hcl.Range
	// Schema is nil for an argument whose name is free, as in locals.
	Schema *schema.Attr

	file *File
}

// Body is the syntax tree of the file. It is nil where the file is not UTF-8
// or was too deep to parse, and incomplete where it has syntax errors.
func (f *File) Body() *hclsyntax.Body { return f.body }

// Sources returns the file's text for the diagnostic writers.
func (f *File) Sources() *diag.Sources { return f.sources }

// Sources returns the text of the files for the diagnostic writers. The same
// value is returned each time.
func (d *Document) Sources() *diag.Sources {
	if d == nil {
		return nil
	}
	return d.sources
}

// All returns the top-level blocks of a type, in order.
func (d *Document) All(typ string) []*Block { return all(d.Blocks, typ) }

// Name is the last label, "" for a block without labels.
func (b *Block) Name() string {
	if len(b.Labels) == 0 {
		return ""
	}
	return b.Labels[len(b.Labels)-1]
}

// Attr returns the argument of that name, nil where it is absent.
func (b *Block) Attr(name string) *Attr { return b.Attrs[name] }

// One returns the first nested block of a type, nil where there is none.
func (b *Block) One(typ string) *Block {
	for _, c := range b.Blocks {
		if c.Type == typ {
			return c
		}
	}
	return nil
}

// All returns the nested blocks of a type, in order.
func (b *Block) All(typ string) []*Block { return all(b.Blocks, typ) }

func all(blocks []*Block, typ string) []*Block {
	var out []*Block
	for _, b := range blocks {
		if b.Type == typ {
			out = append(out, b)
		}
	}
	return out
}

// contextOf returns a function that names the blocks around a byte of a file,
// outermost first: `series "refusals", trials`.
func contextOf(body *hclsyntax.Body) func(int) string {
	if body == nil {
		return nil
	}
	return func(offset int) string {
		var b strings.Builder
		for body := body; ; {
			// The blocks of a body lie in the order of their bytes.
			i := sort.Search(len(body.Blocks), func(i int) bool {
				return body.Blocks[i].TypeRange.Start.Byte > offset
			}) - 1
			if i < 0 {
				return b.String()
			}
			c := body.Blocks[i]
			if offset >= c.CloseBraceRange.End.Byte {
				return b.String()
			}
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			b.WriteString(headerOf(c.Type, c.Labels))
			body = c.Body
		}
	}
}

func headerOf(typ string, labels []string) string {
	var b strings.Builder
	b.WriteString(typ)
	for _, l := range labels {
		b.WriteString(" \"" + l + "\"")
	}
	return b.String()
}
