package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// finish appends what is missing after the last commit, as a run would that
// does the same work again, and closes.
func finish(t *testing.T, w *Writer, info *ResumeInfo) {
	t.Helper()
	if !info.Closed {
		for id := info.LastSegment + 1; id < 3; id++ {
			must(t, w.Append(KindSegment, Segment{ID: id, Phase: "trials", Name: "a & b"}))
			must(t, w.Append(KindQuiet, QuietRecord{Load: id, To: int64(id) * 1e9, Reached: true}))
			must(t, w.Append(KindCommit, Commit{ID: id, At: 5}))
		}
		must(t, w.Append(KindClose, Close{Status: "complete"}))
	}
	must(t, w.Close())
}

func TestTruncatedAnywhereResumesToTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "j")
	writeSample(t, path, true)
	w, info, err := Resume(path, testDigest, ignore)
	must(t, err)
	if info.CutEntries != 2 || info.Torn || info.LastSegment != 1 {
		t.Errorf("an unfinished segment of 2 entries: %+v", info)
	}
	finish(t, w, info)
	whole, err := os.ReadFile(path)
	must(t, err)

	firstLine := bytes.IndexByte(whole, '\n') + 1
	for cut := 0; cut <= len(whole); cut++ {
		must(t, os.WriteFile(path, whole[:cut], 0o666))
		var seen []string
		w, info, err := Resume(path, testDigest, func(e Entry) error {
			seen = append(seen, e.Kind)
			return nil
		})
		if cut < firstLine {
			if err != ErrEmpty {
				t.Fatalf("cut at %d: got %v, want ErrEmpty", cut, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if last := seen[len(seen)-1]; last != KindOpen && last != KindCommit && last != KindClose {
			t.Fatalf("cut at %d: the last entry handed over is of kind %s", cut, last)
		}
		if atEnd := cut == len(whole); info.Closed != atEnd {
			t.Fatalf("cut at %d: closed is %v", cut, info.Closed)
		}
		if torn := whole[cut-1] != '\n'; info.Torn != torn {
			t.Fatalf("cut at %d: torn is %v", cut, info.Torn)
		}
		finish(t, w, info)
		if got, _ := os.ReadFile(path); !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: the finished journal differs from the uninterrupted one", cut)
		}
	}
}

func TestResumeChangesNothingWhereItRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	good := sample(t, true)
	changed := bytes.Clone(good)
	changed[len(changed)/2] ^= 1
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		b      []byte
		digest string
		fn     func(Entry) error
		check  func(error) bool
	}{
		"changed":    {changed, testDigest, ignore, func(err error) bool { var ce *ChainError; return errors.As(err, &ce) }},
		"other plan": {good, "sha256:other", ignore, func(err error) bool { var pe *PlanError; return errors.As(err, &pe) }},
		"fn":         {good, testDigest, func(Entry) error { return stop }, func(err error) bool { return err == stop }},
		"empty":      {nil, testDigest, ignore, func(err error) bool { return err == ErrEmpty }},
	} {
		must(t, os.WriteFile(path, c.b, 0o666))
		_, _, err := Resume(path, c.digest, c.fn)
		if !c.check(err) {
			t.Errorf("%s: got %v", name, err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, c.b) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestClosedJournalTakesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	must(t, os.WriteFile(path, closedSample(t), 0o666))
	n := 0
	w, info, err := Resume(path, testDigest, func(Entry) error { n++; return nil })
	must(t, err)
	if !info.Closed || n != 8 {
		t.Errorf("%+v after %d entries", info, n)
	}
	if err := w.Append(KindCommit, Commit{}); err == nil {
		t.Error("a closed journal took an entry")
	}
	w.Close()
	if got, _ := os.ReadFile(path); !bytes.Equal(got, closedSample(t)) {
		t.Error("the file was changed")
	}
}

func TestTwoWriters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no advisory locks of whole files here")
	}
	path := filepath.Join(t.TempDir(), "j")
	w, err := Create(path, Open{PlanDigest: testDigest})
	must(t, err)
	if _, _, err := Resume(path, testDigest, ignore); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second writer: %v", err)
	}
	must(t, w.Close())
	w, _, err = Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Close())
}

// full is a disk with room for only so many bytes.
type full struct {
	*os.File
	room int
}

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if _, err := f.File.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	writeSample(t, path, true)
	w, info, err := Resume(path, testDigest, ignore)
	must(t, err)
	finish(t, w, info)
	whole, err := os.ReadFile(path)
	must(t, err)

	for room := 1; room < 900; room += 7 {
		must(t, os.Remove(path))
		w, err := Create(path, Open{PlanDigest: testDigest, Series: "s", Generation: 1, Time: "virtual", Engine: "test/1"})
		must(t, err)
		w.file = &full{w.file.(*os.File), room}
		var failed error
		for id := 0; id < 3 && failed == nil; id++ {
			must(t, w.Append(KindSegment, Segment{ID: id, Phase: "trials", Name: "a & b"}))
			must(t, w.Append(KindQuiet, QuietRecord{Load: id, To: int64(id) * 1e9, Reached: true}))
			must(t, w.Append(KindCommit, Commit{ID: id, At: 5}))
			failed = w.Sync()
		}
		if !errors.Is(failed, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: Sync returned %v", room, failed)
		}
		if err := w.Append(KindCommit, Commit{}); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("after a full disk an entry was taken: %v", err)
		}
		if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("after a full disk Close returned %v", err)
		}
		w, info, err := Resume(path, testDigest, ignore)
		must(t, err)
		finish(t, w, info)
		if got, _ := os.ReadFile(path); !bytes.Equal(got, whole) {
			t.Fatalf("room for %d bytes: the resumed journal differs", room)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		kind string
		data any
	}{
		"no object":      {KindCommit, []int{1}},
		"not encodable":  {KindCommit, map[string]any{"a": func() {}}},
		"second opening": {KindOpen, Open{}},
		"bad kind":       {"Commit!", Commit{}},
	} {
		w, err := Create(filepath.Join(t.TempDir(), "j"), Open{PlanDigest: testDigest})
		must(t, err)
		if err := w.Append(c.kind, c.data); err == nil {
			t.Errorf("%s was taken", name)
		}
		w.Close()
	}
}

