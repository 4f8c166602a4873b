package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
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

// Waits before a program that ended is started again. They double from the
// first to the longest, and begin anew once it has run for the longest.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 30 * time.Second
)

// grace is how long a program may take to end when it is asked to.
const grace = 3 * time.Second

// Component is how signals name their emitter where a line names none.
const Component = "command"

// Options are what a plan does not hold. The zero value is ready to use.
type Options struct {
	Dir   string        // where the program runs; "" for the current folder
	Env   []string      // its environment; nil for that of this process
	Fetch fetch.Options // how the configuration is asked for
}

// Detector runs a program. It implements driver.Detector and detector.Named.
type Detector struct {
	name   string
	live   *plan.LiveDetector
	o      Options
	client *fetch.Client

	clock driver.Clock
	feed  *feed.Feed
	stop  context.CancelFunc
	done  chan struct{}

	mu      sync.Mutex
	running bool
	ended   string          // how it ended last
	open    map[string]open // alerts that fire, by component and labels
	stats   Stats
	told    Stats // at Missed
	wrong   error // the last line that was no signal
	stderr  tail
}

// open is an alert that fires.
type open struct {
	labels   map[string]string
	startsAt int64
	noData   bool // it was reported without data alone
}

// Stats count what a program did.
type Stats struct {
	Signals   int64
	Malformed int64 // lines that are no signal
	Starts    int64 // of the program
}

var (
	_ driver.Missing = (*Detector)(nil)
	_ detector.Named = (*Detector)(nil)
)

// New makes the driver of a detector of kind "command".
func New(d *plan.Detector, o Options) (*Detector, error) {
	if d.Live == nil || len(d.Live.Command) == 0 || d.Live.Command[0] == "" {
		return nil, fmt.Errorf("detector %q: a detector behind a program needs the program in command", d.Name)
	}
	var err error
	if o.Fetch.Key == "" {
		if o.Fetch.Key, err = fetch.Secret(d.Live.KeyEnv); err != nil {
			return nil, fmt.Errorf("detector %q: %w", d.Name, err)
		}
	}
	return &Detector{name: d.Name, live: d.Live, o: o, client: fetch.New(o.Fetch), open: map[string]open{}}, nil
}

// Start starts the program. It does not end with ctx, but with Close.
func (d *Detector) Start(ctx context.Context, c driver.Clock, sink detector.Sink) error {
	if d.feed != nil {
		return errors.New("the detector has been started already")
	}
	if _, err := exec.LookPath(d.live.Command[0]); err != nil && d.o.Dir == "" {
		return fmt.Errorf("detector %q: the program cannot be started: %w", d.name, err)
	}
	d.clock, d.feed, d.done = c, feed.New(c, sink), make(chan struct{})
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stop = stop
	go d.keep(run)
	return nil
}

// keep runs the program again and again.
func (d *Detector) keep(ctx context.Context) {
	defer close(d.done)
	wait := firstWait
	for ctx.Err() == nil {
		began := time.Now()
		err := d.once(ctx)
		d.mu.Lock()
		d.running = false
		d.ended = "it ended"
		if err != nil {
			d.ended = err.Error()
		}
		d.mu.Unlock()
		if time.Since(began) >= longestWait {
			wait = firstWait
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		wait = min(2*wait, longestWait)
	}
}

func (d *Detector) once(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, d.live.Command[0], d.live.Command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = d.o.Dir, d.o.Env, &d.stderr, grace
	apart(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	d.mu.Lock()
	d.running = true
	d.stats.Starts++
	d.mu.Unlock()
	// A grandchild can hold the pipe open after the program was ended.
	read := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-read:
		case <-time.After(grace):
			out.Close()
		}
	})
	defer stop()
	readErr := d.read(ctx, out)
	close(read)
	// Before Wait, so that the group is still the program's own. Nobody is left
	// to read what it would print.
	gone(cmd)
	err = cmd.Wait()
	if err == nil && readErr != nil && !errors.Is(readErr, io.EOF) {
		err = readErr
	}
	return err
}

// read takes the lines of one run of the program.
func (d *Detector) read(ctx context.Context, from io.Reader) error {
	l := newLines(from)
	for {
		line, err := l.next()
		if err != nil && !errors.Is(err, errLong) {
			return err
		}
		slot := d.feed.Take()
		if slot == nil {
			return io.EOF
		}
		var signals []detector.Signal
		if err == nil && len(line) > 0 {
			var s *detector.Signal
			if s, err = parse(line, d.clock, slot.At); err == nil {
				signals = []detector.Signal{*s}
			}
		}
		d.count(signals, slot.At, err)
		slot.Fill(signals)
		slot.Wait(ctx)
	}
}

