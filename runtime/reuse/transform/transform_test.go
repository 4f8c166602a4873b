package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/spec/refdata"
)

// doc is a line of a document file.
func doc(id, domain, text string) string {
	b, _ := json.Marshal(map[string]any{"id": id, "domain": domain, "text": text, "question": "What of " + id + "?", "answers": []string{"All of " + id}})
	return string(b) + "\n"
}

// prose is a text in which no sentence stands twice.
func prose(name string, sentences int) string {
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, "The %s clause number %d says what nobody else said. ", name, i)
	}
	return strings.TrimSpace(b.String())
}

func docs() string {
	return doc("a", "law", prose("alpha", 60)) + doc("b", "law", prose("beta", 60)) + doc("c", "food", "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.") + doc("d", "law", "Too short.")
}

func items(t testing.TB, text string, o Options) ([]*manifest.Item, *Builder) {
	t.Helper()
	b, err := New(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	var out []*manifest.Item
	for {
		it, err := b.Next()
		if err == io.EOF {
			return out, b
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, it)
	}
}

// TestItems looks at what each transform does with the evidence.
func TestItems(t *testing.T) {
	all, b := items(t, docs(), Options{Dataset: "set"})
	if b.Documents() != 4 || b.Skipped() != 2 || len(all) != 4*8-2 {
		t.Fatalf("%d documents, %d items, %d skipped", b.Documents(), len(all), b.Skipped())
	}
	by := map[string]*manifest.Item{}
	for _, it := range all {
		by[it.SourceID+" "+it.Transform] = it
		if it.ItemID != manifest.StableID("set", it.SourceID, it.Transform) || it.Dataset != "set" || it.Input != "What of "+it.SourceID+"?" || len(it.Answers) != 1 {
			t.Errorf("%+v", it)
		}
	}
	for i, name := range Names() {
		if all[i].Transform != name {
			t.Errorf("item %d is %s, want %s", i, all[i].Transform, name)
		}
	}
	a := prose("alpha", 60)
	for _, tt := range []struct {
		name, label   string
		begins, holds string // of the recipient
		donor         string // begins the first donor
		meta          string
	}{
		{ExactRepeat, "base_prompt", "Reading desk\n", a, "Reading desk\n", `{"domain": "law", "expected_exact": true}`},
		{InstructionVariant, "base_prompt", "A colleague", a, "Reading desk\n", `{"domain": "law", "expected_exact": false}`},
		{SameEvidenceNewTask, "base_prompt", "Write a one-page brief", "What of a?\n\nBackground:\n" + a, "Reading desk\n", `{"domain": "law", "expected_exact": false}`},
		{LeadingEvidence, "leading_evidence_donor", a[:40], a + "\n\nWork from", "On file for later use\n\n" + a, `{"domain": "law", "expected_exact": false}`},
		{FuzzyEdit, "base_prompt", "Reading desk\n[export", strings.ReplaceAll(a, ". ", ".\n"), "Reading desk\n", `{"domain": "law", "expected_exact": false}`},
		{NegativeControl, "unrelated_base_prompt", "A colleague", a, "Reading desk\n", `{"domain": "law", "expected_semantic": false, "negative_source_id": "c"}`},
	} {
		it := by["a "+tt.name]
		if len(it.Donors) != 1 || it.Donors[0].Label != tt.label || !strings.HasPrefix(it.Donors[0].Text, tt.donor) || it.Donors[0].DonorID != manifest.StableID(it.ItemID, "donor") {
			t.Errorf("%s: donors %.200v", tt.name, it.Donors)
		}
		if !strings.HasPrefix(it.Recipient, tt.begins) || !strings.Contains(it.Recipient, tt.holds) {
			t.Errorf("%s: recipient %.200q", tt.name, it.Recipient)
		}
		if (it.Recipient == it.Donors[0].Text) != (tt.name == ExactRepeat) || it.Control != (tt.name == NegativeControl) {
			t.Errorf("%s: repeats, or is a control, and may not", tt.name)
		}
		if got := metadata(t, it.Metadata); got != tt.meta {
			t.Errorf("%s: metadata %s, want %s", tt.name, got, tt.meta)
		}
	}

	reordered := by["c "+RAGReorder]
	if got := reordered.Recipient; !ordered(got, "hit 1 of 4", "Four.", "hit 2", "Three.", "hit 3", "Two.", "hit 4", "One.") || strings.Contains(got, "Five.") {
		t.Errorf("reordered: %q", got)
	}
	composite := by["c "+MultiDonor]
	if !ordered(composite.Recipient, "One.", "Two.", "Three.", "Four.", "What of c?") || len(composite.Donors) != 4 {
		t.Errorf("composite: %+v", composite)
	}
	for i, d := range composite.Donors {
		want := fmt.Sprintf("Part %d of", i+1)
		if !strings.HasPrefix(d.Text, want) || d.DonorID != manifest.StableID(composite.ItemID, "segment", fmt.Sprint(i)) || metadata(t, d.Metadata) != fmt.Sprintf(`{"segment_index": %d}`, i) {
			t.Errorf("donor %d: %+v", i, d)
		}
	}
	if got := metadata(t, composite.Metadata); got != `{"domain": "food", "expected_exact": false, "segment_count": 4}` {
		t.Error(got)
	}
}

func metadata(t *testing.T, m map[string]json.RawMessage) string {
	t.Helper()
	line, err := manifest.Append(nil, &manifest.Item{Metadata: m})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(line), `"metadata": `)
	out, _, _ := strings.Cut(rest, `, "negative_control"`)
	return out
}

