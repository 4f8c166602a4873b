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
	order := make([]int, len(b.cells))
	for i := range order {
		order[i] = i
	}
	shuffle := s.r.stream("order", b.name)
	for i := len(order) - 1; i > 0; i-- {
		j := int(shuffle.Below(uint64(i + 1)))
		order[i], order[j] = order[j], order[i]
	}
	for _, i := range order {
		c, attempt := l.cells[b.cells[i]].combination, b.first[i]
		err := s.trial(ctx, application{
			name: fmt.Sprintf("combination %d, attempt %d", c.ID, attempt), purpose: journal.PurposeTrials,
			class: s.r.class(c.Class), profile: c.Profile, magnitude: c.Magnitude, fraction: c.Fraction,
			combination: c.ID, search: -1, attempt: attempt, timeout: int64(c.Timeout), verify: int64(c.Verification),
			phase: s.r.phase(fmt.Sprintf("combination %d", c.ID), c.Trials, attempt),
		})
		if err != nil {
			return err
		}
	}
	return nil
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
	return task{run: func(ctx context.Context, w *worker) error {
		_, err := w.segment(ctx, world.Segment{Name: name, Phase: "sham", Load: load}, func(ctx context.Context, s *stage) error {
			if err := s.settle(ctx); err != nil {
				return err
			}
			for i := range n {
				k := kinds[i%len(kinds)]
				err := s.trial(ctx, application{
					name: fmt.Sprintf("sham %d", i+1), purpose: journal.PurposeSham, class: k.class,
					profile: k.profile, combination: -1, search: -1, attempt: i + 1,
					timeout: int64(s.point.Timeout), phase: r.phase(name, n, i+1),
				})
				if err != nil {
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
	for i, target := range m.Targets {
		name := fmt.Sprintf("load %d, masking %d", load, i)
		tasks = append(tasks, task{
			run: func(ctx context.Context, w *worker) error {
				_, err := w.segment(ctx, world.Segment{Name: name, Phase: "masking", Load: load}, func(ctx context.Context, s *stage) error {
					if err := s.settle(ctx); err != nil {
						return err
					}
					_, _, err := s.repeat(ctx, m.Trials, r.attempts(m.Trials), application{
						name: name, purpose: journal.PurposeMasking, class: r.class(target.Class),
						profile: maskingProfile, magnitude: target.Magnitude, fraction: target.Fraction,
						combination: -1, search: -1, timeout: int64(s.point.Timeout), verify: int64(s.point.Verification),
					})
					return err
				})
				return err
			},
			done: func(outcomes []*segmentOutcome) {
				l.add(outcomes)
				kept := 0
				for _, t := range outcomes[0].trials {
					if t.kept {
						kept++
					}
				}
				if kept < m.Trials {
					subject := fmt.Sprintf("masking of class %s at %s", target.Class, r.loadName(load))
					detail := fmt.Sprintf("%d of %d trials kept", kept, m.Trials)
					l.failed = append(l.failed, shortfallOf("FD-5.5-5: "+subject+": "+detail, "FD-5.5-5", subject, detail))
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

// repeat applies a fault until n trials are kept or the attempts are used up.
func (s *stage) repeat(ctx context.Context, n, attempts int, a application) (kept, detected int, err error) {
	name := a.name
	for i := 1; i <= attempts && kept < n; i++ {
		a.name, a.attempt, a.phase = fmt.Sprintf("%s, attempt %d", name, i), i, s.r.phase(name, n, i)
		if err := s.trial(ctx, a); err != nil {
			return kept, detected, err
		}
		if t := s.outcome.trials[len(s.outcome.trials)-1]; t.kept {
			kept++
			if t.detected {
				detected++
			}
		}
	}
	return kept, detected, nil
}
