// Package feed brings the signals of a live detector to one sink: in the order
// in which they were received, from one goroutine, with none dropped.
//
// It imports runtime/detector and runtime/live/driver.
package feed

import (
	"context"
	"sync"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// Feed is an ordered queue of receipts. What arrives takes a Slot, whose
// instant is stamped there and then, before anything is parsed; the signals in
// it are filled in later, and the sink hears of them when all earlier slots
// have been filled. Take may be called from many goroutines.
//
// The queue has no bound of its own: whoever takes a slot waits for it to be
// delivered before taking the next, and so the number of receivers is the
// bound.
type Feed struct {
	clock driver.Clock
	sink  detector.Sink

	mu      sync.Mutex
	waiting []*Slot
	more    chan struct{} // holds one token when there is something to do
	closed  bool
	done    chan struct{}
}

// Slot is one receipt.
type Slot struct {
	At int64 // when it arrived, on the run's clock

	signals   func() []detector.Signal
	filled    chan struct{}
	delivered chan struct{}
}

// New starts a feed. Close ends it.
func New(c driver.Clock, sink detector.Sink) *Feed {
	f := &Feed{clock: c, sink: sink, more: make(chan struct{}, 1), done: make(chan struct{})}
	go f.run()
	return f
}

// Take stamps a receipt. The slot must be filled, be it with nothing. It is nil
// once the feed is closed.
func (f *Feed) Take() *Slot {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	s := &Slot{At: f.clock.Now(), filled: make(chan struct{}), delivered: make(chan struct{})}
	f.waiting = append(f.waiting, s)
	f.wake()
	return s
}

// Fill gives a slot its signals, whose At becomes that of the slot. A slot is
// filled once.
func (s *Slot) Fill(signals []detector.Signal) {
	s.Later(func() []detector.Signal { return signals })
}

// Later fills a slot with a function that makes the signals when those of all
// earlier slots have been delivered. Such functions run one after the other.
func (s *Slot) Later(signals func() []detector.Signal) {
	s.signals = signals
	close(s.filled)
}

// Wait waits until the sink has had the signals of a slot, or until ctx ends;
// the signals are delivered in either case.
func (s *Slot) Wait(ctx context.Context) error {
	select {
	case <-s.delivered:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close takes no further receipts, delivers those that were taken, and returns
// when the sink will not be called again.
func (f *Feed) Close() {
	f.mu.Lock()
	f.closed = true
	f.wake()
	f.mu.Unlock()
	<-f.done
}

func (f *Feed) wake() {
	select {
	case f.more <- struct{}{}:
	default:
	}
}

func (f *Feed) run() {
	defer close(f.done)
	for {
		f.mu.Lock()
		batch, closed := f.waiting, f.closed
		f.waiting = nil
		f.mu.Unlock()
		if len(batch) == 0 {
			if closed {
				return
			}
			<-f.more
			continue
		}
		for _, s := range batch {
			<-s.filled
			for _, x := range s.signals() {
				x.At = s.At
				f.sink(x)
			}
			close(s.delivered)
		}
	}
}
