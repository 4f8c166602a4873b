package ignore

import (
	"bytes"
	"sort"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Keyword begins the comment behind its # or //.
const Keyword = "fdbench:ignore"

const prefix = "fdbench:"

// Directive is one comment that asks to set findings aside.
type Directive struct {
	// Range is the comment without its line end.
	Range hcl.Range
	IDs   []ID
	// Reason is the text behind the ids, "" where there is none.
	Reason string
	// From and To bound the bytes of the file that the comment is about. They
	// are equal where it is about nothing.
	From, To int

	own  bool // on a line of its own
	form string
}

// ID is a rule that a directive names.
type ID struct {
	Text  string
	Range hcl.Range
}

// covers tells whether the directive is about a place.
func (d *Directive) covers(r *hcl.Range) bool {
	return r != nil && r.Filename == d.Range.Filename && r.Start.Byte >= d.From && r.Start.Byte < d.To
}

// Parse lists the directives of a file in the order of their places. Those that
// are malformed are among them.
func Parse(f *lang.File) []Directive {
	if f == nil || f.Body() == nil || !mentioned(f.Bytes) {
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(f.Bytes, f.Name, hcl.InitialPos)
	p := parser{file: f, lines: lines(tokens)}
	var list []Directive
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		if d, ok := p.directive(t); ok {
			list = append(list, d)
		}
	}
	return list
}

// mentioned is a quick answer for files without directives, which are most.
func mentioned(src []byte) bool {
	return bytes.Contains(src, []byte("bench:")) || bytes.Contains(src, []byte("BENCH:"))
}

// lines tells for each line whether anything but a comment stands on it.
func lines(tokens hclsyntax.Tokens) map[int]bool {
	code := map[int]bool{}
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			continue
		}
		last := t.Range.End.Line
		if t.Range.End.Column == 1 && last > t.Range.Start.Line {
			last-- // a token that ends with its line
		}
		for n := t.Range.Start.Line; n <= last; n++ {
			code[n] = true
		}
	}
	return code
}

type parser struct {
	file  *lang.File
	lines map[int]bool
}

func (p *parser) directive(t hclsyntax.Token) (Directive, bool) {
	text := bytes.TrimRight(t.Bytes, "\r\n")
	start := t.Range.Start.Byte
	d := Directive{Range: p.rangeOf(start, start+len(text)), own: !p.lines[t.Range.Start.Line]}
	block := bytes.HasPrefix(text, []byte("/*"))
	at := 1
	if block || bytes.HasPrefix(text, []byte("//")) {
		at = 2
	}
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	word, rest := cutWord(string(text[at:]))
	switch form, meant := keyword(word, rest); {
	case !meant:
		return d, false
	case block:
		d.form = "This comment stands between /* and */, and is not read. Write it behind #, on one line."
		return d, true
	case form != "":
		d.form = form
		return d, true
	}
	d.IDs, d.Reason = p.arguments(string(text), start, at+len(word))
	d.From, d.To = p.scope(&d)
	return d, true
}

// keyword tells whether a comment is meant as a directive, and what is wrong
// with its first word.
func keyword(word, rest string) (form string, meant bool) {
	switch {
	case word == Keyword:
		return "", true
	case !strings.HasPrefix(strings.ToLower(word), prefix):
		return "", false
	}
	name := strings.ToLower(word[len(prefix):])
	if name == "" {
		// "fdbench: a sentence" is prose, unless its first word is the keyword.
		name, _ = cutWord(strings.TrimLeft(rest, " \t"))
	}
	if suggest.Nearest(name, []string{"ignore"}) == "" && suggest.Nearest("ignore", []string{name}) == "" && !strings.HasPrefix(name, "ignore") {
		return "", false
	}
	return "The word here is " + Keyword + ", in small letters and without a space in it.", true
}

