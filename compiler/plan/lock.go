package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/internal/plainjson"
)

// LockFormat names the encoding of a lock.
const LockFormat = "fdbench.lock/1"

const lockNote = "Written by fdbench when the first trial of a series begins. Keep it in version control and do not edit it."

// Lock keeps, for every series of a scenario, what was declared when its first
// trial began (FD-3.2-2, FD-4.1-5), and for every reuse block what was declared
// when its first row or request was. It is a laboratory notebook: generations
// are added and never taken out.
type Lock struct {
	Format   string `json:"format"`
	Note     string `json:"note"`
	Checksum string `json:"checksum"`
	// Series has the series by their names and the reuse blocks by ReuseKey,
	// which no series can be called.
	Series map[string][]Generation `json:"series"`
}

// ReuseKey is the key of a reuse block in a lock.
func ReuseKey(name string) string { return reusePrefix + name }

const reusePrefix = "reuse."

// Generation is one declaration under which trials of a series were run.
type Generation struct {
	Generation        int               `json:"generation"` // from 1
	PlanDigest        string            `json:"plan_digest"`
	DeclarationDigest string            `json:"declaration_digest"`
	Declaration       map[string]string `json:"declaration"` // path to value
}

// Diff is one declared value that differs. A value that does not exist on one
// side is "(none)".
type Diff struct{ Path, Old, New string }

// None is how a Diff writes a value that does not exist.
const None = "(none)"

// excerpt is how many characters of a value a Diff prints.
const excerpt = 160

// String names the path with the old and the new value. Of long texts, such as
// rule files, it shows the first line that differs, with its number.
func (d Diff) String() string {
	if !strings.Contains(d.Old+d.New, "\n") {
		return fmt.Sprintf("%s: %s is now %s", d.Path, clip(d.Old), clip(d.New))
	}
	old, new := strings.Split(d.Old, "\n"), strings.Split(d.New, "\n")
	i := 0
	for i < len(old) && i < len(new) && old[i] == new[i] {
		i++
	}
	return fmt.Sprintf("%s: line %d, %s is now %s", d.Path, i+1, line(old, i), line(new, i))
}

func line(text []string, i int) string {
	if i >= len(text) || i == len(text)-1 && text[i] == "" {
		return None
	}
	return strconv.Quote(clip(text[i]))
}

func clip(s string) string {
	if r := []rune(s); len(r) > excerpt {
		return string(r[:excerpt]) + "..."
	}
	return s
}

// ChangedError tells that a series was declared anew after a trial of it had
// run, or a reuse block after a row or a request of it had.
type ChangedError struct {
	Series     string // or the ReuseKey of a reuse block
	Generation int
	Diffs      []Diff
}

func (e *ChangedError) Error() string {
	var b strings.Builder
	name, reuse := strings.CutPrefix(e.Series, reusePrefix)
	if reuse {
		fmt.Fprintf(&b, "reuse block %q was changed after its first row or request (generation %d in the lock):", name, e.Generation)
	} else {
		fmt.Fprintf(&b, "series %q was changed after its first trial (generation %d in the lock):", name, e.Generation)
	}
	for i, d := range e.Diffs {
		if i == 20 {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Diffs)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", d)
	}
	if reuse {
		b.WriteString("\nRestore the declaration, or begin the next generation of the block with \"fdbench run --new-series\".")
	} else {
		b.WriteString("\nRestore the declaration, or begin the next generation of the series with \"fdbench run --new-series\" (FD-3.2-3, FD-4.1-5).")
	}
	return b.String()
}

// LockPath is where the lock of a scenario lies: beside the file x.fdb.hcl as
// x.fdb.lock, or inside the folder x as x.fdb.lock.
func LockPath(scenario string) (string, error) {
	if i, err := os.Stat(scenario); err == nil && i.IsDir() {
		abs, err := filepath.Abs(scenario)
		if err != nil {
			return "", err
		}
		return filepath.Join(scenario, filepath.Base(abs)+".fdb.lock"), nil
	}
	return strings.TrimSuffix(scenario, ".fdb.hcl") + ".fdb.lock", nil
}

