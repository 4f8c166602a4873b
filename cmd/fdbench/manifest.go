package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/manifests"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

type manifestCmd struct {
	Build manifestBuildCmd `cmd:"" help:"Make a manifest from documents of your own."`
	Check manifestCheckCmd `cmd:"" help:"Show what a manifest holds, and whether a reuse block can use it."`
}

func (*manifestCmd) Help() string {
	return `A manifest holds the items of a reuse block, one a line: donors whose KV may be reused, and a recipient that is measured.

Examples:

    fdbench manifest build --documents documents.jsonl --out manifest.jsonl
    fdbench manifest check manifest.jsonl --block-size 32`
}

type manifestBuildCmd struct {
	Documents   string   `required:"" help:"Documents in JSON lines: objects with \"id\" and \"text\", and optionally \"question\", \"answers\", \"domain\" and \"dataset\"." placeholder:"FILE"`
	Out         string   `required:"" help:"Where the manifest goes; \"-\" writes to standard output." placeholder:"FILE"`
	Transforms  []string `help:"The transforms, separated by commas; all of them where the flag is absent. The page of this verb lists them." placeholder:"NAME"`
	Selection   string   `help:"What a negative control's donor is about: cross_domain (the next document of another domain) or adjacent (the next document, which may be alike)." enum:"cross_domain,adjacent" default:"cross_domain" placeholder:"NAME"`
	Dataset     string   `help:"The dataset of documents that name none." default:"documents" placeholder:"NAME"`
	MaxSegments int      `help:"The most segments that a document is cut into; 4 where the flag is absent." default:"4" placeholder:"N"`
	MinSegment  int      `help:"About the fewest characters of a segment; 400 where the flag is absent." default:"400" placeholder:"N"`
	JSON        bool     `name:"json" help:"Print a JSON object about the manifest."`
}

func (*manifestBuildCmd) Help() string {
	return `Each document gives one item for each transform: ` + strings.Join(transform.Names(), ", ") + `. The same documents and flags give the same bytes on every machine. A negative control needs a document of another domain, unless --selection adjacent says otherwise.

Examples:

    fdbench manifest build --documents scenarios/reuse/documents.jsonl --out manifest.jsonl
    fdbench manifest build --documents documents.jsonl --transforms rag_reorder,negative_control --out - | wc -l`
}

func (c *manifestBuildCmd) Run(a *app) error {
	// What is 0 or empty means the default further on, and nobody writes a flag
	// for that.
	switch {
	case c.MaxSegments == 0:
		return usage("--max-segments 0: a document is cut into 2 segments at least")
	case c.MinSegment == 0:
		return usage("--min-segment 0: a segment has 1 character at least")
	case c.Dataset == "":
		return usage("--dataset is empty: name the dataset of documents that name none, or leave the flag out")
	}
	line := &fileProgress{line: terminal.NewLine(a.Err, time.Now), on: a.Err.Terminal}
	built, err := manifests.Build(c.Documents, c.Out, transform.Options{
		Dataset:     c.Dataset,
		Transforms:  c.Transforms,
		MaxSegments: c.MaxSegments,
		MinSegment:  c.MinSegment,
		Selection:   c.Selection,
	}, a.Out, func(done int64) { line.set("writing "+c.Out, done, 0) })
	line.line.Clear()
	if err != nil {
		return buildError(err)
	}
	to := io.Writer(a.Out)
	if c.Out == "-" {
		to = a.Err
	}
	if c.JSON {
		return plainjson.Write(to, built)
	}
	return view.BuiltManifest(to, built)
}

// buildError gives an error of a build its exit code.
func buildError(err error) error {
	var option *transform.OptionError
	var document *transform.DocumentError
	switch {
	case errors.As(err, &option) && option.Option != "selection":
		return usage("%w", option)
	case errors.As(err, &option), errors.As(err, &document):
		return refused(err)
	}
	return err
}

type manifestCheckCmd struct {
	BlockSize int    `help:"The tokens of a block; 16 where the flag is absent." default:"16" placeholder:"N"`
	Tokenizer string `help:"What counts tokens. The page of this verb lists what there is; stable where the flag is absent." default:"stable" placeholder:"NAME"`
	Audit     string `help:"Which collisions are looked for: full (blocks of other documents too) or controls (a negative control against its own donors, in constant memory)." enum:"full,controls" default:"full" placeholder:"NAME"`
	Limit     int    `help:"How many broken lines are named at most." default:"20" placeholder:"N"`
	JSON      bool   `name:"json" help:"Print a JSON object."`
	File      string `arg:"" help:"A manifest: JSON lines with donors and a recipient each."`
}

func (*manifestCheckCmd) Help() string {
	return `Reads a manifest to its end: items, donors, tokens and blocks of each transform, the digest that a plan names, whatever was left out, and blocks of text that stand where they must not. The exit code is 3 where a reuse block would refuse the manifest; each broken line is then named.

Tokenizers: ` + strings.Join(tokens.Names(), ", ") + `.

Examples:

    fdbench manifest check manifest.jsonl
    fdbench manifest check manifest.jsonl --block-size 32 --tokenizer cl100k_base --json`
}

func (c *manifestCheckCmd) Run(a *app) error {
	tok, err := tokens.Lookup(c.Tokenizer)
	if err != nil {
		return usage("--tokenizer: %w", err)
	}
	if c.BlockSize < 1 {
		return usage("--block-size %d: a block has at least 1 token", c.BlockSize)
	}
	if c.Limit < 1 {
		return usage("--limit %d: at least 1 line is named", c.Limit)
	}
	line := &fileProgress{line: terminal.NewLine(a.Err, time.Now), on: a.Err.Terminal}
	report, err := manifests.Inspect(c.File, manifests.Options{Tokenizer: tok, BlockSize: c.BlockSize, Mode: c.Audit, Limit: c.Limit, Progress: line.set})
	line.line.Clear()
	if err != nil {
		return err
	}
	if c.JSON {
		err = plainjson.Write(a.Out, report)
	} else if len(report.Broken) == 0 && report.Items > 0 {
		err = view.Manifest(a.Out, report)
	}
	if err != nil {
		return err
	}
	if len(report.Broken) > 0 {
		if err := view.BrokenManifest(a.Err, report); err != nil {
			return err
		}
		return exit(exitRefused)
	}
	if err := report.Refused(); err != nil {
		return refused(err)
	}
	return nil
}

// fileProgress shows how far a long file has come, to a person who watches.
type fileProgress struct {
	line *terminal.Line
	on   bool
}

// set hears of bytes. It is silent on anything but a terminal: a short file has
// nothing to tell, and a log of a long one would have a line for each phase
// that says nothing.
func (p *fileProgress) set(phase string, done, of int64) {
	if !p.on {
		return
	}
	state := fmt.Sprintf("%d MB", done>>20)
	if of > 0 {
		state = fmt.Sprintf("%d of %d MB", done>>20, of>>20)
	}
	p.line.Set(phase, state)
}
