package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/refdata"
	"github.com/fdbench/fdbench/stdlib/text"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, in string
		rows     []Row
		problems []string // parts of the messages, with line numbers
	}{
		{"plain", "{\"response\":\"a\"}\n{\"id\":\"x\",\"prompt\":\"p\",\"response\":\"b\",\"label\":\"l\"}\n",
			[]Row{{ID: "line-1", Response: "a", Line: 1}, {ID: "x", Prompt: "p", Response: "b", Label: "l", Line: 2}}, nil},
		{"no newline at the end", `{"response":"a"}`, []Row{{ID: "line-1", Response: "a", Line: 1}}, nil},
		{"byte order mark, CRLF, blank lines", "\xef\xbb\xbf{\"response\":\"a\"}\r\n\r\n  \n{\"response\":\"b\"}\r\n",
			[]Row{{ID: "line-1", Response: "a", Line: 1}, {ID: "line-4", Response: "b", Line: 4}}, nil},
		{"extra fields", `{"response":"a","model":"m","usage":{"n":1}}`, []Row{{ID: "line-1", Response: "a", Line: 1}}, nil},
		{"empty response is a response", `{"response":""}`, []Row{{ID: "line-1", Line: 1}}, nil},
		{"null optional fields", `{"response":"a","prompt":null,"id":null,"label":null}`, []Row{{ID: "line-1", Response: "a", Line: 1}}, nil},
		{"number as id", `{"response":"a","id":17}`, []Row{{ID: "17", Response: "a", Line: 1}}, nil},
		{"empty file", "", nil, nil},
		{"broken line in between", "{\"response\":\"a\"}\n{\"response\":\n{\"response\":\"c\"}\n",
			[]Row{{ID: "line-1", Response: "a", Line: 1}, {ID: "line-3", Response: "c", Line: 3}}, []string{"line 2: the line is not valid JSON"}},
		{"not an object", "[1]\n\"x\"\n", nil, []string{"line 1: the line is not a JSON object", "line 2: the line is not a JSON object"}},
		{"response missing", `{"text":"a"}`, nil, []string{`line 1: the field "response" is missing`}},
		{"response null", `{"response":null}`, nil, []string{`line 1: the field "response" must be a string`}},
		{"wrong types", "{\"response\":1}\n{\"response\":\"a\",\"prompt\":[]}\n{\"response\":\"a\",\"id\":{}}",
			nil, []string{`line 1: the field "response"`, `line 2: the field "prompt"`, `line 3: the field "id"`}},
		{"duplicate id", "{\"id\":\"x\",\"response\":\"a\"}\n{\"id\":\"x\",\"response\":\"b\"}\n",
			[]Row{{ID: "x", Response: "a", Line: 1}}, []string{`line 2: the id "x" was used in line 1 already`}},
		{"not UTF-8", "{\"response\":\"\xff\"}\n", nil, []string{"line 1: the line is not valid UTF-8"}},
		{"two objects on a line", `{"response":"a"}{"response":"b"}`, nil, []string{"line 1: the line is not valid JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, problems := Read(strings.NewReader(c.in))
			if d := cmp.Diff(c.rows, rows); d != "" {
				t.Errorf("rows (-want +got):\n%s", d)
			}
			if len(problems) != len(c.problems) {
				t.Fatalf("problems %v, want %q", problems, c.problems)
			}
			for i, p := range problems {
				if !strings.Contains(p.String(), c.problems[i]) {
					t.Errorf("problem %q, want %q", p, c.problems[i])
				}
			}
			again, _ := Read(iotest.OneByteReader(strings.NewReader(c.in)))
			if d := cmp.Diff(rows, again); d != "" {
				t.Errorf("read byte by byte (-whole +bytes):\n%s", d)
			}
		})
	}
}

