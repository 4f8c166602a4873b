package lang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/lang/suggest"
)

func (c *checker) strayAttr(name string) {
	if c.strayAttrs == nil {
		c.strayAttrs = map[stray]bool{}
	}
	c.strayAttrs[stray{c.topIndex, name}] = true
}

func (c *checker) strayBlock(typ string) {
	if c.strayBlocks == nil {
		c.strayBlocks = map[string]bool{}
	}
	c.strayBlocks[typ] = true
}

// refused answers a name that a requirement forbids in this place.
func (c *checker) refused(name string, subject, context hcl.Range, s *schema.Block) bool {
	r := s.RefusedName(name)
	if r == nil {
		return false
	}
	by := "methodology"
	if strings.HasPrefix(r.Requirement, "KV-") {
		by = "metric contract"
	}
	c.add(diag.Diagnostic{
		Rule: r.Requirement, Summary: "Refused by the " + by,
		Detail:  fmt.Sprintf("%s block takes no %q. %s", upper(article(s.Type)), name, r.Why),
		Subject: &subject, Context: &context,
	})
	return true
}

func (c *checker) unknownAttr(a *hclsyntax.Attribute, body *hclsyntax.Body, s *schema.Block) {
	if c.refused(a.Name, a.NameRange, a.SrcRange, s) {
		return
	}
	d := diag.Diagnostic{
		Rule: "LANG-unknown-argument", Summary: "Unknown argument in block",
		Subject: a.NameRange.Ptr(), Context: a.SrcRange.Ptr(),
	}
	at := "here"
	if s.Type != "" {
		at = "in " + article(s.Type) + " block"
		if s.Kind != "" {
			at = fmt.Sprintf("in %s block of kind %q", article(s.Type), s.Kind)
		}
	}
	d.Detail = fmt.Sprintf("There is no argument %q %s.", a.Name, at)
	paths, near := within(elsewhere.attrs[a.Name], c.top)
	var open []string
	for _, n := range s.AttrNames() {
		if body.Attributes[n] == nil {
			open = append(open, n)
		}
	}
	switch suggestion := suggest.Nearest(a.Name, open); {
	case s.Block(a.Name) != nil:
		d.Detail += fmt.Sprintf(" It is a block, and has no equals sign:\n\n  %s", outline(s.Block(a.Name)))
		d.Fix = blockFix(c.file, a, s.Block(a.Name))
		c.strayBlock(a.Name)
	case near:
		d.Detail += fmt.Sprintf(" It belongs in %s.", oneOf(paths))
		c.strayAttr(a.Name)
	case suggestion != "":
		d.Detail += fmt.Sprintf(" Did you mean %q?", suggestion)
		d.Fix = nameFix(a.NameRange, suggest.Only(a.Name, open))
		c.strayAttr(suggestion)
	case s.Attr(suggest.Nearest(a.Name, s.AttrNames())) != nil:
		d.Detail += fmt.Sprintf(" Did you mean %q? That argument is already set.", suggest.Nearest(a.Name, s.AttrNames()))
	case len(paths) > 0:
		d.Detail += fmt.Sprintf(" It belongs in %s.", oneOf(paths))
		c.strayAttr(a.Name)
	case s.Type == "":
		d.Detail += " The top level of a file holds blocks only. Put values of your own into a locals block."
	case len(s.Attrs) > 0:
		d.Detail += fmt.Sprintf(" It takes %s.", listAll(s.AttrNames()))
	default:
		d.Detail += " It takes no arguments, only blocks."
	}
	c.add(d)
}

