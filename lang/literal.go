package lang

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Literal returns the text of an argument that is a literal string: one in
// quotes or a heredoc, without interpolation. The function pos turns byte
// offsets in text into the range of the file that those bytes were written
// as, so that an error in an embedded language points at the very character.
// For any other expression ok is false.
//
// The text is decoded from the tokens, because HCL's own value is normalised
// (NFC) and may have another length.
func (a *Attr) Literal() (text string, pos func(from, to int) hcl.Range, ok bool) {
	if a == nil {
		return "", nil, false
	}
	return literal(a.Expr, a.file)
}

// LiteralAt is Literal for an expression inside of the argument, such as an
// item of a list.
func (a *Attr) LiteralAt(e hclsyntax.Expression) (text string, pos func(from, to int) hcl.Range, ok bool) {
	return literal(e, a.file)
}

func literal(e hclsyntax.Expression, f *File) (string, func(int, int) hcl.Range, bool) {
	if f == nil || !isLiteralString(e) {
		return "", nil, false
	}
	for {
		p, isParen := e.(*hclsyntax.ParenthesesExpr)
		if !isParen {
			break
		}
		e = p.Expression
	}
	r := e.Range()
	end := r.End.Byte
	if end < len(f.Bytes) && f.Bytes[end] == '\n' {
		end++ // without it the closing word of a heredoc is not one
	}
	tokens, diags := hclsyntax.LexExpression(f.Bytes[r.Start.Byte:end], f.Name, r.Start)
	if diags.HasErrors() || len(tokens) == 0 {
		return "", nil, false
	}
	var d decoded
	switch tokens[0].Type {
	case hclsyntax.TokenOQuote:
		for _, t := range tokens[1:] {
			if t.Type == hclsyntax.TokenQuotedLit {
				d.add(t.Bytes, t.Range.Start.Byte, true)
			}
		}
		d.end = r.End.Byte - 1
	case hclsyntax.TokenOHeredoc:
		d.heredoc(tokens)
	default:
		return "", nil, false
	}
	return string(d.text), func(from, to int) hcl.Range {
		n := len(d.text)
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		start, end := d.at(from), d.at(max(from, to))
		return f.sources.Range(f.Name, start, end)
	}, true
}

// decoded is a text and, for each of its bytes, where in the file the
// character lies that gave it.
type decoded struct {
	text   []byte
	source []int
	end    int
}

func (d *decoded) at(i int) int {
	if i >= len(d.source) {
		return d.end
	}
	return d.source[i]
}

func (d *decoded) put(from int, b ...byte) {
	for range b {
		d.source = append(d.source, from)
	}
	d.text = append(d.text, b...)
}

// add decodes one literal token that begins at the given offset.
func (d *decoded) add(b []byte, offset int, quoted bool) {
	for i := 0; i < len(b); {
		size, rest := 1, b[i:]
		switch {
		case quoted && rest[0] == '\\' && len(rest) > 1:
			size = d.escape(rest, offset+i)
		case bytes.HasPrefix(rest, []byte("$${")), bytes.HasPrefix(rest, []byte("%%{")):
			size = 3
			d.put(offset+i, rest[0])
			d.put(offset+i+2, '{')
		default:
			_, size = utf8.DecodeRune(rest)
			for j := range size {
				d.put(offset+i+j, rest[j])
			}
		}
		i += size
	}
	d.end = offset + len(b)
}

func (d *decoded) escape(b []byte, offset int) int {
	digits := 0
	switch b[1] {
	case 'n':
		d.put(offset, '\n')
	case 'r':
		d.put(offset, '\r')
	case 't':
		d.put(offset, '\t')
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		d.put(offset, b[1])
	}
	if digits == 0 || len(b) < 2+digits {
		return 2
	}
	n, err := strconv.ParseUint(string(b[2:2+digits]), 16, 32)
	if err != nil {
		return 2
	}
	d.put(offset, utf8.AppendRune(nil, rune(n))...)
	return 2 + digits
}

// heredoc decodes the lines of a heredoc. With <<- the smallest indentation of
// all lines that are not blank is taken away, as HCL does.
func (d *decoded) heredoc(tokens hclsyntax.Tokens) {
	type piece struct {
		token  hclsyntax.Token
		indent bool // begins a line that is not blank
	}
	var pieces []piece
	indent := -1
	begins := true
	for _, t := range tokens[1:] {
		if t.Type != hclsyntax.TokenStringLit {
			continue
		}
		rest := bytes.TrimLeftFunc(t.Bytes, unicode.IsSpace)
		blank := len(rest) == 0 && bytes.HasSuffix(t.Bytes, []byte("\n"))
		pieces = append(pieces, piece{t, begins && !blank})
		if spaces := utf8.RuneCount(t.Bytes[:len(t.Bytes)-len(rest)]); begins && !blank && (indent < 0 || spaces < indent) {
			indent = spaces
		}
		begins = bytes.HasSuffix(t.Bytes, []byte("\n"))
	}
	if !strings.HasPrefix(string(tokens[0].Bytes), "<<-") {
		indent = 0
	}
	for _, p := range pieces {
		cut := 0
		for i := 0; i < indent && p.indent; i++ {
			_, size := utf8.DecodeRune(p.token.Bytes[cut:])
			cut += size
		}
		d.add(p.token.Bytes[cut:], p.token.Range.Start.Byte+cut, false)
	}
}
