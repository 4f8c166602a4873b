package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// Rerun measures again what can be measured again, and returns what comes out
// otherwise: the rows of the manifest, the collision audit, and logs that were
// there before the run. Requests to an endpoint cannot be repeated to the same
// bytes and are left out. folder is where the scenario's files lie. progress,
// which may be nil, hears how many rows are done.
//
// This is what the chain of a journal cannot show: that its rows are those of
// this manifest.
func Rerun(ctx context.Context, dir, folder string, progress func(done int64)) (*Problem, error) {
	p, problem, err := difference.Plan(dir, plan.DecodeReuse)
	if problem != nil || err != nil {
		return problem, err
	}
	if have := p.Estimators.Engine; have != execute.EngineName {
		return nil, &execute.EngineError{Have: execute.EngineName, Want: have}
	}
	path := filepath.Join(dir, execute.JournalFile)
	if problem, err := rows(ctx, p, path, folder, progress); problem != nil || err != nil {
		return problem, err
	}
	return rest(ctx, p, path, folder)
}

// errDiffers ends a measurement at the first row that is another.
var errDiffers = errors.New("another row")

// rows holds every row of the journal against one that is measured now. The
// journal is read as the rows come, so neither is in memory as a whole.
func rows(ctx context.Context, p *plan.Reuse, path, folder string, progress func(int64)) (*Problem, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type line struct {
		n    int
		data []byte
	}
	recorded, done := make(chan line, 64), make(chan error, 1)
	go func() {
		defer close(recorded)
		done <- each(path, func(e journal.Entry) error {
			if e.Kind != record.KindItem {
				return nil
			}
			select {
			case recorded <- line{e.Line, bytes.Clone(e.Data)}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	var problem *Problem
	n := int64(0)
	err := execute.Rows(ctx, &p.Declaration, folder, 0, func(x record.Item) error {
		have, ok := <-recorded
		want, err := plainjson.Line(x)
		switch {
		case err != nil:
			return err
		case !ok:
			problem = &Problem{File: execute.JournalFile, Detail: fmt.Sprintf("it has %d rows, and the manifest has more", n)}
			return errDiffers
		case !bytes.Equal(have.data, want):
			problem = &Problem{File: execute.JournalFile, Path: fmt.Sprintf("line %d", have.n), Detail: fmt.Sprintf("measuring item %q again gives another row", x.ItemID)}
			return errDiffers
		}
		if n++; progress != nil && n%256 == 0 {
			progress(n)
		}
		return nil
	})
	if problem == nil && err == nil {
		if have, ok := <-recorded; ok {
			problem = &Problem{File: execute.JournalFile, Path: fmt.Sprintf("line %d", have.n), Detail: "it is a row that the manifest does not give"}
		}
	}
	cancel()
	for range recorded {
	}
	switch failed := <-done; {
	case problem != nil:
		return problem, nil
	case err != nil:
		return nil, err
	case failed != nil && !errors.Is(failed, context.Canceled):
		return nil, failed
	}
	return nil, nil
}

// rest holds the audit and the logs against what they give now.
func rest(ctx context.Context, p *plan.Reuse, path, folder string) (*Problem, error) {
	var problem *Problem
	logs := 0
	err := each(path, func(e journal.Entry) error {
		var again any
		var err error
		switch e.Kind {
		case record.KindAudit:
			again, err = execute.Audit(ctx, &p.Declaration, folder)
		case record.KindEvidence:
			declared := p.Declaration.Evidence
			if logs >= len(declared) {
				return nil
			}
			x := declared[logs]
			if logs++; x.SHA256 == "" {
				return nil // an engine wrote it meanwhile
			}
			again, _, err = execute.Log(ctx, x, folder, nil)
		default:
			return nil
		}
		if err != nil {
			return err
		}
		want, err := plainjson.Line(again)
		if err != nil {
			return err
		}
		if !bytes.Equal(e.Data, want) {
			problem = &Problem{File: execute.JournalFile, Path: fmt.Sprintf("line %d", e.Line), Detail: "measuring it again gives another entry"}
			return errDiffers
		}
		return nil
	})
	if problem != nil {
		return problem, nil
	}
	return nil, err
}

func each(path string, fn func(journal.Entry) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := journal.Read(f, fn); !errors.Is(err, journal.ErrTorn) {
		return err
	}
	return nil
}
