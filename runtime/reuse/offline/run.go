package offline

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/fdbench/fdbench/runtime/reuse/blocks"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Bounds of what is read ahead of the row that is due: items a worker, and
// bytes of prompts in all. An item that is longer than that is alone.
const (
	aheadItems = 16
	aheadBytes = 8 << 20
)

// job is an item on its way.
type job struct {
	item    *manifest.Item
	index   int64
	bytes   int
	plan    blocks.PlanRef
	planned bool // whether plan is one

	row    record.Item
	donors [][]uint32
	err    error
	done   chan struct{}
}

// run sends what next gives through work, on all cores, and on to fn in the
// order of next, until next is at io.EOF.
func (m *Measurer) run(ctx context.Context, next func() (*job, error), work func(*worker, *job), fn func(*job) error) error {
	limit := aheadItems * m.workers
	todo := make(chan *job, limit)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(todo)
	ctx, stop := context.WithCancel(ctx) // so that what is read ahead is not measured for nobody
	defer stop()
	for range m.workers {
		w, err := m.worker()
		if err != nil {
			return err
		}
		wg.Go(func() {
			for j := range todo {
				// Behind a cancelled job nothing is given to fn any more.
				if j.err = ctx.Err(); j.err == nil {
					work(w, j)
				}
				j.item = nil
				close(j.done)
			}
		})
	}
	var queue []*job // sent to workers, in order
	ahead := 0       // bytes of them
	var end error
	for {
		for end == nil && len(queue) < limit && (ahead < aheadBytes || len(queue) == 0) {
			if end = ctx.Err(); end != nil {
				break
			}
			var j *job
			if j, end = next(); end != nil {
				break
			}
			j.done = make(chan struct{})
			j.bytes = len(j.item.Recipient)
			for _, d := range j.item.Donors {
				j.bytes += len(d.Text)
			}
			ahead += j.bytes
			queue = append(queue, j)
			todo <- j
		}
		if len(queue) == 0 {
			if end == io.EOF {
				return nil
			}
			return end
		}
		j := queue[0]
		queue = queue[1:]
		<-j.done
		ahead -= j.bytes
		if j.err != nil {
			return j.err
		}
		if err := fn(j); err != nil {
			return err
		}
	}
}

// worker is the scratch space of a goroutine.
type worker struct {
	m         *Measurer
	index     blocks.Index
	planner   blocks.Planner
	cover     blocks.Cover
	recipient []uint32
	donors    []blocks.Donor
	actions   []blocks.Action
}

func (m *Measurer) worker() (*worker, error) {
	w := &worker{m: m}
	if m.planner == nil {
		return w, nil
	}
	var err error
	w.planner, err = blocks.NewPlanner(*m.planner, m.d.BlockSize)
	return w, err
}

// tokenize is the work for a corpus, whose tokens leave the worker.
func (w *worker) tokenize(j *job) {
	for _, d := range j.item.Donors {
		j.donors = append(j.donors, w.m.tok.Append(nil, d.Text))
	}
}

func (w *worker) measure(j *job) {
	it, size := j.item, w.m.d.BlockSize
	w.recipient = w.m.tok.Append(w.recipient[:0], it.Recipient)
	for len(w.donors) < len(it.Donors) {
		w.donors = append(w.donors, blocks.Donor{})
	}
	donors := w.donors[:len(it.Donors)]
	for i, d := range it.Donors {
		donors[i] = blocks.Donor{ID: d.DonorID, Tokens: w.m.tok.Append(donors[i].Tokens[:0], d.Text)}
	}
	row := &j.row
	*row = record.Item{
		Index: j.index, ItemID: it.ItemID, Dataset: it.Dataset, SourceID: it.SourceID, Transform: it.Transform,
		Control: it.Control, Donors: len(donors),
		PromptTokens: int64(len(w.recipient)),
		TotalBlocks:  int64(len(w.recipient) / size),
	}
	if w.m.corpus != nil {
		row.ExactBlocks, row.PrefixBlocks = w.m.corpus.Hits(w.recipient)
	} else {
		w.index.Build(size, donors)
		row.ExactBlocks, row.PrefixBlocks = w.index.Hits(w.recipient)
	}
	switch {
	case w.planner != nil:
		w.actions = w.planner.Plan(w.actions[:0], w.recipient, donors)
	case j.planned:
		var err error
		if w.actions, err = w.m.plans.Read(w.actions[:0], j.plan); err != nil {
			j.err = fmt.Errorf("%s: %w", w.m.d.Plans.File, err)
			return
		}
	default:
		return
	}
	v := w.cover.Measure(size, w.recipient, donors, w.actions)
	row.Planned = true
	row.Candidate, row.Eligible, row.Invalid = v.Candidate, v.Eligible, v.Invalid
}