// count takes in the signals of one line. An alert that fires already is
// reported again, unless the line says that it began anew, or has the data that
// was missing so far.
func (d *Detector) count(signals []detector.Signal, at int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.stats.Malformed++
		d.wrong = err
	}
	for i := range signals {
		d.stats.Signals++
		s := &signals[i]
		key := s.Component + "\xff" + payload.LabelsText(s.Labels)
		if s.Status != payload.Firing {
			delete(d.open, key)
			continue
		}
		now := open{s.Labels, s.StartsAt, s.NoData}
		if old, ok := d.open[key]; ok && (s.StartsAt == at || s.StartsAt == old.startsAt) {
			s.Repeat = s.Repeat || s.NoData || !old.noData
			now.startsAt, now.noData = old.startsAt, old.noData && s.NoData
		}
		d.open[key] = now
	}
}

// State counts the alerts that the program has said are firing. It is not known
// while the program does not run.
func (d *Detector) State(context.Context) (detector.State, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		return detector.State{}, errors.New(d.down())
	}
	return detector.State{Firing: len(d.open)}, nil
}

// down says why the program does not run.
func (d *Detector) down() string {
	text := fmt.Sprintf("the program %s does not run", d.live.Command[0])
	if d.ended != "" {
		text += ": " + d.ended
	}
	if last := d.stderr.last(); last != "" {
		text += "; it said: " + last
	}
	return text
}

// Active implements detector.Named.
func (d *Detector) Active() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for _, o := range d.open {
		names = append(names, cmp.Or(o.labels["alertname"], payload.LabelsText(o.labels)))
	}
	return detector.Names(names)
}

// Stats count what the program did so far.
func (d *Detector) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stats
}

// Missed implements driver.Missing: lines that are no signal, and starts of the
// program beyond the first one.
func (d *Detector) Missed() world.Missed {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := world.Missed{Malformed: d.stats.Malformed - d.told.Malformed, Restarts: max(d.stats.Starts, 1) - max(d.told.Starts, 1)}
	d.told = d.stats
	return m
}

// Configuration is the digest of what the declared address answers, or "".
func (d *Detector) Configuration(ctx context.Context) (string, error) {
	return webhook.Configuration(ctx, d.client, d.live.Configuration)
}

// Cycle is the declared period, or else the declared interval.
func (d *Detector) Cycle() int64 {
	if d.live.Cycle > 0 {
		return int64(d.live.Cycle)
	}
	return int64(d.live.Interval)
}

// ErrorBound is by how much the receipt of a signal may be late, in nanoseconds:
// the interval at which the program says that it looks (AMB-14), 0 where it
// says none.
func (d *Detector) ErrorBound() int64 { return int64(d.live.Interval) }

// Check implements driver.Detector. After Start it tells also what the running
// program does wrong.
func (d *Detector) Check(ctx context.Context) []driver.Problem {
	var out []driver.Problem
	add := func(what, remedy string) {
		out = append(out, driver.Problem{Rule: "FD-3.1-5", Part: "detector", What: what, Remedy: remedy})
	}
	if d.feed == nil {
		if _, err := exec.LookPath(d.live.Command[0]); err != nil && d.o.Dir == "" {
			add(fmt.Sprintf("The program %s cannot be started: %v.", d.live.Command[0], err), "Install it, or write the path to it in command.")
		}
	} else {
		d.mu.Lock()
		if !d.running {
			add("The detector's state is not known: "+d.down()+".", "Run the program by hand and see why it ends: it has to run for as long as the series.")
		}
		if d.wrong != nil {
			add(fmt.Sprintf("The program %s printed what is no signal: %v.", d.live.Command[0], d.wrong),
				`Print one JSON object a line, such as {"status": "firing", "labels": {"alertname": "RefusalsHigh"}}, and everything else on standard error.`)
		}
		d.mu.Unlock()
	}
	return append(out, webhook.CheckConfiguration(ctx, d.client, d.live.Configuration)...)
}

// Close ends the program, and returns when the sink will not be called again.
func (d *Detector) Close() error {
	if d.feed != nil {
		d.stop()
		<-d.done
		d.feed.Close()
	}
	d.client.Close()
	return nil
}
