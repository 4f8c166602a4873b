package figure

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestFigures(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	s := func(v string) *string { return &v }
	for _, x := range []struct{ got, want string }{
		{Seconds(0.1234), "0.123"}, {Seconds(9.876), "9.88"}, {Seconds(123.44), "123.4"}, {Seconds(-0.5), "-0.500"}, {Seconds(0), "0.000"},
		{Optional(nil, "none"), "none"}, {Bounded(nil, f(1), "none"), "none"}, {Bounded(f(12), nil, ""), "12.0"}, {Bounded(f(12), f(0.01234), ""), "12.0 ± 0.012"},
		{Span(59.5), "59.5s"}, {Span(3600.4), "1h"}, {Span(0), "0s"},
		{Significant(0, 3), "0"}, {Significant(math.NaN(), 3), "0"}, {Three(1234.5), "1234"}, {Three(0.00012345), "0.000123"}, {Significant(0.1, 2), "0.1"},
		{Two(0.5), "0.50"}, {Decimal(nil), "none"}, {Decimal(s("1/3")), "0.333"}, {Decimal(s("x")), "x"},
		{Signed("-2"), "-2"}, {Signed("0.1"), "+0.1"}, {Signed("0"), "0"}, {Signed("0.093654321"), "+0.09365"}, {Signed("x"), "x"},
		{Magnitude(exact.MustParse("0.0000123456")), "0.00001235"},
	} {
		if x.got != x.want {
			t.Errorf("%q, want %q", x.got, x.want)
		}
	}
}
