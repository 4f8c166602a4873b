package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

var errApplied = errors.New("a fault is already applied (methodology 4.4)")

// Apply has the apparatus apply a fault. The world's clock is at the onset
// afterwards.
func (w *liveWorld) Apply(ctx context.Context, spec world.Fault) (int64, error) {
	f := w.Factory
	if f.acting {
		return 0, errApplied
	}
	i, ok := f.classes[spec.Class]
	if !ok {
		return 0, fmt.Errorf("the plan has no fault class %q", spec.Class)
	}
	class := f.plan.Declaration.FaultClasses[i]
	column := indicatorOf(f.plan, class)
	fault := driver.Fault{Fault: spec, Class: class, Indicator: column, Magnitude: spec.Magnitude.String(), Trial: f.key + " " + spec.Trial}
	f.acting, f.fault = true, nil // whatever becomes of it, it is removed
	asked := f.clock.Now()
	onset, err := f.drivers.Apparatus.Apply(ctx, fault)
	if err != nil {
		return 0, err
	}
	f.markers.begin()
	f.fault = begin(onset, spec, column)
	f.fault.asked = asked
	f.lease = renew(f.drivers.Apparatus, f.plan.Declaration.Apparatus, time.Duration(spec.Longest))
	f.drain(onset)
	return onset - f.zero, nil
}

// Remove has the apparatus remove the fault. The verification window ends with
// the instant at which it was asked to.
func (w *liveWorld) Remove(ctx context.Context) (int64, error) {
	confirmed, err := w.remove(ctx)
	return confirmed - w.zero, err
}

// remove returns an instant of the run's clock.
func (f *Factory) remove(ctx context.Context) (int64, error) {
	if a := f.fault; a != nil && a.removed < 0 {
		a.cut(f.now)
	}
	if f.lease != nil {
		f.lease.removing()
	}
	confirmed, err := f.drivers.Apparatus.Remove(ctx)
	if err != nil && confirmed <= 0 {
		return f.now, err // the lease is renewed no more by who gives up
	}
	f.acting = false
	why := ""
	if f.lease != nil {
		why, f.lease = f.lease.end(), nil
	}
	if err != nil && why == "" {
		why = err.Error() // it is away, and was before it was asked for
	}
	if f.fault != nil {
		f.fault.broken, f.fault.confirmed = why, confirmed
	}
	f.drain(confirmed)
	return max(confirmed, f.now), nil
}

// Applied tells what became of the fault that was applied last.
func (w *liveWorld) Applied() world.Applied {
	f := w.Factory
	a := f.fault
	if a == nil {
		return world.Applied{FirstAffected: -1}
	}
	from, to := a.window.Window()
	out := world.Applied{FirstAffected: -1, From: from - f.zero, To: to - f.zero, N: a.n, Before: a.before, Injected: a.injected,
		ObservedFrom: from - f.zero, ObservedTo: to - f.zero, ObservedN: a.n, Observed: a.observed,
		Cached: a.cached, Lost: a.lost, Broken: a.broken}
	out.Complete = a.removed >= 0 && f.now >= to && !f.flights.before(max(to, a.removed))
	apparatus := f.drivers.Apparatus.Applied()
	out.Span = apparatus.Span
	first := apparatus.FirstAffected
	if first < a.onset {
		first = a.first // of an apparatus that sees no responses
	}
	if first >= 0 {
		out.FirstAffected = max(first, a.onset) - f.zero
	}
	out.Markers = f.markers.found()
	return out
}

// asking bounds one question to a driver.
const asking = 10 * time.Second

// Detector asks the detector what it retains.
func (w *liveWorld) Detector(ctx context.Context) (detector.State, error) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	return w.drivers.Detector.State(ctx)
}

// Active names the alerts that keep the detector from resting, where it can.
func (w *liveWorld) Active() []string {
	if n, ok := w.drivers.Detector.(detector.Named); ok {
		return n.Active()
	}
	return nil
}

// Change implements world.Explaining, where the detector can.
func (w *liveWorld) Change() string {
	if e, ok := w.drivers.Detector.(world.Explaining); ok {
		return e.Change()
	}
	return ""
}

// A reading that fails is tried again for so long, at this interval: a
// detector that is being restarted comes back.
const (
	readingTries = 24
	readingPause = 5 * time.Second
)

// ReadBack reads the detector, the deployment and the population from
// themselves.
func (w *liveWorld) ReadBack(ctx context.Context) (world.Readback, error) {
	var r world.Readback
	var err error
	if r.Detector, err = w.read(ctx, "detector", w.drivers.Detector.Configuration); err != nil {
		return r, err
	}
	serving, err := w.read(ctx, "deployment", w.drivers.Apparatus.Configuration)
	if err != nil {
		return r, err
	}
	if serving != "" {
		r.Serving = plan.Digest(EngineName+"/serving", []byte(plan.DeploymentDigest(w.plan)), []byte(serving))
	}
	r.Population, err = w.prompts.Digest()
	return r, err
}

func (w *liveWorld) read(ctx context.Context, what string, configuration func(context.Context) (string, error)) (string, error) {
	for i := 1; ; i++ {
		one, cancel := context.WithTimeout(ctx, asking)
		c, err := configuration(one)
		cancel()
		switch {
		case err == nil && c != "" && !strings.HasPrefix(c, "sha256:"):
			return "sha256:" + c, nil
		case err == nil:
			return c, nil
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case i == readingTries:
			return "", fmt.Errorf("the configuration of the %s cannot be read: %w", what, err)
		}
		if err := w.Advance(ctx, w.clock.Now()-w.zero+int64(readingPause), nil); err != nil {
			return "", err
		}
	}
}
