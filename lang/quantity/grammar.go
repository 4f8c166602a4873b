package quantity

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The syntax trees. The grammars are LL(1); what a tree means is decided
// afterwards, where better messages can be given.

type measureNode struct {
	Pos    lexer.Position
	EndPos lexer.Position
	Sign   string    `parser:"@('-' | '+')?"`
	Num    string    `parser:"@Number"`
	Den    string    `parser:"('/' @Number)?"`
	Unit   *unitNode `parser:"@@?"`
	Tokens []lexer.Token
}

type unitNode struct {
	Pos    lexer.Position
	Name   string `parser:"@Word"`
	Per    string `parser:"('/' @Word)?"`
	Tokens []lexer.Token
}

// valueNode is one quantity: a measure, or the parts of "1h30m".
type valueNode struct {
	Parts []*measureNode `parser:"@@+"`
}

type sweepNode struct {
	First *valueNode   `parser:"@@"`
	Range *rangeNode   `parser:"@@?"`
	Rest  []*valueNode `parser:"(',' @@)*"`
}

type rangeNode struct {
	To     *valueNode `parser:"'..' @@"`
	Count  *countNode `parser:"'in' @@"`
	Scale  string     `parser:"@('log' | 'linear')"`
	Tokens []lexer.Token
	Steps  string `parser:"@'steps'"`
}

type countNode struct {
	Pos  lexer.Position
	Text string `parser:"@Number"`
}

// shapeNode is a word and its arguments: a profile or a distribution.
type shapeNode struct {
	Pos   lexer.Position
	Name  string         `parser:"@(Word | Key)"`
	First []*measureNode `parser:"@@*"`
	Rest  []*measureNode `parser:"(',' @@+)?"`
}

var (
	valueParser = build[valueNode]()
	sweepParser = build[sweepNode]()
	shapeParser = build[shapeNode]()
)

func build[G any]() *participle.Parser[G] {
	return participle.MustBuild[G](participle.Lexer(scanner{}))
}

// maxText bounds a text in bytes, so that a hostile one costs nothing.
const maxText = 4096

// parse runs a parser and puts its error into plain words. What names the kind
// of text with its article ("a duration"); remedy says what to write.
func parse[G any](p *participle.Parser[G], s, what, remedy string) (*G, *Error) {
	switch {
	case len(s) > maxText:
		return nil, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The text has more than %d bytes, too many for %s.", maxText, what), Remedy: remedy}
	case strings.TrimSpace(s) == "":
		return nil, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The text is empty, where %s is expected.", what), Remedy: remedy}
	}
	tree, err := p.ParseString("", s)
	if err == nil {
		return tree, nil
	}
	at := len(s)
	var perr participle.Error
	if errors.As(err, &perr) {
		at = min(max(perr.Position().Offset, 0), len(s))
	}
	if strings.TrimSpace(s[at:]) == "" {
		return nil, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q ends too early for %s.", s, what), Remedy: remedy}
	}
	end := at + tokenSize(s[at:])
	return nil, &Error{Offset: at, End: end, Message: fmt.Sprintf("%q is not expected here in %s.", s[at:end], what), Remedy: remedy}
}

func tokenSize(s string) int {
	t := tokens{text: s}
	tok, _ := t.Next()
	if n := len(tok.Value); n > 0 {
		return n
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// end is the offset behind the last token of a node.
func end(tokens []lexer.Token) int {
	if len(tokens) == 0 {
		return 0
	}
	last := tokens[len(tokens)-1]
	return last.Pos.Offset + len(last.Value)
}

// group splits measures into quantities: the parts of one stand without a
// space between them.
func group(parts []*measureNode) [][]*measureNode {
	var out [][]*measureNode
	for i, m := range parts {
		if i > 0 && end(parts[i-1].Tokens) == m.Pos.Offset {
			out[len(out)-1] = append(out[len(out)-1], m)
			continue
		}
		out = append(out, []*measureNode{m})
	}
	return out
}
