package prometheus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/detector/webhook/feed"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Components of the detector, as its signals name them.
const (
	Rules        = "rules"
	Alertmanager = "alertmanager"
)

// DefaultInterval is the time between two looks at the rules.
const DefaultInterval = time.Second

// startPatience is how long Start waits for a server that does not answer.
const startPatience = 10 * time.Second

// Options are what a plan's detector does not hold. The zero value is ready to
// use.
type Options struct {
	webhook.Options

	// Attribution is the plan's attribution. Signals of a component of which it
	// cannot be true are not sent. Where it does not tell the components apart,
	// only the last one sends: the Alertmanager where there is a receiver, else
	// the rules. "" sends those of both, and then one alert is two signals.
	Attribution string
}

// Detector drives a Prometheus. It implements driver.Detector and
// detector.Named.
type Detector struct {
	name         string
	plan         *plan.Detector
	live         *plan.LiveDetector
	o            Options
	api, manager string // base addresses without a slash at the end
	client       *fetch.Client
	reader       *payload.Reader
	attribution  *predicate.Attribution // nil where it is not known
	sends        map[string]bool        // components
	interval     time.Duration

	clock    driver.Clock
	feed     *feed.Feed
	receiver *webhook.Receiver
	stop     context.CancelFunc
	done     chan struct{}
	cycle    atomic.Int64

	looking     sync.Mutex // one look at a time
	mu          sync.Mutex // what follows; taken after the receiver's own, never before
	follow      *follower
	rest        *rest
	interrupted bool // a look has failed since the last one with an answer
	tuned       bool // rest knows Alertmanager's configuration
	active      []string
	looks       detector.Looks
	first       string // settings at the first reading of the configuration
	last        string
	tries       map[string]chan struct{}
	lost        int   // of rest, at Missed
	managerless int64 // looks to which Alertmanager gave no answer, since Missed
}

var (
	_ driver.Missing = (*Detector)(nil)
	_ detector.Named = (*Detector)(nil)
)

// New makes the driver of a detector of kind "prometheus".
func New(d *plan.Detector, o Options) (*Detector, error) {
	fail := func(err error) (*Detector, error) { return nil, fmt.Errorf("detector %q: %w", d.Name, err) }
	live := d.Live
	if live == nil || live.URL == "" {
		return fail(errors.New("a Prometheus needs its address in url"))
	}
	p := &Detector{name: d.Name, plan: d, live: live, o: o, interval: time.Duration(live.Interval), tries: map[string]chan struct{}{},
		looks: detector.NewLooks()}
	var err error
	if p.api, err = base(live.URL); err != nil {
		return fail(err)
	}
	if p.manager, err = base(live.Alertmanager); err != nil {
		return fail(err)
	}
	if live.Listen != "" {
		if err := webhook.CheckPath(live.Path); err != nil {
			return fail(err)
		}
	}
	if p.interval <= 0 {
		p.interval = DefaultInterval
	}
	if p.reader, err = payload.NewReader(live.Mapping); err != nil {
		return fail(err)
	}
	if p.o.Options, err = o.Options.Complete(live); err != nil {
		return fail(err)
	}
	if o.Attribution != "" {
		a, e := predicate.CompileAttribution(o.Attribution)
		if e != nil {
			return fail(fmt.Errorf("the attribution cannot be read: %w", e))
		}
		p.attribution = a
	}
	if p.sends, err = components(p.attribution, live.Listen != ""); err != nil {
		return fail(err)
	}
	p.client = fetch.New(p.o.Fetch)
	p.cycle.Store(int64(live.Cycle))
	if d.Prometheus != nil && live.Cycle == 0 {
		p.cycle.Store(int64(d.Prometheus.EvaluationInterval))
	}
	var scope map[string]bool
	for _, a := range d.Alerts {
		if scope == nil {
			scope = map[string]bool{}
		}
		scope[a.Name] = true
	}
	p.follow = newFollower(scope)
	p.rest = newRest(d.Manager)
	return p, nil
}

// newRest begins with what the plan declares of the Alertmanager, and else with
// the slowest that it can be by default.
func newRest(m *plan.Alertmanager) *rest {
	r := &rest{cleanup: int64(cleanupTick), flush: int64(5 * time.Minute), resolves: true, groups: map[string]*groupState{}}
	if m != nil {
		r.flush, r.resolves = int64(max(m.GroupWait, m.GroupInterval)), m.SendResolved
	}
	return r
}

func base(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	u, err := fetch.Parse(address)
	if err != nil {
		return "", err
	}
	u.RawQuery, u.Fragment = "", ""
	text := u.String()
	for len(text) > 0 && text[len(text)-1] == '/' {
		text = text[:len(text)-1]
	}
	return text, nil
}

