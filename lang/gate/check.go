package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/internal/exprpos"
	"github.com/fdbench/fdbench/lang/suggest"
)

// maxNumber bounds the characters of a number, written out: a condition cannot
// make numbers of a size that costs anything.
const maxNumber = 64

var (
	functions   = []string{"abs", "min", "max"}
	quantifiers = []string{"all", "any", "none", "count"}
	rowSets     = []string{"transforms", "requests"}
	reserved    = []string{"true", "false", "nil", "not", "in", "or", "and", "matches", "contains", "startsWith", "endsWith", "let", "if", "else", "filter"}

	wholeRun     = index(metrics)
	fieldsOfRows = map[string]map[string]*Metric{"transforms": index(groupMetrics), "requests": index(fields)}
)

func index(list []Metric) map[string]*Metric {
	m := make(map[string]*Metric, len(list))
	for i := range list {
		m[list[i].Name] = &list[i]
	}
	return m
}

func names(list []Metric) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Name)
	}
	return out
}

func fieldNames(rows string) []string {
	if rows == "transforms" {
		return names(groupMetrics)
	}
	return names(fields)
}

// Find looks a figure up. Rows is "" for one of the whole run, and "transforms"
// or "requests" for a field of such a row.
func Find(rows, name string) (Metric, bool) {
	set := wholeRun
	if rows != "" {
		set = fieldsOfRows[rows]
	}
	if m := set[name]; m != nil {
		return *m, true
	}
	return Metric{}, false
}

// free tells whether a parameter may have the name.
func free(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	taken := slices.Concat(functions, quantifiers, rowSets, reserved)
	return name != "" && wholeRun[name] == nil && !slices.Contains(taken, name)
}

// typ is the type of a part: its kind, and the unit where it is a number.
type typ struct {
	kind kind
	unit unit
}

var (
	truthType    = typ{kind: kindTruth}
	textType     = typ{kind: kindText}
	constantType = typ{kindNumber, unit{free: true}}
)

func typeOf(k Kind) typ {
	switch k {
	case Truth:
		return truthType
	case Text:
		return textType
	}
	return typ{kindNumber, unitOf(k)}
}

// checker admits the part of expr that Grammar lists, makes nodes of it, and
// gives every other part a message.
type checker struct {
	params []string
	spans  exprpos.Spans
	nodes  int
	rows   string // the rows that the part stands inside; "" for none
	uses   []Use
	named  []string // parameters that were found
}

func (c *checker) fail(n ast.Node, message, remedy string) *Error {
	return c.spans.Fail(n, message, remedy)
}

func (c *checker) check(n ast.Node) (node, typ, *Error) {
	if c.nodes++; c.nodes > condition.MaxNodes {
		message, remedy := form.TooMany()
		return nil, typ{}, c.fail(n, message, remedy)
	}
	switch n := n.(type) {
	case *ast.BoolNode:
		return &truthNode{n.Value}, truthType, nil
	case *ast.StringNode:
		return &textNode{n.Value}, textType, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return c.number(n)
	case *ast.IdentifierNode:
		return c.identifier(n)
	case *ast.MemberNode:
		return c.member(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.BuiltinNode:
		if slices.Contains(quantifiers, n.Name) {
			return c.quantifier(n)
		}
		return c.call(n, n.Name, n.Arguments)
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, id.Value, n.Arguments)
		}
		return nil, typ{}, c.fail(n, "A figure cannot be called.", "Remove the parentheses.")
	}
	return nil, typ{}, c.refuse(n)
}

// refuse names what a node is that has no place in a condition.
func (c *checker) refuse(n ast.Node) *Error {
	switch n.(type) {
	case *ast.NilNode:
		return c.fail(n, "There is no nil in a condition.", "A figure that does not exist gives the gate no data by itself.")
	case *ast.PointerNode:
		return c.fail(n, "A row is not a value.", "Name one of its fields, such as .transform.")
	case *ast.ArrayNode:
		return c.fail(n, "A list stands only behind `in`.", `Write: .transform in ["fuzzy_edit", "rag_reorder"].`)
	case *ast.ChainNode:
		return c.fail(n, "Every field always exists, so ?. has no meaning here.", "Write a plain dot.")
	}
	what := cmp.Or(condition.Foreign(n), "This")
	return c.fail(n, what+" is not part of a condition.", "A condition compares figures, and joins comparisons by `and`, `or` and `not`.")
}

// number reads the digits that were written, since expr's own value of them is
// a binary one.
func (c *checker) number(n ast.Node) (node, typ, *Error) {
	written := strings.ReplaceAll(c.spans.Text(n), "_", "")
	v, err := exact.Parse(written)
	if err != nil || len(number(v)) > maxNumber {
		return nil, typ{}, c.fail(n, fmt.Sprintf("%.20q is not a decimal number of at most %d characters.", written, maxNumber), "Write a plain decimal, such as 0.01.")
	}
	return &numberNode{v}, constantType, nil
}

