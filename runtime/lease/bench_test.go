//go:build unix

package lease

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/live/driver"
)

// BenchmarkOnset applies and removes a fault of a deployment on loopback, and
// says how far the two ends of the apply call lie apart: the onset is known no
// better than that.
func BenchmarkOnset(b *testing.B) {
	s := newSite(b)
	x, err := New(ctx, defaultsApparatus(s.URL, 5*time.Second), Options{Record: filepath.Join(b.TempDir(), RecordName), Watchdog: watchdogLine()})
	if err != nil {
		b.Fatal(err)
	}
	if err := x.Start(ctx, driver.NewClock()); err != nil {
		b.Fatal(err)
	}
	defer x.Close(ctx)
	var apart []int64
	for b.Loop() {
		if _, err := x.Apply(ctx, refusals("trial")); err != nil {
			b.Fatal(err)
		}
		configured, effective := x.Stamps()
		apart = append(apart, effective-configured)
		if _, err := x.Remove(ctx); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(apart)
	b.ReportMetric(float64(apart[len(apart)/2])/1e6, "median-ms")
	b.ReportMetric(float64(apart[len(apart)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(apart[len(apart)-1])/1e6, "max-ms")
}
