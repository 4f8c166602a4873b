package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
)

type eventsCmd struct {
	Engine   string   `required:"" help:"Whose log it is: vllm, sglang, trtllm, lmcache, or audit for the audit of a KV connector." placeholder:"ENGINE"`
	Requests bool     `help:"List each request of which the log has evidence, and not the sums."`
	JSON     bool     `name:"json" help:"Print a JSON object; with --requests, one in each line."`
	Files    []string `arg:"" name:"file" help:"The parts of one log, in their order, such as those of a rotation. A part may be compressed with gzip, and its bytes count unpacked; \"-\" reads standard input."`
}

func (*eventsCmd) Help() string {
	return `Counts what an engine says in its log of the KV cache that it reused, in two readings. The one that counts joins by request: a hit and a materialisation prove reuse where both are of one request. The other one asks whether both are anywhere in the log, as the metric contract has it, and proves less. What the log proves, and what it does not, follows in words.

A log is read as a stream, in memory that grows by some 50 bytes a request. --requests reads it twice, and keeps what comes from standard input in a temporary file meanwhile.

Examples:

    fdbench events --engine vllm vllm.log
    fdbench events --engine vllm vllm.log.2.gz vllm.log.1 vllm.log --json
    kubectl logs sglang-0 | fdbench events --engine sglang -
    fdbench events --engine trtllm audit.jsonl --requests`
}

