// Package figure prints the numbers of results for readers, so that one number
// reads alike in a report and in a comparison. A value that does not exist is
// "none", or the word that its place asks for.
//
// It imports lang/exact only.
package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// Digits is how many significant digits an indicator's value is printed with.
const Digits = 3

// Seconds prints seconds to the tenth, with two decimals below ten and three
// below one.
func Seconds(v float64) string {
	places := 1
	switch {
	case math.Abs(v) < 1:
		places = 3
	case math.Abs(v) < 10:
		places = 2
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// Optional is Seconds, or no where there is no value.
func Optional(v *float64, no string) string {
	if v == nil {
		return no
	}
	return Seconds(*v)
}

// Bounded is Optional with the error bound that every latency has to carry
// (FD-3.5-5).
func Bounded(v, bound *float64, no string) string {
	if v == nil || bound == nil {
		return Optional(v, no)
	}
	return Seconds(*v) + " ± " + Significant(*bound, 2)
}

// Span prints a length of time in units, to the second from one minute on.
func Span(seconds float64) string {
	d := exact.Duration(math.Round(seconds * 1e9))
	if d >= exact.Minute {
		d = (d + exact.Second/2) / exact.Second * exact.Second
	}
	return d.String()
}

// Significant prints v in plain notation with so many significant digits and
// no trailing zeros.
func Significant(v float64, digits int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	places := max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v)))))
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Three is Significant with Digits digits.
func Three(v float64) string { return Significant(v, Digits) }

// Two prints two decimals.
func Two(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// Decimal is an exact decimal of a result, rounded for a reader. A text that is
// none stays as it is.
func Decimal(s *string) string {
	if s == nil {
		return "none"
	}
	n, err := exact.Parse(*s)
	if err != nil {
		return *s
	}
	return Significant(n.Float64(), Digits)
}

// Signed is a magnitude with its sign: it is a change, not a level. A text that
// is no number stays as it is.
func Signed(s string) string {
	n, err := exact.Parse(s)
	if err != nil {
		return s
	}
	if n.Sign() > 0 {
		return "+" + Magnitude(n)
	}
	return Magnitude(n)
}

// Magnitude prints a declared magnitude in full, and one that a search made by
// halving to four digits; result.json has it in full.
func Magnitude(n exact.Number) string {
	if s := n.String(); len(s) <= 6 {
		return s
	}
	return Significant(n.Float64(), 4)
}
