package lease

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/command"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

// fractionDigits is how exact a fraction is that has no end as a decimal.
const fractionDigits = 9

// application is one application of a fault.
type application struct {
	spec  driver.Fault
	r     *Record
	lease time.Duration

	mu         sync.Mutex
	configured int64 // when the apply call was made
	effective  int64 // when it had returned
	window     injection.Picker
	renewed    time.Time
	expired    bool
	gone       bool  // removed, and seen to be
	removing   bool  // a removal is under way
	ended      bool  // in whatever way, at endedAt
	endedAt    int64 // when removal began
	differed   bool  // the check has shown the fault
	on         bool  // a profile intends the full magnitude now
	broken     error // of a profile's switching
	stop       func()
	stopped    chan struct{}
}

func (f *application) removed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.gone
}

// values are what the calls of an application are given.
func (x *Apparatus) values(f driver.Fault) (mechanism.Values, error) {
	v := mechanism.Values{Class: f.Fault.Class, Magnitude: f.Magnitude, Trial: f.Trial, Fraction: f.Fraction.String(), Lease: strconv.FormatInt(x.outlived(f.Longest), 10)}
	if !exactDecimal(v.Fraction) {
		v.Fraction = f.Fraction.Decimal(fractionDigits)
	}
	if len(x.plan.Levels) == 0 {
		return v, nil
	}
	m, err := exact.Parse(f.Magnitude)
	if err != nil {
		return v, fmt.Errorf("the magnitude %q of %q is no number", f.Magnitude, v.Class)
	}
	for _, l := range x.plan.Levels {
		if l.Class == v.Class && l.Magnitude.Cmp(m) == 0 {
			v.Level = l.Value
			return v, nil
		}
	}
	return v, fmt.Errorf("the apparatus has no level for the magnitude %s of %q; add one to its levels", f.Magnitude, v.Class)
}

// outlived is after how many seconds from its apply call a fault is not wanted
// any more, whatever became of the harness: the lease alone is renewed while the
// trial goes on, of which the deployment hears nothing.
func (x *Apparatus) outlived(longest int64) int64 {
	if longest <= 0 {
		return 0
	}
	span := command.DefaultTimeout + time.Duration(longest) + driver.Overdue + time.Duration(x.plan.Lease)
	return int64((span + time.Second - 1) / time.Second)
}

func exactDecimal(s string) bool {
	for _, r := range s {
		if r == '/' {
			return false
		}
	}
	return true
}

// Apply makes a fault effective. The onset is the instant at which the apply
// call had returned: from then on the fault is in force, whereas during the
// call nobody can say. Stamps gives both ends of the call.
//
// A fault whose apply call fails may be in force all the same, so it is removed.
func (x *Apparatus) Apply(ctx context.Context, f driver.Fault) (int64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state.Lock()
	g, before := x.guard, x.fault
	x.state.Unlock()
	switch {
	case g == nil:
		return 0, ErrNotStarted
	case before != nil && !before.removed():
		return 0, ErrApplied
	}
	switch f.Profile.Shape {
	case "step", "pulse", "intermittent":
	default:
		return 0, fmt.Errorf("an apparatus of the kind %s applies a fault in one step, and cannot follow the profile %q; use step, pulse or intermittent, or the proxy", x.plan.Kind, f.Profile.Name)
	}
	v, err := x.values(f)
	if err != nil {
		return 0, err
	}
	baseline, err := x.m.Configuration(ctx)
	if err != nil {
		return 0, fmt.Errorf("the configuration before the fault cannot be read (FD-3.4-3): %w", err)
	}
	r := x.record(&v)
	r.ID, r.Baseline, r.Written = listen.NewToken(), baseline, time.Now().UTC().Format(time.RFC3339Nano)
	if err := r.write(x.o.Record); err != nil {
		return 0, fmt.Errorf("the record of the fault cannot be written, so it is not applied: %w", err)
	}
	if err := x.armed(r.ID, time.Duration(r.Lease)); err != nil {
		return 0, errors.Join(err, forget(x.o.Record, r.ID))
	}
	a := &application{spec: f, r: r, lease: time.Duration(r.Lease), renewed: time.Now(), on: true, stop: func() {}}
	x.state.Lock()
	x.fault = a
	x.state.Unlock()
	if err := x.begin(ctx, a); err != nil {
		late := settle
		if noAnswer(err) && ctx.Err() == nil {
			late = unanswered
		}
		if _, left := x.remove(context.WithoutCancel(ctx), late); left != nil && !errors.Is(left, ErrExpired) && !errors.Is(left, errUnseen) {
			err = errors.Join(err, left)
		}
		return 0, err
	}
	if f.Profile.Shape != "step" {
		x.follow(a)
	}
	return a.effective, nil
}

