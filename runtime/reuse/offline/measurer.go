package offline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/blocks"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/source"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// Scopes of the exact index.
const (
	ScopeItem   = "item"   // the donors of the recipient's own item
	ScopeCorpus = "corpus" // those of all items of the manifest
)

// VersionError is a tokenizer that counts otherwise than the one that the plan
// was made with.
type VersionError struct{ Name, Got, Want string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the plan counts tokens with %s (%s), and this program has %s; make a new plan, since figures of the two cannot be held together", e.Name, e.Want, e.Got)
}

// DigestError is a file of plans that is not the one that the plan names.
type DigestError struct{ File, Got, Want string }

func (e *DigestError) Error() string {
	return fmt.Sprintf("%s: the plans are not those that the scenario was compiled with (SHA-256 %s; the plan has %s). Put the file back, or make a new plan", e.File, e.Got, e.Want)
}

// Measurer measures the items of one declaration.
type Measurer struct {
	d       *plan.ReuseDeclaration
	folder  string
	tok     tokens.Tokenizer
	planner *plan.ReusePlanner
	plans   *blocks.Plans // null where there are none
	file    *os.File      // of plans
	corpus  *blocks.Corpus

	// Workers is how many goroutines measure; the rows do not depend on it.
	workers int
}

// New prepares the measurement of a declaration whose files are in folder. It
// reads a file of plans once, and opens no file outside of folder. The error is
// a *tokens.UnknownError, a VersionError, a DigestError, a *blocks.PlanError, or
// that of a file.
func New(d *plan.ReuseDeclaration, folder string) (*Measurer, error) {
	m := &Measurer{d: d, folder: folder, planner: d.Planner, workers: runtime.GOMAXPROCS(0)}
	var err error
	if m.tok, err = tokens.Lookup(d.Tokenizer.Name); err != nil {
		return nil, err
	}
	if got := m.tok.Version(); got != d.Tokenizer.Version {
		return nil, &VersionError{d.Tokenizer.Name, got, d.Tokenizer.Version}
	}
	switch {
	case d.BlockSize < 1:
		return nil, fmt.Errorf("a block of %d tokens is none; block_size is at least 1", d.BlockSize)
	case d.Scope != ScopeItem && d.Scope != ScopeCorpus:
		return nil, fmt.Errorf("there is no scope %q; write item or corpus", d.Scope)
	case d.Planner != nil && d.Plans != nil:
		return nil, errors.New("there are both a planner and plans, and a figure has to come from one of them; remove the other")
	case d.Planner != nil:
		_, err = blocks.NewPlanner(*d.Planner, d.BlockSize)
	case d.Plans != nil:
		err = m.openPlans()
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Measurer) openPlans() error {
	root, err := os.OpenRoot(m.folder)
	if err != nil {
		return err
	}
	defer root.Close()
	name := m.d.Plans.File
	if m.file, err = root.Open(name); err != nil {
		return err
	}
	if m.plans, err = blocks.OpenPlans(m.file, m.d.BlockSize); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if got := m.plans.SHA256(); got != m.d.Plans.SHA256 {
		return &DigestError{name, got, m.d.Plans.SHA256}
	}
	if by := m.plans.Planner(); !says(m.d.Plans.Planner, by) {
		return fmt.Errorf("%s: the plans are by %q, and the scenario says that they are by %q; every result names the planner, so write its name, and its version if you like, in planner_name", name, by, m.d.Plans.Planner)
	}
	return nil
}

// says tells whether a planner's declared name, which may hold a version as
// well, has the name that its plans give, as whole words.
func says(declared, by string) bool {
	if by == "" {
		return true
	}
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	for at := 0; ; {
		i := strings.Index(declared[at:], by)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(declared[:at])
		after, _ := utf8.DecodeRuneInString(declared[at+len(by):])
		if !inside(before) && !inside(after) {
			return true
		}
		_, n := utf8.DecodeRuneInString(declared[at:])
		at += n
	}
}

// Close closes the file of plans.
func (m *Measurer) Close() error {
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// Rows measures the items of a manifest on all cores and gives the rows to fn
// in the order of the items, without the first `from` of them. It stops at the
// first error of the manifest, of a plan, of fn or of ctx, and returns it;
// what fn was given until then stays right. Once all items are read, a plan for
// an item that the manifest does not have is a *blocks.PlanError.
//
// In scope corpus the first call reads the manifest once more, by itself, for
// the donors of all items.
//
// The memory does not grow with the manifest, but for 70 bytes for each line of
// a file of plans and, in scope corpus, up to 90 bytes for each distinct block of
// the donors.
func (m *Measurer) Rows(ctx context.Context, r *manifest.Reader, from int64, fn func(record.Item) error) error {
	if m.d.Scope == ScopeCorpus && m.corpus == nil {
		if err := m.readCorpus(ctx); err != nil {
			return err
		}
	}
	var index int64
	next := func() (*job, error) {
		for {
			if err := ctx.Err(); err != nil { // a long way to `from` too
				return nil, err
			}
			it, err := r.Next()
			if err != nil {
				return nil, err
			}
			j := &job{item: it, index: index}
			if m.plans != nil {
				j.plan, j.planned = m.plans.Find(it.ItemID)
			}
			if index++; j.index >= from {
				return j, nil
			}
		}
	}
	err := m.run(ctx, next, (*worker).measure, func(j *job) error { return fn(j.row) })
	if err != nil || m.plans == nil {
		return err
	}
	if err := m.plans.Unused(); err != nil {
		return fmt.Errorf("%s: %w", m.d.Plans.File, err)
	}
	return nil
}

// readCorpus indexes the donors of all items.
func (m *Measurer) readCorpus(ctx context.Context) error {
	r, c, err := source.Open(&m.d.Manifest, m.folder)
	if err != nil {
		return err
	}
	defer c.Close()
	corpus := blocks.NewCorpus(m.d.BlockSize)
	next := func() (*job, error) {
		it, err := r.Next()
		return &job{item: it}, err
	}
	err = m.run(ctx, next, (*worker).tokenize, func(j *job) error {
		for _, t := range j.donors {
			corpus.Add(t)
		}
		return nil
	})
	if err == nil {
		m.corpus = corpus
	}
	return err
}
