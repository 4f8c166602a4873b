package quantity

import (
	"fmt"
	"strings"
)

// Grammar is the grammar of quantities, sweeps, profiles and distributions, as
// text for the language reference.
func Grammar() string {
	var b strings.Builder
	b.WriteString(`quantity     = measure | compound .
measure      = [ sign ] number [ "/" number ] [ unit ] .
compound     = number time { number time } .        (no spaces; larger units first; only the last number has decimals)
sweep        = measure ".." measure "in" integer ( "log" | "linear" ) "steps"
             | measure { "," measure } .
profile      = "step" | "ramp" duration | "pulse" duration
             | "intermittent" duration duration | "drift" duration .
distribution = "constant" measure | "uniform" measure measure | "exponential" measure
             | "lognormal" measure "," number | "normal" measure "," measure .
duration     = measure | compound .                  (of the dimension duration)
number       = digits [ "." digits ] [ "e" [ sign ] digits ] .
sign         = "+" | "-" .

Units:
`)
	for _, u := range units {
		fmt.Fprintf(&b, "  %-11s %-30s %s\n", u.name, u.doc, u.dimension)
	}
	fmt.Fprintf(&b, `
A number without a unit is a plain number. In a sweep, a unit holds for all
numbers before it that have none. A range has 2 to %d points; both its ends are
exact. The inner points of a log range, and those of a linear range whose
difference has no finite decimal, are rounded half up to three significant
digits. Two points that meet are an error.
`, MaxPoints)
	return b.String()
}
