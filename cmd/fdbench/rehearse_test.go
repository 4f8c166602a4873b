package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/live"
)

// That no fault is applied any more is said where nothing speaks against it,
// and nowhere else.
func TestRehearseError(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	stuck := &live.NotRemovedError{Err: errors.New("exit status 1")}
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want string
		none bool // no fault is applied
	}{
		{"interrupted", ended, context.Canceled, "interrupted", true},
		{"interrupted in a call", ended, fmt.Errorf("GET: %w", context.Canceled), "interrupted", true},
		{"not removed", ended, errors.Join(context.Canceled, stuck), "exit status 1", false},
		{"a record is left", ended, &execute.LeftError{Dir: "DIR", Err: context.Canceled}, "fdbench recover DIR", false},
		{"a record is left by one that was not removed", ended, &execute.LeftError{Dir: "DIR", Err: errors.Join(context.Canceled, stuck)}, "fdbench recover DIR", false},
		{"a call was cancelled by itself", t.Context(), context.Canceled, "canceled", false},
		{"failed", t.Context(), errors.New("no space left"), "no space left", false},
		{"failed while interrupted", ended, errors.New("did not end"), "did not end", false},
	} {
		err := rehearseError(c.ctx, c.err)
		var e *exitError
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "no fault is applied") != c.none || errors.As(err, &e) != c.none || c.none && e.code != exitInterrupted {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
