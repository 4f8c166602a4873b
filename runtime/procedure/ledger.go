package procedure

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// ledger counts, at one load point, what each combination still needs and for
// how long faults were applied.
type ledger struct {
	plan       *plan.Plan
	load       int
	cells      []cell
	index      map[int]int // of a combination's id in cells
	underFault int64
	failed     []shortfall // searches and masking targets that ran out of attempts
	round      int
}

type cell struct {
	combination    *plan.Combination
	fraction       exact.Number // of the responses
	unreachable    error        // no share of the responses gives the magnitude
	kept, attempts int
	unsteady       int // attempts discarded for their load
}

// block is one attempt at each of some combinations, in random order.
type block struct {
	name  string
	cells []int
	first []int // attempt number of each cell in this block
}

func newLedger(r *run, load int) *ledger {
	p := r.plan
	l := &ledger{plan: p, load: load, index: map[int]int{}}
	for i := range p.Combinations.Trials {
		if c := &p.Combinations.Trials[i]; c.Load == load {
			l.index[c.ID] = len(l.cells)
			f, err := r.share(c.Class, load, c.Magnitude, c.Fraction)
			l.cells = append(l.cells, cell{combination: c, fraction: f, unreachable: err})
		}
	}
	return l
}

// add folds the outcomes of a task in.
func (l *ledger) add(outcomes []*segmentOutcome) {
	for _, o := range outcomes {
		for _, t := range o.trials {
			l.underFault += t.underFault
			if t.purpose != journal.PurposeTrials {
				continue
			}
			c := &l.cells[l.index[t.combination]]
			c.attempts++
			switch {
			case t.kept:
				c.kept++
			case t.discard == discardLoad:
				c.unsteady++
			}
		}
	}
}

// firstRound plans one attempt per required trial.
func (l *ledger) firstRound() []block {
	return l.blocks(func(c *cell) int {
		if c.unreachable != nil {
			return 0
		}
		return min(c.combination.Trials, c.combination.Attempts)
	})
}

// nextRound plans the repetitions of discarded trials (FD-3.4-8), as far as
// the declared attempts reach.
func (l *ledger) nextRound() []block {
	return l.blocks(func(c *cell) int {
		if c.unreachable != nil {
			return 0
		}
		return min(c.combination.Trials-c.kept, c.combination.Attempts-c.attempts)
	})
}

func (l *ledger) blocks(wanted func(*cell) int) []block {
	most := 0
	for i := range l.cells {
		most = max(most, wanted(&l.cells[i]))
	}
	var out []block
	for b := range most {
		blk := block{name: fmt.Sprintf("load %d, trials, round %d, block %d", l.load, l.round, b)}
		for i := range l.cells {
			if wanted(&l.cells[i]) > b {
				blk.cells = append(blk.cells, i)
				blk.first = append(blk.first, l.cells[i].attempts+b+1)
			}
		}
		out = append(out, blk)
	}
	l.round++
	return out
}

// incomplete names what could not get its trials within the attempts: a
// discarded trial was not repeated (FD-3.4-8), or the load of the attempts was
// not constant (FD-3.3-1).
func (l *ledger) incomplete(r *run) []shortfall {
	var out []shortfall
	for _, c := range l.cells {
		if c.kept == c.combination.Trials {
			continue
		}
		subject := fmt.Sprintf("class %s, magnitude %s, profile %s, load %s", c.combination.Class, c.combination.Magnitude,
			c.combination.Profile.Name, r.loadName(l.load))
		if c.unreachable != nil {
			detail := "no trial was run: " + c.unreachable.Error()
			out = append(out, shortfallOf("FD-5.1-8: "+subject+": "+detail, "FD-5.1-8", subject, detail))
			continue
		}
		detail := fmt.Sprintf("%d of %d trials kept after %d attempts", c.kept, c.combination.Trials, c.attempts)
		rule := "FD-3.4-8"
		if c.unsteady > 0 && c.unsteady == c.attempts-c.kept {
			rule, detail = "FD-3.3-1", detail+"; the others did not hold the load"
		}
		out = append(out, shortfallOf("FD-5.1-8: "+subject+": "+detail, rule, subject, detail))
	}
	return append(out, l.failed...)
}
