package live

import (
	"sync"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// event is something that happened outside. Exactly one of its parts is set.
type event struct {
	at     int64 // on the run's clock; later events have no earlier one
	sent   *sent
	began  *began
	done   *done
	passed *passed
	signal *detector.Signal
}

// sent is a request on its way.
type sent struct {
	key       string
	n         uint64 // of the prompt
	scheduled int64
}

// began is a response whose content has begun, where the injection apparatus
// does not see responses.
type began struct {
	key string
	n   uint64
	at  int64
}

func (b *began) is(x *flight) bool { return x.done == nil && x.n == b.n }

// done is a request that came to its end at the harness's own client, which
// stands at the observation point.
type done struct {
	key    string
	n      uint64
	record openai.Record
	shift  int64   // of the record's stamps to the run's clock
	scores []int32 // nil unless the request was answered
}

func (d *done) is(x *flight) bool { return x.done == nil && x.n == d.n }

// passed is a response that passed the injection apparatus.
type passed struct {
	driver.Exchange
	known         bool // it is of a request of the harness
	before, after []int32
	twins         []world.Twin
}

// queue holds events in the order of their stamps, which are made under its
// lock: whoever has taken all events up to an instant knows that no other will
// come.
type queue struct {
	clock driver.Clock

	mu   sync.Mutex
	list []event
	head int
	wake chan struct{}
}

func newQueue(c driver.Clock) *queue { return &queue{clock: c, wake: make(chan struct{}, 1)} }

func (q *queue) put(e event) {
	q.mu.Lock()
	e.at = q.clock.Now()
	q.list = append(q.list, e)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns the next event up to an instant. Where there is none, complete
// tells whether there will be none either.
func (q *queue) take(until int64) (e event, ok, complete bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.head < len(q.list) && q.list[q.head].at <= until {
		e = q.list[q.head]
		q.list[q.head] = event{}
		if q.head++; q.head == len(q.list) {
			q.list, q.head = q.list[:0], 0
		} else if q.head > 4096 && q.head > len(q.list)/2 {
			n := copy(q.list, q.list[q.head:])
			clear(q.list[n:])
			q.list, q.head = q.list[:n], 0
		}
		return e, true, false
	}
	return event{}, false, q.clock.Now() > until
}
