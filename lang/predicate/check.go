package predicate

import (
	"cmp"
	"fmt"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/internal/exprpos"
	"github.com/fdbench/fdbench/lang/suggest"
)

// checker admits the part of expr that Grammar lists and gives every other
// node a message. It runs before expr's own checker, which then has nothing
// left to find.
type checker struct {
	records []*record
	used    map[string]bool
	spans   exprpos.Spans
	nodes   int
}

var functions = []string{"len", "lower", "upper", "trim"}

func (c *checker) fail(n ast.Node, message, remedy string) *Error {
	return c.spans.Fail(n, message, remedy)
}

func (c *checker) check(n ast.Node) (kind, *Error) {
	if c.nodes++; c.nodes > condition.MaxNodes {
		message, remedy := form.TooMany()
		return 0, c.fail(n, message, remedy)
	}
	switch n := n.(type) {
	case *ast.BoolNode:
		return kindBool, nil
	case *ast.StringNode:
		return kindText, nil
	case *ast.IntegerNode:
		return kindInt, nil
	case *ast.FloatNode:
		return kindFloat, nil
	case *ast.IdentifierNode:
		return c.identifier(n)
	case *ast.MemberNode:
		return c.member(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.BuiltinNode:
		return c.builtin(n)
	case *ast.CallNode:
		return 0, c.call(n)
	case *ast.ArrayNode:
		return 0, c.fail(n, "A list stands only behind `in`.", `Write: signal.labels.severity in ["page", "ticket"].`)
	}
	return 0, c.refuse(n)
}

// refuse names what a node is that has no place in a condition.
func (c *checker) refuse(n ast.Node) *Error {
	switch n.(type) {
	case *ast.NilNode:
		return c.fail(n, "There is no nil in a condition.", `An absent label reads as "", so write: signal.labels.team == "".`)
	case *ast.ChainNode:
		return c.fail(n, "Every field always exists, so ?. has no meaning here.", "Write a plain dot.")
	case *ast.PointerNode:
		return c.foreign(n, "A closure")
	}
	return c.foreign(n, cmp.Or(condition.Foreign(n), "This"))
}

func (c *checker) foreign(n ast.Node, what string) *Error {
	return c.fail(n, what+" is not part of a condition.", "A condition compares fields, and joins comparisons by `and`, `or` and `not`.")
}

func (c *checker) identifier(n *ast.IdentifierNode) (kind, *Error) {
	if r := c.record(n.Value); r != nil {
		return 0, c.fail(n, fmt.Sprintf("%q is a record, not a value.", n.Value), fmt.Sprintf("Name one of its fields: %s.", fieldsOf(r)))
	}
	var names []string
	for _, r := range c.records {
		names = append(names, r.name)
	}
	remedy := fmt.Sprintf("A condition here knows %s.", suggest.And(names))
	if near := suggest.Nearest(n.Value, names); near != "" {
		remedy = fmt.Sprintf("Did you mean %q?", near)
	}
	for _, r := range c.records {
		if _, ok := r.field(n.Value); ok {
			remedy = fmt.Sprintf("Did you mean %s.%s?", r.name, n.Value)
		}
	}
	return 0, c.fail(n, fmt.Sprintf("There is nothing named %q.", n.Value), remedy)
}

func (c *checker) record(name string) *record {
	for _, r := range c.records {
		if r.name == name {
			return r
		}
	}
	return nil
}

func (c *checker) member(n *ast.MemberNode) (kind, *Error) {
	c.nodes++
	name, constant := n.Property.(*ast.StringNode)
	if id, ok := n.Node.(*ast.IdentifierNode); ok {
		if r := c.record(id.Value); r != nil {
			if !constant {
				return 0, c.fail(n.Property, "A field is named by its name only.", fmt.Sprintf("Write %s.%s.", r.name, r.fields[0].name))
			}
			f, ok := r.field(name.Value)
			if !ok {
				remedy := fmt.Sprintf("It has %s.", fieldsOf(r))
				if near := suggest.Nearest(name.Value, r.names()); near != "" {
					remedy = fmt.Sprintf("Did you mean %q?", near)
				}
				return 0, c.fail(n.Property, fmt.Sprintf("A %s has no field %q.", r.name, name.Value), remedy)
			}
			c.used[r.name] = true
			return f.kind, nil
		}
	}
	k, err := c.check(n.Node)
	if err != nil {
		return 0, err
	}
	if k != kindLabels {
		return 0, c.fail(n.Property, fmt.Sprintf("What stands before is %s and has no fields.", k), "Remove the rest.")
	}
	if !constant {
		return 0, c.fail(n.Property, "A label is named by a text in quotes only.", `Write signal.labels.alertname or signal.labels["alertname"].`)
	}
	return kindText, nil
}

func (c *checker) unary(n *ast.UnaryNode) (kind, *Error) {
	if n.Operator != "not" && n.Operator != "!" {
		return 0, c.operator(n, n.Operator)
	}
	k, err := c.check(n.Node)
	if err != nil {
		return 0, err
	}
	if k != kindBool {
		return 0, c.fail(n, fmt.Sprintf("`not` stands before %s.", k), "It holds tighter than a comparison: write not (a == b).")
	}
	return kindBool, nil
}

func (c *checker) operator(n ast.Node, op string) *Error {
	remedy := "The operators are ==, !=, <, <=, >, >=, in, contains, startsWith, endsWith, matches, and, or, not."
	switch op {
	case "..":
		return c.fail(n, "A range is not part of a condition.", "Write two comparisons: response.words >= 3 and response.words <= 9.")
	}
	return c.fail(n, fmt.Sprintf("The operator %s is not part of a condition.", op), remedy)
}

func (c *checker) binary(n *ast.BinaryNode) (kind, *Error) {
	switch n.Operator {
	case "and", "&&", "or", "||", "==", "!=", "<", "<=", ">", ">=", "contains", "startsWith", "endsWith", "matches":
	case "in":
		return c.in(n)
	default:
		return 0, c.operator(n, n.Operator)
	}
	left, err := c.check(n.Left)
	if err != nil {
		return 0, err
	}
	right, err := c.check(n.Right)
	if err != nil {
		return 0, err
	}
	switch n.Operator {
	case "and", "&&", "or", "||":
		for _, side := range []struct {
			node ast.Node
			kind kind
		}{{n.Left, left}, {n.Right, right}} {
			if side.kind != kindBool {
				return 0, c.fail(side.node, fmt.Sprintf("This side of `%s` is %s, not true or false.", n.Operator, side.kind), `Compare it with something: signal.status == "firing".`)
			}
		}
	case "==", "!=":
		return c.equality(n, left, right)
	case "<", "<=", ">", ">=":
		if left == kindText && right == kindText {
			return 0, c.fail(n, fmt.Sprintf("`%s` would compare texts by their letters.", n.Operator), "Only numbers are ordered: compare response.words, or use a threshold of the detector.")
		}
		if !isNumber(left) || !isNumber(right) {
			return 0, c.fail(n, fmt.Sprintf("`%s` compares numbers, and here stand %s and %s.", n.Operator, left, right), "Compare two numbers, such as response.words and 3.")
		}
	default:
		if left != kindText || right != kindText {
			return 0, c.fail(n, fmt.Sprintf("`%s` tests a text with a text, and here stand %s and %s.", n.Operator, left, right), `Write: response.text contains "sorry".`)
		}
		if n.Operator == "matches" {
			if err := c.pattern(n.Right); err != nil {
				return 0, err
			}
		}
	}
	return kindBool, nil
}

func isNumber(k kind) bool { return k == kindInt || k == kindFloat }

func (c *checker) equality(n *ast.BinaryNode, left, right kind) (kind, *Error) {
	switch {
	case left == kindFloat || right == kindFloat:
		return 0, c.fail(n, "A number with decimals is never compared for equality.", "Use < and >, or a whole number.")
	case left == kindLabels || right == kindLabels:
		return 0, c.fail(n, "A set of labels cannot be compared as a whole.", `Compare one label: signal.labels.alertname == "RefusalsHigh".`)
	case left != right:
		return 0, c.fail(n, fmt.Sprintf("`%s` compares %s with %s, which are never equal.", n.Operator, left, right), "Compare values of the same type; a text stands in quotes.")
	}
	return kindBool, nil
}

// in admits a text in a set of labels, and a value in a list of constants.
func (c *checker) in(n *ast.BinaryNode) (kind, *Error) {
	left, err := c.check(n.Left)
	if err != nil {
		return 0, err
	}
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok {
		right, err := c.check(n.Right)
		if err != nil {
			return 0, err
		}
		if right == kindLabels && left == kindText {
			return kindBool, nil
		}
		return 0, c.fail(n, fmt.Sprintf("`in` looks %s up in %s.", left, right), `It takes a list, x in ["a", "b"], or asks for a label, "team" in signal.labels. For a part of a text use contains.`)
	}
	if len(list.Nodes) == 0 {
		return 0, c.fail(list, "The list is empty, so nothing is in it.", `Write what is sought: x in ["a", "b"].`)
	}
	c.nodes++
	for _, item := range list.Nodes {
		k, err := c.check(item)
		if err != nil {
			return 0, err
		}
		if !isConstant(item) {
			return 0, c.fail(item, "The items of a list are constants.", `Write texts in quotes or whole numbers: x in ["a", "b"].`)
		}
		if k != left || k == kindFloat || k == kindBool {
			return 0, c.fail(item, fmt.Sprintf("The list is searched for %s, and this item is %s.", left, k), "Write texts, or whole numbers, of one type.")
		}
	}
	return kindBool, nil
}

func isConstant(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return true
	}
	return false
}

