package feed

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// TestOrder fills slots in the opposite order of their receipt.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []detector.Signal
		f := New(driver.NewClock(), func(s detector.Signal) { got = append(got, s) })
		var slots []*Slot
		for range 5 {
			slots = append(slots, f.Take())
			time.Sleep(time.Second)
		}
		for i := len(slots) - 1; i >= 0; i-- {
			slots[i].Fill([]detector.Signal{{Value: strconv.Itoa(i)}, {Value: strconv.Itoa(i) + "b"}})
		}
		if err := slots[4].Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for i, want := range []string{"0", "0b", "1", "1b", "2", "2b", "3", "3b", "4", "4b"} {
			if got[i].Value != want || got[i].At != int64(i/2)*int64(time.Second) {
				t.Errorf("signal %d is %q at %d, want %q", i, got[i].Value, got[i].At, want)
			}
		}
	})
}

// TestSlowSink holds the sink up: nothing is lost, and a receiver that does not
// wait any longer loses nothing either.
func TestSlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		f := New(driver.NewClock(), func(detector.Signal) { time.Sleep(time.Minute); n++ })
		s := f.Take()
		s.Fill(make([]detector.Signal, 3))
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if s.Wait(ctx) == nil {
			t.Error("the slot was delivered before the sink was done")
		}
		f.Close()
		if n != 3 {
			t.Errorf("the sink had %d signals, want 3", n)
		}
		if f.Take() != nil {
			t.Error("a closed feed takes receipts")
		}
	})
}

// TestConcurrent has many receivers and one sink that is not safe for
// concurrent use; the race detector looks on.
func TestConcurrent(t *testing.T) {
	last, n := int64(-1), 0
	f := New(driver.NewClock(), func(s detector.Signal) {
		if s.At < last {
			t.Errorf("a signal of %d comes after one of %d", s.At, last)
		}
		last = s.At
		n++
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				s := f.Take()
				s.Fill(make([]detector.Signal, 2))
				s.Wait(context.Background())
			}
		})
	}
	wg.Wait()
	f.Close()
	if n != 3200 {
		t.Errorf("the sink had %d signals, want 3200", n)
	}
}
