package execute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/lease"
	"github.com/fdbench/fdbench/runtime/live"
)

// The folder of a rehearsal stays for as long as its fault has a record, and
// the error says so, whatever else went wrong.
func TestLeave(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		record bool
		want   string // in the error; "" for the error as it was
	}{
		{"all is well", nil, false, ""},
		{"interrupted", context.Canceled, false, ""},
		{"a record and no error", nil, true, "may still be applied."},
		{"a record and an interruption", context.Canceled, true, "may still be applied."},
		{"not removed", errors.Join(context.Canceled, &live.NotRemovedError{Err: errors.New("exit status 1")}), true, "exit status 1"},
		{"another error", errors.New("no space left"), true, "no space left"},
	} {
		dir := filepath.Join(t.TempDir(), "rehearsal")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if c.record {
			if err := os.WriteFile(filepath.Join(dir, lease.RecordName), []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := leave(dir, c.err)
		_, serr := os.Stat(dir)
		var left *LeftError
		if errors.As(err, &left) != c.record || (serr == nil) != c.record {
			t.Errorf("%s: %v, folder %v", c.name, err, serr)
			continue
		}
		if !c.record && err != c.err {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.record && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "fdbench recover "+dir) || !errors.Is(err, c.err) && c.err != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
