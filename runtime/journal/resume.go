package journal

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
)

// ResumeInfo says what [Resume] found and cut.
type ResumeInfo struct {
	Open        Open
	Torn        bool // an incomplete last line was cut
	CutEntries  int  // whole entries cut because their segment had no commit
	LastSegment int  // id of the last committed segment; -1 where there is none
	Closed      bool // the run came to its end: nothing is cut, nothing can be added

	Applied *ApplyRecord // announced in what was cut, and not on record as removed; nil for none
	Ended   *Ended       // announced in what was cut, and on record as removed; nil for none
	Segment *Segment     // that was cut, and is repeated; nil for none
}

// Ended is a fault whose trial came to its end, and whose segment did not.
type Ended struct {
	Apply ApplyRecord
	Under int64 // for how long it acted at most, in nanoseconds
}

// Resume opens a journal to go on with it. It checks the whole chain, hands fn
// every entry up to the last commit (up to the opening entry where there is
// none; all of them where the journal is closed). What follows is cut when the
// first new entry is written: entries of a segment that was not finished, and
// an incomplete last line. Until then it stays, so that a run that cannot go on
// yet keeps what the next one has to know of a fault that was applied. Nothing
// else is ever cut, and nothing at all is where it returns an error.
//
// Errors: *[ChainError], *[PlanError], [ErrEmpty], what fn returns, and those
// of the file. A journal that another process writes is refused.
func Resume(path string, planDigest string, fn func(Entry) error) (*Writer, *ResumeInfo, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	w, info, err := resume(f, path, planDigest, fn)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return w, info, nil
}

// Busy tells whether another process writes a journal. A file that is not there
// is written by none.
func Busy(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	return lock(f) != nil, nil
}

func resume(f *os.File, path, planDigest string, fn func(Entry) error) (*Writer, *ResumeInfo, error) {
	if err := lock(f); err != nil {
		return nil, nil, err
	}
	info := &ResumeInfo{LastSegment: -1}
	var (
		all  chain
		keep chain // state behind the last entry that stays
		end  int64 // offset there
		open *ApplyRecord
		over *Ended
		part *Segment
	)
	_, err := scan(f, &all, func(e Entry, after int64) error {
		switch e.Kind {
		case KindOpen:
			if all.open.PlanDigest != planDigest {
				return &PlanError{Want: planDigest, Got: all.open.PlanDigest}
			}
		case KindCommit:
			var c Commit
			if err := json.Unmarshal(e.Data, &c); err != nil {
				return &ChainError{e.Line, "its data is not that of a commit: " + err.Error()}
			}
			info.LastSegment = c.ID
		case KindClose:
			info.Closed = true
		case KindSegment:
			part = new(Segment)
			if err := json.Unmarshal(e.Data, part); err != nil {
				return &ChainError{e.Line, "its data is not that of a segment: " + err.Error()}
			}
			return nil
		case KindApply:
			open = new(ApplyRecord)
			if err := json.Unmarshal(e.Data, open); err != nil {
				return &ChainError{e.Line, "its data is not that of an announced fault: " + err.Error()}
			}
			return nil
		case KindTrial:
			var t struct {
				Requested int64 `json:"apply_requested_ns"`
				Removed   int64 `json:"removal_confirmed_ns"`
			}
			if err := json.Unmarshal(e.Data, &t); err != nil {
				return &ChainError{e.Line, "its data is not that of a trial: " + err.Error()}
			}
			if open != nil {
				over = &Ended{*open, t.Removed - t.Requested}
			}
			open = nil
			return nil
		case KindResume:
			// It stands behind a commit and stays, however often the run is
			// cut short afterwards.
		default:
			return nil
		}
		keep, end, open, over, part = all, after, nil, nil, nil
		return nil
	})
	if errors.Is(err, ErrTorn) {
		info.Torn, err = true, nil
	}
	if err != nil {
		return nil, nil, err
	}
	info.Open = all.open
	info.CutEntries = int(all.n - keep.n)
	info.Applied, info.Ended, info.Segment = open, over, part

	// The second pass gives fn only what stays, and needs no more memory than
	// the first.
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	if _, err := scan(io.LimitReader(f, end), &chain{}, func(e Entry, _ int64) error { return fn(e) }); err != nil {
		return nil, nil, err
	}

	if _, err := f.Seek(end, io.SeekStart); err != nil {
		return nil, nil, err
	}
	w := newWriter(f, path, keep)
	if info.Torn || info.CutEntries > 0 {
		// Truncation leaves either the old or the new length behind after a
		// crash, and both can be resumed.
		w.cut = func() error {
			if err := f.Truncate(end); err != nil {
				return err
			}
			return f.Sync()
		}
	}
	return w, info, nil
}
