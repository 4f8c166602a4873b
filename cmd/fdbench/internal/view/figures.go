package view

import (
	"strconv"

	"github.com/fdbench/fdbench/runtime/report/figure"
)

func signedSecs(v float64) string {
	if v > 0 {
		return "+" + figure.Seconds(v)
	}
	return figure.Seconds(v)
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

// probability prints a p-value: below one in ten thousand its size says no more.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
