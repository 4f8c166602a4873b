package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/runtime/journal"
)

// lockExt is how the name of a lock ends.
const lockExt = ".fdb.lock"

// LockState is the lock that a series belongs to, and what it says of it.
type LockState struct {
	// Path is where the lock lies, and Named where it would be begun. They
	// differ where another lock of the folder knows the series already.
	Path, Named string
	// Generation is the current one of the series, 0 before its first trial.
	Generation int
	// Diffs is how the plan differs from it.
	Diffs []plan.Diff

	lock *plan.Lock
}

// FindLock reads the lock that a job's series belongs to, without writing
// anything. The same series is found by every spelling of its path, and after
// its folder was renamed: a lock of the folder that knows the series is the
// series' own whatever its name is. Where a scenario is one file of a folder,
// the locks of the other scenario files in it are not its own.
//
// It is an error that two locks know the series, and that a lock of the folder
// cannot be read.
func FindLock(j Job) (*LockState, error) {
	paths, err := locksFor(j)
	if err != nil {
		return nil, err
	}
	s := &LockState{Path: j.Lock, Named: j.Lock}
	for _, path := range paths {
		lock, err := readLock(path)
		if err != nil {
			return nil, err
		}
		switch knows := len(lock.Series[j.key()]) > 0; {
		case knows && s.Generation > 0:
			return nil, &RefusedError{fmt.Errorf("the locks %s and %s both know %s, which has one. "+
				"Keep the one that was begun first, as version control shows, and take the other out of the folder", s.Path, path, j.what())}
		case knows:
			s.Path, s.lock = path, lock
			s.Generation, s.Diffs = j.check(lock)
		case path == j.Lock && s.lock == nil:
			s.lock = lock
		}
	}
	return s, nil
}

// locksFor lists the locks that may know a job's series: the one by which it
// would be begun, which need not exist, and the others of the folder in byte
// order.
func locksFor(j Job) ([]string, error) {
	paths := []string{j.Lock}
	dir, own := filepath.Split(j.Lock)
	entries, err := os.ReadDir(filepath.Clean(dir + "."))
	if errors.Is(err, fs.ErrNotExist) {
		return paths, nil
	}
	if err != nil {
		return nil, err
	}
	scenarios := map[string]bool{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), lang.Ext); ok && j.Single {
			scenarios[name] = true
		}
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), lockExt)
		if ok && e.Name() != own && !strings.HasPrefix(name, ".") && !e.IsDir() && !scenarios[name] {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// HasLock tells whether any lock lies beside a scenario.
func HasLock(scenario string) bool {
	own, err := plan.LockPath(scenario)
	if err != nil {
		return false
	}
	found, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(own)), "*"+lockExt))
	return len(found) > 0
}

func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// pending is a lock that is written at the first trial.
type pending struct {
	job        Job
	path       string
	newSeries  bool
	generation int
	earlier    []journal.Generation
	written    bool
}

// begin finds the generation that a run belongs to. It writes nothing but
// makes sure that the lock can be written.
func begin(j Job, begun *journal.Open, o Options) (*pending, error) {
	s, err := FindLock(j)
	if err != nil {
		return nil, err
	}
	gen, err := j.begin(s.lock, o.NewSeries)
	if err != nil {
		return nil, err
	}
	if begun != nil && begun.Generation != gen {
		return nil, &RefusedError{fmt.Errorf("%s holds a run of generation %d of %s, and this would be generation %d; choose another folder",
			j.Dir, begun.Generation, j.what(), gen)}
	}
	if gen != s.Generation {
		if err := writable(s.Path); err != nil {
			return nil, err
		}
	}
	if o.NewSeries && gen == s.Generation && o.Unchanged != nil {
		o.Unchanged(gen)
	}
	return &pending{job: j, path: s.Path, newSeries: o.NewSeries, generation: gen, earlier: earlier(s.lock, j.key(), gen)}, nil
}

// writable finds out early what would otherwise show at the first trial, after
// all baselines.
func writable(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return lockError(path, err)
	}
	return nil
}

func lockError(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("the lock %s cannot be written: %w. Make its folder writable, or try the scenario out without a lock with --explore", path, err)
}

// earlier lists the generations of a series before one, each with what the one
// after it changed.
func earlier(l *plan.Lock, series string, gen int) []journal.Generation {
	var out []journal.Generation
	for g := 1; g < gen; g++ {
		e := journal.Generation{Generation: g, Changed: []journal.Change{}}
		for _, d := range l.Between(series, g+1) {
			e.Changed = append(e.Changed, journal.Change{Path: d.Path, Old: d.Old, New: d.New})
		}
		out = append(out, e)
	}
	return out
}

// write puts the generation into the lock, which is read again because other
// series of the scenario may have been run meanwhile.
func (l *pending) write() error {
	if l.written {
		return nil
	}
	s, err := FindLock(l.job)
	if err != nil {
		return err
	}
	gen, err := l.job.begin(s.lock, l.newSeries)
	if err != nil {
		return err
	}
	if gen != l.generation || s.Path != l.path {
		return &RefusedError{fmt.Errorf("generation %d of %s was begun by another run at the same time", l.generation, l.job.what())}
	}
	l.written = true
	if gen == s.Generation {
		return nil
	}
	if err := s.lock.Write(l.path); err != nil {
		return lockError(l.path, err)
	}
	return nil
}

func readLock(path string) (*plan.Lock, error) {
	lock, err := plan.ReadLock(path)
	if is := new(fs.PathError); err != nil && !errors.As(err, &is) {
		return nil, &RefusedError{err}
	}
	return lock, err
}
