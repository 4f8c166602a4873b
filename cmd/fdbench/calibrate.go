package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/reuse/calibrate"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
	"github.com/fdbench/fdbench/runtime/reuse/source"
)

type calibrateCmd struct {
	Reuse       string            `help:"The reuse block. Default: the one with a live block, where there is one such." placeholder:"NAME"`
	Out         string            `required:"" help:"Where the noise floor goes, such as noise-floor.json beside the scenario. It replaces an older one." placeholder:"FILE"`
	MaxItems    int64             `help:"Only the first N items of the manifest." placeholder:"N"`
	Var         map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	AllowTarget []string          `help:"Let a host outside of the test environment's address ranges through. May be repeated." placeholder:"HOST" sep:"none"`
	Path        string            `arg:"" name:"path" help:"A scenario: a file that ends in .fdb.hcl, or a folder of them."`
}

func (*calibrateCmd) Help() string {
	return `Measures how much alike two answers to one prompt are that an engine computes from nothing. Every recipient of the manifest is sent twice, the caches are emptied before either, and the two answers are compared by ROUGE-L. What a warm cache does to answers is judged against this noise floor and never as an absolute.

The protocol (model, engine and its version, max_tokens, temperature, concurrency, manifest) is that of the reuse block, and stands in the file: a run under another protocol refuses it. Name the file in the reuse block with calibration = "noise-floor.json". While a noise floor is measured, the one that the block names already, and the scenario's gates, are not looked at.

A pair of which a reset failed, or whose engine reports cached tokens against the block's rule, is left out and counted. Without a pair that can be used the exit code is 4. So it is where pairs fail one after the other and the endpoint is no longer there, or fails eight in a row: nothing is written, and what is wrong is said. An interruption writes nothing.

Examples:

    fdbench calibrate scenarios/reuse --out scenarios/reuse/noise-floor.json
    fdbench calibrate rag.fdb.hcl --reuse rag --out noise-floor.json --max-items 200`
}

func (c *calibrateCmd) Run(a *app) error {
	if c.MaxItems < 0 {
		return usage("--max-items is at least 1")
	}
	if info, err := os.Stat(c.Out); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the file for the noise floor, such as --out %s", c.Out, filepath.Join(c.Out, "noise-floor.json"))
	}
	if _, err := os.Stat(filepath.Dir(c.Out)); err != nil {
		return fmt.Errorf("the folder for --out: %w", err) // not after an hour of requests
	}
	p, folder, err := c.plan(a)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	line := terminal.NewLine(a.Err, time.Now)
	phase := fmt.Sprintf("noise floor of reuse %q", p.Name)
	line.Set(phase + ": looking at the endpoint")
	var left calibrate.Event
	unused := 0
	result, err := calibrate.Run(ctx, calibrate.Options{Plan: p, Folder: folder, Allow: c.AllowTarget, MaxItems: c.MaxItems, Progress: func(e calibrate.Event) {
		if e.Verdict != calibrate.Used {
			if unused++; unused == 1 {
				left = e
			}
		}
		line.Set(phase+": asking twice", fmt.Sprintf("%d of %d items, %d left out", e.Done, e.Total, unused))
	}})
	line.Clear()
	if err != nil {
		return calibrateError(ctx, err)
	}
	artifact, err := result.Artifact(p, time.Now())
	if err != nil {
		return err
	}
	b, err := floor.Encode(artifact)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(c.Out, b); err != nil {
		return err
	}
	if unused > 0 {
		fmt.Fprintf(a.Err, "%d of %d pairs are left out. The first is of item %s (%s): %s\n", unused, unused+len(result.Pairs), left.ItemID, left.Verdict, left.Detail)
	}
	if result.Unchecked > 0 {
		fmt.Fprintf(a.Err, "The engine reported no cached tokens in %d of %d pairs: that nothing was cached rests on the resets alone.\n", result.Unchecked, len(result.Pairs))
	}
	fmt.Fprintf(a.Out, "Noise floor of reuse %q: ROUGE-L %s between two cold answers, 95 %% interval %s to %s, over %d pairs of %d documents.\n", p.Name,
		artifact.Mean.Decimal(4), artifact.Interval.Low.Decimal(4), artifact.Interval.High.Decimal(4), artifact.Pairs, artifact.Interval.Clusters)
	fmt.Fprintf(a.Out, "5th percentile %s, median %s. Left out: %d contaminated, %d failed. Answers without a word: %d of %d.\n",
		artifact.P05.Decimal(4), artifact.P50.Decimal(4), artifact.Contaminated, artifact.Errored, artifact.Empty, 2*artifact.Pairs)
	fmt.Fprintf(a.Out, "Written to %s.\n", c.Out)
	return nil
}

// plan compiles the reuse block as it is measured: without the noise floor that
// it may name, which is what is being made, and without gates, of which some
// need one.
func (c *calibrateCmd) plan(a *app) (*plan.Reuse, string, error) {
	doc, diags := lang.Load(c.Path)
	name := c.Reuse
	if !diags.HasErrors() {
		names := withoutFloors(doc)
		switch {
		case len(names) == 0:
			return nil, "", refused(fmt.Errorf("%s has no reuse block with a live block, so there is no engine whose noise floor could be measured", c.Path))
		case name == "" && len(names) > 1:
			return nil, "", usage("the scenario has %d reuse blocks with a live block: choose with --reuse (%s)", len(names), strings.Join(names, ", "))
		case name == "":
			name = names[0]
		case !slices.Contains(names, name):
			return nil, "", usage("--reuse %s: the scenario has no such reuse block with a live block; it has: %s", name, strings.Join(names, ", "))
		}
	}
	o := compileOptions(c.Var, name)
	o.AllowTargets = c.AllowTarget
	result, diags := compiler.CompileLoaded(doc, diags, o)
	// Warnings are of the scenario as a whole, and lint has them.
	var errs diag.List
	for _, d := range diags {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	show(a.Err, errs, result.Document)
	if code := codeOfDiagnostics(diags); code != exitDone {
		return nil, "", exit(code)
	}
	if len(result.Reuses) != 1 || result.Reuses[0] == nil {
		return nil, "", refused(fmt.Errorf("the reuse block %q has no plan", name))
	}
	return result.Reuses[0], result.Document.Root, nil
}

// withoutFloors takes noise floors and gates out of a document and lists the
// reuse blocks that are live.
func withoutFloors(doc *lang.Document) []string {
	var names []string
	for _, b := range doc.All("reuse") {
		delete(b.Attrs, "calibration")
		b.AttrOrder = slices.DeleteFunc(b.AttrOrder, func(s string) bool { return s == "calibration" })
		if b.One("live") != nil {
			names = append(names, b.Name())
		}
	}
	doc.Blocks = slices.DeleteFunc(doc.Blocks, func(b *lang.Block) bool { return b.Type == "gate" })
	return names
}

// calibrateError gives an error its exit code.
func calibrateError(ctx context.Context, err error) error {
	var unusable *calibrate.UnusableError
	var stopped *calibrate.StoppedError
	var reset *calibrate.ResetError
	var outside *confine.OutsideError
	var host *confine.HostError
	var digest *source.DigestError
	var build *source.BuildError
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, errors.New("interrupted; no noise floor was written")}
	case errors.As(err, &unusable), errors.As(err, &stopped):
		return &exitError{exitIncomplete, err}
	case errors.As(err, &outside):
		return refused(fmt.Errorf("%w with --allow-target", err))
	case errors.As(err, &reset), errors.As(err, &host), errors.As(err, &digest), errors.As(err, &build):
		return refused(err)
	}
	return err
}
