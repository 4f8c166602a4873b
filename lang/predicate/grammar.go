package predicate

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/lang/internal/condition"
)

// Grammar is the grammar of conditions and the records that they look at, as
// text for the language reference.
func Grammar() string {
	var b strings.Builder
	b.WriteString(`condition   = or .
or          = and { ( "or" | "||" ) and } .
and         = test { ( "and" | "&&" ) test } .
test        = comparison | "not" operand | "!" operand | operand .
comparison  = operand ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand
            | operand [ "not" ] ( "contains" | "startsWith" | "endsWith" ) operand
            | operand [ "not" ] "matches" text
            | operand [ "not" ] "in" ( list | labels ) .
operand     = field | text | number | "true" | "false" | function "(" operand ")" | "(" condition ")" .
list        = "[" ( text | integer ) { "," ( text | integer ) } "]" .
field       = record "." name | labels "." name | labels "[" text "]" .
labels      = "signal.labels" .
function    = "len" | "lower" | "upper" | "trim" .
text        = '"' characters '"' | "'" characters "'" .

`)
	fmt.Fprintf(&b, "A condition has at most %d bytes and %d parts. == and != compare texts, whole\n", condition.MaxSource, condition.MaxNodes)
	b.WriteString("numbers or truth values; < <= > >= compare numbers. `not` holds tighter than a\n")
	b.WriteString("comparison. A pattern of `matches` is a constant RE2 expression that may match\n")
	b.WriteString("anywhere in the text.\n")
	for _, group := range [][]*record{attributionRecords, responseRecords} {
		for _, r := range group {
			fmt.Fprintf(&b, "\n%s: %s\n", r.name, r.doc)
			for _, f := range r.fields {
				fmt.Fprintf(&b, "  %-24s %s\n", r.name+"."+f.name, f.doc)
			}
		}
	}
	return b.String()
}
