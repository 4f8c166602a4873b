package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/spec/refdata"
)

// readAll returns the items and the errors of the lines.
func readAll(t testing.TB, r *Reader) (items []*Item, broken []*LineError) {
	t.Helper()
	for {
		it, err := r.Next()
		var line *LineError
		switch {
		case err == io.EOF:
			return items, broken
		case errors.As(err, &line):
			broken = append(broken, line)
		case err != nil:
			t.Fatal(err)
		default:
			items = append(items, it)
		}
	}
}

func full() *Item {
	return &Item{
		ItemID: "i1", Dataset: "d", SourceID: "s", Transform: "t",
		Donors: []Donor{
			{DonorID: "d1", Text: "first\ndonor", Label: "base_prompt", Metadata: map[string]json.RawMessage{"n": json.RawMessage("1.50")}},
			{DonorID: "d2", Text: "zweiter Spender: Größe “20 %” <&> \u2028 \U0001F9CA \x7f\x01", Label: "base_prompt"},
		},
		Recipient: "recipient \\ \"quoted\"\t",
		Input:     "what?",
		Answers:   []string{"this", ""},
		Control:   true,
		Metadata:  map[string]json.RawMessage{"z": json.RawMessage(`{"b": [1, {"y": null, "x": true}], "a": "\u00fc"}`), "a": json.RawMessage("-0e3")},
		Version:   Version,
	}
}

