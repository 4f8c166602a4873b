package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// application is one application of a fault as the world follows it. Instants
// are of the run's clock.
type application struct {
	column  int   // of the class's indicator
	asked   int64 // when the apparatus was asked to apply it
	onset   int64
	window  injection.Picker // for its verification window alone
	removed int64            // when the removal was asked for; -1 while it acts
	first   int64            // first content of responses that started under the fault, for an apparatus without a ledger

	confirmed int64 // when it was seen to be gone; -1 before

	n, before, injected, observed, lost int64
	cached                              int64
	broken                              string
}

func begin(onset int64, spec world.Fault, column int) *application {
	a := &application{column: column, asked: onset, onset: onset, removed: -1, first: -1, confirmed: -1}
	a.window = injection.Begin(injection.Settings{Onset: onset, Profile: spec.Profile, Fraction: spec.Fraction, Verify: spec.Verify,
		Block: 1, Spacing: 1, Stream: random.New("live", "verification window")})
	return a
}

// cut ends the verification window with the removal.
func (a *application) cut(now int64) {
	a.removed = now
	a.window.Cut(now)
}

// verify takes in a response whose course is known to its end. Of one that the
// injection point did not see nobody knows what it would have been.
func (a *application) verify(f *flight, unseen bool) {
	if !a.window.Verifies(f.start()) {
		return
	}
	if unseen || !f.answered() {
		a.lost++
		return
	}
	before, injected := f.done.scores, f.done.scores
	if f.passed != nil {
		before, injected = f.passed.before, f.passed.after
	}
	a.n++
	a.before += int64(before[a.column])
	a.injected += int64(injected[a.column])
	a.observed += int64(f.done.scores[a.column])
}

// changed tells whether a response may carry the fault.
func (a *application) changed(f *flight) bool {
	if f.passed != nil {
		return f.passed.Picked
	}
	return a != nil && f.at >= a.onset && (a.removed < 0 || f.at < a.removed)
}

// unsure tells whether nobody knows if a response carries the fault: one of an
// apparatus without a ledger, that was under way while the fault was applied or
// removed.
func (a *application) unsure(f *flight) bool {
	switch {
	case f.passed != nil:
		return false
	case f.at < a.onset:
		return f.last >= a.asked
	}
	return a.removed >= 0 && f.at >= a.removed && (a.confirmed < 0 || f.at < a.confirmed)
}

// affects notes the content of a response that started under the fault.
func (a *application) affects(at int64) {
	if a.first < 0 || at < a.first {
		a.first = at
	}
}

// lease renews a fault until it is removed, and no longer than the procedure
// may take to remove it: a harness that stops renewing, for whatever reason,
// ends the fault, and one that hangs does so as one that died.
type lease struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	broken string
	due    time.Time // when the procedure has to have come on; zero for never
}

// Spans that a fault is renewed for beyond what its trial takes.
const (
	overdue  = driver.Overdue  // from when its removal should have been asked for
	removing = 5 * time.Minute // from when it was asked for; a driver confirms it within two minutes, or gives up
)

// defaultLease is how often faults are renewed where the plan names no lease.
const defaultLease = 30 * time.Second

// patience is how many renewals in a row may fail.
const patience = 3

// renew renews a fault whose removal is asked for after longest at the latest;
// 0 where nobody says so.
func renew(a driver.Apparatus, d plan.Apparatus, longest time.Duration) *lease {
	span := time.Duration(d.Lease)
	if span <= 0 {
		span = defaultLease
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &lease{cancel: cancel, done: make(chan struct{})}
	if longest > 0 {
		l.due = time.Now().Add(longest + overdue)
	}
	go func() {
		defer close(l.done)
		t := time.NewTicker(max(span/4, time.Millisecond))
		defer t.Stop()
		last, failed := time.Now(), 0
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			if l.late() {
				return
			}
			one, end := context.WithTimeout(ctx, span/2)
			err := a.Renew(one)
			end()
			switch now := time.Now(); {
			case ctx.Err() != nil:
				return
			case err == nil:
				if gap := now.Sub(last); gap > span {
					l.fail(fmt.Sprintf("the fault was not renewed for %s, and its lease is %s", gap.Round(time.Millisecond), span))
				}
				last, failed = now, 0
			default:
				if failed++; failed >= patience || now.Sub(last) > span {
					l.fail("the fault could not be renewed: " + err.Error())
				}
			}
		}
	}()
	return l
}

// removing gives the removal time of its own.
func (l *lease) removing() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == "" {
		l.due = time.Now().Add(removing)
	}
}

// late tells whether the procedure has not come on in time.
func (l *lease) late() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.due.IsZero() || time.Now().Before(l.due) {
		return false
	}
	if l.broken == "" {
		l.broken = "the harness did not come to remove the fault in time, so its lease was left to run out"
	}
	return true
}

func (l *lease) fail(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == "" {
		l.broken = why
	}
}

// end stops renewing and says why the fault did not last, or "".
func (l *lease) end() string {
	l.cancel()
	<-l.done
	return l.why()
}

func (l *lease) why() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}
