package quantity

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestParseQuantity(t *testing.T) {
	for text, want := range map[string]Quantity{
		"90s":              {exact.Int(90), "s", Time},
		"1h30m":            {exact.Int(5400), "s", Time},
		"1m1.5s":           {exact.MustParse("61.5"), "s", Time},
		"1.5h":             {exact.Int(5400), "s", Time},
		"250ms":            {exact.MustParse("0.25"), "s", Time},
		"3us":              {exact.MustParse("0.000003"), "s", Time},
		"2d":               {exact.Int(172800), "s", Time},
		"10 req/s":         {exact.Int(10), "req/s", Rate},
		"600 req/min":      {exact.Int(10), "req/s", Rate},
		"1 req/min":        {exact.Frac(1, 60), "req/s", Rate},
		"1/3 req/s":        {exact.Frac(1, 3), "req/s", Rate},
		"18/20":            {exact.MustParse("0.9"), "1", Scalar},
		"90%":              {exact.MustParse("0.9"), "1", Scalar},
		"99.95 %":          {exact.MustParse("0.9995"), "1", Scalar},
		"0.9":              {exact.MustParse("0.9"), "1", Scalar},
		"1e-3":             {exact.MustParse("0.001"), "1", Scalar},
		"-2 sd":            {exact.Int(-2), "sd", Deviations},
		"20 windows":       {exact.Int(20), "windows", Windows},
		"1 window":         {exact.Int(1), "windows", Windows},
		"200 requests":     {exact.Int(200), "requests", Requests},
		"64 tokens":        {exact.Int(64), "tokens", Count},
		" 180   words \t ": {exact.Int(180), "words", Count},
	} {
		got, err := ParseQuantity(text)
		if err != nil || got.Value.Cmp(want.Value) != 0 || got.Unit != want.Unit || got.Dimension != want.Dimension {
			t.Errorf("%q is %v (%s), want %v: %v", text, got, got.Dimension, want, err)
		}
	}
}

