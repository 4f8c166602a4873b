package execute

import (
	"context"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/arms"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// StoppedError is a live run that was given up, since one pair after the other
// failed. What was committed before them is kept, and they are not: the same
// call measures them again. The journal has a segment without a commit where
// they would stand, so that the run that goes on says that it repeats them.
type StoppedError struct {
	Done, Total int64  // pairs: that were measured, and of the manifest
	Kept        int64  // pairs in the journal
	Row         int    // pairs that failed one after the other, up to the last
	Item, Why   string // the last of them
	// Problem is what the endpoint lacks, nil where it answers as it should.
	Problem error
}

func (e *StoppedError) Error() string {
	text := fmt.Sprintf("stopped after %d of %d pairs: the last %d in a row failed, ", e.Done, e.Total, e.Row)
	if e.Row == 1 {
		text = fmt.Sprintf("stopped after %d of %d pairs: the last one failed, ", e.Done, e.Total)
	}
	next := "When the engine is back, the same command measures those that failed again, and goes on"
	if e.Problem != nil {
		text += fmt.Sprintf("and the endpoint is no longer as it was: %s", strings.ReplaceAll(e.Problem.Error(), "\n", "; "))
	} else {
		text += fmt.Sprintf("though the endpoint answers a short request; the last was item %s, %s", e.Item, e.Why)
		next = "Look at the log of the engine; the same command measures those that failed again, and goes on"
	}
	return text + fmt.Sprintf(". The %d pairs before are kept. %s", e.Kept, next)
}

func (e *StoppedError) Unwrap() error { return e.Problem }

// streak are pairs that failed one after the other. They are held back until it
// is known that the engine is there.
type streak struct {
	held      []sent
	row       int    // of the held ones, those that say something of the engine
	item, why string // of the last of these
}

// take writes a pair, or holds it back while pairs fail one after the other.
func (r *run) take(ctx context.Context, bad *streak, x sent, done, total int64) error {
	why, ofItem := failed(&x)
	if why == "" {
		if err := r.release(bad); err != nil {
			return err
		}
		return r.pair(&x)
	}
	last := done == total
	switch {
	case !ofItem:
		bad.held = append(bad.held, x)
		bad.row++
		bad.item, bad.why = x.arms[0].ItemID, why
		if bad.row != arms.CheckAfter && bad.row < arms.StopAfter && !last {
			return nil
		}
	case len(bad.held) == 0:
		return r.pair(&x) // it says nothing of the engine, and took no time
	default:
		if bad.held = append(bad.held, x); !last {
			return nil
		}
	}
	stop := &StoppedError{Done: done, Total: total, Kept: done - int64(len(bad.held)), Row: bad.row, Item: bad.item, Why: bad.why}
	stop.Problem = r.runner.Check(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case stop.Problem == nil && last:
		return r.release(bad)
	case stop.Problem == nil && bad.row < arms.StopAfter:
		return nil
	}
	if err := r.begin(record.PhasePair, fmt.Sprintf("pairs %d to %d, which failed", stop.Kept, done-1)); err != nil {
		return err
	}
	if err := r.w.Sync(); err != nil {
		return err
	}
	return stop
}

// release writes the pairs that were held back.
func (r *run) release(bad *streak) error {
	for i := range bad.held {
		if err := r.pair(&bad.held[i]); err != nil {
			return err
		}
	}
	*bad = streak{}
	return nil
}

// failed says why a pair failed, "" where it did not, and whether the engine
// only refused what is in the item. Tokens that a cold request found in the
// cache are no failure but an observation (KV-8-6).
func failed(x *sent) (why string, ofItem bool) {
	for _, s := range x.resets {
		if !s.OK {
			return "the reset failed: " + s.Detail, false
		}
	}
	for i := range x.arms {
		a := &x.arms[i]
		switch {
		case a.Outcome == string(openai.OK) && a.DonorsFailed == 0:
			continue
		case arms.OfItem(a):
			why, ofItem = "a request was refused: "+a.Detail, true
			continue
		case a.Outcome == string(openai.OK):
			return "a donor failed: " + a.Detail, false
		}
		return fmt.Sprintf("a request failed (%s): %s", a.Outcome, a.Detail), false
	}
	return why, ofItem
}