func (c *eventsCmd) Run(a *app) error {
	engine, ok := evidence.Canonical(c.Engine)
	if !ok {
		near := ""
		if n := suggest.Nearest(strings.ToLower(c.Engine), evidence.Engines()); n != "" {
			near = fmt.Sprintf(" (did you mean %s?)", n)
		}
		return usage("logs of %q are not read%s; those of %s are", c.Engine, near, strings.Join(evidence.Engines(), ", "))
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	p, err := openParts(ctx, c.Files, a.In, c.Requests)
	if err != nil {
		return err
	}
	defer p.close()
	line := terminal.NewLine(a.Err, time.Now)
	progress := func(int64) {}
	if a.Err.Terminal {
		progress = func(n int64) { line.Set("reading", fmt.Sprintf("%d MB", n/1e6)) }
		defer line.Clear()
	}
	l, err := evidence.New(engine, evidence.Options{Log: strings.Join(c.Files, " "), Progress: progress})
	if err != nil {
		return err
	}
	if err := p.each(l.Read); err != nil {
		return stopped(ctx, err)
	}
	line.Clear()
	if c.Requests {
		return stopped(ctx, c.list(a, l, p))
	}
	report := view.NewEvents(l.Evidence(), c.Files)
	if !c.JSON {
		return report.Text(a.Out)
	}
	return plainjson.Write(a.Out, report)
}

// list reads the log again and prints its requests as they come.
func (c *eventsCmd) list(a *app, l *evidence.Log, p *parts) error {
	w := bufio.NewWriter(a.Out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	rows := view.NewRequests(w, l.Evidence().Engine)
	one := func(s evidence.Seen) error {
		if c.JSON {
			return e.Encode(s)
		}
		return rows.Row(s)
	}
	n := 0
	r, err := p.joined()
	if err == nil {
		err = l.Requests(r, func(s evidence.Seen) error { n++; return one(s) })
	}
	if err := errors.Join(err, w.Flush()); err != nil {
		return err
	}
	if n == 0 {
		fmt.Fprintln(a.Err, "Note: the log has no evidence of any request.")
	}
	return nil
}

// stopped tells an error of its own from the end by a signal.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	return err
}

// parts are the files of one log.
type parts struct {
	ctx   context.Context
	names []string
	in    io.Reader
	spool *os.File // what standard input says, where it is wanted twice
	// replay says that in is the spool.
	replay bool
}

// openParts looks whether all parts can be read. twice says that they will be
// read a second time.
func openParts(ctx context.Context, names []string, in io.Reader, twice bool) (*parts, error) {
	p := &parts{ctx: ctx, names: names, in: in}
	stdin := false
	for _, name := range names {
		if name == "-" {
			if stdin {
				return nil, usage("standard input can be read once: name - once")
			}
			stdin = true
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder. Name the files of a log in it", name)
		}
		if twice && !info.Mode().IsRegular() {
			return nil, usage("--requests reads a log twice, and %s can be read once: give it as standard input, with -", name)
		}
	}
	if stdin && twice {
		f, err := os.CreateTemp("", "fdbench-events-")
		if err != nil {
			return nil, err
		}
		p.spool = f
	}
	return p, nil
}

// each gives every part to read, one after the other.
func (p *parts) each(read func(io.Reader) error) error {
	for _, name := range p.names {
		r, err := p.part(name)
		if err == nil {
			err = read(r)
			r.Close()
		}
		if err != nil {
			return partError(name, err)
		}
	}
	return nil
}

// joined reads all parts as one, each from its beginning, with the end of a
// line between them.
func (p *parts) joined() (io.Reader, error) {
	if p.spool != nil {
		if _, err := p.spool.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		p.in, p.replay = p.spool, true
	}
	return &chain{p: p, names: p.names}, nil
}

// chain has one part open at a time: a log may have more of them than a process
// may have files.
type chain struct {
	p     *parts
	names []string // that are not read to their end
	now   io.ReadCloser
	ended bool // a part, whose last line still wants its end
}

func (c *chain) Read(b []byte) (int, error) {
	for len(b) > 0 {
		if c.ended {
			b[0], c.ended = '\n', false
			return 1, nil
		}
		if len(c.names) == 0 {
			return 0, io.EOF
		}
		if c.now == nil {
			r, err := c.p.part(c.names[0])
			if err != nil {
				return 0, partError(c.names[0], err)
			}
			c.now = r
		}
		n, err := c.now.Read(b)
		switch {
		case err == io.EOF:
			c.now.Close()
			c.now, c.names, c.ended = nil, c.names[1:], true
		case err != nil:
			return n, partError(c.names[0], err)
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// part opens a part, and unpacks it where it is compressed.
func (p *parts) part(name string) (io.ReadCloser, error) {
	var r io.Reader
	var c io.Closer = io.NopCloser(nil)
	switch {
	case name != "-":
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		r, c = stoppable{p.ctx, f}, f
	case p.replay:
		r = stoppable{p.ctx, p.in}
	default:
		r = &awaited{ctx: p.ctx, r: p.in}
		if p.spool != nil {
			r = io.TeeReader(r, p.spool)
		}
	}
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return readCloser{b, c}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		c.Close()
		return nil, err
	}
	return readCloser{z, c}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

func partError(name string, err error) error {
	if name == "-" {
		name = "standard input"
	}
	if f := (*evidence.FormatError)(nil); errors.As(err, &f) {
		f.Log = name
		return f
	}
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the compressed file is damaged or cut off (%w). Get it again, or unpack what is left of it", name, err)
	}
	return err
}

func (p *parts) close() {
	if p.spool != nil {
		p.spool.Close()
		os.Remove(p.spool.Name())
	}
}

// awaited ends a reading that waits for more when its context does: a terminal
// or a pipe may say nothing for as long as it likes. What it still reads then is
// left to the end of the process.
type awaited struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	rest []byte
	err  error
}

func (a *awaited) Read(b []byte) (int, error) {
	if len(a.rest) == 0 && a.err == nil {
		if a.buf == nil {
			a.buf = make([]byte, 64<<10)
		}
		read := make(chan int, 1)
		var err error
		go func() {
			var n int
			n, err = a.r.Read(a.buf)
			read <- n
		}()
		select {
		case n := <-read:
			a.rest, a.err = a.buf[:n], err
		case <-a.ctx.Done():
			a.err = a.ctx.Err()
		}
	}
	if len(a.rest) > 0 {
		n := copy(b, a.rest)
		a.rest = a.rest[n:]
		return n, nil
	}
	return 0, a.err
}

// stoppable ends a reading when its context does.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(b)
}
