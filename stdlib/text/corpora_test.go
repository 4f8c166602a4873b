package text

import (
	"os"
	"testing"

	"github.com/fdbench/fdbench/spec/refdata"
)

var realFiles = []string{
	"xstest-mistral-7b-guarded", "xstest-mistral-7b-instruct", "alpacaeval-mixtral", "alpacaeval-mixtral-concise",
	"alpacaeval-mixtral-verbose", "alpacaeval-openhermes",
}

// TestScorersOnRealResponses: responses of deployments without a known fault
// must nearly always score 0 on the indicators that look for broken output.
func TestScorersOnRealResponses(t *testing.T) {
	bars := map[string]float64{
		"truncation/1": 0.06, "empty/1": 0.002, "repetition/1": 0.015, "wrong_language/1": 0.01, "garbled/1": 0.005,
		"special_token_leak/1": 0.002, "reasoning_leak/1": 0.002, "tool_call_broken/1": 0.002, "schema_violation/1": 0.002,
	}
	n := 0
	hits := map[string]int{}
	for _, file := range realFiles {
		for _, row := range readLabelled(t, refdata.Path(t, "data/responses/"+file+".jsonl")) {
			n++
			for _, s := range Scorers() {
				if bars[s.ID] == 0 {
					continue
				}
				f, err := s.New(requiredParams(s.ID))
				if err != nil {
					t.Fatal(err)
				}
				if f(Response{row.Prompt, row.Response}) == 0 {
					continue
				}
				hits[s.ID]++
				if os.Getenv("FDBENCH_EXPLAIN") == s.ID {
					tail := row.Response[max(0, len(row.Response)-200):]
					t.Logf("%s %s %s\n  Q %.200q\n  A %.300q\n  ... %q", s.ID, file, row.ID, row.Prompt, row.Response, tail)
				}
			}
		}
	}
	for _, s := range Scorers() {
		if bar := bars[s.ID]; bar > 0 {
			t.Logf("%-22s %3d of %d", s.ID, hits[s.ID], n)
			if float64(hits[s.ID]) > bar*float64(n) {
				t.Errorf("%s scores %d of %d ordinary responses, want at most %.1f percent", s.ID, hits[s.ID], n, 100*bar)
			}
		}
	}
}
