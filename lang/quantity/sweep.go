package quantity

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// MaxPoints bounds the points of a sweep.
const MaxPoints = 200

var sweepRemedies = map[Dimension]string{
	Rate: `Write a range such as "1..100 req/s in 4 log steps", or a list such as "1, 5, 10 req/s".`,
}

const sweepRemedy = `Write a range such as "0.05..0.3 in 6 linear steps", or a list such as "0.05, 0.1, 0.2".`

// ParseSweep reads a list or a range of numbers of one dimension, in its
// canonical unit: "1..100 req/s in 4 log steps", "0.05..0.3 in 6 linear
// steps", "1, 5, 10 req/s".
//
// A unit at the end holds for all numbers without one. A range contains both
// of its ends exactly. Its inner points are spaced by a constant factor (log)
// or difference (linear); a point of a log range, or of a linear one whose
// difference has no finite decimal, is rounded half up to three significant
// digits. No two points are equal.
func ParseSweep(s string, dim Dimension) ([]exact.Number, *Error) {
	remedy := sweepRemedies[dim]
	if remedy == "" {
		remedy = sweepRemedy
	}
	tree, err := parse(sweepParser, s, "a sweep", remedy)
	if err != nil {
		return nil, err
	}
	if tree.Range != nil && len(tree.Rest) > 0 {
		at := tree.Rest[0].Parts[0].Pos.Offset
		return nil, &Error{Offset: at, End: len(s), Message: "A range and a list do not go together.", Remedy: remedy}
	}
	if tree.Range != nil {
		ends, err := points([]*valueNode{tree.First, tree.Range.To}, s, dim, remedy)
		if err != nil {
			return nil, err
		}
		return tree.Range.expand(ends[0], ends[1], s, remedy)
	}
	list, err := points(append([]*valueNode{tree.First}, tree.Rest...), s, dim, remedy)
	if err != nil {
		return nil, err
	}
	if len(list) > MaxPoints {
		return nil, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The list has %d points, and at most %d are allowed.", len(list), MaxPoints), Remedy: "Take some out."}
	}
	seen := make(map[string]bool, len(list))
	for _, n := range list {
		if seen[n.String()] {
			return nil, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The list has the point %s twice.", n), Remedy: "Write each point once."}
		}
		seen[n.String()] = true
	}
	return list, nil
}

