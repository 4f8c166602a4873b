package predicate

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/internal/exprpos"
)

// truth is what can be said of a condition without knowing the fields.
type truth int

const (
	open truth = iota
	always
	never
)

// fold finds conditions that are true or false whatever the fields are. It
// knows constants, and comparisons of a thing with itself; it is sound, not
// complete.
func fold(n ast.Node) truth {
	if b, ok := n.(*ast.BoolNode); ok {
		return truthOf(b.Value)
	}
	if !reads(n) {
		v, err := expr.Eval(text(n), nil)
		if b, ok := v.(bool); ok && err == nil {
			return truthOf(b)
		}
		return open
	}
	switch n := n.(type) {
	case *ast.UnaryNode:
		switch fold(n.Node) {
		case always:
			return never
		case never:
			return always
		}
	case *ast.BinaryNode:
		switch condition.Word(n.Operator) {
		case "and":
			return both(fold(n.Left), fold(n.Right), never)
		case "or":
			return both(fold(n.Left), fold(n.Right), always)
		case "==", ">=", "<=", "contains", "startsWith", "endsWith":
			if s, ok := n.Right.(*ast.StringNode); ok && s.Value == "" && n.Operator != "==" {
				return always
			}
			if text(n.Left) == text(n.Right) {
				return always
			}
		case "!=", "<", ">":
			if text(n.Left) == text(n.Right) {
				return never
			}
		}
	}
	return open
}

// both joins two sides: one decisive side decides, and two equal ones agree.
func both(a, b, decisive truth) truth {
	if a == decisive || b == decisive {
		return decisive
	}
	if a == b {
		return a
	}
	return open
}

func truthOf(b bool) truth {
	if b {
		return always
	}
	return never
}

// reads tells whether a part of a condition looks at any field.
func reads(n ast.Node) bool {
	found := false
	exprpos.Visit(n, func(n ast.Node) {
		if _, ok := n.(*ast.IdentifierNode); ok {
			found = true
		}
	})
	return found
}
