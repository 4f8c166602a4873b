package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/detector/webhook/feed"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// DefaultInterval is the time between two questions where the plan says none.
const DefaultInterval = time.Second

// Component is how the detector's signals name it.
const Component = "poll"

// Detector asks for alerts. It implements driver.Detector and detector.Named.
type Detector struct {
	name     string
	live     *plan.LiveDetector
	client   *fetch.Client
	reader   *payload.Reader
	interval time.Duration

	clock driver.Clock
	feed  *feed.Feed
	stop  context.CancelFunc
	done  chan struct{}

	looking sync.Mutex
	mu      sync.Mutex
	begun   bool
	firing  map[string]instance // by fingerprint
	pending []string            // names of the alerts whose hold time runs
	looks   detector.Looks

	malformed int64 // answers that could not be read, since Missed
}

// instance is an alert that fires.
type instance struct {
	payload.Alert
	since int64 // when it was first seen to
}

var (
	_ driver.Missing = (*Detector)(nil)
	_ detector.Named = (*Detector)(nil)
)

// New makes the driver of a detector of kind "poll". Without a mapping the
// answer must have one of the shapes that package payload knows.
func New(d *plan.Detector, o fetch.Options) (*Detector, error) {
	fail := func(err error) (*Detector, error) { return nil, fmt.Errorf("detector %q: %w", d.Name, err) }
	if d.Live == nil || d.Live.URL == "" {
		return fail(errors.New("a detector that is polled needs its address in url"))
	}
	if _, err := fetch.Parse(d.Live.URL); err != nil {
		return fail(err)
	}
	r, err := payload.NewReader(d.Live.Mapping)
	if err != nil {
		return fail(err)
	}
	if o.Key == "" {
		if o.Key, err = fetch.Secret(d.Live.KeyEnv); err != nil {
			return fail(err)
		}
	}
	p := &Detector{name: d.Name, live: d.Live, client: fetch.New(o), reader: r, interval: time.Duration(d.Live.Interval),
		firing: map[string]instance{}, looks: detector.NewLooks()}
	if p.interval <= 0 {
		p.interval = DefaultInterval
	}
	return p, nil
}

// Start asks once and goes on asking. It does not end with ctx, but with Close.
func (d *Detector) Start(ctx context.Context, c driver.Clock, sink detector.Sink) error {
	if d.feed != nil {
		return errors.New("the detector has been started already")
	}
	d.clock, d.feed, d.done = c, feed.New(c, sink), make(chan struct{})
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	if _, err := d.look(ctx); err != nil {
		close(d.done)
		d.Close()
		d.feed = nil
		return fmt.Errorf("detector %q: %w", d.name, err)
	}
	go d.run(run)
	return nil
}

func (d *Detector) run(ctx context.Context) {
	defer close(d.done)
	detector.Every(ctx, d.interval, func(ctx context.Context) { d.look(ctx) })
}

func (d *Detector) look(ctx context.Context) (detector.State, error) {
	d.looking.Lock()
	defer d.looking.Unlock()
	n, slot, err := d.ask(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.looks.Fail()
		return detector.State{}, err
	}
	d.looks.Answer(slot.At)
	slot.Fill(d.edges(n, slot.At))
	return detector.State{Firing: len(d.firing), Pending: len(d.pending)}, nil
}

func (d *Detector) ask(ctx context.Context) (*payload.Notification, *feed.Slot, error) {
	a, err := d.client.Get(ctx, d.live.URL)
	if err != nil {
		return nil, nil, err
	}
	slot := d.feed.Take()
	if slot == nil {
		return nil, nil, errors.New("the detector is closed")
	}
	n, err := d.reader.Read(a.Body)
	if err != nil {
		slot.Fill(nil)
		d.mu.Lock()
		d.malformed++
		d.mu.Unlock()
		return nil, nil, err
	}
	return n, slot, nil
}

// edges are the signals of what changed since the last answer. An alert that is
// not listed does not fire. One that fired and is pending from the same start
// goes on: its server was restarted and has not evaluated its rule twice.
func (d *Detector) edges(n *payload.Notification, at int64) []detector.Signal {
	var out []detector.Signal
	now := map[string]payload.Alert{}
	d.pending = nil
	for _, a := range n.Alerts {
		old, twice := now[a.Fingerprint]
		known, fires := d.firing[a.Fingerprint]
		switch {
		case a.Status == payload.Pending && fires && !a.StartsAt.After(known.StartsAt):
			if !twice {
				now[a.Fingerprint] = known.Alert
			}
		case a.Status == payload.Pending:
			d.pending = append(d.pending, nameOf(&a))
		case a.Status == payload.Firing && (!twice || old.NoData):
			now[a.Fingerprint] = a
		}
	}
	for _, fp := range slices.Sorted(maps.Keys(d.firing)) {
		old := d.firing[fp]
		a, still := now[fp]
		if !still || a.StartsAt.After(old.StartsAt) {
			old.Status = payload.Resolved
			old.Repeat = false
			out = append(out, d.signal(&old, at))
			delete(d.firing, fp)
		}
	}
	for _, fp := range slices.Sorted(maps.Keys(now)) {
		i := instance{now[fp], at}
		old, known := d.firing[fp]
		// What was raised by missing data and goes on with data is news.
		if news := !known || old.NoData && !i.NoData; d.begun && news {
			out = append(out, d.signal(&i, at))
		}
		if known {
			i.since, i.NoData = old.since, i.NoData && old.NoData
		}
		d.firing[fp] = i
	}
	d.begun = true
	return out
}