func (c *checker) identifier(n *ast.IdentifierNode) (node, typ, *Error) {
	if m := wholeRun[n.Value]; m != nil {
		c.use("", m)
		return &figureNode{metric: m}, typeOf(m.Kind), nil
	}
	if slices.Contains(c.params, n.Value) {
		if !slices.Contains(c.named, n.Value) {
			c.named = append(c.named, n.Value)
		}
		return &paramNode{n.Value}, constantType, nil
	}
	if fields := fieldsOfRows[n.Value]; fields != nil {
		return nil, typ{}, c.fail(n, fmt.Sprintf("%q are rows, not a value.", n.Value), fmt.Sprintf("Ask about each of them: all(%s, .total_blocks > 0).", n.Value))
	}
	message := fmt.Sprintf("There is no figure %q.", n.Value)
	if c.rows != "" && fieldsOfRows[c.rows][n.Value] != nil {
		return nil, typ{}, c.fail(n, message, fmt.Sprintf("A field of a row has a dot before it: .%s.", n.Value))
	}
	if near := suggest.Nearest(n.Value, append(slices.Clone(c.params), names(metrics)...)); near != "" {
		return nil, typ{}, c.fail(n, message, fmt.Sprintf("Did you mean %q?", near))
	}
	for _, rows := range rowSets {
		if fieldsOfRows[rows][n.Value] != nil {
			return nil, typ{}, c.fail(n, message, fmt.Sprintf("It is a field of a row: write .%s inside all, any, none or count over %s.", n.Value, rows))
		}
	}
	return nil, typ{}, c.fail(n, message, "The language reference lists every figure that a gate may name.")
}

func (c *checker) use(rows string, m *Metric) {
	u := Use{rows, *m}
	if !slices.Contains(c.uses, u) {
		c.uses = append(c.uses, u)
	}
}

func (c *checker) member(n *ast.MemberNode) (node, typ, *Error) {
	p, ok := n.Node.(*ast.PointerNode)
	if !ok {
		if _, _, err := c.check(n.Node); err != nil {
			return nil, typ{}, err
		}
		return nil, typ{}, c.fail(n.Property, "What stands before is a value and has no fields.", "Remove the rest.")
	}
	c.nodes++
	name, constant := n.Property.(*ast.StringNode)
	if p.Name != "" || !constant {
		return nil, typ{}, c.fail(n, "A field of a row is named by its name only.", "Write a dot and the name: .transform.")
	}
	m := fieldsOfRows[c.rows][name.Value]
	if m == nil {
		remedy := fmt.Sprintf("It has %s.", suggest.And(fieldNames(c.rows)))
		if near := suggest.Nearest(name.Value, fieldNames(c.rows)); near != "" {
			remedy = fmt.Sprintf("Did you mean %q?", near)
		} else if wholeRun[name.Value] != nil {
			remedy = fmt.Sprintf("The whole run has it: write %s without the dot.", name.Value)
		}
		return nil, typ{}, c.fail(n.Property, fmt.Sprintf("A row of %s has no field %q.", c.rows, name.Value), remedy)
	}
	c.use(c.rows, m)
	return &figureNode{metric: m, row: true}, typeOf(m.Kind), nil
}

func (c *checker) unary(n *ast.UnaryNode) (node, typ, *Error) {
	x, t, err := c.check(n.Node)
	if err != nil {
		return nil, typ{}, err
	}
	switch n.Operator {
	case "not", "!":
		if t.kind != kindTruth {
			return nil, typ{}, c.fail(n, fmt.Sprintf("`not` stands before %s.", t.kind), "It holds tighter than a comparison: write not (a == b).")
		}
		if in, ok := x.(*inNode); ok {
			return &inNode{in.x, !in.not, in.list}, truthType, nil
		}
		return &unaryNode{"not", x}, truthType, nil
	case "-", "+":
		if t.kind != kindNumber {
			return nil, typ{}, c.fail(n, fmt.Sprintf("`%s` stands before %s.", n.Operator, t.kind), "It takes a number.")
		}
		if n.Operator == "+" {
			return x, t, nil
		}
		if v, ok := x.(*numberNode); ok {
			return &numberNode{v.v.Neg()}, t, nil
		}
		return &unaryNode{"-", x}, t, nil
	}
	return nil, typ{}, c.operator(n, n.Operator)
}

func (c *checker) operator(n ast.Node, op string) *Error {
	remedy := "The operators are ==, !=, <, <=, >, >=, in, +, -, *, /, and, or, not."
	switch op {
	case "..":
		return c.fail(n, "A range is not part of a condition.", "Write two comparisons: 0.9 <= negative_control_ttft_speedup_mean <= 1.1.")
	case "%":
		remedy = "There is no percent sign in a condition. Write a share: 1 % is 0.01."
	}
	return c.fail(n, fmt.Sprintf("The operator %s is not part of a condition.", op), remedy)
}
