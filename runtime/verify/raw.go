package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/runtime/measure"
)

// rawStamps holds the files of raw stamps against what the journal's commits
// say of them. No figure rests on them, so that a run may keep none, and they
// may be taken away when they are too large to keep.
func rawStamps(dir string, t *measure.Traffic, o Options, notes *[]string) ([]Problem, error) {
	var problems []Problem
	missing, left := 0, int64(0)
	for _, f := range t.Raw {
		left += f.LeftOut
		sum, err := digest(dir, f.Name)
		switch {
		case errors.Is(err, errOutside):
			problems = append(problems, Problem{File: JournalFile, Path: f.Segment, Detail: fmt.Sprintf("it names %q for raw stamps, which is no file in the folder of the run", f.Name)})
		case errors.Is(err, fs.ErrNotExist) && o.Pruned:
			missing++
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, Problem{File: f.Name, Path: f.Segment, Detail: "it is missing. Where it was taken away on purpose, say so with --pruned"})
		case err != nil:
			return problems, err
		case sum != f.SHA256:
			problems = append(problems, Problem{File: f.Name, Path: f.Segment, Detail: "it was changed after it was written: its SHA-256 is not the one that the journal has"})
		}
	}
	note := func(n int64, format string, args ...any) {
		if n > 0 {
			*notes = append(*notes, fmt.Sprintf(format, args...))
		}
	}
	note(int64(missing), "%d of %d files of raw stamps were taken away; what they held cannot be looked at any more. No figure rests on them.", missing, len(t.Raw))
	note(int64(t.Rawless), "No raw stamps were kept of %d of %d segments, as the run was told. No figure rests on them.", t.Rawless, len(t.Raw)+t.Rawless)
	note(left, "The raw stamps of %d requests were left out, by the bound that the run was given.", left)
	return problems, nil
}

var errOutside = errors.New("outside of the folder")

// digest is the SHA-256 of a file in a folder, of which the name must not lead
// out of it.
func digest(dir, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", errOutside
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	f, err := root.Open(local)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return "", errOutside
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
