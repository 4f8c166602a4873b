package lang

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/lang/suggest"
)

// checker walks one parsed file beside the schema. It allocates little more
// than the Document, since lint is bound by the parser.
type checker struct {
	file   *File
	top    string
	diags  diag.List
	blocks []*Block
	// missing holds what is lacking until the walk is over. A thing that was
	// misspelt or put into the wrong block is lacking in the right one, and
	// that is one mistake, not two.
	missing []missing
	// strayAttrs are arguments written in a wrong block of the same top-level
	// block; strayBlocks are blocks written in a wrong place of any file.
	strayAttrs  map[stray]bool
	strayBlocks map[string]bool
	topIndex    int
	ordered     []*hclsyntax.Attribute // reused between bodies
}

type stray struct {
	top  int
	name string
}

type missing struct {
	diag  diag.Diagnostic
	top   int
	attr  string        // the argument that is missing, or ""
	block *schema.Block // the block that is missing, or nil
}

// checkFile checks the shape of what stands in one file.
func checkFile(f *File) *checker {
	c := &checker{file: f}
	root := schema.Language()
	c.attrs(nil, f.body, root, hcl.Range{})
	c.blocks = make([]*Block, 0, len(f.body.Blocks))
	for _, hb := range f.body.Blocks {
		c.top = hb.Type
		c.topIndex++
		if b := c.block(hb, root); b != nil {
			c.blocks = append(c.blocks, b)
			if b.Type == "fdbench" {
				c.languageVersion(b.Attr("language"))
			}
		}
	}
	return c
}

// assemble puts the files together and checks what concerns them all: names,
// and how many blocks of a type there are.
func assemble(doc *Document, files []parsed, library bool) diag.List {
	root := schema.Language()
	names := map[string]hcl.Range{}
	locals := map[string]hcl.Range{}
	counts := map[string]int{}
	strayBlocks := map[string]bool{}
	broken := false
	all := checker{}
	for i := range files {
		broken = broken || files[i].broken
		all.diags.Extend(files[i].diags)
		c := files[i].checked
		if c == nil {
			continue
		}
		all.diags.Extend(c.diags)
		for typ := range c.strayBlocks {
			strayBlocks[typ] = true
		}
		for _, b := range c.blocks {
			s := root.Block(b.Type)
			counts[b.Type]++
			if s.Max > 0 && counts[b.Type] > s.Max {
				all.tooMany(b.DefRange, s)
			}
			if s.Unique {
				key := b.Type + "." + b.Name()
				if at, dup := names[key]; dup {
					all.duplicateBlock(b.DefRange, b.Type, b.Name(), at)
					continue
				}
				names[key] = b.DefRange
			}
			if s.Free {
				for _, n := range b.AttrOrder {
					if at, dup := locals[n]; dup {
						all.add(diag.Diagnostic{
							Rule: "LANG-duplicate-name", Summary: "Name defined twice",
							Detail:  fmt.Sprintf("The local value %q is already defined at %s:%d. Keep one of them, or rename one.", n, at.Filename, at.Start.Line),
							Subject: b.Attrs[n].NameRange.Ptr(),
						})
					}
					locals[n] = b.Attrs[n].NameRange
				}
			}
			doc.Blocks = append(doc.Blocks, b)
		}
	}
	for i := range files {
		if c := files[i].checked; c != nil {
			all.diags.Extend(c.lacking(strayBlocks))
		}
	}
	if broken || library || len(files) == 0 {
		// What seems to be missing may be in the part that could not be read.
		return all.diags
	}
	for _, s := range root.Blocks {
		if s.Min > counts[s.Type] && !strayBlocks[s.Type] {
			at := hcl.Range{Filename: files[0].file.Name, Start: hcl.InitialPos, End: hcl.InitialPos}
			all.add(diag.Diagnostic{
				Rule: "LANG-missing-block", Summary: "Missing required block",
				Detail:  fmt.Sprintf("The scenario has no %s block. Begin it with:\n\n  %s { language = %d }", s.Type, s.Type, schema.Version),
				Subject: &at,
			})
		}
	}
	return all.diags
}