// points gives numbers without a unit the unit of the next one that has one.
func points(nodes []*valueNode, s string, dim Dimension, remedy string) ([]exact.Number, *Error) {
	out := make([]exact.Number, len(nodes))
	var unitOf *measureNode
	for i := len(nodes) - 1; i >= 0; i-- {
		groups := group(nodes[i].Parts)
		if len(groups) > 1 {
			at := groups[1][0].Pos.Offset
			return nil, &Error{Offset: at, End: end(groups[1][0].Tokens), Message: "Two points stand side by side.", Remedy: "Put a comma between them."}
		}
		parts := groups[0]
		if len(parts) == 1 && parts[0].Unit != nil {
			unitOf = parts[0]
		} else if len(parts) == 1 && unitOf != nil {
			with := *parts[0]
			with.Unit = unitOf.Unit
			parts = []*measureNode{&with}
		}
		q, _, err := quantityOf(parts, s, remedy)
		if err != nil {
			return nil, err
		}
		from, to := parts[0].Pos.Offset, end(parts[len(parts)-1].Tokens)
		if out[i], err = q.number(dim, from, to, s[from:to]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *rangeNode) expand(from, to exact.Number, s, remedy string) ([]exact.Number, *Error) {
	fail := func(message, remedy string) ([]exact.Number, *Error) {
		return nil, &Error{Offset: 0, End: len(s), Message: message, Remedy: remedy}
	}
	count, err := exact.Parse(r.Count.Text)
	n, fits := count.Int64()
	if at := r.Count.Pos.Offset; err != nil || !fits || !count.IsInt() || n < 2 || n > MaxPoints {
		return nil, &Error{Offset: at, End: at + len(r.Count.Text), Message: fmt.Sprintf("A range has 2 to %d steps, not %s.", MaxPoints, r.Count.Text), Remedy: "The steps are the points, with both ends: 4 steps are 4 points."}
	}
	if from.Cmp(to) >= 0 {
		return fail("The range does not rise.", "Write the smaller end first.")
	}
	out := make([]exact.Number, n)
	out[0], out[n-1] = from, to
	switch r.Scale {
	case "log":
		if from.Sign() <= 0 {
			return fail("A log range begins above 0.", "Write a smallest point above 0, or use linear steps.")
		}
		if width := len(from.String()) + len(to.String()); int64(width)*n > 20_000 {
			return fail("The ends of the range have too many digits for so many steps.", "Write shorter numbers or fewer steps.")
		}
		for i := int64(1); i < n-1; i++ {
			out[i] = geometric(from, to, i, n-1)
		}
	default:
		step := to.Sub(from).Div(exact.Int(n - 1))
		finite := !strings.Contains(from.Add(step).String(), "/") || strings.Contains(from.String(), "/")
		for i := int64(1); i < n-1; i++ {
			out[i] = from.Add(step.Mul(exact.Int(i)))
			if !finite {
				out[i] = round3(out[i])
			}
		}
	}
	for i := 1; i < len(out); i++ {
		if out[i-1].Cmp(out[i]) >= 0 {
			return fail(fmt.Sprintf("Rounded to three significant digits, points of the range meet at %s.", out[i]), "Write fewer steps, or list the points.")
		}
	}
	return out, nil
}

// geometric is from*(to/from)^(i/m), rounded half up to three significant
// digits. The digits are decided with whole powers: x rounds to d exactly if
// (d-½ulp)^m <= x^m < (d+½ulp)^m. The binary64 guess only says where to look.
func geometric(from, to exact.Number, i, m int64) exact.Number {
	power := pow(from, m-i).Mul(pow(to, i))
	lf, lt := log10(from), log10(to)
	x := lf + (lt-lf)*float64(i)/float64(m)
	exponent := int64(math.Floor(x)) - 2
	digits := int64(math.Round(math.Pow(10, x-float64(exponent))))
	for {
		ulp := pow10(exponent)
		low := exact.Frac(2*digits-1, 2).Mul(ulp)
		high := exact.Frac(2*digits+1, 2).Mul(ulp)
		switch {
		case pow(low, m).Cmp(power) > 0:
			digits--
		case pow(high, m).Cmp(power) <= 0:
			digits++
		case digits < 100:
			// The guess was one decade too high, and has lost a digit.
			exponent, digits = exponent-1, digits*10
		case digits > 1000:
			exponent, digits = exponent+1, digits/10
		default:
			return exact.Int(digits).Mul(ulp)
		}
	}
}

// round3 rounds half away from zero to three significant digits.
func round3(n exact.Number) exact.Number {
	if n.Sign() == 0 {
		return n
	}
	exponent := int64(-2)
	for abs := n.Abs(); abs.Mul(pow10(-exponent-2)).Cmp(exact.Int(10)) >= 0; {
		exponent++
	}
	for abs := n.Abs(); abs.Mul(pow10(-exponent-2)).Cmp(exact.Int(1)) < 0; {
		exponent--
	}
	return n.Mul(pow10(-exponent)).Round(0).Mul(pow10(exponent))
}

func pow(n exact.Number, k int64) exact.Number {
	r := n.Rat()
	e := big.NewInt(k)
	num := new(big.Int).Exp(r.Num(), e, nil)
	den := new(big.Int).Exp(r.Denom(), e, nil)
	return exact.FromRat(new(big.Rat).SetFrac(num, den))
}

func pow10(k int64) exact.Number {
	if k < 0 {
		return exact.Int(1).Div(pow(exact.Int(10), -k))
	}
	return pow(exact.Int(10), k)
}

// log10 of a number of any size, roughly.
func log10(n exact.Number) float64 {
	r := n.Rat()
	part := func(i *big.Int) float64 {
		f := new(big.Float).SetInt(i)
		m := new(big.Float)
		e := f.MantExp(m)
		v, _ := m.Float64()
		return math.Log10(v) + float64(e)*math.Log10(2)
	}
	return part(r.Num()) - part(r.Denom())
}
