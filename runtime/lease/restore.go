package lease

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

// Times of a removal.
const (
	firstRetry = 100 * time.Millisecond // after a remove call that failed; doubles
	lastRetry  = 5 * time.Second
	firstLook  = 10 * time.Millisecond // between two looks at the configuration; doubles
	lastLook   = time.Second
	settle     = time.Second // after which a call that nobody waited for is not under way any more
	refused    = 3           // remove calls that may fail while the configuration is that of before
)

// unanswered is for how long the configuration is watched after an apply call
// that took too long or broke off: the deployment may be at it still.
var unanswered = 30 * time.Second

// NotBackError says that the baseline configuration was not seen to be back
// (FD-3.4-3).
type NotBackError struct {
	Class, Trial string
	Cause        error // of the last attempt
}

func (e *NotBackError) Error() string {
	return fmt.Sprintf("FD-3.4-3: the fault %q (%s) was not seen to be gone: %v; the watchdog goes on trying. See by hand that the deployment is as it was, or run fdbench recover",
		e.Class, e.Trial, e.Cause)
}

func (e *NotBackError) Unwrap() error { return e.Cause }

// effort is for whom a fault is removed.
type effort struct {
	ours func() bool // whether the Record is still to be removed; nil for always
	note func(error) // hears of each attempt that failed; nil is nobody
}

func (o effort) wanted() bool { return o.ours == nil || o.ours() }

func (o effort) tell(err error) {
	if o.note != nil {
		o.note(err)
	}
}

// restore removes the fault of a Record and waits until the baseline
// configuration is back, trying until ctx ends. A remove call that succeeded is
// repeated only after the configuration did not come back within the time that
// the Record allows: to undo a rollout twice is to redo it. Only where an apply
// call may have come through after the first remove call, that is repeated soon.
func restore(ctx context.Context, m mechanism.Mechanism, r *Record, o effort) error {
	var last error
	failing := func() error {
		if last == nil {
			last = ctx.Err()
		}
		return &NotBackError{r.Values.Class, r.Values.Trial, last}
	}
	wait := firstRetry
	equal := 0
	limit := time.Duration(r.Confirm)
	if !r.Applied {
		limit = min(limit, settle)
	}
	for ctx.Err() == nil {
		if !o.wanted() {
			return nil
		}
		err := m.Remove(ctx, r.Values)
		if err == nil {
			if err = confirm(ctx, m, r, limit, o); err == nil {
				return nil
			}
			last, limit = err, time.Duration(r.Confirm)
			o.tell(err)
			continue
		}
		if ctx.Err() == nil || last == nil {
			last = err
			o.tell(err)
		}
		// What is not there cannot be removed, and some deployments say so.
		// The configuration decides.
		if d, err := m.Configuration(ctx); err == nil && d == r.Baseline {
			if equal++; equal >= refused {
				return nil
			}
		} else {
			equal = 0
		}
		if pause(ctx, wait) != nil {
			break
		}
		wait = min(2*wait, lastRetry)
	}
	return failing()
}

// confirm waits until the configuration is that of before.
func confirm(ctx context.Context, m mechanism.Mechanism, r *Record, limit time.Duration, o effort) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		d, err := m.Configuration(ctx)
		switch {
		case err == nil && d == r.Baseline:
			return nil
		case err == nil:
			last = errors.New("the remove call succeeded, and the check still shows another configuration than before the fault")
		case ctx.Err() == nil || last == nil:
			last = err
		}
		if !o.wanted() {
			return nil
		}
		if pause(ctx, wait) != nil {
			return last
		}
	}
}

// Recovered is what Recover found.
type Recovered struct {
	Found   bool   // a Record
	Class   string // of the fault
	Trial   string
	Written string // when it was applied
}

// Recover removes the fault that a killed run left applied, and waits until the
// baseline configuration is back; ctx bounds the time. path is the Record, or
// the folder that it is in. ErrBusy says that the run is not dead.
func Recover(ctx context.Context, path string) (Recovered, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, RecordName)
	}
	if _, err := read(path); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return Recovered{}, err
		}
		dropEmptyOf(path)
		return Recovered{}, nil
	}
	wait, cancel := context.WithTimeout(ctx, busyWait)
	lock, err := acquire(wait, path)
	cancel()
	if err != nil {
		return Recovered{Found: true}, err
	}
	defer lock.Close()
	return recoverLocked(ctx, path)
}

// busyWait is how long Recover and Start wait for a watchdog that is removing
// the fault.
const busyWait = 10 * time.Second

// recoverLocked is Recover for whoever has the lock.
func recoverLocked(ctx context.Context, path string) (Recovered, error) {
	r, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Recovered{}, nil
	}
	if err != nil {
		return Recovered{}, err
	}
	found := Recovered{true, r.Values.Class, r.Values.Trial, r.Written}
	m, err := r.open(ctx, nil)
	if err != nil {
		return found, fmt.Errorf("the fault %q is to be removed: %w", r.Values.Class, err)
	}
	if err := restoreOrphan(ctx, m, r, effort{}, settle); err != nil {
		return found, err
	}
	if err := forget(path, r.ID); err != nil {
		return found, err
	}
	sweep(filepath.Dir(path))
	return found, nil
}

// restoreOrphan is restore for the fault of a process that is gone. A call that
// it had under way when it went may still be carried out, so the configuration
// has to stay for a span, at the end of which it is looked at once more.
func restoreOrphan(ctx context.Context, m mechanism.Mechanism, r *Record, o effort, span time.Duration) error {
	for {
		if err := restore(ctx, m, r, o); err != nil {
			return err
		}
		if !o.wanted() {
			return nil
		}
		back := true
		for left := span; back && left > 0; left -= settle {
			if err := pause(ctx, min(settle, left)); err != nil {
				return &NotBackError{r.Values.Class, r.Values.Trial, err}
			}
			d, err := m.Configuration(ctx)
			back = err == nil && d == r.Baseline
		}
		if back {
			return nil
		}
		span = settle // the call came through
	}
}
