package text

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fdbench/fdbench/spec/refdata"
)

// classOf pairs each transform with the scorer of its class.
var classOf = []struct {
	transform, scorer string
	only              func(r Response) bool // to which responses the fault applies; nil for all
}{
	{"refuse/1", "refusal/1", nil},
	{"break_json/1", "json_invalid/1", isJSONResponse},
	{"violate_schema/1", "schema_violation/1", isJSONResponse},
	{"truncate/1", "truncation/1", func(r Response) bool { return countWords(r.Text) >= 8 }},
	{"empty/1", "empty/1", nil},
	{"repeat/1", "repetition/1", nil},
	{"switch_language/1", "wrong_language/1", func(r Response) bool { return !profileOf(r.Prompt, latin).welcome }},
	{"garble/1", "garbled/1", nil},
	{"leak_special_tokens/1", "special_token_leak/1", nil},
	{"leak_reasoning/1", "reasoning_leak/1", nil},
	{"break_tool_call/1", "tool_call_broken/1", nil},
}

func isJSONResponse(r Response) bool {
	_, _, _, ok := splitJSON(r.Text)
	return ok
}

// realResponses are the reference corpora, where they are at hand.
func realResponses(t *testing.T) []Response {
	var out []Response
	for _, file := range realFiles {
		for _, row := range readLabelled(t, refdata.Path(t, "data/responses/"+file+".jsonl")) {
			out = append(out, Response{row.Prompt, row.Response})
		}
	}
	return out
}

