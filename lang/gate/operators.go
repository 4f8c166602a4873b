package gate

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/suggest"
)

func comparison(op string) bool {
	switch op {
	case "==", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

func (c *checker) binary(n *ast.BinaryNode) (node, typ, *Error) {
	op := condition.Word(n.Operator)
	switch {
	case op == "in":
		return c.in(n)
	case comparison(op), op == "and", op == "or", op == "+", op == "-", op == "*", op == "/":
	default:
		return nil, typ{}, c.operator(n, n.Operator)
	}
	l, left, err := c.check(n.Left)
	if err != nil {
		return nil, typ{}, err
	}
	r, right, err := c.check(n.Right)
	if err != nil {
		return nil, typ{}, err
	}
	made := &binaryNode{op, l, r}
	switch {
	case op == "and" || op == "or":
		for _, side := range []struct {
			node ast.Node
			typ  typ
		}{{n.Left, left}, {n.Right, right}} {
			if side.typ.kind != kindTruth {
				return nil, typ{}, c.fail(side.node, fmt.Sprintf("This side of `%s` is %s, not true or false.", op, side.typ.kind), "Compare it with something: pairs_used >= 30.")
			}
		}
		return made, truthType, nil
	case comparison(op):
		return made, truthType, c.compared(n, op, left, right)
	}
	t, err := c.arithmetic(n, op, left, right)
	if v, ok := r.(*numberNode); err == nil && ok && op == "/" && v.v.Sign() == 0 {
		return nil, typ{}, c.fail(n, "Nothing can be divided by 0.", "Divide by a figure, or by another number.")
	}
	return made, t, err
}

// compared tells what is wrong with a comparison of two types.
func (c *checker) compared(n ast.Node, op string, left, right typ) *Error {
	switch {
	case left.kind != right.kind:
		return c.fail(n, fmt.Sprintf("`%s` compares %s with %s.", op, left.kind, right.kind), "Compare values of the same type; a text stands in quotes, a number does not.")
	case op == "==" || op == "!=":
	case left.kind != kindNumber:
		return c.fail(n, fmt.Sprintf("`%s` compares numbers, and here stands %s.", op, left.kind), "Only numbers are ordered; use == or != here.")
	}
	if _, ok := meet(left.unit, right.unit); left.kind == kindNumber && !ok {
		return c.units(n, op, left, right)
	}
	return nil
}

func (c *checker) units(n ast.Node, op string, left, right typ) *Error {
	return c.fail(n, fmt.Sprintf("`%s` puts %s beside %s.", op, left.unit, right.unit), "Divide figures of one kind by each other first, or compare with a plain number.")
}

func (c *checker) arithmetic(n ast.Node, op string, left, right typ) (typ, *Error) {
	for _, t := range []typ{left, right} {
		if t.kind != kindNumber {
			return typ{}, c.fail(n, fmt.Sprintf("`%s` takes numbers, and here stands %s.", op, t.kind), "Compare first, and then join the comparisons by `and` or `or`.")
		}
	}
	switch op {
	case "*":
		return typ{kindNumber, times(left.unit, right.unit, 1)}, nil
	case "/":
		return typ{kindNumber, times(left.unit, right.unit, -1)}, nil
	}
	u, ok := meet(left.unit, right.unit)
	if !ok {
		return typ{}, c.units(n, op, left, right)
	}
	return typ{kindNumber, u}, nil
}

// in admits a text of a row in a list of texts.
func (c *checker) in(n *ast.BinaryNode) (node, typ, *Error) {
	const remedy = `Write: .transform in ["fuzzy_edit", "rag_reorder"]; for numbers use two comparisons.`
	x, t, err := c.check(n.Left)
	if err != nil {
		return nil, typ{}, err
	}
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok || t.kind != kindText {
		return nil, typ{}, c.fail(n, "`in` looks a text up in a list of texts.", remedy)
	}
	if len(list.Nodes) == 0 {
		return nil, typ{}, c.fail(list, "The list is empty, so nothing is in it.", remedy)
	}
	c.nodes += 1 + len(list.Nodes)
	made := &inNode{x: x}
	for _, item := range list.Nodes {
		s, ok := item.(*ast.StringNode)
		if !ok {
			return nil, typ{}, c.fail(item, "The items of a list are texts in quotes.", remedy)
		}
		made.list = append(made.list, s.Value)
	}
	return made, truthType, nil
}

// quantifier admits all, any, none and count over rows.
func (c *checker) quantifier(n *ast.BuiltinNode) (node, typ, *Error) {
	usage := fmt.Sprintf("Write: %s(transforms, .semantic_eligible_lift >= 0).", n.Name)
	if c.rows != "" {
		return nil, typ{}, c.fail(n, fmt.Sprintf("%s stands inside another look at rows.", n.Name), "Write two of them side by side.")
	}
	if len(n.Arguments) != 2 {
		return nil, typ{}, c.fail(n, fmt.Sprintf("%s takes rows and a condition on each of them.", n.Name), usage)
	}
	rows, err := c.rowSet(n.Arguments[0], usage)
	if err != nil {
		return nil, typ{}, err
	}
	cond, err := c.closure(rows.of, n.Arguments[1], usage)
	if err != nil {
		return nil, typ{}, err
	}
	made := &quantifierNode{n.Name, rows, cond}
	if n.Name == "count" {
		return made, typ{kindNumber, unit{count: 1}}, nil
	}
	return made, truthType, nil
}

func (c *checker) rowSet(n ast.Node, usage string) (*rowsNode, *Error) {
	c.nodes++
	if f, ok := n.(*ast.BuiltinNode); ok && f.Name == "filter" && len(f.Arguments) == 2 {
		rows, err := c.rowSet(f.Arguments[0], usage)
		if err != nil {
			return nil, err
		}
		if rows.where != nil {
			return nil, c.fail(n, "filter stands inside filter.", "Join the two conditions by `and`.")
		}
		rows.where, err = c.closure(rows.of, f.Arguments[1], "Write: filter(requests, not .negative_control).")
		return rows, err
	}
	id, ok := n.(*ast.IdentifierNode)
	if !ok {
		return nil, c.fail(n, "This is no set of rows.", "The rows are transforms and requests. "+usage)
	}
	if !slices.Contains(rowSets, id.Value) {
		remedy := "The rows are transforms and requests. " + usage
		if near := suggest.Nearest(id.Value, rowSets); near != "" {
			remedy = fmt.Sprintf("Did you mean %q?", near)
		}
		return nil, c.fail(n, fmt.Sprintf("There are no rows %q.", id.Value), remedy)
	}
	return &rowsNode{of: id.Value}, nil
}

// closure admits a condition on one row, which has to look at it.
func (c *checker) closure(rows string, n ast.Node, usage string) (node, *Error) {
	p, ok := n.(*ast.PredicateNode)
	if !ok {
		return nil, c.fail(n, "This is no condition on a row.", usage)
	}
	c.rows = rows
	defer func() { c.rows = "" }()
	cond, t, err := c.check(p.Node)
	if err != nil {
		return nil, err
	}
	if t.kind != kindTruth {
		return nil, c.fail(p.Node, fmt.Sprintf("The condition on each row is %s, not true or false.", t.kind), usage)
	}
	looks := false
	walk(cond, func(n node) {
		if f, ok := n.(*figureNode); ok && f.row {
			looks = true
		}
	})
	if !looks {
		return nil, c.fail(p.Node, "The condition on each row names no field of it.", "A field has a dot before it. "+usage)
	}
	return cond, nil
}

// call admits the functions on numbers.
func (c *checker) call(n ast.Node, name string, args []ast.Node) (node, typ, *Error) {
	if !slices.Contains(functions, name) {
		remedy := fmt.Sprintf("The functions are %s; %s look at rows.", suggest.And(functions), suggest.And(quantifiers))
		switch {
		case name == "filter":
			remedy = "It stands only where rows do: all(filter(requests, not .failed), .ttft_speedup > 0.5)."
		case name == "now" || name == "date" || name == "timezone" || name == "duration":
			remedy = "A gate has no clock, so that one result is always judged the same. " + remedy
		case suggest.Nearest(name, slices.Concat(functions, quantifiers)) != "":
			remedy = fmt.Sprintf("Did you mean %q?", suggest.Nearest(name, slices.Concat(functions, quantifiers)))
		}
		return nil, typ{}, c.fail(n, fmt.Sprintf("There is no function %q in a condition.", name), remedy)
	}
	if name == "abs" && len(args) != 1 {
		return nil, typ{}, c.fail(n, fmt.Sprintf("abs takes one number, and here are %d.", len(args)), "Write: abs(semantic_eligible_lift).")
	}
	if name != "abs" && len(args) < 2 {
		return nil, typ{}, c.fail(n, fmt.Sprintf("%s takes two numbers or more.", name), fmt.Sprintf("Write: %s(ttft_cold_p50_ms, ttft_warm_p50_ms).", name))
	}
	made, t := &callNode{name: name}, constantType
	for _, a := range args {
		x, at, err := c.check(a)
		if err != nil {
			return nil, typ{}, err
		}
		if at.kind != kindNumber {
			return nil, typ{}, c.fail(a, fmt.Sprintf("%s takes numbers, and this is %s.", name, at.kind), "Name a figure that is a number.")
		}
		u, ok := meet(t.unit, at.unit)
		if !ok {
			return nil, typ{}, c.units(n, name, t, at)
		}
		t.unit = u
		made.args = append(made.args, x)
	}
	return made, t, nil
}