func cutWord(s string) (word, rest string) {
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// arguments reads ids and reason from byte at of the comment's text on, which
// begins at byte start of the file.
func (p *parser) arguments(text string, start, at int) (ids []ID, reason string) {
	skip := func() {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
	}
	for {
		skip()
		from := at
		for at < len(text) && text[at] != ',' && text[at] != ' ' && text[at] != '\t' {
			at++
		}
		// A colon or dash may set the reason off.
		to := from + len(strings.TrimRight(text[from:at], ":;."))
		if to > from {
			ids = append(ids, ID{text[from:to], p.rangeOf(start+from, start+to)})
		}
		skip()
		if at == len(text) || text[at] != ',' {
			break
		}
		at++
	}
	return ids, strings.TrimSpace(strings.TrimLeft(text[at:], " \t:-–—"))
}

func (p *parser) rangeOf(from, to int) hcl.Range {
	return p.file.Sources().Range(p.file.Name, from, to)
}

// span is a part of a file in lines and bytes.
type span struct {
	firstLine, lastLine int
	from, to            int
	header              int // where the header of a block ends, 0 for an argument
}

// scope finds what a directive is about.
func (p *parser) scope(d *Directive) (from, to int) {
	line := d.Range.Start.Line
	if d.own {
		line = p.below(line)
		if line == 0 {
			return 0, 0
		}
	}
	item, ok := innermost(p.file.Body(), line)
	lineFrom, lineTo := p.bounds(line)
	switch {
	case !ok:
		return lineFrom, lineTo
	case d.own && item.firstLine == line:
		return item.from, item.to
	case item.header > 0:
		if line == item.firstLine {
			return item.from, item.header
		}
		// The closing brace of a block.
		return lineFrom, lineTo
	case !d.own && (line == item.firstLine || line == item.lastLine):
		return item.from, item.to
	}
	// A line in the middle of an argument, such as an item of a list.
	return lineFrom, lineTo
}

// below is the next line with code on it, 0 where a blank line or the end of
// the file comes first.
func (p *parser) below(line int) int {
	total := bytes.Count(p.file.Bytes, []byte{'\n'}) + 1
	for n := line + 1; n <= total; n++ {
		if p.lines[n] {
			return n
		}
		if from, to := p.bounds(n); len(bytes.TrimSpace(p.file.Bytes[from:to])) == 0 {
			return 0
		}
	}
	return 0
}

// bounds are the bytes of a 1-based line without its line end.
func (p *parser) bounds(line int) (from, to int) {
	src := p.file.Bytes
	for ; line > 1; line-- {
		n := bytes.IndexByte(src[from:], '\n')
		if n < 0 {
			return len(src), len(src)
		}
		from += n + 1
	}
	if n := bytes.IndexByte(src[from:], '\n'); n >= 0 {
		return from, from + n
	}
	return from, len(src)
}

// innermost finds the argument that a line belongs to, or the block whose
// header or closing brace stands on it.
func innermost(body *hclsyntax.Body, line int) (span, bool) {
	for _, a := range body.Attributes {
		r := a.SrcRange
		last := r.End.Line
		if r.End.Column == 1 && last > r.Start.Line {
			last-- // a heredoc ends with its line
		}
		if line >= r.Start.Line && line <= last {
			return span{firstLine: r.Start.Line, lastLine: last, from: r.Start.Byte, to: max(r.End.Byte, r.Start.Byte+1)}, true
		}
	}
	blocks := body.Blocks
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].TypeRange.Start.Line > line }) - 1
	if i < 0 {
		return span{}, false
	}
	b := blocks[i]
	first, last := b.TypeRange.Start.Line, b.CloseBraceRange.End.Line
	if line > last {
		return span{}, false
	}
	if line > first {
		if inner, ok := innermost(b.Body, line); ok {
			return inner, true
		}
	}
	s := span{firstLine: first, lastLine: last, from: b.TypeRange.Start.Byte, to: b.CloseBraceRange.End.Byte, header: b.OpenBraceRange.End.Byte}
	if first == last {
		// All of it stands on the line.
		s.header = s.to
	}
	return s, true
}