func TestCanonical(t *testing.T) {
	got, err := Append(nil, full())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"answers": ["this", ""], "benchmark_version": "sembench.manifest.v1", "dataset": "d", "donor_prompts": [` +
		`{"donor_id": "d1", "label": "base_prompt", "metadata": {"n": 1.50}, "text": "first\ndonor"}, ` +
		`{"donor_id": "d2", "label": "base_prompt", "metadata": {}, "text": "zweiter Spender: Größe “20 %” <&> ` + "\u2028 \U0001F9CA \x7f" + `\u0001"}], ` +
		`"input": "what?", "item_id": "i1", "metadata": {"a": -0e3, "z": {"a": "ü", "b": [1, {"x": true, "y": null}]}}, ` +
		`"negative_control": true, "recipient_prompt": "recipient \\ \"quoted\"\t", "source_id": "s", "transform": "t"}` + "\n"
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("canonical line (-want +got):\n%s", d)
	}
	items, broken := readAll(t, NewReader(bytes.NewReader(got)))
	if len(items) != 1 || len(broken) != 0 {
		t.Fatalf("%d items, broken %v", len(items), broken)
	}
	again, err := Append(nil, items[0])
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("read and written again: %s, %v", again, err)
	}
	wantItem := full()
	wantItem.Line = 1
	// Metadata are kept as the line has them.
	wantItem.Metadata["z"] = json.RawMessage(`{"a": "ü", "b": [1, {"x": true, "y": null}]}`)
	wantItem.Donors[1].Metadata = map[string]json.RawMessage{}
	if d := cmp.Diff(wantItem, items[0]); d != "" {
		t.Errorf("item (-want +got):\n%s", d)
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Item)
		want   string
	}{
		{"recipient", func(it *Item) { it.Recipient = "\xff" }, `"recipient_prompt" is not valid UTF-8`},
		{"donor", func(it *Item) { it.Donors[1].Text = "a\xc0" }, `"text" is not valid UTF-8`},
		{"metadata", func(it *Item) { it.Metadata["q"] = json.RawMessage("{") }, `metadata "q" are not JSON`},
		{"two values", func(it *Item) { it.Metadata["q"] = json.RawMessage("1 2") }, `metadata "q" are not JSON`},
		{"metadata of no UTF-8", func(it *Item) { it.Metadata["q"] = json.RawMessage("\"\xff\"") }, `metadata "q" are not JSON`},
		{"no value", func(it *Item) { it.Metadata["q"] = nil }, `metadata "q" are not JSON`},
	} {
		it := full()
		tt.change(it)
		b, err := Append([]byte("before"), it)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if string(b) != "before" {
			t.Errorf("%s: appended %q", tt.name, b)
		}
	}
}

// TestReferenceFixture reads and writes the reference manifest: every byte
// stays, so that its digest is the published one.
func TestReferenceFixture(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/reuse/fixture-v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const published = "37c8222381a14888ce34faeaa0e4a347c802811c2cb4ded492fdc439e6433482"
	var out []byte
	s, broken, err := CheckAll(bytes.NewReader(raw), 1, func(it *Item, _ *Reader) error {
		var err error
		out, err = Append(out, it)
		return err
	})
	if err != nil || len(broken) > 0 {
		t.Fatal(err, broken)
	}
	if s.SHA256 != "sha256:"+published {
		t.Errorf("digest %s", s.SHA256)
	}
	if sum := sha256.Sum256(out); hex.EncodeToString(sum[:]) != published {
		t.Errorf("the manifest changed when it was written again: %x", sum)
	}
	if s.Items != 16 || s.Controls != 2 || s.Donors != 22 || len(s.Transforms) != 8 || len(s.Warnings) != 0 || s.OwnSource.N+s.Unnamed.N+s.Donorless.N != 0 {
		t.Errorf("summary %+v", s)
	}
}

func TestStableID(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		StableID []struct {
			Parts []string
			ID    string
		} `json:"stable_id"`
	}
	if err := json.Unmarshal(raw, &v); err != nil || len(v.StableID) == 0 {
		t.Fatal(err, len(v.StableID))
	}
	for _, x := range v.StableID {
		if got := StableID(x.Parts...); got != x.ID {
			t.Errorf("StableID(%q) = %s, want %s", x.Parts, got, x.ID)
		}
	}
}

func TestStableIDTellsPartsApart(t *testing.T) {
	if got := StableID("a", "b"); got != "f04cdced9736a69d" {
		t.Errorf("got %s", got)
	}
	if StableID("a", "b") == StableID("ab") || StableID("a", "b") == StableID("b", "a") || len(StableID()) != 16 {
		t.Error("parts are not told apart")
	}
}

const minimal = `{"item_id": "a", "dataset": "", "source_id": "s", "transform": "t", "recipient_prompt": "r"}`

func TestTolerant(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"as it is", minimal + "\n"},
		{"no line end", minimal},
		{"carriage return", minimal + "\r\n"},
		{"byte order mark", "\xef\xbb\xbf" + minimal + "\n"},
		{"blank lines", "\n  \n" + minimal + "\n\t\r\n\n"},
		{"white space", "  " + strings.ReplaceAll(minimal, ":", " :\t") + "  \n"},
		{"nulls", strings.Replace(minimal, "{", `{"donor_prompts": null, "input": null, "answers": null, "negative_control": null, "metadata": null, "benchmark_version": null, `, 1)},
		{"empty members", strings.Replace(minimal, "{", `{"donor_prompts": [], "input": "", "answers": [], "negative_control": false, `, 1)},
	} {
		items, broken := readAll(t, NewReader(strings.NewReader(tt.text)))
		if len(items) != 1 || len(broken) != 0 {
			t.Errorf("%s: %d items, broken %v", tt.name, len(items), broken)
			continue
		}
		want := &Item{ItemID: "a", SourceID: "s", Transform: "t", Recipient: "r", Line: items[0].Line}
		if d := cmp.Diff(want, items[0]); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestLineErrors(t *testing.T) {
	with := func(member string) string { return strings.Replace(minimal, "{", "{"+member+", ", 1) }
	without := func(member string) string { return strings.Replace(minimal, `"`+member+`"`, `"x"`, 1) }
	donor := func(d string) string {
		return with(`"donor_prompts": [{"donor_id": "d", "text": "t", "label": ""}, ` + d + `]`)
	}
	for _, tt := range []struct{ name, line, key, want string }{
		{"no object", `["a"]`, "", "is not a JSON object"},
		{"cut off", minimal[:len(minimal)-1], "", "the line ends"},
		{"something behind", minimal + "}", "", "after the object"},
		{"no JSON", strings.Replace(minimal, ":", "=", 1), "", "at byte 11"},
		{"trailing comma", strings.Replace(minimal, "}", ",}", 1), "", "where a string has to be"},
		{"not UTF-8", strings.Replace(minimal, "\"r\"", "\"\xff\"", 1), "", "not valid UTF-8"},
		{"item_id", without("item_id"), "item_id", `"item_id" is missing`},
		{"dataset", without("dataset"), "dataset", `"dataset" is missing`},
		{"source_id", without("source_id"), "source_id", `"source_id" is missing`},
		{"transform", without("transform"), "transform", `"transform" is missing`},
		{"recipient", without("recipient_prompt"), "recipient_prompt", `"recipient_prompt" is missing`},
		{"empty recipient", strings.Replace(minimal, `"r"`, `""`, 1), "recipient_prompt", "is empty"},
		{"null recipient", strings.Replace(minimal, `"r"`, `null`, 1), "recipient_prompt", "there is null"},
		{"keys have a case", strings.Replace(minimal, "item_id", "Item_ID", 1), "item_id", "is missing"},
		{"type of item_id", strings.Replace(minimal, `"a"`, `7`, 1), "item_id", "has to be a string, and there is a number"},
		{"type of input", with(`"input": ["x"]`), "input", "there is a list"},
		{"type of answers", with(`"answers": "x"`), "answers", "list of strings, and there is a string"},
		{"type of an answer", with(`"answers": ["x", null]`), "answers", "there is null"},
		{"type of negative_control", with(`"negative_control": "true"`), "negative_control", "true or false, and there is a string"},
		{"number as truth", with(`"negative_control": 1`), "negative_control", "true or false"},
		{"type of metadata", with(`"metadata": []`), "metadata", "has to be an object"},
		{"metadata twice", with(`"metadata": {"a": 1, "a": 2}`), "metadata", `has "a" twice`},
		{"type of donors", with(`"donor_prompts": {}`), "donor_prompts", "list of objects"},
		{"type of a donor", donor(`"x"`), "donor_prompts", "donor 2: it has to be an object"},
		{"donor without text", donor(`{"donor_id": "e", "label": "l"}`), "text", `donor 2: "text" is missing`},
		{"donor with empty text", donor(`{"donor_id": "e", "label": "l", "text": ""}`), "text", `missing or empty`},
		{"donor without name", donor(`{"text": "e", "label": "l"}`), "donor_id", `donor 2: "donor_id" is missing`},
		{"donors of one name", donor(`{"donor_id": "d", "text": "e", "label": "l"}`), "donor_prompts", `two donors have the donor_id "d"`},
		{"donor's text", donor(`{"donor_id": "e", "text": 3, "label": "l"}`), "text", `donor 2: "text" has to be a string`},
		{"version", with(`"benchmark_version": "sembench.manifest.v2"`), "benchmark_version", `version "sembench.manifest.v2"`},
		{"empty version", with(`"benchmark_version": ""`), "benchmark_version", `is empty`},
		{"member twice", with(`"transform": "u"`), "transform", `"transform" is there twice`},
		{"half a character", strings.Replace(minimal, `"r"`, `"r\ud83d"`, 1), "", "half of a surrogate pair"},
		{"halves in the wrong order", strings.Replace(minimal, `"r"`, `"\udc00\ud83d"`, 1), "", "half of a surrogate pair"},
		{"no escape", strings.Replace(minimal, `"r"`, `"\x41"`, 1), "", `\x is no escape`},
		{"short escape", strings.Replace(minimal, `"r"`, `"\u12"`, 1), "", "four hexadecimal digits"},
		{"a bare tab", strings.Replace(minimal, `"r"`, "\"a\tb\"", 1), "", `write it as \t`},
		{"NaN", with(`"x": NaN`), "", "where a value has to be"},
		{"leading zero", with(`"x": 01`), "", "at byte"},
		{"depth", with(`"x": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300)), "", "nested"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, broken := readAll(t, NewReader(strings.NewReader("\n"+tt.line+"\n"+strings.Replace(minimal, `"a"`, `"b"`, 1)+"\n")))
			if len(broken) != 1 || len(items) != 1 || items[0].ItemID != "b" || items[0].Line != 3 {
				t.Fatalf("%d items, broken %v", len(items), broken)
			}
			if e := broken[0]; e.Line != 2 || e.Key != tt.key || !strings.Contains(e.Error(), tt.want) {
				t.Errorf("line %d, key %q: %v\nwant line 2, key %q: %s", e.Line, e.Key, e, tt.key, tt.want)
			}
		})
	}
}

