package lease

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

// patience is how long a watchdog tries to remove a fault before it leaves it
// to Recover.
const patience = 24 * time.Hour

// The watchdog's protocol: lines from the harness to its standard input, and an
// answer on its standard output to the first of them and to each "arm": armed
// ID, or refused ID and why.
//
//	arm ID LEASE   the fault of the Record with the id is about to be applied;
//	               LEASE in nanoseconds
//	renew          it is wanted still
//	group N        the harness runs a program in this process group; 0: no more
//	clear          it was removed
const (
	wordReady   = "ready"
	wordArm     = "arm"
	wordArmed   = "armed"
	wordRefused = "refused"
	wordRenew   = "renew"
	wordGroup   = "group"
	wordClear   = "clear"
)

// overslept is how long a watchdog that finds a lease run out waits for what it
// was told meanwhile: it may have been stopped itself.
const overslept = 100 * time.Millisecond

// Watch is the watchdog over the Record at path. It reads from beats until they
// end, and returns when no fault is left that it would have to remove. When ctx
// ends it removes the fault that is applied, if one is, and returns. A process
// that is nothing but a watchdog calls Endure first.
//
// What it has to remove a fault for, and each attempt that fails, goes to log
// in a line, of which there are not many; nil is nowhere.
//
// Errors: a fault could not be removed within a day, or a Record cannot be
// read. The Record is then still there.
func Watch(ctx context.Context, path string, beats io.Reader, answers, log io.Writer) error {
	w := &watchdog{path: path, answers: answers, notes: newNotes(log)}
	// Removing is not to end with ctx: it begins then.
	w.ctx = context.WithoutCancel(ctx)
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(beats); s.Scan(); {
			lines <- s.Text()
		}
	}()
	defer func() {
		go func() {
			for range lines { // lets the reader end
			}
		}()
	}()
	w.answer(wordReady)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return w.orphaned()
			}
			w.take(line)
		case <-w.expiry():
			if !w.late {
				w.late, w.deadline = true, time.Now().Add(overslept)
				continue
			}
			if err := w.expired(); err != nil {
				return err
			}
		case <-ctx.Done():
			if w.r == nil {
				return nil
			}
			return w.expired()
		}
	}
}

type watchdog struct {
	ctx     context.Context
	path    string
	answers io.Writer
	notes   *notes

	r        *Record // what is armed; nil: nothing
	m        mechanism.Mechanism
	lease    time.Duration
	deadline time.Time
	late     bool // the lease has run out, as far as was heard
	group    int
}

func (w *watchdog) answer(format string, args ...any) {
	fmt.Fprintf(w.answers, format+"\n", args...) // who does not hear it is gone, which the end of beats says
}

// expiry is a channel that is ready when the lease has run out.
func (w *watchdog) expiry() <-chan time.Time {
	if w.r == nil {
		return nil
	}
	return time.After(time.Until(w.deadline))
}

// take takes one line in.
func (w *watchdog) take(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case wordArm:
		if err := w.arm(rest); err != nil {
			w.r = nil
			id, _, _ := strings.Cut(rest, " ")
			w.answer("%s %s %s", wordRefused, id, mechanism.Excerpt(err.Error(), 2000))
			return
		}
		w.answer("%s %s", wordArmed, w.r.ID)
	case wordRenew:
		w.renewed()
	case wordGroup:
		w.group, _ = strconv.Atoi(rest)
	case wordClear:
		w.r, w.m = nil, nil
	}
}

func (w *watchdog) arm(rest string) error {
	id, text, _ := strings.Cut(rest, " ")
	ns, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ns <= 0 {
		return fmt.Errorf("%q is no lease", text)
	}
	r, err := read(w.path)
	if err != nil {
		return err
	}
	if r.ID != id {
		return fmt.Errorf("the record is of another application")
	}
	m, err := r.open(w.ctx, nil)
	if err != nil {
		return err
	}
	w.r, w.m, w.lease = r, m, time.Duration(ns)
	w.renewed()
	return nil
}

func (w *watchdog) renewed() { w.late, w.deadline = false, time.Now().Add(w.lease) }

// expired removes a fault that was not renewed in time. The harness may live
// still and come back; it then finds the Record gone.
func (w *watchdog) expired() error {
	r, m := w.r, w.m
	w.r, w.m = nil, nil
	w.notes.tell("the fault %q (%s) was not renewed within its lease of %s: it is being removed", r.Values.Class, r.Values.Trial, r.Lease)
	return w.remove(m, r)
}

func (w *watchdog) remove(m mechanism.Mechanism, r *Record) error {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	err := restoreOrphan(ctx, m, r, effort{
		ours: func() bool { return holds(w.path, r.ID) },
		note: func(err error) {
			w.notes.tell("the fault %q (%s) is not removed yet: %v", r.Values.Class, r.Values.Trial, err)
		},
	}, settle)
	if err != nil {
		w.notes.tell("given up: %v", err)
		return err
	}
	w.notes.tell("the fault %q (%s) is gone", r.Values.Class, r.Values.Trial)
	return forget(w.path, r.ID)
}

// orphaned removes what the harness left behind when it went.
func (w *watchdog) orphaned() error {
	endGroup(w.group)
	r, err := read(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		sweepRehearsal(w.path)
		return nil
	}
	if err != nil {
		return err
	}
	// A new run in the same folder, or somebody who recovers, removes it too.
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	lock, err := acquire(ctx, w.path)
	if err != nil {
		return err
	}
	defer lock.Close()
	if !holds(w.path, r.ID) {
		return nil
	}
	m := w.m
	if w.r == nil || w.r.ID != r.ID {
		if m, err = r.open(w.ctx, nil); err != nil {
			return err
		}
	}
	w.notes.tell("the process that applied the fault %q (%s) is gone: it is being removed", r.Values.Class, r.Values.Trial)
	if err := w.remove(m, r); err != nil {
		return err
	}
	sweepRehearsal(w.path)
	return nil
}