func (c *checker) unknownBlock(hb *hclsyntax.Block, parent *schema.Block) {
	if c.refused(hb.Type, hb.TypeRange, hb.DefRange(), parent) {
		return
	}
	d := diag.Diagnostic{
		Rule: "LANG-unknown-block", Summary: "Unknown block type",
		Subject: hb.TypeRange.Ptr(), Context: hb.DefRange().Ptr(),
	}
	at := "at the top level of a file"
	if parent.Type != "" {
		at = "in " + article(parent.Type) + " block"
	}
	d.Detail = fmt.Sprintf("There is no block type %q %s.", hb.Type, at)
	paths, near := within(elsewhere.blocks[hb.Type], c.top)
	suggestion := suggest.Nearest(hb.Type, parent.BlockNames())
	switch {
	case parent.Attr(hb.Type) != nil:
		d.Detail += fmt.Sprintf(" It is an argument: write %s = ... with an equals sign.", hb.Type)
		c.strayAttr(hb.Type)
	case parent.Type != "" && schema.Top(hb.Type) != nil:
		d.Detail += " It stands at the top level of a file, outside of other blocks."
		c.strayBlock(hb.Type)
	case near || suggestion == "" && len(paths) > 0:
		d.Detail += fmt.Sprintf(" It belongs in %s.", oneOf(paths))
		c.strayBlock(hb.Type)
	case suggestion != "":
		d.Detail += fmt.Sprintf(" Did you mean %q?", suggestion)
		d.Fix = nameFix(hb.TypeRange, suggest.Only(hb.Type, parent.BlockNames()))
		c.strayBlock(suggestion)
	case len(parent.Blocks) == 0:
		d.Detail += " It takes arguments only."
	default:
		d.Detail += fmt.Sprintf(" It takes %s.", listAll(parent.BlockNames()))
	}
	c.add(d)
}

func (c *checker) unknownKind(hb *hclsyntax.Block, s *schema.Block) {
	kinds := s.KindNames()
	d := diag.Diagnostic{
		Rule: "LANG-unknown-kind", Summary: "Unknown kind of block",
		Detail:  fmt.Sprintf("There is no %s of kind %q. ", s.Type, hb.Labels[0]),
		Subject: hb.LabelRanges[0].Ptr(), Context: hb.DefRange().Ptr(),
	}
	if near := suggest.Nearest(hb.Labels[0], kinds); near != "" {
		d.Detail += fmt.Sprintf("Did you mean %q?", near)
		if only := suggest.Only(hb.Labels[0], kinds); only != "" {
			d.Fix = &diag.Fix{Range: hb.LabelRanges[0], Text: `"` + only + `"`}
		}
	} else {
		d.Detail += fmt.Sprintf("The kinds are %s.", suggest.And(quoted(kinds)))
	}
	c.add(d)
}

// labels checks how many labels a block has and whether they can be used in a
// reference. It returns false where the block cannot be understood.
func (c *checker) labels(hb *hclsyntax.Block, s *schema.Block) bool {
	want, got := len(s.Labels), len(hb.Labels)
	def := hb.DefRange()
	switch {
	case got < want:
		c.add(diag.Diagnostic{
			Rule: "LANG-missing-label", Summary: "Missing block label",
			Detail:  fmt.Sprintf("%s block has %s: %s. %s Write:\n\n  %s", upper(article(s.Type)), count(want, "label"), labelNames(s), s.Labels[got].Doc, header(s)),
			Subject: &def,
		})
		return false
	case got > want && want == 0:
		c.add(diag.Diagnostic{
			Rule: "LANG-extra-label", Summary: "Too many block labels",
			Detail:  fmt.Sprintf("%s block has no label. Write:\n\n  %s", upper(article(s.Type)), header(s)),
			Subject: hb.LabelRanges[0].Ptr(), Context: &def,
		})
	case got > want:
		c.add(diag.Diagnostic{
			Rule: "LANG-extra-label", Summary: "Too many block labels",
			Detail:  fmt.Sprintf("%s block has %s: %s. Write:\n\n  %s", upper(article(s.Type)), count(want, "label"), labelNames(s), header(s)),
			Subject: hb.LabelRanges[want].Ptr(), Context: &def,
		})
		return false
	}
	for i, l := range s.Labels {
		if l.Identifier && !validName(hb.Labels[i]) {
			c.add(diag.Diagnostic{
				Rule: "LANG-invalid-name", Summary: "Name cannot be referred to",
				Detail:  fmt.Sprintf("The name %q has characters that a reference cannot hold. A name begins with a letter and goes on with letters, digits, _ and -.", hb.Labels[i]),
				Subject: hb.LabelRanges[i].Ptr(), Context: &def,
			})
		}
	}
	return true
}

// validName tells whether a name can stand in a reference.
func validName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '_' || c == '-'):
		default:
			return hclsyntax.ValidIdentifier(s)
		}
	}
	return s != ""
}

func (c *checker) tooMany(def hcl.Range, s *schema.Block) {
	times := "once"
	if s.Max > 1 {
		times = fmt.Sprintf("%d times", s.Max)
	}
	c.add(diag.Diagnostic{
		Rule: served(s.Requirements, "LANG-too-many-blocks"), Summary: "Too many blocks",
		Detail:  fmt.Sprintf("%s block may stand here %s. Keep one, and move what is different into it.", upper(article(s.Type)), times),
		Subject: &def,
	})
}