func (c *checker) builtin(n *ast.BuiltinNode) (kind, *Error) {
	if !known(n.Name) {
		return 0, c.noFunction(n, n.Name)
	}
	if len(n.Arguments) != 1 {
		return 0, c.fail(n, fmt.Sprintf("%s takes one argument, and here are %d.", n.Name, len(n.Arguments)), fmt.Sprintf("Write: %s(response.text).", n.Name))
	}
	k, err := c.check(n.Arguments[0])
	if err != nil {
		return 0, err
	}
	if k != kindText && !(n.Name == "len" && k == kindLabels) {
		return 0, c.fail(n.Arguments[0], fmt.Sprintf("%s takes a text, and this is %s.", n.Name, k), fmt.Sprintf("Write: %s(response.text).", n.Name))
	}
	if n.Name == "len" {
		return kindInt, nil
	}
	return kindText, nil
}

func known(name string) bool {
	for _, f := range functions {
		if f == name {
			return true
		}
	}
	return false
}

func (c *checker) call(n *ast.CallNode) *Error {
	if id, ok := n.Callee.(*ast.IdentifierNode); ok {
		return c.noFunction(n, id.Value)
	}
	return c.fail(n, "A field cannot be called.", "Remove the parentheses.")
}

func (c *checker) noFunction(n ast.Node, name string) *Error {
	remedy := fmt.Sprintf("The functions are %s.", suggest.And(functions))
	switch {
	case name == "now" || name == "date" || name == "timezone" || name == "duration":
		remedy = "A condition has no clock, so that a plan decides the same each time. " + remedy
	case suggest.Nearest(name, functions) != "":
		remedy = fmt.Sprintf("Did you mean %q?", suggest.Nearest(name, functions))
	}
	return c.fail(n, fmt.Sprintf("There is no function %q in a condition.", name), remedy)
}

func fieldsOf(r *record) string { return suggest.And(r.names()) }