func TestDuplicateNamesBothLines(t *testing.T) {
	_, err := Check(strings.NewReader(minimal + "\n\n" + strings.Replace(minimal, `"a"`, `"b"`, 1) + "\n" + minimal + "\n"))
	var line *LineError
	if !errors.As(err, &line) || line.Line != 4 || line.Key != "item_id" || !strings.Contains(line.Reason, `"a" was used in line 1`) {
		t.Errorf("got %v", err)
	}
}

func TestWarnings(t *testing.T) {
	text := strings.Replace(minimal, "{", `{"note": {"x": [1]}, "donor_prompts": [{"donor_id": "d", "text": "t", "lable": "x"}], `, 1) + "\n" +
		strings.Replace(strings.Replace(minimal, `"a"`, `"b"`, 1), "{", `{"note": 1, "later": "", `, 1)
	s, err := Check(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Warning{
		{"donor", "label", "missing", 1, 1},
		{"donor", "lable", "unknown", 1, 1},
		{"item", "note", "unknown", 1, 2},
		{"item", "later", "unknown", 2, 1},
	}
	if d := cmp.Diff(want, s.Warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
	if got := s.Warnings[2].String(); got != `line 1: the key "note" of items is not known and was left out (2 times)` {
		t.Error(got)
	}
}

// The keys that are named as known are those that are.
func TestKeys(t *testing.T) {
	for _, where := range []string{"item", "donor"} {
		for _, key := range Keys(where) {
			members, donor := "", `"donor_id": "d", "text": "t", "label": ""`
			if where == "item" && !strings.Contains(minimal, `"`+key+`"`) && key != "donor_prompts" {
				members = `"` + key + `": null, `
				if key == "benchmark_version" {
					members = `"` + key + `": "` + Version + `", `
				}
			}
			if where == "donor" && !strings.Contains(donor, `"`+key+`"`) {
				donor += `, "` + key + `": null`
			}
			s, err := Check(strings.NewReader(strings.Replace(minimal, "{", `{`+members+`"donor_prompts": [{`+donor+`}], `, 1)))
			if err != nil || len(s.Warnings) != 0 {
				t.Errorf("%s of a %s: %v, %+v", key, where, err, s)
			}
		}
	}
	if Keys("document") != nil {
		t.Error("a manifest has no documents")
	}
}

func TestWarningsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 4 * MaxWarnings {
		fmt.Fprintf(&b, `"k%d": 1, `, i)
	}
	s, err := Check(strings.NewReader(strings.Replace(minimal, "{", "{"+b.String(), 1)))
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, w := range s.Warnings {
		sum += w.N
	}
	if len(s.Warnings) != MaxWarnings+1 || sum != 4*MaxWarnings {
		t.Errorf("%d warnings of %d keys", len(s.Warnings), sum)
	}
}

func TestControlsOfASummary(t *testing.T) {
	item := func(id, members string) string {
		return strings.Replace(strings.Replace(minimal, `"a"`, `"`+id+`"`, 1), "{", `{"negative_control": true, `+members, 1) + "\n"
	}
	donor := func(metadata string) string {
		return `"donor_prompts": [{"donor_id": "d", "text": "t", "label": "", "metadata": ` + metadata + `}], `
	}
	s, err := Check(strings.NewReader(
		item("good", donor(`{"negative_source_id": "other"}`)) +
			item("by item", donor(`{}`)+`"metadata": {"negative_source_id": "other"}, `) +
			item("own", donor(`{"negative_source_id": "s"}`)) +
			item("unnamed", donor(`{}`)) +
			item("both", donor(`{"negative_source_id": "other"}`)+`"metadata": {"negative_source_id": "s"}, `) +
			item("number", donor(`{"negative_source_id": 7}`)) +
			item("none", "")))
	if err != nil {
		t.Fatal(err)
	}
	if s.Controls != 7 || s.OwnSource != (Controls{1, 3, "own"}) || s.Unnamed != (Controls{2, 4, "unnamed"}) || s.Donorless != (Controls{1, 7, "none"}) {
		t.Errorf("%+v", s)
	}
	if d := cmp.Diff([]Transform{{"t", 7, 6, 7}}, s.Transforms); d != "" {
		t.Error(d)
	}
}

func TestCheckAllGoesOn(t *testing.T) {
	text := "{}\n" + minimal + "\n[]\n{}\n"
	s, broken, err := CheckAll(strings.NewReader(text), 10, nil)
	if err != nil || len(broken) != 3 || s.Items != 1 || s.SHA256 == "" {
		t.Errorf("%+v, %v, %v", s, broken, err)
	}
	s, broken, err = CheckAll(strings.NewReader(text), 2, nil)
	if err != nil || len(broken) != 2 || s.SHA256 != "" {
		t.Errorf("%+v, %v, %v", s, broken, err)
	}
}

func TestReadErrorIsNoEnd(t *testing.T) {
	r := NewReader(io.MultiReader(strings.NewReader(minimal+"\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Next(); err != io.ErrUnexpectedEOF {
			t.Errorf("got %v", err)
		}
	}
	// Half a line before the error is no line.
	r = NewReader(io.MultiReader(strings.NewReader(minimal), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if it, err := r.Next(); err != io.ErrUnexpectedEOF {
		t.Errorf("got %v, %v", it, err)
	}
}

func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MiB")
	}
	// The bound itself is a line, whatever its end.
	text := strings.Replace(minimal, "{", "{"+strings.Repeat(" ", MaxLine-len(minimal)), 1)
	for _, end := range []string{"", "\n", "\r\n"} {
		if items, broken := readAll(t, NewReader(strings.NewReader(text+end))); len(items) != 1 || len(broken) > 0 {
			t.Errorf("a line of the bound: %d items, %v", len(items), broken)
		}
	}
	if items, broken := readAll(t, NewReader(io.MultiReader(strings.NewReader("   "), strings.NewReader(text)))); len(items) != 0 || len(broken) != 1 {
		t.Errorf("a line beyond the bound: %d items, %v", len(items), broken)
	}
	long := strings.NewReader(strings.Repeat(" ", 1<<20))
	var parts []io.Reader
	parts = append(parts, strings.NewReader("{"))
	for range MaxLine>>20 + 1 {
		parts = append(parts, io.NewSectionReader(long, 0, 1<<20))
	}
	parts = append(parts, strings.NewReader("}\n"+minimal))
	items, broken := readAll(t, NewReader(io.MultiReader(parts...)))
	if len(items) != 1 || items[0].Line != 2 || len(broken) != 1 || !strings.Contains(broken[0].Reason, "longer than 64 MiB") {
		t.Errorf("%d items, %v", len(items), broken)
	}
}

// endless gives n lines of about 16 kB.
type endless struct {
	n, i int
	rest []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		if e.i == e.n {
			return 0, io.EOF
		}
		e.i++
		text := strings.Repeat("A sentence with a few words in it, and an end.\n", 160)
		it := &Item{ItemID: fmt.Sprint("item-", e.i), SourceID: "s", Transform: "t", Recipient: text, Donors: []Donor{{DonorID: "d", Text: text, Label: "base_prompt"}}}
		e.rest, _ = Append(e.rest[:0], it)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestFlatMemory reads 64 MB and looks at the heap on the way.
func TestFlatMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MB")
	}
	var m runtime.MemStats
	var first, most uint64
	n := 0
	s, broken, err := CheckAll(&endless{n: 4300}, 1, func(*Item, *Reader) error {
		if n++; n%500 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			if first == 0 {
				first = m.HeapAlloc
			}
			most = max(most, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || len(broken) > 0 || s.Bytes < 64e6 {
		t.Fatal(s, broken, err)
	}
	t.Logf("%d bytes, %d items: live heap %d kB at first, %d kB at most", s.Bytes, s.Items, first>>10, most>>10)
	if most > first+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes over 64 MB", first, most)
	}
}

func BenchmarkReader(b *testing.B) {
	raw, err := io.ReadAll(&endless{n: 500})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, broken := readAll(b, NewReader(bytes.NewReader(raw))); len(broken) > 0 {
			b.Fatal(broken)
		}
	}
}

// BenchmarkFloor is what reading through and hashing alone cost.
func BenchmarkFloor(b *testing.B) {
	raw, err := io.ReadAll(&endless{n: 500})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{NewDigest(bytes.NewReader(raw))}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	items, _ := readAll(b, NewReader(&endless{n: 100}))
	var buf []byte
	for b.Loop() {
		buf = buf[:0]
		for _, it := range items {
			buf, _ = Append(buf, it)
		}
	}
	b.SetBytes(int64(len(buf)))
}

// FuzzReader: what is read is what encoding/json reads, and it survives being
// written and read again.
func FuzzReader(f *testing.F) {
	line, err := Append(nil, full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add([]byte(minimal))
	f.Add([]byte(strings.Replace(minimal, `"r"`, `"\ud83e\uddca\/\b\f"`, 1)))
	f.Add([]byte("\xef\xbb\xbf\r\n" + minimal + "\n" + minimal))
	f.Fuzz(func(t *testing.T, text []byte) {
		items, _ := readAll(t, NewReader(bytes.NewReader(text)))
		var out []byte
		for _, it := range items {
			var err error
			if out, err = Append(out, it); err != nil {
				t.Fatalf("an item that was read cannot be written: %v", err)
			}
			if len(items) == 1 && bytes.Count(text, []byte("\n")) == 0 {
				same(t, text, it)
			}
		}
		again, broken := readAll(t, NewReader(bytes.NewReader(out)))
		if len(broken) > 0 || len(again) != len(items) {
			t.Fatalf("written items cannot be read: %v", broken)
		}
		var twice []byte
		for _, it := range again {
			twice, _ = Append(twice, it)
		}
		if !bytes.Equal(out, twice) {
			t.Errorf("writing is not stable:\n%s\n%s", out, twice)
		}
	})
}

func same(t *testing.T, text []byte, it *Item) {
	t.Helper()
	var want map[string]json.RawMessage
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatalf("the line is no JSON, and an item was read from it: %v", err)
	}
	for key, got := range map[string]string{"item_id": it.ItemID, "recipient_prompt": it.Recipient, "source_id": it.SourceID} {
		var s string
		if err := json.Unmarshal(want[key], &s); err != nil || s != got {
			t.Errorf("%s is %q, want %q (%v)", key, got, s, err)
		}
	}
}
