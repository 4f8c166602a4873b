package predicate

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/internal/exprpos"
)

// Truth is what can be said of a condition when some fields are not known.
type Truth int

// The values of Truth.
const (
	Unknown Truth = iota
	True
	False
)

// Not turns True into False and back.
func (t Truth) Not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Unknown
}

// clause is a condition taken apart at its logical operators.
type clause struct {
	op     string // "and", "or", "not", or "" for a test
	parts  []*clause
	fields []string // that a test looks at, such as "signal.labels.alertname"
	test   *compiled
}

// Decide tells what a condition makes of a signal and a fault of which only
// some fields are known. A field is written as in a condition:
// "signal.status", "signal.labels.alertname", or "signal.labels" for all labels
// together. A test that looks at an unknown field is Unknown, and so is what
// hangs on it: the answer is never wrong, but may say less than it could.
func (a *Attribution) Decide(s Signal, f Fault, known func(field string) bool) Truth {
	a.apart.Do(func() {
		if tree, err := condition.Again(a.c.text); err == nil {
			a.clauses = apart(tree, a.c.env)
		}
	})
	if a.clauses == nil {
		return Unknown
	}
	return a.clauses.decide(s, f, known)
}

func apart(n ast.Node, env any) *clause {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return &clause{op: "not", parts: []*clause{apart(n.Node, env)}}
	case *ast.BinaryNode:
		if logical(n.Operator) {
			return &clause{op: condition.Word(n.Operator), parts: []*clause{apart(n.Left, env), apart(n.Right, env)}}
		}
	}
	return &clause{fields: fieldsIn(n), test: &compiled{text: text(n), env: env}}
}

// fieldsIn lists the fields that a part of a condition looks at.
func fieldsIn(n ast.Node) []string {
	names := map[ast.Node]string{}
	exprpos.Visit(n, func(n ast.Node) {
		m, ok := n.(*ast.MemberNode)
		if !ok {
			return
		}
		name, ok := m.Property.(*ast.StringNode)
		if !ok {
			return
		}
		if id, ok := m.Node.(*ast.IdentifierNode); ok {
			names[m] = id.Value + "." + name.Value
			return
		}
		if labels, ok := names[m.Node]; ok { // one of them and not all
			delete(names, m.Node)
			names[m] = labels + "." + name.Value
		}
	})
	var list []string
	for _, name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func (c *clause) decide(s Signal, f Fault, known func(string) bool) Truth {
	switch c.op {
	case "not":
		return c.parts[0].decide(s, f, known).Not()
	case "and", "or":
		decisive := False
		if c.op == "or" {
			decisive = True
		}
		result := decisive.Not()
		for _, p := range c.parts {
			switch p.decide(s, f, known) {
			case decisive:
				return decisive
			case Unknown:
				result = Unknown
			}
		}
		return result
	}
	if !slices.ContainsFunc(c.fields, func(name string) bool { return !known(name) }) {
		if ok, err := attributions.run(c.test, func(e *attributionEnv) { e.Signal, e.Fault = s, f }); err == nil {
			if ok {
				return True
			}
			return False
		}
	}
	return Unknown
}