// ordered tells whether the parts come one after the other.
func ordered(s string, parts ...string) bool {
	for _, p := range parts {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return true
}

// TestSelection pairs controls, and holds the quick choice against one that
// looks at every document.
func TestSelection(t *testing.T) {
	for _, domains := range []string{"ab", "aab", "abb", "aabba", "abcabc", "aaab", "baaa", "aabbaabb", "abcca", "aaaabaaa"} {
		var text strings.Builder
		for i, d := range domains {
			text.WriteString(doc(fmt.Sprint(i), string(d), fmt.Sprint("Text ", i)))
		}
		for _, selection := range []string{CrossDomain, Adjacent} {
			got, _ := items(t, text.String(), Options{Transforms: []string{NegativeControl}, Selection: selection})
			for i, it := range got {
				want := (i + 1) % len(domains)
				for selection == CrossDomain && domains[want] == domains[i] {
					want = (want + 1) % len(domains)
				}
				source, named := it.DonorSource(0)
				if !named || source != fmt.Sprint(want) || source == it.SourceID {
					t.Errorf("%s, %s: document %d is paired with %s, want %d", domains, selection, i, source, want)
				}
			}
		}
	}
}

func TestControlsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		o          Options
		want       string // "" where it is right
	}{
		{"one document", doc("a", "law", "T"), Options{}, "there is only one"},
		{"one document, adjacent", doc("a", "law", "T"), Options{Selection: Adjacent}, "there is only one"},
		{"one document, no controls", doc("a", "law", "T"), Options{Transforms: []string{ExactRepeat}}, ""},
		{"one domain", doc("a", "law", "T") + doc("b", "law", "T"), Options{}, `choose the selection "adjacent"`},
		{"one domain, adjacent", doc("a", "law", "T") + doc("b", "law", "T"), Options{Selection: Adjacent}, ""},
		{"a domain is missing", doc("a", "law", "T") + doc("b", "", "T") + doc("c", "food", "T"), Options{}, "line 2: the document has no domain"},
		{"a domain is missing, adjacent", doc("a", "law", "T") + doc("b", "", "T"), Options{Selection: Adjacent}, ""},
	} {
		_, err := New(strings.NewReader(tt.text), tt.o)
		var option *OptionError
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &option) || option.Option != "selection" || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		o            Options
		option, want string
	}{
		{Options{Transforms: []string{"exact"}}, "transforms", `no transform "exact"`},
		{Options{Transforms: []string{FuzzyEdit, FuzzyEdit}}, "transforms", "named twice"},
		{Options{MaxSegments: 1}, "max_segments", "2 segments at least"},
		{Options{MaxSegments: -1}, "max_segments", "2 segments at least"},
		{Options{MinSegment: -1}, "min_segment", "1 character at least"},
		{Options{Selection: "random"}, "selection", `no selection "random"`},
	} {
		_, err := New(strings.NewReader(docs()), tt.o)
		var option *OptionError
		if !errors.As(err, &option) || option.Option != tt.option || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v", tt.o, err)
		}
	}
	// The order in which transforms are named is not that of the items.
	got, _ := items(t, docs(), Options{Transforms: []string{FuzzyEdit, ExactRepeat}})
	if len(got) != 8 || got[0].Transform != ExactRepeat || got[1].Transform != FuzzyEdit {
		t.Errorf("%d items, %s first", len(got), got[0].Transform)
	}
}

func TestDocumentErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int64
		want       string
	}{
		{"none", "\n \n", 1, "there are no documents"},
		{"no object", "[]\n", 1, "not a JSON object"},
		{"no JSON", "\n{\"id\": }\n", 2, "not valid JSON, at byte"},
		{"not UTF-8", "{\"id\": \"\xff\"}", 1, "UTF-8"},
		{"no text", doc("a", "x", "T") + `{"id": "b"}`, 2, `"text" is missing`},
		{"no id", `{"text": "b"}`, 1, `"id" is missing`},
		{"blank text", doc("a", "x", " \n"), 1, `"text" is empty`},
		{"null", `{"id": "b", "text": null}`, 1, `"text" is missing`},
		{"type", `{"id": 7, "text": "b"}`, 1, `"id" has to be a string`},
		{"answers", `{"id": "b", "text": "b", "answers": "c"}`, 1, "list of strings"},
		{"an answer", `{"id": "b", "text": "b", "answers": ["c", null]}`, 1, "list of strings"},
		{"twice", doc("a", "x", "T") + "\n" + doc("a", "y", "U"), 3, `"a" was used in line 1`},
		// What a tolerant reader would change without a word.
		{"a member twice", doc("a", "x", "T") + `{"id": "b", "text": "one", "text": "two"}`, 2, `"text" is there twice`},
		{"an unknown member twice", `{"id": "b", "text": "one", "n": 1, "n": 2}`, 1, `"n" is there twice`},
		{"half a pair", `{"id": "b", "text": "one \ud83d two"}`, 1, "half of a surrogate pair"},
		{"half a pair elsewhere", `{"id": "b", "text": "one", "answers": ["\udc00"]}`, 1, "half of a surrogate pair"},
		{"cut off", doc("a", "x", "T") + `{"id": "b", "text": "one`, 2, "the line ends inside a string"},
		{"two on a line", `{"id": "a", "text": "T"} {"id": "b", "text": "U"}`, 1, `after the object`},
		{"not a number", `{"id": "a", "text": "T", "n": NaN}`, 1, "where a value has to be"},
		{"a text of no strings", `{"id": "a", "text": ["T"]}`, 1, `"text" has to be a string`},
	} {
		_, err := New(strings.NewReader(tt.text), Options{Selection: Adjacent})
		var d *DocumentError
		if !errors.As(err, &d) || d.Line != tt.line || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want line %d: %s", tt.name, err, tt.line, tt.want)
		}
	}
}

