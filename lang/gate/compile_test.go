package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// admitted are conditions with their canonical text ("" where it is the same).
var admitted = []struct{ src, canonical string }{
	{"negative_control_semantic_eligible_rate <= 0.010", "negative_control_semantic_eligible_rate <= 0.01"},
	{"hit_rate>=.5&&pairs_used>=30", "hit_rate >= 0.5 and pairs_used >= 30"},
	{"pairs_used > 1_000", "pairs_used > 1000"},
	{"pairs_used > 010", "pairs_used > 10"},
	{"pairs_used > 1e3", "pairs_used > 1000"},
	{"hit_rate > 0.10000000000000000000000000000000000001", ""},
	{"0.9 <= negative_control_ttft_speedup_mean <= 1.1", "0.9 <= negative_control_ttft_speedup_mean and negative_control_ttft_speedup_mean <= 1.1"},
	{"abs(negative_control_ttft_speedup_mean - 1) < 0.1", ""},
	{"max(ttft_cold_p50_ms, ttft_warm_p50_ms, 3) <= 500", ""},
	{"ttft_warm_p50_ms / ttft_cold_p50_ms <= 0.8", ""},
	{"ttft_warm_p50_ms <= 2 * ttft_cold_p50_ms", ""},
	{"warm_vs_cold_output_rouge_l_mean >= noise_floor_rouge_l_mean - 0.02", ""},
	{"materialized_semantic_kv_reuse", ""},
	{"!suffix_execution_proven", "not suffix_execution_proven"},
	{"not (engine_errors == 0)", ""},
	{"materialized_semantic_kv_reuse == true", ""},
	{"hit_rate > 0.5 or (pairs_used > 3 and pairs_errored < 2)", ""},
	{"hit_rate > 0.5 or pairs_used > 3 and pairs_errored < 2", "hit_rate > 0.5 or (pairs_used > 3 and pairs_errored < 2)"},
	{"(hit_rate > 0.5 or pairs_used > 3) and pairs_errored < 2", ""},
	{"(hit_rate > 0.1 and hit_rate > 0.2) and hit_rate > 0.3", "hit_rate > 0.1 and hit_rate > 0.2 and hit_rate > 0.3"},
	{"hit_rate > 0.1 or not (hit_rate > 0.2 or hit_rate > 0.3)", ""},
	{"pairs_used - (pairs_errored - pairs_unchecked) > 3", ""},
	{"pairs_used - pairs_errored - pairs_unchecked > 3", ""},
	{"pairs_used / (pairs_total / 2) > 1", ""},
	{"-semantic_eligible_lift < 0.25", ""},
	{"-(semantic_eligible_lift + 0.1) < 0.25", ""},
	{"+hit_rate > 0.5", "hit_rate > 0.5"},
	{"(hit_rate > 0.5) == (pairs_used > 3)", ""},
	{"all(transforms, .semantic_eligible_lift >= 0)", ""},
	{"all(transforms, {.semantic_eligible_lift >= 0})", "all(transforms, .semantic_eligible_lift >= 0)"},
	{"all(transforms, {#.semantic_eligible_lift >= 0})", "all(transforms, .semantic_eligible_lift >= 0)"},
	{"none(requests, .contaminated and not .failed)", ""},
	{"any(transforms, .transform == 'fuzzy_edit')", `any(transforms, .transform == "fuzzy_edit")`},
	{`all(transforms, .transform in ["negative_control", 'x'] or .exact_block_hit_rate > 0.1)`, `all(transforms, .transform in ["negative_control", "x"] or .exact_block_hit_rate > 0.1)`},
	{`all(transforms, .transform not in ["x"] or .exact_block_hit_rate > 0.1)`, ""},
	{`any(transforms, not (.transform in ["x"]))`, `any(transforms, .transform not in ["x"])`},
	{"count(requests, .failed) <= 2", ""},
	{"count(requests, .failed) / request_count <= 0.01", ""},
	{"all(filter(requests, not .negative_control), .ttft_speedup >= 0.8)", ""},
	{"all(transforms, .exact_block_hit_rate <= exact_block_hit_rate)", ""},
	{"hit_rate /* share of pairs */ > 0.5 // for now", "hit_rate > 0.5"},
}

