package gate

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
	from, to = s.byte(first), s.byte(last)
	switch n.(type) {
	case *ast.CallNode, *ast.BuiltinNode:
		if rest := strings.TrimLeft(s.src[to:], " \t\n"); strings.HasPrefix(rest, "(") {
			to = len(s.src) - len(rest) + 1
		}
	}
	return s.balance(from, to)
}

// balance widens a range until each bracket in it has its partner, since the
// nodes below a call do not know where it is closed.
func (s spans) balance(from, to int) (int, int) {
	open, missing, at := 0, 0, from
	for at < len(s.src) && (at < to || open > 0) {
		c := s.src[at]
		switch c {
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

// closing is the offset of the quote that closes the text at `at`.
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

// visit calls f for a node and everything below it.
func visit(n ast.Node, f func(ast.Node)) {
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
