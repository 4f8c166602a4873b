package predicate

import (
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
)

// spans turns expr's rune positions into byte offsets.
type spans struct {
	src    string
	starts []int // byte offset of each rune, and of the end
}

func newSpans(src string) spans {
	starts := make([]int, 0, len(src)+1)
	for i := 0; i < len(src); {
		starts = append(starts, i)
		_, n := utf8.DecodeRuneInString(src[i:])
		i += n
	}
	return spans{src, append(starts, len(src))}
}

func (s spans) byte(rune int) int { return s.starts[min(max(rune, 0), len(s.starts)-1)] }

// of is the extent of a node with all that hangs below it: expr's own position
// of a comparison is its operator only.
func (s spans) of(n ast.Node) (from, to int) {
	first, last := -1, -1
	visit(n, func(n ast.Node) {
		l := n.Location()
		if l.To <= l.From && l.From == 0 {
			return
		}
		if first < 0 || l.From < first {
			first = l.From
		}
		last = max(last, l.To)
	})
	if first < 0 {
		return 0, s.starts[len(s.starts)-1]
	}
	from, to = s.byte(first), s.byte(last)
	switch n.(type) {
	case *ast.CallNode, *ast.BuiltinNode:
		if rest := strings.TrimLeft(s.src[to:], " \t\n"); strings.HasPrefix(rest, "(") {
			to = len(s.src) - len(rest) + 1
		}
	}
	return s.balance(from, to)
}

// balance widens a range until each bracket in it has its partner: the nodes
// below a call or a list do not know where it is closed.
func (s spans) balance(from, to int) (int, int) {
	open, close := 0, 0
	at := 0
	for at = from; at < len(s.src) && (at < to || open > 0); {
		var o, c int
		o, c, at = step(s.src, at)
		open += o
		if c > 0 && open > 0 {
			open--
		} else {
			close += c
		}
	}
	to = max(to, at)
	for ; close > 0 && from > 0; close-- {
		before := strings.LastIndexAny(s.src[:from], "([{")
		if before < 0 {
			break
		}
		from = before
	}
	return from, to
}

// step reads one character or one text in quotes, and tells whether it opens
// or closes a bracket.
func step(src string, at int) (opens, closes, next int) {
	switch c := src[at]; c {
	case '"', '\'', '`':
		for i := at + 1; i < len(src); i++ {
			if src[i] == '\\' && c != '`' {
				i++
			} else if src[i] == c {
				return 0, 0, i + 1
			}
		}
		return 0, 0, len(src)
	case '(', '[', '{':
		return 1, 0, at + 1
	case ')', ']', '}':
		return 0, 1, at + 1
	}
	return 0, 0, at + 1
}

// visit calls f for a node and everything below it.
func visit(n ast.Node, f func(ast.Node)) {
	if n == nil {
		return
	}
	ast.Walk(&n, visitor(f))
}

type visitor func(ast.Node)

var _ ast.Visitor = visitor(nil)

// Visit implements ast.Visitor.
func (v visitor) Visit(n *ast.Node) {
	if *n != nil {
		v(*n)
	}
}
