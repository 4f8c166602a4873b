package gate

import (
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// Precedences, as expr reads them.
const (
	precOr = iota + 1
	precAnd
	precComparison
	precAdd
	precNot // expr lets `not` hold tighter than + and looser than *
	precMultiply
	precMinus
	precAtom
)

func precedence(n node) int {
	switch n := n.(type) {
	case *numberNode:
		switch s := number(n.v); {
		case strings.Contains(s, "/"):
			return precMultiply
		case strings.HasPrefix(s, "-"):
			return precMinus
		}
	case *inNode:
		return precComparison
	case *unaryNode:
		if n.op == "not" {
			return precNot
		}
		return precMinus
	case *binaryNode:
		switch n.op {
		case "or":
			return precOr
		case "and":
			return precAnd
		case "+", "-":
			return precAdd
		case "*", "/":
			return precMultiply
		}
		return precComparison
	}
	return precAtom
}

// number writes a number so that it reads back exactly: a plain decimal, or a
// division where there is none.
func number(v exact.Number) string { return strings.Replace(v.String(), "/", " / ", 1) }

// text is the canonical form of a condition: words for the logical operators,
// double quotes, one space, and parentheses only where they are needed or where
// and meets or.
func text(n node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n node) {
	switch n := n.(type) {
	case *numberNode:
		b.WriteString(number(n.v))
	case *truthNode:
		b.WriteString(strconv.FormatBool(n.v))
	case *textNode:
		b.WriteString(strconv.Quote(n.v))
	case *figureNode:
		if n.row {
			b.WriteByte('.')
		}
		b.WriteString(n.metric.Name)
	case *paramNode:
		b.WriteString(n.name)
	case *unaryNode:
		if n.op == "not" {
			b.WriteString("not ")
			writeAt(b, n.x, precAtom)
			return
		}
		b.WriteByte('-')
		writeAt(b, n.x, precAtom)
	case *binaryNode:
		writeBinary(b, n)
	case *callNode:
		b.WriteString(n.name)
		writeArgs(b, n.args)
	case *inNode:
		writeAt(b, n.x, precAdd)
		if n.not {
			b.WriteString(" not")
		}
		b.WriteString(" in [")
		for i, item := range n.list {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.Quote(item))
		}
		b.WriteByte(']')
	case *rowsNode:
		if n.where == nil {
			b.WriteString(n.of)
			return
		}
		b.WriteString("filter(" + n.of + ", ")
		write(b, n.where)
		b.WriteByte(')')
	case *quantifierNode:
		b.WriteString(n.name)
		writeArgs(b, []node{n.rows, n.cond})
	}
}

func writeArgs(b *strings.Builder, args []node) {
	b.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, a)
	}
	b.WriteByte(')')
}

func writeBinary(b *strings.Builder, n *binaryNode) {
	own := precedence(n)
	left, right := own, own+1
	switch own {
	case precOr:
		// A chain of the same operator is read from the left.
		left = precComparison
		if l, ok := n.l.(*binaryNode); ok && l.op == "or" {
			left = precOr
		}
		right = precComparison
	case precComparison:
		left = own + 1
	}
	writeAt(b, n.l, left)
	b.WriteString(" " + n.op + " ")
	writeAt(b, n.r, right)
}

// writeAt writes a part in parentheses where it would be read otherwise, or
// where a `not` would be easy to misread.
func writeAt(b *strings.Builder, n node, least int) {
	p := precedence(n)
	if p < least || p == precNot && least > precComparison {
		b.WriteByte('(')
		write(b, n)
		b.WriteByte(')')
		return
	}
	write(b, n)
}
