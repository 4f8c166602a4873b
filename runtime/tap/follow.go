package tap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/fdbench/fdbench/runtime/openai"
)

// maxLine bounds a line of a log, in bytes. A longer one is a bad line.
const maxLine = 16 << 20

// lines cuts what is read of a log into lines. The zero value is ready.
type lines struct {
	part []byte // the line that is not complete
	long bool   // it was too long, and is skipped up to its end
	skip bool   // it began before the reading did
}

// feed takes the next bytes and calls yield for every line that they complete,
// without its end, and long for every one that is too long.
func (l *lines) feed(chunk []byte, yield func([]byte), long func()) {
	for len(chunk) > 0 {
		line, rest, ended := bytes.Cut(chunk, []byte{'\n'})
		if !l.long && !l.skip {
			if l.part = append(l.part, line...); len(l.part) > maxLine {
				l.part, l.long = nil, true
			}
		}
		if !ended {
			return
		}
		l.finish(yield, long)
		chunk = rest
	}
}

// finish ends the current line.
func (l *lines) finish(yield func([]byte), long func()) {
	switch {
	case l.long:
		long()
	case !l.skip:
		yield(l.part)
	}
	l.part, l.long, l.skip = l.part[:0], false, false
}

// end takes the last line, which may lack its end.
func (l *lines) end(yield func([]byte), long func()) {
	if l.long || len(l.part) > 0 {
		l.finish(yield, long)
	}
	*l = lines{}
}

// follower is what reads the log. It has begun: what is written from now on
// counts.
func (e *Exporter) follower() (*follower, error) {
	f := &follower{path: e.o.Log, poll: e.o.Poll, yield: e.line, long: e.longLine, cut: func() {
		e.badLine("the log was cut in the middle of a line")
	}}
	err := f.open(!e.o.FromStart)
	if errors.Is(err, fs.ErrNotExist) {
		e.warn("missing", "there is no "+e.o.Log+" yet; waiting for it")
		err = nil
	}
	return f, err
}

// drain reads a log that only has an end. A read that hangs is left behind.
func (e *Exporter) drain(ctx context.Context) error {
	type read struct {
		data []byte
		err  error
	}
	reads := make(chan read)
	go func() {
		for {
			buf := make([]byte, 64<<10)
			n, err := e.o.In.Read(buf)
			select {
			case reads <- read{buf[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	var l lines
	defer func() { l.end(e.line, e.longLine) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-reads:
			l.feed(r.data, e.line, e.longLine)
			if errors.Is(r.err, io.EOF) {
				l.end(e.line, e.longLine)
				e.warn("ended", "the log has ended; its counters stay until the tap is stopped")
				<-ctx.Done()
				return nil
			}
			if r.err != nil {
				return r.err
			}
		}
	}
}

// follower reads a file as it grows, and goes on with the one that takes its
// place. A file that is cut and filled again to beyond where reading stood,
// between two looks, cannot be told from one that grew.
type follower struct {
	path  string
	poll  time.Duration
	yield func([]byte) // gets each line
	long  func()       // hears of a line that is too long
	cut   func()       // hears of a file that was cut inside of a line

	lines  lines
	file   *os.File // nil where there is none
	offset int64
}

// settled is how many looks in a row find nothing more in a file that was
// replaced, before it is left: its writer may not know yet.
const settled = 2

// run reads until ctx ends.
func (f *follower) run(ctx context.Context) error {
	defer func() {
		if f.file != nil {
			f.read()
			f.file.Close()
			f.lines.end(f.yield, f.long)
		}
	}()
	tick := time.NewTicker(f.poll)
	defer tick.Stop()
	quiet := 0
	for {
		if f.file != nil {
			n, err := f.read()
			if err != nil {
				return err
			}
			if n > 0 {
				quiet = 0
			}
		}
		next, err := f.look()
		switch {
		case err != nil:
			return err
		case next && f.file != nil && quiet < settled:
			quiet++
		case next:
			quiet = 0
			if f.file != nil {
				f.lines.end(f.yield, f.long)
				f.file.Close()
				f.file = nil
			}
			if err := f.open(false); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		default:
			quiet = 0
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// open opens the file, at its end where the past does not count.
func (f *follower) open(atEnd bool) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return &fs.PathError{Op: "open", Path: f.path, Err: errors.New("it is a folder; name a file of responses")}
	}
	f.file, f.offset, f.lines = file, 0, lines{}
	if !atEnd {
		return nil
	}
	if f.offset, err = file.Seek(0, io.SeekEnd); err != nil {
		return err
	}
	var last [1]byte
	if f.offset > 0 {
		if _, err := file.ReadAt(last[:], f.offset-1); err == nil {
			f.lines.skip = last[0] != '\n'
		}
	}
	return nil
}

// read takes in what the file has.
func (f *follower) read() (n int64, err error) {
	buf := make([]byte, 64<<10)
	for {
		k, err := f.file.Read(buf)
		f.lines.feed(buf[:k], f.yield, f.long)
		n += int64(k)
		f.offset += int64(k)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// look tells whether another file has taken the place of the one that is open,
// and begins anew where this one was cut.
func (f *follower) look() (next bool, err error) {
	there, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // between two files
	}
	if err != nil {
		return false, err
	}
	if f.file == nil {
		return true, nil
	}
	mine, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	if !os.SameFile(mine, there) {
		return true, nil
	}
	if mine.Size() < f.offset {
		if f.lines.long || len(f.lines.part) > 0 {
			f.cut()
		}
		f.lines, f.offset = lines{}, 0
		_, err = f.file.Seek(0, io.SeekStart)
	}
	return false, err
}

// line takes one line of the log.
func (e *Exporter) line(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	row, err := parseLine(line)
	if err != nil {
		e.badLine(err.Error())
		return
	}
	r := &response{
		ordinal: e.ordinal.Add(1) - 1, operation: "chat", prompt: row.Prompt, text: row.Response, model: row.Model,
		id: row.ID, finish: row.FinishReason, outcome: openai.OK, firstToken: -1, end: e.o.now(),
	}
	if row.Failed {
		r.outcome = openai.StreamError
	}
	// A log waits, which a response on its way must not.
	e.queue.jobs <- &job{ready: r}
}

func (e *Exporter) longLine() { e.badLine("a line is longer than 16 MiB") }

func (e *Exporter) badLine(why string) {
	e.tally.badLine()
	e.warn("line", "a line of the log does not count: "+why)
}
