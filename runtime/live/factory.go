package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// EngineName identifies the live world. It changes whenever the same plan
// would be carried out in another way.
const EngineName = "fdbench.live/2"

// Drivers are what a live world acts through.
type Drivers struct {
	Apparatus driver.Apparatus
	Detector  driver.Detector
	Prober    Prober // nil where one clock stamps onset and event
}

// Options of a live world.
type Options struct {
	Clock   driver.Clock
	Target  confine.Target // of the deployment, as it was pinned
	Targets []world.Target // all that requests and faults go to, the deployment included
	Key     string         // of requests; it is told to nobody
	Hosts   world.Hosts
	Dir     string // folder of the run, for raw stamps; "" keeps none
	RawRows int64  // at most for each segment; 0 for DefaultRows
	First   uint64 // number of the first prompt; 0 for one that no run before had
}

// Factory opens live worlds of one plan. There is one deployment, so there is
// one world at a time. It is used by one goroutine at a time.
type Factory struct {
	plan    *plan.Plan
	key     string // names the random streams: what the lock guards of the plan
	prompts Prompts
	drivers Drivers
	o       Options
	clock   driver.Clock
	score   driver.Scorer
	twinner *twinner
	extra   map[string]any // further members of requests
	classes map[string]int

	queue    *queue
	asked    asked
	ledger   bool // the apparatus tells of every response
	twinning atomic.Bool
	next     atomic.Uint64 // number of the next prompt
	onset    world.Onset

	life    context.Context // of drivers and traffic
	end     context.CancelFunc
	started bool
	load    *offering
	opens   int

	// What follows is the state of the world, up to the instant now.
	now       int64
	settled   int64 // when a change of the load is forgotten
	requests  int64
	offered   counter
	answered  counter
	watch     watcher
	flights   flights
	tally     tally
	twins     []world.Twin
	markers   markers
	fault     *application
	acting    bool             // a fault may be applied
	left      *NotRemovedError // what the end of a world could not remove; nil for nothing
	lease     *lease
	raw       *raw
	zero      int64
	sink      detector.Sink
	signalled bool
	swept     int64
}

// New prepares a live world. Nothing is listened to or sent before Start.
func New(p *plan.Plan, prompts Prompts, d Drivers, o Options) (*Factory, error) {
	if p.Declaration.Serving.Endpoint == nil {
		return nil, errors.New("the plan is not for a deployment that runs by itself")
	}
	if o.Clock == (driver.Clock{}) {
		o.Clock = driver.NewClock()
	}
	f := &Factory{plan: p, key: plan.Key(p), prompts: prompts, drivers: d, o: o, clock: o.Clock, classes: map[string]int{},
		markers: newMarkers()}
	var err error
	if f.score, err = Scorer(p); err != nil {
		return nil, err
	}
	if f.twinner, err = newTwinner(p); err != nil {
		return nil, err
	}
	if body := p.Declaration.Serving.Endpoint.Body; body != "" {
		if err := json.Unmarshal([]byte(body), &f.extra); err != nil {
			return nil, fmt.Errorf("the plan's further members of a request are no JSON object: %w", err)
		}
	}
	for i, c := range p.Declaration.FaultClasses {
		f.classes[c.Name] = i
		f.twins = append(f.twins, world.Twin{Class: c.Name})
	}
	f.queue = newQueue(f.clock)
	f.onset = world.Onset{Source: "apparatus", Resolution: world.Resolution(f.clock.Now)}
	if f.o.First == 0 {
		f.o.First = firstPrompt(p, time.Now())
	}
	f.tally.begin(false)
	f.life, f.end = context.WithCancel(context.Background())
	return f, nil
}

// firstPrompt numbers prompts by the wall clock, in ticks that are at most half
// as long as the shortest gap between requests. No run that began earlier, and
// no earlier part of this one, has sent a prompt with the same number, so that
// no cache can know it (AMB-25).
func firstPrompt(p *plan.Plan, now time.Time) uint64 {
	fastest := 0.0
	for _, l := range p.Declaration.Load.Points {
		fastest = max(fastest, l.Rate.Float64())
	}
	ticks := int64(10)
	for float64(ticks) < 2*fastest {
		ticks *= 10
	}
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	since := max(0, now.Round(0).Sub(epoch))
	return uint64(since / (time.Second / time.Duration(min(ticks, int64(time.Second)))))
}

