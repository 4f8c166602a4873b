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
	id := regexp.MustCompile(`^(?:FD-([0-9]+(?:\.[0-9]+)?)|(KV-[0-9]))-([0-9]+)$`)
	levels := map[Level]int{}
	seen := map[string]bool{}
	for _, r := range Requirements() {
		m := id.FindStringSubmatch(r.ID)
		if m == nil {
			t.Errorf("%q is not an id", r.ID)
			continue
		}
		if m[1]+m[2] != r.Section {
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
		if r.Enforce != Mechanical && r.Enforce != MechanicalAndAttested {
			t.Errorf("%s: enforced how? %q", r.ID, r.Enforce)
		}
		if r.Level == Must && r.Violation == "" {
			t.Errorf("%s is a MUST that nothing violates", r.ID)
		}
	}
	want := map[Level]int{Must: 56, MustNot: 12, Should: 4, May: 3, Statement: 90, Derived: 6}
	for l, n := range want {
		if levels[l] != n {
			t.Errorf("%d rows of level %s, want %d", levels[l], l, n)
		}
	}
}

// sentenceEnd is a full stop that closes a sentence: one in a number or an
// address has no space behind it.
var sentenceEnd = regexp.MustCompile(`[.!?]"?(?: |$)`)

func TestEveryRowSaysWhy(t *testing.T) {
	owner := map[string]string{} // of each sentence
	for _, r := range Requirements() {
		if n := len(sentenceEnd.FindAllString(r.Why, -1)); n != 2 || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: the why has %d sentences, want 2: %q", r.ID, n, r.Why)
		}
		if n := len(r.Why); n < 60 || n > 400 {
			t.Errorf("%s: the why has %d characters, want 60 to 400", r.ID, n)
		}
		for _, s := range strings.SplitAfter(r.Why, ". ") {
			s = strings.TrimSpace(s)
			if first := owner[s]; first != "" {
				t.Errorf("%s repeats a sentence of %s: %q", r.ID, first, s)
			}
			owner[s] = r.ID
			if s != "" && strings.Contains(r.Text, s) {
				t.Errorf("%s: the why repeats the text", r.ID)
			}
		}
		if r.Boundary != "" && !strings.HasSuffix(r.Boundary, ".") {
			t.Errorf("%s: the boundary is not a sentence: %q", r.ID, r.Boundary)
		}
	}
}

// The boundaries that the tests are about are in the words of the table too.
func TestBoundariesNameBothSides(t *testing.T) {
	for id, sides := range map[string][2]string{
		"FD-3.3-4":  {"Four", "three"},
		"FD-3.3-5":  {"1 to 100 ", "1 to 99"},
		"FD-3.4-1":  {"1 ms", "1.001 ms"},
		"FD-3.4-7":  {"0.11 ", "0.1101"},
		"FD-3.5-4":  {"9.999 ms", "10 ms"},
		"FD-4.2-2":  {"600 s", "599 s"},
		"FD-4.2-3":  {"300 s", "299 s"},
		"FD-5.1-8":  {"Twenty", "nineteen"},
		"FD-5.1-10": {"1200 s", "1199 s"},
		"FD-5.3-7":  {"18 of 20", "17 of 20"},
		"FD-5.5-5":  {"Twenty", "nineteen"},
		"KV-1-1":    {"47 tokens", "48"},
		"KV-3-1":    {"16 copied", "15"},
		"KV-5-4":    {"31 cached", "32"},
		"KV-5-6":    {"0 tokens", "1 token"},
		"KV-7-2":    {"0 of 90", "0 of 0"},
		"KV-8-6":    {"one cached token", "one token more"},
		"KV-8-8":    {"64", "65"},
	} {
		r, _ := Lookup(id)
		for _, side := range sides {
			if !strings.Contains(r.Boundary, side) {
				t.Errorf("%s: the boundary does not name %q: %q", id, side, r.Boundary)
			}
		}
	}
}

func TestFourteenRowsHaveAnAttestedPart(t *testing.T) {
	n := 0
	for _, r := range Requirements() {
		if r.Attested() {
			n++
		}
		if r.Attested() != strings.HasPrefix(r.Attest, "that ") {
			t.Errorf("%s: attested part: %v, and what is attested: %q", r.ID, r.Attested(), r.Attest)
		}
	}
	if n != 14 {
		t.Errorf("%d rows have an attested part, want 14", n)
	}
}

// Each row is explained on the page of its text.
func TestPage(t *testing.T) {
	for list, page := range map[*[]Requirement]string{new(FaultDetection()): "requirements.md", new(KVReuse()): "reuse.md"} {
		for _, q := range *list {
			if q.Page() != page {
				t.Errorf("%s is on %s, want %s", q.ID, q.Page(), page)
			}
		}
	}
	if n := len(FaultDetection()) + len(KVReuse()); n != len(Requirements()) {
		t.Errorf("%d rows of both texts, of %d", n, len(Requirements()))
	}
}

func TestLookup(t *testing.T) {
	r, ok := Lookup("FD-5.1-8")
	if !ok || r.Level != Must || r.Section != "5.1" || !r.Before() || !r.At(Report) || !r.At(Run) || r.At(Compare) {
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

// letters are the stages as the reference writes them.
var letters = map[Stage]string{Lint: "L", Compile: "C", Run: "R", Report: "P", Compare: "X"}

// later are the rows that are decided at a moment more than the reference
// says, with the reasons in decisions/0017-decided-from-the-journal-too.md.
var later = map[string]string{"FD-1.2-7": "C,R", "FD-5.1-8": "C,R,P", "FD-5.4-3": "C,R", "FD-5.4-6": "R,P", "FD-5.4-7": "R,P", "FD-5.5-5": "C,R,P"}

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
		if len(cell) < 9 || !strings.HasPrefix(strings.TrimSpace(cell[1]), "FD-") {
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
		var when []string
		for _, s := range r.When {
			when = append(when, letters[s])
		}
		want := strings.ReplaceAll(strings.TrimSpace(cell[5]), " ", "")
		if more, ok := later[id]; ok {
			want = more
		}
		if have := strings.Join(when, ","); have != want {
			t.Errorf("%s: decided at %s here, at %s in the reference", id, have, want)
		}
		if want := strings.TrimSpace(cell[8]) != "M"; r.Attested() != want {
			t.Errorf("%s: attested part: %v here, %v in the reference", id, r.Attested(), want)
		}
	}
	if n != len(FaultDetection()) {
		t.Errorf("%d rows here, %d in the reference", len(FaultDetection()), n)
	}
}

func TestOrder(t *testing.T) {
	rows := Requirements()
	for i, r := range rows {
		if got := Order(r.ID); got != i {
			t.Errorf("%s is row %d, not %d", r.ID, got, i)
		}
	}
	if got := Order("FD-0-0"); got != len(rows) {
		t.Errorf("what is no row is row %d", got)
	}
}
