package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// pairs sends the requests, one segment a pair. What a run that was cut short
// left in a cache is emptied by the resets of the pair that is repeated.
func (r *run) pairs(ctx context.Context) error {
	if !r.live() || r.kept.after {
		return nil
	}
	total := r.p.Declaration.Manifest.Items
	if r.kept.pairs < total {
		r.progress(Event{Phase: PhaseWarmup})
		if err := r.runner.Warm(ctx); err != nil {
			return err
		}
	}
	if !r.kept.before {
		if err := r.counters(ctx, momentBefore); err != nil {
			return err
		}
	}
	if err := r.send(ctx, total); err != nil {
		return err
	}
	return r.counters(ctx, momentAfter)
}

// sent is what became of a pair.
type sent struct {
	n      int64
	resets []record.Reset
	arms   []record.Arm
	took   time.Duration
	err    error
}

// send sends the pairs that are missing, up to the declared number at a time,
// and writes them in the order of the manifest. It does not go on where pairs
// fail one after the other: an engine that died would be asked for hours.
func (r *run) send(ctx context.Context, total int64) (err error) {
	first := r.kept.pairs
	r.progress(Event{Phase: PhasePairs, Done: first, Of: total, Kept: first})
	if first >= total {
		return nil
	}
	items, err := r.o.parts.items()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, items.Close()) }()
	if err := skip(items, first); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	at := max(1, r.p.Declaration.Live.Concurrency)
	var under []chan sent // pairs that were begun, in the order of the manifest
	defer func() {
		cancel()
		for _, c := range under {
			<-c // a request that still runs must not outlive the run
		}
	}()
	next, ended := first, false
	var bad streak
	for done := first; ; {
		for !ended && len(under) < at {
			it, err := items.Next()
			if errors.Is(err, io.EOF) {
				ended = true
				break
			}
			if err != nil {
				return err
			}
			c := make(chan sent, 1)
			go func(n int64, it *manifest.Item) {
				began := time.Now()
				x := sent{n: n}
				x.resets, x.arms, x.err = r.runner.Pair(ctx, n, it)
				x.took = time.Since(began)
				c <- x
			}(next, it)
			under = append(under, c)
			next++
		}
		if len(under) == 0 {
			if done != total {
				return fmt.Errorf("the manifest has %d items, and the plan was made from %d; compile the scenario again", done, total)
			}
			return nil
		}
		x := <-under[0]
		under = under[1:]
		if x.err != nil {
			return x.err
		}
		if err := ctx.Err(); err != nil {
			return err // what was cut off by it is no outcome
		}
		done++
		r.progress(Event{Phase: PhasePairs, Done: done, Of: total, Kept: first})
		if err := r.take(ctx, &bad, x, done, total); err != nil {
			return err
		}
	}
}

// pair writes one pair, each request behind its reset.
func (r *run) pair(x *sent) error {
	if err := r.begin(record.PhasePair, fmt.Sprintf("pair %d", x.n)); err != nil {
		return err
	}
	for i := range x.arms {
		a := &x.arms[i]
		for _, s := range x.resets {
			if s.Arm == a.Arm {
				if err := r.w.Append(record.KindReset, s); err != nil {
					return err
				}
			}
		}
		if err := r.w.Append(record.KindArm, a); err != nil {
			return err
		}
		r.kept.sent(a)
	}
	return r.commit(x.took)
}
