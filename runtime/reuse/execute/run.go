package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// segmentItems is how many rows are committed at a time: few enough that an
// interruption costs little, and many enough that syncs do not count.
const segmentItems = 256

// run is one execution.
type run struct {
	o        *Options
	p        *plan.Reuse
	w        *journal.Writer
	runner   Runner
	kept     kept
	closed   bool
	segment  int // the next one
	progress func(Event)
}

func (r *run) live() bool { return r.p.Declaration.Live != nil }

// shut closes what was opened.
func (r *run) shut() error {
	if r.runner != nil {
		r.runner.Close()
	}
	if r.w == nil {
		return nil
	}
	return r.w.Close()
}

// carryOut does what is left to do.
func (r *run) carryOut(ctx context.Context) error {
	if r.closed {
		return nil
	}
	r.segment = r.kept.segments
	if err := r.o.parts.inputs(ctx); err != nil {
		return r.forget(err)
	}
	if r.o.Begin != nil {
		if err := r.o.Begin(); err != nil {
			return err
		}
	}
	for _, f := range []func(context.Context) error{r.items, r.audit, r.pairs, r.logs} {
		if err := f(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := r.w.Append(journal.KindClose, journal.Close{Status: "complete"}); err != nil {
		return err
	}
	return r.w.Sync()
}

// begin opens a segment.
func (r *run) begin(phase, name string) error {
	return r.w.Append(journal.KindSegment, journal.Segment{ID: r.segment, Phase: phase, Name: name})
}

// commit ends it. What it holds is on the disk then.
func (r *run) commit(took time.Duration) error {
	if err := r.w.Append(journal.KindCommit, journal.Commit{ID: r.segment, At: int64(took)}); err != nil {
		return err
	}
	r.segment++
	return r.w.Sync()
}

// items writes the rows of the manifest, from the first one that is missing.
func (r *run) items(ctx context.Context) error {
	total, done := r.p.Declaration.Manifest.Items, r.kept.items
	r.progress(Event{Phase: PhaseItems, Done: done, Of: total, Kept: r.kept.items})
	if done >= total {
		return nil
	}
	first := done
	open := false
	err := r.o.parts.rows(ctx, done, func(x record.Item) error {
		if !open {
			if err := r.begin(record.PhaseOffline, fmt.Sprintf("items from %d", done)); err != nil {
				return err
			}
			open = true
		}
		if err := r.w.Append(record.KindItem, x); err != nil {
			return err
		}
		if done++; done%segmentItems != 0 {
			return nil
		}
		open = false
		if err := r.commit(0); err != nil {
			return err
		}
		r.progress(Event{Phase: PhaseItems, Done: done, Of: total, Kept: first})
		return ctx.Err()
	})
	if err != nil {
		return r.forget(err)
	}
	if open {
		if err := r.commit(0); err != nil {
			return err
		}
		r.progress(Event{Phase: PhaseItems, Done: done, Of: total, Kept: first})
	}
	if done != total {
		return fmt.Errorf("the manifest has %d items, and the plan was made from %d; compile the scenario again", done, total)
	}
	return nil
}

// audit looks for collisions of the manifest's blocks. It comes before the
// first request, since a control that is none makes all of them worthless.
func (r *run) audit(ctx context.Context) error {
	if r.kept.audit || r.p.Declaration.Audit == "" {
		return nil
	}
	r.progress(Event{Phase: PhaseAudit})
	found, err := r.o.parts.audit(ctx)
	if err != nil {
		return err
	}
	if err := r.begin(record.PhaseEvidence, "collisions"); err != nil {
		return err
	}
	if err := r.w.Append(record.KindAudit, found); err != nil {
		return err
	}
	return r.commit(0)
}

// counters writes what the engines count by themselves.
func (r *run) counters(ctx context.Context, moment string) error {
	if len(r.p.Declaration.Live.Metrics) == 0 {
		return nil
	}
	if err := r.begin(record.PhaseEvidence, "counters "+moment); err != nil {
		return err
	}
	for _, c := range r.runner.Counters(ctx, moment) {
		if err := r.w.Append(record.KindCounters, c); err != nil {
			return err
		}
	}
	return r.commit(0)
}

// logs reads what the engines say that they did, after the last pair.
func (r *run) logs(ctx context.Context) error {
	d := &r.p.Declaration
	if r.kept.logs || len(d.Evidence) == 0 {
		return nil
	}
	if err := r.begin(record.PhaseEvidence, "logs"); err != nil {
		return err
	}
	for i, e := range d.Evidence {
		r.progress(Event{Phase: PhaseEvidence, Done: int64(i), Of: int64(len(d.Evidence))})
		var requests func(string) (evidence.Request, bool)
		if r.live() {
			requests = func(id string) (evidence.Request, bool) {
				q, ok := r.kept.ids[id]
				return q, ok
			}
		}
		said, joined, err := r.o.parts.log(ctx, e, requests)
		if err != nil {
			return err
		}
		if e.SHA256 != "" && said.SHA256 != e.SHA256 {
			return fmt.Errorf("%s is another file than the one that the scenario was compiled with: its digest is %s, and the plan has %s; compile the scenario again",
				e.Log, plan.Short(said.SHA256), plan.Short(e.SHA256))
		}
		if err := r.w.Append(record.KindEvidence, said); err != nil {
			return err
		}
		for _, j := range joined {
			if err := r.w.Append(record.KindJoined, j); err != nil {
				return err
			}
		}
	}
	return r.commit(0)
}

// skip reads the items that are done.
func skip(items Items, n int64) error {
	for range n {
		if _, err := items.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
	return nil
}