// lacking lists what is missing, apart from what was found elsewhere.
func (c *checker) lacking(strayBlocks map[string]bool) diag.List {
	var out diag.List
	for _, m := range c.missing {
		if m.attr != "" && c.strayAttrs[stray{m.top, m.attr}] {
			continue
		}
		if m.block != nil && (strayBlocks[m.block.Type] || slices.ContainsFunc(m.block.Attrs, func(a *schema.Attr) bool { return c.strayAttrs[stray{m.top, a.Name}] })) {
			continue
		}
		out.Add(m.diag)
	}
	return out
}

func (c *checker) add(d diag.Diagnostic) {
	d.Severity = diag.Error
	c.diags.Add(d)
}

// block checks one block of parent and returns nil where its schema could not
// be found.
func (c *checker) block(hb *hclsyntax.Block, parent *schema.Block) *Block {
	s := parent.Block(hb.Type)
	if s == nil {
		c.unknownBlock(hb, parent)
		return nil
	}
	if !c.labels(hb, s) {
		return nil
	}
	if len(s.Kinds) > 0 {
		kind := s.Variant(hb.Labels[0])
		if kind == nil {
			c.unknownKind(hb, s)
			return nil
		}
		s = kind
	}
	b := &Block{
		Type: hb.Type, Labels: hb.Labels, Schema: s,
		DefRange: hb.DefRange(), TypeRange: hb.TypeRange, LabelRanges: hb.LabelRanges, Body: hb.Body, file: c.file, close: hb.CloseBraceRange,
	}
	c.attrs(b, hb.Body, s, b.DefRange)
	c.nested(b, hb.Body, s)
	return b
}

func (c *checker) nested(b *Block, body *hclsyntax.Body, s *schema.Block) {
	if len(body.Blocks) > 0 {
		b.Blocks = make([]*Block, 0, len(body.Blocks))
	}
	for i, hb := range body.Blocks {
		n := c.block(hb, s)
		if n == nil {
			continue
		}
		ns := s.Block(hb.Type)
		before := 0
		duplicate := false
		for _, earlier := range body.Blocks[:i] {
			if earlier.Type != hb.Type {
				continue
			}
			before++
			if ns.Unique && !duplicate && len(earlier.Labels) == len(hb.Labels) && earlier.Labels[len(earlier.Labels)-1] == n.Name() {
				c.duplicateBlock(n.DefRange, n.Type, n.Name(), earlier.DefRange())
				duplicate = true
			}
		}
		if ns.Max > 0 && before == ns.Max {
			c.tooMany(n.DefRange, ns)
		}
		if !duplicate {
			b.Blocks = append(b.Blocks, n)
		}
	}
	for _, ns := range s.Blocks {
		if ns.Min == 0 || slices.ContainsFunc(body.Blocks, func(hb *hclsyntax.Block) bool { return hb.Type == ns.Type }) {
			continue
		}
		detail := fmt.Sprintf("%s block needs %s block. %s%s Write:\n\n  %s", upper(article(s.Type)), article(ns.Type), ns.Doc, asked(ns.Requirements), outline(ns))
		c.missing = append(c.missing, missing{top: c.topIndex, block: ns, diag: diag.Diagnostic{
			Severity: diag.Error, Rule: served(ns.Requirements, "LANG-missing-block"), Summary: "Missing required block",
			Detail: detail, Subject: b.DefRange.Ptr(),
		}})
	}
}

// attrs checks the arguments of a body and puts them into b, which is nil at
// the top of a file.
func (c *checker) attrs(b *Block, body *hclsyntax.Body, s *schema.Block, def hcl.Range) {
	if len(body.Attributes) > 0 {
		ordered := c.ordered[:0]
		for _, a := range body.Attributes {
			ordered = append(ordered, a)
		}
		slices.SortFunc(ordered, func(a, b *hclsyntax.Attribute) int {
			return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte
		})
		c.ordered = ordered
		slab := make([]Attr, len(ordered))
		if b != nil {
			b.Attrs = make(map[string]*Attr, len(ordered))
			b.AttrOrder = make([]string, 0, len(ordered))
		}
		for i, a := range ordered {
			as := s.Attr(a.Name)
			if as == nil && !s.Free || b == nil {
				c.unknownAttr(a, body, s)
				continue
			}
			slab[i] = Attr{Name: a.Name, Expr: a.Expr, Range: a.SrcRange, NameRange: a.NameRange, Schema: as, file: c.file}
			b.Attrs[a.Name] = &slab[i]
			b.AttrOrder = append(b.AttrOrder, a.Name)
			if as != nil && as.Literal && as.Type != schema.Number && !isLiteralString(a.Expr) {
				c.add(diag.Diagnostic{
					Rule: "LANG-not-literal", Summary: "Literal string required",
					Detail:  fmt.Sprintf("The value of %q has to be a text in quotes without ${...}, so that the plan holds what is written here and an error in it can point at the very character.", a.Name),
					Subject: a.Expr.Range().Ptr(), Context: a.SrcRange.Ptr(), Fix: wordFix(a.Expr),
				})
			}
		}
	}
	for _, as := range s.Attrs {
		if as.Required && body.Attributes[as.Name] == nil {
			c.missing = append(c.missing, missing{top: c.topIndex, attr: as.Name, diag: diag.Diagnostic{
				Severity: diag.Error, Rule: served(as.Requirements, "LANG-missing-argument"), Summary: "Missing required argument",
				Detail:  fmt.Sprintf("%s block needs the argument %q. %s%s", upper(article(s.Type)), as.Name, as.Doc, asked(as.Requirements)),
				Subject: def.Ptr(),
			}})
		}
	}
	c.groups(body, s, def)
}

