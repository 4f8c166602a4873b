package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/procedure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/serving"
	"github.com/fdbench/fdbench/runtime/virtual"
	"github.com/fdbench/fdbench/runtime/world"
)

// Options say what to run and where.
type Options struct {
	Plan        *plan.Plan
	Dataset     *dataset.Dataset // of a recorded deployment; nil for a simulated one
	Dir         string           // made where it is missing; resumed where it holds the same plan
	Generation  int              // of the series, from 1
	Earlier     []journal.Generation
	Exploratory bool        // without the lock: the result says so
	Progress    func(Event) // called from one goroutine; may be nil
	Live        Live        // for a plan in real time
}

// Event says how far a run has come.
type Event struct {
	Phase    string         // baseline, sham, trials, search, masking, false_detection
	Load     string         // "10 req/s"
	Begins   bool           // the segment begins, in real time; otherwise it was committed
	Segments int            // committed so far
	Trials   int            // kept so far
	TestTime exact.Duration // of all segments so far
	Replayed bool           // the segment was in the journal already
	Real     bool           // test time is wall time
}

// Run executes the plan, or goes on with a run of it that was cut short, and
// writes the result. A run that came to its end without meeting the plan
// returns a result that is not complete and no error.
//
// Errors: *[folder.OtherPlanError]; those of the journal, which leave it as it was; the
// context's, after which the same call resumes; and those of the file system.
func Run(ctx context.Context, o Options) (*measure.Result, error) {
	factory, err := o.world(ctx)
	if err != nil {
		return nil, err
	}
	if err := prepare(o.Dir, o.Plan); err != nil {
		return nil, err
	}
	w, history, info, err := begin(o, factory)
	if err != nil {
		return nil, err
	}
	folder.Sweep(o.Dir)
	err = carryOut(ctx, o, factory, w, history, info)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return Finish(o.Dir, o.Plan)
}

// world makes the world that the plan is for.
func (o *Options) world(ctx context.Context) (world.Factory, error) {
	if IsLive(o.Plan) {
		return LiveWorld(ctx, o.Plan, o.Live, o.Dir)
	}
	return Factory(o.Plan, o.Dataset)
}

// starting is a world that has to be started, in real time.
type starting interface {
	Start(context.Context) error
	Close() error
}

// carryOut runs the procedure. The journal is locked by then, so that no other
// run is at work. A world in real time first removes what a killed run left
// applied; that the run goes on is journalled before anything else, also where
// nothing of it was lost, since time has passed that nobody observed.
func carryOut(ctx context.Context, o Options, f world.Factory, w *journal.Writer, history *procedure.History, info *journal.ResumeInfo) (err error) {
	closed := info != nil && info.Closed
	if s, ok := f.(starting); ok && !closed {
		if err := s.Start(ctx); err != nil {
			return errors.Join(err, s.Close())
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		if info != nil {
			r := resumed(info, time.Now())
			if err := w.Append(journal.KindResume, r); err != nil {
				return err
			}
			if err := w.Sync(); err != nil {
				return err
			}
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			if err := history.Add(journal.KindResume, text); err != nil {
				return err
			}
		}
	}
	_, err = procedure.Run(ctx, o.Plan, f, w, history, o.progress(f))
	return err
}

// resumed says what a killed run left behind. At the time given nothing of it
// acts any more.
func resumed(info *journal.ResumeInfo, now time.Time) journal.Resumed {
	r := journal.Resumed{Entries: info.CutEntries, Torn: info.Torn}
	if s := info.Segment; s != nil {
		r.Segment = s.Name
	}
	if a := info.Applied; a != nil {
		r.Trial, r.Class = a.Trial, a.Class
		r.Applied, r.Removed = a.Wall, now.UnixNano()
	} else if x := info.Ended; x != nil {
		r.Trial, r.Class = x.Apply.Trial, x.Apply.Class
		r.Applied, r.Removed = x.Apply.Wall, x.Apply.Wall+x.Under
	}
	if s := info.Segment; s != nil && r.Trial != "" {
		r.Load = &s.Load
	}
	return r
}

// Factory makes the world that a plan is for.
//
// A plan names the engine that it was made for: another one would give other
// bytes under the same digest, and be another environment (FD-1.2-1).
func Factory(p *plan.Plan, set *dataset.Dataset) (world.Factory, error) {
	if e := p.Estimators.Engine; e != virtual.EngineName {
		return nil, fmt.Errorf("FD-1.2-1: the plan is for the engine %q, and this fdbench has %q; compile the scenario again", e, virtual.EngineName)
	}
	var bank *serving.Bank
	var err error
	switch kind := p.Declaration.Serving.Kind; kind {
	case "simulated":
		bank, err = serving.Simulated(&p.Declaration)
	case "recorded":
		if set == nil {
			return nil, fmt.Errorf("the plan needs the scored responses of %s", p.Declaration.Serving.Responses)
		}
		twins := map[string][][]int32{}
		for i, class := range set.Classes {
			twins[class] = set.Twins[i]
		}
		bank, err = serving.Recorded(set.Scores, twins)
	default:
		return nil, fmt.Errorf("no driver for a deployment of kind %q", kind)
	}
	if err != nil {
		return nil, err
	}
	return virtual.New(p, bank)
}

// begin creates the journal, or resumes it.
func begin(o Options, f world.Factory) (*journal.Writer, *procedure.History, *journal.ResumeInfo, error) {
	path := filepath.Join(o.Dir, JournalFile)
	history := procedure.NewHistory()
	w, info, err := journal.Resume(path, o.Plan.Digest, func(e journal.Entry) error { return history.Add(e.Kind, e.Data) })
	if err == nil {
		return w, history, info, nil
	}
	if errors.Is(err, journal.ErrEmpty) {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, err
	}
	mode := "real"
	if f.Virtual() {
		mode = "virtual"
	}
	open := journal.Open{PlanDigest: o.Plan.Digest, Series: o.Plan.Series, Generation: o.Generation, Exploratory: o.Exploratory,
		Earlier: o.Earlier, Time: mode, Engine: f.Engine(), Onset: journal.OnsetClock(f.Onset()), Hosts: journal.Hosts(f.Hosts()),
		Targets: []journal.Target{}}
	for _, t := range f.Targets() {
		open.Targets = append(open.Targets, journal.Target(t))
	}
	w, err = journal.Create(path, open)
	return w, history, nil, err
}

func (o *Options) progress(f world.Factory) procedure.Progress {
	if o.Progress == nil {
		return nil
	}
	points := o.Plan.Declaration.Load.Points
	return func(e procedure.Event) {
		o.Progress(Event{Phase: e.Phase, Load: points[e.Load].Rate.String() + " req/s", Segments: e.Segments, Trials: e.Trials,
			TestTime: exact.Duration(e.Total), Begins: e.Begins, Replayed: e.Replayed, Real: !f.Virtual()})
	}
}

// Finish computes the result of a folder's journal and writes it with its
// reports. Where no report can be made of it, the error is a
// *[omission.Error] and nothing is written.
func Finish(dir string, p *plan.Plan) (*measure.Result, error) {
	f, err := os.Open(filepath.Join(dir, JournalFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	result, err := measure.Compute(p, f)
	if err != nil {
		return nil, err
	}
	built, err := report.Build(result)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{ResultFile: built.JSON(), ReportFile: built.Markdown()}
	for name, data := range built.CSV() {
		files[name] = data
	}
	if err := folder.Write(dir, files); err != nil {
		return nil, err
	}
	return result, nil
}
