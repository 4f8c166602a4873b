package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// secs prints seconds to the tenth, and with more decimals where they are few.
func secs(v float64) string {
	places := 1
	switch {
	case math.Abs(v) < 1:
		places = 3
	case math.Abs(v) < 10:
		places = 2
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

func signedSecs(v float64) string {
	if v > 0 {
		return "+" + secs(v)
	}
	return secs(v)
}

// seconds is a latency with the error bound that it has to carry (section 3.5
// of the methodology), or "none".
func seconds(v, bound *float64) string {
	switch {
	case v == nil:
		return "none"
	case bound == nil:
		return secs(*v)
	}
	return secs(*v) + " ± " + significantDigits(*bound)
}

// span is an interval in brackets behind its value, or "" where there is none.
func span(low, high *float64, format func(float64) string) string {
	if low == nil && high == nil {
		return ""
	}
	l, h := "no limit", "no limit"
	if low != nil {
		l = format(*low)
	}
	if high != nil {
		h = format(*high)
	}
	return " [" + l + ", " + h + "]"
}

func twoPlaces(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// significantDigits prints three of them in plain notation, without trailing
// zeros.
func significantDigits(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	places := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// probability prints a p-value: below one in ten thousand its size says no more.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// number is an exact decimal of a result, rounded for a reader.
func number(s *string) string {
	if s == nil {
		return "none"
	}
	n, err := exact.Parse(*s)
	if err != nil {
		return printable(*s)
	}
	return significantDigits(n.Float64())
}

// signedNumber is a magnitude with its sign: a declared one in full, one that a
// search made by halving to four digits.
func signedNumber(s string) string {
	n, err := exact.Parse(s)
	if err != nil {
		return printable(s)
	}
	text := n.String()
	if len(text) > 6 {
		text = strconv.FormatFloat(n.Float64(), 'g', 4, 64)
	}
	if n.Sign() > 0 {
		return "+" + text
	}
	return text
}

// period prints a length of time in units, to the second from one minute on.
func period(s float64) string {
	d := exact.Duration(math.Round(s * 1e9))
	if d >= exact.Minute {
		d = (d + exact.Second/2) / exact.Second * exact.Second
	}
	return d.String()
}
