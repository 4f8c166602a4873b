package condition

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/fdbench/fdbench/lang/internal/exprpos"
	"github.com/fdbench/fdbench/lang/quantity"
)

// Bounds of a condition.
const (
	MaxSource = 2048 // bytes
	MaxNodes  = 200  // parts; expr's parser may make four of one
	MaxDepth  = 64   // brackets
)

// Form is a kind of condition, as what is said to who writes one wrongly: each
// is a sentence that says what to write.
type Form struct {
	Example string // for one that cannot be read
	Empty   string // for one that is empty
	Shorten string // for one that is too long, or has too many parts
	Plain   string // for a pipe, which expr would take for a call

	// Own puts into e what is special about this kind, where it is: got is what
	// was written at the place of e, and message is expr's. It may be nil.
	Own func(src, got, message string, e *quantity.Error) bool
}

// parsing is shared by all parsers, which only read it. All builtins are known
// to it, so that a forbidden one is refused by its name.
var parsing = func() *conf.Config {
	c := conf.CreateNew()
	c.MaxNodes = 4 * MaxNodes
	return c
}()

// Parse reads a condition. What is in it is not looked at yet.
func (f *Form) Parse(src string) (ast.Node, exprpos.Spans, *quantity.Error) {
	fail := func(message, remedy string) (ast.Node, exprpos.Spans, *quantity.Error) {
		return nil, exprpos.Spans{}, &quantity.Error{End: len(src), Message: message, Remedy: remedy}
	}
	switch {
	case len(src) > MaxSource:
		return fail(fmt.Sprintf("The condition has more than %d bytes.", MaxSource), f.Shorten)
	case strings.TrimSpace(src) == "":
		return fail("The condition is empty.", f.Empty)
	case !utf8.ValidString(src):
		return fail("The condition is not UTF-8.", "Write it in UTF-8.")
	}
	s := exprpos.New(src)
	mistake, err := s.Tokens(MaxDepth, f.Plain)
	if mistake != nil {
		return nil, s, mistake
	}
	if err == nil {
		var tree *parser.Tree
		if tree, err = parser.ParseWithConfig(src, parsing); err == nil {
			return tree.Node, s, nil
		}
	}
	return nil, s, f.syntax(src, s, err)
}

// Again parses the canonical text of a condition that was admitted. It may be
// longer than what was written.
func Again(text string) (ast.Node, error) {
	tree, err := parser.ParseWithConfig(text, parsing)
	if err != nil {
		return nil, err
	}
	return tree.Node, nil
}

// TooMany is the message and the remedy for a condition with more parts than
// MaxNodes.
func (f *Form) TooMany() (message, remedy string) {
	return fmt.Sprintf("The condition has more than %d parts.", MaxNodes), f.Shorten
}

// syntax puts expr's error into plain words.
func (f *Form) syntax(src string, s exprpos.Spans, err error) *quantity.Error {
	e := &quantity.Error{End: len(src), Message: "The condition cannot be read.", Remedy: f.Example}
	var fe *file.Error
	if !errors.As(err, &fe) {
		return e
	}
	e.Offset, e.End = s.Byte(fe.From), max(s.Byte(fe.To), s.Byte(fe.From))
	got := strings.TrimSpace(src[e.Offset:e.End])
	switch {
	case strings.Contains(fe.Message, "maximum allowed nodes"):
		e.Message, e.Remedy = f.TooMany()
	case strings.Contains(fe.Message, "not terminated"):
		e.Offset, e.End = max(strings.LastIndexAny(src, "\"'`"), 0), len(src)
		e.Message, e.Remedy = "A text is not closed.", "End it with the quote that it begins with."
	case strings.Contains(fe.Message, "literal"):
		e.Offset, e.End = numberBefore(src, e.Offset)
		e.Message, e.Remedy = fmt.Sprintf("%.30q is too large, or not a number.", src[e.Offset:e.End]), "Write a plain decimal, such as 0.01."
	case f.Own != nil && f.Own(src, got, fe.Message, e):
	case got == "" || strings.Contains(fe.Message, "EOF"):
		e.Offset, e.End = 0, len(src)
		e.Message = "The condition ends too early."
	case got == "=":
		e.Message, e.Remedy = "One equals sign is no comparison.", "Write ==."
	case strings.Contains(fe.Message, "unrecognized character"):
		e.Message = fmt.Sprintf("The character %q has no meaning here.", got)
	case strings.Contains(fe.Message, "unexpected token"):
		e.Message = fmt.Sprintf("%q is not expected here.", got)
	default:
		e.Message = fmt.Sprintf("The condition cannot be read at %q.", got)
	}
	return e
}

// numberBefore is the extent of the last number that begins before a place:
// expr gives the place of what follows it.
func numberBefore(src string, at int) (from, to int) {
	for from = at - 1; from > 0; from-- {
		if c := src[from]; c >= '0' && c <= '9' && !digit(src[from-1]) {
			break
		}
	}
	from = max(from, 0)
	for to = from; to < len(src) && digit(src[to]); {
		to++
	}
	return from, to
}

// digit tells whether a byte can belong to a number.
func digit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '_'
}

// Foreign names a part that expr's parser knows and no condition has, such as
// "A slice", and "" for any other.
func Foreign(n ast.Node) string {
	switch n.(type) {
	case *ast.ConditionalNode:
		return "A choice (?: or if)"
	case *ast.SliceNode:
		return "A slice"
	case *ast.MapNode, *ast.PairNode:
		return "An object"
	case *ast.BytesNode:
		return "A text of bytes"
	case *ast.VariableDeclaratorNode:
		return "A variable (let)"
	case *ast.SequenceNode:
		return "A sequence of expressions (;)"
	case *ast.PredicateNode:
		return "A closure"
	}
	return ""
}

// Word is the canonical spelling of an operator.
func Word(op string) string {
	switch op {
	case "&&":
		return "and"
	case "||":
		return "or"
	}
	return op
}
