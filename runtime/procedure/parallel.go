package procedure

import (
	"context"
	"errors"
	"sync"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// task is a sequence of segments that depends on nothing that runs beside it.
// done folds its outcome into the run's state, in the order of the tasks.
type task struct {
	run  func(context.Context, *worker) error
	done func([]*segmentOutcome)
}

// worker executes the segments of one task.
type worker struct {
	r        *run
	direct   bool // entries go to the journal at once: the world is real
	outcomes []*segmentOutcome
	entries  [][]entry // per outcome; nil for one from the history
}

type entry struct {
	kind string
	data any
}

// parallel executes tasks on as many worlds as the factory allows and commits
// them in their order, so that the journal does not show how many ran at once.
// The first task in order that fails ends it; what later tasks did is dropped.
func (r *run) parallel(ctx context.Context, tasks []task) error {
	width := max(1, r.factory.Parallel())
	if width == 1 {
		for i := range tasks {
			w := &worker{r: r, direct: true}
			if err := tasks[i].run(ctx, w); err != nil {
				return err
			}
			if tasks[i].done != nil {
				tasks[i].done(w.outcomes)
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		w   *worker
		err error
	}
	results := make([]chan result, len(tasks))
	// Twice as many tasks as worlds may be begun and not yet committed, which
	// bounds what is held in memory.
	slots := make(chan struct{}, 2*width)
	busy := make(chan struct{}, width)
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := range tasks {
		results[i] = make(chan result, 1)
	}
	wg.Go(func() {
		for i := range tasks {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				results[i] <- result{&worker{r: r}, context.Cause(ctx)}
				continue
			}
			wg.Go(func() {
				busy <- struct{}{}
				defer func() { <-busy }()
				w := &worker{r: r}
				err := tasks[i].run(ctx, w)
				results[i] <- result{w, err}
			})
		}
	})
	for i := range tasks {
		res := <-results[i]
		if err := r.fold(&tasks[i], res.w, res.err == nil); err != nil {
			cancel()
			return err
		}
		if res.err != nil {
			cancel()
			return res.err
		}
		<-slots
	}
	return nil
}

// fold writes a task's segments to the journal and hands their outcomes on.
// Segments that were complete before a task failed are kept.
func (r *run) fold(t *task, w *worker, ok bool) error {
	for i, o := range w.outcomes {
		if w.entries[i] != nil {
			for _, e := range w.entries[i] {
				if err := r.journal.Append(e.kind, number(e.data, r.segments)); err != nil {
					return err
				}
			}
			if err := r.journal.Sync(); err != nil {
				return err
			}
		}
		r.count(o, w.entries[i] == nil)
	}
	if ok && t.done != nil {
		t.done(w.outcomes)
	}
	return nil
}

// count adds a segment that is in the journal.
func (r *run) count(o *segmentOutcome, replayed bool) {
	r.segments++
	r.total += o.length
	r.tried[o.load] += len(o.trials)
	for _, tr := range o.trials {
		if tr.kept && tr.purpose != journal.PurposeSham {
			r.trials++
		}
	}
	r.progress(Event{Phase: o.phase, Load: o.load, Segments: r.segments, Trials: r.trials, Length: o.length, Total: r.total,
		Replayed: replayed})
}

// add takes a segment's outcome, with its entries where they are not in the
// journal yet.
func (w *worker) add(o *segmentOutcome, entries []entry, replayed bool) {
	w.outcomes, w.entries = append(w.outcomes, o), append(w.entries, entries)
	if w.direct {
		w.r.count(o, replayed)
	}
}

// number gives a segment its place in the journal.
func number(data any, id int) any {
	switch d := data.(type) {
	case journal.Segment:
		d.ID = id
		return d
	case journal.Commit:
		d.ID = id
		return d
	}
	return data
}

// segment executes one segment, or takes its outcome from the history.
func (w *worker) segment(ctx context.Context, s world.Segment, body func(context.Context, *stage) error) (*segmentOutcome, error) {
	if o := w.r.history.take(s.Name); o != nil {
		w.add(o, nil, true)
		return o, o.err()
	}
	st := &stage{r: w.r, point: &w.r.plan.Declaration.Load.Points[s.Load], load: s.Load, direct: w.direct,
		outcome: &segmentOutcome{name: s.Name, phase: s.Phase, load: s.Load}}
	if w.direct {
		st.id = w.r.segments
	}
	if w.r.real() {
		w.r.progress(Event{Phase: s.Phase, Load: s.Load, Begins: true, Segments: w.r.segments, Trials: w.r.trials, Total: w.r.total})
	}
	var err error
	if st.world, err = w.r.factory.Open(ctx, s, st.hear); err != nil {
		return nil, err
	}
	err = st.record(journal.KindSegment, journal.Segment{Phase: s.Phase, Load: s.Load, Name: s.Name})
	if err == nil {
		err = st.readAtBegin(ctx)
	}
	if err == nil {
		err = body(ctx, st)
	}
	if err == nil || st.outcome.failed != "" {
		err = st.commit()
	}
	if cerr := st.world.Close(); cerr != nil {
		err = errors.Join(err, cerr)
	}
	if err != nil {
		return nil, err
	}
	w.add(st.outcome, st.entries, false)
	return st.outcome, st.outcome.err()
}
