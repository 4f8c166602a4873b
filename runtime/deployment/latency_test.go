package deployment

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestParseLatency(t *testing.T) {
	for in, want := range map[string]Latency{
		"":                             {},
		LatencyForm:                    {First: 50 * time.Millisecond, Prefill: 100 * time.Microsecond, Token: 4 * time.Millisecond, Sigma: 0.3},
		" token=1ms , first = 1h ":     {Token: time.Millisecond, First: time.Hour},
		"sigma=0":                      {},
		"sigma=3,prefill=0s,first=2ns": {Sigma: 3, First: 2},
	} {
		if got, err := ParseLatency(in); err != nil || got != want {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
	for in, says := range map[string]string{
		"50ms": "NAME=VALUE", "first=50": "with its unit", "first=-1s": "0s to 1h", "first=61m": "0s to 1h", "sigma=NaN": "0 to 3",
		"sigma=4": "0 to 3", "frist=1s": "there is no", "first=1s,first=1s": "twice", "first=1s,": "NAME=VALUE",
	} {
		if l, err := ParseLatency(in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v", in, l, err)
		}
	}
}

func FuzzParseLatency(f *testing.F) {
	f.Add(LatencyForm)
	f.Add("sigma=1e-9,first=1h")
	f.Fuzz(func(t *testing.T, in string) {
		l, err := ParseLatency(in)
		if err != nil {
			return
		}
		if again, err := ParseLatency(l.String()); err != nil || again != l {
			t.Errorf("%q is %+v, and %q is %+v, %v", in, l, l.String(), again, err)
		}
	})
}

// The first token waits for the prompt, and each further one for the one
// before, whatever the reader's own pace.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Latency{First: 100 * time.Millisecond, Prefill: time.Millisecond, Token: 10 * time.Millisecond}
		start := time.Now()
		p := l.begin(start, 2, 50)
		done := make(chan struct{})
		for i, want := range []time.Duration{300, 320, 340} {
			if !p.wait(done) || time.Since(start) != want*time.Millisecond {
				t.Errorf("token %d after %v, want %dms", i, time.Since(start), want)
			}
		}
		time.Sleep(100 * time.Millisecond) // a slow reader
		for range 5 {
			if !p.wait(done) || time.Since(start) != 440*time.Millisecond {
				t.Errorf("a token that is late came after %v", time.Since(start))
			}
		}
		close(done)
		if p.wait(done) {
			t.Error("a token for a client that went away")
		}
	})
}

func TestFactor(t *testing.T) {
	l := Latency{Sigma: 0.5}
	var sum, squares float64
	const n = 2000
	for i := range n {
		x := math.Log(l.factor("1", string(rune('a'+i))))
		sum += x
		squares += x * x
	}
	mean := sum / n
	if sd := math.Sqrt(squares/n - mean*mean); math.Abs(mean) > 4*0.5/math.Sqrt(n) || math.Abs(sd-0.5) > 0.04 {
		t.Errorf("the logarithm has mean %.3f and sd %.3f, want 0 and 0.5", mean, sd)
	}
	if l.factor("1", "7") != l.factor("1", "7") || l.factor("1", "7") == l.factor("2", "7") || (Latency{}).factor("1", "7") != 1 {
		t.Error("the factor is no function of seed and request")
	}
}
