package lease

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

// LogName is the name of the file that a watchdog's standard error goes to, in
// the folder of a run. It is not there where a watchdog had nothing to tell.
const LogName = "watchdog.log"

// Bounds of a log. A watchdog tries for a day.
const (
	longestLog = 64 << 10         // bytes of one watchdog, and beyond which a new run begins anew
	sameAgain  = 10 * time.Minute // after which the same message is told again
)

// RehearsalPrefix begins the name of a folder that holds nothing but the Record
// of a rehearsal. It goes when the fault is gone.
const RehearsalPrefix = "fdbench-rehearsal-"

// openLog opens the log of a folder to write at its end.
func openLog(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, LogName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the watchdog has nowhere to tell what goes wrong: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > longestLog {
		f.Truncate(0)
	}
	return f, nil
}

// dropEmpty deletes the log of a folder where nothing stands in it.
func dropEmpty(dir string) {
	path := filepath.Join(dir, LogName)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		os.Remove(path)
	}
}

// dropEmptyOf deletes the empty log beside a Record's place, where nobody is at
// work there.
func dropEmptyOf(record string) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if lock, err := acquire(ended, record); err == nil { // tried once
		dropEmpty(filepath.Dir(record))
		lock.Close()
	}
}

// sweep deletes what is left of a folder whose fault is gone: of a run's an
// empty log, and of a rehearsal's all.
func sweep(dir string) {
	dropEmpty(dir)
	sweepRehearsal(filepath.Join(dir, RecordName))
}

// sweepRehearsal deletes the folder of a Record that is gone, where it is one
// of a rehearsal and nobody else has put anything there.
func sweepRehearsal(record string) {
	if dir := filepath.Dir(record); strings.HasPrefix(filepath.Base(dir), RehearsalPrefix) {
		os.Remove(filepath.Join(dir, LogName))
		os.Remove(dir) // an empty one only
	}
}

// notes are what a watchdog tells, in lines with the time of day.
type notes struct {
	w    io.Writer
	left int
	last string
	at   time.Time
	now  func() time.Time
}

func newNotes(w io.Writer) *notes { return &notes{w: w, left: longestLog, now: time.Now} }

// tell writes a line, unless the same has been written just now or there is no
// room.
func (n *notes) tell(format string, args ...any) {
	now := n.now()
	text := mechanism.Excerpt(fmt.Sprintf(format, args...), 1000)
	if n.w == nil || n.left < 0 || text == n.last && now.Sub(n.at) < sameAgain {
		return
	}
	n.last, n.at = text, now
	line := now.UTC().Format(time.RFC3339) + " " + text + "\n"
	if n.left -= len(line); n.left < 0 {
		line = "Further messages are left out.\n"
	}
	io.WriteString(n.w, line)
}
