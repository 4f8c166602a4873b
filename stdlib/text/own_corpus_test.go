package text

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnCorpus: the small corpus of the project has the refusal rates that
// its description promises, and nothing in it is broken.
func TestOwnCorpus(t *testing.T) {
	for _, c := range []struct {
		file      string
		low, high int
	}{{"responses.jsonl", 5, 8}, {"responses-strict-prompt.jsonl", 46, 56}} {
		rows := readLabelled(t, filepath.Join("..", "..", "scenarios", "recorded", c.file))
		if len(rows) != 200 {
			t.Errorf("%s has %d rows, want 200", c.file, len(rows))
		}
		refusals := 0
		for _, row := range rows {
			r := Response{row.Prompt, row.Response}
			hit := Refused(r)
			if hit {
				refusals++
			}
			if os.Getenv("FDBENCH_EXPLAIN") == "own" {
				t.Logf("%v %s", hit, row.Response)
			}
			for _, s := range Scorers() {
				if s.Kind == "mean" || s.ID == "refusal/1" || s.ID == "json_invalid/1" || s.ID == "schema_violation/1" {
					continue
				}
				if mustScorer(t, s.ID)(r) != 0 {
					t.Errorf("%s %s: %s scores 1 on %q", c.file, row.ID, s.ID, row.Response)
				}
			}
		}
		t.Logf("%s: %d refusals of %d", c.file, refusals, len(rows))
		if refusals < c.low || refusals > c.high {
			t.Errorf("%s: %d refusals, want %d to %d", c.file, refusals, c.low, c.high)
		}
	}
}
