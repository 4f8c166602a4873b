package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/arms"
	"github.com/fdbench/fdbench/runtime/reuse/audit"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/offline"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/source"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// Runner sends the requests of pairs (package runtime/reuse/arms).
type Runner interface {
	Check(ctx context.Context) error
	Warm(ctx context.Context) error
	Pair(ctx context.Context, n int64, it *manifest.Item) ([]record.Reset, []record.Arm, error)
	Counters(ctx context.Context, moment string) []record.Counters
	Targets() []journal.Target
	Model() string // that is asked for, known after Check
	Close()
}

// Items is a manifest that is read from its beginning.
type Items interface {
	Next() (*manifest.Item, error)
	Close() error
}

// parts are what an execution is made of.
type parts struct {
	inputs func(ctx context.Context) error
	rows   func(ctx context.Context, from int64, fn func(record.Item) error) error
	items  func() (Items, error)
	audit  func(ctx context.Context) (record.Audit, error)
	runner func() (Runner, error)
	log    func(ctx context.Context, e plan.ReuseEvidence, requests func(string) (evidence.Request, bool)) (record.Evidence, []record.Joined, error)
}

// real are the parts of a plan.
func real(o *Options) *parts {
	d := &o.Plan.Declaration
	return &parts{
		inputs: func(ctx context.Context) error { return checkInputs(ctx, &d.Manifest, o.Folder) },
		rows: func(ctx context.Context, from int64, fn func(record.Item) error) error {
			return Rows(ctx, d, o.Folder, from, fn)
		},
		items: func() (Items, error) { return openItems(&d.Manifest, o.Folder) },
		audit: func(ctx context.Context) (record.Audit, error) { return Audit(ctx, d, o.Folder) },
		runner: func() (Runner, error) {
			return arms.New(arms.Options{Plan: o.Plan, Folder: o.Folder, Allow: o.Allow, Secret: o.Secret, Items: d.Manifest.Items, Run: o.Run})
		},
		log: func(ctx context.Context, e plan.ReuseEvidence, requests func(string) (evidence.Request, bool)) (record.Evidence, []record.Joined, error) {
			return Log(ctx, e, o.Folder, requests)
		},
	}
}

// Rows computes the rows of a plan's manifest, from one on (package
// runtime/reuse/offline).
func Rows(ctx context.Context, d *plan.ReuseDeclaration, folder string, from int64, fn func(record.Item) error) (err error) {
	m, err := offline.New(d, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	r, c, err := source.Open(&d.Manifest, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return m.Rows(ctx, r, from, fn)
}

// Audit looks for collisions of the blocks of a plan's manifest.
func Audit(ctx context.Context, d *plan.ReuseDeclaration, folder string) (record.Audit, error) {
	tok, err := tokens.Lookup(d.Tokenizer.Name)
	if err != nil {
		return record.Audit{}, err
	}
	return audit.Run(d.Audit, tok, d.BlockSize, func() (*manifest.Reader, io.Closer, error) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		return source.Open(&d.Manifest, folder)
	})
}

// Log reads one log of a plan.
func Log(ctx context.Context, e plan.ReuseEvidence, folder string, requests func(string) (evidence.Request, bool)) (record.Evidence, []record.Joined, error) {
	path := e.Log
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, filepath.FromSlash(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return record.Evidence{}, nil, fmt.Errorf("the log of %s cannot be read: %w. The rows and pairs are kept; run the same command again when it is there", e.Engine, err)
	}
	defer f.Close()
	return evidence.Read(e.Engine, &interruptible{ctx, f}, evidence.Options{Log: e.Log, Requests: requests})
}

// interruptible is a file whose reading ends with a context.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (x *interruptible) Read(p []byte) (int, error) {
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	return x.r.Read(p)
}

type items struct {
	*manifest.Reader
	io.Closer
}

func openItems(m *plan.ReuseManifest, folder string) (Items, error) {
	r, c, err := source.Open(m, folder)
	if err != nil {
		return nil, err
	}
	return items{r, c}, nil
}
