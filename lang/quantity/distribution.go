package quantity

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
)

// Distribution is a probability distribution of a latency or of a score.
//
//	constant A         always A
//	uniform A B        between A and B, both possible
//	exponential A      with mean A
//	lognormal A, B     with median A, and B the standard deviation of the logarithm
//	normal A, B        with mean A and standard deviation B
//
// A and B are in Unit, apart from the B of lognormal, which has none.
type Distribution struct {
	Kind string       `json:"kind"`
	A    exact.Number `json:"a"`
	B    exact.Number `json:"b"`
	// Unit is "s", the unit of a count, or "1".
	Unit string `json:"unit"`
}

// Kinds are the names of all distributions, in the order of the reference.
var Kinds = []string{"constant", "uniform", "exponential", "lognormal", "normal"}

// String is the canonical text, which ParseDistribution reads back.
func (d Distribution) String() string {
	a, b := d.text(d.A), d.text(d.B)
	switch d.Kind {
	case "uniform":
		return d.Kind + " " + a + " " + b
	case "lognormal":
		return d.Kind + " " + a + ", " + d.B.String()
	case "normal":
		return d.Kind + " " + a + ", " + b
	}
	return d.Kind + " " + a
}

func (d Distribution) text(n exact.Number) string {
	dim := Count
	if d.Unit == "s" {
		dim = Time
	}
	return Quantity{n, Unit(d.Unit), dim}.String()
}

const distributionRemedy = `Write "constant 1s", "uniform 1s 2s", "exponential 1.2s", "lognormal 1.2s, 0.5" or "normal 180 words, 20".`

// ParseDistribution reads a distribution. A second number without a unit has
// that of the first.
func ParseDistribution(s string) (Distribution, *Error) {
	tree, err := parse(shapeParser, s, "a distribution", distributionRemedy)
	if err != nil {
		return Distribution{}, err
	}
	args := tree.arguments()
	want := 2
	switch tree.Name {
	case "constant", "exponential":
		want = 1
	case "uniform", "lognormal", "normal":
	default:
		return Distribution{}, tree.unknown("distribution", Kinds, distributionRemedy)
	}
	if len(args) != want {
		return Distribution{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The distribution %q takes %d numbers, and %d are given.", tree.Name, want, len(args)), Remedy: distributionRemedy}
	}
	d := Distribution{Kind: tree.Name, Unit: "1"}
	a, _, err := quantityOf(args[0], s, distributionRemedy)
	if err != nil {
		return Distribution{}, err
	}
	if err := a.drawable(args[0], s); err != nil {
		return Distribution{}, err
	}
	d.A, d.Unit = a.Value, string(a.Unit)
	if want == 2 {
		if d.B, err = second(tree.Name, args, a, s); err != nil {
			return Distribution{}, err
		}
	}
	return d, d.check(s)
}

// second reads B, in the unit that A was written in where it has none.
func second(kind string, args [][]*measureNode, a Quantity, s string) (exact.Number, *Error) {
	parts := args[1]
	from, to := parts[0].Pos.Offset, end(parts[len(parts)-1].Tokens)
	bare := len(parts) == 1 && parts[0].Unit == nil
	if kind == "lognormal" {
		if !bare {
			return exact.Number{}, &Error{Offset: from, End: to, Message: "The second number of lognormal has no unit.", Remedy: "It is the standard deviation of the logarithm: lognormal 1.2s, 0.5."}
		}
		return parts[0].number()
	}
	if bare {
		first := args[0][len(args[0])-1]
		with := *parts[0]
		with.Unit = first.Unit
		parts = []*measureNode{&with}
	}
	b, _, err := quantityOf(parts, s, distributionRemedy)
	if err != nil {
		return exact.Number{}, err
	}
	if b.Unit != a.Unit {
		return exact.Number{}, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q has another unit than the first number.", s[from:to]), Remedy: "Give both the same."}
	}
	return b.Value, nil
}

// drawable tells whether a quantity can be drawn from a distribution.
func (q Quantity) drawable(parts []*measureNode, s string) *Error {
	from, to := parts[0].Pos.Offset, end(parts[len(parts)-1].Tokens)
	switch q.Dimension {
	case Time:
		_, err := q.duration(from, to, s[from:to])
		return err
	case Scalar, Count:
		return nil
	}
	return &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is a %s, and no distribution is over those.", s[from:to], q.Dimension), Remedy: distributionRemedy}
}

func (d Distribution) check(s string) *Error {
	fail := func(message string) *Error {
		return &Error{Offset: 0, End: len(s), Message: message, Remedy: distributionRemedy}
	}
	switch {
	case d.A.Sign() < 0 || d.B.Sign() < 0:
		return fail("The numbers of a distribution are 0 or more.")
	case d.Kind == "uniform" && d.A.Cmp(d.B) > 0:
		return fail("The first number of uniform is the smaller one.")
	case (d.Kind == "exponential" || d.Kind == "lognormal") && d.A.Sign() == 0:
		return fail(fmt.Sprintf("The first number of %s is above 0.", d.Kind))
	}
	return nil
}
