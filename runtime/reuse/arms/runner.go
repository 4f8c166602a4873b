package arms

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Runner carries the arms of a reuse block out. It is safe for concurrent use.
type Runner struct {
	o          Options
	plan       *plan.Reuse
	live       *plan.ReuseLive
	key, token string
	model      string                    // declared, or else the one that Check found
	pins       map[string]confine.Target // by "host:port"
	targets    []journal.Target
	admin      *http.Client // resets and counters
	main       *endpoint
	donors     []*endpoint // empty: donors go where recipients go
}

// Model is the model that requests ask for: the declared one, or else the only
// one that the endpoint has, which is known when Check has returned.
func (r *Runner) Model() string { return r.model }

// Close lets go of idle connections.
func (r *Runner) Close() {
	for _, e := range r.endpoints() {
		e.client.Close()
	}
}

// endpoints are all places that requests go to, once each.
func (r *Runner) endpoints() []*endpoint {
	out := []*endpoint{r.main}
	seen := map[*endpoint]bool{r.main: true}
	for _, e := range r.donors {
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

// warmupTokens is the length of the answer to a warm-up request.
const warmupTokens = 8

// warmup is a prompt that no manifest begins with.
const warmup = "Warm-up, please ignore: name three colours of the rainbow."

// Warm sends the declared number of warm-up requests to every endpoint. They
// are in no figure. An error is the first that failed: a run cannot begin so.
func (r *Runner) Warm(ctx context.Context) error {
	for _, e := range r.endpoints() {
		for i := range r.live.Warmup {
			rec := e.ask(ctx, question{id: r.requestID("warmup", int64(i), recipient, e.base), prompt: warmup, tokens: warmupTokens})
			if err := ctx.Err(); err != nil {
				return err
			}
			if rec.Outcome != openai.OK {
				return fmt.Errorf("warm-up request %d of %d at %s failed (%s): %s", i+1, r.live.Warmup, e.base, rec.Outcome, rec.Detail)
			}
		}
	}
	return nil
}

// Pair carries both arms of the n-th item out, from 0, in the order of
// WarmFirst: for each arm the resets, for the warm one the donors in their
// order, then the recipient; between the arms the declared pause. A request or
// a reset that fails is told in its record. There is one Reset for each arm
// where resets are declared, and none elsewhere.
//
// An error is that of the context, or one that no further pair could avoid;
// then nothing of the pair is returned.
func (r *Runner) Pair(ctx context.Context, n int64, it *manifest.Item) ([]record.Reset, []record.Arm, error) {
	if n < 0 || r.o.Items > 0 && n >= r.o.Items {
		return nil, nil, fmt.Errorf("pair %d is asked for, and the run has %d", n+1, r.o.Items)
	}
	order := [2]string{record.Cold, record.Warm}
	if WarmFirst(r.plan, n) {
		order = [2]string{record.Warm, record.Cold}
	}
	var resets []record.Reset
	var done []record.Arm
	for i, arm := range order {
		if i > 0 {
			if err := sleep(ctx, time.Duration(r.live.Cooldown)); err != nil {
				return nil, nil, err
			}
		}
		reset, a, err := r.Arm(ctx, Step{Item: it, Arm: arm, Position: 2*n + int64(i), First: i == 0})
		if err != nil {
			return nil, nil, err
		}
		if reset != nil {
			resets = append(resets, *reset)
		}
		done = append(done, a)
	}
	return resets, done, nil
}

// Step is one arm of an item.
type Step struct {
	Item     *manifest.Item
	Arm      string // record.Cold, record.Warm
	Position int64  // of its measured request in the run, from 0
	First    bool   // of the two of its item
}

// Arm carries one arm out; the reset is nil where none is declared. The error
// is that of the context.
func (r *Runner) Arm(ctx context.Context, s Step) (*record.Reset, record.Arm, error) {
	reset, err := r.reset(ctx, s)
	if err != nil {
		return nil, record.Arm{}, err
	}
	a := record.Arm{ItemID: s.Item.ItemID, Arm: s.Arm, Position: s.Position, First: s.First, Reset: "none",
		RequestID: r.requestID(s.Arm, s.Position, recipient, s.Item.ItemID), Model: r.model}
	if reset != nil {
		a.Reset = "ok"
		if !reset.OK {
			a.Reset = "failed"
		}
	}
	if s.Arm == record.Warm {
		if err := r.seed(ctx, s, &a); err != nil {
			return nil, record.Arm{}, err
		}
	}
	rec := r.main.ask(ctx, question{id: a.RequestID, prompt: s.Item.Recipient, tokens: r.live.MaxTokens, item: s.Item})
	if err := ctx.Err(); err != nil {
		return nil, record.Arm{}, err
	}
	r.note(&a, s.Item, &rec)
	return reset, a, nil
}

// seed sends the donors of an item, one after the other, and waits as long as
// an engine may need to keep what it computed.
func (r *Runner) seed(ctx context.Context, s Step, a *record.Arm) error {
	for i, d := range s.Item.Donors {
		to := r.main
		if len(r.donors) > 0 {
			to = r.donors[Worker(d.DonorID, len(r.donors))]
		}
		q := question{id: r.requestID(s.Arm, s.Position, donor(i), s.Item.ItemID), prompt: d.Text, tokens: r.live.DonorTokens, item: s.Item}
		rec := to.ask(ctx, q)
		if err := ctx.Err(); err != nil {
			return err
		}
		a.Donors++
		if rec.Outcome != openai.OK {
			if a.DonorsFailed++; a.DonorsFailed == 1 {
				a.Detail = fmt.Sprintf("donor %d (%s): %s", i+1, rec.Outcome, rec.Detail)
			}
		}
	}
	if len(s.Item.Donors) == 0 {
		return nil
	}
	return sleep(ctx, time.Duration(r.live.DonorDelay))
}

// sleep waits, or ends with the context's error.
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
