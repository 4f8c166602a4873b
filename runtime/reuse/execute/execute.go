package execute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// EngineName names what executes a plan, with the version of what it does. A
// plan names the one that it was made for.
const EngineName = "fdbench.reuse/1"

// Options say what to run and where.
type Options struct {
	Plan        *plan.Reuse
	Dir         string // of the run: made where it is missing, resumed where it holds the same plan
	Folder      string // of the scenario's files
	Generation  int    // from 1; 0 in an exploratory run
	Earlier     []journal.Generation
	Exploratory bool
	Allow       []string                         // hosts outside of the confined ranges that requests may go to
	Secret      func(env string) (string, error) // reads an environment variable; nil for the system's
	Run         string                           // tells runs of one plan apart in the ids of requests; "" for none

	// Begin is called once before the first entry of a run that is not at its
	// end: the lock is written there. An error ends the run.
	Begin    func() error
	Progress func(Event) // called from one goroutine; may be nil

	parts *parts // in place of the real ones, in tests
}

// Event says how far a run has come.
type Event struct {
	Phase string // items, check, warmup, pairs, audit, evidence
	Done  int64
	Of    int64 // 0: not known
	Kept  int64 // of Done, how many an earlier run had done
}

// Phases of an Event.
const (
	PhaseItems    = "items"
	PhaseCheck    = "check"
	PhaseWarmup   = "warmup"
	PhasePairs    = "pairs"
	PhaseAudit    = "audit"
	PhaseEvidence = "evidence"
)

// EngineError says that a plan was made for another engine.
type EngineError struct{ Have, Want string }

func (e *EngineError) Error() string {
	return fmt.Sprintf("the plan is for the engine %q, and this fdbench has %q; compile the scenario again", e.Want, e.Have)
}

// ModelError says that the only model of an endpoint, which is asked for where
// none is declared, is another one than it has to be.
type ModelError struct{ Have, Want, Of, Remedy string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("the endpoint has the model %q, and %s %q; %s", e.Have, e.Of, e.Want, e.Remedy)
}

// Run executes the plan, or goes on with a run of it that was cut short, and
// writes the result and its reports. A run that broke a row of the table gives
// a result that says so, and no error.
//
// Errors: *[folder.OtherPlanError], *[EngineError], *[ModelError], *[StoppedError], after
// which the same call resumes, those of the journal, which leave
// it as it was, those of the manifest and of the files that the plan names, the
// context's, after which the same call resumes, and those of Finish.
func Run(ctx context.Context, o Options) (*result.Result, error) {
	if have := o.Plan.Estimators.Engine; have != EngineName {
		return nil, &EngineError{Have: EngineName, Want: have}
	}
	if err := prepare(o.Dir, o.Plan); err != nil {
		return nil, err
	}
	if o.parts == nil {
		o.parts = real(&o)
	}
	r := &run{o: &o, p: o.Plan, progress: o.Progress}
	if r.progress == nil {
		r.progress = func(Event) {}
	}
	err := r.open(ctx)
	if err == nil {
		folder.Sweep(o.Dir)
		err = r.carryOut(ctx)
	}
	if cerr := r.shut(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return Finish(o.Dir, o.Plan)
}

// open creates the journal, or resumes it. A live run first asks the endpoint
// whether it is ready, so that one that is not leaves no journal behind.
func (r *run) open(ctx context.Context) error {
	path := filepath.Join(r.o.Dir, JournalFile)
	w, info, err := journal.Resume(path, r.p.Digest, r.kept.entry)
	var other *journal.PlanError
	switch {
	case err == nil:
		r.w, r.closed = w, info.Closed
		r.kept.begun = true
		if info.Open.Exploratory != r.o.Exploratory {
			return &folder.ModeError{Dir: r.o.Dir, Exploratory: info.Open.Exploratory}
		}
		if r.closed {
			return nil
		}
		if err := r.ready(ctx); err != nil {
			return err
		}
		if r.live() && (info.CutEntries > 0 || info.Torn) {
			x := journal.Resumed{Entries: info.CutEntries, Torn: info.Torn}
			if info.Segment != nil {
				x.Segment = info.Segment.Name
			}
			return r.w.Append(journal.KindResume, x)
		}
		return nil
	case errors.As(err, &other):
		return &folder.OtherPlanError{Kind: kind, Dir: r.o.Dir, Have: other.Got, Want: other.Want, Name: r.p.Name}
	case errors.Is(err, journal.ErrEmpty):
		if err := os.Remove(path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := r.ready(ctx); err != nil {
		return err
	}
	open := journal.Open{PlanDigest: r.p.Digest, Series: r.p.Name, Generation: r.o.Generation, Exploratory: r.o.Exploratory,
		Earlier: r.o.Earlier, Time: "offline", Engine: EngineName, Targets: []journal.Target{}}
	if r.live() {
		open.Time, open.Targets = "real", r.runner.Targets()
	}
	r.w, err = journal.Create(path, open)
	return err
}

// ready makes the runner of a live run and asks the endpoint whether it is
// ready. Pairs that are all there need none.
func (r *run) ready(ctx context.Context) error {
	if !r.live() {
		return nil
	}
	if n := len(r.p.Declaration.Live.Metrics); r.kept.begun && r.kept.pairs >= r.p.Declaration.Manifest.Items && (r.kept.after || n == 0) {
		return nil
	}
	runner, err := r.o.parts.runner()
	if err != nil {
		return err
	}
	r.runner = runner
	r.progress(Event{Phase: PhaseCheck})
	if err := runner.Check(ctx); err != nil {
		return err
	}
	return r.sameModel(runner.Model())
}

// sameModel holds the model of an endpoint against that of the requests that
// are kept, and against the noise floor's. A declared one is part of the plan,
// and was held against the noise floor by the compiler.
func (r *run) sameModel(have string) error {
	d := &r.p.Declaration
	if d.Live.Model != "" {
		return nil
	}
	if k := r.kept.model; k != "" && k != have {
		return &ModelError{Have: have, Want: k, Of: "the requests that are kept in " + r.o.Dir + " went to",
			Remedy: "serve that one, or choose another folder"}
	}
	if c := d.Calibration; c != nil && c.Protocol.Model != have {
		return &ModelError{Have: have, Want: c.Protocol.Model, Of: "the noise floor in " + c.File + " is of",
			Remedy: "serve that one, or measure a noise floor of this one: fdbench calibrate SCENARIO --reuse " + r.p.Name + " --out " + c.File}
	}
	return nil
}

// Finish computes the result of a folder's journal and writes it with its
// reports. Where no report can be made of it, the error is a
// *[omission.Error] and nothing is written.
func Finish(dir string, p *plan.Reuse) (*result.Result, error) {
	f, err := os.Open(filepath.Join(dir, JournalFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	res, err := result.Compute(p, f)
	if err != nil {
		return nil, err
	}
	built, err := report.Build(res)
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
	return res, nil
}