// TestLineEndsDoNotMatter: the file's and the text's.
func TestLineEndsDoNotMatter(t *testing.T) {
	build := func(text string) string {
		var b bytes.Buffer
		s, _, err := Build(&b, strings.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := manifest.Check(&b); err != nil || again.SHA256 != s.SHA256 || again.Items != s.Items {
			t.Fatalf("%v: %+v, want %+v", err, again, s)
		}
		return s.SHA256
	}
	want := build(docs())
	for name, text := range map[string]string{
		"carriage returns": strings.ReplaceAll(docs(), "\n", "\r\n"),
		"in the text":      strings.ReplaceAll(docs(), `\n`, `\r\n`),
		"no last end":      strings.TrimSpace(docs()),
		"byte order mark":  "\xef\xbb\xbf" + docs(),
		"blank lines":      strings.ReplaceAll(docs(), "\n", "\n\n"),
		"in the question":  strings.ReplaceAll(docs(), `What of a?`, `\r\n What of a? `),
		"around a domain":  strings.Replace(docs(), `"domain":"law"`, `"domain":" law"`, 1),
		"null members":     strings.ReplaceAll(docs(), "}\n", `, "dataset": null}`+"\n"),
	} {
		if got := build(text); got != want {
			t.Errorf("%s: the manifest differs", name)
		}
	}
	if build(strings.Replace(docs(), "Five", "Six", 1)) == want {
		t.Error("another text gives the same manifest")
	}
}

// A question or an answer with other line ends, and no question but a blank one.
func TestOtherTextsOfADocument(t *testing.T) {
	got, _ := items(t, `{"id": "a", "text": "T", "question": "One\r\ntwo?", "answers": ["x\r\ny"]}`+"\n"+`{"id": "b", "text": "T", "question": " \n"}`, Options{Transforms: []string{ExactRepeat}})
	if got[0].Input != "One\ntwo?" || got[0].Answers[0] != "x\ny" || strings.Contains(got[0].Recipient, "\r") {
		t.Errorf("%+v", got[0])
	}
	if got[1].Input != "" || !strings.Contains(got[1].Recipient, noQuestion) {
		t.Errorf("%+v", got[1])
	}
}

// A member that is not a document's is named: it may be a misspelt one.
func TestUnknownMembers(t *testing.T) {
	b, err := New(strings.NewReader(`{"id": "a", "text": "T", "quesiton": "What?", "domain": "x"}`+"\n\n"+
		`{"id": "b", "text": "U", "quesiton": "What?", "Domain": "z", "domain": "y"}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, NewReader(b)); err != nil {
		t.Fatal(err)
	}
	want := []manifest.Warning{{Where: "document", Key: "quesiton", Reason: "unknown", Line: 1, N: 2}, {Where: "document", Key: "Domain", Reason: "unknown", Line: 3, N: 1}}
	if d := cmp.Diff(want, b.Warnings()); d != "" {
		t.Error(d)
	}
	if _, b := items(t, docs(), Options{}); len(b.Warnings()) != 0 {
		t.Error(b.Warnings())
	}
}

// The keys that are named as known are those that are.
func TestKeys(t *testing.T) {
	var members []string
	for _, key := range Keys() {
		value := `"x"`
		if key == "answers" {
			value = `["x"]`
		}
		members = append(members, fmt.Sprintf("%q: %s", key, value))
	}
	b, err := New(strings.NewReader("{"+strings.Join(members, ", ")+"}"), Options{Transforms: []string{"exact_repeat"}})
	if err != nil || len(b.Warnings()) != 0 || len(members) != 6 {
		t.Errorf("%v, %+v", err, b)
	}
}

// A text that stands twice in a corpus, under two names and in two domains, is
// not unrelated to itself (KV-7-1).
func TestControlOfTheSameText(t *testing.T) {
	text := doc("a", "law", "T") + doc("b", "law", "U") + doc("c", "food", "U\r\n")
	for _, selection := range []string{CrossDomain, Adjacent} {
		b, err := New(strings.NewReader(text), Options{Selection: selection})
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, NewReader(b))
		var d *DocumentError
		if !errors.As(err, &d) || d.Line != 2 || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "KV-7-1") {
			t.Errorf("%s: got %v", selection, err)
		}
	}
	if got, _ := items(t, text, Options{Transforms: []string{ExactRepeat}}); len(got) != 3 {
		t.Errorf("%d items", len(got))
	}
}

// TestSegmentsOfTheReference cuts the texts of the reference manifest as its
// maker did.
func TestSegmentsOfTheReference(t *testing.T) {
	f, err := os.Open(refdata.Path(t, "data/reuse/fixture-v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, text, compared := manifest.NewReader(f), map[string]string{}, 0
	for {
		it, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if it.Transform == ExactRepeat {
			_, rest, _ := strings.Cut(it.Recipient, "Source material:\n")
			text[it.SourceID], _, _ = strings.Cut(rest, "\n\nUser request:")
		}
		if it.Transform != MultiDonor {
			continue
		}
		var want []string
		for _, d := range it.Donors {
			_, rest, _ := strings.Cut(d.Text, "\n\n")
			want = append(want, rest[:strings.LastIndex(rest, "\n\n")])
		}
		if d := cmp.Diff(want, Segments(text[it.SourceID], 4, 400)); d != "" {
			t.Errorf("%s (-want +got):\n%s", it.SourceID, d)
		}
		compared++
	}
	if compared != 2 {
		t.Errorf("compared %d documents", compared)
	}
}

func TestSegments(t *testing.T) {
	for _, tt := range []struct {
		name  string
		text  string
		limit int
		short int
		want  []int // characters of each part
	}{
		{"paragraphs", "a\n\nbb\n\nccc", 3, 400, []int{1, 2, 3}},
		{"more paragraphs", "a\n\nbb\n\n\n\nccc", 2, 400, []int{1, 2}},
		{"short", "A short text.", 4, 400, []int{13}},
		{"no full stop", strings.Repeat("x", 1000), 4, 400, []int{400, 400, 200}},
		{"at a full stop", strings.Repeat("x", 499) + ". " + strings.Repeat("y", 500), 4, 400, []int{500, 399, 101}},
		{"not at an early one", strings.Repeat("x", 199) + ". " + strings.Repeat("y", 600), 4, 400, []int{400, 400, 1}},
		{"characters, not bytes", strings.Repeat("ü", 800), 4, 400, []int{400, 400}},
		{"the tail is left out", strings.Repeat("x", 399) + ". " + strings.Repeat("y", 1300), 2, 1, []int{400, 849}},
	} {
		var got []int
		for _, s := range Segments(tt.text, tt.limit, tt.short) {
			got = append(got, len([]rune(s)))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// shrinking is a file that loses its content after the first pass.
type shrinking struct {
	*strings.Reader
	passes int
}

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	if off == 0 {
		s.passes++
	}
	if s.passes > 1 {
		n, err := s.Reader.ReadAt(p, off)
		clear(p[:n])
		return n, err
	}
	return s.Reader.ReadAt(p, off)
}

// edited is a file of which a letter is another one after the first pass.
type edited struct{ shrinking }

func (e *edited) ReadAt(p []byte, off int64) (int, error) {
	if off == 0 {
		e.passes++
	}
	n, err := e.Reader.ReadAt(p, off)
	if e.passes > 1 {
		copy(p, bytes.Replace(p[:n], []byte("Two."), []byte("Ten."), 1))
	}
	return n, err
}

func TestDocumentsThatChange(t *testing.T) {
	e, err := New(&edited{shrinking{Reader: strings.NewReader(docs())}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, NewReader(e)); !errors.Is(err, errChanged) {
		t.Errorf("a text that changed: got %v", err)
	}
	b, err := New(&shrinking{Reader: strings.NewReader(docs())}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, NewReader(b)); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkBuild(b *testing.B) {
	var text strings.Builder
	for i := range 200 {
		text.WriteString(doc(fmt.Sprint(i), fmt.Sprint(i%4), prose(fmt.Sprint("n", i), 60)))
	}
	var n int64
	for b.Loop() {
		builder, err := New(strings.NewReader(text.String()), Options{})
		if err != nil {
			b.Fatal(err)
		}
		if n, err = io.Copy(io.Discard, NewReader(builder)); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(n)
}

// FuzzDocuments: whatever is admitted gives a manifest that can be read.
func FuzzDocuments(f *testing.F) {
	f.Add(docs(), CrossDomain)
	f.Add(`{"id": "a", "text": "b", "answers": null}`+"\n", Adjacent)
	f.Fuzz(func(t *testing.T, text, selection string) {
		var b bytes.Buffer
		s, _, err := Build(&b, strings.NewReader(text), Options{Selection: selection})
		if err != nil {
			var d *DocumentError
			var o *OptionError
			if !errors.As(err, &d) && !errors.As(err, &o) {
				t.Fatal(err)
			}
			return
		}
		if s.Items == 0 || s.OwnSource.N+s.Unnamed.N+s.Donorless.N > 0 {
			t.Errorf("%+v", s)
		}
	})
}
