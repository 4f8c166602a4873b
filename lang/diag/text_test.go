package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/internal/plainjson"
)

const sample = "fdbench { language = 1 }\n\nseries \"a\" {\n  trials {\n    cuont = 20\n  }\n}\n"

func sampleSources() *Sources {
	s := NewSources()
	s.Add("main.fdb.hcl", []byte(sample), func(offset int) string {
		if offset > 40 {
			return `series "a", trials`
		}
		return ""
	})
	return s
}

func sampleList(s *Sources) List {
	at := strings.Index(sample, "cuont")
	subject := s.Range("main.fdb.hcl", at, at+5)
	context := s.Range("main.fdb.hcl", at, at+10)
	return List{
		{Severity: Error, Rule: "LANG-unknown-argument", Summary: "Unknown argument in block", Detail: "There is no argument \"cuont\" in a trials block. Did you mean \"count\"?\n\n  count = 20", Subject: &subject, Context: &context,
			Values: []Value{{"var.n", "is 20"}}, Fix: &Fix{subject, "count"}},
		{Severity: Warning, Rule: "FD-3.3-4", Summary: "Few load points declared", Detail: "Three points."},
		{Severity: Note, Summary: "A hint without place", Detail: "Hint."},
	}
}

func TestWriteText(t *testing.T) {
	s := sampleSources()
	var b bytes.Buffer
	if err := WriteText(&b, sampleList(s), s, TextOptions{Width: 50}); err != nil {
		t.Fatal(err)
	}
	want := `╷
│ Error: Unknown argument in block (LANG-unknown-argument)
│
│   on main.fdb.hcl line 5, in series "a", trials:
│    5:     cuont = 20
│           ^^^^^
│     ├────────────────
│     │ var.n is 20
│
│ There is no argument "cuont" in a trials block.
│ Did you mean "count"?
│
│   count = 20
╵
╷
│ Warning: Few load points declared (FD-3.3-4)
│
│ Three points.
╵
╷
│ Note: A hint without place
│
│ Hint.
╵
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%q ends with a space", line)
		}
	}
	b.Reset()
	if err := WriteText(&b, sampleList(s)[:1], s, TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\x1b[") || !strings.Contains(text, "cuont") || strings.Contains(text, "^^^") {
		t.Errorf("in colour: %q", text)
	}
}

func TestReport(t *testing.T) {
	s := sampleSources()
	var b bytes.Buffer
	if err := plainjson.Write(&b, Report(sampleList(s), s)); err != nil {
		t.Fatal(err)
	}
	var got JSONReport
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(sample, "cuont")
	context := `series "a", trials`
	rng := JSONRange{"main.fdb.hcl", JSONPos{5, 5, at}, JSONPos{5, 10, at + 5}}
	want := JSONReport{"1.0", false, 1, 1, []JSONDiagnostic{
		{Severity: "error", Rule: "LANG-unknown-argument", Summary: "Unknown argument in block", Detail: sampleList(s)[0].Detail,
			Range:   &rng,
			Snippet: &JSONSnippet{&context, "    cuont = 20", 5, 4, 9, []JSONValue{{"var.n", "is 20"}}},
			Fix:     &JSONFix{rng, "count"}},
		{Severity: "warning", Rule: "FD-3.3-4", Summary: "Few load points declared", Detail: "Three points."},
		{Severity: "note", Summary: "A hint without place", Detail: "Hint."},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := plainjson.Write(&b, Report(nil, nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"diagnostics": []`) || !strings.Contains(b.String(), `"valid": true`) {
		t.Errorf("an empty list is written as %s", b.String())
	}
}

