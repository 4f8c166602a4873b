package gate

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/lang/internal/condition"
)

// Grammar is the grammar of a gate's condition and what it may name, as text
// for the language reference.
func Grammar() string {
	var b strings.Builder
	b.WriteString(`condition   = or .
or          = and { ( "or" | "||" ) and } .
and         = test { ( "and" | "&&" ) test } .
test        = comparison | ( "not" | "!" ) operand | operand .
comparison  = sum { ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
            | field [ "not" ] "in" "[" text { "," text } "]" .
sum         = product { ( "+" | "-" ) product } .
product     = operand { ( "*" | "/" ) operand } .
operand     = figure | field | number | text | "true" | "false" | "-" operand
            | "abs" "(" sum ")" | ( "min" | "max" ) "(" sum "," sum { "," sum } ")"
            | quantifier "(" rows "," condition ")" | "(" condition ")" .
quantifier  = "all" | "any" | "none" | "count" .
rows        = "transforms" | "requests" | "filter" "(" rows "," condition ")" .
field       = "." name .
text        = '"' characters '"' | "'" characters "'" .

`)
	fmt.Fprintf(&b, "A condition has at most %d bytes and %d parts. Numbers are exact decimals, and\n", condition.MaxSource, condition.MaxNodes)
	b.WriteString(`a chain such as 0.9 <= x <= 1.1 means both comparisons. A field stands only in the
condition of a quantifier or a filter, and these do not stand inside one another.
count gives the number of rows that the condition holds of.

A gate passes only where its condition is true and every figure in it exists. It
fails where the figures that exist decide that it is false. Otherwise it has no
data: a figure is null, there are no rows to look at, or something is divided by
zero. So "true or null" has no data, and "false and null" fails.

figures of the whole run:
`)
	write := func(prefix string, list []Metric) {
		for _, m := range list {
			fmt.Fprintf(&b, "  %-46s %-6s %s\n", prefix+m.Name, m.Kind, m.Doc)
		}
	}
	write("", metrics)
	b.WriteString("\nfields of a row of transforms:\n")
	write(".", groupMetrics)
	b.WriteString("\nfields of a row of requests:\n")
	write(".", fields)
	return b.String()
}

// String is the kind in one word.
func (k Kind) String() string {
	switch k {
	case Text:
		return "text"
	case Count:
		return "count"
	case Rate:
		return "rate"
	case Ratio:
		return "ratio"
	case Time:
		return "ms"
	case Score:
		return "score"
	case Truth:
		return "truth"
	}
	return "unknown"
}
