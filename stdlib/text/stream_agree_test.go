package text

import (
	"os"
	"testing"
)

// TestStreamsAgreeWithTwins: the class's scorer judges what was streamed as it
// judges the twin, response by response and in sum.
func TestStreamsAgreeWithTwins(t *testing.T) {
	check := func(t *testing.T, rows []Response, params map[string]string) {
		for _, c := range classOf {
			tr, _ := LookupTransform(c.transform)
			sc, _ := LookupScorer(c.scorer)
			var own map[string]string
			if c.transform == "violate_schema/1" {
				own = params
			}
			score, err := sc.New(own)
			if err != nil {
				t.Fatal(err)
			}
			apply, err := tr.New(own)
			if err != nil {
				t.Fatal(err)
			}
			begin, err := tr.Stream(own)
			if err != nil {
				t.Fatal(err)
			}
			n, twins, streams, agree, same := 0, 0, 0, 0, 0
			for i, r := range repeated(rows) {
				twin := apply(r, uint64(i))
				got := streamed(t, tr, begin, r, uint64(i), tokens(r.Text))
				a, b := score(Response{r.Prompt, twin}), score(Response{r.Prompt, got})
				n++
				twins += int(a)
				streams += int(b)
				if twin == got {
					same++
				}
				if a == b {
					agree++
				} else if os.Getenv("FDBENCH_EXPLAIN") == c.transform {
					t.Logf("%s: twin %d, stream %d\n  prompt %.200q\n  before %.300q\n  twin   %.300q\n  stream %.300q", c.transform, a, b, r.Prompt, r.Text, twin, got)
				}
			}
			t.Logf("%-22s %-20s twins %4d, streams %4d, agree on %4d of %4d, same bytes %4d", c.transform, c.scorer, twins, streams, agree, n, same)
			if agree*1000 < n*980 {
				t.Errorf("%s: %s judges stream and twin alike for %d of %d responses, want 98 percent", c.transform, c.scorer, agree, n)
			}
			if diff := streams - twins; diff*100 > 2*n || diff*100 < -2*n {
				t.Errorf("%s: %s hits %d streams and %d twins", c.transform, c.scorer, streams, twins)
			}
		}
	}
	strict := map[string]string{"schema": `{"type":"object","required":["answer","city"],"properties":{"answer":{"type":"string"},"city":{"type":"string"},"count":{"type":"integer"}},"additionalProperties":true}`}
	for _, c := range streamCorpora(t, false) {
		t.Run(c.name, func(t *testing.T) { check(t, c.rows, nil) })
	}
	t.Run("JSON, strict schema", func(t *testing.T) { check(t, jsonResponses(), strict) })
	t.Run("real responses", func(t *testing.T) { check(t, realResponses(t), nil) })
}

// TestStreamLengths: the mean number of words moves by what the twins move it.
func TestStreamLengths(t *testing.T) {
	check := func(t *testing.T, rows []Response) {
		for _, c := range []struct {
			id      string
			factors []string
		}{{"verbose/1", []string{"1.5", "2", "3"}}, {"terse/1", []string{"0.3", "0.5", "0.8"}}} {
			tr, _ := LookupTransform(c.id)
			for _, factor := range c.factors {
				params := map[string]string{"factor": factor}
				apply, err := tr.New(params)
				if err != nil {
					t.Fatal(err)
				}
				begin, err := tr.Stream(params)
				if err != nil {
					t.Fatal(err)
				}
				before, twins, streams, cut := 0, 0, 0, 0
				n := float64(len(repeated(rows)))
				for i, r := range repeated(rows) {
					got := streamed(t, tr, begin, r, uint64(i), tokens(r.Text))
					before += countWords(r.Text)
					twins += countWords(apply(r, uint64(i)))
					streams += countWords(got)
					if isTruncated(got) && !isTruncated(r.Text) {
						cut++
						if os.Getenv("FDBENCH_EXPLAIN") == c.id {
							t.Logf("before %q\nstream %q", r.Text, got)
						}
					}
				}
				a, b := float64(twins-before)/n, float64(streams-before)/n
				t.Logf("%s factor %s: %.2f words, twins %+.2f, streams %+.2f, ratio %.3f; %d cut", c.id, factor, float64(before)/n, a, b, b/a, cut)
				if b/a < 0.95 || b/a > 1.05 {
					t.Errorf("%s factor %s: streams move the mean by %+.2f words, twins by %+.2f", c.id, factor, b, a)
				}
				if cut*50 > len(repeated(rows)) {
					t.Errorf("%s factor %s: %d of %d streams read as truncated", c.id, factor, cut, len(rows))
				}
			}
		}
	}
	for _, c := range streamCorpora(t, false) {
		if c.name != "tool calls" {
			t.Run(c.name, func(t *testing.T) { check(t, c.rows) })
		}
	}
	t.Run("real responses", func(t *testing.T) { check(t, realResponses(t)) })
}

// repeated are at least 1000 responses, so that chance has little to say.
func repeated(rows []Response) []Response {
	out := rows
	for len(out) < 1000 {
		out = append(out[:len(out):len(out)], rows...)
	}
	return out
}
