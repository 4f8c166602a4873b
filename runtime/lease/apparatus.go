package lease

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// DefaultConfirm is how long the configuration may take to be back after a
// removal.
const DefaultConfirm = 2 * time.Minute

// Errors of the apparatus.
var (
	ErrNotStarted = errors.New("the apparatus was not started")
	ErrApplied    = errors.New("a fault is already applied (methodology 4.4)")
	ErrNoFault    = errors.New("no fault is applied")
	ErrExpired    = errors.New("the fault ended by itself, since it was not renewed within its lease; the trial cannot be used")
)

// Options of an apparatus.
type Options struct {
	// Record is the file of the fault that is applied, in the folder of the run;
	// two runs cannot have one folder at a time.
	Record string
	// Watchdog is the command line that ends in a call of Watch; the Record's
	// name is added to it.
	Watchdog []string
	Log      *os.File      // standard error of the watchdog; nil for the file LogName beside the Record
	Dir      string        // working folder of programs
	Allow    []string      // hosts that may lie outside the confined ranges (FD-7-1)
	KeyFile  string        // file with the key, where the plan names no environment variable
	Confirm  time.Duration // longest wait for the configuration to be back; 0 for DefaultConfirm
}

// Apparatus is an injection apparatus of the kind http or command. Its methods
// are safe for concurrent use; Apply and Remove wait for one another.
type Apparatus struct {
	plan    plan.Apparatus
	o       Options
	m       mechanism.Mechanism
	targets []world.Target

	mu    sync.Mutex // of Start, Apply, Remove, Close, and a profile's switching
	clock driver.Clock
	lock  *os.File
	log   *os.File

	state sync.Mutex // of what follows; never held during a call
	guard *guard
	fault *application
}

var _ driver.Apparatus = (*Apparatus)(nil)

// New makes an apparatus of a plan's. It resolves every host and looks for
// every program, so that a name that leads nowhere is found before anything
// begins.
func New(ctx context.Context, a plan.Apparatus, o Options) (*Apparatus, error) {
	if a.Lease <= 0 {
		return nil, errors.New("the apparatus has no lease: a fault would outlive a harness that hangs; write lease = \"30s\"")
	}
	if o.Confirm == 0 {
		o.Confirm = DefaultConfirm
	}
	var err error
	if o.Record, err = filepath.Abs(o.Record); err != nil {
		return nil, err
	}
	x := &Apparatus{plan: a, o: o}
	if x.m, err = x.record(nil).open(ctx, x.group); err != nil {
		return nil, err
	}
	x.targets = x.m.Targets()
	return x, nil
}

// record is the Record of an application.
func (x *Apparatus) record(v *mechanism.Values) *Record {
	r := &Record{Format: RecordFormat, PID: os.Getpid(), Apparatus: x.plan, Lease: x.plan.Lease, Confirm: exact.Duration(x.o.Confirm),
		Dir: x.o.Dir, Allow: x.o.Allow, KeyFile: x.o.KeyFile}
	if v != nil {
		r.Values = *v
	}
	return r
}

// Targets are the addresses that the apparatus talks to.
func (x *Apparatus) Targets() []world.Target { return slices.Clone(x.targets) }

// Start removes the fault of a run that was killed, and starts the watchdog.
func (x *Apparatus) Start(ctx context.Context, c driver.Clock) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lock != nil {
		return errors.New("the apparatus was started already")
	}
	wait, cancel := context.WithTimeout(ctx, busyWait)
	lock, err := acquire(wait, x.o.Record)
	cancel()
	if err != nil {
		return fmt.Errorf("the apparatus cannot start: %w", err)
	}
	bounded, cancel := context.WithTimeout(ctx, x.o.Confirm)
	_, err = recoverLocked(bounded, x.o.Record)
	cancel()
	if err != nil {
		lock.Close()
		return fmt.Errorf("a fault of an earlier run is still applied: %w", err)
	}
	if x.log = x.o.Log; x.log == nil {
		if x.log, err = openLog(filepath.Dir(x.o.Record)); err != nil {
			lock.Close()
			return err
		}
	}
	g, err := begin(x.o.Watchdog, x.o.Record, x.log)
	if err != nil {
		x.closeLog()
		lock.Close()
		return err
	}
	x.clock, x.lock = c, lock
	x.state.Lock()
	x.guard, x.fault = g, nil
	x.state.Unlock()
	return nil
}