func TestErrorsPointAndSayWhatToWrite(t *testing.T) {
	duration := func(s string) *Error { _, err := ParseDuration(s); return err }
	rate := func(s string) *Error { _, err := ParseRate(s); return err }
	ratio := func(s string) *Error { _, err := ParseRatio(s); return err }
	window := func(s string) *Error { _, err := ParseWindow(s); return err }
	span := func(s string) *Error { _, err := ParseSpan(s); return err }
	rates := func(s string) *Error { _, err := ParseSweep(s, Rate); return err }
	numbers := func(s string) *Error { _, err := ParseSweep(s, Scalar); return err }
	profile := func(s string) *Error { _, err := ParseProfile(s); return err }
	distribution := func(s string) *Error { _, err := ParseDistribution(s); return err }
	for _, tt := range []struct {
		parse    func(string) *Error
		text, at string
		words    string // a part of the message with its remedy
	}{
		{duration, "", "", "empty"},
		{duration, "90", "90", "no unit of time"},
		{duration, "90 secs", "secs", `Write "s".`},
		{duration, "5 minutes", "minutes", `Write "m".`},
		{duration, "5 minuts", "minuts", "There is no unit"},
		{duration, "1h 30m", "30m", "without a space"},
		{duration, "30m1h", "1h", "does not follow a larger unit"},
		{duration, "1h1h", "1h", "does not follow a larger unit"},
		{duration, "1.5h30m", "1.5h", "Only the last part"},
		{duration, "-5s", "-5s", "negative"},
		{duration, "10 req/s", "10 req/s", "is a rate, where a duration is expected"},
		{duration, "0.1ns", "0.1ns", "whole number of nanoseconds"},
		{duration, "300000000 h", "300000000 h", "292 years"},
		{duration, "abc", "abc", "is not expected here"},
		{duration, "5s;", ";", "is not expected here"},
		{duration, "5s é", "é", "is not expected here"},
		{duration, "1/0s", "1/0s", "0 below its bar"},
		{duration, strings.Repeat("9", 80) + "s", "", "too long for a number"},
		{duration, strings.Repeat("1h", 4000), "", "too many"},
		{rate, "10", "10", "no unit of rate"},
		{rate, "10 rps", "rps", `Write "req/s".`},
		{rate, "10 requests/s", "requests/s", `Write "req/s".`},
		{rate, "10/s", "s", "is not expected here"},
		{rate, "0 req/s", "0 req/s", "is not above 0"},
		{rate, "5m", "5m", "is a duration, where a rate is expected"},
		{ratio, "90", "90", "outside of 0 to 1"},
		{ratio, "-1%", "-1%", "outside of 0 to 1"},
		{ratio, "18/", "18/", "ends too early"},
		{ratio, "2 sd", "2 sd", "where a share is expected"},
		{window, "20 windows", "20 windows", "where a window is expected"},
		{window, "2.5 requests", "2.5 requests", "whole number of requests"},
		{window, "5", "5", "where a window is expected"},
		{span, "0 windows", "0 windows", "not above 0"},
		{span, "200 requests", "200 requests", "where a length of time is expected"},
		{rates, "1..100 req/s in 4 steps", "steps", "is not expected here"},
		{rates, "1..100 req/s", "1..100 req/s", "ends too early"},
		{rates, "1..100 in 4 log steps", "1", "no unit of rate"},
		{rates, "100..1 req/s in 4 log steps", "", "does not rise"},
		{rates, "1..100 req/s in 1 log steps", "1", "2 to 200 steps"},
		{rates, "1..100 req/s in 4.5 log steps", "4.5", "2 to 200 steps"},
		{rates, "1..100 req/s in 999 log steps", "999", "2 to 200 steps"},
		{rates, "100..101 req/s in 9 log steps", "", "points of the range meet"},
		{rates, "1 2 req/s", "2 req/s", "Put a comma"},
		{rates, "1, 2, 1 req/s", "", "the point 1 twice"},
		{rates, "1, 2s", "2s", "where a rate is expected"},
		{rates, "1.", ".", "is not expected here"},
		{rates, "1..9 req/s in 3 log steps, 20 req/s", "20 req/s", "do not go together"},
		{numbers, "0..1 in 4 log steps", "", "begins above 0"},
		{numbers, "0.1, 5%, 1 req/s", "1 req/s", "where a number is expected"},
		{profile, "rmp 2m", "rmp", `Did you mean "ramp"?`},
		{profile, "ramp", "ramp", "takes one duration"},
		{profile, "step 3s", "step 3s", "takes no duration"},
		{profile, "ramp 0s", "0s", "not above 0"},
		{profile, "ramp 3", "3", "no unit of time"},
		{profile, "intermittent 30s", "", "takes 2 durations"},
		{profile, "5s ramp", "5", "is not expected here"},
		{distribution, "norml 3", "norml", `Did you mean "normal"?`},
		{distribution, "uniform 2s 1s", "", "the smaller one"},
		{distribution, "constant 2 req/s", "2 req/s", "no distribution is over those"},
		{distribution, "lognormal 1s, 2s", "2s", "has no unit"},
		{distribution, "lognormal 0s, 1", "", "is above 0"},
		{distribution, "normal 3 words, 2s", "2s", "another unit"},
		{distribution, "normal 3 words, -2", "", "are 0 or more"},
		{distribution, "constant", "", "takes 1 numbers"},
	} {
		err := tt.parse(tt.text)
		if err == nil {
			t.Errorf("%q is accepted", tt.text)
			continue
		}
		if err.Offset < 0 || err.End < err.Offset || err.End > len(tt.text) {
			t.Errorf("%.40q: range %d..%d", tt.text, err.Offset, err.End)
			continue
		}
		if got := tt.text[err.Offset:err.End]; tt.at != "" && !strings.HasPrefix(got, tt.at) {
			t.Errorf("%q: points at %q, want %q: %s", tt.text, got, tt.at, err)
		}
		if !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%q: %s, want %q in it", tt.text, err, tt.words)
		}
		if err.Remedy == "" || !strings.HasSuffix(err.Message, ".") || !strings.ContainsAny(err.Remedy[len(err.Remedy)-1:], ".?") || strings.Contains(err.Error(), "expected Word") {
			t.Errorf("%q: style of %q %q", tt.text, err.Message, err.Remedy)
		}
	}
}