func TestCanonicalTexts(t *testing.T) {
	for _, a := range admitted {
		c, err := Compile(a.src)
		if err != nil {
			t.Errorf("%s: %v", a.src, err)
			continue
		}
		want := a.canonical
		if want == "" {
			want = a.src
		}
		if c.Text() != want {
			t.Errorf("%s is written as %s, want %s", a.src, c.Text(), want)
		}
		again, err := Compile(c.Text())
		if err != nil || again.Text() != c.Text() {
			t.Errorf("%s does not read back: %v", c.Text(), err)
		}
	}
}

// hostile are conditions that must not compile, with the part that the error
// has to point at ("" for any) and a word of what it has to say.
var hostile = []struct{ src, at, says string }{
	{"", "", "empty"},
	{"  \n", "", "empty"},
	{"hit_rate > \"\xff\"", "", "UTF-8"},
	{"\x00", "", ""},
	{"(((", "", "ends"},
	{"hit_rate >", "", "ends"},
	{"hit_rate > 0.5)", ")", ""},
	{"hit_rate = 1", "=", "=="},
	{"hit_rate > 10%", "%", "0.01"},
	{"hit_rate % 2 > 1", "", "0.01"},
	{"hit_rate", "hit_rate", "a number"},
	{`"true"`, `"true"`, "a text"},
	{"true", "", "names no figure"},
	{"1 < 2", "", "names no figure"},
	{"hit_rat > 0", "hit_rat", `"hit_rate"`},
	{"total_block > 0", "total_block", `"total_blocks"`},
	{"quality_score > 0.5", "quality_score", "requests"},
	{"transform == 'x'", "transform", "row"},
	{"transforms > 0", "transforms", "rows"},
	{"xyzzy > 0", "xyzzy", "reference"},
	{"limit > hit_rate", "limit", "no figure"},
	{"total_blocks > 'a'", "total_blocks > 'a'", "a text"},
	{"total_blocks == true", "", "true or false"},
	{"materialized_semantic_kv_reuse > false", "", "ordered"},
	{"materialized_semantic_kv_reuse + 1 > 0", "materialized_semantic_kv_reuse + 1", "numbers"},
	{"hit_rate and true", "hit_rate", "a number"},
	{"not hit_rate > 0.5", "not hit_rate", "tighter"},
	{"-materialized_semantic_kv_reuse", "", "number"},
	{"ttft_cold_p50_ms > pairs_used", "", "a count"},
	{"ttft_cold_p50_ms > hit_rate", "", "a time"},
	{"ttft_cold_p50_ms + hit_rate > 3", "ttft_cold_p50_ms + hit_rate", "a time"},
	{"pairs_used * pairs_total > pairs_used", "", "product"},
	{"max(pairs_used, hit_rate) > 1", "max(pairs_used, hit_rate)", "a count"},
	{"hit_rate / 0 > 1", "hit_rate / 0", "divided"},
	{"hit_rate ** 2 > 1", "", "operator **"},
	{"hit_rate ^ 2 > 1", "", "operator ^"},
	{"pairs_used in 1..5", "", "text"},
	{"pairs_used in [1, 2]", "", "text"},
	{"1..5 == 1..5", "1..5", "range"},
	{"[hit_rate] == [1]", "", "list"},
	{"hit_rate ?? 1 > 0", "", ""},
	{"hit_rate ? true : false", "", "choice"},
	{"if hit_rate > 1 { true } else { false }", "", "choice"},
	{"let x = hit_rate; x > 1", "", "let"},
	{"hit_rate > 0.5; true", "", "sequence"},
	{"hit_rate == nil", "nil", "no data"},
	{"hit_rate?.x > 0", "", "?."},
	{"hit_rate.x > 0", "x", "no fields"},
	{"hit_rate[0] > 0", "", ""},
	{"hit_rate[0:1] == 'a'", "", "slice"},
	{"{a: 1} == {a: 1}", "", "object"},
	{"b'abc' == b'abc'", "", ""},
	{"hit_rate | abs() > 0", "|", "before"},
	{"now() > now()", "now()", "clock"},
	{"abs() > hit_rate", "abs()", "one"},
	{"abs(hit_rate, 1) > 0", "abs(hit_rate, 1)", "one"},
	{"max(hit_rate) > 0", "max(hit_rate)", "two"},
	{"abs('x') > hit_rate", "'x'", "a text"},
	{"mas(hit_rate, 1) > 0", "mas(hit_rate, 1)", `"max"`},
	{"hit_rate() > 0", "hit_rate()", "no function"},
	{"sum(requests, .ttft_speedup) > 3", "", "no function"},
	{"map(requests, .ttft_speedup) == []", "", "no function"},
	{"one(requests, .failed)", "", "no function"},
	{"reduce(requests, #acc + #, 0) > 1", "", "no function"},
	{"filter(requests, .failed)", "", "rows"},
	{"count(filter(filter(requests, .failed), .failed), .failed) > 1", "", "inside filter"},
	{"all(requests, {.failed; true})", "", "sequence"},
	{"all(requests)", "", ""},
	{"count(requests) > 3", "count(requests)", "condition on each"},
	{"all(transform, .total_blocks > 0)", "transform", `"transforms"`},
	{"all(items, .total_blocks > 0)", "items", "rows"},
	{"all(1..1000, # > 3)", "1..1000", "rows"},
	{"all(requests, # > 3)", "#", "fields"},
	{"all(requests, #index > 3)", "#", "fields"},
	{"all(requests, .total_blocks)", ".total_blocks", "a number"},
	{"all(requests, total_blocks > 0)", "total_blocks > 0", "dot"},
	{"all(requests, negative_control)", "negative_control", "dot"},
	{"all(requests, .hit_rate > 0)", "hit_rate", "without the dot"},
	{"all(requests, .ttft_spedup > 0.5)", "ttft_spedup", `"ttft_speedup"`},
	{"all(requests, .['failed'])", "", ""},
	{"all(transforms, any(requests, .failed))", "any(requests, .failed)", "inside"},
	{".failed", ".", "only inside"},
	{"all(requests, .failed.x)", "x", "no fields"},
	{"all(requests, .item_id < 'b')", "", "ordered"},
	{"all(requests, .item_id in [])", "[]", "empty"},
	{"all(requests, .item_id in [1])", "1", "texts"},
	{"all(requests, .item_id matches 'a')", "", "operator matches"},
	{"pairs_used > 0x10", "0x10", "decimal"},
	{"pairs_used > 99999999999999999999", "99999999999999999999", "large"},
	{"hit_rate > 0." + strings.Repeat("1", 80), "", "characters"},
	{"hit_rate > 1e-999999", "", ""},
	{"hit_rate > 1e-300", "1e-300", "characters"},
	{strings.Repeat("(", 500) + "hit_rate > 1" + strings.Repeat(")", 500), "", "deep"},
	{strings.Repeat("!", 1000) + "materialized_semantic_kv_reuse", "", "deep"},
	{strings.Repeat("hit_rate>0.5 or ", 100) + "hit_rate>0.5", "", "parts"},
	{"hit_rate > 0.5" + strings.Repeat(" ", 3000), "", "bytes"},
	{`"é漢👨" == "x" or hit_rat > 0`, "hit_rat", ""},
}

