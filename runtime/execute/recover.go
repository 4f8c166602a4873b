package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/lease"
)

// BusyError says that a run is at work in a folder, so that nothing there is
// left over.
type BusyError struct {
	Dir string
	Err error
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s: a run is at work there, and removes its faults itself (%v); interrupt it first", e.Dir, e.Err)
}

// Unwrap returns what shows it.
func (e *BusyError) Unwrap() error { return e.Err }

// Recovered says what was found in the folder of a run.
type Recovered struct {
	Announced *journal.ApplyRecord // a fault that the journal announces last and does not show as removed
	Closed    bool                 // the run came to its end
	InPath    bool                 // the apparatus was a proxy in the run's own process
	Removed   string               // class of a fault that was on record as applied, and was removed now; "" for none
	Log       string               // file with what the watchdog had to tell; "" for nothing
}

// Recover removes a fault that a run that was killed left applied, and waits
// until the deployment is back in its baseline configuration; ctx bounds the
// time. The journal is only read.
//
// Errors: *BusyError, those of the journal and of its plan, and that the
// fault cannot be removed.
func Recover(ctx context.Context, dir string) (*Recovered, error) {
	r := &Recovered{}
	path := filepath.Join(dir, JournalFile)
	if busy, err := journal.Busy(path); err != nil {
		return nil, err
	} else if busy {
		return nil, &BusyError{dir, errors.New("it writes the journal")}
	}
	if b, err := os.ReadFile(filepath.Join(dir, PlanFile)); err == nil {
		if p, err := plan.Decode(b); err == nil {
			r.InPath = p.Declaration.Apparatus.Kind == "proxy"
		}
	}
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		err = journal.Read(f, r.entry)
		f.Close()
		if err != nil && !errors.Is(err, journal.ErrTorn) && !errors.Is(err, journal.ErrEmpty) {
			return nil, err
		}
	}
	found, err := lease.Recover(ctx, dir)
	if errors.Is(err, lease.ErrBusy) {
		return nil, &BusyError{dir, err}
	}
	if err != nil {
		return nil, err
	}
	if found.Found {
		r.Removed = found.Class
	}
	log := filepath.Join(dir, lease.LogName)
	if info, err := os.Stat(log); err == nil && info.Size() > 0 {
		r.Log = log
	}
	return r, nil
}

func (r *Recovered) entry(e journal.Entry) error {
	switch e.Kind {
	case journal.KindApply:
		r.Announced = new(journal.ApplyRecord)
		return json.Unmarshal(e.Data, r.Announced)
	case journal.KindTrial, journal.KindCommit, journal.KindResume:
		r.Announced = nil
	case journal.KindClose:
		r.Closed = true
	}
	return nil
}