func TestWindowsAndSpans(t *testing.T) {
	for text, want := range map[string]Window{"5m": {Duration: 5 * exact.Minute}, "200 requests": {Requests: 200}, "0s": {}} {
		if got, err := ParseWindow(text); err != nil || got != want {
			t.Errorf("%q is %v: %v", text, got, err)
		}
	}
	w, err := ParseSpan("2.5 windows")
	if err != nil || !w.InWindows() || w.String() != "2.5 windows" {
		t.Errorf("%v %v", w, err)
	}
	if d, ok := w.Length(exact.Minute); !ok || d != 150*exact.Second {
		t.Errorf("2.5 windows of a minute are %v", d)
	}
	s, err := ParseSpan("50m")
	if err != nil || s.InWindows() || s.String() != "50m" {
		t.Errorf("%v %v", s, err)
	}
	if d, ok := s.Length(exact.Hour); !ok || d != 50*exact.Minute {
		t.Errorf("50m are %v", d)
	}
}

func TestParseSweep(t *testing.T) {
	for _, tt := range []struct {
		text string
		dim  Dimension
		want string
	}{
		{"1..100 req/s in 4 log steps", Rate, "1 4.64 21.5 100"},
		{"1..1000 req/s in 7 log steps", Rate, "1 3.16 10 31.6 100 316 1000"},
		{"0.5 req/s..600 req/min in 2 log steps", Rate, "0.5 10"},
		{"1, 5, 10 req/s", Rate, "1 5 10"},
		{"60 req/min, 5 req/s", Rate, "1 5"},
		{"10 req/s", Rate, "10"},
		{"0.05..0.3 in 6 linear steps", Scalar, "0.05 0.1 0.15 0.2 0.25 0.3"},
		{"5%..30% in 6 linear steps", Scalar, "0.05 0.1 0.15 0.2 0.25 0.3"},
		{"0..1 in 4 linear steps", Scalar, "0 0.333 0.667 1"},
		{"1/3..1 in 3 linear steps", Scalar, "1/3 2/3 1"},
		{"0.01..0.3 in 5 log steps", Scalar, "0.01 0.0234 0.0548 0.128 0.3"},
		{"1..2 in 3 log steps", Scalar, "1 1.41 2"},
		{"0.0001..0.0002 in 3 log steps", Scalar, "0.0001 0.000141 0.0002"},
		{"1e-9..1e9 in 3 log steps", Scalar, "0.000000001 1 1000000000"},
		{"999..1001 in 3 log steps", Scalar, "999 1000 1001"},
		{"10..40 words in 3 log steps", Count, "10 20 40"},
		{"1m..4m in 3 log steps", Time, "60 120 240"},
	} {
		got, err := ParseSweep(tt.text, tt.dim)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		var words []string
		for _, n := range got {
			words = append(words, n.String())
		}
		if s := strings.Join(words, " "); s != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, s, tt.want)
		}
	}
}

// TestLogStepsAreTheNearestOfThreeDigits checks the defining inequality of
// each inner point with exact powers, whatever found it.
func TestLogStepsAreTheNearestOfThreeDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		from := exact.Frac(int64(r.IntN(100000)+1), int64([]int{1, 10, 1000, 1000000}[r.IntN(4)]))
		to := from.Mul(exact.Frac(int64(r.IntN(100000)+20), 10))
		n := int64(r.IntN(8) + 3)
		text := from.String() + ".." + to.String() + " in " + strconv.FormatInt(n, 10) + " log steps"
		points, err := ParseSweep(text, Scalar)
		if err != nil {
			if !strings.Contains(err.Message, "meet") {
				t.Fatalf("%q: %v", text, err)
			}
			continue
		}
		if points[0].Cmp(from) != 0 || points[n-1].Cmp(to) != 0 || int64(len(points)) != n {
			t.Fatalf("%q: ends of %v", text, points)
		}
		for i := int64(1); i < n-1; i++ {
			p := points[i]
			ulp := exact.Int(1)
			for p.Div(ulp).Cmp(exact.Int(1000)) >= 0 {
				ulp = ulp.Mul(exact.Int(10))
			}
			for p.Div(ulp).Cmp(exact.Int(100)) < 0 {
				ulp = ulp.Div(exact.Int(10))
			}
			if !p.Div(ulp).IsInt() {
				t.Fatalf("%q: %s has more than three digits", text, p)
			}
			half := ulp.Div(exact.Int(2))
			power := pow(from, n-1-i).Mul(pow(to, i))
			// A point at a power of ten has a finer neighbourhood below.
			below := half
			if p.Div(ulp).Cmp(exact.Int(100)) == 0 {
				below = half.Div(exact.Int(10))
			}
			if pow(p.Sub(below), n-1).Cmp(power) > 0 || pow(p.Add(half), n-1).Cmp(power) <= 0 {
				t.Fatalf("%q: point %d is %s, which is not the nearest", text, i, p)
			}
		}
	}
}

