package prometheus

import (
	"context"
	"errors"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/webhook"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

func (d *Detector) run(ctx context.Context) {
	defer close(d.done)
	detector.Every(ctx, d.interval, func(ctx context.Context) { d.look(ctx) })
}

// look asks for the state of rules and groups. It sends the signals of what
// changed, and tells what the detector retains.
func (d *Detector) look(ctx context.Context) (detector.State, error) {
	d.looking.Lock()
	defer d.looking.Unlock()
	groups, _, err := d.rules(ctx, "?type=alert")
	if err != nil {
		d.mu.Lock()
		d.looks.Fail()
		d.interrupted = true
		d.mu.Unlock()
		return detector.State{}, err
	}
	slot := d.feed.Take()
	if slot == nil {
		return detector.State{}, errors.New("the detector is closed")
	}
	d.mu.Lock()
	signals, s := d.follow.look(groups, slot.At, d.interrupted)
	d.interrupted = false
	d.looks.Answer(slot.At)
	d.mu.Unlock()
	slot.Fill(signals)
	if s.cycle > 0 {
		d.cycle.Store(s.cycle)
	}
	state := detector.State{Firing: s.firing, Pending: s.pending}
	var shown []managerGroup
	var failed error
	if d.manager != "" {
		if shown, failed = d.groups(ctx); failed == nil {
			failed = d.tune(ctx)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	if failed != nil {
		d.managerless++
	}
	if d.manager != "" && failed == nil {
		d.rest.shown(shown, d.follow.in, d.clock.Now())
	}
	if d.manager != "" || d.receiver != nil {
		state.Groups, names = d.rest.left(d.clock.Now())
	}
	d.active = detector.Names(append(s.active, names...))
	if s.unknown != nil {
		return state, s.unknown
	}
	return state, failed
}

// tune takes the times of the running Alertmanager, once.
func (d *Detector) tune(ctx context.Context) error {
	d.mu.Lock()
	tuned := d.tuned
	d.mu.Unlock()
	if tuned {
		return nil
	}
	s, _, err := d.status(ctx)
	if err != nil {
		return err
	}
	c, err := parseManager(s.Config.Original)
	if err != nil {
		return err
	}
	if repeat := c.shortestRepeat(); d.receiver != nil && repeat > 0 {
		d.receiver.SetRetryWithin(min(webhook.RetryWithin, time.Duration(repeat)/2))
	}
	reached := c.reaching(d.receiverURL())
	ours := c.ours(d.receiverURL())
	routes := c.leading(d.followed(), ours)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tuned = true
	d.rest.cleanup = int64(cleanupOf(s.Version.Version))
	d.rest.ours = ours
	d.rest.linger = lingerOf(cleanupOf(s.Version.Version), routes)
	d.rest.flush = slowest(routes)
	for i := range reached {
		if i == 0 {
			d.rest.resolves = true
		}
		d.rest.resolves = d.rest.resolves && reached[i].resolves()
	}
	return nil
}

// observe hears of notifications, in order.
func (d *Detector) observe(n *payload.Notification, at int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rest.notified(n, d.follow.in, at)
}