// closeLog lets go of the log. What stands in it stays.
func (x *Apparatus) closeLog() {
	if x.log != nil && x.log != x.o.Log {
		x.log.Close()
	}
	x.log = nil
}

// group tells the watchdog of a program that runs, so that it does not go on
// when the harness is gone.
func (x *Apparatus) group(n int) {
	x.state.Lock()
	g := x.guard
	x.state.Unlock()
	if g != nil {
		g.tell("%s %d", wordGroup, n)
	}
}

// Configuration is the digest of the deployment's configuration now.
func (x *Apparatus) Configuration(ctx context.Context) (string, error) {
	return x.m.Configuration(ctx)
}

// Check looks at what can be seen without a fault: that the configuration can
// be read, that it stays the same when nothing is done, and that the Record can
// be written.
func (x *Apparatus) Check(ctx context.Context) []driver.Problem {
	if problems := x.m.Check(ctx); len(problems) > 0 {
		return problems
	}
	var out []driver.Problem
	a, err := x.m.Configuration(ctx)
	if err == nil {
		var b string
		if b, err = x.m.Configuration(ctx); err == nil && a != b {
			out = append(out, driver.Problem{Rule: "FD-3.4-3", Part: "apparatus", What: "The check answers differently each time, though nothing was changed.",
				Remedy: "Let it give the configuration alone, without times, counters or identifiers of requests."})
		}
	}
	if err != nil {
		out = append(out, driver.Problem{Rule: "FD-3.4-3", Part: "apparatus", What: err.Error(), Remedy: "See that the deployment stays up."})
	}
	f, err := os.CreateTemp(filepath.Dir(x.o.Record), ".tmp-fault-*")
	if err == nil {
		f.Close()
		err = os.Remove(f.Name())
	}
	if err != nil {
		out = append(out, driver.Problem{Part: "apparatus", What: "The record of a fault cannot be written: " + err.Error() + ".",
			Remedy: "Choose an output folder that can be written to."})
	}
	return out
}

// Close removes a fault that is still applied, even where ctx was cancelled, and
// lets go of the watchdog. A deadline of ctx bounds the attempt; after it there
// is none. When the fault cannot be removed, the watchdog goes on trying.
func (x *Apparatus) Close(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lock == nil {
		return nil
	}
	x.state.Lock()
	f := x.fault
	x.state.Unlock()
	var err error
	if f != nil && !f.removed() {
		// An interrupt that ends ctx is the usual reason to close.
		bounded, cancel := context.WithoutCancel(ctx), context.CancelFunc(func() {})
		if d, ok := ctx.Deadline(); ok {
			bounded, cancel = context.WithDeadline(bounded, d)
		}
		if _, err = x.remove(bounded, 0); errors.Is(err, ErrExpired) {
			err = nil
		}
		cancel()
	}
	x.state.Lock()
	g := x.guard
	x.guard = nil
	x.state.Unlock()
	g.end()
	x.closeLog()
	x.lock.Close() // the watchdog waits for it
	x.lock = nil
	if _, gone := read(x.o.Record); errors.Is(gone, fs.ErrNotExist) {
		select {
		case <-g.gone:
			if x.o.Log == nil {
				dropEmpty(filepath.Dir(x.o.Record))
			}
		case <-time.After(answerTime):
			err = errors.Join(err, errors.New("the watchdog does not end"))
		case <-ctx.Done():
		}
	}
	return err
}
