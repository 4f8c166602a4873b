package detector

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A look of two and a half intervals costs the two that it covers, and the
// rest stay where they were.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 7500*time.Millisecond)
		defer cancel()
		var at []time.Duration
		Every(ctx, time.Second, func(context.Context) {
			at = append(at, time.Since(start))
			if len(at) == 2 {
				time.Sleep(2500 * time.Millisecond)
			}
		})
		if want := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 6 * time.Second, 7 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("looked at %v, want %v", at, want)
		}
	})
}
