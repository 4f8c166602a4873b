package measure_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// FuzzCompute builds a journal whose chain holds out of any entries, one a
// line as `kind data`. Compute must return a result that encodes, or name the
// line that it refuses.
func FuzzCompute(f *testing.F) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, Trials: 1})
	var seed strings.Builder
	for _, r := range c.Records {
		b, err := json.Marshal(r.Data)
		if err != nil {
			f.Fatal(err)
		}
		seed.WriteString(r.Kind + " " + string(b) + "\n")
		if r.Kind == journal.KindCommit {
			f.Add(seed.String())
		}
	}
	f.Add(seed.String())
	f.Fuzz(func(t *testing.T, text string) {
		fc := synthetic.Case{Plan: c.Plan, Open: c.Open}
		for line := range strings.Lines(text) {
			kind, data, _ := strings.Cut(strings.TrimSpace(line), " ")
			if kind == journal.KindOpen || !strings.HasPrefix(data, "{") || !json.Valid([]byte(data)) || len(data) > 4096 {
				continue
			}
			fc.Records = append(fc.Records, synthetic.Record{Kind: kind, Data: json.RawMessage(data)})
			if kind == journal.KindClose {
				break
			}
		}
		b, err := fc.Write(t.TempDir())
		if err != nil {
			return // a kind that no journal takes
		}
		r, err := measure.Compute(fc.Plan, bytes.NewReader(b))
		var ce *journal.ChainError
		if err != nil {
			if !errors.As(err, &ce) || ce.Line < 2 {
				t.Fatalf("refused without a line: %v", err)
			}
			return
		}
		if len(measure.Encode(r)) == 0 {
			t.Fatal("no result")
		}
	})
}