// noAnswer tells a call that broke off on the way, so that the deployment may be
// at it still, from one that was answered or never made.
func noAnswer(err error) bool {
	for _, e := range []error{context.DeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// begin makes the apply call.
func (x *Apparatus) begin(ctx context.Context, a *application) error {
	defer x.beat(a)()
	configured := x.clock.Now()
	err := x.m.Apply(ctx, a.r.Values)
	a.applied(configured, x.clock.Now())
	if err != nil {
		return err
	}
	if err := x.renew(a); err != nil {
		return err // the watchdog may have removed it before it was applied
	}
	a.r.Applied = a.spec.Profile.Shape != "intermittent"
	if err := a.r.write(x.o.Record); err != nil {
		return fmt.Errorf("the record of the fault cannot be written, so it is removed: %w", err)
	}
	a.look(ctx, x.m)
	return nil
}

// armed puts a fault under the eyes of the watchdog, of a new one where the old
// one is gone or does not answer.
func (x *Apparatus) armed(id string, lease time.Duration) error {
	x.state.Lock()
	g := x.guard
	x.state.Unlock()
	err := g.arm(id, lease)
	if !errors.Is(err, errGone) && !errors.Is(err, errSilent) {
		return err
	}
	g.end()
	if g, err = begin(x.o.Watchdog, x.o.Record, x.log); err != nil {
		return err
	}
	x.state.Lock()
	x.guard = g
	x.state.Unlock()
	return g.arm(id, lease)
}

// applied notes the two ends of the apply call.
func (a *application) applied(configured, effective int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.configured, a.effective = configured, effective
	a.window = injection.Begin(injection.Settings{Onset: effective, Profile: a.spec.Profile, Fraction: a.spec.Fraction, Verify: a.spec.Verify,
		Stream: random.New("lease", a.spec.Trial, "window")})
}

// look notes whether the check shows the fault.
func (a *application) look(ctx context.Context, m mechanism.Mechanism) {
	if d, err := m.Configuration(ctx); err == nil && d != a.r.Baseline {
		a.mu.Lock()
		a.differed = true
		a.mu.Unlock()
	}
}

// beat renews the lease while a call of the harness's own is under way, which
// has a time limit of its own. What it returns ends it.
func (x *Apparatus) beat(a *application) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(max(a.lease/4, time.Millisecond))
		defer t.Stop()
		for {
			select {
			case <-t.C:
				x.renew(a)
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// Renew extends the lease. ErrExpired says that it came too late: the fault is
// being removed. A watchdog that is gone is replaced.
func (x *Apparatus) Renew(context.Context) error {
	x.state.Lock()
	a := x.fault
	x.state.Unlock()
	if a == nil {
		return ErrNoFault
	}
	a.mu.Lock()
	over, removing, broken := a.gone || a.ended && !a.expired, a.removing, a.broken
	a.mu.Unlock()
	switch {
	case removing:
		return nil // who removes the fault renews the lease meanwhile
	case over:
		return ErrNoFault
	}
	return errors.Join(broken, x.renew(a))
}

// renew extends the lease for as long as the fault is not gone.
func (x *Apparatus) renew(a *application) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return nil
	}
	now := time.Now()
	if a.expired || now.Sub(a.renewed) > a.lease || !holds(x.o.Record, a.r.ID) {
		a.expire(x.clock.Now())
		return ErrExpired
	}
	x.state.Lock()
	g := x.guard
	x.state.Unlock()
	if g == nil {
		return ErrNotStarted
	}
	if err := g.tell(wordRenew); err != nil {
		if err := x.armed(a.r.ID, a.lease); err != nil {
			return err
		}
	}
	a.renewed = now
	return nil
}

// expire notes that the fault ended by itself. The lock is held.
func (a *application) expire(now int64) {
	a.expired = true
	if !a.ended {
		a.ended, a.endedAt = true, now
		a.window.Cut(now)
	}
}

// errUnseen says that the check does not show the fault.
var errUnseen = errors.New("FD-3.4-3: the check answered the same with the fault applied as without, so it cannot tell that the fault is gone; let it show what the apply call changes")

// Remove takes the fault away, waits until the configuration is that of before,
// and returns when it was seen to be. Errors: *NotBackError when it was not seen
// in time, where the watchdog goes on trying; one that names FD-3.4-3 when the
// check never showed the fault; ErrExpired, with the instant, when the fault had
// ended by itself before.
func (x *Apparatus) Remove(ctx context.Context) (int64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lock == nil {
		return 0, ErrNotStarted
	}
	return x.remove(ctx, 0)
}

// remove is Remove for whoever has the lock. late is for how long the apply call
// may still be carried out, 0 where it came to its end.
func (x *Apparatus) remove(ctx context.Context, late time.Duration) (int64, error) {
	x.state.Lock()
	a := x.fault
	x.state.Unlock()
	if a == nil || a.removed() {
		return x.clock.Now(), nil
	}
	defer a.removal()()
	a.stop()
	x.running(a) // notes a lease that has run out
	a.mu.Lock()
	seen, expired, on := a.differed, a.expired, a.on
	a.mu.Unlock()
	if !seen && !expired && on {
		a.look(ctx, x.m) // a rollout may take longer than the call that asks for it
	}
	a.mu.Lock()
	if !a.ended {
		a.ended, a.endedAt = true, x.clock.Now()
		a.window.Cut(a.endedAt)
	}
	a.mu.Unlock()
	bounded, cancel := context.WithTimeout(ctx, x.o.Confirm+late)
	defer cancel()
	quiet := x.beat(a)
	var err error
	if late > 0 {
		err = restoreOrphan(bounded, x.m, a.r, effort{}, late)
	} else {
		err = restore(bounded, x.m, a.r, effort{})
	}
	quiet()
	if err != nil {
		return 0, err
	}
	confirmed := x.clock.Now()
	if err := forget(x.o.Record, a.r.ID); err != nil {
		return 0, fmt.Errorf("the fault is gone, and its record cannot be deleted: %w", err)
	}
	x.state.Lock()
	g := x.guard
	x.state.Unlock()
	a.mu.Lock()
	a.gone = true
	seen, expired = a.differed, a.expired
	a.mu.Unlock()
	if g != nil {
		g.tell(wordClear)
	}
	switch {
	case expired:
		return confirmed, ErrExpired
	case !seen:
		return confirmed, errUnseen
	}
	return confirmed, nil
}

// removal notes that a removal is under way. What it returns ends it.
func (a *application) removal() func() {
	set := func(on bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.removing = on
	}
	set(true)
	return func() { set(false) }
}

// Applied tells what became of the fault that was applied last. The apparatus
// sees no response: FirstAffected is -1, and sums are the world's to take over
// the window. Complete is true when the fault was in force for all of it.
func (x *Apparatus) Applied() world.Applied {
	x.state.Lock()
	a := x.fault
	x.state.Unlock()
	out := world.Applied{FirstAffected: -1}
	if a == nil {
		return out
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	out.From, out.To = a.window.Window()
	out.Span = a.effective - a.configured
	out.Complete = !a.expired && a.broken == nil && x.clock.Now() >= out.To && out.To > 0
	return out
}

// Stamps are both ends of the last apply call: when it was made, and when it
// had returned, which is the onset. The fault came into force between them.
func (x *Apparatus) Stamps() (configured, effective int64) {
	x.state.Lock()
	a := x.fault
	x.state.Unlock()
	if a == nil {
		return 0, 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.configured, a.effective
}
