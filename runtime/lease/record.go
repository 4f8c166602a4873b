package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/command"
	httpapparatus "github.com/fdbench/fdbench/runtime/apparatus/http"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

// RecordName is the usual name of a Record's file, in the folder of a run.
const RecordName = "fault.json"

// RecordFormat names the encoding of a Record.
const RecordFormat = "fdbench.fault/1"

// Record is a fault that is applied, or may be. It holds what it takes to
// remove it, and no secret: keys are named, and read again by whoever removes.
type Record struct {
	Format    string           `json:"format"`
	ID        string           `json:"id"` // of the application, never used twice
	PID       int              `json:"pid"`
	Written   string           `json:"written"`   // RFC 3339, for people
	Applied   bool             `json:"applied"`   // the apply call returned, and no other is to come
	Baseline  string           `json:"baseline"`  // digest of the configuration before
	Lease     exact.Duration   `json:"lease_s"`   // how long the fault outlives the last renewal
	Confirm   exact.Duration   `json:"confirm_s"` // longest wait for the configuration to be back
	Apparatus plan.Apparatus   `json:"apparatus"`
	Values    mechanism.Values `json:"values"`
	Dir       string           `json:"dir"`   // working folder of programs
	Allow     []string         `json:"allow"` // hosts outside the confined ranges, let through
	KeyFile   string           `json:"key_file"`
}

// read reads the Record at path; fs.ErrNotExist says that no fault is applied.
func read(path string) (*Record, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Record)
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s is no record of a fault: %v; see by hand that the deployment is as it should be, then delete the file", path, err)
	}
	if r.Format != RecordFormat || r.ID == "" || r.Baseline == "" {
		return nil, fmt.Errorf("%s is no record of a fault in the format %s; use the fdbench that wrote it", path, RecordFormat)
	}
	return r, nil
}

func (r *Record) write(path string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(b, '\n'))
}

// holds tells whether the file holds the application with the id. A file that
// cannot be read may.
func holds(path, id string) bool {
	r, err := read(path)
	return err == nil && r.ID == id || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// forget removes the file of an application.
func forget(path, id string) error {
	if !holds(path, id) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// open makes the mechanism of the Record.
func (r *Record) open(ctx context.Context, started func(group int)) (mechanism.Mechanism, error) {
	a := r.Apparatus
	switch {
	case a.Kind == "http" && a.HTTP != nil:
		return httpapparatus.New(ctx, *a.HTTP, httpapparatus.Options{Name: a.Name, KeyFile: r.KeyFile, Allow: r.Allow})
	case a.Kind == "command" && a.Command != nil:
		return command.New(*a.Command, command.Options{Dir: r.Dir, Started: started})
	}
	return nil, fmt.Errorf("an apparatus of the kind %q does not act by calls or programs", a.Kind)
}

// ErrBusy says that the folder belongs to a process that lives: a run, or a
// watchdog that is removing a fault.
var ErrBusy = errors.New("another process is at work on the faults of this folder")

// acquire takes the lock of the folder that a Record is in, waiting until ctx
// ends. The system lets go of it when the process ends, however it ends.
func acquire(ctx context.Context, path string) (*os.File, error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for {
		err := lockFolder(dir)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, ErrBusy) {
			dir.Close()
			return nil, fmt.Errorf("%s: %w", dir.Name(), err)
		}
		if pause(ctx, 20*time.Millisecond) != nil {
			dir.Close()
			return nil, fmt.Errorf("%s: %w", dir.Name(), ErrBusy)
		}
	}
}

// pause waits, or returns the error of ctx when that ends earlier.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
