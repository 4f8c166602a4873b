package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Limits of one program.
const (
	DefaultTimeout = 2 * time.Minute
	MaxOutput      = 8 << 20 // bytes of standard output
	maxErrors      = 64 << 10
	grace          = time.Second            // between being asked to end and being ended
	linger         = 200 * time.Millisecond // for output of what a program left running
)

// Options of a mechanism.
type Options struct {
	Dir     string        // working folder, from which relative names of programs count; "" for the current one
	Timeout time.Duration // of one program; 0 for DefaultTimeout
	// Started hears the process group of an apply or remove program that
	// begins, and 0 when it has ended, so that somebody else can stop it. nil is nobody.
	Started func(group int)
}

// Mechanism runs the programs.
type Mechanism struct {
	apply, remove, check program
	o                    Options
	secrets              []string
}

type program struct {
	what string // "apply", "remove", "check"
	args []string
	path string
}

// New makes a mechanism. The programs have to be there.
func New(a plan.CommandApparatus, o Options) (*Mechanism, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Started == nil {
		o.Started = func(int) {}
	}
	m := &Mechanism{o: o, secrets: secrets(os.Environ())}
	for _, c := range []struct {
		what string
		args []string
		to   *program
	}{{"apply", a.Apply, &m.apply}, {"remove", a.Remove, &m.remove}, {"check", a.Check, &m.check}} {
		if len(c.args) == 0 || c.args[0] == "" {
			return nil, fmt.Errorf("the apparatus has no %s program; a fault has to be applied, removed, and seen to be gone (FD-3.4-3)", c.what)
		}
		name := c.args[0]
		if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
			name = filepath.Join(o.Dir, name)
		}
		path, err := exec.LookPath(name)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return nil, fmt.Errorf("the %s program %s cannot be run: %w; see that it is there and executable", c.what, mechanism.Excerpt(c.args[0], 100), errors.Unwrap(err))
		}
		*c.to = program{c.what, c.args, path}
	}
	return m, nil
}

// secrets are the values of environment variables whose names say that they
// hold one: programs print them in their errors.
func secrets(environ []string) []string {
	var out []string
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		name = strings.ToUpper(name)
		for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL"} {
			if strings.Contains(name, word) {
				out = append(out, value)
				break
			}
		}
	}
	return out
}

// Targets are none: the harness itself reaches nothing.
func (m *Mechanism) Targets() []world.Target { return nil }

// Apply runs the apply program.
func (m *Mechanism) Apply(ctx context.Context, v mechanism.Values) error {
	_, err := m.run(ctx, &m.apply, &v)
	return err
}

// Remove runs the remove program.
func (m *Mechanism) Remove(ctx context.Context, v mechanism.Values) error {
	_, err := m.run(ctx, &m.remove, &v)
	return err
}

// Configuration is the digest of what the check program prints. It gets no
// values: it reads the configuration whether or not a fault is applied.
func (m *Mechanism) Configuration(ctx context.Context) (string, error) {
	b, err := m.run(ctx, &m.check, nil)
	if err != nil {
		return "", err
	}
	return mechanism.Digest(b), nil
}

// Check runs the check program.
func (m *Mechanism) Check(ctx context.Context) []driver.Problem {
	if _, err := m.Configuration(ctx); err != nil {
		return []driver.Problem{{Rule: "FD-3.4-3", Part: "apparatus", What: err.Error(),
			Remedy: "Run the check program by hand; it is to print the deployment's configuration and end with status 0."}}
	}
	return nil
}

// ExitError says that a program ended with another status than 0.
type ExitError struct {
	Program string // apply, remove, check
	Name    string // as the plan names it
	Status  string // "exit status 3", "signal: killed"
	Output  string // the end of its standard error, without secrets
}

func (e *ExitError) Error() string {
	s := fmt.Sprintf("the %s program %s ended with %s", e.Program, e.Name, e.Status)
	if e.Output != "" {
		s += ": " + e.Output
	}
	return s
}

// run runs one program and returns its standard output.
func (m *Mechanism) run(ctx context.Context, p *program, v *mechanism.Values) ([]byte, error) {
	fail := func(err error) error {
		return fmt.Errorf("the %s program %s: %w", p.what, mechanism.Excerpt(p.args[0], 100), err)
	}
	ctx, cancel := context.WithTimeout(ctx, m.o.Timeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return nil, fail(err)
	}
	c := exec.Command(p.path, p.args[1:]...)
	c.Args[0], c.Dir = p.args[0], m.o.Dir
	c.Env = environment(os.Environ(), v)
	c.SysProcAttr = ownGroup()
	stdout, err := capture(&c.Stdout, MaxOutput+1, false)
	if err != nil {
		return nil, fail(err)
	}
	stderr, err := capture(&c.Stderr, maxErrors, true)
	if err != nil {
		stdout.drop()
		return nil, fail(err)
	}
	err = c.Start()
	stdout.started()
	stderr.started()
	if err != nil {
		stdout.drop()
		stderr.drop()
		return nil, fail(errors.Unwrap(err))
	}
	if v != nil {
		m.o.Started(c.Process.Pid)
	}
	err = wait(ctx, c)
	if v != nil {
		m.o.Started(0)
	}
	out, errs := stdout.end(linger), stderr.end(linger)
	tail := mechanism.Redact(string(errs), m.secrets)
	if len(tail) > 600 {
		tail = "…" + tail[len(tail)-600:]
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fail(fmt.Errorf("it did not end within %s and was stopped: %w", m.o.Timeout, ctx.Err()))
	case ctx.Err() != nil:
		return nil, fail(ctx.Err())
	case err != nil:
		return nil, &ExitError{p.what, mechanism.Excerpt(p.args[0], 100), err.Error(), mechanism.Excerpt(tail, 400)}
	case len(out) > MaxOutput:
		return nil, fail(fmt.Errorf("it printed more than %d MiB", MaxOutput>>20))
	}
	return out, nil
}

// environment is what a program finds in its environment. Values of an outer
// run do not shine through.
func environment(environ []string, v *mechanism.Values) []string {
	var out []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if !valueName(name) {
			out = append(out, e)
		}
	}
	if v != nil {
		for _, n := range mechanism.Names {
			out = append(out, "FDBENCH_"+strings.ToUpper(n)+"="+strings.ReplaceAll(v.Get(n), "\x00", ""))
		}
	}
	return out
}

func valueName(name string) bool {
	for _, n := range mechanism.Names {
		if name == "FDBENCH_"+strings.ToUpper(n) {
			return true
		}
	}
	return false
}

// wait waits for a program, and stops its whole group when ctx ends.
func wait(ctx context.Context, c *exec.Cmd) error {
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopGroup(c.Process, false)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-ended:
		stopGroup(c.Process, true) // what it started may not have ended with it
		return err
	case <-timer.C:
	}
	stopGroup(c.Process, true)
	return <-ended
}