// components are the ones whose signals are sent.
func components(a *predicate.Attribution, receiver bool) (map[string]bool, error) {
	if a == nil {
		return map[string]bool{Rules: true, Alertmanager: receiver}, nil
	}
	can := func(component string) predicate.Truth {
		return a.Decide(predicate.Signal{Component: component}, predicate.Fault{}, func(field string) bool { return field == "signal.component" })
	}
	rules, manager := can(Rules), can(Alertmanager)
	switch {
	case rules == predicate.False && manager == predicate.False:
		return nil, fmt.Errorf("the attribution is true of no component of a Prometheus: they are %q and %q", Rules, Alertmanager)
	case rules == predicate.False && !receiver:
		return nil, fmt.Errorf("the attribution asks for signals of %q, and no receiver is declared to hear of them", Alertmanager)
	case rules == predicate.False:
		return map[string]bool{Alertmanager: true}, nil
	case manager == predicate.False:
		return map[string]bool{Rules: true}, nil
	}
	return map[string]bool{Rules: !receiver, Alertmanager: receiver}, nil
}

// counts tells whether the attribution can be true of an alert of which some
// labels are known.
func (d *Detector) counts(known map[string]string) bool {
	return d.attribution == nil || d.attribution.Decide(predicate.Signal{Labels: known}, predicate.Fault{}, func(field string) bool {
		name, label := strings.CutPrefix(field, "signal.labels.")
		_, ok := known[name]
		return label && ok
	}) != predicate.False
}

// Start begins to listen and to look. It does not end with ctx, but with Close.
func (d *Detector) Start(ctx context.Context, c driver.Clock, sink detector.Sink) error {
	if d.feed != nil {
		return errors.New("the detector has been started already")
	}
	d.clock, d.follow.clock, d.done = c, c, make(chan struct{})
	if d.live.Listen != "" {
		r, err := webhook.Listen(d.live.Listen, d.live.Path, Alertmanager, d.reader, d.o.Options)
		if err != nil {
			return fmt.Errorf("detector %q: %w", d.name, err)
		}
		r.Skip, r.Observe = d.isTry, d.observe
		d.receiver = r
	}
	d.feed = feed.New(c, func(s detector.Signal) {
		if d.sends[s.Component] {
			sink(s)
		}
	})
	if d.receiver != nil {
		d.receiver.Start(c, d.feed)
	}
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	if err := d.firstLook(ctx); err != nil {
		close(d.done)
		d.Close()
		d.feed, d.receiver = nil, nil
		return fmt.Errorf("detector %q: %w", d.name, err)
	}
	go d.run(run)
	return nil
}

// firstLook makes sure that the rules can be asked for, and waits a little for a
// server that is being restarted. What they say is not known yet where they have
// not been evaluated.
func (d *Detector) firstLook(ctx context.Context) error {
	until := time.Now().Add(startPatience)
	for {
		_, err := d.look(ctx)
		var gone *fetch.UnreachableError
		if d.Looks().Done > 0 {
			return nil
		}
		if ctx.Err() != nil || !errors.As(err, &gone) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// State looks at the rules and at the notification groups (AMB-22). An error
// says that what the detector retains is not known, which is not rest: a server
// does not answer, or a rule has not been evaluated since its server started,
// or cannot be evaluated.
//
// The alerts of the plan count; where it names none, all do. Groups counts
// those that Alertmanager shows, those whose end has not been notified, and
// those that it may still keep.
func (d *Detector) State(ctx context.Context) (detector.State, error) {
	if d.feed == nil {
		return detector.State{}, errors.New("the detector has not been started")
	}
	return d.look(ctx)
}

// Active implements detector.Named: the alerts that kept the detector from rest
// at the last look.
func (d *Detector) Active() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.active
}

// Looks counts the looks so far.
func (d *Detector) Looks() detector.Looks {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.looks
}

// ErrorBound implements driver.Polling: the interval at which the rules are asked
// for, or the longest gap between two answers where that is longer. It is 0 where
// notifications count.
func (d *Detector) ErrorBound() int64 {
	if !d.sends[Rules] {
		return 0
	}
	if d.feed == nil {
		return int64(d.interval)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.looks.Bound(d.clock.Now(), int64(d.interval))
}

// Receiver is where notifications arrive; nil before Start, and where none is
// declared.
func (d *Detector) Receiver() *webhook.Receiver { return d.receiver }

// Lost is how many notification groups ended without a notification that all is
// resolved, though one was due.
func (d *Detector) Lost() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rest.lost
}

// Missed implements driver.Missing: looks at the rules and at the groups, and
// notifications.
func (d *Detector) Missed() world.Missed {
	if d.feed == nil {
		return world.Missed{}
	}
	var m world.Missed
	if d.receiver != nil {
		m = d.receiver.Missed()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	m.Unanswered, m.Gap = d.looks.Missed(d.clock.Now(), int64(d.interval))
	m.Unanswered += d.managerless
	d.managerless = 0
	m.Unresolved = int64(d.rest.lost - d.lost)
	d.lost = d.rest.lost
	return m
}

// Cycle is the evaluation interval of the group that holds the rules, the
// longest where there are several. Before the first look it is the declared
// one.
func (d *Detector) Cycle() int64 { return d.cycle.Load() }

// Close stops listening and looking, and returns when the sink will not be
// called again.
func (d *Detector) Close() error {
	if d.feed == nil {
		d.client.Close()
		return nil
	}
	d.stop()
	<-d.done
	var err error
	if d.receiver != nil {
		err = d.receiver.Close()
	}
	d.feed.Close()
	d.client.Close()
	return err
}
