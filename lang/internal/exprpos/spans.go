package exprpos

import (
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/quantity"
)

// Spans turns expr's positions, which count characters, into byte offsets of a
// source.
type Spans struct {
	src    string
	starts []int // byte offset of each character, and of the end
}

// New returns the Spans of a source that is UTF-8.
func New(src string) Spans {
	starts := make([]int, 0, len(src)+1)
	for i := 0; i < len(src); {
		starts = append(starts, i)
		_, n := utf8.DecodeRuneInString(src[i:])
		i += n
	}
	return Spans{src, append(starts, len(src))}
}

// Byte is the offset of a character; that of one outside of the source is that
// of its nearer end.
func (s Spans) Byte(character int) int { return s.starts[min(max(character, 0), len(s.starts)-1)] }

// Text is what was written in the very place that expr gives a node.
func (s Spans) Text(n ast.Node) string {
	l := n.Location()
	return s.src[s.Byte(l.From):s.Byte(max(l.From, l.To))]
}

// Of is the extent of a node with all that hangs below it: expr's own position
// of a comparison is its operator only.
func (s Spans) Of(n ast.Node) (from, to int) {
	first, last := -1, -1
	Visit(n, func(n ast.Node) {
		l := n.Location()
		if l.To <= l.From {
			return
		}
		if first < 0 || l.From < first {
			first = l.From
		}
		last = max(last, l.To)
	})
	if first < 0 {
		return 0, len(s.src)
	}
	from, to = s.Byte(first), s.Byte(last)
	switch n.(type) {
	case *ast.CallNode, *ast.BuiltinNode:
		if rest := strings.TrimLeft(s.src[to:], " \t\r\n"); strings.HasPrefix(rest, "(") {
			to = len(s.src) - len(rest) + 1
		}
	}
	return s.balance(from, to)
}

// Fail is a mistake in a node, with all that hangs below it.
func (s Spans) Fail(n ast.Node, message, remedy string) *quantity.Error {
	from, to := s.Of(n)
	return &quantity.Error{Offset: from, End: to, Message: message, Remedy: remedy}
}

// balance widens a range until each bracket in it has its partner: the nodes
// below a call or a list do not know where it is closed.
func (s Spans) balance(from, to int) (int, int) {
	open, missing, at := 0, 0, from
	for at < len(s.src) && (at < to || open > 0) {
		switch s.src[at] {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			if open > 0 {
				open--
			} else {
				missing++
			}
		case '"', '\'', '`':
			at = closing(s.src, at)
		}
		at++
	}
	to = min(max(to, at), len(s.src))
	for ; missing > 0 && from > 0; missing-- {
		before := strings.LastIndexAny(s.src[:from], "([{")
		if before < 0 {
			break
		}
		from = before
	}
	return from, to
}

// closing is the offset of the quote that closes the text at a place.
func closing(src string, at int) int {
	for i := at + 1; i < len(src); i++ {
		if src[i] == '\\' && src[at] != '`' {
			i++
		} else if src[i] == src[at] {
			return i
		}
	}
	return len(src)
}

// Visit calls f for a node and everything below it.
func Visit(n ast.Node, f func(ast.Node)) {
	if n != nil {
		ast.Walk(&n, visitor(f))
	}
}

type visitor func(ast.Node)

// Visit implements ast.Visitor.
func (v visitor) Visit(n *ast.Node) {
	if *n != nil {
		v(*n)
	}
}
