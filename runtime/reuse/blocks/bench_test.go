package blocks

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// texts are a recipient and a donor of n tokens each, by how repetitive they
// are.
func texts(kind string, n int) (recipient, donor []uint32) {
	rng := rand.New(rand.NewPCG(7, 8))
	switch kind {
	case "prose": // half of it shared, in pieces of 50
		for len(donor) < n {
			var s []uint32
			for range 50 {
				s = append(s, min(rng.Uint32N(5000), rng.Uint32N(5000)))
			}
			donor = append(donor, s...)
			if rng.IntN(2) == 0 {
				s = s[rng.IntN(50):]
			}
			recipient = append(recipient, s...)
		}
	case "one token":
		donor, recipient = make([]uint32, n), make([]uint32, n)
		for i := 40; i < n; i += 41 {
			recipient[i] = 1
		}
	case "period":
		for i := range n {
			donor = append(donor, uint32(i%44))
			recipient = append(recipient, uint32(i%44))
			if i%1000 == 0 {
				donor = append(donor, 100)
				recipient = append(recipient, 101)
			}
		}
	case "frequent window": // followed by something else each time
		for i := 0; i < n; i += 20 {
			for k := range uint32(17) {
				donor = append(donor, k)
				recipient = append(recipient, k)
			}
			donor = append(donor, 100+rng.Uint32N(1e6))
			recipient = append(recipient, 100+rng.Uint32N(1e6))
		}
	}
	return recipient, donor
}

var kinds = []string{"prose", "one token", "period", "frequent window"}

func BenchmarkSpan(b *testing.B) {
	for _, kind := range kinds {
		for _, n := range []int{20_000, 200_000} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				recipient, donor := texts(kind, n)
				donors := []Donor{{"d", donor}}
				s := Span{MinRun: 16}
				var as []Action
				b.ReportAllocs()
				for b.Loop() {
					as = s.Plan(as[:0], recipient, donors)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(recipient)+len(donor)), "ns/token")
			})
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	recipient, donor := texts("prose", 200_000)
	donors := []Donor{{"d", donor}}
	c := Chunk{Size: 16}
	var as []Action
	b.ReportAllocs()
	for b.Loop() {
		as = c.Plan(as[:0], recipient, donors)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(recipient)+len(donor)), "ns/token")
}

func BenchmarkExact(b *testing.B) {
	recipient, donor := texts("prose", 200_000)
	donors := []Donor{{"d", donor}}
	b.Run("item", func(b *testing.B) {
		var x Index
		b.ReportAllocs()
		for b.Loop() {
			x.Build(16, donors)
			x.Hits(recipient)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(recipient)+len(donor)), "ns/token")
	})
	b.Run("corpus", func(b *testing.B) {
		for b.Loop() {
			c := NewCorpus(16)
			c.Add(donor)
			c.Hits(recipient)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(recipient)+len(donor)), "ns/token")
	})
}

// linear tells that ten times the work does not take some hundred times as long.
// Other programs on the machine make any one measurement long, so it is enough
// that one of several is short.
func linear(t *testing.T, name string, n int, work func(n int) func()) {
	t.Helper()
	if testing.Short() {
		t.Skip("measures time")
	}
	once := func(f func()) time.Duration {
		start := time.Now()
		f()
		return time.Since(start)
	}
	small, large := work(n), work(10*n)
	var a, b time.Duration
	for range 12 {
		a, b = once(small), once(large)
		if b < 40*a+5*time.Millisecond {
			return
		}
	}
	t.Errorf("%s: %v for ten times the work that took %v", name, b, a)
}

// TestSpanTime has texts of which each token has thousands of places in the
// donor.
func TestSpanTime(t *testing.T) {
	for _, kind := range kinds {
		linear(t, kind, 10_000, func(n int) func() {
			recipient, donor := texts(kind, n)
			s := Span{MinRun: 16}
			return func() { s.Plan(nil, recipient, []Donor{{"d", donor}}) }
		})
	}
}

// TestSpanManyDonors has donors of four tokens each, and a recipient that copies
// them from the last one to the first.
func TestSpanManyDonors(t *testing.T) {
	linear(t, "many donors", 8_000, func(n int) func() {
		var donors []Donor
		var recipient []uint32
		for d := range uint32(n) {
			donors = append(donors, Donor{fmt.Sprint(d), []uint32{d, d + 7, 5, 6}})
			recipient = append(recipient, uint32(n)-1-d, uint32(n)+6-d, 5, 6)
		}
		s := Span{MinRun: 4}
		return func() {
			if as := s.Plan(nil, recipient, donors); len(as) != n || as[0] != (Action{Copy, 0, 4, 0, fmt.Sprint(n - 1)}) {
				t.Fatalf("%d actions, first %v", len(as), as[0])
			}
		}
	})
}
