package spec

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/spec/refdata"
)

func TestRequirementsAreWellFormed(t *testing.T) {
	id := regexp.MustCompile(`^FD-([0-9]+(?:\.[0-9]+)?)-([0-9]+)$`)
	levels := map[Level]int{}
	seen := map[string]bool{}
	for _, r := range Requirements() {
		m := id.FindStringSubmatch(r.ID)
		if m == nil {
			t.Errorf("%q is not an id", r.ID)
			continue
		}
		if m[1] != r.Section {
			t.Errorf("%s says section %s", r.ID, r.Section)
		}
		if seen[r.ID] {
			t.Errorf("%s appears twice", r.ID)
		}
		seen[r.ID] = true
		levels[r.Level]++
		if len(r.When) == 0 {
			t.Errorf("%s is decided nowhere", r.ID)
		}
		for _, s := range r.When {
			switch s {
			case Lint, Compile, Run, Report, Compare:
			default:
				t.Errorf("%s: unknown stage %q", r.ID, s)
			}
		}
		if !strings.HasSuffix(r.Text, ".") {
			t.Errorf("%s: the text is not a sentence: %q", r.ID, r.Text)
		}
		if r.Level == Must && r.Violation == "" {
			t.Errorf("%s is a MUST that nothing violates", r.ID)
		}
	}
	want := map[Level]int{Must: 55, MustNot: 10, Should: 3, May: 3, Statement: 56, Derived: 6}
	for l, n := range want {
		if levels[l] != n {
			t.Errorf("%d rows of level %s, want %d", levels[l], l, n)
		}
	}
}

func TestLookup(t *testing.T) {
	r, ok := Lookup("FD-5.1-8")
	if !ok || r.Level != Must || r.Section != "5.1" || !r.Before() || !r.At(Report) || r.At(Run) {
		t.Errorf("Lookup(FD-5.1-8) = %+v, %v", r, ok)
	}
	if r, ok := Lookup("FD-9.9-9"); ok {
		t.Errorf("Lookup of an unknown id returned %+v", r)
	}
}

func TestRequirementsAreTheCallersOwn(t *testing.T) {
	Requirements()[0].ID = "changed"
	if _, ok := Lookup("FD-1.1-1"); !ok || Requirements()[0].ID != "FD-1.1-1" {
		t.Error("a caller's change reached the table")
	}
}

// The reference table is the same list: no row is lost or invented here.
func TestRequirementsMatchReference(t *testing.T) {
	f, err := os.Open(refdata.Path(t, "reference/requirements.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		cell := strings.Split(s.Text(), "|")
		if len(cell) < 4 || !strings.HasPrefix(strings.TrimSpace(cell[1]), "FD-") {
			continue
		}
		n++
		id, level := strings.TrimSpace(cell[1]), strings.TrimSpace(cell[3])
		if level == "STMT" {
			level = "STATEMENT"
		}
		r, ok := Lookup(id)
		if !ok || string(r.Level) != level {
			t.Errorf("%s: level %q here, %s in the reference", id, r.Level, level)
		}
	}
	if n != len(Requirements()) {
		t.Errorf("%d rows here, %d in the reference", len(Requirements()), n)
	}
}
