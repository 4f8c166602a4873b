package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testDigest = "sha256:00000000000000000000000000000000000000000000000000000000000000aa"

// writeSample writes a journal of two committed segments and, with unfinished,
// a third without a commit. It is not closed.
func writeSample(t testing.TB, path string, unfinished bool) {
	t.Helper()
	w, err := Create(path, Open{PlanDigest: testDigest, Series: "s", Generation: 1, Time: "virtual", Engine: "test/1"})
	if err != nil {
		t.Fatal(err)
	}
	segments := 2
	if unfinished {
		segments = 3
	}
	for id := range segments {
		must(t, w.Append(KindSegment, Segment{ID: id, Phase: "trials", Name: "a & b"}))
		must(t, w.Append(KindQuiet, QuietRecord{Load: id, To: int64(id) * 1e9, Reached: true}))
		if id < 2 {
			must(t, w.Append(KindCommit, Commit{ID: id, At: 5}))
		}
	}
	must(t, w.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func sample(t testing.TB, unfinished bool) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	writeSample(t, path, unfinished)
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func closedSample(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	writeSample(t, path, false)
	w, _, err := Resume(path, testDigest, ignore)
	must(t, err)
	must(t, w.Append(KindClose, Close{Status: "complete"}))
	must(t, w.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func ignore(Entry) error { return nil }

func readAll(b []byte) ([]string, error) {
	var kinds []string
	err := Read(bytes.NewReader(b), func(e Entry) error {
		kinds = append(kinds, e.Kind)
		return nil
	})
	return kinds, err
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	b := closedSample(t)
	n := int64(0)
	prev := PlanLink(testDigest)
	err := Read(bytes.NewReader(b), func(e Entry) error {
		if e.N != n || e.Line != int(n)+1 || e.Prev != prev {
			t.Errorf("entry %d: got n %d, line %d, prev %s", n, e.N, e.Line, e.Prev)
		}
		if n == 1 {
			var s Segment
			must(t, json.Unmarshal(e.Data, &s))
			if s.Name != "a & b" || strings.Contains(string(e.Data), `\u0026`) {
				t.Errorf("segment reads %s", e.Data)
			}
		}
		n, prev = n+1, e.Hash
		return nil
	})
	if err != nil || n != 8 {
		t.Fatalf("read %d entries: %v", n, err)
	}
}

func TestSameEntriesGiveSameBytes(t *testing.T) {
	if !bytes.Equal(closedSample(t), closedSample(t)) {
		t.Fatal("two journals of the same entries differ")
	}
}

// Every line is valid JSON for the tools that read lines of JSON.
func TestLinesAreJSON(t *testing.T) {
	for line := range bytes.Lines(closedSample(t)) {
		var v struct {
			N    int64
			Kind string
			Data map[string]any
			Hash string
		}
		if err := json.Unmarshal(line, &v); err != nil || v.Kind == "" || len(v.Hash) != hexLen {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestEveryFlippedByteIsFound(t *testing.T) {
	b := closedSample(t)
	for i := range b {
		for _, flip := range []byte{0x01, 0x20, 0x80} {
			c := bytes.Clone(b)
			c[i] ^= flip
			if _, err := readAll(c); err == nil {
				t.Fatalf("byte %d changed from %q to %q is not noticed", i, b[i], c[i])
			}
		}
	}
	for i := range b {
		for v := range 256 {
			if i%97 != 0 || byte(v) == b[i] {
				continue
			}
			c := bytes.Clone(b)
			c[i] = byte(v)
			if _, err := readAll(c); err == nil {
				t.Fatalf("byte %d changed from %q to %q is not noticed", i, b[i], c[i])
			}
		}
	}
}

func TestRemovedDoubledAndMovedLinesAreFound(t *testing.T) {
	lines := bytes.SplitAfter(closedSample(t), []byte{'\n'})
	lines = lines[:len(lines)-1]
	join := func(l ...[][]byte) []byte {
		var all [][]byte
		for _, x := range l {
			all = append(all, x...)
		}
		return bytes.Join(all, nil)
	}
	for i := range lines {
		if i < len(lines)-1 { // the last one is the entry of kind close
			var ce *ChainError
			if _, err := readAll(join(lines[:i], lines[i+1:])); !errors.As(err, &ce) || ce.Line != i+1 {
				t.Errorf("line %d removed: %v", i+1, err)
			}
		}
		var ce *ChainError
		if _, err := readAll(join(lines[:i+1], lines[i:])); !errors.As(err, &ce) || ce.Line != i+2 {
			t.Errorf("line %d doubled: %v", i+1, err)
		}
		for j := i + 1; j < len(lines); j++ {
			moved := join(lines[:i], lines[j:j+1], lines[i+1:j], lines[i:i+1], lines[j+1:])
			if _, err := readAll(moved); !errors.As(err, &ce) || ce.Line != i+1 {
				t.Errorf("lines %d and %d swapped: %v", i+1, j+1, err)
			}
		}
	}
	kinds, err := readAll(join(lines[:len(lines)-1]))
	if err != nil || kinds[len(kinds)-1] == KindClose {
		t.Errorf("without the closing entry: %v %v", kinds, err)
	}
}

// A forger who recomputes every hash still cannot move a journal to another
// plan, hide a second opening or write behind the close.
func TestForgedStructure(t *testing.T) {
	build := func(digest string, entries ...[2]string) []byte {
		var b []byte
		prev := PlanLink(digest)
		for i, e := range entries {
			b, prev = appendLine(b, int64(i), prev, e[0], []byte(e[1]))
		}
		return b
	}
	open := [2]string{KindOpen, `{"format":"` + Format + `","plan_digest":"p"}`}
	for name, c := range map[string]struct {
		b    []byte
		line int
		say  string
	}{
		"other plan":   {build("q", open), 1, "link to the plan"},
		"no opening":   {build("p", [2]string{"commit", "{}"}), 1, "begins with"},
		"two openings": {build("p", open, open), 2, "second"},
		"after close":  {build("p", open, [2]string{"close", "{}"}, [2]string{"commit", "{}"}), 3, "closed"},
		"format":       {build("p", [2]string{KindOpen, `{"format":"x/9","plan_digest":"p"}`}), 1, "x/9"},
		"not JSON":     {build("p", open, [2]string{"commit", `{"a":}`}), 2, "JSON"},
		"array":        {build("p", open, [2]string{"commit", `[1]`}), 2, "JSON object"},
		"tail":         {append(build("p", open, [2]string{"close", "{}"}), "{"...), 3, "closed"},
		"kind":         {build("p", open, [2]string{"Commit", "{}"}), 2, "kind"},
	} {
		var ce *ChainError
		_, err := readAll(c.b)
		if !errors.As(err, &ce) || ce.Line != c.line || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: got %v, want line %d and %q", name, err, c.line, c.say)
		}
	}
	if _, err := readAll(build("p", open)); err != nil {
		t.Errorf("the helper itself writes no valid journal: %v", err)
	}
}

func TestReadEmptyAndTorn(t *testing.T) {
	b := sample(t, false)
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{nil, ErrEmpty},
		{b[:10], ErrEmpty},
		{b[:len(b)-1], ErrTorn},
		{append(bytes.Clone(b), '{'), ErrTorn},
		{append(bytes.Clone(b), 0, 0, 0), ErrTorn},
	} {
		if _, err := readAll(c.b); err != c.want {
			t.Errorf("%d bytes: got %v, want %v", len(c.b), err, c.want)
		}
	}
}

func TestReadPassesErrorsOn(t *testing.T) {
	stop := errors.New("stop")
	if err := Read(bytes.NewReader(sample(t, false)), func(Entry) error { return stop }); err != stop {
		t.Errorf("error of fn: %v", err)
	}
	broken := io.MultiReader(bytes.NewReader(sample(t, false)), errReader{stop})
	if err := Read(broken, ignore); err != stop {
		t.Errorf("error of the reader: %v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	w, err := Create(path, Open{PlanDigest: testDigest})
	must(t, err)
	windows := make([]WindowSum, 200_000)
	must(t, w.Append(KindBaseline, BaselineRecord{Indicators: []BaselineIndicator{{Windows: windows}}}))
	must(t, w.Append(KindCommit, Commit{}))
	must(t, w.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	var longest int
	must(t, Read(bytes.NewReader(b), func(e Entry) error { longest = max(longest, len(e.Data)); return nil }))
	if longest < 600_000 {
		t.Errorf("longest entry has %d bytes", longest)
	}

	endless := io.MultiReader(bytes.NewReader(b), zeros{})
	var ce *ChainError
	if err := Read(endless, ignore); !errors.As(err, &ce) || ce.Line != 4 {
		t.Errorf("a line without end: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func TestCreateRefusesToOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	must(t, os.WriteFile(path, []byte("mine"), 0o666))
	_, err := Create(path, Open{PlanDigest: testDigest})
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "never overwritten") {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "mine" {
		t.Errorf("the file now holds %q", b)
	}
}

// FuzzRead feeds arbitrary bytes: Read must not panic, and whatever it accepts
// must be exactly what a Writer writes for the entries it returned.
func FuzzRead(f *testing.F) {
	b := closedSample(f)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
	f.Add([]byte(`{"n":0,"prev":"","kind":"open","data":{},"hash":""}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var again []byte
		var n int64
		err := Read(bytes.NewReader(b), func(e Entry) error {
			again, _ = appendLine(again, n, e.Prev, e.Kind, e.Data)
			n++
			return nil
		})
		if !bytes.HasPrefix(b, again) || err == nil && len(again) != len(b) {
			t.Fatalf("accepted bytes that no writer writes (error %v)", err)
		}
	})
}
