package payload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Bounds of one expression.
const (
	maxSource = 2048 // bytes
	maxNodes  = 200
	budget    = 1_000_000 // elements that one evaluation may make
)

// functions that an expression may call. None reads a clock, and none makes a
// text longer than what it is given.
var functions = []string{"all", "any", "count", "filter", "find", "first", "float", "get", "int", "join", "keys", "last", "len", "lower",
	"map", "none", "sort", "split", "string", "trim", "trimPrefix", "trimSuffix", "upper", "values"}

// FieldError is a mistake in one text of a mapping.
type FieldError struct {
	Field string // as the plan names it: "alerts", "names.team"
	Where *quantity.Error
}

func (e *FieldError) Error() string { return "mapping: " + e.Field + ": " + e.Where.Error() }

// Errors are the mistakes in a mapping, in the order of its fields.
type Errors []*FieldError

func (e Errors) Error() string {
	var out []string
	for _, one := range e {
		out = append(out, one.Error())
	}
	return strings.Join(out, "\n")
}

// CheckMapping finds what can be found in a mapping before a payload is seen.
func CheckMapping(m plan.Mapping) Errors {
	_, err := compile("mapped", &m)
	var list Errors
	errors.As(err, &list)
	return list
}

// wholeEnv and alertEnv are what the expressions see. They have no methods,
// because expr would let an expression call them.
type wholeEnv struct {
	Payload any `expr:"payload"`
}

type alertEnv struct {
	Payload any `expr:"payload"`
	Alert   any `expr:"alert"`
}

type field struct {
	name    string
	program *vm.Program
}

type mapping struct {
	shape                                           string
	held                                            bool
	alerts                                          *field
	status, labels, startsAt, value, repeat, noData *field
	names                                           []field
}

func compile(shape string, m *plan.Mapping) (*mapping, error) {
	c := &mapping{shape: shape}
	var errs Errors
	add := func(name, src string, env any) *field {
		if src == "" {
			return nil
		}
		p, err := compileText(src, env)
		if err != nil {
			errs = append(errs, &FieldError{name, err})
		}
		return &field{name, p}
	}
	c.alerts = add("alerts", m.Alerts, wholeEnv{})
	if m.Status == "" {
		errs = append(errs, &FieldError{"status", &quantity.Error{Message: "A mapping has to say where the status of an alert is.",
			Remedy: `Write: status = "alert.status", or a choice such as "alert.open ? 'firing' : 'resolved'".`}})
	}
	c.status = add("status", m.Status, alertEnv{})
	c.labels = add("labels", m.Labels, alertEnv{})
	c.startsAt = add("starts_at", m.StartsAt, alertEnv{})
	c.value = add("value", m.Value, alertEnv{})
	c.repeat = add("repeat", m.Repeat, alertEnv{})
	c.noData = add("no_data", m.NoData, alertEnv{})
	for _, name := range slices.Sorted(maps.Keys(m.Names)) {
		if f := add("names."+name, m.Names[name], alertEnv{}); f != nil {
			c.names = append(c.names, *f)
		}
	}
	if errs != nil {
		return nil, errs
	}
	return c, nil
}

func compileText(src string, env any) (*vm.Program, *quantity.Error) {
	whole := func(message, remedy string) *quantity.Error {
		return &quantity.Error{End: len(src), Message: message, Remedy: remedy}
	}
	if len(src) > maxSource {
		return nil, whole(fmt.Sprintf("The expression has more than %d bytes.", maxSource), "Shorten it.")
	}
	c := conf.CreateNew()
	c.MaxNodes = maxNodes
	tree, err := parser.ParseWithConfig(src, c)
	if err != nil {
		return nil, placed(src, err)
	}
	a := &admission{src: src}
	ast.Walk(&tree.Node, a)
	if a.err == nil {
		a.depth(tree.Node, false)
	}
	if a.err != nil {
		return nil, a.err
	}
	options := []expr.Option{expr.Env(env), expr.MaxNodes(maxNodes), expr.DisableAllBuiltins(),
		expr.Function("string", func(p ...any) (any, error) {
			return text(p[0])
		}, new(func(any) string))}
	for _, f := range functions {
		if f != "string" {
			options = append(options, expr.EnableBuiltin(f))
		}
	}
	p, err := expr.Compile(src, options...)
	if err != nil {
		return nil, placed(src, err)
	}
	return p, nil
}

// admission refuses what has no bound: ranges, and one walk over a list inside
// of another.
type admission struct {
	src string
	err *quantity.Error
}

func (a *admission) fail(n ast.Node, message, remedy string) {
	if a.err == nil {
		l := n.Location()
		a.err = &quantity.Error{Offset: byteOf(a.src, l.From), End: byteOf(a.src, l.To), Message: message, Remedy: remedy}
	}
}

// Visit implements ast.Visitor.
func (a *admission) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.BinaryNode:
		if n.Operator == ".." || n.Operator == "**" || n.Operator == "^" {
			a.fail(n, fmt.Sprintf("The operator %s is not part of a mapping.", n.Operator), "A mapping picks what a payload holds.")
		}
	case *ast.BuiltinNode:
		a.function(n, n.Name)
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok {
			a.function(n, id.Value)
		} else {
			a.fail(n, "A member of a payload cannot be called.", "Remove the parentheses.")
		}
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		a.fail(n, "A mapping has no variables.", "Write one expression.")
	}
}

func (a *admission) function(n ast.Node, name string) {
	if slices.Contains(functions, name) {
		return
	}
	remedy := "The functions are " + strings.Join(functions, ", ") + "."
	if near := suggest.Nearest(name, functions); near != "" {
		remedy = fmt.Sprintf("Did you mean %q?", near)
	}
	a.fail(n, fmt.Sprintf("There is no function %q in a mapping.", name), remedy)
}

// depth finds a predicate inside of a predicate.
func (a *admission) depth(n ast.Node, inside bool) {
	v := &predicates{}
	ast.Walk(&n, v)
	for _, p := range v.found {
		inner := &predicates{}
		ast.Walk(&p.Node, inner)
		if len(inner.found) > 0 {
			a.fail(p, "One list is searched inside of the search of another.", "Write the outer list in alerts, and the inner search in the other fields.")
		}
	}
}

type predicates struct{ found []*ast.PredicateNode }

// Visit implements ast.Visitor.
func (v *predicates) Visit(n *ast.Node) {
	if p, ok := (*n).(*ast.PredicateNode); ok {
		v.found = append(v.found, p)
	}
}

// placed puts expr's error into plain words.
func placed(src string, err error) *quantity.Error {
	var fe *file.Error
	if !errors.As(err, &fe) {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return &quantity.Error{End: len(src), Message: "The expression cannot be read: " + line + "."}
	}
	e := &quantity.Error{Offset: byteOf(src, fe.From), End: byteOf(src, fe.To), Message: "The expression cannot be read: " + fe.Message + ".",
		Remedy: `An expression reads like: payload.alerts, or alert.state == "alerting" ? "firing" : "resolved".`}
	if name, ok := strings.CutPrefix(fe.Message, "unknown name "); ok {
		e.Message = fmt.Sprintf("There is nothing named %q.", name)
		e.Remedy = "An expression looks at payload and, but for the list of alerts, at alert; a text stands in quotes."
	}
	return e
}

// byteOf is the byte offset of a rune.
func byteOf(src string, rune int) int {
	n := 0
	for i := range src {
		if n == rune {
			return i
		}
		n++
	}
	return len(src)
}