// groups checks the arguments that exclude or need one another.
func (c *checker) groups(body *hclsyntax.Body, s *schema.Block, def hcl.Range) {
	var reported []string
	for _, g := range s.Groups {
		var set []*hclsyntax.Attribute
		for _, n := range g.Names {
			if a := body.Attributes[n]; a != nil {
				set = append(set, a)
			}
		}
		if len(set) >= g.Min && len(set) <= g.Max || g.IfAny && len(set) == 0 {
			continue
		}
		if slices.ContainsFunc(g.Names, func(n string) bool { return slices.Contains(reported, n) }) {
			continue
		}
		reported = append(reported, g.Names...)
		names := quoted(g.Names)
		switch {
		case len(set) > g.Max:
			last := slices.MaxFunc(set, func(a, b *hclsyntax.Attribute) int { return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte })
			c.add(diag.Diagnostic{
				Rule: "LANG-exclusive-arguments", Summary: "Arguments exclude each other",
				Detail:  fmt.Sprintf("%s block has exactly one of the arguments %s. Remove the others.", upper(article(s.Type)), oneOf(names)),
				Subject: last.NameRange.Ptr(), Context: last.SrcRange.Ptr(),
			})
		case g.IfAny:
			c.add(diag.Diagnostic{
				Rule: "LANG-incomplete-arguments", Summary: "Arguments belong together",
				Detail:  fmt.Sprintf("The arguments %s are given together or not at all.", suggest.And(names)),
				Subject: set[0].NameRange.Ptr(), Context: set[0].SrcRange.Ptr(),
			})
		default:
			// A misspelt member of the group is already reported under its name.
			c.missing = append(c.missing, missing{top: c.topIndex, attr: c.misspelt(body, s, g.Names), diag: diag.Diagnostic{
				Severity: diag.Error, Rule: served(groupRequirements(s, g), "LANG-missing-argument"), Summary: "Missing required argument",
				Detail:  fmt.Sprintf("%s block has exactly one of the arguments %s, and this one has none of them.", upper(article(s.Type)), oneOf(names)),
				Subject: def.Ptr(),
			}})
		}
	}
}

// served is the rule that the lack of something breaks: the first requirement
// that it serves, and one of the language where it serves none.
func served(requirements []string, otherwise string) string {
	if len(requirements) > 0 {
		return requirements[0]
	}
	return otherwise
}

// groupRequirements are those of the first argument of a group that serves any.
func groupRequirements(s *schema.Block, g schema.Group) []string {
	for _, n := range g.Names {
		if a := s.Attr(n); len(a.Requirements) > 0 {
			return a.Requirements
		}
	}
	return nil
}

func (c *checker) misspelt(body *hclsyntax.Body, s *schema.Block, names []string) string {
	for _, n := range names {
		if c.strayAttrs[stray{c.topIndex, n}] {
			return n
		}
	}
	return ""
}

func isLiteralString(e hclsyntax.Expression) bool {
	for {
		p, ok := e.(*hclsyntax.ParenthesesExpr)
		if !ok {
			break
		}
		e = p.Expression
	}
	t, ok := e.(*hclsyntax.TemplateExpr)
	return ok && (len(t.Parts) == 0 || t.IsStringLiteral())
}
