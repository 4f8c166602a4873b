package gate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// sample gives each figure a value that differs with the seed.
func sample(list []Metric, seed int64) map[string]Value {
	out := map[string]Value{}
	for i, m := range list {
		switch m.Kind {
		case Truth:
			out[m.Name] = Flag((int64(i)+seed)%2 == 0)
		case Text:
			out[m.Name] = Named(fmt.Sprintf("%s-%d", m.Name, seed))
		case Count:
			out[m.Name] = Whole(int64(i)*7%50 + seed)
		default:
			out[m.Name] = Quantity(m.Kind, exact.Frac((int64(i)*13+seed)%100, 100))
		}
	}
	return out
}

func row(name string, pairs ...any) map[string]Value {
	r := map[string]Value{"transform": Named(name), "item_id": Named(name)}
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case bool:
			r[pairs[i].(string)] = Flag(v)
		case int:
			r[pairs[i].(string)] = Whole(int64(v))
		case string:
			r[pairs[i].(string)] = Quantity(Rate, exact.MustParse(v))
		case nil:
			r[pairs[i].(string)] = Absent(Rate, "not measured here")
		}
	}
	return r
}

var result = Env{
	Values: map[string]Value{
		"negative_control_semantic_eligible_rate": Fraction(3, 100, ""),
		"hit_rate":                           Fraction(1, 3, ""),
		"semantic_eligible_lift":             Quantity(Rate, exact.MustParse("-0.041")),
		"pairs_used":                         Whole(30),
		"pairs_total":                        Whole(40),
		"engine_errors":                      Whole(0),
		"ttft_cold_p50_ms":                   Quantity(Time, exact.MustParse("401.75")),
		"ttft_warm_p50_ms":                   Quantity(Time, exact.MustParse("126.5")),
		"materialized_semantic_kv_reuse":     Flag(true),
		"suffix_execution_proven":            Flag(false),
		"blended_ttft_speedup_mean":          Absent(Ratio, "no pair was clean"),
		"negative_control_ttft_speedup_mean": Absent(Ratio, "the manifest has no controls"),
	},
	Transforms: []map[string]Value{
		row("exact_repeat", "semantic_eligible_lift", "0", "total_blocks", 90, "backend_confirmed_lift", "0.1"),
		row("fuzzy_edit", "semantic_eligible_lift", "0.4", "total_blocks", 90, "backend_confirmed_lift", nil),
		row("rag_reorder", "semantic_eligible_lift", "-0.1", "total_blocks", 94, "backend_confirmed_lift", "0.2"),
	},
	Requests: []map[string]Value{
		row("a", "failed", false, "contaminated", false, "ttft_speedup", "3"),
		row("b", "failed", true, "contaminated", false, "ttft_speedup", nil),
		row("c", "failed", false, "contaminated", true, "ttft_speedup", "0.9"),
	},
}

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want Status
		why  string // a part of it
	}{
		{"negative_control_semantic_eligible_rate <= 0.03", Passed, ""},
		{"negative_control_semantic_eligible_rate < 0.03", Failed, "is 0.03 (3/100)"},
		{"negative_control_semantic_eligible_rate == 0.03", Passed, ""},
		{"negative_control_semantic_eligible_rate != 0.03", Failed, ""},
		{"hit_rate * 3 == 1", Passed, ""},
		{"hit_rate == 0.3333333333333333333333333333", Failed, ""},
		{"hit_rate > 0.3333333333333333333333333333", Passed, ""},
		{"semantic_eligible_lift >= 0", Failed, "semantic_eligible_lift is -0.041"},
		{"abs(semantic_eligible_lift) == 0.041", Passed, ""},
		{"-semantic_eligible_lift == 0.041", Passed, ""},
		{"min(pairs_used, pairs_total, 50) == 30", Passed, ""},
		{"max(pairs_used, pairs_total) - 2 * 5 == 30", Passed, ""},
		{"ttft_warm_p50_ms / ttft_cold_p50_ms <= 0.3", Failed, "is 0.314872"},
		{"0.3 <= ttft_warm_p50_ms / ttft_cold_p50_ms <= 0.4", Passed, ""},
		{"pairs_used / engine_errors > 1", NoData, "engine_errors is 0"},
		{"materialized_semantic_kv_reuse", Passed, ""},
		{"suffix_execution_proven", Failed, "suffix_execution_proven is false"},
		{"materialized_semantic_kv_reuse != suffix_execution_proven", Passed, ""},
		{"(pairs_used > 30) == suffix_execution_proven", Passed, ""},

		// Absent figures.
		{"blended_ttft_speedup_mean > 1", NoData, "blended_ttft_speedup_mean is null: no pair was clean."},
		{"not (blended_ttft_speedup_mean > 1)", NoData, ""},
		{"blended_ttft_speedup_mean + 1 > 1.5", NoData, ""},
		{"hit_pairs > 1", NoData, "hit_pairs is null: the result does not hold it."},
		{"pairs_used >= 30 and blended_ttft_speedup_mean > 1", NoData, ""},
		{"pairs_used > 30 and blended_ttft_speedup_mean > 1", Failed, "pairs_used is 30"},
		{"blended_ttft_speedup_mean > 1 and pairs_used > 30", Failed, ""},
		{"pairs_used >= 30 or blended_ttft_speedup_mean > 1", NoData, ""},
		{"pairs_used > 30 or blended_ttft_speedup_mean > 1", NoData, ""},
		{"not (pairs_used >= 30 or blended_ttft_speedup_mean > 1)", Failed, "pairs_used >= 30 holds"},
		{"not (pairs_used > 30 and blended_ttft_speedup_mean > 1)", NoData, ""},
		{"blended_ttft_speedup_mean > 1 and negative_control_ttft_speedup_mean < 1.1", NoData, "no pair was clean; negative_control_ttft_speedup_mean"},
		{"(blended_ttft_speedup_mean > 1) == true", NoData, ""},

		// Rows.
		{"all(transforms, .total_blocks >= 90)", Passed, ""},
		{"all(transforms, .semantic_eligible_lift >= 0)", Failed, `true of 2 and false of 1 of 3 transforms; first of transform "rag_reorder": .semantic_eligible_lift >= 0 does not hold: .semantic_eligible_lift is -0.1`},
		{"any(transforms, .semantic_eligible_lift > 0.3)", Passed, ""},
		{"any(transforms, .semantic_eligible_lift > 0.5)", Failed, "true of 0"},
		{"none(transforms, .semantic_eligible_lift > 0.5)", Passed, ""},
		{"none(transforms, .semantic_eligible_lift > 0.3)", Failed, `first of transform "fuzzy_edit"`},
		{"count(transforms, .semantic_eligible_lift >= 0) == 2", Passed, ""},
		{"count(transforms, .semantic_eligible_lift >= 0) >= 3", Failed, "is 2"},
		{"all(transforms, .semantic_eligible_lift > semantic_eligible_lift)", Failed, "semantic_eligible_lift is -0.041"},
		{`all(transforms, .transform in ["rag_reorder"] or .semantic_eligible_lift >= 0)`, Passed, ""},
		{`any(transforms, .transform == "fuzzy_edit")`, Passed, ""},
		{`all(transforms, .transform not in ["fuzzy_edit"])`, Failed, `it is "fuzzy_edit"`},
		{"not all(transforms, .total_blocks >= 90)", Failed, "holds: the condition is true of 3"},

		// Absent figures of rows.
		{"all(transforms, .backend_confirmed_lift > 0)", NoData, `.backend_confirmed_lift of transform "fuzzy_edit" is null: not measured here.`},
		{"all(transforms, .backend_confirmed_lift > 0.1)", Failed, "exact_repeat"},
		{"any(transforms, .backend_confirmed_lift > 0.1)", NoData, ""},
		{"none(transforms, .backend_confirmed_lift > 0.1)", Failed, "rag_reorder"},
		{"none(transforms, .backend_confirmed_lift > 0.5)", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) >= 1", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) <= 1", Failed, "count(transforms, .backend_confirmed_lift > 0) is from 2 to 3"},
		{"count(transforms, .backend_confirmed_lift > 0) <= 2", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0.15) >= 3", Failed, "is from 1 to 2"},
		{"count(transforms, .backend_confirmed_lift > 0.15) >= 2", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) == 1", Failed, ""},
		{"count(transforms, .backend_confirmed_lift > 0) == 2", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) / pairs_used <= 0.05", Failed, "is from 0.066667 to 0.1"},
		{"count(transforms, .backend_confirmed_lift > 0) / pairs_used <= 0.07", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) / engine_errors < semantic_eligible_lift", NoData, ""},
		{"count(transforms, .backend_confirmed_lift > 0) + hit_pairs <= 1", NoData, ""},
		{"not (count(transforms, .backend_confirmed_lift > 0) >= 2)", Failed, "holds"},
		{"count(filter(transforms, .backend_confirmed_lift > 0), .total_blocks >= 90) < 2", Failed, "is from 2 to 3"},
		{"count(filter(transforms, .backend_confirmed_lift > 0.5), .total_blocks >= 90) < 1", NoData, `.backend_confirmed_lift of transform "fuzzy_edit" is null: not measured here.`},
		{"not all(transforms, .backend_confirmed_lift > 0)", NoData, ""},

		// Filters.
		{"all(filter(requests, not .failed), .ttft_speedup > 0.5)", Passed, ""},
		{"all(filter(requests, not .failed and not .contaminated), .ttft_speedup > 2)", Passed, ""},
		{"all(filter(requests, .ttft_speedup > 2), .failed)", Failed, `item "a"`},
		{"all(filter(requests, .ttft_speedup > 2), not .failed)", NoData, `.ttft_speedup of item "b"`},
		{"not all(filter(requests, .ttft_speedup > 2), not .failed)", NoData, ""},
		{"all(filter(transforms, .total_blocks > 1000), .semantic_eligible_lift > 0.5)", NoData, "no transforms that the filter keeps"},
		{"none(filter(transforms, .total_blocks > 1000), .semantic_eligible_lift > 0.5)", NoData, ""},
		{"any(filter(transforms, .total_blocks > 1000), .semantic_eligible_lift > 0.5)", NoData, ""},
		{"not all(filter(transforms, .total_blocks > 1000), .semantic_eligible_lift > 0.5)", NoData, ""},
		{"count(filter(transforms, .total_blocks > 1000), .semantic_eligible_lift > 0.5) <= 3", NoData, ""},
	} {
		c, err := Compile(tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		o := c.Evaluate(result)
		if o.Status != tt.want || !strings.Contains(o.Why, tt.why) {
			t.Errorf("%s: %v %q, want %v %q", tt.src, o.Status, o.Why, tt.want, tt.why)
		}
		if (o.Why == "") != (o.Status == Passed) {
			t.Errorf("%s: %v because of %q", tt.src, o.Status, o.Why)
		}
		streamed := result
		streamed.Requests, streamed.Stream = nil, slices.Values(result.Requests)
		if s := c.Evaluate(streamed); s.Status != o.Status || s.Why != o.Why {
			t.Errorf("%s: streamed rows give %v %q", tt.src, s.Status, s.Why)
		}
	}
}