func mustScorer(t testing.TB, id string) ScoreFunc {
	t.Helper()
	s, ok := LookupScorer(id)
	if !ok {
		t.Fatalf("no scorer %s", id)
	}
	f, err := s.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustTransform(t testing.TB, id string) TransformFunc {
	t.Helper()
	s, ok := LookupTransform(id)
	if !ok {
		t.Fatalf("no transform %s", id)
	}
	f, err := s.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTransformsHitTheirIndicator(t *testing.T) {
	t.Run("own corpus", func(t *testing.T) { checkHits(t, ownResponses(t)) })
	t.Run("real responses", func(t *testing.T) { checkHits(t, realResponses(t)) })
}

// ownResponses are the project's own corpus.
func ownResponses(t testing.TB) []Response {
	var out []Response
	for _, name := range []string{"responses.jsonl", "responses-strict-prompt.jsonl"} {
		for _, row := range readLabelled(t, filepath.Join("..", "..", "scenarios", "recorded", name)) {
			out = append(out, Response{row.Prompt, row.Response})
		}
	}
	return out
}

func checkHits(t *testing.T, rows []Response) {
	for _, c := range classOf {
		score, apply := mustScorer(t, c.scorer), mustTransform(t, c.transform)
		n, hits := 0, 0
		for i, r := range rows {
			if c.only != nil && !c.only(r) {
				continue
			}
			n++
			twin := Response{r.Prompt, apply(r, uint64(i))}
			if score(twin) == 1 {
				hits++
			} else if os.Getenv("FDBENCH_EXPLAIN") == c.transform {
				t.Logf("%s leaves %s at 0:\n  prompt %.200q\n  before %.200q\n  after  %.400q", c.transform, c.scorer, r.Prompt, r.Text, twin.Text)
			}
		}
		if n == 0 {
			if c.scorer != "json_invalid/1" && c.scorer != "schema_violation/1" {
				t.Errorf("%s applies to no response", c.transform)
			}
			continue
		}
		t.Logf("%-22s hits %-20s on %4d of %4d", c.transform, c.scorer, hits, n)
		if hits*1000 < n*990 {
			t.Errorf("%s hits %s on %d of %d responses, want 99 percent", c.transform, c.scorer, hits, n)
		}
	}
}

// TestLengthTransforms: the mean number of words moves by about the factor,
// and nearly every response moves the right way.
func TestLengthTransforms(t *testing.T) {
	check := func(t *testing.T, rows []Response) {
		for _, c := range []struct {
			id        string
			sign      int
			low, high float64
		}{{"verbose/1", 1, 1.7, 2.4}, {"terse/1", -1, 0.35, 0.65}} {
			apply := mustTransform(t, c.id)
			before, after, right, n := 0, 0, 0, 0
			for i, r := range rows {
				a := countWords(r.Text)
				if a < 4 || isJSONResponse(r) {
					// JSON may hold no text that could be shorter.
					continue
				}
				b := countWords(apply(r, uint64(i)))
				before, after, n = before+a, after+b, n+1
				if (b-a)*c.sign > 0 {
					right++
				} else if os.Getenv("FDBENCH_EXPLAIN") == c.id {
					t.Logf("%d -> %d words: %.200q", a, b, r.Text)
				}
			}
			ratio := float64(after) / float64(before)
			t.Logf("%s: words times %.2f, right direction for %d of %d", c.id, ratio, right, n)
			if ratio < c.low || ratio > c.high {
				t.Errorf("%s multiplies the words by %.2f, want %.2f to %.2f", c.id, ratio, c.low, c.high)
			}
			if right*100 < n*97 {
				t.Errorf("%s moves %d of %d responses in the right direction", c.id, right, n)
			}
		}
	}
	t.Run("own corpus", func(t *testing.T) { check(t, ownResponses(t)) })
	t.Run("real responses", func(t *testing.T) { check(t, realResponses(t)) })
}

// TestTransformsArePure: same response, same seed, same bytes; other seeds
// give other texts; what was UTF-8 stays so.
func TestTransformsArePure(t *testing.T) {
	rows := ownResponses(t)
	for _, tr := range Transforms() {
		a, b := mustTransform(t, tr.ID), mustTransform(t, tr.ID)
		different := 0
		for i, r := range rows[:60] {
			first := a(r, uint64(i))
			if again := b(r, uint64(i)); again != first {
				t.Errorf("%s is not pure: %q and %q", tr.ID, first, again)
			}
			if !utf8.ValidString(first) {
				t.Errorf("%s makes invalid UTF-8 from %q: %q", tr.ID, r.Text, first)
			}
			for seed := range uint64(8) {
				if a(r, 1000+seed) != first {
					different++
					break
				}
			}
		}
		if different == 0 {
			t.Errorf("%s does not depend on its seed", tr.ID)
		}
	}
}

// TestSideEffects prints what each fault does to every indicator, and holds
// the faults whose text stays whole to leaving the others alone.
func TestSideEffects(t *testing.T) {
	rows := ownResponses(t)
	head := fmt.Sprintf("%-22s", "")
	for _, s := range Scorers() {
		head += fmt.Sprintf("%8.7s", s.ID)
	}
	line := func(name string, of func(i int, r Response) string) []float64 {
		shares := make([]float64, len(Scorers()))
		out := fmt.Sprintf("%-22s", name)
		for k, s := range Scorers() {
			f := mustScorer(t, s.ID)
			sum := 0
			for i, r := range rows {
				sum += int(f(Response{r.Prompt, of(i, r)}))
			}
			shares[k] = float64(sum) / float64(len(rows))
			out += fmt.Sprintf("%8.3g", shares[k])
		}
		t.Log(out)
		return shares
	}
	t.Log(head)
	base := line("(none)", func(_ int, r Response) string { return r.Text })
	for _, tr := range Transforms() {
		f := mustTransform(t, tr.ID)
		got := line(tr.ID, func(i int, r Response) string { return f(r, uint64(i)) })
		for k, s := range Scorers() {
			if own(tr.ID, s.ID) || expectedBeside(tr.ID, s.ID) {
				continue
			}
			if diff := got[k] - base[k]; diff > 0.05 || diff < -0.1 {
				t.Errorf("%s moves %s from %.3f to %.3f", tr.ID, s.ID, base[k], got[k])
			}
		}
	}
}

func own(transform, scorer string) bool {
	for _, c := range classOf {
		if c.transform == transform && c.scorer == scorer {
			return true
		}
	}
	return false
}

// expectedBeside are the side effects that lie in the nature of a fault.
func expectedBeside(transform, scorer string) bool {
	switch {
	case scorer == "verbosity/1":
		return true
	case scorer == "json_invalid/1":
		// Whatever replaces or surrounds the text ends its being JSON.
		return true
	case transform == "empty/1":
		return true
	case scorer == "truncation/1":
		return strings.HasPrefix(transform, "repeat/") || strings.HasPrefix(transform, "garble/") || strings.HasPrefix(transform, "break_") || strings.HasPrefix(transform, "switch_") || strings.HasPrefix(transform, "leak_")
	case transform == "garble/1":
		return scorer == "wrong_language/1" || scorer == "repetition/1" || scorer == "refusal/1"
	case transform == "leak_reasoning/1":
		// A deliberation without a closing tag hides where the answer begins.
		return scorer == "refusal/1"
	case transform == "break_tool_call/1":
		return scorer == "special_token_leak/1"
	case transform == "switch_language/1":
		return scorer == "garbled/1" || scorer == "refusal/1"
	}
	return false
}
