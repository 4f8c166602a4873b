package predicate

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/expr-lang/expr"

	"github.com/fdbench/fdbench/lang/internal/condition"
)

var firing = Signal{
	Type: "alert", Component: "alerts", Status: "firing", Value: "0.17", Reason: "0.17 > 0.12", Repeat: true,
	Labels: map[string]string{"alertname": "RefusalsHigh", "severity": "page", "not-plain": "x"},
}

var refusal = Fault{Class: "refusal", Indicator: "refusal_rate", Profile: "step"}

func TestAttribution(t *testing.T) {
	for _, tt := range []struct {
		src       string
		want      bool
		canonical string
	}{
		{`signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'`, true, `signal.labels.alertname == "RefusalsHigh" and signal.status == "firing"`},
		{`signal.labels["alertname"]=="Other"`, false, `signal.labels.alertname == "Other"`},
		{`signal.labels["not-plain"] == "x"`, true, `signal.labels["not-plain"] == "x"`},
		{`signal.labels.absent == ""`, true, ""},
		{`"severity" in signal.labels`, true, ""},
		{`"team" not in signal.labels`, true, ""},
		{`len(signal.labels) == 3`, true, ""},
		{`signal.labels.severity in ["page", 'ticket']`, true, `signal.labels.severity in ["page", "ticket"]`},
		{`signal.labels.severity not in ["ticket"]`, true, ""},
		{`signal.repeat`, true, ""},
		{`!signal.no_data && signal.repeat`, true, `not signal.no_data and signal.repeat`},
		{`not (signal.type == "alert")`, false, ""},
		{`signal.type != "alert" || signal.repeat == true`, true, `signal.type != "alert" or signal.repeat == true`},
		{`lower(fault.class) == lower("REFUSAL")`, true, ""},
		{`signal.labels.alertname contains "Refusals" and fault.indicator startsWith "refusal"`, true, ""},
		{`signal.reason endsWith "0.12"`, true, ""},
		{`signal.reason matches "^[0-9.]+ > "`, true, ""},
		{`signal.reason not matches "never"`, true, ""},
		{`(signal.repeat or signal.no_data) and fault.class == "x"`, false, ""},
		{`signal.repeat or signal.no_data and fault.class == "x"`, true, `signal.repeat or (signal.no_data and fault.class == "x")`},
		{`signal.type == "é\u00e9\n\"" /* a comment */`, false, "signal.type == \"éé\\n\\\"\""},
		{`trim(" a ") == "a"`, true, ""},
		{`len(signal.type) > 4.5`, true, ""},
		{`1 < len(signal.type) < 9`, true, `1 < len(signal.type) and len(signal.type) < 9`},
		{`true`, true, ""},
	} {
		a, err := CompileAttribution(tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		got, merr := a.Match(firing, refusal)
		if merr != nil || got != tt.want {
			t.Errorf("%s is %v: %v", tt.src, got, merr)
		}
		canonical := tt.canonical
		if canonical == "" {
			canonical = tt.src
		}
		if a.Text() != canonical {
			t.Errorf("%s is written as %s, want %s", tt.src, a.Text(), canonical)
		}
		again, err := CompileAttribution(a.Text())
		if err != nil || again.Text() != a.Text() {
			t.Errorf("%s does not read back: %v", a.Text(), err)
		}
		// What was written means the same to expr as its canonical text.
		program, cerr := expr.Compile(tt.src, expr.Env(&attributionEnv{}), expr.AsBool())
		if cerr != nil {
			t.Errorf("%s: %v", tt.src, cerr)
			continue
		}
		if out, rerr := expr.Run(program, &attributionEnv{firing, refusal}); rerr != nil || out != tt.want {
			t.Errorf("%s is %v to expr: %v", tt.src, out, rerr)
		}
	}
}

func TestResponse(t *testing.T) {
	r := NewResponse("Why?", "I am sorry,\nbut  no.\n")
	if r.Words != 5 || r.Lines != 2 || r.Characters != 21 || r.Prompt != "Why?" {
		t.Errorf("%+v", r)
	}
	for src, want := range map[string]bool{
		`response.words < 3`:                                      false,
		`response.words == 5`:                                     true,
		`response.words in [4, 5]`:                                true,
		`response.lines >= 2 and response.characters <= 21`:       true,
		`lower(response.text) contains "i am sorry"`:              true,
		`response.text matches "(?i)^i(’|')?m|^i am sorry"`:       true,
		`response.prompt == "Why?" and not (response.text == "")`: true,
	} {
		p, err := CompileResponse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, merr := p.Match(r); merr != nil || got != want {
			t.Errorf("%s is %v: %v", src, got, merr)
		}
	}
	if _, err := CompileResponse(`signal.status == "firing"`); err == nil {
		t.Error("a response condition knows signals")
	}
}

func TestCountsOfAResponse(t *testing.T) {
	for text, want := range map[string][3]int{
		"":                {0, 0, 0},
		" ":               {0, 1, 1},
		"a":               {1, 1, 1},
		"a\n":             {1, 2, 1},
		"a\n\nb":          {2, 4, 3},
		"é 漢字":            {2, 4, 1},
		"a\u00a0b\u3000c": {3, 5, 1},
	} {
		r := NewResponse("", text)
		if got := [3]int{r.Words, r.Characters, r.Lines}; got != want || r.Words != len(strings.Fields(text)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestConstantConditions(t *testing.T) {
	for src, want := range map[string]truth{
		`true`:                       always,
		`false`:                      never,
		`not false`:                  always,
		`1 == 1`:                     always,
		`"a" in ["b"]`:               never,
		`len("abc") > 2`:             always,
		`true or signal.repeat`:      always,
		`signal.repeat or 2 > 1`:     always,
		`false and signal.repeat`:    never,
		`true and true`:              always,
		`signal.type == signal.type`: always,
		`signal.type != signal.type`: never,
		`signal.type contains ""`:    always,
		`signal.repeat`:              open,
		`true and signal.repeat`:     open,
		`signal.type == "alert"`:     open,
		`not (signal.type == signal.type) or signal.repeat`: open,
	} {
		a, err := CompileAttribution(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if a.c.truth != want || a.ConstantTrue() != (want == always) || a.ConstantFalse() != (want == never) {
			t.Errorf("%s: %v, want %v", src, a.c.truth, want)
		}
	}
}

func TestUsesFault(t *testing.T) {
	for src, want := range map[string]bool{
		`signal.labels.class == fault.class`: true,
		`signal.repeat`:                      false,
		`signal.reason == "fault.class"`:     false,
	} {
		if a, err := CompileAttribution(src); err != nil || a.UsesFault() != want {
			t.Errorf("%s uses the fault: %v (%v)", src, !want, err)
		}
	}
}

func TestErrorsCountInBytes(t *testing.T) {
	src := `signal.type == "é漢👨" and sgnal.type == "x"`
	_, err := CompileAttribution(src)
	if err == nil || src[err.Offset:err.End] != "sgnal" {
		t.Errorf("%+v", err)
	}
}

func TestMatchIsSafeForSeveralGoroutines(t *testing.T) {
	a, err := CompileAttribution(`signal.labels.alertname == fault.class`)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := strings.Repeat("x", i+1)
			for n := range 500 {
				s := Signal{Labels: map[string]string{"alertname": name}}
				f := Fault{Class: strings.Repeat("x", n%8+1)}
				if got, err := a.Match(s, f); err != nil || got != (name == f.Class) {
					t.Errorf("%q and %q: %v %v", name, f.Class, got, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestGrammarNamesEveryField(t *testing.T) {
	for _, group := range [][]*record{attributionRecords, responseRecords} {
		for _, r := range group {
			for _, f := range r.fields {
				if !strings.Contains(Grammar(), "  "+r.name+"."+f.name+" ") {
					t.Errorf("%s.%s is not in the grammar", r.name, f.name)
				}
			}
		}
	}
	for _, f := range functions {
		if !strings.Contains(Grammar(), `"`+f+`"`) {
			t.Errorf("%s is not in the grammar", f)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, h := range hostile {
		if len(h.src) < 200 {
			f.Add(h.src)
		}
	}
	f.Add(`signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'`)
	f.Add(`not (signal.type in ["a", "b"]) or lower(fault.class) matches "^a|b$"`)
	f.Add(`signal.labels["x y"] contains "z" && !signal.repeat`)
	f.Fuzz(func(t *testing.T, src string) {
		a, err := CompileAttribution(src)
		if err != nil {
			if err.Offset < 0 || err.End < err.Offset || err.End > len(src) || err.Message == "" || err.Remedy == "" {
				t.Fatalf("%q: %+v", src, err)
			}
			if utf8.ValidString(src) && (!utf8.ValidString(src[:err.Offset]) || !utf8.ValidString(src[:err.End])) {
				t.Fatalf("%q: %d..%d splits a character", src, err.Offset, err.End)
			}
			return
		}
		got, merr := a.Match(firing, refusal)
		if merr != nil {
			t.Fatalf("%q fails: %v", src, merr)
		}
		again, err := CompileAttribution(a.Text())
		if err != nil || again.Text() != a.Text() {
			// A condition may be longer in its canonical text than is allowed.
			if len(a.Text()) <= condition.MaxSource {
				t.Fatalf("%q is %q, which does not read back: %v", src, a.Text(), err)
			}
			return
		}
		if same, merr := again.Match(firing, refusal); merr != nil || same != got {
			t.Fatalf("%q is %v, and %q is %v: %v", src, got, a.Text(), same, merr)
		}
		if a.ConstantTrue() && !got || a.ConstantFalse() && got {
			t.Fatalf("%q is said to be constant and is %v", src, got)
		}
		program, cerr := expr.Compile(src, expr.Env(&attributionEnv{}), expr.AsBool())
		if cerr != nil {
			t.Fatalf("%q: %v", src, cerr)
		}
		if out, rerr := expr.Run(program, &attributionEnv{firing, refusal}); rerr != nil || out != got {
			t.Fatalf("%q is %v, and %v to expr: %v", src, got, out, rerr)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CompileAttribution(`signal.labels.alertname == "RefusalsHigh" and signal.status == "firing" and not signal.repeat`); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstMatch(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		a, err := CompileAttribution(`signal.labels.alertname == "RefusalsHigh" and signal.status == "firing" and not signal.no_data`)
		if err != nil {
			b.Fatal(err)
		}
		if ok, err := a.Match(firing, refusal); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	a, err := CompileAttribution(`signal.labels.alertname == "RefusalsHigh" and signal.status == "firing" and not signal.no_data`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := a.Match(firing, refusal); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
