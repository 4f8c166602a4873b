package proxy

import (
	"net/http"
	"strconv"
	"time"

	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// exchange is a request with a completion, on its way.
type exchange struct {
	key, prompt string
	start       int64
	fault       *application // that was applied at its start; nil for none
	verifies    bool         // it counts for the achieved magnitude
	picked      bool
	change      *changer // nil where it is not picked
	seed        uint64
	touched     bool // a byte of it was changed

	status        int
	before, after *observer // nil where there is no text
	finished      bool      // the last byte of the response was written
	end           int64     // when it was
}

// take is the start of a request: what is decided here holds until its end.
func (p *Proxy) take(key, prompt string) *exchange {
	x := &exchange{key: key, prompt: prompt}
	p.mu.Lock()
	defer p.mu.Unlock()
	x.start = p.clock.Now()
	p.rate.add(x.start)
	if a := p.fault; a != nil && !a.ended {
		x.fault = a
		if x.verifies = a.picker.Verifies(x.start); x.verifies {
			a.pending++
		}
		if a.picker.Pick(x.start) {
			x.picked, x.change = true, a.change
			x.seed = injection.Seed(a.spec.Trial, key)
			a.altered++
		}
	}
	return x
}

// affected stamps the first changed byte of a fault, before it goes out.
func (p *Proxy) affected(x *exchange) {
	if x.touched {
		return
	}
	x.touched = true
	p.mu.Lock()
	if a := x.fault; a.first < 0 {
		a.first = p.clock.Now()
	}
	p.mu.Unlock()
}

// leave is the end of a request, however it ended. The server sends the rest of
// a response once its handler has returned, so the scoring does not stand in
// the way: how long it takes depends on whether a fault is applied, and would be
// a marker in time (FD-3.4-4).
func (p *Proxy) leave(x *exchange) {
	x.end = p.clock.Now()
	p.scoring.Add(1)
	go func() {
		defer p.scoring.Add(-1)
		p.done(x)
	}()
}

// settle waits until what has ended was told to the ledger, for as long as what
// is on its way may take.
func (p *Proxy) settle() {
	for end := time.Now().Add(closeGrace); p.scoring.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// done scores an exchange and tells the ledger of it.
func (p *Proxy) done(x *exchange) {
	e := driver.Exchange{Key: x.key, Start: x.start, End: x.end, Status: x.status, Picked: x.picked}
	good := x.finished && x.before != nil
	if x.before != nil {
		var ok bool
		e.Before, ok = x.before.end()
		good = good && ok
		if e.After = e.Before; x.after != x.before {
			e.After, ok = x.after.end()
			good = good && ok
		}
	}
	e.Failed = !good && (x.status == http.StatusOK || !x.finished)
	var before, after int32
	if good && x.verifies && p.o.Scorer != nil {
		before = p.o.Scorer(x.prompt, e.Before)[x.fault.spec.Indicator]
		if after = before; e.After != e.Before {
			after = p.o.Scorer(x.prompt, e.After)[x.fault.spec.Indicator]
		}
	}
	// The ledger is told before the application can be complete.
	if sink := p.sink.Load(); sink != nil {
		(*sink)(e, x)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := x.fault; a != nil {
		if x.verifies {
			a.pending--
			if good {
				a.n++
				a.before += int64(before)
				a.injected += int64(after)
			} else {
				a.lost++
			}
		}
		if x.picked {
			a.altered--
		}
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
