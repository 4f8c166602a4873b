//go:build unix

package procedure_test

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/procedure"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// full is a series of 6 classes, 5 magnitudes, 2 profiles, 4 loads and 20
// trials, complete with baselines, quiet periods, sham trials and
// false-detection observation.
var full = setup{classes: 6, magnitudes: []string{"0.1", "0.15", "0.2", "0.3", "0.5"}, profiles: []plan.Profile{step, ramp},
	loads: []string{"1", "4.64", "21.5", "100"}, trials: 20, attempts: 30, verify: 150 * exact.Second}

func BenchmarkFullSeries(b *testing.B) {
	p := full.build()
	f := &counting{Factory: factory(b, p)}
	var cpu time.Duration
	for b.Loop() {
		f.requests.Store(0)
		var last procedure.Event
		start := cpuTime(b)
		o, err := procedure.Run(context.Background(), p, f, &memory{discard: true}, nil, func(e procedure.Event) { last = e })
		cpu = cpuTime(b) - start
		if err != nil || !o.Complete {
			b.Fatal(o, err)
		}
		b.ReportMetric(float64(last.Trials), "trials")
		b.ReportMetric(exact.Duration(last.Total).Seconds().Float64()/86400, "test-days")
	}
	// What one Bernoulli draw of the same generator costs in this run, on as
	// many processors as the series had.
	const draws = 50_000_000
	start := cpuTime(b)
	var wg sync.WaitGroup
	for i := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s, c, n := random.New("draws", fmt.Sprint(i)), random.ChanceOf(big.NewRat(1, 50)), int64(0)
			for range draws {
				if s.Hit(c) {
					n++
				}
			}
			hits.Add(n)
		})
	}
	wg.Wait()
	draw := float64(cpuTime(b)-start) / draws / float64(runtime.GOMAXPROCS(0))
	request := float64(cpu) / float64(f.requests.Load())
	b.ReportMetric(float64(f.requests.Load())/1e6, "Mrequests")
	b.ReportMetric(request, "ns/request")
	b.ReportMetric(request/draw, "draws/request")
}

var hits atomic.Int64

// counting counts the requests of all worlds.
type counting struct {
	world.Factory
	requests atomic.Int64
}

func (c *counting) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := c.Factory.Open(ctx, s, sink)
	return &counted{w, c}, err
}

type counted struct {
	world.World
	c *counting
}

func (w *counted) Count(width int64) { w.World.(world.Offering).Count(width) }
func (w *counted) Offered() []int64  { return w.World.(world.Offering).Offered() }

func (w *counted) Close() error {
	w.c.requests.Add(w.Requests())
	return w.World.Close()
}

// cpuTime is what the process has used of all its processors.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMemory shows that the memory of a run does not grow with its
// trials: the largest live heap, sampled at each commit, for 20 and for 200
// trials of the same matrix.
func BenchmarkMemory(b *testing.B) {
	for _, trials := range []int{20, 200} {
		b.Run(fmt.Sprintf("trials=%d", trials), func(b *testing.B) {
			s := full
			s.classes, s.magnitudes, s.loads, s.trials, s.attempts = 2, []string{"0.2", "0.3"}, []string{"10"}, trials, 2*trials
			p := s.build()
			f := factory(b, p)
			for b.Loop() {
				peak := uint64(0)
				_, err := procedure.Run(context.Background(), p, f, &memory{discard: true}, nil, func(e procedure.Event) {
					if e.Segments%8 == 0 {
						runtime.GC()
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						peak = max(peak, m.HeapAlloc)
					}
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(peak)/1e6, "peak-MB")
			}
		})
	}
}