func TestObserved(t *testing.T) {
	c, err := Compile("hit_rate > 0.5 and blended_ttft_speedup_mean > 1 and all(transforms, .total_blocks > 90) and semantic_eligible_lift < 0.5 and materialized_semantic_kv_reuse")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range c.Evaluate(result).Observed {
		got = append(got, o.Name+" = "+o.Value.String())
	}
	want := []string{
		"hit_rate = 0.333333 (1/3)", "blended_ttft_speedup_mean = null", "semantic_eligible_lift = -0.041", "materialized_semantic_kv_reuse = true",
		"all(transforms, .total_blocks > 90) = 0.333333 (1/3)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("observed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReasonsAreBounded(t *testing.T) {
	c, err := Compile("all(requests, .ttft_speedup > 1)")
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]Value
	for i := range 100 {
		rows = append(rows, row(fmt.Sprint(i), "ttft_speedup", nil))
	}
	o := c.Evaluate(Env{Requests: rows})
	if o.Status != NoData || !strings.Contains(o.Why, "And 95 more") || len(o.Why) > 1000 {
		t.Errorf("%v %q", o.Status, o.Why)
	}
	// However often a figure is named, it is absent once in a row.
	for src, more := range map[string]string{
		"all(requests, 0.5 <= .ttft_speedup <= 2)":                                      "And 95 more",
		"all(requests, .ttft_speedup > 1) and none(requests, .ttft_speedup > 3)":        "And 95 more",
		"all(filter(requests, .ttft_speedup > 1), .ttft_speedup < 3)":                   "And 95 more",
		"all(requests, .ttft_speedup > 1 and .quality_score > 0.5)":                     "And 195 more",
		"pairs_used > 3 and hit_rate > 0.5 and all(requests, .ttft_speedup > hit_rate)": "And 97 more",
	} {
		c, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		if o := c.Evaluate(Env{Requests: rows}); o.Status != NoData || !strings.Contains(o.Why, more+" of this kind.") {
			t.Errorf("%s: %v %q", src, o.Status, o.Why)
		}
	}
}

func TestFractionOfNothing(t *testing.T) {
	v := Fraction(0, 0, "the manifest has no controls")
	if !v.Null || v.Why == "" || v.Share == nil || v.Share.Denominator != 0 || v.String() != "null" {
		t.Errorf("%+v", v)
	}
	if v := Fraction(0, 5, "x"); v.Null || v.Why != "" || v.Number.Sign() != 0 {
		t.Errorf("%+v", v)
	}
}

// draw makes a random condition of the given depth as text.
func draw(r *rand.Rand, depth int, inRow string) string {
	pick := func(list []Metric, k Kind) string {
		for {
			if m := list[r.IntN(len(list))]; m.Kind == k {
				return m.Name
			}
		}
	}
	list, dot := Metrics(), ""
	if inRow != "" {
		list, dot = fields, "."
		if inRow == "transforms" {
			list = groupMetrics
		}
	}
	if depth == 0 {
		k := []Kind{Count, Count, Rate, Truth}[r.IntN(4)]
		if inRow == "requests" && k == Rate {
			k = Score
		}
		if inRow == "transforms" && k == Truth {
			k = Count
		}
		op := []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)]
		switch k {
		case Truth:
			return dot + pick(list, Truth)
		case Count:
			return fmt.Sprintf("%s%s %s %d", dot, pick(list, Count), op, 1+r.IntN(40))
		}
		return fmt.Sprintf("%s%s %s 0.%d", dot, pick(list, k), op, 1+r.IntN(9))
	}
	switch n := r.IntN(8); {
	case n < 2:
		return fmt.Sprintf("(%s) and (%s)", draw(r, depth-1, inRow), draw(r, depth-1, inRow))
	case n < 4:
		return fmt.Sprintf("(%s) or (%s)", draw(r, depth-1, inRow), draw(r, depth-1, inRow))
	case n < 5 || inRow != "":
		return fmt.Sprintf("not (%s)", draw(r, depth-1, inRow))
	}
	rows := rowSets[r.IntN(2)]
	from := rows
	if r.IntN(3) == 0 {
		from = fmt.Sprintf("filter(%s, %s)", rows, draw(r, 0, rows))
	}
	q := quantifiers[r.IntN(4)]
	if q == "count" {
		return fmt.Sprintf("count(%s, %s) > %d", from, draw(r, depth-1, rows), r.IntN(3))
	}
	return fmt.Sprintf("%s(%s, %s)", q, from, draw(r, depth-1, rows))
}

