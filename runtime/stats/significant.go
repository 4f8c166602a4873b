package stats

import (
	"math/big"
	"strconv"

	"github.com/fdbench/fdbench/lang/exact"
)

// Significant returns x rounded to a number of significant decimal digits, at
// least 1. Advisory figures go through it before they are written into
// anything that a digest covers, so that the last bits of a processor's
// logarithm do not show. It is false where x is not finite.
func Significant(x float64, digits int) (exact.Number, bool) {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', max(digits, 1)-1, 64))
	if !ok {
		return exact.Number{}, false
	}
	return exact.FromRat(r), true
}
