package quantity

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The token types. Every text can be split into them, so that errors always
// come from the parser, which knows what it wanted.
const (
	tokenNumber lexer.TokenType = iota + 1
	tokenWord
	tokenKey
	tokenSign
	tokenOther
)

// keys are words that are never a unit.
var keys = map[string]bool{"in": true, "log": true, "linear": true, "steps": true}

// scanner is a hand-written lexer: the stateful one of participle costs more
// than all the rest of a quantity.
type scanner struct{}

// Symbols implements lexer.Definition.
func (scanner) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Number": tokenNumber, "Word": tokenWord, "Key": tokenKey, "Sign": tokenSign, "Other": tokenOther,
	}
}

// Lex implements lexer.Definition.
func (s scanner) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return s.LexString(name, string(b))
}

// LexString implements lexer.StringDefinition.
func (scanner) LexString(_ string, text string) (lexer.Lexer, error) { return &tokens{text: text}, nil }

type tokens struct {
	text string
	at   int
}

// Next implements lexer.Lexer.
func (t *tokens) Next() (lexer.Token, error) {
	for t.at < len(t.text) && (t.text[t.at] == ' ' || t.text[t.at] == '\t' || t.text[t.at] == '\n') {
		t.at++
	}
	rest := t.text[t.at:]
	if rest == "" {
		return lexer.EOFToken(lexer.Position{Offset: t.at, Line: 1, Column: t.at + 1}), nil
	}
	typ, size := tokenOther, 1
	switch c := rest[0]; {
	case isDigit(c):
		typ, size = tokenNumber, numberSize(rest)
	case strings.HasPrefix(rest, ".."):
		typ, size = tokenSign, 2
	case c == '%':
		typ = tokenWord
	case c == ',' || c == '/' || c == '-' || c == '+':
		typ = tokenSign
	default:
		if size = wordSize(rest); size > 0 {
			typ = tokenWord
			if keys[rest[:size]] {
				typ = tokenKey
			}
		} else {
			_, size = utf8.DecodeRuneInString(rest)
		}
	}
	tok := lexer.Token{Type: typ, Value: rest[:size], Pos: lexer.Position{Offset: t.at, Line: 1, Column: t.at + 1}}
	t.at += size
	return tok, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numberSize measures digits, a fraction and an exponent. A point counts only
// before a digit, so that the two points of a range stay whole.
func numberSize(s string) int {
	i := digits(s, 0)
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		i = digits(s, i+1)
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			i = digits(s, j)
		}
	}
	return i
}

func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func wordSize(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) {
			return i
		}
	}
	return len(s)
}
