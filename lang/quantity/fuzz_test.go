package quantity

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// bounds fails where an error lies outside of its text.
func bounds(t *testing.T, s string, err *Error) {
	t.Helper()
	if err.Offset < 0 || err.End < err.Offset || err.End > len(s) || err.Message == "" || err.Remedy == "" {
		t.Fatalf("%q: %+v", s, err)
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, s := range []string{"90s", "1h30m", "10 req/s", "18/20", "90%", "2 sd", "1e-3", "-3 words", "1h 3", "..", "µs"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if q, ok := simple(s); ok {
			tree, err := parse(valueParser, s, "a quantity", "")
			if err != nil || len(tree.Parts) != 1 {
				t.Fatalf("%q is not simple to the parser: %v", s, err)
			}
			if slow, _, err := quantityOf(tree.Parts, s, ""); err != nil || slow.Value.Cmp(q.Value) != 0 || slow.Unit != q.Unit || slow.Dimension != q.Dimension {
				t.Fatalf("%q is %v, and %v to the parser: %v", s, q, slow, err)
			}
		}
		if n, err := ParseTokens(s); err == nil && n < 0 || err != nil && (err.Offset < 0 || err.End > len(s)) {
			t.Errorf("ParseTokens(%q) = %d, %v", s, n, err)
		}
		q, err := ParseQuantity(s)
		if err != nil {
			bounds(t, s, err)
			return
		}
		// A value that has a finite decimal is read back as itself.
		again, err := ParseQuantity(q.String())
		if len(q.Value.String()) < 60 && (err != nil || again.Value.Cmp(q.Value) != 0 || again.Unit != q.Unit) {
			t.Fatalf("%q is %q, which reads back as %v: %v", s, q, again, err)
		}
		if d, err := ParseDuration(s); err == nil && d.Seconds().Cmp(q.Value) != 0 {
			t.Fatalf("%q is %v as a duration", s, d)
		}
	})
}

func FuzzParseSweep(f *testing.F) {
	for _, s := range []string{"1..100 req/s in 4 log steps", "1, 5, 10 req/s", "0.05..0.3 in 6 linear steps", "1..2 in", "1e-9..1e9 in 200 log steps"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, dim := range []Dimension{Rate, Scalar} {
			points, err := ParseSweep(s, dim)
			if err != nil {
				bounds(t, s, err)
				continue
			}
			if len(points) == 0 || len(points) > MaxPoints {
				t.Fatalf("%q has %d points", s, len(points))
			}
			seen := map[string]bool{}
			for _, p := range points {
				if seen[p.String()] {
					t.Fatalf("%q has %s twice", s, p)
				}
				seen[p.String()] = true
				if dim == Rate && p.Sign() <= 0 {
					t.Fatalf("%q has the rate %s", s, p)
				}
			}
		}
	})
}

func FuzzParseProfile(f *testing.F) {
	for _, s := range []string{"step", "ramp 2m", "pulse 30s", "intermittent 1m30s 90s", "drift 2h", "ramp 1h 3m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseProfile(s)
		if err != nil {
			bounds(t, s, err)
			return
		}
		if again, err := ParseProfile(p.String()); err != nil || again != p {
			t.Fatalf("%q is %q, which reads back as %v: %v", s, p, again, err)
		}
	})
}

func FuzzParseDistribution(f *testing.F) {
	for _, s := range []string{"constant 1s", "uniform 1s 2s", "exponential 1.2s", "lognormal 1.2s, 0.5", "normal 180 words, 20", "normal 1/3, 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDistribution(s)
		if err != nil {
			bounds(t, s, err)
			return
		}
		if d.A.Cmp(exact.Int(0)) < 0 || d.B.Sign() < 0 {
			t.Fatalf("%q is %v", s, d)
		}
		if len(d.String()) < 60 {
			if again, err := ParseDistribution(d.String()); err != nil || again.String() != d.String() {
				t.Fatalf("%q is %q, which reads back as %v: %v", s, d, again, err)
			}
		}
	})
}