// Engine names the live world and its version.
func (f *Factory) Engine() string { return EngineName }

// Virtual is false.
func (f *Factory) Virtual() bool { return false }

// Parallel is 1: the deployment exists once.
func (f *Factory) Parallel() int { return 1 }

// Onset is stamped by the apparatus on the clock of the run (FD-3.4-2).
func (f *Factory) Onset() world.Onset { return f.onset }

// Hosts names the machines that stamp onset and event.
func (f *Factory) Hosts() world.Hosts { return f.o.Hosts }

// Targets lists every address that requests and faults go to.
func (f *Factory) Targets() []world.Target { return f.o.Targets }

// Declared is what the plan leads one to read: of a deployment and a detector
// that run by themselves, nothing.
func (f *Factory) Declared() world.Readback {
	return world.Readback{Population: plan.PopulationDigest(f.plan)}
}

// Start starts the apparatus, which removes what an earlier run left applied,
// and the detector.
func (f *Factory) Start(ctx context.Context) error {
	if l, ok := f.drivers.Apparatus.(driver.Ledger); ok {
		f.ledger = true
		l.Tell(f.pass)
	}
	if f.o.Dir != "" {
		sweepRaw(f.o.Dir)
	}
	// The drivers outlive a run that is interrupted: Close ends them, after
	// the fault was removed.
	stop := context.AfterFunc(ctx, f.end)
	err := f.drivers.Apparatus.Start(f.life, f.clock)
	if err == nil {
		if err = f.drivers.Detector.Start(f.life, f.clock, f.signal); err != nil {
			err = errors.Join(err, f.closeApparatus())
		}
	}
	if !stop() && err == nil {
		// Interrupted in between: what was started has lost its context.
		err = errors.Join(context.Cause(ctx), f.closeApparatus(), f.drivers.Detector.Close())
	}
	f.started = err == nil
	return err
}

// Closing is how long the end of a run may take to remove a fault.
const Closing = time.Minute

// closeApparatus gives the apparatus no time for another attempt where one has
// failed: whoever waits for the end of a run has waited for that.
func (f *Factory) closeApparatus() error {
	if f.left != nil {
		ctx, cancel := context.WithDeadline(context.Background(), time.Now())
		defer cancel()
		f.drivers.Apparatus.Close(ctx) // it would say the same again
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), Closing)
	defer cancel()
	return f.drivers.Apparatus.Close(ctx)
}

// Close ends the traffic, removes a fault that is still applied, and ends the
// drivers.
func (f *Factory) Close() error {
	if !f.started {
		f.end()
		return nil
	}
	f.started = false
	err := f.rest()
	err = errors.Join(err, f.closeApparatus(), f.drivers.Detector.Close())
	f.load.stop()
	f.end()
	f.load.wait()
	return err
}

// rest removes a fault that may still act. There is one attempt.
func (f *Factory) rest() error {
	switch {
	case !f.acting:
		return nil
	case f.left != nil:
		return f.left
	}
	ctx, cancel := context.WithTimeout(context.Background(), Closing)
	defer cancel()
	_, err := f.remove(ctx)
	if err != nil && f.lease != nil {
		f.lease.end() // whoever cannot remove a fault lets it run out
		f.lease = nil
	}
	if err != nil {
		f.left = &NotRemovedError{err}
		return f.left
	}
	return nil
}

// signal is the detector's sink.
func (f *Factory) signal(s detector.Signal) { f.queue.put(event{signal: &s}) }

// pass is the apparatus's sink: it scores a response before and after its
// change, in the goroutine that carried it.
func (f *Factory) pass(x driver.Exchange) {
	p := &passed{Exchange: x}
	prompt, known := f.asked.prompt(x.Key)
	if p.known = known; p.good() {
		p.before = f.score(prompt, x.Before)
		p.after = p.before
		if x.After != x.Before {
			p.after = f.score(prompt, x.After)
		}
		if f.twinning.Load() {
			p.twins = f.twinner.twins(x.Key, prompt, x.Before, p.before)
		}
	}
	p.Before, p.After = "", "" // texts are kept nowhere
	f.queue.put(event{passed: p})
}
