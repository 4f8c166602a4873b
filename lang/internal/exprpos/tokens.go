package exprpos

import (
	"fmt"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"

	"github.com/fdbench/fdbench/lang/quantity"
)

// Tokens looks at what the parser would hide or choke on: pipes, which it turns
// into calls, and nesting beyond maxDepth, for which it recurses. plain is the
// remedy for a pipe. The second result is the lexer's own error.
func (s Spans) Tokens(maxDepth int, plain string) (*quantity.Error, error) {
	list, err := lexer.Lex(file.NewSource(s.src))
	if err != nil {
		return nil, err
	}
	open, unary := 0, 0
	for _, t := range list {
		fail := func(message, remedy string) (*quantity.Error, error) {
			return &quantity.Error{Offset: s.Byte(t.From), End: s.Byte(t.To), Message: message, Remedy: remedy}, nil
		}
		op := t.Kind == lexer.Operator
		switch {
		case t.Kind == lexer.Bracket && (t.Value == "(" || t.Value == "[" || t.Value == "{"), op && t.Value == "?":
			open++
		case t.Kind == lexer.Bracket:
			open--
		case op && (t.Value == "|" || t.Value == "::"):
			return fail(fmt.Sprintf("%s is not part of a condition.", t.Value), plain)
		}
		if op && (t.Value == "not" || t.Value == "!" || t.Value == "-" || t.Value == "+") {
			unary++
		} else {
			unary = 0
		}
		if open > maxDepth || unary > maxDepth {
			return fail(fmt.Sprintf("The condition is nested more than %d deep.", maxDepth), "Write it flatter.")
		}
	}
	return nil, nil
}
