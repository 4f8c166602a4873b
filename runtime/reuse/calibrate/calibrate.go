package calibrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/arms"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/quality"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/source"
)

// Options of a calibration.
type Options struct {
	Plan     *plan.Reuse // with a live block that declares a reset
	Folder   string      // the scenario's
	Allow    []string    // as in arms.Options
	Secret   func(env string) (string, error)
	MaxItems int64       // the first so many items; 0 for all
	Progress func(Event) // after each pair; nil for none
}

// Event tells how far a calibration is.
type Event struct {
	Done, Total int64
	ItemID      string
	Verdict     Verdict
	Detail      string // why the pair is not used

	ofItem bool // the engine refuses this very request, such as one that is too long
}

// Verdict is what became of a pair.
type Verdict string

// The verdicts.
const (
	Used         Verdict = "used"
	Errored      Verdict = "errored"      // a request failed
	Contaminated Verdict = "contaminated" // a reset failed, or tokens were cached
)

// Result is what a calibration saw.
type Result struct {
	Pairs        []floor.Pair // that are used, in the order of the manifest
	Contaminated int64
	Errored      int64
	Unchecked    int64  // of the used pairs, those whose engine reports no cached tokens
	Why          string // the first pair that is not used, and the reason; "" for none
	Model        string // that was asked for

	uncounted bool // a used pair has a prompt whose tokens nobody tells
}

// ResetError is a live block without a reset: its second answer would come from
// the cache of the first.
type ResetError struct{ Name string }

func (e *ResetError) Error() string {
	return fmt.Sprintf("reuse %q declares no reset, so the second of two answers would be computed from the cache of the first; declare reset in its live block", e.Name)
}

// UnusableError is a calibration of which no pair can be used.
type UnusableError struct{ Result *Result }

func (e *UnusableError) Error() string {
	r := e.Result
	n := r.Errored + r.Contaminated
	if n == 0 {
		return "the manifest has no item, so there is no noise floor"
	}
	return fmt.Sprintf("none of the %d pairs can be used, so there is no noise floor: %d with a request that failed, %d contaminated; the first: %s", n, r.Errored, r.Contaminated, r.Why)
}

// StoppedError is a calibration that was given up, since one pair after the
// other could not be used.
type StoppedError struct {
	Result      *Result // until then
	Done, Total int64   // items
	Row         int     // pairs that failed one after the other, up to the last
	Last        Event   // the last of them
	// Problem is what the endpoint lacks, nil where it answers as it should.
	Problem error
}

func (e *StoppedError) Error() string {
	text := fmt.Sprintf("stopped after %d of %d items: the last %d pairs in a row cannot be used, ", e.Done, e.Total, e.Row)
	if e.Problem != nil {
		text += fmt.Sprintf("and the endpoint is no longer as it was: %s", strings.ReplaceAll(e.Problem.Error(), "\n", "; "))
	} else {
		text += fmt.Sprintf("though the endpoint answers a short request; the last was item %s (%s), %s", e.Last.ItemID, e.Last.Verdict, e.Last.Detail)
	}
	return text + fmt.Sprintf(". No noise floor was written; %d pairs before could have been used", len(e.Result.Pairs))
}

func (e *StoppedError) Unwrap() error { return e.Problem }