// signal makes the signal of a change. Where the list tells only since when the
// condition holds, the alert fires from when it was first seen to: the hold time
// is part of what a detector takes.
func (d *Detector) signal(i *instance, at int64) detector.Signal {
	s := detector.Signal{Type: "alert", Component: Component, Status: i.Status, Labels: i.Labels, Value: i.Value, StartsAt: i.since, EmittedAt: at,
		Repeat: i.Repeat, NoData: i.NoData}
	if !i.StartsAt.IsZero() && !i.Held {
		s.StartsAt = d.clock.At(i.StartsAt)
		if i.Status == payload.Firing {
			s.EmittedAt = s.StartsAt
		}
	}
	return s
}

func nameOf(a *payload.Alert) string {
	return cmp.Or(a.Labels["alertname"], payload.LabelsText(a.Labels))
}

// State asks now. An error says that the state is not known.
func (d *Detector) State(ctx context.Context) (detector.State, error) {
	if d.feed == nil {
		return detector.State{}, errors.New("the detector has not been started")
	}
	return d.look(ctx)
}

// Active implements detector.Named, by the last answer.
func (d *Detector) Active() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := slices.Clone(d.pending)
	for _, i := range d.firing {
		names = append(names, nameOf(&i.Alert))
	}
	return detector.Names(names)
}

// Looks counts the questions so far.
func (d *Detector) Looks() detector.Looks {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.looks
}

// Missed implements driver.Missing. An answer that could not be read is no look
// without an answer.
func (d *Detector) Missed() world.Missed {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.feed == nil {
		return world.Missed{}
	}
	m := world.Missed{Malformed: d.malformed}
	m.Unanswered, m.Gap = d.looks.Missed(d.clock.Now(), int64(d.interval))
	m.Unanswered -= d.malformed
	d.malformed = 0
	return m
}

// ErrorBound implements driver.Polling: the interval, or the longest gap between
// two answers where that is longer.
func (d *Detector) ErrorBound() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.feed == nil {
		return int64(d.interval)
	}
	return d.looks.Bound(d.clock.Now(), int64(d.interval))
}

// Configuration is the digest of what the declared address answers, or "".
func (d *Detector) Configuration(ctx context.Context) (string, error) {
	return webhook.Configuration(ctx, d.client, d.live.Configuration)
}

// Cycle is the declared period of the detector, or else the interval at which
// it is asked.
func (d *Detector) Cycle() int64 {
	if d.live.Cycle > 0 {
		return int64(d.live.Cycle)
	}
	return int64(d.interval)
}

// Check implements driver.Detector.
func (d *Detector) Check(ctx context.Context) []driver.Problem {
	var out []driver.Problem
	a, err := d.client.Get(ctx, d.live.URL)
	if err != nil {
		out = append(out, driver.Problem{Rule: "FD-3.1-5", Part: "detector", What: fmt.Sprintf("The detector does not tell its alerts: %v.", err),
			Remedy: "Start it, correct url in the detector block, or name the variable with its token in key_env."})
	} else if _, err := d.reader.Read(a.Body); err != nil {
		out = append(out, driver.Problem{Rule: "FD-3.1-5", Part: "detector", What: fmt.Sprintf("What the detector answers cannot be read: %v.", err),
			Remedy: "Correct the mapping in the detector block."})
	} else if ahead, bound, ok := a.Offset(); ok && ahead.Abs()-bound > time.Second {
		out = append(out, driver.Problem{Rule: "FD-3.5-2", Part: "detector",
			What:   fmt.Sprintf("The clock of the detector differs from this one's by about %v.", ahead.Abs().Round(time.Second)),
			Remedy: "Synchronise both hosts (chrony, NTP)."})
	}
	return append(out, webhook.CheckConfiguration(ctx, d.client, d.live.Configuration)...)
}

// Close stops asking, and returns when the sink will not be called again.
func (d *Detector) Close() error {
	if d.feed != nil {
		d.stop()
		<-d.done
		d.feed.Close()
	}
	d.client.Close()
	return nil
}
