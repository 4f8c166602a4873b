package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/spec"
)

// root is the module's folder.
const root = "../.."

// declared tells whether a package of the module declares a function or a
// method of a name, in its tests or outside of them.
func declared(qualified string) (bool, error) {
	dot := strings.LastIndexByte(qualified, '.')
	if dot < 0 {
		return false, fmt.Errorf("%q names no package", qualified)
	}
	folder, name := qualified[:dot], qualified[dot+1:]
	test := strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(files) == 0 {
		return false, fmt.Errorf("there is no package %q", folder)
	}
	what := regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + regexp.QuoteMeta(name) + `[\[(]|^var ` + regexp.QuoteMeta(name) + ` = `)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") != test {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return false, err
		}
		if what.Match(text) {
			return true, nil
		}
	}
	return false, nil
}

// Each reading touches rows that exist, is decided in functions that exist and
// is shown by tests that exist.
func TestReadings(t *testing.T) {
	readings := spec.Readings()
	if len(readings) != 41 {
		t.Errorf("%d readings, want 41", len(readings))
	}
	sentence := regexp.MustCompile(`^[A-Z][^\n]{10,700}\.$`)
	for i, r := range readings {
		if want := fmt.Sprintf("AMB-%02d", i+1); r.ID != want {
			t.Errorf("reading %d is %s, want %s", i, r.ID, want)
		}
		if !strings.HasSuffix(r.Question, "?") || !sentence.MatchString(r.Reading) {
			t.Errorf("%s: the question has to end with a question mark and the reading with a full stop:\n%s\n%s", r.ID, r.Question, r.Reading)
		}
		if len(r.Rows) == 0 || len(r.Decided) == 0 || len(r.Tests) == 0 {
			t.Errorf("%s names %d rows, %d functions and %d tests; each needs one", r.ID, len(r.Rows), len(r.Decided), len(r.Tests))
		}
		for _, id := range r.Rows {
			if q, ok := spec.Lookup(id); !ok || q.Reuse() {
				t.Errorf("%s touches %s, which is no row", r.ID, id)
			}
		}
		for _, name := range append(append([]string{}, r.Decided...), r.Tests...) {
			if ok, err := declared(name); err != nil || !ok {
				t.Errorf("%s names %s, which is not declared (%v)", r.ID, name, err)
			}
		}
		if d := r.Differs; d != nil {
			if _, err := os.Stat(filepath.Join(root, "spec", "decisions", d.Decision+".md")); err != nil {
				t.Errorf("%s differs, and its decision is not on record: %v", r.ID, err)
			}
			if !sentence.MatchString(d.How) {
				t.Errorf("%s differs in a way that is no sentence: %q", r.ID, d.How)
			}
		}
	}
}

func TestReadingsOf(t *testing.T) {
	for _, r := range spec.ReadingsOf("FD-3.4-7") {
		if !strings.Contains(strings.Join(r.Rows, " "), "FD-3.4-7") {
			t.Errorf("%s does not touch FD-3.4-7", r.ID)
		}
	}
	if n := len(spec.ReadingsOf("FD-3.4-7")); n != 3 {
		t.Errorf("%d readings touch FD-3.4-7, want 3: sampling error, attempts, neighbours", n)
	}
	if l := spec.ReadingsOf("FD-0-0"); l != nil {
		t.Errorf("readings of a row that does not exist: %v", l)
	}
}

// The page has every reading, and links to rows that the page of requirements
// has a heading for.
func TestReadingsPage(t *testing.T) {
	page := string(ReadingsPage())
	for _, r := range spec.Readings() {
		if !strings.Contains(page, "### "+r.ID+"\n") || !strings.Contains(page, r.Reading) {
			t.Errorf("the page lacks %s", r.ID)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(requirements\.md#([^)]+)\)`).FindAllStringSubmatch(page, -1) {
		found := false
		for _, q := range spec.Requirements() {
			found = found || Anchor(q.ID) == m[1]
		}
		if !found {
			t.Errorf("the page links to %q, which no heading makes", m[1])
		}
	}
}
