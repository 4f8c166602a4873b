package world

import (
	"testing"
	"time"
)

func TestResolution(t *testing.T) {
	for _, c := range []struct {
		name        string
		step, every int64 // the clock moves by step at every so-manieth reading
		want        int64
	}{
		{"moves at each reading", 41, 1, 41},
		{"moves seldom", 1_000_000, 7, 1_000_000},
		{"coarser than a thousand readings", 1_000_000_000, 25_000, 1_000_000_000},
	} {
		n := int64(0)
		got := Resolution(func() int64 { n++; return n / c.every * c.step })
		if got != c.want {
			t.Errorf("%s: %d ns, want %d", c.name, got, c.want)
		}
	}
	// Jitter: the smallest step counts, and one backwards does not.
	values, i := []int64{100, 300, 250, 260, 900}, 0
	if got := Resolution(func() int64 { i++; return values[i%len(values)] }); got != 10 {
		t.Errorf("%d ns, want 10", got)
	}
	start := time.Now()
	if got := Resolution(func() int64 { return int64(time.Since(start)) }); got <= 0 || got > int64(time.Millisecond) {
		t.Errorf("the clock of this machine: %d ns", got)
	}
}