func TestHiddenCharactersAreShown(t *testing.T) {
	src := "a = \"x\u202e\x1b[31m\ty\" # 漢字 é\n"
	s := NewSources()
	s.Add("f", []byte(src), nil)
	r := s.Range("f", strings.Index(src, "y"), strings.Index(src, "y")+1)
	var b bytes.Buffer
	l := List{{Severity: Error, Summary: "With \x1b[0m escape", Detail: "In \u202e detail.", Subject: &r, Values: []Value{{"v\x07", "is \u2066x"}}}}
	if err := WriteText(&b, l, s, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if Hidden(r) {
			t.Errorf("U+%04X is printed", r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.Contains(lines[4], "<U+202E><U+001B>[31m    y") {
		t.Errorf("source line %q", lines[4])
	}
	if strings.Index(lines[5], "^") != strings.Index(lines[4], "y\"") {
		t.Errorf("the caret is not below the subject:\n%s\n%s", lines[4], lines[5])
	}
}

func TestCaretsStandBelowWideCharacters(t *testing.T) {
	src := "漢字é = x"
	s := NewSources()
	s.Add("f", []byte(src), nil)
	r := s.Range("f", strings.Index(src, "x"), len(src))
	var b bytes.Buffer
	if err := WriteText(&b, List{{Severity: Error, Summary: "s", Detail: "d.", Subject: &r}}, s, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	// "漢字" takes four cells, é one, " = " three.
	if !strings.Contains(b.String(), "│    1: 漢字é = x\n│       "+strings.Repeat(" ", 8)+"^\n") {
		t.Error(b.String())
	}
}

func TestLongLinesAreCut(t *testing.T) {
	src := strings.Repeat("é", 5000) + "HERE" + strings.Repeat("x", 5000)
	s := NewSources()
	s.Add("f", []byte(src), nil)
	r := s.Range("f", strings.Index(src, "HERE"), strings.Index(src, "HERE")+4)
	var b bytes.Buffer
	if err := WriteText(&b, List{{Severity: Error, Summary: "s", Detail: "d.", Subject: &r}}, s, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 1000 || !strings.Contains(b.String(), "…") || !strings.Contains(b.String(), "HERE") || !strings.Contains(b.String(), "^^^^\n") {
		t.Errorf("%d bytes: %s", b.Len(), b.String())
	}
}

// TestRangesAgreeWithHCL compares the positions of all tokens of random texts.
// Outside of quotes HCL may split a character into tokens, where a column means
// nothing.
func TestRangesAgreeWithHCL(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"a", "é", "漢", "\"e\u0301\"", "\"👨‍👩‍👧\"", " ", "\n", "\t", "\"x\"", "= ", "# c\n", "{", "}"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(words[r.IntN(len(words))])
		}
		s := NewSources()
		s.Add("f", []byte(b.String()), nil)
		tokens, _ := hclsyntax.LexConfig([]byte(b.String()), "f", hcl.InitialPos)
		for _, tok := range tokens {
			if got := s.Range("f", tok.Range.Start.Byte, tok.Range.End.Byte); got != tok.Range && tok.Type != hclsyntax.TokenInvalid {
				t.Fatalf("%q: %v is %v, and HCL says %v", b.String(), tok.Type, got, tok.Range)
			}
		}
	}
}

func TestPlacesOutsideOfTheFileAreHarmless(t *testing.T) {
	s := sampleSources()
	for _, r := range []hcl.Range{
		{Filename: "unknown", Start: hcl.Pos{Line: 3, Column: 1, Byte: 9}},
		{Filename: "main.fdb.hcl", Start: hcl.Pos{Byte: -1}},
		{Filename: "main.fdb.hcl", Start: hcl.Pos{Byte: 1 << 20}},
		{Filename: "main.fdb.hcl", Start: hcl.Pos{Byte: len(sample)}, End: hcl.Pos{Byte: len(sample) + 9}},
		{Filename: "main.fdb.hcl", Start: hcl.Pos{Byte: 9}, End: hcl.Pos{Byte: 3}},
		{Filename: "main.fdb.hcl", Start: hcl.Pos{Byte: 0}, End: hcl.Pos{Byte: len(sample)}},
	} {
		var b bytes.Buffer
		l := List{{Severity: Error, Summary: "s", Detail: "d.", Subject: &r, Context: &r}}
		if err := WriteText(&b, l, s, TextOptions{}); err != nil || b.Len() == 0 {
			t.Error(err)
		}
		if err := WriteText(&b, l, nil, TextOptions{}); err != nil {
			t.Error(err)
		}
		if err := plainjson.Write(&b, Report(l, s)); err != nil {
			t.Error(err)
		}
	}
}

func TestListOrderAndError(t *testing.T) {
	at := func(file string, b int) *hcl.Range {
		return &hcl.Range{Filename: file, Start: hcl.Pos{Line: 1, Column: 1, Byte: b}}
	}
	want := List{
		{Severity: Note, Summary: "no place"},
		{Severity: Error, Rule: "A", Summary: "a", Subject: at("a", 1)},
		{Severity: Error, Rule: "B", Summary: "a", Subject: at("a", 1)},
		{Severity: Warning, Rule: "A", Summary: "a", Subject: at("a", 1)},
		{Severity: Error, Rule: "A", Summary: "a", Subject: at("a", 2)},
		{Severity: Error, Rule: "A", Summary: "b", Detail: "x.", Subject: at("b", 0)},
		{Severity: Error, Rule: "A", Summary: "b", Detail: "y.", Subject: at("b", 0)},
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		got := append(List(nil), want...)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		got.Sort()
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	}
	if want.Tally() != "5 errors, 1 warning, 1 note" {
		t.Error(want.Tally())
	}
	err := want.Err()
	var list *ErrorList
	if !errors.As(err, &list) || err.Error() != "a:1:1: a:  (and 4 more)" {
		t.Errorf("%v", err)
	}
	if err := want[:1].Err(); err != nil {
		t.Error(err)
	}
}

// manyDiagnostics is a file of 1.6 MB with 1,000 mistakes.
func manyDiagnostics() (List, *Sources) {
	var b strings.Builder
	var l List
	s := NewSources()
	for i := range 1000 {
		for range 40 {
			b.WriteString("  some_argument = \"some value or other\"\n")
		}
		at := b.Len() + 2
		b.WriteString("  cuont = 20\n")
		r := hcl.Range{Filename: "f", Start: hcl.Pos{Line: i*41 + 41, Column: 3, Byte: at}, End: hcl.Pos{Line: i*41 + 41, Column: 8, Byte: at + 5}}
		l.Add(Diagnostic{Severity: Error, Rule: "LANG-unknown-argument", Summary: "Unknown argument in block", Detail: fmt.Sprintf("There is no argument \"cuont\" in block %d. Did you mean \"count\"?", i), Subject: &r})
	}
	s.Add("f", []byte(b.String()), func(int) string { return "series" })
	return l, s
}

// TestWritingIsLinear wants a diagnostic to cost the same however many there
// are: what is allocated for ten times as many is ten times as much.
func TestWritingIsLinear(t *testing.T) {
	all, s := manyDiagnostics()
	allocs := func(l List) float64 {
		return testing.AllocsPerRun(3, func() {
			if err := WriteText(io.Discard, l, s, TextOptions{Width: 100, Color: true}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(all[:100]), allocs(all[:1000]); many > 11*few {
		t.Errorf("100 diagnostics take %.0f allocations and 1,000 take %.0f", few, many)
	}
}

func BenchmarkWriteText(b *testing.B) {
	l, s := manyDiagnostics()
	b.ReportAllocs()
	for b.Loop() {
		var buf bytes.Buffer
		if err := WriteText(&buf, l, s, TextOptions{Width: 100, Color: true}); err != nil {
			b.Fatal(err)
		}
	}
}
