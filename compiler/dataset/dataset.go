// Package dataset holds what a recorded deployment can answer: every response
// of its file, the score of each under every declared indicator, and the same
// for the twin that each fault class makes of it. It is computed once, by the
// compiler, and read by the runtime, so that a simulated request costs a table
// look-up and not a scorer.
//
// It may import compiler/plan, lang/predicate, lang/exact and
// stdlib/{corpus,text}.
package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Dataset is the response file of a recorded deployment with all scores. Row i
// of every table belongs to Rows[i]. A Dataset is not changed after it was
// built and may be read by several goroutines.
type Dataset struct {
	Rows       []corpus.Row
	Indicators []string    // names, in the order of Declaration.Indicators
	Scores     [][]int32   // by indicator, then row: in the indicator's unit
	Classes    []string    // names, in the order of Declaration.FaultClasses
	Twins      [][][]int32 // by class, indicator and row: the score of the affected response
}

// Of returns the scores of the responses as recorded, nil for an unknown
// indicator.
func (d *Dataset) Of(indicator string) []int32 {
	if i := slices.Index(d.Indicators, indicator); i >= 0 {
		return d.Scores[i]
	}
	return nil
}

// Twin returns the scores of the responses as a fault class changes them, nil
// for an unknown class or indicator.
func (d *Dataset) Twin(class, indicator string) []int32 {
	c, i := slices.Index(d.Classes, class), slices.Index(d.Indicators, indicator)
	if c < 0 || i < 0 {
		return nil
	}
	return d.Twins[c][i]
}

// Mean is the exact mean of scores. It is 0 for none.
func Mean(scores []int32) exact.Number {
	if len(scores) == 0 {
		return exact.Number{}
	}
	var sum int64
	for _, s := range scores {
		sum += int64(s)
	}
	return exact.Frac(sum, int64(len(scores)))
}

// Shift is the exact mean of twin - original: the change of the indicator when
// every response is affected, which no magnitude can exceed. The slices have
// one length.
func Shift(original, twin []int32) exact.Number {
	if len(original) == 0 {
		return exact.Number{}
	}
	var sum int64
	for i, s := range original {
		sum += int64(twin[i]) - int64(s)
	}
	return exact.Frac(sum, int64(len(original)))
}

// Scorer returns the scoring function of an indicator.
func Scorer(i plan.Indicator) (text.ScoreFunc, error) {
	if i.Predicate != "" {
		p, err := predicate.CompileResponse(i.Predicate)
		if err != nil {
			return nil, fmt.Errorf("indicator %s: %s", i.Name, err.Message)
		}
		return func(r text.Response) int32 {
			hit, err := p.Match(predicate.NewResponse(r.Prompt, r.Text))
			if err == nil && hit {
				return 1
			}
			return 0
		}, nil
	}
	s, ok := text.LookupScorer(i.Scorer)
	if !ok {
		return nil, fmt.Errorf("indicator %s: there is no scorer %q in this fdbench", i.Name, i.Scorer)
	}
	return s.New(i.Params)
}

// Transform returns the text of every row of a file as a fault class changes
// it. The other rows are those of the class's replacement file; nil where it
// has a transform. A row without a counterpart there is a ProblemError about
// the row's own file, since either file may be the changed one. The seed of a row is the class and the row's id, so that a
// response has the same twin in every series.
func Transform(c plan.FaultClass, file string, rows, other []corpus.Row) ([]string, error) {
	if c.Replace != "" {
		texts, problems := corpus.Replace(rows, other)
		if len(problems) > 0 {
			for i := range problems {
				problems[i].Message = strings.Replace(problems[i].Message, "the other file", c.Replace, 1)
			}
			return nil, &ProblemError{File: file, Replace: c.Replace, Problems: problems}
		}
		return texts, nil
	}
	t, ok := text.LookupTransform(c.Transform)
	if !ok {
		return nil, fmt.Errorf("fault class %s: there is no transform %q in this fdbench", c.Name, c.Transform)
	}
	f, err := t.New(c.Params)
	if err != nil {
		return nil, err
	}
	return corpus.Twins(rows, f, c.Name), nil
}

// ProblemError lists what is wrong with the lines of a response file.
type ProblemError struct {
	File string
	// Replace is the file in which lines of File have no counterpart, "" where
	// the lines themselves are bad.
	Replace  string
	Problems []corpus.Problem
}

func (e *ProblemError) Error() string {
	p := e.Problems[0]
	text := fmt.Sprintf("%s, line %d: %s", e.File, p.Line, p.Message)
	if n := len(e.Problems); n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	return text
}