func TestHead(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "j"), Open{PlanDigest: testDigest})
	must(t, err)
	n, h := w.Head()
	must(t, w.Append(KindCommit, Commit{}))
	n2, h2 := w.Head()
	if n != 0 || n2 != 1 || h == h2 || len(h2) != hexLen {
		t.Errorf("head %d %s, then %d %s", n, h, n2, h2)
	}
	must(t, w.Close())
}

func benchTrial() TrialRecord {
	return TrialRecord{Trial: "load 2, refusals, 17", Purpose: PurposeTrials, Class: "refusal", Profile: "step",
		Requested: 1e12, Onset: 1e12, Removed: 2e12, Kept: true, Detected: true, Latency: 92e9,
		Verification: Verification{N: 3000, Before: 60, Injected: 360, Observed: 350, Method: "paired"}}
}

func BenchmarkAppend(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "j"), Open{PlanDigest: testDigest})
	must(b, err)
	rec := benchTrial()
	for b.Loop() {
		must(b, w.Append(KindTrial, &rec))
	}
	must(b, w.Close())
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "j")
	w, err := Create(path, Open{PlanDigest: testDigest})
	must(b, err)
	rec := benchTrial()
	const entries = 20_000
	for range entries {
		must(b, w.Append(KindTrial, &rec))
	}
	must(b, w.Close())
	data, err := os.ReadFile(path)
	must(b, err)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		must(b, Read(bytes.NewReader(data), ignore))
	}
	b.ReportMetric(entries*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

// TestResumeKeepsWhatItFoundUntilItGoesOn: a run that cannot go on yet leaves
// the fault that an earlier one applied on record for the next.
func TestResumeKeepsWhatItFoundUntilItGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	writeSample(t, path, true)
	w, info, err := Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Append(KindSegment, Segment{ID: info.LastSegment + 1, Phase: "trials", Load: 1, Name: "load 1, trials"}))
	must(t, w.Append(KindApply, ApplyRecord{Trial: "x", Class: "refusal", At: 5, Wall: 7}))
	must(t, w.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	for range 2 {
		w, info, err = Resume(path, testDigest, ignore)
		must(t, err)
		if info.CutEntries != 2 || info.Applied == nil || info.Applied.Wall != 7 || info.Segment == nil || info.Segment.Load != 1 || info.Segment.Name != "load 1, trials" {
			t.Fatalf("%+v", info)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
			t.Fatal("a run that wrote nothing changed the journal")
		}
	}
	w, _, err = Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Append(KindResume, Resumed{Entries: 2, Trial: "x"}))
	must(t, w.Close())
	w, info, err = Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Close())
	if info.CutEntries != 0 || info.Applied != nil || info.Segment != nil {
		t.Errorf("%+v", info)
	}
}

// TestResumeKnowsWhatEnded: a trial whose segment has no commit is repeated, and
// its fault acted all the same (FD-5.4-4).
func TestResumeKnowsWhatEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	writeSample(t, path, true)
	w, info, err := Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Append(KindSegment, Segment{ID: info.LastSegment + 1, Phase: "trials", Load: 1, Name: "load 1, trials"}))
	must(t, w.Append(KindApply, ApplyRecord{Trial: "x", Class: "refusal", At: 5, Wall: 7}))
	must(t, w.Append(KindTrial, TrialRecord{Trial: "x", Requested: 5, Onset: 6, RemovalAsked: 60, Removed: 75}))
	must(t, w.Close())
	w, info, err = Resume(path, testDigest, ignore)
	must(t, err)
	if x := info.Ended; info.Applied != nil || x == nil || x.Apply.Trial != "x" || x.Apply.Wall != 7 || x.Under != 70 || info.CutEntries != 3 {
		t.Errorf("%+v", info)
	}
	must(t, w.Append(KindResume, Resumed{Entries: 3, Trial: "x"}))
	must(t, w.Close())
	w, info, err = Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Close())
	if info.Ended != nil {
		t.Errorf("%+v", info)
	}
}

func TestUnderFault(t *testing.T) {
	for _, x := range []struct {
		r    Resumed
		want int64
	}{
		{Resumed{Applied: 1, Removed: 9}, 0},
		{Resumed{Trial: "x", Applied: 1, Removed: 9}, 8},
		{Resumed{Trial: "x", Applied: 9, Removed: 9}, 0},
		{Resumed{Trial: "x", Applied: 9, Removed: 8}, 100},
		{Resumed{Trial: "x", Removed: 9}, 100},
		{Resumed{Trial: "x"}, 100},
	} {
		if got := x.r.UnderFault(100); got != x.want {
			t.Errorf("%+v: %d, want %d", x.r, got, x.want)
		}
	}
}
