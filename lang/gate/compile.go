package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/quantity"
)

// Error is a mistake in a condition: byte offsets, what is wrong, and what to
// write instead.
type Error = quantity.Error

// maxParams bounds the parameters of a condition.
const maxParams = 16

// Condition is what a gate asks of a result. It is immutable, and may be used
// by several goroutines at once.
type Condition struct {
	root   node
	text   string
	params []string // those that are not bound yet
	uses   []Use
}

// Use is a figure that a condition names.
type Use struct {
	// Rows is "transforms" or "requests" for a field of such a row, and "" for a
	// figure of the whole run.
	Rows   string
	Metric Metric
}

const example = "A condition reads like: negative_control_semantic_eligible_rate <= 0.01."

// form is what is said to who writes a condition wrongly.
var form = condition.Form{
	Example: example,
	Empty:   example,
	Shorten: "Split it into several gates.",
	Plain:   "Write the function before its arguments: abs(semantic_eligible_lift).",
	Own: func(src, got, message string, e *Error) bool {
		switch {
		case strings.HasSuffix(strings.TrimSpace(src), "%"):
			e.Offset, e.End = strings.LastIndexByte(src, '%'), strings.LastIndexByte(src, '%')+1
			e.Message, e.Remedy = "There is no percent sign in a condition.", "Write a share: 1 % is 0.01."
		case got == "#" || got == ".":
			e.Message, e.Remedy = "A field of a row stands only inside all, any, none, count and filter.", "Write: all(transforms, .semantic_eligible_lift >= 0)."
		case strings.Contains(message, "at least"):
			e.Message, e.Remedy = fmt.Sprintf("An argument is missing at %q.", got), "Write: count(requests, .failed) <= 2."
		default:
			return false
		}
		return true
	},
}

// Compile reads a condition. One that names no figure, and one whose outcome is
// the same whatever was measured, is a mistake.
func Compile(src string) (*Condition, *quantity.Error) { return compile(src, nil) }

// CompileLibrary reads a condition with the free names params, such as the
// limit of a gate of the standard library. They stand for numbers, and have to
// be bound before the condition is evaluated.
func CompileLibrary(src string, params ...string) (*Condition, *quantity.Error) {
	return compile(src, params)
}

func compile(src string, params []string) (*Condition, *Error) {
	whole := func(message, remedy string) *Error { return &Error{End: len(src), Message: message, Remedy: remedy} }
	if len(params) > maxParams {
		return nil, whole(fmt.Sprintf("A condition has at most %d parameters.", maxParams), "Write the others out.")
	}
	for _, p := range params {
		if !free(p) {
			return nil, whole(fmt.Sprintf("%q cannot be the name of a parameter.", p), "Take a name in lower case that is no figure, no function and no word of the language.")
		}
	}
	tree, s, err := form.Parse(src)
	if err != nil {
		return nil, err
	}
	c := checker{params: params, spans: s}
	root, t, err := c.check(tree)
	switch {
	case err != nil:
		return nil, err
	case t.kind != kindTruth:
		return nil, c.fail(tree, fmt.Sprintf("The condition is %s, not true or false.", t.kind), "Compare it with something: pairs_used >= 30.")
	case len(c.uses) == 0:
		return nil, whole("The condition names no figure of a result.", example)
	}
	switch fold(root) {
	case always:
		return nil, whole("The condition is true whatever was measured.", "A gate has to be able to fail: compare with a value that the figure can miss.")
	case never:
		return nil, whole("The condition is false whatever was measured.", "A gate has to be able to pass: compare with a value that the figure can have.")
	}
	return &Condition{root: root, text: text(root), params: slices.Clone(c.named), uses: c.uses}, nil
}

// Text is the canonical text, which compiles to the same condition. Two
// conditions that differ in layout only have one text.
func (c *Condition) Text() string { return c.text }

// Metrics are the figures of the whole run that the condition names, each once,
// in the order of their first mention. Uses has the fields of rows too.
func (c *Condition) Metrics() []string {
	var names []string
	for _, u := range c.uses {
		if u.Rows == "" {
			names = append(names, u.Metric.Name)
		}
	}
	return names
}

// Uses is every figure that the condition names, those of rows too, each once,
// in the order of their first mention.
func (c *Condition) Uses() []Use { return slices.Clone(c.uses) }

// Rows tells whether the condition looks at the rows named "transforms" or
// "requests", so that a caller need not make rows that nobody reads.
func (c *Condition) Rows(name string) bool {
	found := false
	walk(c.root, func(n node) {
		if r, ok := n.(*rowsNode); ok && r.of == name {
			found = true
		}
	})
	return found
}

// HeldAgainst lists, for each comparison that the figure of the whole run
// stands in, the other figures of the same comparison. An empty list in it is a
// comparison with constants alone (KV-8-8 forbids that for some figures).
func (c *Condition) HeldAgainst(metric string) [][]string {
	var all [][]string
	walk(c.root, func(n node) {
		b, ok := n.(*binaryNode)
		if !ok || !comparison(b.op) {
			return
		}
		found, others := false, []string{}
		walk(b, func(n node) {
			if f, ok := n.(*figureNode); ok && f.metric.Name == metric {
				found = true
			} else if ok && !slices.Contains(others, f.metric.Name) {
				others = append(others, f.metric.Name)
			}
		})
		if found {
			all = append(all, others)
		}
	})
	return all
}

// Params are the names that are still to be bound, in the order of their first
// mention.
func (c *Condition) Params() []string { return slices.Clone(c.params) }

// Bind gives the parameter its value. It fails where the condition has no such
// parameter, where the value cannot be written down, and where the condition
// would then be true or false whatever was measured.
func (c *Condition) Bind(name string, v exact.Number) (*Condition, error) {
	at := slices.Index(c.params, name)
	if at < 0 {
		return nil, fmt.Errorf("the condition %s has no parameter %q", c.text, name)
	}
	if s := number(v); len(s) > maxNumber {
		return nil, fmt.Errorf("%.20s... is too long for a limit: a number has at most %d characters", s, maxNumber)
	}
	bound := text(replace(c.root, name, v))
	with, err := compile(bound, slices.Delete(slices.Clone(c.params), at, at+1))
	if err != nil {
		return nil, fmt.Errorf("with %s = %s: %w", name, v, err)
	}
	return with, nil
}

// replace is n with the parameter's value in its place.
func replace(n node, name string, v exact.Number) node {
	switch n := n.(type) {
	case *paramNode:
		if n.name == name {
			return &numberNode{v}
		}
	case *unaryNode:
		return &unaryNode{n.op, replace(n.x, name, v)}
	case *binaryNode:
		return &binaryNode{n.op, replace(n.l, name, v), replace(n.r, name, v)}
	case *callNode:
		args := make([]node, len(n.args))
		for i, a := range n.args {
			args[i] = replace(a, name, v)
		}
		return &callNode{n.name, args}
	case *quantifierNode:
		rows := *n.rows
		if rows.where != nil {
			rows.where = replace(rows.where, name, v)
		}
		return &quantifierNode{n.name, &rows, replace(n.cond, name, v)}
	}
	return n
}
