package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/compare"
)

type compareCmd struct {
	Study  string `help:"Describe what a change did: the one key that may differ, and has to. observation_point, detector_configuration, serving_configuration, request_population or offered_load." placeholder:"FACTOR"`
	Format string `help:"Form of the comparison: text, md or json." enum:"text,md,json" default:"text" placeholder:"FORM"`
	A      string `arg:"" name:"a" help:"Folder of a run, whose figures are recomputed, or a result.json, which is believed."`
	B      string `arg:"" name:"b" help:"The other one."`
}

func (*compareCmd) Help() string {
	return `Two results are comparable where five keys are the same: observation point, detector configuration, serving configuration, request population and offered load. Where any differs, they are not compared; the output names the values that differ, and the exit code is 6. It is 6 as well for a reduced series beside a full one, for virtual time beside real time, for two organisations or environments, and for a run that is incomplete, breaks a requirement, or was run with --explore.

With --study exactly one key differs, the one that is named. What is printed then is the characterisation of a change, with statistics that stand outside the methodology. Neither names a winner.

FACTOR may be shortened: detector (or dut_config), serving (or deployment), population, load. Values at different loads never stand in one row.

Examples:

    fdbench compare out/monday out/tuesday
    fdbench compare out/before out/after --study detector_configuration
    fdbench compare out/before out/after --study serving --format md`
}

func (c *compareCmd) Run(a *app) error {
	study := ""
	if c.Study != "" {
		key, ok := compare.Factor(c.Study)
		if !ok {
			return usage("there is no factor %q%s; the factors are %s", c.Study, didYouMean(c.Study), strings.Join(compare.Factors, ", "))
		}
		study = key
	}
	for _, path := range []string{c.A, c.B} {
		if reuse, err := isReuseResult(path); err != nil {
			return err
		} else if reuse {
			return &exitError{exitIncompares, fmt.Errorf("%s is the result of a reuse block, and compare takes those of series. Its figures hold for one manifest, tokenizer and block size; "+
				"a gate holds them against a limit", path)}
		}
	}
	x, err := load(c.A)
	if err != nil {
		return err
	}
	y, err := load(c.B)
	if err != nil {
		return err
	}
	result := compare.Compare(x, y, study)
	switch c.Format {
	case "json":
		_, err = a.Out.Write(compare.Encode(result))
	case "md":
		_, err = a.Out.Write(view.ComparisonMarkdown(result))
	default:
		err = view.Comparison(a.Out, result)
	}
	if err == nil && !result.Comparable {
		return exit(exitIncompares)
	}
	return err
}

// load reads one of two results. What was read and does not hold is refused.
func load(path string) (compare.Input, error) {
	in, err := compare.Load(path)
	var unfit *compare.UnfitError
	if errors.As(err, &unfit) {
		return in, refused(err)
	}
	return in, err
}

func didYouMean(name string) string {
	if near := suggest.Nearest(name, compare.Factors); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