func TestProfilesReadBack(t *testing.T) {
	for text, want := range map[string]Profile{
		"step":                   {Shape: "step"},
		"ramp 2m":                {Shape: "ramp", Ramp: 2 * exact.Minute},
		"pulse 30s":              {Shape: "pulse", On: 30 * exact.Second},
		"intermittent 1m30s 90s": {Shape: "intermittent", On: 90 * exact.Second, Off: 90 * exact.Second},
		"drift 2h":               {Shape: "drift", Ramp: 2 * exact.Hour},
	} {
		got, err := ParseProfile(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v: %v", text, got, err)
		}
		again, err := ParseProfile(got.String())
		if err != nil || again != want {
			t.Errorf("%q reads back as %+v: %v", got.String(), again, err)
		}
		b, jerr := json.Marshal(got)
		var back Profile
		if jerr != nil || json.Unmarshal(b, &back) != nil || back != want {
			t.Errorf("%s reads back as %+v", b, back)
		}
	}
}

func TestDistributionsReadBack(t *testing.T) {
	for text, canonical := range map[string]string{
		"constant 1s":            "constant 1s",
		"uniform 1s, 2s":         "uniform 1s 2s",
		"exponential 1200ms":     "exponential 1.2s",
		"lognormal 1.2s, 0.5":    "lognormal 1.2s, 0.5",
		"normal 180 words, 20":   "normal 180 words, 20 words",
		"normal 200ms, 50":       "normal 200ms, 50ms",
		"normal 200ms 0.05s":     "normal 200ms, 50ms",
		"constant 1":             "constant 1",
		"uniform 0 1":            "uniform 0 1",
		"constant 0s":            "constant 0s",
		"lognormal 20 tokens, 1": "lognormal 20 tokens, 1",
	} {
		got, err := ParseDistribution(text)
		if err != nil || got.String() != canonical {
			t.Errorf("%q is %q, want %q: %v", text, got, canonical, err)
			continue
		}
		again, err := ParseDistribution(got.String())
		if err != nil || again.String() != canonical || again.A.Cmp(got.A) != 0 || again.B.Cmp(got.B) != 0 || again.Unit != got.Unit {
			t.Errorf("%q reads back as %q: %v", canonical, again, err)
		}
	}
}

func TestGrammarNamesEveryUnit(t *testing.T) {
	for _, u := range units {
		if !strings.Contains(Grammar(), "\n  "+u.name+" ") {
			t.Errorf("%q is not in the grammar", u.name)
		}
	}
	for synonym, u := range synonyms {
		if unitByName[u] == nil || unitByName[synonym] != nil {
			t.Errorf("the synonym %q of %q", synonym, u)
		}
	}
}

func BenchmarkParseDuration(b *testing.B) {
	for _, text := range []string{"5m", "1h30m"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseDuration(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseSweep(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseSweep("1..100 req/s in 4 log steps", Rate); err != nil {
			b.Fatal(err)
		}
	}
}

func TestParseTokens(t *testing.T) {
	for text, want := range map[string]int64{"64 tokens": 64, "0 tokens": 0, "1tokens": 1, "1e3 tokens": 1000} {
		if n, err := ParseTokens(text); err != nil || n != want {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	for text, want := range map[string]string{
		"64": "no unit", "64 words": "no number of tokens", "1.5 tokens": "not a whole number", "-1 tokens": "not a whole number",
		"64 token": "no unit \"token\"", "": "", "64 tokens 3": "", "5m": "no number of tokens",
	} {
		n, err := ParseTokens(text)
		if err == nil || !strings.Contains(err.Message, want) || err.Offset < 0 || err.End > len(text) {
			t.Errorf("%q: %d, %v, want an error with %q", text, n, err, want)
		}
	}
}
