package compiler

import (
	"math/big"
	"strconv"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/zclconf/go-cty/cty"
)

// digits is how many significant decimal digits a number keeps on its way out
// of an expression. The language computes in binary with 512 bits, so 0.1+0.2
// is not 0.3 there; the nearest decimal of 34 digits (those of IEEE 754
// decimal128) is.
const digits = 34

// maxNumber and minNumber bound the magnitude of a number. Nothing that a scenario counts or
// measures comes near it, and a text of a thousand digits helps nobody.
var (
	maxNumber = big.NewFloat(1e15)
	minNumber = big.NewFloat(0.9999999e-15) // 1e-15 itself has no binary form
)

// fromCty returns a number of an expression as an exact decimal. A literal
// within 34 digits comes out as it is written. It is false for an infinity and
// for a magnitude outside 1e-15..1e15, which no quantity of a scenario has.
func fromCty(v cty.Value) (exact.Number, bool) {
	f := v.AsBigFloat()
	if f.Sign() == 0 {
		return exact.Number{}, true
	}
	if f.IsInf() {
		return exact.Number{}, false
	}
	if a := new(big.Float).Abs(f); a.Cmp(maxNumber) > 0 || a.Cmp(minNumber) < 0 {
		return exact.Number{}, false
	}
	if n, ok := short(f); ok {
		return n, true
	}
	// The exponent is small here, so the text is short.
	n, err := exact.Parse(trimZeros(f.Text('f', digits-exponent(f))))
	return n, err == nil
}

// short handles what nearly every number is, a whole number or a decimal of at
// most 17 digits, at a fraction of the cost.
func short(f *big.Float) (exact.Number, bool) {
	if i, acc := f.Int64(); acc == big.Exact {
		return exact.Int(i), true
	}
	near, _ := f.Float64()
	text := strconv.FormatFloat(near, 'f', -1, 64)
	back, _, err := big.ParseFloat(text, 10, f.Prec(), big.ToNearestEven)
	if err != nil || back.Cmp(f) != 0 {
		return exact.Number{}, false
	}
	n, err := exact.Parse(text)
	return n, err == nil
}

// exponent is the number of decimal digits before the point, 0 or less where
// the number is below 1 (0.1 has 0, 0.01 has -1).
func exponent(f *big.Float) int {
	// Text in 'e' form rounds to the wanted digits first, so that 9.99..9
	// counts as 10.
	text := f.Text('e', digits-1)
	e, sign := 0, 1
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == 'e' {
			for _, c := range text[i+1:] {
				switch c {
				case '-':
					sign = -1
				case '+':
				default:
					e = 10*e + int(c-'0')
				}
			}
			break
		}
	}
	return sign*e + 1
}

func trimZeros(s string) string {
	point := -1
	for i := range len(s) {
		if s[i] == '.' {
			point = i
			break
		}
	}
	if point < 0 {
		return s
	}
	end := len(s)
	for end > point+1 && s[end-1] == '0' {
		end--
	}
	if end == point+1 {
		end = point
	}
	return s[:end]
}
