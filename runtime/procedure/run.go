package procedure

import (
	"context"
	"errors"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/share"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// Journal is where the procedure writes. Sync makes what was appended durable.
type Journal interface {
	Append(kind string, data any) error
	Sync() error
}

// Progress is called after each segment, and in real time before it as well,
// from one goroutine at a time.
type Progress func(Event)

// Event says how far a run has come.
type Event struct {
	Phase    string // of the segment
	Load     int
	Begins   bool  // the segment begins, in real time, and Length is 0; otherwise it was committed
	Segments int   // committed so far
	Trials   int   // kept so far, of any purpose but sham
	Length   int64 // test time of the segment in nanoseconds
	Total    int64 // test time of all segments so far
	Replayed bool  // it was in the journal already
}

// Outcome is how a run ended.
type Outcome struct {
	Complete bool
	Reason   string // why it is not
}

// Run executes a plan. history holds what an earlier run of the same plan has
// committed, nil for none. An error means that the run was cut short and can
// be resumed; an incomplete Outcome is final and stands in the journal.
func Run(ctx context.Context, p *plan.Plan, f world.Factory, j Journal, history *History, progress Progress) (Outcome, error) {
	if progress == nil {
		progress = func(Event) {}
	}
	if history == nil {
		history = NewHistory()
	}
	attribution, perr := predicate.CompileAttribution(p.Declaration.Signal.Attribution)
	if perr != nil {
		return Outcome{}, fmt.Errorf("the plan's attribution does not compile: %s", perr.Message)
	}
	r := &run{plan: p, key: plan.Key(p), factory: f, journal: j, history: history, progress: progress, attribution: attribution,
		environment: plan.EnvironmentDigest(p), expected: f.Declared()}
	if history.closed != nil {
		return Outcome{Complete: history.closed.Status == "complete", Reason: history.closed.Reason}, nil
	}
	err := r.series(ctx)
	var stop *stopError
	switch {
	case errors.As(err, &stop):
		if stop.violation != nil {
			r.incomplete = append(r.incomplete, shortfall{stop.reason, *stop.violation})
		}
		return r.close(Outcome{Reason: stop.reason})
	case err != nil:
		return Outcome{}, err
	case len(r.incomplete) > 0:
		return r.close(Outcome{Reason: r.incomplete[0].reason})
	}
	return r.close(Outcome{Complete: true})
}

// close writes what the series as a whole broke, and how it ended.
func (r *run) close(o Outcome) (Outcome, error) {
	for _, s := range r.incomplete {
		if err := r.journal.Append(journal.KindViolation, s.violation); err != nil {
			return Outcome{}, err
		}
	}
	c := journal.Close{Status: "complete", Reason: o.Reason}
	if !o.Complete {
		c.Status = "incomplete"
	}
	if err := r.journal.Append(journal.KindClose, c); err != nil {
		return Outcome{}, err
	}
	return o, r.journal.Sync()
}

// run is one execution of a plan.
type run struct {
	plan        *plan.Plan
	key         string
	factory     world.Factory
	journal     Journal
	history     *History
	progress    Progress
	attribution *predicate.Attribution

	segments   int
	trials     int
	tried      []int // of any purpose, by load
	total      int64
	baselines  []map[string]stats.Baseline // by load, then by indicator and point
	twins      [][]journal.Twin            // by load
	incomplete []shortfall

	readings    []*journal.Readback // of each load's baseline
	environment string              // digest of the declared environment
	expected    world.Readback      // of a world at rest
}

// series runs all phases in the plan's order: every baseline before the first
// fault (FD-4.2-1), then load by load, false detection last (AMB-28).
func (r *run) series(ctx context.Context) error {
	points := len(r.plan.Declaration.Load.Points)
	r.baselines = make([]map[string]stats.Baseline, points)
	r.readings = make([]*journal.Readback, points)
	r.twins, r.tried = make([][]journal.Twin, points), make([]int, points)
	tasks := make([]task, points)
	for load := range points {
		tasks[load] = r.baselineTask(load)
	}
	if err := r.parallel(ctx, tasks); err != nil {
		return err
	}
	if err := r.settleReading(); err != nil {
		return err
	}
	for load := range points {
		if err := r.atLoad(ctx, load); err != nil {
			return err
		}
	}
	return nil
}

// atLoad runs everything that one load point asks for.
func (r *run) atLoad(ctx context.Context, load int) error {
	l := newLedger(r, load)
	var tasks []task
	if r.has("sham", load) {
		tasks = append(tasks, r.shamTask(load))
	}
	if r.has("trials", load) {
		tasks = append(tasks, r.blockTasks(load, l, l.firstRound())...)
	}
	if r.has("search", load) {
		for i := range r.plan.Combinations.Searches {
			if r.plan.Combinations.Searches[i].Load == load {
				tasks = append(tasks, r.searchTask(&r.plan.Combinations.Searches[i], l))
			}
		}
	}
	if r.has("masking", load) {
		tasks = append(tasks, r.maskingTasks(load, l)...)
	}
	if err := r.parallel(ctx, tasks); err != nil {
		return err
	}
	for round := l.nextRound(); len(round) > 0; round = l.nextRound() {
		if err := r.parallel(ctx, r.blockTasks(load, l, round)); err != nil {
			return err
		}
	}
	r.incomplete = append(r.incomplete, l.incomplete(r)...)
	if !r.has("false_detection", load) {
		return nil
	}
	return r.parallel(ctx, r.falseDetectionTasks(load, l.underFault+r.history.underFault(r.plan, load)))
}

// real tells whether the world is one that exists once: its segments hold one
// trial each, so that a run that is cut short repeats no more than that.
func (r *run) real() bool { return !r.factory.Virtual() }

// share is the share of the responses that a fault changes.
func (r *run) share(class string, load int, magnitude, planned exact.Number) (exact.Number, error) {
	return share.Of(r.plan, class, magnitude, planned, r.twins[load])
}

func (r *run) has(phase string, load int) bool {
	for _, ph := range r.plan.Phases {
		if ph.Kind == phase && ph.Load == load {
			return true
		}
	}
	return false
}
