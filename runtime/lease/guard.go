package lease

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

var (
	// answerTime is the longest wait for an answer of the watchdog: it may be in
	// the middle of a removal.
	answerTime = 30 * time.Second
	// tellTime is how long a watchdog that is stopped, and whose pipe is full of
	// what it did not take in, may hold up the harness.
	tellTime = 5 * time.Second
)

// What may be wrong with a watchdog, so that another has to take its place.
var (
	errGone   = errors.New("the watchdog has ended")
	errSilent = errors.New("it did not answer in time")
)

// guard is the harness's side of a watchdog.
type guard struct {
	mu      sync.Mutex // of writing
	process *exec.Cmd
	beats   io.WriteCloser
	answers chan string   // closed when the watchdog is gone
	gone    chan struct{} // closed when it was waited for
}

// begin starts a watchdog and waits until it listens.
func begin(line []string, path string, log *os.File) (*guard, error) {
	if len(line) == 0 {
		return nil, errors.New("no watchdog is named: without one a fault would outlive a harness that is killed")
	}
	c := exec.Command(line[0], append(line[1:len(line):len(line)], path)...)
	c.SysProcAttr = ownSession()
	if log != nil {
		c.Stderr = log
	}
	beats, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdout = w
	err = c.Start()
	w.Close()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("the watchdog cannot be started: %w", err)
	}
	g := &guard{process: c, beats: beats, answers: make(chan string, 16), gone: make(chan struct{})}
	go func() {
		defer out.Close()
		defer close(g.answers)
		for s := bufio.NewScanner(out); s.Scan(); {
			g.answers <- s.Text()
		}
	}()
	go func() {
		defer close(g.gone)
		c.Wait()
	}()
	if answer, err := g.hear(); err != nil || answer != wordReady {
		g.end()
		return nil, fmt.Errorf("the watchdog did not start: %w", errors.Join(err, said(answer)))
	}
	return g, nil
}

// said is an answer that was not expected.
func said(answer string) error {
	if answer == "" {
		return nil
	}
	return errors.New(answer)
}

// hear is the next answer.
func (g *guard) hear() (string, error) {
	t := time.NewTimer(answerTime)
	defer t.Stop()
	select {
	case s, ok := <-g.answers:
		if !ok {
			return "", errGone
		}
		return s, nil
	case <-t.C:
		return "", errSilent
	}
}

func (g *guard) tell(format string, args ...any) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f, ok := g.beats.(interface{ SetWriteDeadline(time.Time) error }); ok {
		f.SetWriteDeadline(time.Now().Add(tellTime)) // a system that has none for pipes has no SIGSTOP either
	}
	_, err := fmt.Fprintf(g.beats, format+"\n", args...)
	return err
}

// arm puts a fault under the watchdog's eyes. Answers to a fault before it,
// which was given up because none came, are passed over.
func (g *guard) arm(id string, lease time.Duration) error {
	if err := g.tell("%s %s %d", wordArm, id, int64(lease)); err != nil {
		return errGone
	}
	for {
		answer, err := g.hear()
		if why, ok := strings.CutPrefix(answer, wordRefused+" "+id+" "); ok {
			err = errors.New(why)
		}
		if err != nil {
			return fmt.Errorf("the watchdog does not guard the fault: %w", err)
		}
		if answer == wordArmed+" "+id {
			return nil
		}
	}
}

// end lets go of the watchdog. It ends by itself when no fault is left.
func (g *guard) end() {
	g.mu.Lock()
	g.beats.Close()
	g.mu.Unlock()
}
