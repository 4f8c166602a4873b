package text

import (
	"sync"
	"testing"
)

// TestConcurrentUse: functions made once serve many goroutines and give each
// what they give one.
func TestConcurrentUse(t *testing.T) {
	rows := ownResponses(t)[:80]
	for _, s := range Scorers() {
		f := mustScorer(t, s.ID)
		want := make([]int32, len(rows))
		for i, r := range rows {
			want[i] = f(r)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i, r := range rows {
					if got := f(r); got != want[i] {
						t.Errorf("%s scores %d at the same time as others, %d alone", s.ID, got, want[i])
					}
				}
			})
		}
		wg.Wait()
	}
}