func TestReadLongLines(t *testing.T) {
	long := strings.Repeat("word ", 1<<20)
	rows, problems := Read(strings.NewReader(`{"response":"` + long + "\"}\n{\"response\":\"b\"}"))
	if len(rows) != 2 || len(problems) != 0 || rows[0].Response != long {
		t.Fatalf("%d rows, problems %v", len(rows), problems)
	}
	in := io.MultiReader(strings.NewReader("{\"response\":\"a\"}\n"), io.LimitReader(endless{}, MaxLine+10), strings.NewReader("\n{\"response\":\"c\"}\n"))
	rows, problems = Read(in)
	if len(rows) != 2 || rows[1].Response != "c" || rows[1].Line != 3 {
		t.Errorf("rows %+v", rows)
	}
	if len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Message, "longer than 64 MB") {
		t.Errorf("problems %v", problems)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadFailure(t *testing.T) {
	rows, problems := Read(io.MultiReader(strings.NewReader("{\"response\":\"a\"}\n"), iotest.ErrReader(errors.New("disk gone"))))
	if len(rows) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Message, "disk gone") {
		t.Errorf("rows %v, problems %v", rows, problems)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("{\"response\":\"a\"}\r\n\n{\"response\":1}\n")
	f.Add("\xef\xbb\xbf{}")
	f.Add(`{"id":1e400,"response":"\ud800"}`)
	f.Fuzz(func(t *testing.T, in string) {
		rows, problems := Read(strings.NewReader(in))
		// Every line that is not blank is accounted for exactly once.
		at := map[int]int{}
		ids := map[string]bool{}
		for _, r := range rows {
			at[r.Line]++
			if r.ID == "" || ids[r.ID] {
				t.Errorf("id %q is empty or used twice", r.ID)
			}
			ids[r.ID] = true
		}
		for _, p := range problems {
			at[p.Line]++
			if p.Message == "" {
				t.Error("a problem without a message")
			}
		}
		for i, line := range strings.Split(strings.TrimPrefix(in, "\xef\xbb\xbf"), "\n") {
			want := 1
			if len(strings.TrimSpace(line)) == 0 {
				want = 0
			}
			if at[i+1] != want {
				t.Errorf("line %d %q is reported %d times, want %d", i+1, line, at[i+1], want)
			}
		}
	})
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		scores []int32
		mean   string
		sd     string
	}{
		{nil, "0", ""},
		{[]int32{7}, "7", ""},
		{[]int32{0, 1, 0, 0}, "0.25", "0.5"},
		{[]int32{2, 4, 4, 4, 5, 5, 7, 9}, "5", "2.138089"},
		{[]int32{1, 1, 0}, "2/3", "0.57735"},
		{[]int32{2147483647, 2147483647}, "2147483647", "0"},
	} {
		s := Summarize(c.scores)
		if s.Mean.String() != c.mean || s.SD != c.sd || s.N != len(c.scores) {
			t.Errorf("Summarize(%v) = mean %s sd %s n %d, want %s, %s", c.scores, s.Mean, s.SD, s.N, c.mean, c.sd)
		}
	}
}

func TestScoreAndTwins(t *testing.T) {
	rows := []Row{{ID: "a", Prompt: "What is a pump?", Response: "A pump moves water."}, {ID: "b", Response: "Yes."}, {ID: "c", Response: "A pump moves water."}}
	count := func(r text.Response) int32 { return int32(len(r.Text) + len(r.Prompt)) }
	if got := Score(rows, count); !cmp.Equal(got, []int32{34, 4, 19}) {
		t.Errorf("scores %v", got)
	}
	show := func(r text.Response, seed uint64) string { return fmt.Sprint(r.Text, seed) }
	one := Twins(rows, show, "s")
	if one[0][len("A pump moves water."):] == one[2][len("A pump moves water."):] {
		t.Error("two rows got the same seed")
	}
	if back := Twins([]Row{rows[2], rows[0]}, show, "s"); back[0] != one[2] || back[1] != one[0] {
		t.Error("a twin depends on the order of the rows")
	}
	if other := Twins(rows, show, "t"); other[0] == one[0] {
		t.Error("a twin does not depend on the seed")
	}
}

func TestReplace(t *testing.T) {
	rows := []Row{{ID: "a", Prompt: "p", Response: "1", Line: 1}, {ID: "line-2", Prompt: "q", Response: "2", Line: 2}, {ID: "c", Prompt: "r", Response: "3", Line: 3}, {ID: "d", Response: "4", Line: 4}}
	other := []Row{{ID: "a", Prompt: "p", Response: "one"}, {ID: "line-2", Prompt: "x", Response: "wrong"}, {ID: "line-9", Prompt: "q", Response: "two"}}
	got, problems := Replace(rows, other)
	if d := cmp.Diff([]string{"one", "two", "3", "4"}, got); d != "" {
		t.Errorf("responses (-want +got):\n%s", d)
	}
	if len(problems) != 2 || problems[0].Line != 3 || !strings.Contains(problems[0].Message, `"c"`) || problems[1].Line != 4 {
		t.Errorf("problems %v", problems)
	}
}

// TestRealFiles: the pairs of reference files answer each other without a gap,
// and the summary of the label is what their description says.
func TestRealFiles(t *testing.T) {
	load := func(name string) []Row {
		f, err := os.Open(refdata.Path(t, "data/responses/"+name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, problems := Read(f)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", name, problems)
		}
		return rows
	}
	plain, guarded := load("xstest-mistral-7b-instruct"), load("xstest-mistral-7b-guarded")
	if len(plain) != 450 || len(guarded) != 450 {
		t.Fatalf("%d and %d rows, want 450", len(plain), len(guarded))
	}
	swapped, problems := Replace(plain, guarded)
	if len(problems) > 0 {
		t.Fatalf("problems %v", problems)
	}
	refused := func(rows []Row) exact.Number {
		return Summarize(Score(rows, func(r text.Response) int32 {
			if text.Refused(r) {
				return 1
			}
			return 0
		})).Mean
	}
	before := refused(plain)
	for i := range plain {
		plain[i].Response = swapped[i]
	}
	after := refused(plain)
	t.Logf("refusal rate %s, and %s from the other file", before.Decimal(3), after.Decimal(3))
	if after.Sub(before).Cmp(exact.Frac(1, 4)) < 0 {
		t.Errorf("the refusal rate goes from %s to %s, want a rise of a quarter at least", before, after)
	}
}