func TestHostileConditionsAreRefused(t *testing.T) {
	for _, h := range hostile {
		_, err := Compile(h.src)
		if err == nil {
			t.Errorf("%.60q compiles", h.src)
			continue
		}
		if err.Offset < 0 || err.End < err.Offset || err.End > len(h.src) || (err.End == err.Offset && h.src != "") {
			t.Errorf("%.60q: range %d..%d of %d bytes", h.src, err.Offset, err.End, len(h.src))
			continue
		}
		if got := h.src[err.Offset:err.End]; h.at != "" && got != h.at {
			t.Errorf("%.60q points at %q, want %q (%s)", h.src, got, h.at, err)
		}
		if err.Message == "" || err.Remedy == "" || !strings.HasSuffix(err.Message, ".") {
			t.Errorf("%.60q: message %q, remedy %q", h.src, err.Message, err.Remedy)
		}
		if !strings.Contains(err.Error(), h.says) {
			t.Errorf("%.60q: %s does not say %q", h.src, err, h.says)
		}
	}
}

// TestDecidedBeforehand wants a condition that cannot fail, and one that cannot
// pass, to be refused, and one beside each to be admitted.
func TestDecidedBeforehand(t *testing.T) {
	for src, says := range map[string]string{
		"hit_rate >= 0":                                  "is true whatever",
		"hit_rate > -0.01":                               "is true whatever",
		"hit_rate <= 1":                                  "is true whatever",
		"1 >= hit_rate":                                  "is true whatever",
		"hit_rate > 1":                                   "is false whatever",
		"hit_rate == 1.5":                                "is false whatever",
		"hit_rate != 1.5":                                "is true whatever",
		"pairs_used < 0":                                 "is false whatever",
		"semantic_eligible_lift >= -1":                   "is true whatever",
		"abs(semantic_eligible_lift) <= 1":               "is true whatever",
		"max(hit_rate, 0.5) >= 0.5":                      "is true whatever",
		"min(hit_rate, 0.5) <= 0.5":                      "is true whatever",
		"hit_rate + hit_rate <= 2":                       "is true whatever",
		"hit_rate - 1 <= 0":                              "is true whatever",
		"hit_rate * 2 <= 2":                              "is true whatever",
		"pairs_used / pairs_total >= 0":                  "is true whatever",
		"hit_rate / 2 <= 0.5":                            "is true whatever",
		"hit_rate / -2 > 0":                              "is false whatever",
		"hit_rate / 2 <= 0.4":                            "",
		"hit_rate == hit_rate":                           "is true whatever",
		"hit_rate < hit_rate":                            "is false whatever",
		"true or hit_rate > 0.5":                         "is true whatever",
		"hit_rate > 0.5 and false":                       "is false whatever",
		"not (hit_rate < 0)":                             "is true whatever",
		"engine_errors == 0 or not (engine_errors == 0)": "is true whatever",
		"all(transforms, .hit == 1) or true":             "no field",
		"all(requests, .total_blocks >= 0)":              "is true whatever",
		"none(requests, .total_blocks < 0)":              "is true whatever",
		"count(requests, .failed) >= 0":                  "is true whatever",
		"all(requests, .failed == true or true)":         "is true whatever",
		"hit_rate > 0":                                   "",
		"hit_rate >= 1":                                  "",
		"hit_rate < 1":                                   "",
		"semantic_eligible_lift >= 0":                    "",
		"backend_confirmed_block_rate <= 1":              "",
		"backend_confirmed_lift <= 1":                    "",
		"backend_confirmed_lift >= -1":                   "is true whatever",
		"ttft_cold_p50_ms <= 1":                          "",
		"negative_control_semantic_eligible_rate == 0":   "",
		"warm_vs_cold_rouge_l_excess <= 0":               "",
		"pairs_used - pairs_total >= 0":                  "",
		"hit_rate * semantic_eligible_lift >= 0":         "",
	} {
		_, err := Compile(src)
		switch {
		case says == "" && err != nil:
			t.Errorf("%s: %v", src, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%s: %v, want %q", src, err, says)
		}
	}
}

func TestWhatAConditionNames(t *testing.T) {
	c, err := Compile("hit_only_ttft_speedup_mean > 1.2 and hit_rate >= 0.5 and hit_rate < 0.9 and all(transforms, .semantic_eligible_lift >= exact_block_hit_rate)")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Metrics(), []string{"hit_only_ttft_speedup_mean", "hit_rate", "exact_block_hit_rate"}; !slices.Equal(got, want) {
		t.Errorf("metrics %v, want %v", got, want)
	}
	var uses []string
	for _, u := range c.Uses() {
		uses = append(uses, u.Rows+"."+u.Metric.Name)
	}
	if want := []string{".hit_only_ttft_speedup_mean", ".hit_rate", "transforms.semantic_eligible_lift", ".exact_block_hit_rate"}; !slices.Equal(uses, want) {
		t.Errorf("uses %v, want %v", uses, want)
	}
	if !c.Rows("transforms") || c.Rows("requests") {
		t.Error("the rows are transforms only")
	}
}

func TestHeldAgainst(t *testing.T) {
	const m = "warm_vs_cold_output_rouge_l_mean"
	for src, want := range map[string][][]string{
		m + " >= 0.9": {{}},
		m + " >= noise_floor_rouge_l_mean - 0.02":              {{"noise_floor_rouge_l_mean"}},
		"hit_rate > 0.5 and " + m + " + 0.1 >= hit_rate":       {{"hit_rate"}},
		"0.5 < " + m + " < 0.9":                                {{}, {}},
		"hit_rate > 0.5":                                       nil,
		"any(transforms, .semantic_eligible_lift > " + m + ")": {{"semantic_eligible_lift"}},
	} {
		c, err := Compile(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := c.HeldAgainst(m); !slices.EqualFunc(got, want, slices.Equal) || (got == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	c, err := CompileLibrary("negative_control_semantic_eligible_rate <= limit and pairs_used >= least", "limit", "least")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Params(), []string{"limit", "least"}) {
		t.Errorf("parameters %v", c.Params())
	}
	if o := c.Evaluate(Env{}); o.Status != NoData {
		t.Errorf("an open limit: %v", o.Status)
	}
	half, berr := c.Bind("limit", exact.Frac(1, 3))
	if berr != nil {
		t.Fatal(berr)
	}
	if want := "negative_control_semantic_eligible_rate <= 1 / 3 and pairs_used >= least"; half.Text() != want {
		t.Errorf("%s, want %s", half.Text(), want)
	}
	full, berr := half.Bind("least", exact.Int(30))
	if berr != nil || len(full.Params()) != 0 {
		t.Fatalf("%v, parameters %v", berr, full.Params())
	}
	if c.Text() != "negative_control_semantic_eligible_rate <= limit and pairs_used >= least" {
		t.Error("Bind changed the condition that it was called on")
	}
	for _, bad := range []struct {
		src, name, value, says string
	}{
		{"hit_rate <= limit", "least", "1", "no parameter"},
		{"hit_rate <= limit", "limit", "1", "true whatever"},
		{"hit_rate <= limit", "limit", "-1", "false whatever"},
		{"hit_rate / limit > 1", "limit", "0", "divided"},
		{"hit_rate <= limit", "limit", "1e-99", "too long"},
		{"pairs_used >= limit", "limit", "1e30", "large"},
	} {
		c, err := CompileLibrary(bad.src, "limit")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Bind(bad.name, exact.MustParse(bad.value)); err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s with %s = %s: %v, want %q", bad.src, bad.name, bad.value, err, bad.says)
		}
	}
	for _, v := range []string{"-1/3", "-2", "0.5", "7"} {
		c, err := CompileLibrary("-limit * semantic_eligible_lift / limit - limit < 0.5 - limit", "limit")
		if err != nil {
			t.Fatal(err)
		}
		b, berr := c.Bind("limit", exact.MustParse(v))
		if berr != nil {
			t.Errorf("limit = %s: %v", v, berr)
			continue
		}
		// -v*x/v - v < 0.5 - v is -x < 0.5, which this lift fulfils.
		o := b.Evaluate(Env{Values: map[string]Value{"semantic_eligible_lift": Quantity(Rate, exact.Frac(1, 7))}})
		if o.Status != Passed {
			t.Errorf("%s: %v %s", b.Text(), o.Status, o.Why)
		}
	}
	for _, name := range []string{"", "hit_rate", "abs", "and", "all", "requests", "A", "1a", "a b", "x-y"} {
		if _, err := CompileLibrary("hit_rate <= 0.5", name); err == nil {
			t.Errorf("%q is no name for a parameter", name)
		}
	}
}

func TestFiguresHaveOneMeaningEach(t *testing.T) {
	for rows, list := range map[string][]Metric{"": Metrics(), "transforms": GroupMetrics(), "requests": Fields()} {
		seen := map[string]bool{}
		for _, m := range list {
			if seen[m.Name] || m.Doc == "" || m.Kind.String() == "unknown" {
				t.Errorf("%s %q: twice, or without a kind or a meaning", rows, m.Name)
			}
			seen[m.Name] = true
			if found, ok := Find(rows, m.Name); !ok || found != m {
				t.Errorf("%s %q is not found", rows, m.Name)
			}
			if rows == "" && m.Kind == Text {
				t.Errorf("%q is a text of the whole run", m.Name)
			}
		}
	}
	for _, m := range GroupMetrics()[1:] {
		whole, ok := Find("", m.Name)
		if !ok || whole.Kind != m.Kind || whole.Source != m.Source {
			t.Errorf("%s means something else in a row of transforms", m.Name)
		}
	}
	if _, ok := Find("items", "total_blocks"); ok {
		t.Error("there are no rows named items")
	}
}

func TestGrammarNamesEveryFigure(t *testing.T) {
	g := Grammar()
	for prefix, list := range map[string][]Metric{"": Metrics(), ".": append(slices.Clone(GroupMetrics()), Fields()...)} {
		for _, m := range list {
			if !strings.Contains(g, "\n  "+prefix+m.Name+" ") {
				t.Errorf("%s is not in the grammar", prefix+m.Name)
			}
		}
	}
	for _, f := range slices.Concat(functions, quantifiers, rowSets) {
		if !strings.Contains(g, `"`+f+`"`) {
			t.Errorf("%s is not in the grammar", f)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, a := range admitted {
		f.Add(a.src)
	}
	for _, h := range hostile {
		f.Add(h.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := CompileLibrary(src, "limit")
		if err != nil {
			if err.Offset < 0 || err.End < err.Offset || err.End > len(src) || err.Message == "" || err.Remedy == "" {
				t.Fatalf("%q: %+v", src, *err)
			}
			return
		}
		again, err := CompileLibrary(c.Text(), "limit")
		if err != nil {
			// Only the text can have grown beyond a bound.
			if strings.Contains(err.Message, "more than") {
				return
			}
			t.Fatalf("%q is written as %q, which is refused: %v", src, c.Text(), err)
		}
		if again.Text() != c.Text() {
			t.Fatalf("%q, %q, %q", src, c.Text(), again.Text())
		}
		if o := c.Evaluate(Env{}); o.Status == Passed {
			t.Fatalf("%q passes on nothing", src)
		}
		full := Env{Values: sample(Metrics(), 1), Transforms: []map[string]Value{sample(GroupMetrics(), 2)}, Requests: []map[string]Value{sample(Fields(), 3)}}
		if a, b := c.Evaluate(full), again.Evaluate(full); a.Status != b.Status {
			t.Fatalf("%q: %v, and its text: %v", src, a.Status, b.Status)
		}
	})
}
