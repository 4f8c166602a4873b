package exact

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// Number is an immutable fraction. The zero value is 0.
//
// Its text form is a plain decimal ("0.05", "-12") where one exists and a
// reduced fraction ("64/3") elsewhere; JSON holds it as that text in a string.
type Number struct{ r *big.Rat }

// Int returns n as a Number.
func Int(n int64) Number { return Number{new(big.Rat).SetInt64(n)} }

// Frac returns num/den. A den of zero is a programmer's error and panics.
func Frac(num, den int64) Number { return Number{big.NewRat(num, den)} }

// FromRat returns a Number that holds a copy of r.
func FromRat(r *big.Rat) Number { return Number{new(big.Rat).Set(r)} }

// FromFloat returns the exact value of f, and false where f is not finite.
func FromFloat(f float64) (Number, bool) {
	r := new(big.Rat).SetFloat64(f)
	if r == nil {
		return Number{}, false
	}
	return Number{r}, true
}

// maxText bounds what Parse reads, so that a hostile exponent or a megabyte of
// digits costs nothing.
const maxText = 64

// Parse reads a decimal ("0.05", "1e-3") or a fraction ("9/10").
func Parse(s string) (Number, error) {
	if len(s) > maxText {
		return Number{}, fmt.Errorf("a number has at most %d characters", maxText)
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 4 {
		return Number{}, fmt.Errorf("%q has too large an exponent", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "_xXpPbBoO") {
		return Number{}, fmt.Errorf("%q is not a number", s)
	}
	return Number{r}, nil
}

// MustParse is Parse for constants; it panics on an error.
func MustParse(s string) Number {
	n, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return n
}

// Rat returns a copy that the caller may change.
func (n Number) Rat() *big.Rat {
	if n.r == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(n.r)
}

func (n Number) view() *big.Rat {
	if n.r == nil {
		return new(big.Rat)
	}
	return n.r
}

// Cmp is -1, 0 or 1 as n is less than, equal to or greater than m.
func (n Number) Cmp(m Number) int { return n.view().Cmp(m.view()) }

// Sign is -1, 0 or 1.
func (n Number) Sign() int { return n.view().Sign() }

// Add returns n+m.
func (n Number) Add(m Number) Number { return Number{new(big.Rat).Add(n.view(), m.view())} }

// Sub returns n-m.
func (n Number) Sub(m Number) Number { return Number{new(big.Rat).Sub(n.view(), m.view())} }

// Mul returns n*m.
func (n Number) Mul(m Number) Number { return Number{new(big.Rat).Mul(n.view(), m.view())} }

// Div returns n/m. An m of zero is a programmer's error and panics.
func (n Number) Div(m Number) Number { return Number{new(big.Rat).Quo(n.view(), m.view())} }

// Neg returns -n.
func (n Number) Neg() Number { return Number{new(big.Rat).Neg(n.view())} }

// Abs returns the absolute value of n.
func (n Number) Abs() Number { return Number{new(big.Rat).Abs(n.view())} }

// Float64 returns the nearest binary64, for drawing and for advisory
// statistics only: no rule may be decided with it.
func (n Number) Float64() float64 { f, _ := n.view().Float64(); return f }

// IsInt tells whether n is a whole number.
func (n Number) IsInt() bool { return n.view().IsInt() }

// Int64 returns the integer part toward zero, and whether it fits.
func (n Number) Int64() (int64, bool) {
	q := new(big.Int).Quo(n.view().Num(), n.view().Denom())
	return q.Int64(), q.IsInt64()
}

// Ceil returns the smallest whole number that is not below n, and whether it
// fits.
func (n Number) Ceil() (int64, bool) {
	v := n.view()
	q, m := new(big.Int).DivMod(v.Num(), v.Denom(), new(big.Int))
	if m.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64(), q.IsInt64()
}

// String is the canonical text: a plain decimal if the value has one, else a
// reduced fraction.
func (n Number) String() string {
	v := n.view()
	if v.IsInt() {
		return v.Num().String()
	}
	if digits, ok := v.FloatPrec(); ok {
		return v.FloatString(digits)
	}
	return v.String()
}

// Decimal is n rounded half away from zero to at most places decimals, without
// trailing zeros.
func (n Number) Decimal(places int) string {
	s := n.view().FloatString(places)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// Round is n rounded half away from zero to places decimals.
func (n Number) Round(places int) Number {
	return fromOwnText(n.view().FloatString(places))
}

// fromOwnText reads a decimal of any length that this package itself wrote.
func fromOwnText(s string) Number {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("exact: not a decimal: " + s)
	}
	return Number{r}
}

// Sqrt is the square root of n, rounded down at places decimals. It is for
// printing; a rule compares squares instead. A negative n panics.
func (n Number) Sqrt(places int) Number {
	if n.Sign() < 0 {
		panic("exact: square root of a negative number")
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(2*places)), nil)
	v := new(big.Int).Mul(n.view().Num(), scale)
	v.Quo(v, n.view().Denom())
	v.Sqrt(v)
	root := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	return Number{new(big.Rat).SetFrac(v, root)}
}

// MarshalJSON writes the canonical text as a string.
func (n Number) MarshalJSON() ([]byte, error) { return json.Marshal(n.String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Number) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("an exact number is a string: %w", err)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return fmt.Errorf("%q is not a number", s)
	}
	n.r = r
	return nil
}