// Run measures. Nothing is kept of one that ends with an error. It does not go
// on where pairs fail one after the other: an engine that died would be asked
// for hours.
//
// Errors: *ResetError, those of arms.New, Check and Warm, those of the
// manifest, *UnusableError, *StoppedError, and the context's.
func Run(ctx context.Context, o Options) (*Result, error) {
	if live := o.Plan.Declaration.Live; live != nil && len(live.Reset) == 0 {
		return nil, &ResetError{o.Plan.Name}
	}
	runner, err := arms.New(arms.Options{Plan: o.Plan, Folder: o.Folder, Allow: o.Allow, Secret: o.Secret, Run: "calibration"})
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	if err := runner.Check(ctx); err != nil {
		return nil, err
	}
	if err := runner.Warm(ctx); err != nil {
		return nil, err
	}
	items, file, err := source.Open(&o.Plan.Declaration.Manifest, o.Folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	total := o.Plan.Declaration.Manifest.Items
	if o.MaxItems > 0 {
		total = min(total, o.MaxItems)
	}
	out, row := &Result{Model: runner.Model()}, 0
	for n := int64(0); o.MaxItems == 0 || n < o.MaxItems; n++ {
		it, err := items.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		e, err := out.pair(ctx, runner, o.Plan, n, it)
		if err != nil {
			return nil, err
		}
		if o.Progress != nil {
			e.Done, e.Total = n+1, total
			o.Progress(e)
		}
		switch {
		case e.Verdict == Used:
			row = 0
			continue
		case e.ofItem:
			continue // it says nothing of the engine, and took no time
		}
		if row++; row != arms.CheckAfter && row < arms.StopAfter || n+1 == total {
			continue
		}
		stop := &StoppedError{Result: out, Done: n + 1, Total: total, Row: row, Last: e}
		stop.Problem = runner.Check(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if stop.Problem != nil || row >= arms.StopAfter {
			return nil, stop
		}
	}
	if len(out.Pairs) == 0 {
		return nil, &UnusableError{out}
	}
	return out, nil
}

// pair measures one item. What cannot be used any more is not asked a second
// time.
func (r *Result) pair(ctx context.Context, runner *arms.Runner, p *plan.Reuse, n int64, it *manifest.Item) (Event, error) {
	var both [2]record.Arm
	e := Event{ItemID: it.ItemID, Verdict: Used}
	checked := true
	for i := 0; i < len(both) && e.Verdict == Used; i++ {
		if i > 0 {
			if err := sleep(ctx, time.Duration(p.Declaration.Live.Cooldown)); err != nil {
				return Event{}, err
			}
		}
		reset, a, err := runner.Arm(ctx, arms.Step{Item: it, Arm: record.Cold, Position: 2*n + int64(i), First: i == 0})
		if err != nil {
			return Event{}, err
		}
		both[i] = a
		dirty, known := contaminated(p, &a)
		checked = checked && known
		switch why := failed(&a); {
		case why != "":
			e.Verdict, e.Detail, e.ofItem = Errored, why, a.Reset == "ok" && arms.OfItem(&a)
		case dirty && a.Reset == "ok":
			e.Verdict, e.Detail = Contaminated, fmt.Sprintf("the engine reports %d cached tokens after a reset", *a.CachedTokens)
		case dirty:
			e.Verdict, e.Detail = Contaminated, "the reset failed"
			if reset != nil {
				e.Detail += ": " + reset.Detail
			}
		}
	}
	r.add(&e, it, &both, checked)
	return e, nil
}

func (r *Result) add(e *Event, it *manifest.Item, both *[2]record.Arm, checked bool) {
	switch e.Verdict {
	case Errored:
		r.Errored++
	case Contaminated:
		r.Contaminated++
	default:
		if !checked {
			r.Unchecked++
		}
		pair := floor.Pair{SourceID: it.SourceID, RougeL: quality.RougeLPair(both[0].Output, both[1].Output)}
		for i := range both {
			if quality.Empty(both[i].Output) {
				pair.Empty++
			}
		}
		if n := both[0].PromptTokens; n != nil {
			pair.Tokens = *n
		} else {
			r.uncounted = true
		}
		r.Pairs = append(r.Pairs, pair)
		return
	}
	if r.Why == "" {
		r.Why = "item " + it.ItemID + ", " + e.Detail
	}
}

// failed says why an answer cannot be compared.
func failed(a *record.Arm) string {
	if a.Outcome == string(openai.OK) {
		return ""
	}
	return fmt.Sprintf("a request failed (%s): %s", a.Outcome, a.Detail)
}

// contaminated decides by the declared rule (KV-8-6), and says whether there
// was anything to decide by.
func contaminated(p *plan.Reuse, a *record.Arm) (dirty, known bool) {
	if a.Reset != "ok" {
		return true, true
	}
	if a.CachedTokens == nil {
		return false, false
	}
	most := int64(0)
	if p.Declaration.Live.Contamination == "block" {
		most = int64(p.Declaration.BlockSize)
	}
	return *a.CachedTokens > most, true
}

// Artifact is the noise floor of the pairs, with the protocol that they were
// measured under. at is the instant that it is of. It has no bands by length
// where the length of a prompt is not known.
func (r *Result) Artifact(p *plan.Reuse, at time.Time) (*floor.Artifact, error) {
	live := p.Declaration.Live
	protocol := plan.FloorProtocol{Model: cmp.Or(live.Model, r.Model), Engine: live.Engine, EngineVersion: live.EngineVersion, MaxTokens: live.MaxTokens,
		Temperature: live.Temperature, Concurrency: live.Concurrency, ManifestSHA256: p.Declaration.Manifest.SHA256}
	a, err := floor.Make(protocol, r.Pairs, floor.LeftOut{Contaminated: r.Contaminated, Errored: r.Errored}, at, p.Declaration.Seed)
	if err == nil && r.uncounted {
		a.Bands = nil
	}
	return a, err
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