func (c *checker) duplicateBlock(def hcl.Range, typ, name string, first hcl.Range) {
	c.add(diag.Diagnostic{
		Rule: "LANG-duplicate-name", Summary: "Name defined twice",
		Detail:  fmt.Sprintf("%s block named %q already stands at %s:%d. A reference could mean either: keep one, or rename one.", upper(article(typ)), name, first.Filename, first.Start.Line),
		Subject: &def,
	})
}

// newerLanguage looks for an fdbench block that names a version of the
// language which this build does not know. Nothing else that could be said of
// such a scenario would be of use.
func newerLanguage(files []*File) (diag.Diagnostic, bool) {
	for _, f := range files {
		if f.body == nil {
			continue
		}
		for _, b := range f.body.Blocks {
			if b.Type != "fdbench" || b.Body == nil {
				continue
			}
			a := b.Body.Attributes["language"]
			if a == nil {
				continue
			}
			lit, ok := a.Expr.(*hclsyntax.LiteralValueExpr)
			if !ok || lit.Val.Type() != cty.Number || lit.Val.IsNull() {
				continue
			}
			if v := lit.Val.AsBigFloat(); v.IsInt() && lit.Val.GreaterThan(cty.NumberIntVal(schema.Version)).True() {
				return diag.Diagnostic{
					Severity: diag.Error, Rule: "LANG-newer-language", Summary: "Scenario needs a newer fdbench",
					Detail:  fmt.Sprintf("The scenario is written in version %s of the language, and this fdbench reads version %d. Install a newer fdbench.", v.Text('f', 0), schema.Version),
					Subject: a.Expr.Range().Ptr(), Context: a.SrcRange.Ptr(),
				}, true
			}
		}
	}
	return diag.Diagnostic{}, false
}

// languageVersion checks that the version is a number that is written out. A
// newer one has been reported already.
func (c *checker) languageVersion(a *Attr) {
	if a == nil {
		return
	}
	if lit, ok := a.Expr.(*hclsyntax.LiteralValueExpr); ok && lit.Val.Type() == cty.Number && !lit.Val.IsNull() {
		if v := lit.Val.AsBigFloat(); v.IsInt() && v.Sign() > 0 {
			return
		}
	}
	c.add(diag.Diagnostic{
		Rule: "LANG-language-version", Summary: "Not a language version",
		Detail:  fmt.Sprintf("The language version is a whole number that is written out, without quotes: language = %d.", schema.Version),
		Subject: a.Expr.Range().Ptr(), Context: a.Range.Ptr(), Fix: versionFix(c.file, a.Expr),
	})
}

// outline shows how a block is written: `trials { count = ... timeout = ... }`.
func outline(s *schema.Block) string {
	var required []string
	for _, a := range s.Attrs {
		if a.Required {
			required = append(required, a.Name+" = ...")
		}
	}
	body := " { ... }"
	if len(required) == 1 {
		body = " { " + required[0] + " }"
	} else if len(required) > 1 {
		body = " {\n    " + strings.Join(required, "\n    ") + "\n  }"
	}
	return strings.TrimSuffix(header(s), " {") + body
}

func header(s *schema.Block) string {
	var b strings.Builder
	b.WriteString(s.Type)
	for _, l := range s.Labels {
		b.WriteString(` "` + l.Name + `"`)
	}
	b.WriteString(" {")
	return b.String()
}

func labelNames(s *schema.Block) string {
	names := make([]string, len(s.Labels))
	for i, l := range s.Labels {
		names[i] = l.Name
	}
	return suggest.And(names)
}

// article puts a or an before the type of a block.
func article(typ string) string {
	if strings.ContainsAny(typ[:1], "aeiou") {
		return "an " + typ
	}
	return "a " + typ
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// asked is the sentence on the requirements behind something that is missing.
func asked(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	verb := "asks"
	if len(ids) > 1 {
		verb = "ask"
	}
	return fmt.Sprintf(" %s %s for it.", suggest.And(slices.Clone(ids)), verb)
}

// listAll names everything that may stand in a place, which is at most some
// fifteen words.
func listAll(words []string) string { return suggest.And(words) }

func count(n int, word string) string {
	switch n {
	case 1:
		return "one " + word
	case 2:
		return "two " + word + "s"
	}
	return fmt.Sprintf("%d %ss", n, word)
}
