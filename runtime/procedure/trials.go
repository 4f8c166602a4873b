package procedure

import (
	"context"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// segmentTrials is how many trials a segment holds at least, where so many are
// asked for: enough that what a detector carries from one trial into the next
// is part of the measurement, few enough that segments can run side by side.
const segmentTrials = 10

// blockTasks runs whole blocks, one or several to a segment. Inside a block
// every combination has one attempt, in random order, so that drift meets all
// combinations alike (AMB-39).
func (r *run) blockTasks(load int, l *ledger, blocks []block) []task {
	if r.real() {
		return r.singleTasks(load, l, blocks)
	}
	var tasks []task
	for len(blocks) > 0 {
		n, trials := 0, 0
		for n < len(blocks) && trials < segmentTrials {
			trials += len(blocks[n].cells)
			n++
		}
		group := blocks[:n]
		blocks = blocks[n:]
		tasks = append(tasks, task{
			run: func(ctx context.Context, w *worker) error {
				_, err := w.segment(ctx, world.Segment{Name: group[0].name, Phase: "trials", Load: load}, func(ctx context.Context, s *stage) error {
					if err := s.settle(ctx); err != nil {
						return err
					}
					for _, b := range group {
						if err := s.block(ctx, l, b); err != nil {
							return err
						}
					}
					return nil
				})
				return err
			},
			done: l.add,
		})
	}
	return tasks
}

func (s *stage) block(ctx context.Context, l *ledger, b block) error {
	for _, i := range s.r.order(b) {
		if err := s.trial(ctx, s.r.attempt(l, b, i)); err != nil {
			return err
		}
	}
	return nil
}

// singleTasks runs the trials of the blocks in the same order, each in a
// segment of its own.
func (r *run) singleTasks(load int, l *ledger, blocks []block) []task {
	var tasks []task
	for _, b := range blocks {
		for k, i := range r.order(b) {
			a := r.attempt(l, b, i)
			name := fmt.Sprintf("%s, trial %d", b.name, k)
			tasks = append(tasks, task{
				run: func(ctx context.Context, w *worker) error {
					_, err := w.single(ctx, world.Segment{Name: name, Phase: "trials", Load: load}, a)
					return err
				},
				done: l.add,
			})
		}
	}
	return tasks
}

// single runs one trial in a segment of its own.
func (w *worker) single(ctx context.Context, seg world.Segment, a application) (*segmentOutcome, error) {
	return w.segment(ctx, seg, func(ctx context.Context, s *stage) error {
		if err := s.settle(ctx); err != nil {
			return err
		}
		return s.trial(ctx, a)
	})
}

// order is the random order of a block's cells.
func (r *run) order(b block) []int {
	order := make([]int, len(b.cells))
	for i := range order {
		order[i] = i
	}
	shuffle := r.stream("order", b.name)
	for i := len(order) - 1; i > 0; i-- {
		j := int(shuffle.Below(uint64(i + 1)))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// attempt is the application of a block's i-th cell.
func (r *run) attempt(l *ledger, b block, i int) application {
	cell, attempt := &l.cells[b.cells[i]], b.first[i]
	c := cell.combination
	return application{
		name: fmt.Sprintf("combination %d, attempt %d", c.ID, attempt), purpose: journal.PurposeTrials,
		class: r.class(c.Class), profile: c.Profile, magnitude: c.Magnitude, fraction: cell.fraction,
		combination: c.ID, search: -1, attempt: attempt, timeout: int64(c.Timeout), verify: int64(c.Verification),
		phase: r.phase(fmt.Sprintf("combination %d", c.ID), c.Trials, attempt),
	}
}

// phase is the onset phase of an attempt: the strata of n trials are gone
// through again for attempts beyond n.
func (r *run) phase(name string, n, attempt int) float64 {
	round, i := (attempt-1)/n, (attempt-1)%n
	return phases(r.stream("phase", name, fmt.Sprint(round)), n)[i]
}

func (r *run) class(name string) *plan.FaultClass {
	for i := range r.plan.Declaration.FaultClasses {
		if c := &r.plan.Declaration.FaultClasses[i]; c.Name == name {
			return c
		}
	}
	panic("procedure: the plan does not declare fault class " + name)
}

// kind is a fault as an attribution can tell it from others.
type kind struct {
	class   *plan.FaultClass
	profile plan.Profile
}

// kinds are the classes and profiles that the plan applies, in its order.
func (r *run) kinds() []kind {
	var out []kind
	seen := map[string]bool{}
	add := func(class string, p plan.Profile) {
		if key := class + "\x00" + p.Name; !seen[key] {
			seen[key] = true
			out = append(out, kind{r.class(class), p})
		}
	}
	for _, c := range r.plan.Combinations.Trials {
		add(c.Class, c.Profile)
	}
	for _, q := range r.plan.Combinations.Searches {
		add(q.Class, q.Profile)
	}
	if m := r.plan.Declaration.Masking; m != nil {
		for _, t := range m.Targets {
			add(t.Class, maskingProfile)
		}
	}
	return out
}

// maskingProfile is what masking is measured with.
var maskingProfile = plan.Profile{Name: "step", Shape: "step"}

// shamTask runs trials of magnitude 0: what chance alone detects. They take
// turns over the faults of the plan, since an attribution may ask which it is.
func (r *run) shamTask(load int) task {
	name := fmt.Sprintf("load %d, sham", load)
	n := r.plan.Declaration.Sham.Trials
	kinds := r.kinds()
	point := &r.plan.Declaration.Load.Points[load]
	sham := func(i int) application {
		k := kinds[i%len(kinds)]
		return application{
			name: fmt.Sprintf("sham %d", i+1), purpose: journal.PurposeSham, class: k.class,
			profile: k.profile, combination: -1, search: -1, attempt: i + 1,
			timeout: int64(point.Timeout), phase: r.phase(name, n, i+1),
		}
	}
	if r.real() {
		return task{run: func(ctx context.Context, w *worker) error {
			for i := range n {
				seg := world.Segment{Name: fmt.Sprintf("%s, trial %d", name, i), Phase: "sham", Load: load}
				if _, err := w.single(ctx, seg, sham(i)); err != nil {
					return err
				}
			}
			return nil
		}}
	}
	return task{run: func(ctx context.Context, w *worker) error {
		_, err := w.segment(ctx, world.Segment{Name: name, Phase: "sham", Load: load}, func(ctx context.Context, s *stage) error {
			if err := s.settle(ctx); err != nil {
				return err
			}
			for i := range n {
				if err := s.trial(ctx, sham(i)); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	}}
}

// maskingTasks applies faults of known magnitude and measures them at both
// points over the same requests (methodology 5.5).
func (r *run) maskingTasks(load int, l *ledger) []task {
	var tasks []task
	m := r.plan.Declaration.Masking
	point := &r.plan.Declaration.Load.Points[load]
	for i, target := range m.Targets {
		name := fmt.Sprintf("load %d, masking %d", load, i)
		subject := fmt.Sprintf("masking of class %s at %s", target.Class, r.loadName(load))
		fail := func(detail string) {
			l.failed = append(l.failed, shortfallOf("FD-5.5-5: "+subject+": "+detail, "FD-5.5-5", subject, detail))
		}
		fraction, err := r.share(target.Class, load, target.Magnitude, target.Fraction)
		if err != nil {
			fail("no trial was run: " + err.Error())
			continue
		}
		a := application{
			name: name, purpose: journal.PurposeMasking, class: r.class(target.Class),
			profile: maskingProfile, magnitude: target.Magnitude, fraction: fraction,
			combination: -1, search: -1, timeout: int64(point.Timeout), verify: int64(point.Verification),
		}
		tasks = append(tasks, task{
			run: func(ctx context.Context, w *worker) error {
				_, err := w.repeat(ctx, world.Segment{Name: name, Phase: "masking", Load: load}, m.Trials, r.attempts(m.Trials), a, nil)
				return err
			},
			done: func(outcomes []*segmentOutcome) {
				l.add(outcomes)
				kept := 0
				for _, o := range outcomes {
					k, _ := o.kept()
					kept += k
				}
				if kept < m.Trials {
					fail(fmt.Sprintf("%d of %d trials kept", kept, m.Trials))
				}
			},
		})
	}
	return tasks
}

// attempts scales the declared attempts per combination to n trials.
func (r *run) attempts(n int) int {
	t := r.plan.Declaration.Trials
	if t.Count == 0 {
		return n
	}
	return max(n, (n*t.Attempts+t.Count-1)/t.Count)
}

// repeat applies a fault until n trials are kept or the attempts are used up,
// and calls after, where there is one, in a segment's stage. It returns the
// outcome of that segment.
func (w *worker) repeat(ctx context.Context, seg world.Segment, n, attempts int, a application,
	after func(s *stage, kept, detected int) error) (*segmentOutcome, error) {
	name, kept, detected := a.name, 0, 0
	numbered := func(i int) application {
		a.name, a.attempt, a.phase = fmt.Sprintf("%s, attempt %d", name, i), i, w.r.phase(name, n, i)
		return a
	}
	if !w.r.real() {
		return w.segment(ctx, seg, func(ctx context.Context, s *stage) error {
			if err := s.settle(ctx); err != nil {
				return err
			}
			for i := 1; i <= attempts && kept < n; i++ {
				if err := s.trial(ctx, numbered(i)); err != nil {
					return err
				}
				kept, detected = s.outcome.kept()
			}
			if after == nil {
				return nil
			}
			return after(s, kept, detected)
		})
	}
	var last *segmentOutcome
	for i := 1; i <= attempts && kept < n; i++ {
		one := seg
		one.Name = fmt.Sprintf("%s, trial %d", seg.Name, i)
		o, err := w.single(ctx, one, numbered(i))
		if err != nil {
			return nil, err
		}
		k, d := o.kept()
		last, kept, detected = o, kept+k, detected+d
	}
	if after == nil {
		return last, nil
	}
	return w.segment(ctx, seg, func(_ context.Context, s *stage) error { return after(s, kept, detected) })
}
