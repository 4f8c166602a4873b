package live

import (
	"context"

	"github.com/fdbench/fdbench/runtime/world"
)

// Prober compares the clocks that stamp onset and event (FD-3.5-2).
type Prober interface {
	Probe(ctx context.Context) ([]world.Offset, error)
}
