package predicate

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/expr-lang/expr/ast"
)

// Bounds of a pattern. RE2 matches in time linear in the text, with a factor
// that grows with the compiled pattern, so that has to stay small.
const (
	maxPattern = 512  // bytes
	maxProgram = 5000 // instructions, roughly
)

// pattern admits a constant regular expression of bounded size.
func (c *checker) pattern(n ast.Node) *Error {
	s, ok := n.(*ast.StringNode)
	if !ok {
		return c.fail(n, "The pattern of `matches` is a text in quotes, known before the run.", "Write the pattern out, or use contains for a text that is not constant.")
	}
	if len(s.Value) > maxPattern {
		return c.fail(n, fmt.Sprintf("The pattern has more than %d bytes.", maxPattern), "Shorten it, or split it into several joined by `or`.")
	}
	re, err := syntax.Parse(s.Value, syntax.Perl)
	if err != nil {
		message := "The pattern is not a regular expression."
		if e, ok := err.(*syntax.Error); ok {
			message = fmt.Sprintf("The pattern is not a regular expression: %s in %q.", e.Code, e.Expr)
		}
		return c.fail(n, message, "The syntax is that of Go's regexp package (RE2): no look-around and no back-references.")
	}
	if size(re, 0) > maxProgram {
		return c.fail(n, "The pattern is too large once its repetitions are written out.", "Use smaller counts, or * and +.")
	}
	if _, err := regexp.Compile(s.Value); err != nil {
		return c.fail(n, "The pattern cannot be compiled.", "Shorten it.")
	}
	return nil
}

// size estimates the instructions of a compiled pattern without compiling it.
func size(re *syntax.Regexp, depth int) int {
	if depth > 100 {
		return maxProgram + 1
	}
	n := 1 + len(re.Rune)/2
	for _, sub := range re.Sub {
		n += size(sub, depth+1)
		if n > maxProgram {
			return n
		}
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Max, re.Min, 1)
	}
	return min(n, maxProgram+1)
}