// punch makes some figures absent.
func punch(r *rand.Rand, m map[string]Value) map[string]Value {
	out := map[string]Value{}
	for _, k := range slices.Sorted(mapKeys(m)) {
		v := m[k]
		if v.Kind != Text && r.IntN(3) == 0 {
			v = Absent(v.Kind, "punched")
		}
		out[k] = v
	}
	return out
}

func mapKeys(m map[string]Value) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func conditions(t *testing.T, n int) []*Condition {
	r := rand.New(rand.NewPCG(7, 11))
	var out []*Condition
	for len(out) < n {
		if c, err := Compile(draw(r, r.IntN(4), "")); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// TestNothingPassesForWantOfData is the law of the package: with no rows and no
// figures nothing passes, and with some figures absent only conditions that
// name none of them do.
func TestNothingPassesForWantOfData(t *testing.T) {
	onlyFigures := Env{Values: sample(Metrics(), 3)}
	for _, c := range conditions(t, 3000) {
		if o := c.Evaluate(Env{}); o.Status == Passed {
			t.Errorf("%s passes on nothing", c.Text())
		}
		if c.Rows("transforms") || c.Rows("requests") {
			if o := c.Evaluate(onlyFigures); o.Status == Passed {
				t.Errorf("%s passes without rows", c.Text())
			}
		}
	}
}

// TestAbsentFiguresAreNeverGuessed makes some figures absent and fills them in
// again in several ways. What fails with them absent has to fail in each, and
// what passes names none of them.
func TestAbsentFiguresAreNeverGuessed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tally := map[Status]int{}
	for _, c := range conditions(t, 2000) {
		full := func(seed int64) Env {
			e := Env{Values: sample(Metrics(), seed)}
			for i := range int64(3) {
				e.Transforms = append(e.Transforms, sample(GroupMetrics(), seed+10*i))
				e.Requests = append(e.Requests, sample(Fields(), seed+20*i))
			}
			return e
		}
		base := full(1)
		holes := Env{Values: punch(r, base.Values)}
		for i := range base.Transforms {
			holes.Transforms = append(holes.Transforms, punch(r, base.Transforms[i]))
			holes.Requests = append(holes.Requests, punch(r, base.Requests[i]))
		}
		o := c.Evaluate(holes)
		tally[o.Status]++
		for seed := range int64(5) {
			other := full(seed)
			fill(holes.Values, other.Values)
			for i := range holes.Transforms {
				fill(holes.Transforms[i], other.Transforms[i])
				fill(holes.Requests[i], other.Requests[i])
			}
			whole := c.Evaluate(other)
			if o.Status == Failed && whole.Status == Passed {
				t.Errorf("%s fails with figures absent, and passes with them", c.Text())
			}
			if o.Status == Passed && whole.Status != Passed {
				t.Errorf("%s passes, though absent figures matter", c.Text())
			}
		}
	}
	for _, s := range []Status{Passed, Failed, NoData} {
		if tally[s] < 50 {
			t.Errorf("only %d of the drawn conditions are %v", tally[s], s)
		}
	}
}

// fill overwrites what is in both with what is known.
func fill(known, other map[string]Value) {
	for k, v := range known {
		if !v.Null {
			other[k] = v
		}
	}
}

// TestNegation wants the laws of De Morgan to hold of outcomes, so that one
// thought has one outcome however it is written.
func TestNegation(t *testing.T) {
	list, compared := conditions(t, 600), 0
	r := rand.New(rand.NewPCG(5, 6))
	for i := 0; i+1 < len(list); i += 2 {
		env := Env{Values: punch(r, sample(Metrics(), int64(i))), Transforms: []map[string]Value{punch(r, sample(GroupMetrics(), 2))}, Requests: []map[string]Value{punch(r, sample(Fields(), 3))}}
		a, b := list[i].Text(), list[i+1].Text()
		for _, pair := range [][2]string{
			{fmt.Sprintf("not ((%s) or (%s))", a, b), fmt.Sprintf("not (%s) and not (%s)", a, b)},
			{fmt.Sprintf("not ((%s) and (%s))", a, b), fmt.Sprintf("not (%s) or not (%s)", a, b)},
			{a, fmt.Sprintf("not not (%s)", a)},
		} {
			l, lerr := Compile(pair[0])
			m, merr := Compile(pair[1])
			if lerr != nil || merr != nil {
				continue // decided beforehand, or too long
			}
			compared++
			if x, y := l.Evaluate(env).Status, m.Evaluate(env).Status; x != y {
				t.Errorf("%s is %v, and %s is %v", pair[0], x, pair[1], y)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

func BenchmarkRequests(b *testing.B) {
	c, err := Compile("all(requests, .negative_control or .ttft_speedup >= 0.8)")
	if err != nil {
		b.Fatal(err)
	}
	var rows []map[string]Value
	for i := range int64(1000) {
		rows = append(rows, sample(Fields(), 80+i%10))
	}
	b.ReportAllocs()
	for b.Loop() {
		if c.Evaluate(Env{Requests: rows}).Status == 0 {
			b.Fatal("no outcome")
		}
	}
}
