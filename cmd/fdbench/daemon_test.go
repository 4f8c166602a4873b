package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// daemons are the programs that a script began, by name.
type daemons map[string]*daemon

type daemon struct {
	cmd  *exec.Cmd
	errs bytes.Buffer
	done chan error
}

// begin starts a program that runs until it is told to end, and waits for its
// first line on standard output: "begin NAME command...". Of every key=value
// in the line $NAME_key becomes the value.
func (d daemons) begin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || d[args[0]] != nil {
		ts.Fatalf("usage: begin NAME command...")
	}
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, args[1]); path == "" {
			if info, err := os.Stat(p); err == nil && info.Mode()&0o111 != 0 {
				path = p
			}
		}
	}
	p := &daemon{cmd: exec.Command(path, args[2:]...), done: make(chan error, 1)}
	p.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "WORK", "SERVE_KEY", "SERVE_TOKEN"} {
		p.cmd.Env = append(p.cmd.Env, name+"="+ts.Getenv(name))
	}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(p.cmd.Start())
	d[args[0]] = p
	line := make(chan string, 1)
	go func() {
		r := bufio.NewReader(out)
		text, _ := r.ReadString('\n')
		line <- text
		_, _ = r.WriteTo(&bytes.Buffer{})
		p.done <- p.cmd.Wait()
	}()
	ts.Defer(func() {
		if d[args[0]] != nil {
			_ = p.cmd.Process.Kill()
			<-p.done
		}
	})
	select {
	case text := <-line:
		if text == "" {
			<-p.done
			delete(d, args[0])
			ts.Fatalf("%s ended before it was ready:\n%s", args[1], p.errs.String())
		}
		ts.Logf("[ready] %s", text)
		for _, field := range strings.Fields(text) {
			if key, value, ok := strings.Cut(field, "="); ok {
				ts.Setenv(args[0]+"_"+key, value)
			}
		}
	case <-time.After(20 * time.Second):
		ts.Fatalf("%s was not ready after 20 s", args[1])
	}
}

// end sends SIGTERM to a program that begin started and demands that it ends
// well. What it wrote on standard error goes into the file NAME.stderr.
func (d daemons) end(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || d[args[0]] == nil {
		ts.Fatalf("usage: end NAME")
	}
	p := d[args[0]]
	ts.Check(p.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-p.done:
		delete(d, args[0])
		if err != nil {
			ts.Fatalf("%s: %v\n%s", args[0], err, p.errs.String())
		}
	case <-time.After(10 * time.Second):
		ts.Fatalf("%s did not end within 10 s of SIGTERM", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".stderr"), p.errs.Bytes(), 0o644))
}

// begin and end find the programs of their own script.
func begin(ts *testscript.TestScript, neg bool, args []string) { daemonsOf(ts).begin(ts, neg, args) }
func end(ts *testscript.TestScript, neg bool, args []string)   { daemonsOf(ts).end(ts, neg, args) }

func daemonsOf(ts *testscript.TestScript) daemons { return ts.Value(daemonsKey{}).(daemons) }

type daemonsKey struct{}
