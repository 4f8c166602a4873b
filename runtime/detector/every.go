package detector

import (
	"context"
	"time"
)

// Every calls look again and again until ctx ends, the first time after one
// interval. The schedule is absolute, without the calls that a slow one cost.
func Every(ctx context.Context, interval time.Duration, look func(context.Context)) {
	next := time.Now().Add(interval)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(next)):
		}
		look(ctx)
		for now := time.Now(); !next.After(now); {
			next = next.Add(interval)
		}
	}
}
