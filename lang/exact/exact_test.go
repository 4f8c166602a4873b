package exact

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0.05": "0.05", "1e-3": "0.001", "9/10": "0.9", "64/3": "64/3", "-12": "-12", "-0": "0", "+5": "5", "1.50": "1.5", "1e3": "1000", ".5": "0.5",
	} {
		n, err := Parse(text)
		if err != nil || n.String() != want {
			t.Errorf("%q is %s, want %s: %v", text, n, want, err)
		}
	}
	for _, text := range []string{"", "x", "1/0", "0x10", "1_000", "Inf", "NaN", "1e9999", " 1", "1 ", "1p3", "1/2/3"} {
		if n, err := Parse(text); err == nil {
			t.Errorf("%q is %s", text, n)
		}
	}
}

func TestZeroValueIsZero(t *testing.T) {
	var n Number
	if n.String() != "0" || n.Sign() != 0 || n.Add(Int(2)).String() != "2" || n.Cmp(Int(0)) != 0 || !n.IsInt() {
		t.Errorf("%s", n)
	}
}

// TestNumbersReadBack checks that text and JSON lose nothing, and that
// arithmetic leaves its operands alone.
func TestNumbersReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := Frac(r.Int64N(1<<40)-1<<39, r.Int64N(1<<20)+1)
		m := Frac(r.Int64N(1<<20)+1, r.Int64N(1<<10)+1)
		before := n.String()
		if got := n.Add(m).Sub(m).Mul(m).Div(m).Neg().Neg(); got.Cmp(n) != 0 {
			t.Fatalf("%s becomes %s", n, got)
		}
		if n.String() != before {
			t.Fatalf("%s has changed into %s", before, n)
		}
		b, err := json.Marshal(n)
		var back Number
		if err != nil || json.Unmarshal(b, &back) != nil || back.Cmp(n) != 0 {
			t.Fatalf("%s reads back as %s", b, back)
		}
		c, ok := n.Ceil()
		if !ok || Int(c).Cmp(n) < 0 || Int(c-1).Cmp(n) >= 0 {
			t.Fatalf("the ceiling of %s is %d", n, c)
		}
	}
}

func TestRounding(t *testing.T) {
	for _, tt := range []struct {
		text   string
		places int
		want   string
	}{
		{"0.5", 0, "1"}, {"-0.5", 0, "-1"}, {"0.49", 0, "0"}, {"-0.4", 0, "0"}, {"2/3", 3, "0.667"}, {"1.005", 2, "1.01"}, {"100", 2, "100"}, {"1.20", 3, "1.2"},
	} {
		n := MustParse(tt.text)
		if got := n.Decimal(tt.places); got != tt.want {
			t.Errorf("%s to %d places is %s, want %s", tt.text, tt.places, got, tt.want)
		}
		if got := n.Round(tt.places); got.Cmp(MustParse(tt.want)) != 0 {
			t.Errorf("%s rounds to %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestSqrtIsRoundedDown(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		n := Frac(r.Int64N(1<<40), r.Int64N(1<<20)+1)
		s := n.Sqrt(9)
		next := s.Add(MustParse("1e-9"))
		if s.Mul(s).Cmp(n) > 0 || next.Mul(next).Cmp(n) <= 0 {
			t.Fatalf("the root of %s is %s", n, s)
		}
	}
}

func TestFromFloat(t *testing.T) {
	zero := 0.0
	if _, ok := FromFloat(1 / zero); ok {
		t.Error("infinity is a number")
	}
	n, ok := FromFloat(0.1)
	if !ok || n.Cmp(MustParse("0.1")) == 0 || n.Float64() != 0.1 {
		t.Errorf("0.1 is %s", n)
	}
	if FromRat(big.NewRat(1, 3)).String() != "1/3" {
		t.Error("a third")
	}
}

func TestDurations(t *testing.T) {
	for d, want := range map[Duration]string{
		0: "0s", 90 * Second: "1m30s", 26 * Hour: "1d2h", 250 * Millisecond: "250ms", Minute + 500*Millisecond: "1m0.5s", Nanosecond: "0.000001ms", -90 * Second: "-90s",
	} {
		if d.String() != want {
			t.Errorf("%d is %s, want %s", int64(d), d, want)
		}
	}
	for d, want := range map[Duration]string{
		0: "no time", 19*Day + 3*Hour: "19 days", 3*Hour + 20*Minute: "3 hours 20 minutes", 9*Hour + 59*Minute + 50*Second: "10 hours", Day: "1 day", Second: "1 second", 250 * Millisecond: "250ms", Hour + Minute: "1 hour 1 minute",
	} {
		if d.Words() != want {
			t.Errorf("%s in words is %q, want %q", d, d.Words(), want)
		}
	}
	if _, ok := DurationOf(MustParse("1e12")); ok {
		t.Error("31,000 years fit")
	}
	if d, ok := DurationOf(MustParse("0.0000000005")); !ok || d != Nanosecond {
		t.Errorf("half a nanosecond rounds to %d", d)
	}
	if d, ok := Second.Mul(Frac(1, 3)); !ok || d != 333333333 {
		t.Errorf("a third of a second is %d ns", d)
	}
}

func TestDurationsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 1000 {
		d := Duration(r.Int64N(1 << 60))
		b, err := json.Marshal(d)
		var back Duration
		if err != nil || json.Unmarshal(b, &back) != nil || back != d {
			t.Fatalf("%s reads back as %d, want %d", b, back, d)
		}
	}
	var d Duration
	for _, bad := range []string{`1`, `"x"`, `"0.0000000001"`, `"1e12"`} {
		if json.Unmarshal([]byte(bad), &d) == nil {
			t.Errorf("%s is %s", bad, d)
		}
	}
}