// ReadLock reads the lock at path. An absent file is an empty lock; an edited
// one is an error.
func ReadLock(path string) (*Lock, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Lock{Format: LockFormat, Note: lockNote, Series: map[string][]Generation{}}, nil
	}
	if err != nil {
		return nil, err
	}
	l := new(Lock)
	if err := plainjson.Decode(b, l); err != nil {
		return nil, fmt.Errorf("the lock %s is damaged (%w); restore it from version control", path, err)
	}
	if l.Format != LockFormat {
		return nil, fmt.Errorf("the lock %s has format %q; this fdbench reads %q", path, l.Format, LockFormat)
	}
	if l.sum() != l.Checksum {
		return nil, fmt.Errorf("the lock %s was edited: its checksum does not match; restore it from version control", path)
	}
	return l, nil
}

func (l *Lock) sum() string { return Digest(LockFormat, mustCanonical(l.Series)) }

// Check compares p with the current generation of its series. gen is 0 where
// no trial of the series has run; diffs is empty where nothing differs.
func (l *Lock) Check(p *Plan) (gen int, diffs []Diff) { return l.check(p.Series, Flatten(p)) }

// CheckReuse is Check for a reuse block.
func (l *Lock) CheckReuse(p *Reuse) (gen int, diffs []Diff) {
	return l.check(ReuseKey(p.Name), FlattenReuse(p))
}

func (l *Lock) check(key string, flat map[string]string) (gen int, diffs []Diff) {
	g := l.Series[key]
	if len(g) == 0 {
		return 0, nil
	}
	cur := g[len(g)-1]
	return cur.Generation, diffOf(cur.Declaration, flat)
}

// Begin records that the first trial of p is about to run and returns the
// generation that it belongs to. A changed declaration is a ChangedError,
// unless newSeries asks for the next generation. Where nothing was changed the
// generation goes on, whether or not newSeries is set: the number of
// generations is that of declarations. The caller writes the lock.
func (l *Lock) Begin(p *Plan, newSeries bool) (gen int, err error) {
	return l.begin(p.Series, p.Digest, Flatten(p), newSeries)
}

// BeginReuse is Begin for a reuse block, before its first row or request.
func (l *Lock) BeginReuse(p *Reuse, newSeries bool) (gen int, err error) {
	return l.begin(ReuseKey(p.Name), p.Digest, FlattenReuse(p), newSeries)
}

func (l *Lock) begin(key, digest string, flat map[string]string, newSeries bool) (gen int, err error) {
	gen, diffs := l.check(key, flat)
	switch {
	case gen > 0 && len(diffs) == 0:
		return gen, nil
	case gen > 0 && !newSeries:
		return gen, &ChangedError{key, gen, diffs}
	}
	if l.Series == nil {
		l.Series = map[string][]Generation{}
	}
	l.Series[key] = append(l.Series[key], Generation{
		Generation:        gen + 1,
		PlanDigest:        digest,
		DeclarationDigest: Digest(LockFormat+"/declaration", mustCanonical(flat)),
		Declaration:       flat,
	})
	return gen + 1, nil
}

// Between returns what differs between generation gen and the one before it, of
// a series or of the ReuseKey of a reuse block.
func (l *Lock) Between(series string, gen int) []Diff {
	g := l.Series[series]
	if gen < 2 || gen > len(g) {
		return nil
	}
	return diffOf(g[gen-2].Declaration, g[gen-1].Declaration)
}

// Write replaces the file at path: a reader sees the old lock or the new one
// whole, and the new one is on the disk when Write returns.
func (l *Lock) Write(path string) error {
	l.Format, l.Note, l.Checksum = LockFormat, lockNote, l.sum()
	b, err := plainjson.Indent(l)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b)
}

func diffOf(old, new map[string]string) []Diff {
	var diffs []Diff
	for path, o := range old {
		n, ok := new[path]
		if !ok {
			n = None
		}
		if n != o {
			diffs = append(diffs, Diff{path, o, n})
		}
	}
	for path, n := range new {
		if _, ok := old[path]; !ok {
			diffs = append(diffs, Diff{path, None, n})
		}
	}
	slices.SortFunc(diffs, func(a, b Diff) int { return strings.Compare(a.Path, b.Path) })
	return diffs
}
