package execute

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/atomicfile"
)

// Names of the files in a run's folder.
const (
	PlanFile    = "plan.json"
	JournalFile = "journal.jsonl"
	ResultFile  = "result.json"
	ReportFile  = "report.md"
)

// OtherPlanError says that a folder holds the run of another plan: a declaration
// does not change once a trial has run (FD-4.1-5), and a result is of one
// detector in one environment (FD-1.2-1).
type OtherPlanError struct {
	Dir        string
	Have, Want string // plan digests
	Series     string
	Unreadable error  // the plan in the folder cannot be read
	NotARun    string // a file that no run wrote
}

func (e *OtherPlanError) Error() string {
	switch {
	case e.NotARun != "":
		return fmt.Sprintf("%s holds %s and no run of fdbench; choose an empty folder", e.Dir, e.NotARun)
	case e.Unreadable != nil:
		return fmt.Sprintf("FD-4.1-5: %s holds a plan that cannot be trusted: %v; choose another folder", e.Dir, e.Unreadable)
	}
	return fmt.Sprintf("FD-4.1-5, FD-1.2-1: %s holds the run of another plan (series %q, %s), and this plan is %s; choose another folder, or go back to the scenario that the run was made from",
		e.Dir, e.Series, short(e.Have), short(e.Want))
}

func short(digest string) string {
	if len(digest) > 19 {
		return digest[:19] + "…"
	}
	return digest
}

// prepare makes the folder, or finds in it the same plan. It writes nothing
// where it refuses.
func prepare(dir string, p *plan.Plan) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	have, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if errors.Is(err, fs.ErrNotExist) {
		if other := foreign(entries); other != "" {
			return &OtherPlanError{Dir: dir, NotARun: other}
		}
		return WriteFile(filepath.Join(dir, PlanFile), plan.Encode(p))
	}
	if err != nil {
		return err
	}
	old, err := plan.Decode(have)
	if err != nil {
		return &OtherPlanError{Dir: dir, Want: p.Digest, Unreadable: err}
	}
	if old.Digest != p.Digest {
		return &OtherPlanError{Dir: dir, Have: old.Digest, Want: p.Digest, Series: old.Series}
	}
	return nil
}

// tmpPrefix marks what a killed WriteFile leaves behind.
const tmpPrefix = atomicfile.Prefix

// foreign names a file that no run wrote.
func foreign(entries []fs.DirEntry) string {
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tmpPrefix) {
			return e.Name()
		}
	}
	return ""
}

// sweep removes what a killed run left half written. The journal's lock is
// held by then, so no other run is writing.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tmpPrefix+"*"))
	for _, path := range left {
		os.Remove(path)
	}
}

// WriteFile replaces a file as a whole: after a crash it holds the old bytes
// or the new.
func WriteFile(path string, data []byte) error {
	return atomicfile.Write(path, data)
}
