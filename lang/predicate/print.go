package predicate

import (
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/internal/condition"
)

// text is the canonical form of an admitted condition: words for the logical
// operators, double quotes, one space, and parentheses only where they are
// needed or where and meets or. Two conditions that differ in layout only have
// the same text.
func text(n ast.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.BoolNode:
		b.WriteString(strconv.FormatBool(n.Value))
	case *ast.StringNode:
		b.WriteString(strconv.Quote(n.Value))
	case *ast.IntegerNode:
		b.WriteString(strconv.Itoa(n.Value))
	case *ast.FloatNode:
		b.WriteString(decimal(n.Value))
	case *ast.IdentifierNode:
		b.WriteString(n.Value)
	case *ast.MemberNode:
		write(b, n.Node)
		if name, ok := n.Property.(*ast.StringNode); ok && plain(name.Value) {
			b.WriteString("." + name.Value)
			return
		}
		b.WriteByte('[')
		write(b, n.Property)
		b.WriteByte(']')
	case *ast.UnaryNode:
		if in, ok := n.Node.(*ast.BinaryNode); ok && negatable(in.Operator) {
			writeBinary(b, in, "not "+in.Operator)
			return
		}
		b.WriteString("not ")
		writeOperand(b, n.Node)
	case *ast.BinaryNode:
		writeBinary(b, n, condition.Word(n.Operator))
	case *ast.BuiltinNode:
		b.WriteString(n.Name + "(")
		write(b, n.Arguments[0])
		b.WriteByte(')')
	case *ast.ArrayNode:
		b.WriteByte('[')
		for i, item := range n.Nodes {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteByte(']')
	}
}

func writeBinary(b *strings.Builder, n *ast.BinaryNode, op string) {
	if op == "and" || op == "or" {
		// A chain of the same operator is read from the left.
		if l, ok := n.Left.(*ast.BinaryNode); ok && (condition.Word(l.Operator) == op || !logical(l.Operator)) {
			write(b, n.Left)
		} else {
			writeSide(b, n.Left)
		}
		b.WriteString(" " + op + " ")
		writeSide(b, n.Right)
		return
	}
	writeOperand(b, n.Left)
	b.WriteString(" " + op + " ")
	writeOperand(b, n.Right)
}

// writeSide writes a side of and/or: another logical chain in parentheses.
func writeSide(b *strings.Builder, n ast.Node) {
	if r, ok := n.(*ast.BinaryNode); ok && logical(r.Operator) {
		writeParens(b, n)
		return
	}
	write(b, n)
}

// writeOperand writes a side of a comparison.
func writeOperand(b *strings.Builder, n ast.Node) {
	switch n.(type) {
	case *ast.BinaryNode, *ast.UnaryNode:
		writeParens(b, n)
	default:
		write(b, n)
	}
}

func writeParens(b *strings.Builder, n ast.Node) {
	b.WriteByte('(')
	write(b, n)
	b.WriteByte(')')
}

func logical(op string) bool { op = condition.Word(op); return op == "and" || op == "or" }

func negatable(op string) bool {
	switch op {
	case "in", "contains", "matches", "startsWith", "endsWith":
		return true
	}
	return false
}

// plain tells whether a label can be written behind a dot.
func plain(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// decimal writes a number so that it is read back as one with decimals.
func decimal(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
