package lease

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// follow switches a fault off and on as its profile says. Instants are counted
// from the onset, so that the calls' own time does not add up.
func (x *Apparatus) follow(a *application) {
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	a.mu.Lock()
	a.stopped = stopped
	a.stop = func() {
		cancel()
		<-stopped
	}
	a.mu.Unlock()
	go func() {
		defer close(stopped)
		defer cancel()
		if err := x.switching(ctx, a); err != nil && ctx.Err() == nil {
			a.mu.Lock()
			a.broken = err
			a.mu.Unlock()
		}
	}()
}

func (x *Apparatus) switching(ctx context.Context, a *application) error {
	p := a.spec.Profile
	on, off := int64(p.On), int64(p.Off)
	if on <= 0 || p.Shape == "intermittent" && off <= 0 {
		return fmt.Errorf("the profile %q has no lengths", p.Name)
	}
	next := a.effective
	for {
		next += on
		if pause(ctx, time.Duration(next-x.clock.Now())) != nil {
			return nil
		}
		a.set(false)
		if err := x.m.Remove(ctx, a.r.Values); err != nil {
			return fmt.Errorf("the profile %q could not be followed: %w", p.Name, err)
		}
		if p.Shape == "pulse" {
			return nil
		}
		next += off
		if pause(ctx, time.Duration(next-x.clock.Now())) != nil {
			return nil
		}
		if err := x.running(a); err != nil {
			return err
		}
		err := x.m.Apply(ctx, a.r.Values)
		if err != nil {
			return fmt.Errorf("the profile %q could not be followed: %w", p.Name, err)
		}
		if err := x.running(a); err != nil {
			// The watchdog may have removed the fault just before this call.
			bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), x.o.Confirm)
			defer cancel()
			return errors.Join(err, restore(bounded, x.m, a.r, effort{}))
		}
		a.set(true)
	}
}

// running tells whether the lease of an application still runs, and does not
// extend it.
func (x *Apparatus) running(a *application) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.expired || time.Since(a.renewed) > a.lease || !holds(x.o.Record, a.r.ID) {
		a.expire(x.clock.Now())
		return ErrExpired
	}
	return nil
}

func (a *application) set(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = on
}
