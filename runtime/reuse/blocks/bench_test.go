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

// TestSpanTime tells that ten times the text does not take a hundred times as
// long, on texts of which each token has thousands of places in the donor.
func TestSpanTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, kind := range kinds {
		var took [2]time.Duration
		for i, n := range []int{10_000, 100_000} {
			recipient, donor := texts(kind, n)
			s := Span{MinRun: 16}
			s.Plan(nil, recipient, []Donor{{"d", donor}})
			took[i] = time.Hour
			for range 3 {
				start := time.Now()
				s.Plan(nil, recipient, []Donor{{"d", donor}})
				took[i] = min(took[i], time.Since(start))
			}
		}
		if took[1] > 60*took[0]+10*time.Millisecond {
			t.Errorf("%s: %v for ten times the text that took %v", kind, took[1], took[0])
		}
	}
}
